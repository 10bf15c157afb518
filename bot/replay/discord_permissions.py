"""Permission bits and how Discord adds them up, for the local server.

Source: https://docs.discord.com/developers/topics/permissions
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

ADMINISTRATOR = 1 << 3
MANAGE_CHANNELS = 1 << 4
ADD_REACTIONS = 1 << 6
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
MENTION_EVERYONE = 1 << 17
USE_EXTERNAL_EMOJIS = 1 << 18
CONNECT = 1 << 20
MANAGE_ROLES = 1 << 28
USE_APPLICATION_COMMANDS = 1 << 31
MANAGE_THREADS = 1 << 34
CREATE_PUBLIC_THREADS = 1 << 35
CREATE_PRIVATE_THREADS = 1 << 36
SEND_MESSAGES_IN_THREADS = 1 << 38
PIN_MESSAGES = 1 << 51

ALL = (1 << 53) - 1

EVERYONE_DEFAULT = (
    ADD_REACTIONS
    | VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | CONNECT
    | USE_APPLICATION_COMMANDS
    | CREATE_PUBLIC_THREADS
    | SEND_MESSAGES_IN_THREADS
)

BOT_DEFAULT = (
    EVERYONE_DEFAULT | MANAGE_MESSAGES | PIN_MESSAGES | MANAGE_THREADS | MENTION_EVERYONE | USE_EXTERNAL_EMOJIS
)


def base_permissions(
    *, owner: bool, everyone_id: int, role_ids: Iterable[int], roles: Mapping[int, Mapping[str, Any]]
) -> int:
    """What somebody may in the guild as a whole."""
    if owner:
        return ALL
    bits = 0
    for role_id in (everyone_id, *role_ids):
        if role := roles.get(role_id):
            bits |= int(role["permissions"])
    return ALL if bits & ADMINISTRATOR else bits


def permissions_in(
    base: int, overwrites: Iterable[Mapping[str, Any]], *, everyone_id: int, role_ids: Iterable[int], user_id: int
) -> int:
    """What is left of, or added to, the guild-wide `base` by a channel's overwrites."""
    if base & ADMINISTRATOR:
        return ALL
    mine = set(role_ids)
    allow = deny = 0
    own: Mapping[str, Any] | None = None
    for overwrite in overwrites:
        target = int(overwrite["id"])
        if target == everyone_id:
            base = base & ~int(overwrite["deny"]) | int(overwrite["allow"])
        elif target in mine:
            allow |= int(overwrite["allow"])
            deny |= int(overwrite["deny"])
        elif target == user_id:
            own = overwrite
    base = base & ~deny | allow
    if own is not None:
        base = base & ~int(own["deny"]) | int(own["allow"])
    return base if base & VIEW_CHANNEL else 0
