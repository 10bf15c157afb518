"""Every failed command is answered: with the way out, or with a reference that is in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.answers import tell

if TYPE_CHECKING:
    from bot.client import DigestBot


async def setup(bot: DigestBot) -> None:
    bot.tree.on_error = tell  # type: ignore[method-assign]
