"""The database: opened once, read from freely, written to in short transactions."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.errors import StoreError

Connection = AsyncConnection
"""An open connection of a store, for those who hand it on to store functions."""


_KEPT_STATEMENTS = 16
"""How many prepared statements a connection of SQLite keeps. Those with a thousand ids written out are large, and
each is used once: 128 of them, the default, on every connection come to a hundred megabytes."""

_TRIES = 2
"""How often emptying the WAL is tried; each time readers are waited for as long as for any lock."""


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise StoreError(
            "The database address is not readable; examples are sqlite:///gazette.sqlite3 and "
            "postgresql://user:password@host/name."
        ) from error
    backend = url.get_backend_name()
    if backend == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    if backend == "postgresql":
        return url.set(drivername="postgresql+asyncpg")
    raise StoreError(f"The database {backend!r} is not supported; use sqlite or postgresql.")


class Store:
    """One database, SQLite or PostgreSQL.

    `read()` gives a connection for queries, `write()` one whose transaction commits at the end of the block
    and is rolled back by an exception. On SQLite writers of this process take turns and begin with BEGIN
    IMMEDIATE, so that a transaction which reads before it writes cannot fail half-way.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._turn = asyncio.Lock()

    @classmethod
    def open(cls, address: str, **options: Any) -> Store:
        """Prepare the database at a SQLAlchemy address. Nothing is connected until the first use.

        Raises StoreError for an address of another kind of database.
        """
        url = _url(address)
        is_sqlite = url.get_backend_name() == "sqlite"
        if is_sqlite:
            options = {"connect_args": {"cached_statements": _KEPT_STATEMENTS}} | options
        # Errors are logged, and parameters are what people wrote.
        engine = create_async_engine(url, pool_pre_ping=not is_sqlite, hide_parameters=True, **options)
        if is_sqlite:
            _prepare_sqlite(engine)
        return cls(engine)

    async def close(self) -> None:
        await self.engine.dispose()

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database; None where there is none."""
        name = self.engine.url.database if self.is_sqlite else None
        return Path(name) if name and name != ":memory:" else None

    async def try_writing(self) -> None:
        """Raise StoreError where nothing can be written, or (on SQLite) the file is damaged; nothing is changed."""
        async with self._told(), self.engine.connect() as connection:
            if not self.is_sqlite:
                read_only = (await connection.exec_driver_sql("SHOW transaction_read_only")).scalar_one()
                if read_only == "on":
                    raise StoreError("The database takes nothing in: it is a read-only copy; name the main one.")
                return
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            await connection.exec_driver_sql("ROLLBACK")
            damage = (await connection.exec_driver_sql("PRAGMA quick_check(1)")).scalar_one()
            if damage != "ok":
                raise StoreError(f"The database is damaged ({damage}). Restore a backup, or name another file.")

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        async with self._told(), self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        if not self.is_sqlite:
            async with self._told(), self.engine.begin() as connection:
                yield connection
            return
        async with self._told(), self._turn, self.engine.connect() as connection:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                if not connection.invalidated:  # a cancelled statement has cost the connection, which ends its work
                    with suppress(OperationalError):  # a full disk has ended the transaction already
                        await connection.exec_driver_sql("ROLLBACK")
                raise
            await connection.exec_driver_sql("COMMIT")

    async def compact(self) -> bool:
        """Write the database anew without what was deleted, so that no byte of it is left; False: not entirely yet.

        On SQLite the file is rebuilt and its WAL emptied; another process that reads at the moment keeps it from
        being emptied. On PostgreSQL the space is freed for use; what its own log and backups hold is the operator's.
        """
        if not self.is_sqlite:
            async with self._told(), self.engine.connect() as connection:
                freely = await connection.execution_options(isolation_level="AUTOCOMMIT")
                await freely.exec_driver_sql("VACUUM")
            return True
        async with self._told(), self._turn, self.engine.connect() as connection:
            await connection.exec_driver_sql("VACUUM")
            for _ in range(_TRIES):
                busy, *_ = (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).one()
                if not busy:
                    return True
        return False

    @asynccontextmanager
    async def _told(self) -> AsyncIterator[None]:
        try:
            yield
        except OperationalError as error:
            raise StoreError(f"The database cannot be used: {error.orig}") from error
        except DBAPIError as error:
            if type(error) is DatabaseError:  # SQLite's word for a file that is damaged or something else
                raise StoreError(
                    f"The database cannot be used: {error.orig}. Restore a backup, or name another file."
                ) from error
            if error.connection_invalidated:
                raise StoreError(f"The connection to the database was lost: {error.orig}") from error
            raise
        except (ConnectionError, TimeoutError, socket.gaierror) as error:
            raise StoreError(f"The database does not answer: {error}. Look at GAZETTE_DATABASE_URL.") from error


def _prepare_sqlite(engine: AsyncEngine) -> None:
    """WAL and foreign keys on every connection; transactions are begun by us, not by the driver."""

    @event.listens_for(engine.sync_engine, "do_connect")
    def on_connecting(_dialect: Any, _record: Any, arguments: list[Any], _options: dict[str, Any]) -> None:
        """Try the file first: the driver's thread outlives a file that cannot be opened, and prints what it met."""
        try:
            sqlite3.connect(arguments[0]).close()
        except sqlite3.Error as error:
            raise StoreError(
                f"The database {arguments[0]} cannot be used: {error}. It has to be a file in a folder that exists, "
                "and both have to be the bot's to write."
            ) from error

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout = 30000")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = NORMAL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA secure_delete = FAST")
        cursor.close()

    @event.listens_for(engine.sync_engine, "invalidate")
    def on_invalidate(connection: Any, _record: Any, _error: BaseException | None) -> None:
        """End the transaction before the connection is closed, for a statement still at work keeps it open.

        SQLite closes a connection only when the last statement is gone, and Python keeps a cancelled one as long
        as somebody holds its traceback: until then nobody else could write.
        """
        with suppress(asyncio.CancelledError, SQLAlchemyError, connection.dbapi.Error):
            connection.rollback()
