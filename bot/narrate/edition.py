"""From facts to sentences: `narrate` fills an edition's words."""

from __future__ import annotations

from bot.model.edition import Edition
from bot.model.settings import GuildSettings


def narrate(edition: Edition, settings: GuildSettings) -> Edition:
    """The edition with its narrative; pure, and the same for the same input."""
    from bot.narrate.compose import composed

    return composed(edition, settings)
