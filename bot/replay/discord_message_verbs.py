"""What happens to messages: written, edited, deleted, reacted to, pinned. Each verb tells the gateway."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from bot.replay import discord_intents as intents
from bot.replay import discord_shapes as shapes
from bot.replay.discord_shapes import Data
from bot.replay.discord_state import ChannelState, Event, Reaction, State

HAS_THREAD = 1 << 5


def emoji_of(key: str) -> Data:
    """`📌` or `name:id` (a custom emoji) as Discord's partial emoji object."""
    name, colon, emoji_id = key.rpartition(":")
    return {"id": emoji_id, "name": name} if colon and emoji_id.isdigit() else {"id": None, "name": key}


def key_of(emoji: Data) -> str:
    """The reverse of `emoji_of`."""
    return f"{emoji['name']}:{emoji['id']}" if emoji.get("id") else str(emoji["name"])


class MessageVerbs(State):
    """Verbs on messages. Ids are integers, instants default to the clock's; an unknown id raises `ApiError`."""

    # -- as shown to the bot

    def shown(self, channel_id: int, message_id: int, *, reply: bool = True) -> Data:
        """A message as history shows it: with its reactions, its thread and the message it answers."""
        data = dict(self.message(channel_id, message_id))
        if reactions := self.channels[channel_id].reactions.get(message_id):
            data["reactions"] = [self._shown_reaction(reaction) for reaction in reactions.values()]
        thread = self.channels.get(message_id)
        if thread is not None and thread.is_thread:
            data["thread"] = thread.data
            data["flags"] |= HAS_THREAD
        reference = data.get("message_reference")
        if reply and reference and data["type"] in (shapes.REPLY, shapes.THREAD_STARTER):
            data["referenced_message"] = self._referenced(reference)
        return data

    def shown_live(self, channel_id: int, message_id: int) -> Data:
        """A message as the gateway sends it: with guild and member as well."""
        data = self.shown(channel_id, message_id)
        guild_id = self.channels[channel_id].guild_id
        if guild_id is None:
            return data
        data["guild_id"] = str(guild_id)
        members = self.guilds[guild_id].members
        if "webhook_id" not in data and (member := members.get(int(data["author"]["id"]))):
            data["member"] = _without_user(member)
        data["mentions"] = [
            {**person, "member": _without_user(members[int(person["id"])])} if int(person["id"]) in members else person
            for person in data["mentions"]
        ]
        return data

    def _shown_reaction(self, reaction: Reaction) -> Data:
        count = len(reaction.user_ids)
        me = self.bot_id in reaction.user_ids
        details = {"burst": 0, "normal": count}
        return {"emoji": reaction.emoji, "count": count, "count_details": details, "me": me, "me_burst": False} | {
            "burst_colors": []
        }

    def _referenced(self, reference: Data) -> Data | None:
        channel = self.channels.get(int(reference.get("channel_id") or 0))
        message_id = int(reference.get("message_id") or 0)
        if channel is None or message_id not in channel.messages:
            return None
        return self.shown(channel.channel_id, message_id, reply=False)

    # -- writing

    def create_message(self, channel_id: int, *, author: Data, nonce: str | None = None, **fields: Any) -> Data:
        """Write a message; `fields` are those of Discord's message object (`id`, `content`, `type`, ...).

        Of an author who is known the id is enough; a webhook is known by its `webhook_id` and has the name it likes.
        A message in an archived thread opens it again. Returns the message as the gateway sent it.
        """
        channel = self.channel(channel_id)
        message_id = int(fields.pop("id", None) or self.new_id())
        known = {} if fields.get("webhook_id") else self.users.get(int(author["id"]), {})
        message = shapes.message({"id": message_id, "author": {**author, **known}, **fields}, channel_id)
        if channel.archived and not channel.data["thread_metadata"]["locked"]:
            self.set_archived(channel_id, False)
        self.users.setdefault(int(message["author"]["id"]), message["author"])
        channel.add(message)
        if message["pinned"]:
            channel.pins[message_id] = self.clock.now()
        channel.data["last_message_id"] = str(channel.order[-1])
        if channel.is_thread:
            channel.data["message_count"] += 1
            channel.data["total_message_sent"] += 1
        shown = self.shown_live(channel_id, message_id)
        if nonce is not None:
            shown["nonce"] = nonce
        self._tell("MESSAGE_CREATE", channel, shown, message=True)
        return shown

    def edit_message(
        self, channel_id: int, message_id: int, *, edited_at: datetime | None = None, **changes: Any
    ) -> Data:
        """Change fields of a message as its author does: with a time of editing."""
        changes["edited_timestamp"] = shapes.stamp(edited_at or self.clock.now())
        return self.update_message(channel_id, message_id, **changes)

    def update_message(self, channel_id: int, message_id: int, **changes: Any) -> Data:
        """Change fields that are no edit: embeds that arrive late, flags, pinned."""
        self.message(channel_id, message_id).update(changes)
        shown = self.shown_live(channel_id, message_id)
        self._tell("MESSAGE_UPDATE", self.channels[channel_id], shown, message=True)
        return shown

    def update_embeds(self, channel_id: int, message_id: int, embeds: Sequence[Data]) -> None:
        """A link preview arrives: an update that carries the embeds and no content.

        Discord sends whole messages nowadays (`update_message` does), and discord.py 2.7 takes only those: its
        connection ends with a KeyError on this one.
        """
        message = self.message(channel_id, message_id)
        message["embeds"] = list(embeds)
        data = {"id": str(message_id), "channel_id": str(channel_id), "type": message["type"], "embeds": list(embeds)}
        channel = self.channels[channel_id]
        self._tell("MESSAGE_UPDATE", channel, data | _guild_part(channel), message=True)

    def delete_message(self, channel_id: int, message_id: int) -> None:
        self.message(channel_id, message_id)
        channel = self.channels[channel_id]
        self._remove(channel, message_id)
        data = {"id": str(message_id), "channel_id": str(channel_id)}
        self._tell("MESSAGE_DELETE", channel, data | _guild_part(channel))

    def delete_messages(self, channel_id: int, message_ids: Iterable[int]) -> None:
        """Delete several at once (one event)."""
        channel = self.channel(channel_id)
        gone = [message_id for message_id in message_ids if message_id in channel.messages]
        for message_id in gone:
            self._remove(channel, message_id)
        data = {"ids": [str(message_id) for message_id in gone], "channel_id": str(channel_id)}
        self._tell("MESSAGE_DELETE_BULK", channel, data | _guild_part(channel))

    def _remove(self, channel: ChannelState, message_id: int) -> None:
        channel.remove(message_id)
        if channel.is_thread:
            channel.data["message_count"] -= 1

    # -- reactions

    def add_reaction(self, channel_id: int, message_id: int, emoji: str, user_id: int) -> None:
        """`emoji` is the character, or `name:id`. Nothing happens where the user has reacted so already."""
        message = self.message(channel_id, message_id)
        channel = self.channels[channel_id]
        reactions = channel.reactions.setdefault(message_id, {})
        reaction = reactions.setdefault(emoji, Reaction(emoji_of(emoji)))
        if user_id in reaction.user_ids:
            return
        reaction.user_ids[user_id] = None
        data = self._reaction_data(channel, message_id, emoji, user_id)
        data["message_author_id"] = message["author"]["id"]
        if channel.guild_id is not None and (member := self.guilds[channel.guild_id].members.get(user_id)):
            data["member"] = member
        self._tell("MESSAGE_REACTION_ADD", channel, data)

    def remove_reaction(self, channel_id: int, message_id: int, emoji: str, user_id: int) -> None:
        self.message(channel_id, message_id)
        channel = self.channels[channel_id]
        reactions = channel.reactions.get(message_id, {})
        if emoji not in reactions or user_id not in reactions[emoji].user_ids:
            return
        del reactions[emoji].user_ids[user_id]
        if not reactions[emoji].user_ids:
            del reactions[emoji]
        self._tell("MESSAGE_REACTION_REMOVE", channel, self._reaction_data(channel, message_id, emoji, user_id))

    def clear_reactions(self, channel_id: int, message_id: int, emoji: str | None = None) -> None:
        """Take all reactions off, or all with one emoji."""
        self.message(channel_id, message_id)
        channel = self.channels[channel_id]
        data: Data = {"channel_id": str(channel_id), "message_id": str(message_id)} | _guild_part(channel)
        if emoji is None:
            channel.reactions.pop(message_id, None)
            self._tell("MESSAGE_REACTION_REMOVE_ALL", channel, data)
        else:
            channel.reactions.get(message_id, {}).pop(emoji, None)
            self._tell("MESSAGE_REACTION_REMOVE_EMOJI", channel, data | {"emoji": emoji_of(emoji)})

    def _reaction_data(self, channel: ChannelState, message_id: int, emoji: str, user_id: int) -> Data:
        return {
            "user_id": str(user_id),
            "channel_id": str(channel.channel_id),
            "message_id": str(message_id),
            "emoji": emoji_of(emoji),
            "burst": False,
            "type": 0,
        } | _guild_part(channel)

    # -- pins and announcements

    def pin(self, channel_id: int, message_id: int) -> None:
        self.message(channel_id, message_id)
        self.channels[channel_id].pins[message_id] = self.clock.now()
        self.update_message(channel_id, message_id, pinned=True)
        self._tell_pins(channel_id)

    def unpin(self, channel_id: int, message_id: int) -> None:
        self.message(channel_id, message_id)
        self.channels[channel_id].pins.pop(message_id, None)
        self.update_message(channel_id, message_id, pinned=False)
        self._tell_pins(channel_id)

    def _tell_pins(self, channel_id: int) -> None:
        channel = self.channels[channel_id]
        last = max(channel.pins.values(), default=None)
        data: Data = {"channel_id": str(channel_id), "last_pin_timestamp": shapes.stamp(last) if last else None}
        data |= _guild_part(channel)
        self.emit(Event("CHANNEL_PINS_UPDATE", data, intents.GUILDS, channel.guild_id, channel_id))

    def set_archived(
        self, channel_id: int, archived: bool, *, at: datetime | None = None, locked: bool | None = None
    ) -> None:
        """Archive a thread (and lock it), or open it again."""
        channel = self.channel(channel_id)
        metadata = channel.data["thread_metadata"]
        metadata |= {"archived": archived, "archive_timestamp": shapes.stamp(at or self.clock.now())}
        if locked is not None:
            metadata["locked"] = locked
        self.emit(Event("THREAD_UPDATE", channel.data, intents.GUILDS, channel.guild_id, channel_id))

    # -- telling

    def _tell(self, name: str, channel: ChannelState, data: Data, *, message: bool = False) -> None:
        direct = channel.guild_id is None
        if "REACTION" in name:
            intent = intents.DIRECT_MESSAGE_REACTIONS if direct else intents.GUILD_MESSAGE_REACTIONS
        else:
            intent = intents.DIRECT_MESSAGES if direct else intents.GUILD_MESSAGES
        self.emit(Event(name, data, intent, channel.guild_id, channel.channel_id, message))


def _guild_part(channel: ChannelState) -> Data:
    return {} if channel.guild_id is None else {"guild_id": str(channel.guild_id)}


def _without_user(member: Data) -> Data:
    return {key: value for key, value in member.items() if key != "user"}
