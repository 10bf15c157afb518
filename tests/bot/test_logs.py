"""The log tells what went wrong, and nothing of what people wrote."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, Literal

import pytest
import structlog
from sqlalchemy import insert

from bot.logs import set_up_logging
from bot.store.engine import Store
from bot.store.tables.guilds import GuildRow

WORDS = " ".join(["zebrafish", "accordion"])  # as no line of the program has them


@pytest.fixture
def _logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_failure_is_logged_without_the_words_it_was_about(
    form: Literal["text", "json"], store: Store, capsys: pytest.CaptureFixture[str], _logging: None
) -> None:
    set_up_logging("DEBUG", form)

    async def store_twice(row: dict[str, Any]) -> None:
        async with store.write() as connection:
            for _ in range(2):
                await connection.execute(insert(GuildRow), [row])

    try:
        await store_twice({"guild_id": 1, "name": WORDS})
    except Exception:
        logging.getLogger("bot.a").exception("a row could not be stored")
        structlog.get_logger("bot.b").exception("a row could not be stored")
    told = capsys.readouterr().err
    assert told.count("a row could not be stored") == 2
    assert told.count("IntegrityError") >= 2
    assert "store_twice" in told
    assert WORDS not in told
