"""The tables, one module for each group; importing this package registers them all."""

from bot.store.tables import editions, github, guilds, messages, moderation
from bot.store.tables.base import Base, UtcDateTime

__all__ = ["Base", "UtcDateTime", "editions", "github", "guilds", "messages", "moderation"]
