"""Alembic's environment: runs on a connection that the program hands over, or opens GAZETTE_DATABASE_URL itself."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from alembic import context
from sqlalchemy import Connection

from bot.store.engine import Store
from bot.store.tables import Base, UtcDateTime


def render_item(kind: str, item: Any, autogen_context: Any) -> str | bool:
    """Write our own column type with its import; everything else as Alembic does."""
    if kind == "type" and isinstance(item, UtcDateTime):
        autogen_context.imports.add("from bot.store.tables import UtcDateTime")
        return "UtcDateTime()"
    return False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=render_item,
        compare_type=True,
        transactional_ddl=False,
    )
    context.run_migrations()


async def run_alone() -> None:
    store = Store.open(os.environ.get("GAZETTE_DATABASE_URL", "sqlite:///gazette.sqlite3"))
    try:
        async with store.write() as connection:
            await connection.run_sync(run)
    finally:
        await store.close()


if handed := context.config.attributes.get("connection"):
    run(handed)
else:
    asyncio.run(run_alone())
