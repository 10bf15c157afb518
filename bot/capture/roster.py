"""The member list compared with the ledger: who joined or left while nobody was listening."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from bot.capture import convert
from bot.capture.discord_api import MEMBERS_PAGE, History
from bot.model.clock import Clock
from bot.model.guilds import Witness
from bot.store import guilds, members
from bot.store.engine import Store

FRESH = timedelta(minutes=1)
"""Who joined this short before the list was asked for may be missing from it."""


async def reconcile(
    api: History, store: Store, guild_id: int, *, clock: Clock, is_excluded: Callable[[int, int], bool]
) -> int:
    """Bring the ledger in line with the guild's member list; returns the number of members.

    Pages are stored one by one, so memory stays small. Raises UnreadableError without the members intent.
    """
    asked_at = clock.now()
    present: set[int] = set()
    after = 0
    while True:
        page = await api.members(guild_id, after=after)
        people = [convert.member_from_payload(each, guild_id=guild_id) for each in page]
        wanted = [person for person in people if not is_excluded(guild_id, person.user_id)]
        joins = [convert.join_from_member(person, Witness.ROSTER) for person in wanted]
        async with store.write() as connection:
            await guilds.store_members(connection, wanted)
            await members.store_joins(connection, [join for join in joins if join])
        present |= {person.user_id for person in people}
        if len(page) < MEMBERS_PAGE:
            break
        after = max(present)
    async with store.write() as connection:
        await members.note_withheld(connection, guild_id, at=None)
        for user_id in await members.present_ids(connection, guild_id, before=asked_at - FRESH) - present:
            await members.store_leave(connection, guild_id, user_id, at=asked_at)
    return len(present)
