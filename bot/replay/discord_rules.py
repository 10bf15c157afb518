"""What Discord refuses in a message, and what it makes of one: limits, mentions, flags.

Sources: https://docs.discord.com/developers/resources/message#create-message,
https://docs.discord.com/developers/resources/message#embed-object-embed-limits
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.replay.discord_errors import ApiError, invalid_form
from bot.replay.discord_shapes import Data

CONTENT_LIMIT = 2000
EMBEDS_LIMIT, EMBEDS_TEXT_LIMIT = 10, 6000
FILES_LIMIT, NONCE_LIMIT = 10, 25
SUPPRESS_EMBEDS, SUPPRESS_NOTIFICATIONS, COMPONENTS_V2 = 1 << 2, 1 << 12, 1 << 15
FLAGS_ON_CREATE = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2 | 1 << 13
EPHEMERAL = 1 << 6

_FIELD_LIMITS = {"title": 256, "description": 4096}
_USER, _ROLE = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")


def check_message(body: Mapping[str, Any], *, files: int) -> None:
    """Raise `ApiError` where Discord would refuse the message."""
    content = body.get("content") or ""
    if len(content) > CONTENT_LIMIT:
        raise invalid_form("content", "BASE_TYPE_MAX_LENGTH", f"Must be {CONTENT_LIMIT} or fewer in length.")
    if len(str(body.get("nonce") or "")) > NONCE_LIMIT:
        raise invalid_form("nonce", "BASE_TYPE_MAX_LENGTH", f"Must be {NONCE_LIMIT} or fewer in length.")
    if files > FILES_LIMIT:
        raise invalid_form("files", "BASE_TYPE_MAX_LENGTH", f"Must be {FILES_LIMIT} or fewer in length.")
    if int(body.get("flags") or 0) & ~FLAGS_ON_CREATE:
        raise invalid_form("flags", "MESSAGE_FLAGS_INVALID", "These flags cannot be set.")
    _check_embeds(body.get("embeds") or [])
    _check_allowed_mentions(body.get("allowed_mentions"))
    if len(body.get("components") or []) > (40 if int(body.get("flags") or 0) & COMPONENTS_V2 else 5):
        raise invalid_form("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    said = ("embeds", "sticker_ids", "components", "poll", "attachments")
    forwarded = (body.get("message_reference") or {}).get("type") == 1
    if not content.strip() and not files and not forwarded and not any(body.get(key) for key in said):
        raise ApiError(400, 50006, "Cannot send an empty message")


def _check_embeds(embeds: list[Data]) -> None:
    if len(embeds) > EMBEDS_LIMIT:
        raise invalid_form("embeds", "BASE_TYPE_MAX_LENGTH", f"Must be {EMBEDS_LIMIT} or fewer in length.")
    total = 0
    for number, embed in enumerate(embeds):
        if len(embed.get("fields") or []) > 25:
            raise invalid_form(f"embeds.{number}.fields", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        for place, text, limit in _texts(embed):
            total += len(text)
            if len(text) > limit:
                sentence = f"Must be {limit} or fewer in length."
                raise invalid_form(f"embeds.{number}.{place}", "BASE_TYPE_MAX_LENGTH", sentence)
    if total > EMBEDS_TEXT_LIMIT:
        sentence = f"Embed size exceeds maximum size of {EMBEDS_TEXT_LIMIT}"
        raise invalid_form("embeds", "MAX_EMBED_SIZE_EXCEEDED", sentence)


def _texts(embed: Data) -> Iterator[tuple[str, str, int]]:
    for key, limit in _FIELD_LIMITS.items():
        yield key, embed.get(key) or "", limit
    yield "footer.text", (embed.get("footer") or {}).get("text") or "", 2048
    yield "author.name", (embed.get("author") or {}).get("name") or "", 256
    for number, field in enumerate(embed.get("fields") or []):
        yield f"fields.{number}.name", field.get("name") or "", 256
        yield f"fields.{number}.value", field.get("value") or "", 1024


def _check_allowed_mentions(allowed: Mapping[str, Any] | None) -> None:
    for kind in ("users", "roles"):
        if allowed and kind in (allowed.get("parse") or ()) and allowed.get(kind):
            sentence = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            raise invalid_form("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", sentence)


def mentioned_ids(content: str, allowed: Mapping[str, Any] | None) -> tuple[list[int], list[int], bool]:
    """Users, roles, and whether everyone is mentioned by a text under these `allowed_mentions` (None: all)."""
    users = [int(found) for found in dict.fromkeys(_USER.findall(content))]
    roles = [int(found) for found in dict.fromkeys(_ROLE.findall(content))]
    everyone = "@everyone" in content or "@here" in content
    if allowed is None:
        return users, roles, everyone
    parse = allowed.get("parse") or ()
    listed = {kind: {int(entry) for entry in allowed.get(kind) or ()} for kind in ("users", "roles")}
    return (
        users if "users" in parse else [user for user in users if user in listed["users"]],
        roles if "roles" in parse else [role for role in roles if role in listed["roles"]],
        everyone and "everyone" in parse,
    )
