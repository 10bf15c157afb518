"""A problem is reported once until it is over."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.store import notices
from bot.store.engine import Store

START, DUE = datetime(2026, 8, 26, tzinfo=UTC), datetime(2026, 8, 31, tzinfo=UTC)


async def test_a_problem_is_reported_once_until_it_is_over(store: Store) -> None:
    async with store.write() as connection:
        assert not await notices.is_reported(connection, 1, "channel")
        assert await notices.open_notice(connection, 1, "channel", "The channel is gone.", START)
        assert not await notices.open_notice(connection, 1, "channel", "The channel is gone.", DUE)
        assert await notices.open_notice(connection, 2, "channel", "The channel is gone.", DUE)
        assert await notices.is_reported(connection, 1, "channel")
        assert await notices.open_notices(connection, 1) == ["The channel is gone."]
        await notices.settle_notices(connection, 1, ["channel"], DUE)
        assert not await notices.is_reported(connection, 1, "channel")
        assert await notices.open_notices(connection, 1) == []
        assert await notices.open_notice(connection, 1, "channel", "The channel is gone again.", DUE)
        assert await notices.open_notices(connection, 1) == ["The channel is gone again."]
