"""Threads that the gateway does not tell of: archived ones, which may have been used meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.capture import convert
from bot.capture.convert import Payload
from bot.capture.discord_api import History, UnreadableError
from bot.capture.guild_state import GuildState
from bot.model.guilds import Channel, ChannelType
from bot.store import guilds
from bot.store.engine import Store

_ONLY_THREADS = frozenset({ChannelType.FORUM, ChannelType.MEDIA})
_WITH_THREADS = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT}) | _ONLY_THREADS


async def find_threads(
    api: History,
    store: Store,
    state: GuildState,
    *,
    since: datetime,
    at: datetime,
    shown: Callable[[Channel], Channel],
    unreadable: Callable[[int, UnreadableError], Awaitable[None]],
) -> None:
    """Make the threads of the recorded channels known that were archived at or after `since`, and the active ones.

    A thread that was archived before has not been used since; that it was silent is noted as of `at`. Private
    threads are found where the bot is in them. A channel whose threads cannot be listed is named by `unreadable`;
    `shown` makes of each what may be stored.
    """
    guild_id = state.guild.guild_id
    found: list[Payload] = list(await api.active_threads(guild_id))
    listed: set[int] = set()
    for channel_id in sorted(state.recorded):
        channel = state.channels[channel_id]
        if channel.channel_type not in _WITH_THREADS:
            continue
        try:
            found += await _archived(api, channel_id, private=False, since=since)
            if channel.channel_type == ChannelType.TEXT:
                found += await _archived(api, channel_id, private=True, since=since)
            listed.add(channel_id)
        except UnreadableError as error:
            await unreadable(channel_id, error)
    threads = [shown(convert.channel_from_payload(each, guild_id=guild_id)) for each in found]
    async with store.write() as connection:
        await guilds.store_channels(connection, threads)
        for channel_id in listed:
            if state.channels[channel_id].channel_type in _ONLY_THREADS:
                await guilds.note_unreadable(connection, channel_id, None)
    fresh = [thread for thread in threads if thread.channel_id not in state.channels]
    state.channels |= {thread.channel_id: thread for thread in fresh}
    state.choose(fresh)
    state.note_newest(found, at=at)
    used = {thread.channel_id for thread in threads}
    for thread in state.channels.values():
        is_listed = thread.parent_id in listed and thread.channel_type != ChannelType.PRIVATE_THREAD
        if thread.is_thread and is_listed and thread.channel_id not in used:
            state.newest[thread.channel_id] = thread.channel_id, at


async def _archived(api: History, channel_id: int, *, private: bool, since: datetime) -> list[Payload]:
    found: list[Payload] = []
    before: str | None = None
    while True:
        page = await api.archived_threads(channel_id, private=private, before=before)
        threads = page.get("threads") or []
        for thread in threads:
            stamp = thread["thread_metadata"]["archive_timestamp"]
            before = str(thread["id"]) if private else stamp
            archived_at = convert.instant(stamp)
            if archived_at is not None and archived_at < since and not private:
                return found
            if archived_at is None or archived_at >= since:
                found.append(thread)
        if not page.get("has_more") or not threads:
            return found
