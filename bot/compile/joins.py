"""Who joined and left, each person once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.model.edition import Joins
from bot.model.guilds import Join
from bot.model.schedule import Period


def count_joins(
    stays: Sequence[Join],
    *,
    period: Period,
    introduced: Collection[int],
    available: bool,
    earlier: Mapping[int, Sequence[Join]] | None = None,
    unnamed: Collection[int] = (),
) -> Joins:
    """Distinct people, bots aside, who joined in the period, and those of them without an introduction in it.

    `stays` are those that began or ended in the period, `earlier` all stays of those who joined. Joining twice
    counts once, leaving again undoes nothing. People in `unnamed` count and are not listed. Where joins could
    not have been seen (`available` False) there are no figures.
    """
    if not available:
        return Joins()
    bots = {stay.user_id for stay in stays if stay.bot}
    joined = {stay.user_id: None for stay in stays if stay.joined_at in period and stay.user_id not in bots}
    silent = [user_id for user_id in joined if user_id not in introduced]
    left = {s.user_id for s in stays if s.left_at is not None and s.left_at in period} - bots
    again = {user_id for user_id in joined if len((earlier or {}).get(user_id, ())) > 1}
    return Joins(
        available=True,
        count=len(joined),
        silent=len(silent),
        silent_user_ids=tuple(user_id for user_id in silent if user_id not in unnamed),
        left=len(left),
        rejoined=len(again),
    )
