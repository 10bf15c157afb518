"""What happens to a guild: channels, threads, roles, members, scheduled events. Each verb tells the gateway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from bot.replay import discord_intents as intents
from bot.replay import discord_permissions as bits
from bot.replay import discord_shapes as shapes
from bot.replay.discord_errors import unknown
from bot.replay.discord_message_verbs import HAS_THREAD, MessageVerbs
from bot.replay.discord_shapes import Data
from bot.replay.discord_state import ChannelState, Event, GuildState

LARGE = 250


class World(MessageVerbs):
    """All verbs. Ids are integers; what is made gets the clock's time; all raise `ApiError` for unknown ids."""

    # -- guilds

    def add_guild(
        self,
        data: Mapping[str, Any],
        *,
        roles: Iterable[Mapping[str, Any]] = (),
        channels: Iterable[Mapping[str, Any]] = (),
        members: Iterable[Mapping[str, Any]] = (),
        bot_permissions: int = bits.BOT_DEFAULT,
    ) -> GuildState:
        """A guild that the bot is in. What is not given is made: @everyone, and the bot's membership with a role."""
        guild = GuildState(shapes.guild(data))
        self.guilds[guild.guild_id] = guild
        everyone = {"id": guild.guild_id, "name": "@everyone", "permissions": bits.EVERYONE_DEFAULT}
        for role in (everyone, *roles):
            guild.roles[int(role["id"])] = shapes.role(role)
        for channel in channels:
            self._keep_channel(guild, channel)
        for member in members:
            self._keep_member(guild, member)
        if self.bot_id not in guild.members:
            role_id = self.new_id()
            made = {"id": role_id, "name": self.bot["username"], "permissions": bot_permissions, "managed": True}
            guild.roles[role_id] = shapes.role(made | {"tags": {"bot_id": str(self.bot_id)}})
            joined = guild.data.get("joined_at") or shapes.stamp(self.clock.now())
            self._keep_member(guild, {"user": self.bot, "roles": [role_id], "joined_at": joined})
        self.forget_visibility()
        self.emit(Event("GUILD_CREATE", self.guild_create(guild.guild_id), intents.GUILDS, guild.guild_id))
        return guild

    def guild_create(self, guild_id: int, *, presences: bool = False) -> Data:
        """GUILD_CREATE: all channels, active threads that the bot may see, and of the members only the bot.

        With the presences intent a small guild comes with all its members.
        """
        guild = self.guild(guild_id)
        everybody = presences and len(guild.members) < LARGE
        return {
            **self.guild_shown(guild_id),
            "joined_at": guild.members[self.bot_id]["joined_at"],
            "large": len(guild.members) >= LARGE,
            "unavailable": False,
            "member_count": len(guild.members),
            "members": list(guild.members.values()) if everybody else [guild.members[self.bot_id]],
            "channels": [channel.data for channel in self.channels_of(guild_id, threads=False)],
            "threads": [thread.data for thread in self.active_threads(guild_id)],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": list(guild.scheduled_events.values()),
            "soundboard_sounds": [],
        }

    def guild_shown(self, guild_id: int) -> Data:
        guild = self.guild(guild_id)
        return {**guild.data, "roles": list(guild.roles.values())}

    def active_threads(self, guild_id: int) -> list[ChannelState]:
        return [t for t in self.channels_of(guild_id, threads=True) if not t.archived and self.sees(t.channel_id)]

    def update_guild(self, guild_id: int, **changes: Any) -> None:
        self.guild(guild_id).data.update(changes)
        self.emit(Event("GUILD_UPDATE", self.guild_shown(guild_id), intents.GUILDS, guild_id))

    def remove_guild(self, guild_id: int) -> None:
        """The bot is thrown out."""
        guild = self.guilds.pop(guild_id)
        for channel_id in guild.channel_ids:
            del self.channels[channel_id]
        self.forget_visibility()
        self.emit(Event("GUILD_DELETE", {"id": str(guild_id)}, intents.GUILDS, guild_id))

    def set_unavailable(self, guild_id: int, unavailable: bool = True) -> None:
        """An outage of this guild begins, or ends."""
        self.guild(guild_id).unavailable = unavailable
        if unavailable:
            data: Data = {"id": str(guild_id), "unavailable": True}
            self.emit(Event("GUILD_DELETE", data, intents.GUILDS, guild_id))
        else:
            self.emit(Event("GUILD_CREATE", self.guild_create(guild_id), intents.GUILDS, guild_id))

    # -- channels and threads

    def _keep_channel(self, guild: GuildState, data: Mapping[str, Any]) -> ChannelState:
        channel = ChannelState(shapes.channel(data, guild.guild_id))
        self.channels[channel.channel_id] = channel
        guild.channel_ids[channel.channel_id] = None
        if channel.is_thread:
            started = self.clock.now()
            channel.thread_members[int(channel.data["owner_id"])] = started
        self._visible.pop(channel.channel_id, None)
        return channel

    def create_channel(self, guild_id: int, **fields: Any) -> Data:
        """`fields` are those of Discord's channel object; `id` is made where missing."""
        channel = self._keep_channel(self.guild(guild_id), {"id": fields.pop("id", None) or self.new_id(), **fields})
        self.emit(Event("CHANNEL_CREATE", channel.data, intents.GUILDS, guild_id))
        return channel.data

    def update_channel(self, channel_id: int, **changes: Any) -> Data:
        """Change a channel or a thread (`name`, `permission_overwrites`, `thread_metadata`, ...)."""
        channel = self.channel(channel_id)
        guild_id = channel.guild_id
        assert guild_id is not None  # noqa: S101
        before = self.sees(channel_id)
        channel.data = shapes.channel({**channel.data, **changes}, guild_id)
        self.forget_visibility()
        name = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        seen_only = channel_id if channel.is_thread else None
        self.emit(Event(name, channel.data, intents.GUILDS, guild_id, seen_only))
        if not before and self.sees(channel_id) and not channel.is_thread:
            threads = [t.data for t in self.active_threads(guild_id) if t.parent_id == channel_id]
            data = {"guild_id": str(guild_id), "channel_ids": [str(channel_id)], "threads": threads, "members": []}
            self.emit(Event("THREAD_LIST_SYNC", data, intents.GUILDS, guild_id))
        return channel.data

    def delete_channel(self, channel_id: int) -> None:
        """Delete a channel with its threads, or a thread, and every message in it."""
        channel = self.channel(channel_id)
        guild_id = channel.guild_id
        assert guild_id is not None  # noqa: S101
        guild = self.guild(guild_id)
        seen = self.sees(channel_id)
        threads = [t.channel_id for t in self.channels_of(guild_id, threads=True) if t.parent_id == channel_id]
        for gone in (*threads, channel_id):
            del self.channels[gone]
            del guild.channel_ids[gone]
        self.forget_visibility()
        if not channel.is_thread:
            self.emit(Event("CHANNEL_DELETE", channel.data, intents.GUILDS, guild_id))
        elif seen:
            data = {key: channel.data[key] for key in ("id", "guild_id", "parent_id", "type")}
            self.emit(Event("THREAD_DELETE", data, intents.GUILDS, guild_id))

    def create_thread(self, parent_id: int, *, message_id: int | None = None, **fields: Any) -> Data:
        """A thread (or a forum's post, without its message), from a message where `message_id` is given.

        A thread has the id of the message it was made from; that message then bears a flag.
        """
        parent = self.channel(parent_id)
        assert parent.guild_id is not None  # noqa: S101
        thread_id = fields.pop("id", None) or message_id or self.new_id()
        default = shapes.ANNOUNCEMENT_THREAD if parent.kind == shapes.ANNOUNCEMENT else shapes.PUBLIC_THREAD
        made = {"create_timestamp": shapes.stamp(self.clock.now())} | (fields.pop("thread_metadata", None) or {})
        data = {"type": default, **fields, "id": thread_id, "parent_id": str(parent_id), "thread_metadata": made}
        thread = self._keep_channel(self.guild(parent.guild_id), data)
        if parent.kind in shapes.POSTS:
            parent.data["last_message_id"] = str(thread_id)
        created = {**thread.data, "newly_created": True}
        self.emit(Event("THREAD_CREATE", created, intents.GUILDS, parent.guild_id, int(thread_id)))
        if message_id is not None and message_id in parent.messages:
            flags = parent.messages[message_id]["flags"] | HAS_THREAD
            self.update_message(parent_id, message_id, flags=flags)
        return thread.data

    def join_thread(self, thread_id: int, user_id: int, *, at: datetime | None = None) -> None:
        thread = self.channel(thread_id)
        when = at or self.clock.now()
        thread.thread_members[user_id] = when
        self._visible.pop(thread_id, None)
        member = {"id": str(thread_id), "user_id": str(user_id), "join_timestamp": shapes.stamp(when), "flags": 0}
        data = {"id": str(thread_id), "guild_id": thread.data["guild_id"], "member_count": len(thread.thread_members)}
        if user_id == self.bot_id:
            self.emit(Event("THREAD_CREATE", {**thread.data, "member": member}, intents.GUILDS, thread.guild_id))
        event = {**data, "added_members": [member]}
        self.emit(Event("THREAD_MEMBERS_UPDATE", event, intents.GUILDS, thread.guild_id, thread_id))

    # -- roles

    def create_role(self, guild_id: int, **fields: Any) -> Data:
        role = shapes.role({"id": fields.pop("id", None) or self.new_id(), "name": "new role", **fields})
        self.guild(guild_id).roles[int(role["id"])] = role
        self._tell_role("GUILD_ROLE_CREATE", guild_id, {"role": role})
        return role

    def update_role(self, guild_id: int, role_id: int, **changes: Any) -> Data:
        roles = self.guild(guild_id).roles
        if role_id not in roles:
            raise unknown("Role")
        roles[role_id] = shapes.role({**roles[role_id], **changes})
        self._tell_role("GUILD_ROLE_UPDATE", guild_id, {"role": roles[role_id]})
        return roles[role_id]

    def delete_role(self, guild_id: int, role_id: int) -> None:
        if self.guild(guild_id).roles.pop(role_id, None) is None:
            raise unknown("Role")
        self._tell_role("GUILD_ROLE_DELETE", guild_id, {"role_id": str(role_id)})

    def _tell_role(self, name: str, guild_id: int, data: Data) -> None:
        self.forget_visibility()
        self.emit(Event(name, {"guild_id": str(guild_id), **data}, intents.GUILDS, guild_id))

    # -- members

    def _keep_member(self, guild: GuildState, data: Mapping[str, Any]) -> Data:
        member = shapes.member(data)
        user_id = int(member["user"]["id"])
        guild.members[user_id] = member
        self.users[user_id] = member["user"]
        return member

    def add_member(self, guild_id: int, user: Data, *, joined_at: datetime | None = None, **fields: Any) -> Data:
        """Somebody joins (again). The arrival message in a welcome channel is a message of its own."""
        joined = shapes.stamp(joined_at or self.clock.now())
        member = self._keep_member(self.guild(guild_id), {"user": user, "joined_at": joined, **fields})
        self._tell_member("GUILD_MEMBER_ADD", guild_id, member)
        return member

    def update_member(self, guild_id: int, user_id: int, **changes: Any) -> Data:
        """Change `nick`, `roles`, `pending` and the like."""
        guild = self.guild(guild_id)
        if user_id not in guild.members:
            raise unknown("Member")
        member = self._keep_member(guild, {**guild.members[user_id], **changes})
        intent = intents.NONE_NEEDED if user_id == self.bot_id else intents.GUILD_MEMBERS
        if user_id == self.bot_id:
            self.forget_visibility()
        self.emit(Event("GUILD_MEMBER_UPDATE", {"guild_id": str(guild_id), **member}, intent, guild_id))
        return member

    def remove_member(self, guild_id: int, user_id: int) -> None:
        member = self.guild(guild_id).members.pop(user_id, None)
        if member is None:
            raise unknown("Member")
        self._tell_member("GUILD_MEMBER_REMOVE", guild_id, {"user": member["user"]})

    def _tell_member(self, name: str, guild_id: int, data: Data) -> None:
        self.emit(Event(name, {"guild_id": str(guild_id), **data}, intents.GUILD_MEMBERS, guild_id))

    # -- scheduled events

    def set_scheduled_event(self, guild_id: int, **fields: Any) -> Data:
        """Announce an event, or change it (same `id`); `scheduled_start_time` is ISO 8601."""
        events = self.guild(guild_id).scheduled_events
        event_id = int(fields.pop("id", None) or self.new_id())
        known = events.get(event_id)
        default: Data = {
            "channel_id": None,
            "creator_id": str(self.bot_id),
            "description": None,
            "scheduled_end_time": None,
            "privacy_level": 2,
            "status": 1,
            "entity_type": 3,
            "entity_id": None,
            "entity_metadata": {"location": ""},
            "user_count": 0,
            "image": None,
            "recurrence_rule": None,
            "guild_scheduled_event_exceptions": [],
        }
        event = (known or default) | fields | {"id": str(event_id), "guild_id": str(guild_id)}
        events[event_id] = event
        name = "GUILD_SCHEDULED_EVENT_UPDATE" if known else "GUILD_SCHEDULED_EVENT_CREATE"
        self.emit(Event(name, event, intents.GUILD_SCHEDULED_EVENTS, guild_id))
        return event

    def delete_scheduled_event(self, guild_id: int, event_id: int) -> None:
        event = self.guild(guild_id).scheduled_events.pop(event_id, None)
        if event is None:
            raise unknown("Guild Scheduled Event")
        self.emit(Event("GUILD_SCHEDULED_EVENT_DELETE", event, intents.GUILD_SCHEDULED_EVENTS, guild_id))

    # -- direct messages

    def open_dm(self, user_id: int) -> Data:
        """The conversation between the bot and a user, made where there is none yet."""
        recipient = self.user(user_id)
        for channel in self.channels.values():
            if channel.kind == shapes.DM and channel.data["recipients"][0]["id"] == str(user_id):
                return channel.data
        data: Data = {"id": str(self.new_id()), "type": shapes.DM, "last_message_id": None, "recipients": [recipient]}
        self.channels[int(data["id"])] = ChannelState(data)
        return data
