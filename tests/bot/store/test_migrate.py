"""Migrations bring an empty database up, change nothing when run again, and refuse what they do not know."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.errors import StoreError
from bot.store.engine import Store
from bot.store.migrate import check_revision, current_revision, differences, newest_revision, upgrade
from tests.command_line import start


@pytest.fixture
async def empty(empty_url: str) -> AsyncIterator[Store]:
    store = Store.open(empty_url)
    yield store
    await store.close()


async def test_an_empty_database_gets_just_the_tables_of_the_program(empty: Store) -> None:
    await upgrade(empty)
    assert await current_revision(empty) == newest_revision()
    assert await differences(empty) == []
    await check_revision(empty)


async def test_running_again_keeps_every_row(empty: Store) -> None:
    await upgrade(empty)
    async with empty.write() as connection:
        await connection.execute(text("INSERT INTO state (key, value) VALUES ('a', '1')"))
    await upgrade(empty)
    async with empty.read() as connection:
        assert (await connection.execute(text("SELECT value FROM state"))).scalars().all() == ["1"]


async def test_an_empty_database_is_not_run_on(empty: Store) -> None:
    with pytest.raises(StoreError, match="gazette migrate"):
        await check_revision(empty)


async def test_a_database_of_a_newer_program_is_refused_and_untouched(empty: Store) -> None:
    await upgrade(empty)
    async with empty.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="9999.*newer"):
        await upgrade(empty)
    with pytest.raises(StoreError, match="9999.*newer"):
        await check_revision(empty)
    assert await current_revision(empty) == "9999"


async def test_processes_that_start_together_make_the_tables_once(empty_url: str, tmp_path: Path) -> None:
    started = [start("migrate", cwd=tmp_path, GAZETTE_DATABASE_URL=empty_url) for _ in range(3)]
    for running in started:
        ended = await running.ended()
        assert ended.returncode == 0, ended.told


async def test_a_failing_migration_leaves_nothing_half_done(empty: Store) -> None:
    async with empty.write() as connection:
        await connection.execute(text("CREATE TABLE tags (other INTEGER)"))
    with pytest.raises(Exception, match="tags"):
        await upgrade(empty)
    assert await current_revision(empty) is None
    async with empty.read() as connection:
        with pytest.raises(Exception, match="messages"):
            await connection.execute(text("SELECT 1 FROM messages"))
