"""Gateway events applied to the store, in their order, many in one transaction.

What happens to single messages and people is gathered and written together: creations and edits first, then
reactions, then deletions, which comes to the same as one after the other. A change of guild, channel or role
is written in its place, since it decides what is recorded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from bot.capture import convert
from bot.capture.content_watch import ContentWatch
from bot.capture.convert import Payload
from bot.capture.events import GatewayEvent, ReactionEvent, ReactionsCleared
from bot.capture.exclusions import Exclusions
from bot.capture.guild_events import GuildEvents
from bot.capture.guild_state import GuildState
from bot.capture.recording_import import proxy_range
from bot.model.guilds import Join, Member, Witness
from bot.model.messages import Message, Speaker
from bot.model.snowflakes import time_of
from bot.store import guilds, members, messages
from bot.store.engine import Connection
from bot.store.reactions import Reaction, change_reactions

_PROXIED_WITHIN = timedelta(seconds=60)
_KNOWN_MEMBERS = 10_000
_RECOUNTED = 2_000
_LATE = timedelta(seconds=10)

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class _Deletion:
    guild_id: int
    channel_id: int
    message_ids: list[int]
    at: datetime
    recorded: bool
    leave_mark: bool = False  # keep it out though it was never stored


@dataclass(slots=True)
class _Gathered:
    """What waits to be written."""

    messages: list[Message] = field(default_factory=list)
    elsewhere: list[Message] = field(default_factory=list)  # in channels that are recorded no longer
    changes: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)
    deletions: list[_Deletion] = field(default_factory=list)
    members: dict[tuple[int, int], Member] = field(default_factory=dict)
    ledger: list[Join | tuple[int, int, datetime]] = field(default_factory=list)
    rechosen: list[tuple[GuildState, datetime]] = field(default_factory=list)  # where the bot may see other channels


class Intake:
    """Applies events. Keeps in memory what it needs to know of the connected guilds."""

    def __init__(self, exclusions: Exclusions) -> None:
        self.exclusions = exclusions
        self.content = ContentWatch()
        self.lacks_content = False
        """Whether the application is known to lack the message content intent."""
        self.guilds = GuildEvents(exclusions)
        self.reacted: list[ReactionEvent | ReactionsCleared] = []
        """The reactions of the events applied so far, for whoever listens; taken away by the recorder."""
        self.doubtful: set[tuple[int, int]] = set()
        """Messages (channel, message) whose stored state may be wrong and which are to be read again."""
        self._gathered = _Gathered()
        self._known_members: dict[tuple[int, int], Member] = {}
        self._told: dict[tuple[int, int], tuple[Payload, Payload]] = {}
        self._just_deleted: list[Message] = []
        self._unwanted: list[Message] = []
        self.reactions_seen = 0
        """How many changes of reactions were applied so far."""
        self._recounted: OrderedDict[int, datetime] = OrderedDict()
        self._reacted_to: OrderedDict[int, int] = OrderedDict()
        self._last_reactions: OrderedDict[tuple[int, int, str | None], bool] = OrderedDict()

    async def apply(self, connection: Connection, events: Sequence[GatewayEvent]) -> None:
        """Write what the events say. Applying them again (after a rollback) comes to the same."""
        self._gathered = _Gathered()
        self.reacted = []
        await self.exclusions.refresh(connection)
        for event in events:
            if handle := _GATHERED.get(event.name):
                state = await self.guilds.state(connection, event)
                if state is not None:
                    handle(self, state, event)
            else:
                await self._write(connection)
                if event.name == "READY":
                    self.content.reset()
                    self.guilds.withheld = self.lacks_content
                await self.guilds.apply(connection, event)
        await self._write(connection)

    def forget(self) -> None:
        """What was applied was not committed, or is no longer stored: it may not be taken for known."""
        self._told.clear()
        self._known_members.clear()
        self._just_deleted.clear()

    # -- messages

    def _message(self, state: GuildState, event: GatewayEvent) -> None:
        payload = event.payload
        if int(payload["channel_id"]) not in state.recorded:
            return
        said = self._converted(state, payload)
        message = self.exclusions.admit(said, payload)
        if message is None:
            self._unwanted = [each for each in self._unwanted if said.created_at - each.created_at <= _PROXIED_WITHIN]
            self._unwanted.append(said)
            return
        if message.webhook_id is not None and self._repeats_unwanted(message):
            place = (message.guild_id, message.channel_id, [message.message_id])
            self._gathered.deletions.append(_Deletion(*place, event.at, recorded=False, leave_mark=True))
            return
        self.content.see(message, payload, state.guild.self_id)
        if message.webhook_id is not None:
            message = self._credited(message)
        self._gathered.messages.append(message)
        member, author, key = payload.get("member"), payload["author"], (message.guild_id, message.author_id)
        if member is not None and message.webhook_id is None and self._told.get(key) != (author, member):
            if len(self._told) >= _KNOWN_MEMBERS:
                self._told.clear()
            self._told[key] = (author, member)
            self._seen(convert.member_from_payload(member, guild_id=message.guild_id, user=author))
        if join := convert.join_from_arrival(message, bot=bool(payload["author"].get("bot"))):
            self._gathered.ledger.append(join)

    def _converted(self, state: GuildState, payload: Payload) -> Message:
        return convert.message_from_payload(payload, guild_id=state.guild.guild_id, self_id=state.guild.self_id)

    def _edit(self, state: GuildState, event: GatewayEvent) -> None:
        payload = event.payload
        recorded = int(payload["channel_id"]) in state.recorded
        if convert.is_whole(payload):
            if recorded:
                self._message(state, event)
            elif message := self.exclusions.admit(self._converted(state, payload), payload):
                self._gathered.elsewhere.append(message)
            return
        message_id = int(payload["id"])
        if changes := convert.changes_from_payload(payload):
            self._gathered.changes.append((message_id, changes))
        if recorded and payload.get("edited_timestamp"):
            self.doubtful.add((int(payload["channel_id"]), message_id))

    def _delete(self, state: GuildState, event: GatewayEvent) -> None:
        payload = event.payload
        channel_id = int(payload["channel_id"])
        ids = [int(each) for each in payload.get("ids") or [payload["id"]]]
        self._gathered.deletions.append(
            _Deletion(state.guild.guild_id, channel_id, ids, event.at, recorded=channel_id in state.recorded)
        )

    # -- reactions

    def recounted(self, message_ids: Iterable[int], *, at: datetime) -> None:
        """A page of history has told the reactions' counts: an event that comes soon may already be in them.

        Such a message is read once more. The newest few thousand are remembered.
        """
        for message_id in message_ids:
            _remember(self._recounted, message_id, at)

    def reacted_since(self, message_id: int, seen: int) -> bool:
        """Whether somebody reacted after `reactions_seen` was `seen`: a page asked for then may not know of it."""
        return self._reacted_to.get(message_id, 0) > seen

    def _react(self, state: GuildState, event: GatewayEvent) -> None:
        payload = event.payload
        channel_id, message_id = int(payload["channel_id"]), int(payload["message_id"])
        if channel_id not in state.recorded or int(payload.get("user_id") or 0) == state.guild.self_id:
            return  # the bot's own reactions confirm a moderator's and count for nothing
        self.reactions_seen += 1
        _remember(self._reacted_to, message_id, self.reactions_seen)
        recounted_at = self._recounted.get(message_id)
        if recounted_at is not None and event.at - recounted_at <= _LATE:
            self.doubtful.add((channel_id, message_id))
        added = _REACTIONS[event.name]
        emoji = convert.emoji_key(payload["emoji"]) if payload.get("emoji") else None
        if added is not None:
            who = (message_id, int(payload["user_id"]), emoji)
            if self._last_reactions.get(who) is added:  # told twice, or something in between was not told
                self.doubtful.add((channel_id, message_id))
            _remember(self._last_reactions, who, added)
        self._gathered.reactions.append(Reaction(message_id=message_id, emoji=emoji, added=added))
        if added is None:
            self.reacted.append(
                ReactionsCleared(
                    guild_id=state.guild.guild_id,
                    channel_id=channel_id,
                    message_id=message_id,
                    emoji=emoji,
                    at=event.at,
                )
            )
        elif emoji is not None and not self.exclusions.is_erased(int(payload["user_id"])):
            member = payload.get("member") or {}
            self.reacted.append(
                ReactionEvent(
                    guild_id=state.guild.guild_id,
                    channel_id=channel_id,
                    message_id=message_id,
                    user_id=int(payload["user_id"]),
                    emoji=emoji,
                    added=added,
                    at=event.at,
                    role_ids=tuple(int(role) for role in member["roles"]) if "roles" in member else None,
                )
            )

    # -- members

    def _join(self, state: GuildState, event: GatewayEvent) -> None:
        member = convert.member_from_payload(event.payload, guild_id=state.guild.guild_id)
        if self.exclusions.is_excluded(member.guild_id, member.user_id):
            return
        self._known_members.pop((member.guild_id, member.user_id), None)
        self._seen(member, Witness.EVENT)

    def _update(self, state: GuildState, event: GatewayEvent) -> None:
        member = convert.member_from_payload(event.payload, guild_id=state.guild.guild_id)
        if member.user_id == state.guild.self_id:
            state.self_roles = member.role_ids
            state.choose()
            self._gathered.rechosen.append((state, event.at))
        if not self.exclusions.is_excluded(member.guild_id, member.user_id):
            self._seen(member)

    def _leave(self, state: GuildState, event: GatewayEvent) -> None:
        user_id = int(event.payload["user"]["id"])
        self._known_members.pop((state.guild.guild_id, user_id), None)
        self._gathered.ledger.append((state.guild.guild_id, user_id, event.at))

    def _seen(self, member: Member, witness: Witness = Witness.SEEN) -> None:
        """A member as seen now. What was seen before and is the same is not written again."""
        key = (member.guild_id, member.user_id)
        known = self._known_members.get(key)
        if known == member:
            return
        if len(self._known_members) >= _KNOWN_MEMBERS:
            self._known_members.clear()
        self._known_members[key] = member
        self._gathered.members[key] = member
        if (known is None or known.joined_at != member.joined_at) and (
            join := convert.join_from_member(member, witness)
        ):
            self._gathered.ledger.append(join)

    # -- writing

    async def _write(self, connection: Connection) -> None:
        gathered, self._gathered = self._gathered, _Gathered()
        if gathered.elsewhere:
            stored = await messages.messages_by_id(connection, [each.message_id for each in gathered.elsewhere])
            gathered.messages += [each for each in gathered.elsewhere if each.message_id in stored]
        await messages.store_messages(connection, gathered.messages, counts=messages.Counts.UNTOLD)
        for message_id, changes in gathered.changes:
            await messages.edit_message(connection, message_id, **changes)
        await change_reactions(connection, gathered.reactions)
        for deletion in gathered.deletions:
            await self._delete_now(connection, deletion)
        await guilds.store_members(connection, gathered.members.values())
        await self._write_ledger(connection, gathered.ledger)
        for state, at in gathered.rechosen:
            await self.guilds.record_chosen(connection, state, at)

    async def _delete_now(self, connection: Connection, deletion: _Deletion) -> None:
        """Of a channel that is recorded no longer only what was stored is marked."""
        ids = deletion.message_ids
        if deletion.recorded:
            await self._credit_copies(connection, ids, deletion.at)
        elif not deletion.leave_mark:
            ids = list(await messages.messages_by_id(connection, ids))
        await messages.delete_messages(connection, deletion.guild_id, deletion.channel_id, ids, at=deletion.at)

    async def _write_ledger(self, connection: Connection, ledger: Sequence[Join | tuple[int, int, datetime]]) -> None:
        joins: list[Join] = []
        for entry in ledger:
            if isinstance(entry, Join):
                joins.append(entry)
                continue
            await members.store_joins(connection, joins)
            joins = []
            guild_id, user_id, at = entry
            await members.store_leave(connection, guild_id, user_id, at=at)
        await members.store_joins(connection, joins)

    # -- proxy bots

    async def _credit_copies(self, connection: Connection, ids: Sequence[int], at: datetime) -> None:
        """A proxy bot posts somebody's message again and deletes it: the copy is that person's."""
        young = [each for each in ids if at - time_of(each) <= _PROXIED_WITHIN]
        if not young:
            return
        self._just_deleted = [each for each in self._just_deleted if at - each.created_at <= _PROXIED_WITHIN]
        for original in (await messages.messages_by_id(connection, young)).values():
            if original.is_said and original.content:
                self._just_deleted.append(original)
                await messages.credit_proxied(connection, original, within=proxy_range(original))

    def _repeats_unwanted(self, copy: Message) -> bool:
        """Whether a proxy bot says again what somebody wrote who does not want to be recorded."""
        return any(
            each.channel_id == copy.channel_id
            and copy.created_at - each.created_at <= _PROXIED_WITHIN
            and is_copy(copy, each)
            for each in self._unwanted
        )

    def _credited(self, copy: Message) -> Message:
        for original in self._just_deleted:
            first, last = proxy_range(original)
            is_here = original.channel_id == copy.channel_id and first <= copy.message_id <= last
            if is_here and is_copy(copy, original):
                return replace(copy, speaker=Speaker.PROXIED, author_id=original.author_id)
        return copy


def _remember(memory: OrderedDict[K, V], key: K, value: V) -> None:
    """Keep the newest few thousand."""
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > _RECOUNTED:
        memory.popitem(last=False)


def is_copy(copy: Message, original: Message) -> bool:
    """Whether a webhook's message is a proxy bot's copy: its text is part of the original's."""
    return (
        copy.speaker in (Speaker.WEBHOOK, Speaker.PROXIED) and bool(copy.content) and copy.content in original.content
    )


class _Handler(Protocol):
    def __call__(self, intake: Intake, state: GuildState, event: GatewayEvent, /) -> None: ...


_GATHERED: dict[str, _Handler] = {
    "MESSAGE_CREATE": Intake._message,
    "MESSAGE_UPDATE": Intake._edit,
    "MESSAGE_DELETE": Intake._delete,
    "MESSAGE_DELETE_BULK": Intake._delete,
    "MESSAGE_REACTION_ADD": Intake._react,
    "MESSAGE_REACTION_REMOVE": Intake._react,
    "MESSAGE_REACTION_REMOVE_EMOJI": Intake._react,
    "MESSAGE_REACTION_REMOVE_ALL": Intake._react,
    "GUILD_MEMBER_ADD": Intake._join,
    "GUILD_MEMBER_UPDATE": Intake._update,
    "GUILD_MEMBER_REMOVE": Intake._leave,
}
_REACTIONS: dict[str, bool | None] = {
    "MESSAGE_REACTION_ADD": True,
    "MESSAGE_REACTION_REMOVE": False,
    "MESSAGE_REACTION_REMOVE_EMOJI": None,
    "MESSAGE_REACTION_REMOVE_ALL": None,
}
