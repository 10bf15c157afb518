"""`/digest preview`, `stats` and `publish`: the next digest, before it is posted and on its way. Not a cog itself."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import datetime

import discord
from discord import app_commands

from bot.errors import ConflictError, NotFoundError
from bot.model.publication import EditionStatus
from bot.publish import settings_text
from bot.publish.review_message import coverage_lines
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import Press, button, view
from cogs.digest_group import Choices, Commands, digest, first_link
from cogs.status import figures
from cogs.wording import days, files, fitting, moment

_PATIENCE = 600.0
"""For how many seconds a command waits for what it began before it tells how to follow it."""


class PostingCommands(Commands):
    """What is told before a digest is posted, and its posting on demand."""

    @digest.command(name="preview", description="The digest as it would be posted now; only you see it")
    @app_commands.describe(week="Of which week; the present one if left out")
    async def preview(self, interaction: Interaction, week: str | None = None) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        made = await self.publishing.preview(guild_id, await self.desk.period_of(guild_id, week))
        introduction = [f"**Preview of {made.title}**, {days(made.period)}. Nothing is posted or stored."]
        await answer(interaction, fitting([*introduction, *coverage_lines(made.document)]), suppress_embeds=True)
        for part in made.parts:
            await answer(interaction, part.content, files=files(part), suppress_embeds=True)

    @digest.command(name="stats", description="The week in pictures; only you see them")
    @app_commands.describe(week="Of which week; the present one if left out")
    async def stats(self, interaction: Interaction, week: str | None = None) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        made = await self.publishing.preview(guild_id, await self.desk.period_of(guild_id, week))
        pictures = [file for part in made.parts for file in part.files if file.name.endswith(".png")]
        if not pictures:
            raise NotFoundError("There is too little to draw of that week.")
        await answer(interaction, "\n".join([f"**{days(made.period)}**", *figures(made)]), files=files(pictures))

    @preview.autocomplete("week")
    @stats.autocomplete("week")
    async def _weeks(self, interaction: Interaction, typed: str) -> Choices:
        found = await self.desk.recent_periods(interaction.guild_id or 0)
        named = [(days(period) + (" (so far)" if n == 0 else ""), days(period)[:10]) for n, period in enumerate(found)]
        return [app_commands.Choice(name=name, value=day) for name, day in named if typed.strip() in name][:25]

    @digest.command(name="publish", description="Post the digest now, after you confirm it")
    @app_commands.describe(week="A digest that was missed; the next one if left out")
    async def publish(self, interaction: Interaction, week: str | None = None) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        settings = await self.configuration.fetch_settings(guild_id)
        if not settings.publish.channel:
            raise NotFoundError("No channel is set for the digest; choose one with `/digest setup`.")
        start = (await self.desk.open_period(guild_id)).start
        if week is None:
            if start >= self.services.clock.now():
                raise ConflictError(f"The next digest tells of the time from {moment(start)} on, which is yet to come.")
            told = f"The digest from {moment(start)} until now will be posted, before its time."
        else:
            status = await self.publishing.status(guild_id)
            open_runs = [*status.offered, *status.skipped]
            start = next((run.run.period.start for run in open_runs if _stamp(run.run.period.start) == week), start)
            if _stamp(start) != week:
                raise NotFoundError("That digest cannot be made up for. Choose one of the suggestions.")
            told = f"The digest from {moment(start)} will be posted."
        place = settings_text.told_value("publish.channel", settings.publish.channel)
        kind = "next" if week is None else "missed"
        confirm = button("Post it", "publish", kind, _stamp(start), style=discord.ButtonStyle.danger)
        await answer(interaction, f"{told} It goes to {place}. `/digest preview` shows it first.", view=view(confirm))

    @publish.autocomplete("week")
    async def _missed(self, interaction: Interaction, typed: str) -> Choices:
        status = await self.publishing.status(interaction.guild_id or 0)
        periods = [run.run.period for run in [*status.offered, *status.skipped]]
        return [app_commands.Choice(name=days(each), value=_stamp(each.start)) for each in periods[-25:]]

    async def _publish(self, interaction: Interaction, press: Press) -> None:
        """The confirmation: gone with the first press, so that a second one finds nothing to press."""
        await interaction.response.edit_message(content="The digest is being made …", view=None)
        await require_moderator(interaction)
        guild_id, (kind, stamp) = interaction.guild_id or 0, press.args
        start = datetime.fromtimestamp(int(stamp), tz=self.services.clock.now().tzinfo)
        if kind == "next" and (await self.desk.open_period(guild_id)).start != start:
            raise ConflictError("That digest has been posted or is being posted; `/digest status` shows how it stands.")
        run = await self.publishing.publish_now(
            guild_id, by=actor_id(interaction), period_start=None if kind == "next" else start
        )
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.publishing.scheduler.idle(), _PATIENCE)
        await answer(interaction, await self._outcome(guild_id, run.period.start))

    async def _outcome(self, guild_id: int, start: datetime) -> str:
        found = [each for each in await self.publishing.history(guild_id) if each.period.start == start]
        if found and found[0].status is EditionStatus.PUBLISHED:
            _, parts = await self.publishing.show(found[0].edition_id)
            return f"**{found[0].title}** is posted: {first_link(guild_id, parts)}"
        status = await self.publishing.status(guild_id)
        if status.last_run and status.last_run.error:
            return f"The digest is not posted yet: {status.last_run.error}"
        return "The digest is being made; `/digest status` shows how it stands."


def _stamp(instant: datetime) -> str:
    return str(int(instant.timestamp()))
