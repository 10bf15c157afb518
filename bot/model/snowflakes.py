"""Discord's ids carry the millisecond of their making: (milliseconds since 2015) << 22.

Source: https://docs.discord.com/developers/reference#snowflakes
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def time_of(snowflake: int) -> datetime:
    """The instant (UTC, to the millisecond) at which the id was made."""
    return DISCORD_EPOCH + (snowflake >> 22) * _MILLISECOND


def first_id_at(instant: datetime) -> int:
    """The smallest id made at or after `instant` (rounded up to the millisecond).

    With it a half-open period `[start, end)` becomes the half-open range of ids
    `[first_id_at(start), first_id_at(end))`.
    """
    milliseconds, rest = divmod(instant - DISCORD_EPOCH, _MILLISECOND)
    return max(0, milliseconds + bool(rest)) << 22
