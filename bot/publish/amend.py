"""What a change to an edition means for the parts that were sent, or are to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from bot.model.parts import Part, Place
from bot.model.publication import OPEN, MadeEdition, StoredPart
from bot.publish.plan import in_order
from bot.store import editions
from bot.store import parts as stored
from bot.store.actions import log_action
from bot.store.engine import Connection, Store


@dataclass(frozen=True, slots=True)
class Change:
    """A part that is to say something else. Without `old` it is new, without `new` it is to go."""

    old: StoredPart | None
    new: Part | None


def changes(old: Sequence[StoredPart], new: Sequence[Part]) -> list[Change]:
    """The fewest changes of parts that make the old ones say what the new ones say.

    Parts that stand in one channel are one sequence and keep their order: the first says what is to be read first.
    A shorter sequence loses its last messages, a longer one gets more at its end. A part that somebody deleted keeps
    its place, so that nothing of it comes back.
    """
    return [change for sequence in _sequences(old, new) for change in _aligned(*sequence)]


def _sequences(old: Sequence[StoredPart], new: Sequence[Part]) -> list[tuple[list[StoredPart], list[Part]]]:
    by_place = [
        (in_order([part for part in old if part.place is place]), [part for part in new if part.place is place])
        for place in Place
    ]
    where = [{part.channel_id for part in parts if part.message_id is not None} for parts, _ in by_place]
    if len(where[0] | where[1]) == 1 and all(where):
        return [(in_order(old), [part for _, parts in by_place for part in parts])]
    return by_place


def _aligned(old: Sequence[StoredPart], new: Sequence[Part]) -> Iterator[Change]:
    for before, after in zip_longest(old, new):
        if before is None or after is None or (before.content, before.files) != (after.content, _sorted(after)):
            yield Change(before, after)


def _sorted(part: Part) -> tuple[object, ...]:
    return tuple(sorted(part.files, key=lambda file: file.name))


async def amend_parts(
    store: Store,
    edition_id: int,
    made: MadeEdition,
    *,
    at: datetime,
    reason: str,
    seen: datetime | None = None,
    by: int | None = None,
) -> None:
    """Store what an edition says now. What stands on Discord is changed by the publisher's `publish` or `settle`.

    An edition of which nothing stands is replaced as a whole. `seen` is the `stale_since` that `made` answers,
    `by` the member who asked for it.
    """
    async with store.write() as connection:
        await amend_within(connection, edition_id, made, at=at, reason=reason, seen=seen, by=by)


async def amend_within(
    connection: Connection,
    edition_id: int,
    made: MadeEdition,
    *,
    at: datetime,
    reason: str,
    seen: datetime | None = None,
    by: int | None = None,
) -> None:
    """As `amend_parts`, as part of a transaction."""
    edition = await editions.fetch_edition(connection, edition_id)
    if edition.status in OPEN:
        await editions.store_edition(connection, made, at=at, status=edition.status)
        return
    old = await stored.parts_of(connection, edition_id)
    await editions.amend_edition(connection, edition_id, made, seen=seen)
    wanted = changes(old, made.parts)
    ordinal = max((part.ordinal for part in old), default=-1)
    for change in wanted:
        if change.old is None:
            assert change.new is not None  # noqa: S101
            ordinal += 1
            await stored.add_part(
                connection, edition_id, ordinal, change.new.place, change.new.content, change.new.files
            )
        elif change.new is not None:
            await stored.change_part(connection, edition_id, change.old.ordinal, change.new.content, change.new.files)
        elif change.old.message_id is None or change.old.gone_at is not None:
            await stored.drop_part(connection, edition_id, change.old.ordinal)
        else:
            await stored.change_part(connection, edition_id, change.old.ordinal, "", ())
    if wanted:
        await log_action(
            connection,
            guild_id=edition.guild_id,
            user_id=by,
            action="amended the digest",
            at=at,
            data={
                "edition_id": str(edition_id),
                "title": made.title,
                "reason": reason,
                "changed": sum(1 for change in wanted if change.old is not None and change.new is not None),
                "added": sum(1 for change in wanted if change.old is None),
                "removed": sum(1 for change in wanted if change.new is None),
            },
        )
