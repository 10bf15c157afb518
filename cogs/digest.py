"""`/digest`: everything about a guild's digest but its review.

The commands stand in modules of their own: an extension's module runs anew at each loading, and would add its
commands to the group once more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs import setup_walk
from cogs.digest_editions import EditionCommands
from cogs.digest_group import digest
from cogs.digest_posting import PostingCommands
from cogs.digest_schedule import ScheduleCommands
from cogs.digest_settings import SettingsCommands

if TYPE_CHECKING:
    from bot.client import DigestBot


class Digest(SettingsCommands, PostingCommands, EditionCommands, ScheduleCommands):
    """The commands of `/digest`."""

    digest = digest

    async def cog_load(self) -> None:
        self.bot.controls |= {
            "undo": self._undo,
            "publish": self._publish,
            "public": self.set_public,
            **setup_walk.handlers(self.bot),
        }


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Digest(bot))
