"""`/privacy`: what members decide about themselves. It works in servers and in direct messages."""

from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import ForbiddenError, InputError
from cogs.answers import Interaction, acknowledge, answer
from cogs.components import Press, button, view

if TYPE_CHECKING:
    from bot.client import DigestBot
    from bot.publish.privacy import Erased, Policy

_MOST_BYTES = 8_000_000
"""What can be attached anywhere is more; so much is safe."""

_EVERYWHERE = "In every server that uses this bot, not in this one only"


class Privacy(commands.Cog):
    """Opt out and in, see what is stored, have everything erased. Every answer is for the caller alone."""

    privacy = app_commands.Group(
        name="privacy",
        description="What the digest stores of you, and how to leave it",
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
    )

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self.service = bot.services.privacy

    async def cog_load(self) -> None:
        self.bot.controls["privacy_erase"] = self.on_erase

    @privacy.command(name="policy", description="What is stored, why, for how long, and who sees it")
    async def policy(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        policy = await self.service.policy(interaction.user.id, interaction.guild_id)
        await answer(interaction, _told(policy, interaction.guild_id), suppress_embeds=True)

    @privacy.command(name="optout", description="Do not appear in the digest: nothing of yours is stored any more")
    @app_commands.describe(everywhere=_EVERYWHERE)
    async def optout(self, interaction: Interaction, everywhere: bool = False) -> None:
        await acknowledge(interaction)
        guild_id = None if everywhere else interaction.guild_id
        done = await self.service.opt_out(interaction.user.id, guild_id)
        where = "in every server that uses this bot" if guild_id is None else "in this server"
        await answer(
            interaction,
            f"You are opted out {where}, from now on: nothing you write is stored, quoted or counted. "
            f"{_removed(done)} To take it back: `/privacy optin`.",
        )

    @privacy.command(name="optin", description="Take an opt-out or an erasure back, from now on")
    @app_commands.describe(everywhere=_EVERYWHERE)
    async def optin(self, interaction: Interaction, everywhere: bool = False) -> None:
        await acknowledge(interaction)
        await self.service.opt_in(interaction.user.id, None if everywhere else interaction.guild_id)
        await answer(interaction, "What you write from now on is recorded again. What was removed does not come back.")

    @privacy.command(name="export", description="Everything that is stored of you, as a file")
    async def export(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        data = json.dumps(await self.service.export(interaction.user.id), ensure_ascii=False, indent=1).encode()
        name = "my-data.json"
        if len(data) > _MOST_BYTES:
            data, name = gzip.compress(data), "my-data.json.gz"
        if len(data) > _MOST_BYTES:
            raise InputError("Your data is too large for a message; ask whoever runs the bot for it.")
        await answer(
            interaction,
            "This is everything that is stored of you, in all servers. `/privacy erase` removes it.",
            file=discord.File(io.BytesIO(data), filename=name),
        )

    @privacy.command(name="erase", description="Remove everything of you everywhere, for good")
    async def erase(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await answer(
            interaction,
            "This removes everything that is stored of you, in every server that uses this bot: messages, names, "
            "joins, tags, and what posted digests and their archive say of you. It cannot be undone, and nothing of "
            "yours is stored from then on. Is that what you want?",
            view=view(
                button("Erase everything", "privacy_erase", interaction.user.id, style=discord.ButtonStyle.danger)
            ),
        )

    async def on_erase(self, interaction: Interaction, press: Press) -> None:
        """The confirmation was pressed."""
        await acknowledge(interaction)
        if press.args != (str(interaction.user.id),):
            raise ForbiddenError("Everybody can erase only what is theirs; use `/privacy erase` yourself.")
        done = await self.service.erase(interaction.user.id)
        await answer(
            interaction,
            f"Everything that was stored of you is erased. {_removed(done)} Only a keyed hash of your id stays, which "
            "keeps you out of what is recorded, read back or restored; `/privacy optin` removes that too.",
        )


def _removed(done: Erased) -> str:
    messages = "1 message was" if done.messages == 1 else f"{done.messages:,} messages were"
    told = f"{messages} removed."
    if done.posted:
        digests = "a posted digest" if done.posted == 1 else f"{done.posted} posted digests"
        told += f" What {digests} said of you is being taken out within minutes."
    return told


def _told(policy: Policy, guild_id: int | None) -> str:
    model = (
        "A language model words the facts of the digest; it is sent only what the readers of the digest may see."
        if policy.uses_model
        else "No language model is used."
    )
    public = "This server's digests are public on the web." if policy.public else ""
    if guild_id in policy.since or 0 in policy.since:
        standing = "**You are opted out.** `/privacy optin` takes it back."
    else:
        standing = "You are not opted out. `/privacy optout` does that at once."
    return "\n".join(
        filter(
            None,
            [
                "**What is stored:** messages in the channels that the digest's readers can see (text, author, "
                "mentions, counts of reactions), who joined and left and when, and what members do with this bot.",
                "**Why:** to write this community's regular digest. It is used for nothing else, sold to nobody, and "
                "trains no model.",
                f"**How long:** the content of messages for {policy.retention_days} days, numbers longer. A message "
                "that you delete loses its content here at once, and posted digests follow.",
                "**Who sees it:** digests are read by whoever can read their channel. Beyond them, this server's "
                "moderators see what a digest rests on, and whoever runs the bot has its database.",
                model,
                public,
                "**Yours to decide:** `/privacy optout`, `/privacy export`, `/privacy erase`.",
                standing,
            ],
        )
    )


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Privacy(bot))
