"""Events of guilds, channels, roles and sessions: what is recorded from when on, and what was missed.

Every recorded channel has a live stretch of coverage that grows with its shard. A new session (no RESUME)
closes them all; when the guild then appears they begin anew, and what lies between is read back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.capture import convert
from bot.capture.convert import Payload
from bot.capture.events import GatewayEvent
from bot.capture.exclusions import Exclusions
from bot.capture.guild_state import GuildState
from bot.errors import NotFoundError
from bot.model.guilds import Channel, Guild, ScheduledEvent, Witness
from bot.model.settings import GuildSettings
from bot.model.snowflakes import time_of
from bot.store import coverage, guilds, members, messages
from bot.store.engine import Connection

OVERLAP = timedelta(seconds=60)
"""Discord's parts do not deliver in one order: so much is read again on both sides of a gap."""

_CHANNELS = frozenset({"CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE"})
_ROLES = frozenset({"GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE"})
_CALENDAR = frozenset({"GUILD_SCHEDULED_EVENT_CREATE", "GUILD_SCHEDULED_EVENT_UPDATE", "GUILD_SCHEDULED_EVENT_DELETE"})


class GuildEvents:
    """What is known of the guilds, kept up to date by events."""

    def __init__(self, exclusions: Exclusions) -> None:
        self.exclusions = exclusions
        self.states: dict[int, GuildState] = {}
        self.self_id: int | None = None
        self.withheld = False
        """Discord withholds what people write: nothing that is heard now counts as covered."""
        self.to_read: set[int] = set()
        """Guilds of which something was missed or newly chosen; taken away by whoever reads it back."""
        self.to_list: set[int] = set()
        """Those of them whose archived threads have to be looked for first."""
        self.rosters_due: set[int] = set()
        """Guilds whose member list is to be compared with the ledger."""

    async def state(self, connection: Connection, event: GatewayEvent) -> GuildState | None:
        """The event's guild; None for direct messages and for guilds that were never seen."""
        raw = event.payload.get("guild_id")
        return None if raw is None else await self.known(connection, int(raw))

    async def known(self, connection: Connection, guild_id: int) -> GuildState | None:
        """A guild as last seen, from the store where the gateway has not shown it yet."""
        if guild_id in self.states:
            return self.states[guild_id]
        try:
            guild = await guilds.fetch_guild(connection, guild_id)
        except NotFoundError:
            return None
        state = GuildState(replace(guild, self_id=self.self_id or guild.self_id), GuildSettings())
        await self._load(connection, state)
        if guild.self_id is not None:
            own = await guilds.members_of(connection, guild_id, [guild.self_id])
            state.self_roles = own[guild.self_id].role_ids if own else ()
        state.choose()
        self.states[guild_id] = state
        return state

    async def apply(self, connection: Connection, event: GatewayEvent) -> None:
        """Write what an event about a guild, its channels, roles or calendar, or about the session, says."""
        name, payload = event.name, event.payload
        if name == "READY":
            await self._begin_session(connection, event)
            return
        if name == "GUILD_CREATE":
            await self._appear(connection, event)
            return
        guild_id = int(payload.get("guild_id") or (payload.get("id") if name.startswith("GUILD_") else 0) or 0)
        state = await self.known(connection, guild_id) if guild_id else None
        if state is None:
            return
        if name in _CHANNELS:
            await self._channel(connection, state, [payload], event)
        elif name == "THREAD_LIST_SYNC":
            await self._channel(connection, state, payload.get("threads") or (), event)
        elif name in ("CHANNEL_DELETE", "THREAD_DELETE"):
            await self.forget_channels(connection, state, [int(payload["id"])], event.at)
        elif name in _ROLES:
            await self._role(connection, state, event)
        elif name == "GUILD_UPDATE":
            await self._rename(connection, state, payload)
        elif name == "GUILD_DELETE":
            await self._disappear(connection, state, event)
        elif name in _CALENDAR:
            await self._calendar(connection, state, event)

    async def settings_changed(self, connection: Connection, guild_id: int, *, at: datetime) -> None:
        """Take over the guild's settings as they are stored now."""
        state = await self.known(connection, guild_id)
        if state is not None:
            state.settings = await guilds.fetch_settings(connection, guild_id)
            state.choose()
            await self.record_chosen(connection, state, at)
            self.to_list.add(guild_id)

    async def found(self, connection: Connection, state: GuildState, payload: Payload, *, at: datetime) -> None:
        """A channel or thread that was asked for, since an event named it."""
        channel = self._shown(payload, state.guild.guild_id)
        await guilds.store_channels(connection, [channel])
        state.channels[channel.channel_id] = channel
        state.choose([channel])
        await self.record_chosen(connection, state, at)

    # -- sessions

    async def _begin_session(self, connection: Connection, event: GatewayEvent) -> None:
        payload = event.payload
        self.self_id = int(payload["user"]["id"])
        shard_id, count = payload.get("shard") or (event.shard_id, 1)
        seen_at = await coverage.seen(connection, event.shard_id)
        await coverage.end_live(connection, event.shard_id, at=seen_at and seen_at - OVERLAP)
        for state in self.states.values():
            if state.shard_id == event.shard_id:
                state.connected = False
        present = {int(guild["id"]) for guild in payload.get("guilds") or ()}
        for guild_id in await guilds.guild_ids(connection):
            if (guild_id >> 22) % count == shard_id and guild_id not in present:
                await guilds.leave_guild(connection, guild_id, at=event.at)

    async def _appear(self, connection: Connection, event: GatewayEvent) -> None:
        payload = event.payload
        if payload.get("unavailable") or "channels" not in payload:
            return
        guild_id = int(payload["id"])
        guild = self._guild(payload)
        await guilds.store_guild(connection, guild)
        state = self.states.setdefault(guild_id, GuildState(guild, GuildSettings()))
        state.guild, state.shard_id, state.connected = guild, event.shard_id, True
        shown = [self._shown(each, guild_id) for each in [*payload["channels"], *(payload.get("threads") or ())]]
        await guilds.store_channels(connection, shown)
        await guilds.replace_roles(
            connection, guild_id, [convert.role_from_payload(each, guild_id=guild_id) for each in payload["roles"]]
        )
        present = [convert.member_from_payload(each, guild_id=guild_id) for each in payload.get("members") or ()]
        people = [each for each in present if not self.exclusions.is_excluded(guild_id, each.user_id)]
        await guilds.store_members(connection, people)
        joins = [convert.join_from_member(person, Witness.SEEN) for person in people]
        await members.store_joins(connection, [join for join in joins if join])
        await guilds.store_scheduled_events(
            connection,
            [self._event(each, guild_id) for each in payload.get("guild_scheduled_events") or ()],
        )
        state.self_roles = next((each.role_ids for each in people if each.user_id == self.self_id), state.self_roles)
        state.note_newest([*payload["channels"], *(payload.get("threads") or ())], at=event.at)
        await self._load(connection, state)
        for channel in shown:  # the store does not keep whose permissions are whose, the bot's own among them
            state.channels[channel.channel_id] = replace(
                state.channels[channel.channel_id], overwrites=channel.overwrites
            )
        standing = {channel.channel_id for channel in shown}
        vanished = [
            each.channel_id
            for each in state.channels.values()
            if not each.is_thread and each.deleted_at is None and each.channel_id not in standing
        ]
        await self.forget_channels(connection, state, vanished, event.at)
        state.choose()
        await self.record_chosen(connection, state, event.at)
        self.to_read.add(guild_id)
        self.to_list.add(guild_id)
        self.rosters_due.add(guild_id)

    async def _disappear(self, connection: Connection, state: GuildState, event: GatewayEvent) -> None:
        """The guild cannot be reached for a while, or the bot was removed from it."""
        state.connected = False
        await coverage.end_live(connection, state.shard_id, at=event.at - OVERLAP, channel_ids=state.channels)
        if not event.payload.get("unavailable"):
            await guilds.leave_guild(connection, state.guild.guild_id, at=event.at)

    # -- channels and roles

    async def _channel(
        self, connection: Connection, state: GuildState, payloads: Iterable[Payload], event: GatewayEvent
    ) -> None:
        shown = [self._shown(each, state.guild.guild_id) for each in payloads]
        await guilds.store_channels(connection, shown)
        state.note_newest(payloads, at=event.at)
        only_threads = all(channel.is_thread for channel in shown)
        state.channels |= {channel.channel_id: channel for channel in shown}
        state.choose(shown if only_threads else None)
        newly = all(each.get("newly_created") for each in payloads) or event.name == "CHANNEL_CREATE"
        made_at = min((time_of(channel.channel_id) for channel in shown), default=event.at)
        await self.record_chosen(connection, state, min(event.at, made_at) if newly else event.at)

    async def forget_channels(
        self, connection: Connection, state: GuildState, channel_ids: list[int], at: datetime
    ) -> None:
        """Channels or threads were deleted, with the threads in them and everything said there."""
        gone = [*channel_ids, *state.threads_of(channel_ids)]
        if not gone:
            return
        await guilds.delete_channels(connection, gone, at=at)
        await messages.delete_messages_in(connection, gone, at=at)
        await coverage.end_live(connection, state.shard_id, at=at, channel_ids=gone)
        for channel_id in gone:
            if channel := state.channels.get(channel_id):
                state.channels[channel_id] = replace(channel, deleted_at=channel.deleted_at or at)
        state.chosen -= set(gone)
        state.recorded -= set(gone)

    async def _role(self, connection: Connection, state: GuildState, event: GatewayEvent) -> None:
        payload = event.payload
        if event.name == "GUILD_ROLE_DELETE":
            role_id = int(payload["role_id"])
            state.roles.pop(role_id, None)
            await guilds.delete_role(connection, role_id)
        else:
            role = convert.role_from_payload(payload["role"], guild_id=state.guild.guild_id)
            state.roles[role.role_id] = role
            await guilds.store_roles(connection, [role])
        state.choose()
        await self.record_chosen(connection, state, event.at)

    async def _rename(self, connection: Connection, state: GuildState, payload: Payload) -> None:
        state.guild = self._guild(payload)
        await guilds.store_guild(connection, state.guild)

    async def _calendar(self, connection: Connection, state: GuildState, event: GatewayEvent) -> None:
        found = self._event(event.payload, state.guild.guild_id)
        if event.name.endswith("DELETE"):
            found = replace(found, deleted_at=event.at)
        await guilds.store_scheduled_events(connection, [found])

    # -- converted, without those who were erased

    def _shown(self, payload: Payload, guild_id: int) -> Channel:
        return self.exclusions.shown(convert.channel_from_payload(payload, guild_id=guild_id))

    def _guild(self, payload: Payload) -> Guild:
        guild = convert.guild_from_payload(payload, self_id=self.self_id)
        return replace(guild, owner_id=self.exclusions.blank(guild.owner_id))

    def _event(self, payload: Payload, guild_id: int) -> ScheduledEvent:
        event = convert.scheduled_event_from_payload(payload, guild_id=guild_id)
        return replace(event, creator_id=self.exclusions.blank(event.creator_id))

    # -- what is recorded

    async def record_chosen(self, connection: Connection, state: GuildState, at: datetime) -> None:
        """From now on the recorded channels are covered live, and no others."""
        if not state.connected:
            return
        guild_id = state.guild.guild_id
        live = (await coverage.live_since(connection, state.shard_id, guild_id)).keys()
        wanted = frozenset() if self.withheld else state.recorded
        stopped = live - wanted
        begun = wanted - live
        if stopped:
            await coverage.end_live(connection, state.shard_id, at=at, channel_ids=stopped)
        if begun:
            await coverage.begin_live(connection, state.shard_id, dict.fromkeys(begun, guild_id), at=at)
            self.to_read.add(guild_id)
            older = (each for each in begun if not state.channels[each].is_thread and time_of(each) < at - OVERLAP)
            if any(older):  # they may have threads that were archived before the bot was shown them
                self.to_list.add(guild_id)

    async def _load(self, connection: Connection, state: GuildState) -> None:
        guild_id = state.guild.guild_id
        state.settings = await guilds.fetch_settings(connection, guild_id)
        state.channels = await guilds.channels_of(connection, guild_id)
        state.roles = await guilds.roles_of(connection, guild_id)
