"""The Discord messages of editions: what each says, and what is known of where it stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

from sqlalchemy import and_, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.parts import PartFile, Place
from bot.model.publication import MadeEdition, StoredPart
from bot.store.tables.editions import PartFileRow, PartRow


def nonce_of(edition_id: int, ordinal: int) -> str:
    """The part's nonce: the same at every attempt, of 24 characters (Discord takes 25)."""
    return blake2b(f"{edition_id}/{ordinal}".encode(), digest_size=12, person=b"gazette part").hexdigest()


async def parts_of(connection: AsyncConnection, edition_id: int) -> list[StoredPart]:
    """The edition's parts with their files, in the order in which they are sent."""
    files: dict[int, list[PartFile]] = defaultdict(list)
    for row in await connection.execute(
        select(PartFileRow.__table__).where(PartFileRow.edition_id == edition_id).order_by(PartFileRow.name)
    ):
        files[row.ordinal].append(PartFile(row.name, row.content, row.description))
    rows = await connection.execute(
        select(PartRow.__table__).where(PartRow.edition_id == edition_id).order_by(PartRow.ordinal)
    )
    return [
        StoredPart(
            ordinal=row.ordinal,
            place=Place(row.place),
            content=row.content,
            nonce=row.nonce,
            files=tuple(files[row.ordinal]),
            channel_id=row.channel_id,
            message_id=row.message_id,
            after_id=row.after_id,
            sent_at=row.sent_at,
            pending=row.pending,
            gone_at=row.gone_at,
            ping_role_id=row.ping_role_id,
        )
        for row in rows
    ]


async def replace_parts(connection: AsyncConnection, edition_id: int, made: MadeEdition) -> None:
    """Store the parts of an edition of which nothing stands on Discord yet."""
    await connection.execute(delete(PartFileRow).where(PartFileRow.edition_id == edition_id))
    await connection.execute(delete(PartRow).where(PartRow.edition_id == edition_id))
    for ordinal, part in enumerate(made.parts):
        ping = made.ping_role_id if ordinal == 0 else None
        await add_part(connection, edition_id, ordinal, part.place, part.content, part.files, ping_role_id=ping)


async def add_part(
    connection: AsyncConnection,
    edition_id: int,
    ordinal: int,
    place: Place,
    content: str,
    files: Sequence[PartFile],
    *,
    ping_role_id: int | None = None,
) -> None:
    """Store a part that is yet to be sent."""
    await connection.execute(
        insert(PartRow).values(
            edition_id=edition_id,
            ordinal=ordinal,
            place=place,
            content=content,
            nonce=nonce_of(edition_id, ordinal),
            pending=False,
            ping_role_id=ping_role_id,
        )
    )
    await _store_files(connection, edition_id, ordinal, files)


async def change_part(
    connection: AsyncConnection, edition_id: int, ordinal: int, content: str, files: Sequence[PartFile]
) -> None:
    """Have the part say something else; where it stands on Discord, it is to be changed there."""
    await _update(connection, edition_id, ordinal, content=content, pending=PartRow.message_id.is_not(None))
    await connection.execute(delete(PartFileRow).where(_is_file_of(edition_id, ordinal)))
    await _store_files(connection, edition_id, ordinal, files)


async def drop_part(connection: AsyncConnection, edition_id: int, ordinal: int) -> None:
    """Forget a part that does not stand on Discord (any more)."""
    await connection.execute(delete(PartFileRow).where(_is_file_of(edition_id, ordinal)))
    await connection.execute(delete(PartRow).where(_is(edition_id, ordinal)))


async def note_attempt(
    connection: AsyncConnection, edition_id: int, ordinal: int, *, channel_id: int, after_id: int
) -> None:
    """Note that the part is about to be sent into the channel, whose newest message is `after_id`.

    What was noted at an earlier attempt into the same channel stays: the message of that one may stand.
    """
    await connection.execute(
        update(PartRow)
        .where(
            _is(edition_id, ordinal),
            PartRow.message_id.is_(None),
            or_(PartRow.after_id.is_(None), PartRow.channel_id != channel_id),
        )
        .values(channel_id=channel_id, after_id=after_id)
    )


async def confirm_part(
    connection: AsyncConnection,
    edition_id: int,
    ordinal: int,
    *,
    channel_id: int,
    message_id: int,
    at: datetime,
    pending: bool = False,
) -> None:
    """Note where the part stands; `pending` where it does not say yet what it should."""
    await _update(
        connection, edition_id, ordinal, channel_id=channel_id, message_id=message_id, sent_at=at, pending=pending
    )


async def settle_part(connection: AsyncConnection, edition_id: int, ordinal: int) -> None:
    """Note that the part says on Discord what is stored here."""
    await _update(connection, edition_id, ordinal, pending=False)


async def forget_part(connection: AsyncConnection, edition_id: int, ordinal: int) -> None:
    """Note that the part stands nowhere and is to be sent anew."""
    await _update(
        connection, edition_id, ordinal, channel_id=None, message_id=None, after_id=None, sent_at=None, pending=False
    )


async def lose_part(connection: AsyncConnection, edition_id: int, ordinal: int, *, at: datetime) -> None:
    """Note that somebody deleted the part's message. It is not sent again."""
    await _update(connection, edition_id, ordinal, pending=False, gone_at=at)


async def _update(connection: AsyncConnection, edition_id: int, ordinal: int, **values: Any) -> None:
    await connection.execute(update(PartRow).where(_is(edition_id, ordinal)).values(**values))


async def _store_files(connection: AsyncConnection, edition_id: int, ordinal: int, files: Sequence[PartFile]) -> None:
    for file in files:
        await connection.execute(
            insert(PartFileRow).values(
                edition_id=edition_id,
                ordinal=ordinal,
                name=file.name,
                description=file.description,
                content=file.content,
            )
        )


def _is(edition_id: int, ordinal: int) -> Any:
    return and_(PartRow.edition_id == edition_id, PartRow.ordinal == ordinal)


def _is_file_of(edition_id: int, ordinal: int) -> Any:
    return and_(PartFileRow.edition_id == edition_id, PartFileRow.ordinal == ordinal)
