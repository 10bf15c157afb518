"""Discord's JSON objects with every field a client relies on, whatever of them was given.

Fields that Discord leaves out rather than sending null are left out here too, for clients read a null
as a value. Source: https://docs.discord.com/developers/resources/message#message-object and its siblings.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bot.model.snowflakes import time_of

Data = dict[str, Any]

TEXT, DM, VOICE, CATEGORY, ANNOUNCEMENT, STAGE, FORUM, MEDIA = 0, 1, 2, 4, 5, 13, 15, 16
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD = 10, 11, 12
THREADS = frozenset({ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD})
POSTS = frozenset({FORUM, MEDIA})

DEFAULT, REPLY, THREAD_CREATED, THREAD_STARTER, PINNED, ARRIVAL = 0, 19, 18, 21, 6, 7

_NULLABLE_IN_MESSAGES = frozenset({"edited_timestamp"})
_ADDED_TO_MESSAGES = (
    "reactions",
    "reaction_users",
    "thread",
    "referenced_message",
    "nonce",
    "deleted_at",
    "guild_id",
    "member",
)


def stamp(instant: datetime) -> str:
    """ISO 8601 in UTC with microseconds, as Discord writes it."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def instant(text: str) -> datetime:
    """The reverse of `stamp`, for what others wrote: any offset, `Z`, any precision; without an offset it is UTC."""
    value = datetime.fromisoformat(text)
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def _completed(usual: Data, given: Mapping[str, Any]) -> Data:
    """What is given, with the usual where nothing is; a recording may write null where it has nothing to say."""
    return usual | {key: value for key, value in given.items() if value is not None or usual.get(key) is None}


def user(data: Mapping[str, Any]) -> Data:
    usual = {
        "username": f"user{data['id']}",
        "global_name": None,
        "discriminator": "0",
        "avatar": None,
        "bot": False,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }
    return _completed(usual, data) | {"id": str(data["id"])}


def member(data: Mapping[str, Any]) -> Data:
    """A guild member with its `user`."""
    usual = {
        "nick": None,
        "avatar": None,
        "banner": None,
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
    }
    roles = [str(role) for role in data.get("roles") or ()]
    return _completed(usual, data) | {"roles": roles, "user": user(data["user"])}


def role(data: Mapping[str, Any]) -> Data:
    usual = {
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "managed": False,
        "mentionable": False,
        "flags": 0,
        "position": 0,
    }
    return _completed(usual, data) | {"id": str(data["id"]), "permissions": str(data.get("permissions") or 0)}


def channel(data: Mapping[str, Any], guild_id: int) -> Data:
    """A channel or a thread of a guild, by its `type`."""
    kind = int(data.get("type", TEXT))
    common: Data = {"flags": 0, "last_message_id": None, "rate_limit_per_user": 0, "nsfw": False}
    given = {key: value for key, value in data.items() if key != "deleted_at"}
    if kind in THREADS:
        return _completed(common, _thread(given)) | {"id": str(data["id"]), "guild_id": str(guild_id), "type": kind}
    shape = common | {"parent_id": None, "topic": None}
    if kind in (VOICE, STAGE):
        shape |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if kind in POSTS:
        shape |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
        shape |= {"default_forum_layout": 0}
    shape = _completed(shape, given) | {"id": str(data["id"]), "guild_id": str(guild_id), "type": kind}
    shape["name"] = data.get("name") or f"channel-{data['id']}"
    shape["position"] = data.get("position") or 0
    shape["permission_overwrites"] = [
        {"type": 0, **overwrite, "id": str(overwrite["id"]), "allow": str(overwrite.get("allow") or 0)}
        | {"deny": str(overwrite.get("deny") or 0)}
        for overwrite in data.get("permission_overwrites") or ()
    ]
    for tag in shape.get("available_tags") or ():
        for key, value in (("moderated", False), ("emoji_id", None), ("emoji_name", None)):
            tag.setdefault(key, value)
    return shape


def _thread(data: Mapping[str, Any]) -> Data:
    made = stamp(time_of(int(data["id"])))
    metadata = {"archived": False, "auto_archive_duration": 4320, "locked": False, "create_timestamp": made}
    metadata |= {key: value for key, value in (data.get("thread_metadata") or {}).items() if value is not None}
    metadata.setdefault("archive_timestamp", metadata["create_timestamp"])
    left_out = ("position", "topic", "permission_overwrites")
    usual = {
        "name": f"thread-{data['id']}",
        "message_count": 0,
        "member_count": 1,
        "total_message_sent": data.get("message_count") or 0,
        "owner_id": "0",
    }
    given = {key: value for key, value in data.items() if key not in left_out and value is not None}
    return _completed(usual, given) | {"thread_metadata": metadata}


def message(data: Mapping[str, Any], channel_id: int) -> Data:
    """A message as it is kept: its reactions, its thread and what it answers are added on the way out."""
    shape: Data = {
        "type": DEFAULT,
        "content": "",
        "timestamp": stamp(time_of(int(data["id"]))),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "flags": 0,
    }
    shape |= {key: value for key, value in data.items() if value is not None or key in _NULLABLE_IN_MESSAGES}
    for key in _ADDED_TO_MESSAGES:
        shape.pop(key, None)
    shape["id"], shape["channel_id"] = str(data["id"]), str(channel_id)
    shape["author"] = user(data["author"])
    shape["mentions"] = [user(person) for person in shape["mentions"]]
    shape["attachments"] = [attachment(item, channel_id, n) for n, item in enumerate(shape["attachments"])]
    return shape


def attachment(data: Mapping[str, Any], channel_id: int, number: int) -> Data:
    name = data.get("filename") or "file"
    url = f"https://cdn.discordapp.com/attachments/{channel_id}/{data.get('id', number)}/{name}"
    return {"id": str(number), "size": 0, "url": url, "proxy_url": url, **data, "filename": name}


def guild(data: Mapping[str, Any]) -> Data:
    """A guild without its roles, channels and members, which the server adds."""
    usual: Data = {
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "features": [],
        "emojis": [],
        "stickers": [],
        "owner_id": "0",
        "region": "",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "application_id": None,
        "vanity_url_code": None,
        "home_header": None,
        "widget_enabled": False,
        "widget_channel_id": None,
        "max_presences": None,
        "max_members": 25_000_000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "nsfw": False,
        "incidents_data": None,
        "name": f"guild {data['id']}",
    }
    return _completed(usual, data) | {"id": str(data["id"])}
