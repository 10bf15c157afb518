"""What the cogs work with: the stages, wired by `bot.app` and handed on by the client."""

from __future__ import annotations

from dataclasses import dataclass

from bot.capture.exclusions import Exclusions
from bot.capture.reaction_tags import ReactionTags
from bot.capture.read_back import ReadBack
from bot.capture.recorder import Recorder
from bot.capture.tagging import Tagging
from bot.github.desk import GitHubDesk
from bot.model.clock import Clock
from bot.publish.configuration import Configuration
from bot.publish.desk import Desk
from bot.publish.privacy import Privacy
from bot.publish.review import Reviews
from bot.publish.service import Publishing
from bot.publish.undo import Undo
from bot.store.actions import log_action
from bot.store.engine import Store
from bot.store.erasure import NOBODY


@dataclass(slots=True, kw_only=True)
class Services:
    """One process's stages. Cogs call them and never reach through to the store."""

    store: Store
    clock: Clock
    exclusions: Exclusions
    recorder: Recorder
    read_back: ReadBack
    configuration: Configuration
    github_desk: GitHubDesk
    tagging: Tagging
    reaction_tags: ReactionTags
    publishing: Publishing
    reviews: Reviews
    desk: Desk
    privacy: Privacy
    undo: Undo

    def actor_id(self, guild_id: int, user_id: int) -> int:
        """The id under which what somebody does is kept: NOBODY for those who opted out or were erased."""
        return NOBODY if self.exclusions.is_excluded(guild_id, user_id) else user_id

    async def note_unanswered(self, *, guild_id: int, user_id: int, command: str, answer: str) -> None:
        """Keep the outcome of a command that Discord took no answer for."""
        async with self.store.write() as connection:
            await log_action(
                connection,
                guild_id=guild_id,
                user_id=user_id,
                action="could not be answered",
                data={"command": command, "answer": answer},
                at=self.clock.now(),
            )
