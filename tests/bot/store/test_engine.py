"""The store opens on both databases and keeps its promises about transactions."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select, update

from bot.errors import StoreError
from bot.store.engine import Store
from bot.store.state import get_state, set_state
from bot.store.tables.editions import StateRow
from bot.store.tables.guilds import GuildRow


async def test_ids_and_instants_come_back_exactly(store: Store) -> None:
    left = datetime(2026, 8, 31, 12, 0, 0, 123456, tzinfo=UTC)
    async with store.write() as connection:
        await connection.execute(insert(GuildRow).values(guild_id=1191168914227200001, name="g", left_at=left))
    async with store.read() as connection:
        row = (await connection.execute(select(GuildRow.guild_id, GuildRow.left_at))).one()
    assert (row.guild_id, row.left_at) == (1191168914227200001, left)
    assert row.left_at.tzinfo is UTC


async def test_a_failed_block_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(RuntimeError):
        async with store.write() as connection:
            await connection.execute(insert(StateRow).values(key="a", value="1"))
            raise RuntimeError
    async with store.read() as connection:
        assert (await connection.execute(select(StateRow))).all() == []


async def test_writers_that_read_first_all_succeed(store: Store) -> None:
    async with store.write() as connection:
        await connection.execute(insert(StateRow).values(key="n", value="0"))

    async def add_one() -> None:
        async with store.write() as connection:
            query = select(StateRow.value).where(StateRow.key == "n").with_for_update()
            value = int((await connection.execute(query)).scalar_one())
            await connection.execute(update(StateRow).where(StateRow.key == "n").values(value=str(value + 1)))

    await asyncio.gather(*(add_one() for _ in range(20)))
    async with store.read() as connection:
        assert (await connection.execute(select(StateRow.value))).scalar_one() == "20"


async def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(StoreError, match="sqlite or postgresql"):
        Store.open("mysql://localhost/x")


@pytest.mark.parametrize("times", [1, 2], ids=["cancelled once", "cancelled twice"])
async def test_a_write_cancelled_anywhere_is_undone_and_the_next_one_works(store: Store, times: int) -> None:
    async def write(number: int) -> None:
        async with store.write() as connection:
            await set_state(connection, f"first {number}", "value")
            await connection.execute(select(StateRow))
            await set_state(connection, f"second {number}", "value")

    kept = []  # a traceback that somebody holds keeps the statement in it
    for turns in range(40):
        task = asyncio.create_task(write(turns))
        for _ in range(turns):
            await asyncio.sleep(0)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        kept += await asyncio.gather(task, return_exceptions=True)
        async with store.write() as connection:
            await set_state(connection, "last", str(turns))
    assert all(each is None or isinstance(each, asyncio.CancelledError) for each in kept)
    async with store.read() as connection:
        keys = set((await connection.execute(select(StateRow.key))).scalars())
        assert await get_state(connection, "last") == "39"
    assert all((f"first {number}" in keys) == (f"second {number}" in keys) for number in range(40))
