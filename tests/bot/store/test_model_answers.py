"""Answers of the language model: kept by what was asked, with their cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.store import model_answers
from bot.store.engine import Store

AT = datetime(2025, 3, 3, 9, tzinfo=UTC)


async def test_an_answer_is_found_again_by_its_guild_only(store: Store) -> None:
    async with store.write() as connection:
        await model_answers.store_answer(connection, 1, "k", {"paragraphs": []}, tokens=12, at=AT)
        await model_answers.store_answer(connection, 1, "k", {"paragraphs": [1]}, tokens=15, at=AT)
    async with store.read() as connection:
        assert await model_answers.get_answer(connection, 1, "k") == {"paragraphs": [1]}
        assert await model_answers.get_answer(connection, 2, "k") is None
        assert await model_answers.get_answer(connection, 1, "other") is None


async def test_tokens_are_counted_from_an_instant_on(store: Store) -> None:
    async with store.write() as connection:
        for number in range(3):
            at = AT + timedelta(days=number)
            await model_answers.store_answer(connection, 1, f"k{number}", {}, tokens=100 + number, at=at)
        await model_answers.store_answer(connection, 2, "k9", {}, tokens=7, at=AT)
    async with store.read() as connection:
        assert await model_answers.tokens_used(connection, 1, AT + timedelta(days=1)) == 203
        assert await model_answers.tokens_used(connection, 3, AT) == 0
