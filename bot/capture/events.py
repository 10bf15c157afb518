"""What the gateway sends, on its way to the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.capture.convert import Payload


@dataclass(frozen=True, slots=True)
class GatewayEvent:
    """An event as the gateway sent it, and when it was received."""

    at: datetime
    shard_id: int
    name: str
    payload: Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionEvent:
    """Somebody reacted, or took a reaction back (`added` False), for those who listen to reactions.

    `role_ids` are the member's roles, None where Discord did not say them (it does not for a removal).
    """

    guild_id: int
    channel_id: int
    message_id: int
    user_id: int
    emoji: str
    added: bool
    at: datetime
    role_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionsCleared:
    """A message's reactions were taken off at once, by Discord's or a moderator's hand: those of `emoji`, or all."""

    guild_id: int
    channel_id: int
    message_id: int
    emoji: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionsReread:
    """Messages were read from Discord's history: the emoji that stand on each of them now, as Discord spells them."""

    guild_id: int
    channel_id: int
    emojis: Mapping[int, tuple[str, ...]]
