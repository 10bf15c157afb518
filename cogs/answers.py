"""How every command answers: at once, to the caller alone, in one sentence where something is wrong.

Not a cog itself; the cogs share it.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord import app_commands

from bot.errors import ForbiddenError, GazetteError
from bot.model.text import cut

if TYPE_CHECKING:
    from bot.client import DigestBot  # noqa: F401  (named in the string below)

Interaction = discord.Interaction["DigestBot"]
UNKNOWN_INTERACTION = 10062
_LONGEST = 2000
log = structlog.get_logger(__name__)


async def acknowledge(interaction: Interaction, *, thinking: bool = True) -> None:
    """Tell Discord that an answer to the caller alone will come: within three seconds of the command, before any work.

    Raises discord.NotFound where Discord no longer knows the interaction; then nothing must be done.
    """
    if not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True, thinking=thinking)


async def answer(interaction: Interaction, content: str, **more: Any) -> None:
    """Answer the caller alone. Where Discord takes no answer any more, the outcome is written to the log instead."""
    try:
        if interaction.response.is_done():
            await interaction.followup.send(content, ephemeral=True, **more)
        else:
            await interaction.response.send_message(content, ephemeral=True, **more)
    except discord.HTTPException as error:
        log.warning(
            "an answer could not be given",
            guild_id=interaction.guild_id,
            user_id=actor_id(interaction),
            command=name_of(interaction),
            status=error.status,
        )
        await interaction.client.services.note_unanswered(
            guild_id=interaction.guild_id or 0,
            user_id=actor_id(interaction),
            command=name_of(interaction),
            answer=content,
        )


def actor_id(interaction: Interaction) -> int:
    """The id under which what the caller does is kept: nobody's for somebody who opted out or was erased."""
    kept: int = interaction.client.services.actor_id(interaction.guild_id or 0, interaction.user.id)
    return kept


async def require_moderator(interaction: Interaction) -> None:
    """Raise ForbiddenError unless the caller may moderate the guild's digest now."""
    if interaction.guild_id is None or not isinstance(interaction.user, discord.Member):
        raise ForbiddenError("This works only in a server that uses the digest.")
    allowed = await interaction.client.services.configuration.may_moderate(
        interaction.guild_id,
        permissions=interaction.permissions.value,
        role_ids=[role.id for role in interaction.user.roles],
    )
    if not allowed:
        raise ForbiddenError(
            "Only the digest's moderators may do this. Somebody who manages the server can give you the role that "
            "`/digest settings` names."
        )


async def tell(interaction: Interaction, error: Exception) -> None:
    """Answer a failed interaction."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if isinstance(cause, discord.NotFound) and cause.code == UNKNOWN_INTERACTION:
        log.warning("an interaction came too late to be acknowledged; nothing was done", command=name_of(interaction))
        return
    if isinstance(cause, GazetteError):
        await answer(interaction, cut(str(cause), _LONGEST))
        return
    if isinstance(cause, app_commands.CheckFailure):
        await answer(interaction, "You may not use this command here. It works for members with the right permission.")
        return
    if isinstance(cause, app_commands.TransformerError):
        await answer(interaction, f"`{cause.value}` does not fit here. Choose one of the suggestions, or see `/help`.")
        return
    reference = new_reference()
    log.error(
        "a command failed",
        command=name_of(interaction),
        guild_id=interaction.guild_id,
        reference=reference,
        exc_info=cause,
    )
    await answer(
        interaction,
        f"Something went wrong, and nothing was changed half-way. Please try again; if it stays so, tell whoever runs "
        f"the bot this reference: `{reference}`.",
    )


def name_of(interaction: Interaction) -> str:
    """The command's full name, or the component's id."""
    if interaction.command is not None:
        return interaction.command.qualified_name
    data: Any = interaction.data or {}
    return str(data.get("custom_id", "unknown"))


def new_reference() -> str:
    """A short code under which an unexpected error stands in the log."""
    return secrets.token_hex(4)
