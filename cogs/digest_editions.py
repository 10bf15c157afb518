"""`/digest history`, `show`, `amend` and `public`: the digests that there are. Not a cog itself."""

from __future__ import annotations

import io

import discord
from discord import app_commands

from bot.errors import ConflictError, NotFoundError
from bot.model.publication import EditionStatus, StoredEdition
from bot.publish.review_message import counted, coverage_lines
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import Press, button, view
from cogs.digest_group import Choices, Commands, digest, first_link
from cogs.wording import STATUS, days, fitting, moment


class EditionCommands(Commands):
    """The digests so far."""

    @digest.command(name="history", description="The digests so far")
    async def history(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        found = await self.publishing.history(interaction.guild_id or 0)
        lines = [
            f"- **{each.title}**, {STATUS[each.status]}"
            + (f" {moment(each.published_at, 'D')}" if each.published_at else "")
            + (", on the web" if each.public else "")
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
            lines.append(f"{counted(len(standing), 'message')}, the first: {first_link(guild_id, parts)}")
        lines += [f"⚠️ {sum(1 for part in parts if part.gone_at)} of its messages were deleted on Discord."] * any(
            part.gone_at for part in parts
        )
        if found.public:
            lines.append(f"On the web for everybody{self._at(found.edition_id)}. `/digest public` takes it off.")
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
        await self.publishing.amend(edition_id, by=actor_id(interaction))
        await answer(interaction, f"**{found.title}** is made anew and corrected within a minute or two.")

    @digest.command(name="public", description="Let everybody read a posted digest on the web, or no longer")
    @app_commands.describe(edition="Which one")
    async def public(self, interaction: Interaction, edition: str) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        found, _ = await self.publishing.show(await self._edition(interaction.guild_id or 0, edition))
        if found.status is not EditionStatus.PUBLISHED:
            raise ConflictError("Only a digest that has been posted can be made public.")
        content, shown = self._explained(found)
        await answer(interaction, content, view=shown, suppress_embeds=True)

    async def set_public(self, interaction: Interaction, press: Press) -> None:
        """A button below the explanation was pressed; the explanation follows."""
        await interaction.response.defer()
        await require_moderator(interaction)
        found = await self.publishing.set_public(
            interaction.guild_id or 0, int(press.args[0]), public=press.args[1] == "on", by=actor_id(interaction)
        )
        content, shown = self._explained(found)
        await interaction.edit_original_response(content=content, view=shown)

    def _explained(self, found: StoredEdition) -> tuple[str, discord.ui.View]:
        at = self._at(found.edition_id)
        if found.public:
            told = f"**{found.title}** is on the web{at}, and in the feed: everybody can read it."
            return told, view(button("Take it off the web", "public", found.edition_id, "off"))
        told = (
            f"**{found.title}** can be read in this server only. Made public, everybody can read it on the web{at} "
            "without an account, also what it tells of closed channels and private repositories, with the names of "
            "those it tells of. What is corrected or erased here is corrected there too, and you can take it off at "
            "any time; copies that others made stay theirs."
        )
        return told, view(button("Make it public", "public", found.edition_id, "on", style=discord.ButtonStyle.danger))

    def _at(self, edition_id: int) -> str:
        address = self.publishing.web_address(edition_id)
        return f" at <{address}>" if address else " (whoever runs the bot knows at which address)"

    @show.autocomplete("edition")
    @public.autocomplete("edition")
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
