"""Import of files: DiscordChatExporter's JSON and Gazette's own recordings, as a stream, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import ijson

from bot.capture import convert
from bot.capture.exclusions import Exclusions
from bot.capture.exports import channel_from_export, message_from_export, parent_from_export
from bot.capture.recording_import import chosen_in, store_captured, store_converted, store_surroundings
from bot.errors import InputError
from bot.model.guilds import VIEW_CHANNEL, Role
from bot.model.messages import Message
from bot.model.snowflakes import time_of
from bot.store import coverage, guilds
from bot.store.engine import Connection, Store

BATCH = 2000
_HIGHEST = (1 << 63) - 1
_SAID = ("messages", "deleted_messages")

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class ImportReport:
    """What came of a file: the guild, how many messages were stored or were there already, what was passed over."""

    guild_id: int
    messages: int = 0
    skipped: list[str] = field(default_factory=list)
    """The bad records that were skipped, by position and reason."""
    left_out: int = 0
    """Messages in channels that are not recorded, or of people who do not want to be."""


async def import_file(
    store: Store,
    path: Path,
    *,
    exclusions: Exclusions | None = None,
    skip_bad: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Import one file; running it twice changes nothing. `progress` is told bytes read and messages stored so far.

    Raises InputError that names the file and the place: not readable, not JSON, neither kind of file, or a record
    that is no message (with `skip_bad` it is skipped and reported). What came before it is stored.
    """
    exclusions = exclusions or Exclusions()
    await exclusions.reload(store)
    try:
        with path.open("rb") as file:
            head = _head(file, path)
            file.seek(0)
            return await _Import(store, path, exclusions, skip_bad=skip_bad, progress=progress).run(file, head)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ijson.JSONError as error:
        raise InputError(f"{path}: not valid JSON: {_oneline(error)}; what came before it is imported") from error


class _Import:
    def __init__(
        self, store: Store, path: Path, exclusions: Exclusions, *, skip_bad: bool, progress: Progress | None
    ) -> None:
        self._store = store
        self._path = path
        self._exclusions = exclusions
        self._skip_bad = skip_bad
        self._progress = progress

    async def run(self, file: BinaryIO, head: dict[str, Any]) -> ImportReport:
        is_export = "channel" in head
        try:
            async with self._store.write() as connection:
                if is_export:
                    guild_id, self_id = await _store_export_head(connection, head)
                else:
                    guild_id, self_id = await store_surroundings(
                        connection, head, is_excluded=self._exclusions.is_excluded
                    )
                chosen = await chosen_in(connection, guild_id)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise InputError(f"{self._path}: what stands before the messages cannot be read: {error!r}") from error
        report = ImportReport(guild_id)
        channel_id = str(head["channel"]["id"]) if is_export else ""
        batch: list[tuple[Message, bool]] = []
        first, last = _HIGHEST, 0
        for name in ("messages",) if is_export else _SAID:
            file.seek(0)
            for position, record in enumerate(ijson.items(file, f"{name}.item", use_float=True)):
                try:
                    payload = message_from_export(record, channel_id=channel_id) if is_export else record
                    said = convert.message_from_payload(payload, guild_id=guild_id, self_id=self_id)
                    bot = bool(payload["author"].get("bot"))
                except (KeyError, ValueError, TypeError, AttributeError) as error:
                    self._bad(report, f"{name}[{position}]", record, error)
                    continue
                message = self._exclusions.admit(said, payload)
                if message is None or message.channel_id not in chosen:
                    report.left_out += 1
                    continue
                first, last = min(first, message.message_id), max(last, message.message_id)
                batch.append((message, bot))
                if len(batch) >= BATCH:
                    await self._flush(batch, report, file)
        await self._flush(batch, report, file)
        async with self._store.write() as connection:
            if not is_export:
                await store_captured(connection, head, guild_id=guild_id, chosen=chosen)
            elif last and not report.skipped:
                await coverage.add_coverage(connection, guild_id, int(channel_id), time_of(first), time_of(last))
        return report

    async def _flush(self, batch: list[tuple[Message, bool]], report: ImportReport, file: BinaryIO) -> None:
        async with self._store.write() as connection:
            await self._exclusions.refresh(connection)
            is_excluded = self._exclusions.is_excluded
            await store_converted(
                connection, [each for each in batch if not is_excluded(each[0].guild_id, each[0].author_id)]
            )
        report.messages += len(batch)
        batch.clear()
        if self._progress is not None:
            self._progress(file.tell(), report.messages)

    def _bad(self, report: ImportReport, place: str, record: Any, error: Exception) -> None:
        told = record.get("id", "without an id") if isinstance(record, dict) else type(record).__name__
        said = f"{place} (message {told}) cannot be read: {_reason(error)}"
        if not self._skip_bad:
            raise InputError(f"{self._path}: {said}; mend it or skip such records with --skip-bad") from error
        report.skipped.append(said)


async def _store_export_head(connection: Connection, head: dict[str, Any]) -> tuple[int, int | None]:
    """An export says nothing of permissions: where the bot has not been, its channels count as everyone's."""
    guild = convert.guild_from_payload({"id": head["guild"]["id"], "name": head["guild"].get("name")})
    await guilds.store_guild(connection, guild)
    known = await guilds.channels_of(connection, guild.guild_id)
    named = [channel_from_export(head["channel"]), parent_from_export(head["channel"])]
    channels = [convert.channel_from_payload(each, guild_id=guild.guild_id) for each in named if each]
    await guilds.store_channels(connection, [each for each in channels if each.channel_id not in known])
    if not await guilds.roles_of(connection, guild.guild_id):
        everyone = Role(role_id=guild.guild_id, guild_id=guild.guild_id, name="@everyone", permissions=VIEW_CHANNEL)
        await guilds.store_roles(connection, [everyone])
    return guild.guild_id, (await guilds.fetch_guild(connection, guild.guild_id)).self_id


def _head(file: BinaryIO, path: Path) -> dict[str, Any]:
    """Everything but the messages; of an export only what stands before them. Raises InputError for other files."""
    head: dict[str, Any] = {}
    for key, value in _parts(file):
        head[key] = value
        if key == "messages" and "channel" in head and "guild" in head:
            break
    if "guild" not in head or "messages" not in head or ("channel" not in head and "channels" not in head):
        raise InputError(
            f"{path}: neither an export of DiscordChatExporter (JSON) nor a recording of Gazette's: "
            "it needs a guild, a channel or channels, and messages"
        )
    return head


def _parts(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """The members of the top-level object, one after the other; arrays of messages are passed over as None."""
    events = ijson.basic_parse(file, use_float=True)
    kind, _ = next(events)
    if kind != "start_map":
        return
    for kind, key in events:
        if kind != "map_key":
            return
        if key in _SAID:
            yield key, None
            _skip(events)
        else:
            yield key, _value(events)


def _value(events: Iterator[tuple[str, Any]]) -> Any:
    builder = ijson.ObjectBuilder()
    depth = 0
    for kind, value in events:
        builder.event(kind, value)
        depth += kind in ("start_map", "start_array")
        depth -= kind in ("end_map", "end_array")
        if depth == 0:
            break
    return builder.value


def _skip(events: Iterator[tuple[str, Any]]) -> None:
    depth = 0
    for kind, _ in events:
        depth += kind in ("start_map", "start_array")
        depth -= kind in ("end_map", "end_array")
        if depth == 0:
            return


def _reason(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else _oneline(error)


def _oneline(error: Exception) -> str:
    return " ".join(str(error).split())
