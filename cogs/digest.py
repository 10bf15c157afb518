"""`/digest`: everything about a guild's digest but its review."""

from __future__ import annotations

import asyncio
import contextlib
import io
from datetime import datetime
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import ConflictError, InputError, NotFoundError
from bot.model.messages import message_url
from bot.model.publication import EditionStatus, StoredPart
from bot.model.settings import WEEKDAYS
from bot.publish import settings_text
from bot.publish.review_message import counted, coverage_lines
from cogs import setup_walk
from cogs.answers import Interaction, acknowledge, answer, require_moderator
from cogs.components import Press, button, undo_view, view
from cogs.options import PostableChannel, WritableChannel
from cogs.status import figures, status_lines
from cogs.wording import STATUS, days, files, fitting, moment, pages

if TYPE_CHECKING:
    from bot.client import DigestBot

Choices = list[app_commands.Choice[str]]
_PATIENCE = 600.0
"""For how many seconds a command waits for what it began before it tells how to follow it."""


class Digest(commands.Cog):
    """The commands of `/digest`."""

    digest = app_commands.Group(
        name="digest",
        description="The community's digest",
        guild_only=True,
        default_permissions=discord.Permissions(manage_messages=True),
    )

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self.services = bot.services
        self.publishing = bot.services.publishing
        self.desk = bot.services.desk
        self.configuration = bot.services.configuration

    async def cog_load(self) -> None:
        self.bot.controls |= {"undo": self._undo, "publish": self._publish, **setup_walk.handlers(self.bot)}

    # -- settings

    @digest.command(name="setup", description="Set the digest up, step by step; what you give here is set at once")
    @app_commands.describe(
        channel="Where the digest is posted",
        timezone="Type a city or a region, such as Berlin",
        weekday="On which day it is posted",
        time="At what time, as in 09:00",
        every="How often",
        repository="A GitHub repository of the community, owner/name",
        layout="How the summary is arranged",
        review_channel="Where moderators see the draft before it is posted",
        role="Who may tag, review and set up, besides the server's managers",
    )
    @app_commands.choices(
        weekday=[app_commands.Choice(name=day.capitalize(), value=day) for day in WEEKDAYS],
        every=[app_commands.Choice(name=f"Every {rhythm}", value=rhythm) for rhythm in ("week", "two weeks", "month")],
        layout=[
            app_commands.Choice(name="By themes", value="themes"),
            app_commands.Choice(name="By epics on GitHub", value="epics"),
        ],
    )
    async def setup(
        self,
        interaction: Interaction,
        channel: PostableChannel | None = None,
        timezone: str | None = None,
        weekday: str | None = None,
        time: str | None = None,
        every: str | None = None,
        repository: str | None = None,
        layout: str | None = None,
        review_channel: WritableChannel | None = None,
        role: discord.Role | None = None,
    ) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        changes: dict[str, object] = {
            key: value
            for key, value in {
                "publish.channel": str(channel.id) if channel else None,
                "schedule.timezone": timezone,
                "schedule.weekday": weekday,
                "schedule.time": time,
                "schedule.every": every,
                "edition.layout": layout,
                "moderation.review_channel": str(review_channel.id) if review_channel else None,
                "moderation.role": str(role.id) if role else None,
            }.items()
            if value is not None
        }
        if repository is not None:
            changes |= await setup_walk.with_repository(self.bot, guild_id, repository)
        await self.configuration.change(guild_id, changes, by=interaction.user.id)
        await setup_walk.begin(interaction)

    @setup.autocomplete("timezone")
    async def _zones(self, interaction: Interaction, typed: str) -> Choices:
        return [app_commands.Choice(name=name, value=name) for name in settings_text.time_zones(typed)]

    @setup.autocomplete("time")
    async def _times(self, interaction: Interaction, typed: str) -> Choices:
        times = [f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 30)]
        return [app_commands.Choice(name=each, value=each) for each in times if typed.strip() in each][:25]

    @digest.command(name="settings", description="What is set; with a key and a value, change one setting")
    @app_commands.describe(key="Which setting", value='What it shall be; "none" empties it')
    async def settings(self, interaction: Interaction, key: str | None = None, value: str | None = None) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        if key is None:
            settings = await self.configuration.fetch_settings(guild_id)
            for page in pages(settings_text.told(settings)):
                await answer(interaction, page)
            return
        if value is None:
            raise InputError("Say what the setting shall be: choose a value as well.")
        parsed = settings_text.parse_value(key, value)
        change = await self.configuration.change(guild_id, {key: parsed}, by=interaction.user.id)
        group, _, name = key.partition(".")
        stands = settings_text.told_value(key, change.settings.model_dump(mode="json")[group][name])
        await answer(interaction, f"`{key}` is {stands} now.", view=undo_view(change.action_id))

    @settings.autocomplete("key")
    async def _keys(self, interaction: Interaction, typed: str) -> Choices:
        found = [key for key in settings_text.all_keys() if typed.strip().casefold() in key]
        return [app_commands.Choice(name=key, value=key) for key in found[:25]]

    @settings.autocomplete("value")
    async def _values(self, interaction: Interaction, typed: str) -> Choices:
        guild = interaction.guild
        found = settings_text.suggestions(
            str(interaction.namespace.key or ""),
            typed,
            channels=[(each.id, each.name) for each in guild.channels] if guild else [],
            roles=[(each.id, each.name) for each in guild.roles if not each.is_default()] if guild else [],
        )
        return [app_commands.Choice(name=shown[:100], value=value) for shown, value in found]

    async def _undo(self, interaction: Interaction, press: Press) -> None:
        await interaction.response.edit_message(view=None)
        await require_moderator(interaction)
        told = await self.services.undo(interaction.guild_id or 0, int(press.args[0]), by=interaction.user.id)
        await answer(interaction, told)

    # -- seeing and posting

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
        period = await self.desk.open_period(guild_id)
        start = period.start
        if week is None:
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
            guild_id, by=interaction.user.id, period_start=None if kind == "next" else start
        )
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.publishing.scheduler.idle(), _PATIENCE)
        await answer(interaction, await self._outcome(guild_id, run.period.start))

    async def _outcome(self, guild_id: int, start: datetime) -> str:
        found = [each for each in await self.publishing.history(guild_id) if each.period.start == start]
        if found and found[0].status is EditionStatus.PUBLISHED:
            _, parts = await self.publishing.show(found[0].edition_id)
            return f"**{found[0].title}** is posted: {_first_link(guild_id, parts)}"
        status = await self.publishing.status(guild_id)
        if status.last_run and status.last_run.error:
            return f"The digest is not posted yet: {status.last_run.error}"
        return "The digest is being made; `/digest status` shows how it stands."

    # -- how it stands

    @digest.command(name="status", description="The next and the last digest, what is read, and what is wrong")
    async def status(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        lines = await status_lines(self.services, interaction.guild_id or 0)
        await answer(interaction, fitting(lines))

    @digest.command(name="history", description="The digests so far")
    async def history(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        found = await self.publishing.history(interaction.guild_id or 0)
        lines = [
            f"- **{each.title}**, {STATUS[each.status]}"
            + (f" {moment(each.published_at, 'D')}" if each.published_at else "")
            for each in found
        ]
        await answer(interaction, fitting(lines) or "There is no digest yet. `/digest preview` shows the first one.")

    @digest.command(name="show", description="One of the digests: where it stands, and its text as a file")
    @app_commands.describe(edition="Which one")
    async def show(self, interaction: Interaction, edition: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        guild_id = interaction.guild_id or 0
        found, parts = await self.publishing.show(await self._edition(guild_id, edition))
        standing = [part for part in parts if part.message_id and part.gone_at is None]
        lines = [f"**{found.title}**, {STATUS[found.status]}, {days(found.period)}", *coverage_lines(found.document)]
        if standing:
            lines.append(f"{counted(len(standing), 'message')}, the first: {_first_link(guild_id, parts)}")
        lines += [f"⚠️ {sum(1 for part in parts if part.gone_at)} of its messages were deleted on Discord."] * any(
            part.gone_at for part in parts
        )
        document = discord.File(io.BytesIO(found.markdown.encode()), "edition.md")
        await answer(interaction, fitting(lines), file=document, suppress_embeds=True)

    @digest.command(name="amend", description="Make a posted digest anew and correct it on Discord")
    @app_commands.describe(edition="Which one")
    async def amend(self, interaction: Interaction, edition: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        edition_id = await self._edition(interaction.guild_id or 0, edition)
        found, _ = await self.publishing.show(edition_id)
        if found.status is not EditionStatus.PUBLISHED:
            raise ConflictError(
                "Only a digest that has been posted can be corrected; a draft is changed in its review."
            )
        await self.publishing.amend(edition_id, by=interaction.user.id)
        await answer(interaction, f"**{found.title}** is made anew and corrected within a minute or two.")

    @show.autocomplete("edition")
    @amend.autocomplete("edition")
    async def _editions(self, interaction: Interaction, typed: str) -> Choices:
        found = await self.publishing.history(interaction.guild_id or 0, limit=100)
        named = [(f"{each.title} ({STATUS[each.status]})", str(each.edition_id)) for each in found]
        return [app_commands.Choice(name=n[:100], value=v) for n, v in named if typed.casefold() in n.casefold()][:25]

    async def _edition(self, guild_id: int, chosen: str) -> int:
        for each in await self.publishing.history(guild_id, limit=1000):
            if chosen in (str(each.edition_id), each.title):
                return int(each.edition_id)
        raise NotFoundError("There is no such digest here. Choose one of the suggestions.")

    # -- the schedule

    @digest.command(name="pause", description="Post no digest until /digest resume")
    async def pause(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        done = await self.publishing.pause(interaction.guild_id or 0, by=interaction.user.id)
        told = "The digest is paused" if done else "The digest was paused already"
        await answer(interaction, f"{told}; recording goes on. To take it back: `/digest resume`.")

    @digest.command(name="resume", description="Go on after a pause")
    async def resume(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        run = await self.publishing.resume(interaction.guild_id or 0, by=interaction.user.id)
        await answer(interaction, f"The next digest is posted {moment(run.due_at)}. To take it back: `/digest pause`.")

    @digest.command(name="skip", description="Leave the next digest out")
    async def skip(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        run = await self.publishing.skip(interaction.guild_id or 0, by=interaction.user.id)
        await answer(
            interaction,
            f"The next digest is left out; the one after it is posted {moment(run.due_at)}. To have it after all: "
            "`/digest publish` with its week.",
        )


def _stamp(instant: datetime) -> str:
    return str(int(instant.timestamp()))


def _first_link(guild_id: int, parts: list[StoredPart]) -> str:
    found = [part for part in parts if part.message_id and part.channel_id and part.gone_at is None]
    return message_url(guild_id, found[0].channel_id or 0, found[0].message_id or 0) if found else "*none stands*"


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Digest(bot))
