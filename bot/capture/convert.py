"""Discord's payloads become model values: pure functions on the dicts of its HTTP API and gateway.

The same functions serve live events, pages of history, exports and recordings, so that a message comes out
the same by whatever way it came in. Unknown fields are ignored, NUL characters are removed, names are made safe.
Sources: https://docs.discord.com/developers/resources/message, .../resources/channel, .../resources/guild
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.capture.names import safe_name, storable
from bot.model.guilds import Channel, Guild, Join, Member, Overwrite, Role, ScheduledEvent, Witness
from bot.model.messages import Attachment, Forward, LinkPreview, Message, MessageType, Speaker

Payload = Mapping[str, Any]

_IS_CROSSPOST = 1 << 1
_FORWARD = 1
_PROXY_APPLICATIONS = frozenset({466378653216014359, 431544605209788416})
"""PluralKit and Tupperbox: bots that post a member's words again under a name of the member's choice."""


def instant(text: str | None) -> datetime | None:
    """An ISO 8601 time of Discord's as an instant in UTC."""
    if not text:
        return None
    value = datetime.fromisoformat(text)
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def message_from_payload(payload: Payload, *, guild_id: int, self_id: int | None) -> Message:
    """A message object, of the gateway or of history. Raises KeyError or ValueError for what is none.

    A forward's text and files are those of its snapshot. `self_id` is the bot's own account.
    """
    reference: Payload = payload.get("message_reference") or {}
    forwarded = reference.get("type") == _FORWARD
    said = _snapshot(payload) if forwarded else payload
    message_type = int(payload.get("type", 0))
    author = payload["author"]
    author_id = int(author["id"])
    nick = (payload.get("member") or {}).get("nick")
    deleted_at = instant(payload.get("deleted_at"))
    return Message(
        message_id=int(payload["id"]),
        guild_id=guild_id,
        channel_id=int(payload["channel_id"]),
        author_id=author_id,
        author_name=name_of(author, nick=nick),
        content=_text(said),
        message_type=message_type,
        speaker=_speaker(payload, author, author_id=author_id, guild_id=guild_id, self_id=self_id),
        edited_at=instant(payload.get("edited_timestamp")),
        deleted_at=deleted_at,
        reply_to_id=_id(reference.get("message_id")) if message_type == MessageType.REPLY else None,
        forward=_forward(reference) if forwarded else None,
        webhook_id=_id(payload.get("webhook_id")),
        attachments=_attachments(files) if (files := said.get("attachments")) else (),
        previews=previews_from_payload(embeds) if (embeds := said.get("embeds")) else (),
        reactions=_reactions(reactions) if (reactions := payload.get("reactions")) else (),
        mentioned_user_ids=tuple([int(user["id"]) for user in mentions])
        if (mentions := payload.get("mentions"))
        else (),
        pinned=bool(payload.get("pinned")),
    )


def changes_from_payload(payload: Payload) -> dict[str, Any]:
    """What a MESSAGE_UPDATE without the whole message says: only the fields it carries, by the model's names."""
    changes: dict[str, Any] = {}
    if "pinned" in payload:
        changes["pinned"] = bool(payload["pinned"])
    if "embeds" in payload:
        changes["previews"] = previews_from_payload(payload["embeds"] or ())
    return changes


def is_whole(payload: Payload) -> bool:
    """Whether a MESSAGE_UPDATE carries the message itself and not only what Discord adds to it."""
    return "author" in payload and "content" in payload


def _snapshot(payload: Payload) -> Payload:
    snapshots: Sequence[Payload] = payload.get("message_snapshots") or ()
    return snapshots[0].get("message") or {} if snapshots else {}


def _text(payload: Payload) -> str:
    content = payload.get("content") or ""
    if not content and (poll := payload.get("poll")):
        content = (poll.get("question") or {}).get("text") or ""
    return storable(content)


def _speaker(payload: Payload, author: Payload, *, author_id: int, guild_id: int, self_id: int | None) -> Speaker:
    if author_id == self_id:
        return Speaker.SELF
    webhook_id = payload.get("webhook_id")
    if webhook_id is None:
        return Speaker.BOT if author.get("bot") else Speaker.MEMBER
    origin = _id((payload.get("message_reference") or {}).get("guild_id"))
    if payload.get("flags", 0) & _IS_CROSSPOST or (payload.get("type", 0) == 0 and origin not in (None, guild_id)):
        return Speaker.FOLLOWED
    if _id(payload.get("application_id")) in _PROXY_APPLICATIONS:
        return Speaker.PROXIED
    return Speaker.WEBHOOK


def _forward(reference: Payload) -> Forward:
    return Forward(
        message_id=_id(reference.get("message_id")),
        channel_id=_id(reference.get("channel_id")),
        guild_id=_id(reference.get("guild_id")),
    )


def _attachments(attachments: Sequence[Payload]) -> tuple[Attachment, ...]:
    return tuple(
        Attachment(
            attachment_id=int(each["id"]),
            filename=storable(each.get("filename") or ""),
            size=int(each.get("size") or 0),
            content_type=each.get("content_type"),
        )
        for each in attachments
    )


def previews_from_payload(embeds: Sequence[Payload]) -> tuple[LinkPreview, ...]:
    """The titles that Discord found behind links."""
    return tuple(
        LinkPreview(url=storable(each["url"]), title=storable(each["title"]))
        for each in embeds
        if each.get("url") and each.get("title")
    )


def _reactions(reactions: Sequence[Payload]) -> tuple[tuple[str, int], ...]:
    """How many reacted with what, the bot itself (`me`) aside."""
    counted = ((emoji_key(each["emoji"]), int(each.get("count") or 0) - bool(each.get("me"))) for each in reactions)
    return tuple((emoji, count) for emoji, count in counted if count > 0)


def emoji_key(emoji: Payload) -> str:
    """An emoji as it is kept: itself, or a custom one as `name:id`."""
    name = storable(emoji.get("name") or "")
    return f"{name}:{emoji['id']}" if emoji.get("id") else name


def name_of(user: Payload, *, nick: str | None = None) -> str:
    """The name to show for a user object: nick, global name or username, whichever shows something."""
    name = safe_name(nick, user.get("global_name"), user.get("username"), fallback="")
    return name or f"member {int(user['id']) % 10000:04d}"


def guild_from_payload(payload: Payload, *, self_id: int | None = None) -> Guild:
    return Guild(
        guild_id=int(payload["id"]),
        name=safe_name(payload.get("name"), fallback="the community"),
        owner_id=_id(payload.get("owner_id")),
        self_id=self_id,
    )


def channel_from_payload(payload: Payload, *, guild_id: int) -> Channel:
    """A channel or thread object; `deleted_at` is a recording's."""
    return Channel(
        channel_id=int(payload["id"]),
        guild_id=guild_id,
        name=safe_name(payload.get("name"), fallback="unnamed"),
        channel_type=int(payload["type"]),
        parent_id=_id(payload.get("parent_id")),
        position=int(payload.get("position") or 0),
        topic=storable(payload["topic"]) if payload.get("topic") else None,
        overwrites=tuple(
            Overwrite(
                target_id=int(each["id"]),
                is_role=str(each.get("type")) in ("0", "role"),
                allow=int(each.get("allow") or 0),
                deny=int(each.get("deny") or 0),
            )
            for each in payload.get("permission_overwrites") or ()
        ),
        owner_id=_id(payload.get("owner_id")),
        archived=bool((payload.get("thread_metadata") or {}).get("archived")),
        deleted_at=instant(payload.get("deleted_at")),
    )


def role_from_payload(payload: Payload, *, guild_id: int) -> Role:
    return Role(
        role_id=int(payload["id"]),
        guild_id=guild_id,
        name=safe_name(payload.get("name"), fallback="unnamed"),
        permissions=int(payload.get("permissions") or 0),
        position=int(payload.get("position") or 0),
    )


def member_from_payload(payload: Payload, *, guild_id: int, user: Payload | None = None) -> Member:
    """A member object. `user` where it stands beside it, as in a message; names are safe and never empty."""
    person = user if user is not None else payload["user"]
    username = safe_name(person.get("username"), fallback=name_of(person))
    return Member(
        user_id=int(person["id"]),
        guild_id=guild_id,
        username=username,
        global_name=safe_name(person.get("global_name"), fallback="") or None,
        nick=safe_name(payload.get("nick"), fallback="") or None,
        bot=bool(person.get("bot")),
        role_ids=tuple(int(role) for role in payload.get("roles") or ()),
        joined_at=instant(payload.get("joined_at")),
    )


def join_from_member(member: Member, witness: Witness) -> Join | None:
    """The join that a member's `joined_at` tells of; None where it is not known (guests)."""
    if member.joined_at is None:
        return None
    return Join(
        guild_id=member.guild_id,
        user_id=member.user_id,
        joined_at=member.joined_at,
        bot=member.bot,
        witness=witness,
    )


def join_from_arrival(message: Message, *, bot: bool) -> Join | None:
    """The join that an arrival message tells of; None for any other message."""
    if message.message_type != MessageType.ARRIVAL:
        return None
    return Join(
        guild_id=message.guild_id,
        user_id=message.author_id,
        joined_at=message.created_at,
        bot=bot,
        witness=Witness.ARRIVAL,
    )


def scheduled_event_from_payload(payload: Payload, *, guild_id: int) -> ScheduledEvent:
    starts_at = instant(payload["scheduled_start_time"])
    if starts_at is None:
        raise ValueError("a scheduled event has no start")
    return ScheduledEvent(
        event_id=int(payload["id"]),
        guild_id=guild_id,
        name=safe_name(payload.get("name"), fallback="an event"),
        starts_at=starts_at,
        description=storable(payload["description"]) if payload.get("description") else None,
        ends_at=instant(payload.get("scheduled_end_time")),
        channel_id=_id(payload.get("channel_id")),
        creator_id=_id(payload.get("creator_id")),
        status=int(payload.get("status") or 1),
    )


def _id(value: Any) -> int | None:
    return None if value is None else int(value)
