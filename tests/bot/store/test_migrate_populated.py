"""From every revision that ever was, with rows in every table, a database comes up to date with every row kept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, Table, func, insert, select, types
from sqlalchemy.schema import Column

from bot.resources import migrations_folder
from bot.store.engine import Store
from bot.store.migrate import current_revision, differences, newest_revision, upgrade

ROWS = 3


def revisions() -> list[str]:
    """The oldest first."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]


def a_value(column: Column[Any], number: int) -> Any:
    """Something that the column takes, different in each row."""
    kind = column.type
    if isinstance(kind, types.JSON):
        return {"number": str(number)}
    if isinstance(kind, types.Boolean):
        return number % 2 == 0
    if isinstance(kind, types.DateTime):
        return datetime(2026, 8, 1 + number, 12, 0, tzinfo=UTC)
    if isinstance(kind, types.LargeBinary):
        return bytes([number])
    if isinstance(kind, types.Integer):
        return number + 1
    return f"text {number} – ünïcode 🦞"


async def tables_of(store: Store) -> list[Table]:
    """The tables as they are in the database, without Alembic's own; parents before children."""
    metadata = MetaData()
    async with store.read() as connection:
        await connection.run_sync(metadata.reflect)
    return [table for table in metadata.sorted_tables if table.name != "alembic_version"]


async def counts(store: Store) -> dict[str, int]:
    async with store.read() as connection:
        return {
            table.name: (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for table in await tables_of(store)
        }


@pytest.fixture
async def empty(empty_url: str) -> AsyncIterator[Store]:
    store = Store.open(empty_url)
    yield store
    await store.close()


@pytest.mark.parametrize("revision", revisions())
async def test_every_row_is_kept_from_every_revision(empty: Store, revision: str) -> None:
    await upgrade(empty, revision)
    tables = await tables_of(empty)
    async with empty.write() as connection:
        for table in tables:
            rows = [{column.name: a_value(column, number) for column in table.columns} for number in range(ROWS)]
            if empty.is_sqlite:
                rows = [_naive(row) for row in rows]
            await connection.execute(insert(table), rows)
    before = await counts(empty)
    assert set(before.values()) == {ROWS}
    await upgrade(empty)
    assert await current_revision(empty) == newest_revision()
    assert await differences(empty) == []
    after = await counts(empty)
    assert {name: after.get(name) for name in before} == before


def _naive(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value.replace(tzinfo=None) if isinstance(value, datetime) else value for name, value in row.items()}
