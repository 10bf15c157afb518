"""Takes back what the log says somebody had the bot do."""

from __future__ import annotations

from dataclasses import dataclass

from bot.capture.tagging import MARKED, TAGGED, UNTAGGED, Tagging
from bot.errors import ConflictError
from bot.publish.configuration import CHANGED, Configuration
from bot.store.actions import fetch_action
from bot.store.engine import Store


@dataclass(frozen=True, slots=True)
class Undo:
    """Undoes single changes by their id in the log of actions."""

    store: Store
    configuration: Configuration
    tagging: Tagging

    async def __call__(self, guild_id: int, action_id: int, *, by: int) -> str:
        """Take the change back; the sentence that says so.

        Raises NotFoundError, and ConflictError where it cannot be taken back (any more).
        """
        async with self.store.read() as connection:
            action, data = await fetch_action(connection, guild_id, action_id)
        if not data:
            raise ConflictError("That cannot be undone any more: its particulars were erased with a member's data.")
        if action == CHANGED:
            await self.configuration.undo(guild_id, data, by=by)
            return "The settings are as they were before that change."
        if action in (TAGGED, UNTAGGED, MARKED):
            await self.tagging.undo(guild_id, action, data, by=by)
            return "That is taken back."
        raise ConflictError("That cannot be undone by a button; `/help` names the command that does.")
