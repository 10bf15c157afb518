"""`/digest status`, `pause`, `resume` and `skip`: how it stands, and the schedule. Not a cog itself."""

from __future__ import annotations

from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.digest_group import Commands, digest
from cogs.status import status_lines
from cogs.wording import fitting, moment


class ScheduleCommands(Commands):
    """How it stands with the next digests."""

    @digest.command(name="status", description="The next and the last digest, what is read, and what is wrong")
    async def status(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        lines = await status_lines(self.services, interaction.guild_id or 0)
        await answer(interaction, fitting(lines))

    @digest.command(name="pause", description="Post no digest until /digest resume")
    async def pause(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        done = await self.publishing.pause(interaction.guild_id or 0, by=actor_id(interaction))
        told = "The digest is paused" if done else "The digest was paused already"
        await answer(interaction, f"{told}; recording goes on. To take it back: `/digest resume`.")

    @digest.command(name="resume", description="Go on after a pause")
    async def resume(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        run = await self.publishing.resume(interaction.guild_id or 0, by=actor_id(interaction))
        await answer(interaction, f"The next digest is posted {moment(run.due_at)}. To take it back: `/digest pause`.")

    @digest.command(name="skip", description="Leave the next digest out")
    async def skip(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        run = await self.publishing.skip(interaction.guild_id or 0, by=actor_id(interaction))
        await answer(
            interaction,
            f"The next digest is left out; the one after it is posted {moment(run.due_at)}. To have it after all: "
            "`/digest publish` with its week.",
        )
