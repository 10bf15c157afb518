"""The database's schema: brought up to date, and refused where it is newer than the program."""

from __future__ import annotations

from functools import cache
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from bot.errors import StoreError
from bot.resources import migrations_folder
from bot.store.engine import Store
from bot.store.tables import Base

_ONE_AT_A_TIME = 0x6A7E77E
"""The number of the lock under which a PostgreSQL database is migrated: processes that start together would clash."""


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """Those that this program knows, the newest first; its files do not change while it runs."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def newest_revision() -> str:
    """The revision that this program's tables have."""
    return _revisions()[0]


async def current_revision(store: Store) -> str | None:
    """The database's revision; None for an empty database."""
    async with store.read() as connection:
        return await connection.run_sync(lambda sync: MigrationContext.configure(sync).get_current_revision())


async def check_revision(store: Store) -> None:
    """Raise StoreError unless the database is of just the revision this program works with."""
    current, newest = await current_revision(store), newest_revision()
    if current == newest:
        return
    if current is None:
        raise StoreError("The database is empty; run `gazette migrate` first.")
    _refuse_newer(current)
    raise StoreError(f"The database is of the older revision {current}; run `gazette migrate` to bring it to {newest}.")


def _refuse_newer(current: str | None) -> None:
    if current is not None and current not in _revisions():
        raise StoreError(
            f"The database is of revision {current}, which this version of Gazette does not know: it was made by a "
            "newer one. Install that version, or restore a backup made before the upgrade."
        )


async def upgrade(store: Store, revision: str = "head") -> None:
    """Bring the database to `revision`, all in one transaction; an empty database gets its tables.

    Raises StoreError for a database that a newer Gazette made.
    """
    current = await current_revision(store)
    _refuse_newer(current)
    if current == newest_revision():
        return
    if not store.is_sqlite:
        async with store.write() as connection:
            await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ONE_AT_A_TIME})")
            await connection.run_sync(lambda sync: command.upgrade(_config(sync), revision))
        return
    async with store.read() as connection:
        # Foreign keys are off while tables are rebuilt, or children of a cascade vanish; the pragma is
        # ignored within a transaction, so it comes before BEGIN.
        await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        await connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            await connection.run_sync(lambda sync: command.upgrade(_config(sync), revision))
            broken = (await connection.exec_driver_sql("PRAGMA foreign_key_check")).all()
            if broken:
                raise StoreError(
                    f"The migration would leave {len(broken)} rows without their parents; nothing changed."
                )
        except BaseException:
            await connection.exec_driver_sql("ROLLBACK")
            raise
        else:
            await connection.exec_driver_sql("COMMIT")
        finally:
            await connection.exec_driver_sql("PRAGMA foreign_keys = ON")


async def differences(store: Store) -> list[Any]:
    """What the tables of the program have that the database lacks, and the other way round."""

    def compare(sync: Connection) -> list[Any]:
        context = MigrationContext.configure(sync, opts={"compare_type": True, "target_metadata": Base.metadata})
        return list(compare_metadata(context, Base.metadata))

    async with store.read() as connection:
        return await connection.run_sync(compare)
