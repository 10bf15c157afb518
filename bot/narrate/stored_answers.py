"""Keeps the language model's answers in the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.model.clock import Clock
from bot.store import model_answers
from bot.store.engine import Store


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """Answers of a guild, found again by the hash of what was asked (`bot.narrate.language_model.Answers`)."""

    store: Store
    clock: Clock

    async def get(self, guild_id: int, key: str) -> dict[str, Any] | None:
        async with self.store.read() as connection:
            return await model_answers.get_answer(connection, guild_id, key)

    async def put(self, guild_id: int, key: str, answer: dict[str, Any], tokens: int) -> None:
        async with self.store.write() as connection:
            await model_answers.store_answer(connection, guild_id, key, answer, tokens=tokens, at=self.clock.now())
