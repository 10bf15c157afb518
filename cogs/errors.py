"""What holds for all commands: each failure is answered, with the way out or with a reference that is in the log,
and only moderators are given suggestions while they type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.errors import ForbiddenError
from cogs.answers import Interaction, require_moderator, tell

if TYPE_CHECKING:
    from bot.client import DigestBot


async def may_go_on(interaction: Interaction) -> bool:
    """False for what nobody but moderators may be suggested: drafts, marked messages, settings."""
    if interaction.type is not discord.InteractionType.autocomplete:
        return True
    try:
        await require_moderator(interaction)
    except ForbiddenError:
        await interaction.response.autocomplete([])
        return False
    return True


async def setup(bot: DigestBot) -> None:
    bot.tree.interaction_check = may_go_on  # type: ignore[method-assign]
    bot.tree.on_error = tell  # type: ignore[method-assign]
