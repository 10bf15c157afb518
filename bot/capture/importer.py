"""Import of files: DiscordChatExporter's JSON and Gazette's own recordings, as a stream, in constant memory."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from bot.capture import convert
from bot.capture.exclusions import Exclusions
from bot.capture.exports import channel_from_export, message_from_export, parent_from_export
from bot.capture.json_stream import JsonError, items, members
from bot.capture.recording_import import chosen_in, store_captured, store_converted, store_surroundings
from bot.errors import InputError
from bot.model.guilds import CONNECT, VIEW_CHANNEL, Role
from bot.model.messages import Message
from bot.model.snowflakes import time_of
from bot.store import coverage, guilds
from bot.store.engine import Connection, Store
from bot.store.messages import Counts

BATCH = 4000
_BREATH = 25
"""After so many records whatever else is going on gets its turn."""

_COLLECTED_AFTER = 20_000
"""So many objects more than before are made until cycles are looked for: not often within a batch."""

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
        with path.open("rb") as file, _collecting_rarely():
            try:
                head = _head(file, path)
            except JsonError as error:
                raise InputError(f"{path}: not valid JSON: {_fault(error)}; nothing is imported") from error
            return await _Import(store, path, exclusions, skip_bad=skip_bad, progress=progress).run(file, head)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except JsonError as error:
        raise InputError(f"{path}: not valid JSON: {_fault(error)}; what came before it is imported") from error


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """What is read holds no cycles: looking for some as often as usual takes an eighth of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(_COLLECTED_AFTER, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class _Writer:
    """Stores messages in batches: while one is written the next one is gathered."""

    def __init__(self, store: Store, exclusions: Exclusions, counts: Counts, written: Callable[[int], None]) -> None:
        self._store = store
        self._counts = counts
        self._exclusions = exclusions
        self._tell = written
        self._batch: list[tuple[Message, bool]] = []
        self._writing: asyncio.Task[None] | None = None
        self.first, self.last = _HIGHEST, 0
        """The lowest and the highest id of what is written."""

    async def add(self, message: Message, *, bot: bool) -> None:
        self._batch.append((message, bot))
        if len(self._batch) >= BATCH:
            await self._finished()
            self._start()

    async def finish(self) -> None:
        """Write what has been added."""
        try:
            await self._finished()
        finally:
            self._start()
            await self._finished()

    def _start(self) -> None:
        batch, self._batch = self._batch, []
        self._writing = asyncio.create_task(self._write(batch))

    async def _finished(self) -> None:
        writing, self._writing = self._writing, None
        if writing is not None:
            await writing

    async def _write(self, batch: list[tuple[Message, bool]]) -> None:
        async with self._store.write() as connection:
            await self._exclusions.refresh(connection)
            is_excluded = self._exclusions.is_excluded
            await store_converted(
                connection,
                [each for each in batch if not is_excluded(each[0].guild_id, each[0].author_id)],
                counts=self._counts,
            )
        ids = [message.message_id for message, _ in batch]
        self.first, self.last = min([self.first, *ids]), max([self.last, *ids])
        self._tell(len(batch))


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
                counts = await _counts(connection, head, guild_id)
        except (KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
            told = f"{self._path}: what stands before the messages cannot be read: {_reason(error)}"
            raise InputError(told) from error
        report = ImportReport(guild_id)
        channel_id = str(head["channel"]["id"]) if is_export else ""

        def written(count: int) -> None:
            report.messages += count
            if self._progress is not None:
                self._progress(file.tell(), report.messages)

        writer = _Writer(self._store, self._exclusions, counts, written)
        try:
            for number, (place, record) in enumerate(_records(file, ("messages",) if is_export else _SAID)):
                if number % _BREATH == 0:
                    await asyncio.sleep(0)
                try:
                    payload = message_from_export(record, channel_id=channel_id) if is_export else record
                    said = convert.message_from_payload(payload, guild_id=guild_id, self_id=self_id)
                    bot = bool(payload["author"].get("bot"))
                    _check_ids(said)
                except (KeyError, ValueError, TypeError, AttributeError) as error:
                    self._bad(report, place, record, error)
                    continue
                message = self._exclusions.admit(said, payload)
                if message is None or message.channel_id not in chosen:
                    report.left_out += 1
                else:
                    await writer.add(message, bot=bot)
        finally:
            await writer.finish()
        async with self._store.write() as connection:
            if not is_export:
                await store_captured(connection, head, guild_id=guild_id, chosen=chosen)
            elif writer.last and not report.skipped:
                start, end = time_of(writer.first), time_of(writer.last)
                await coverage.add_coverage(connection, guild_id, int(channel_id), start, end)
        return report

    def _bad(self, report: ImportReport, place: tuple[str, int], record: Any, error: Exception) -> None:
        name, position = place
        told = record.get("id", "without an id") if isinstance(record, dict) else type(record).__name__
        said = f"{name}[{position}] (message {told}) cannot be read: {_reason(error)}"
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
        seen = VIEW_CHANNEL | CONNECT
        everyone = Role(role_id=guild.guild_id, guild_id=guild.guild_id, name="@everyone", permissions=seen)
        await guilds.store_roles(connection, [everyone])
    return guild.guild_id, (await guilds.fetch_guild(connection, guild.guild_id)).self_id


async def _counts(connection: Connection, head: dict[str, Any], guild_id: int) -> Counts:
    """Whether the file's counts of reactions are newer than what is stored: nothing was recorded after it was made."""
    captured = head.get("captured") or {}
    made_at = convert.instant(head.get("exportedAt") or captured.get("end"))
    known = (await coverage.coverage_of(connection, guild_id)).values()
    recorded_until = max((end for stretches in known for _, end in stretches), default=None)
    is_newest = made_at is not None and (recorded_until is None or recorded_until <= made_at)
    return Counts.COMPLETE if is_newest else Counts.EARLIER


def _head(file: BinaryIO, path: Path) -> dict[str, Any]:
    """Everything but the messages; of an export only what stands before them. Raises InputError for other files."""
    head: dict[str, Any] = {}
    for key, value in members(file, lists=_SAID):
        head[key] = value
        if key in _SAID and value is not None:
            raise InputError(f"{path}: {key} is no list")
        if key == "messages" and "channel" in head and "guild" in head:
            break
    if "guild" not in head or "messages" not in head or ("channel" not in head and "channels" not in head):
        raise InputError(
            f"{path}: neither an export of DiscordChatExporter (JSON) nor a recording of Gazette's: "
            "it needs a guild, a channel or channels, and messages"
        )
    return head


def _records(file: BinaryIO, names: Iterable[str]) -> Iterator[tuple[tuple[str, int], Any]]:
    """The items of the named lists, one list after the other, each with the list's name and its position there."""
    for name in names:
        for position, item in enumerate(items(file, name)):
            yield (name, position), item


def _check_ids(message: Message) -> None:
    """Raises ValueError for an id or a type that is none of Discord's."""
    if not 0 <= message.message_type < 1 << 15:
        raise ValueError(f"{message.message_type} is no type")
    others = (message.author_id, message.reply_to_id, message.webhook_id, *message.mentioned_user_ids)
    for value in (message.message_id, *others):
        if value is not None and not 0 < value <= _HIGHEST:
            raise ValueError(f"{value} is no id")


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, (TypeError, AttributeError)):
        return "a value in it is of another kind than Discord's"
    return _oneline(error)


def _fault(error: Exception) -> str:
    """What is wrong, without the piece of the file that the parser draws below it."""
    told = error.args[0] if error.args else error
    text = told.decode(errors="replace") if isinstance(told, bytes) else str(told)
    return text.strip().partition("\n")[0].rstrip(".")


def _oneline(error: Exception) -> str:
    return " ".join(str(error).split())
