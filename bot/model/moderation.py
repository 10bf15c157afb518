"""Who may moderate a guild's digest, and what a reaction means in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.model.guilds import ADMINISTRATOR, MANAGE_MESSAGES, Role
from bot.model.settings import GuildSettings

MANAGE_GUILD = 1 << 5
_CUSTOM_EMOJI = re.compile(r"<?(?:a?:)?\w*:(\d+)>?")


def emoji_key(emoji: str) -> str:
    """One spelling for an emoji: a custom one's id, whatever it is called now; others without variation selectors."""
    custom = _CUSTOM_EMOJI.fullmatch(emoji.strip())
    return custom[1] if custom else emoji.strip().replace("\ufe0f", "")


def may_moderate(
    settings: GuildSettings, *, permissions: int, role_ids: Collection[int], roles: Mapping[int, Role]
) -> bool:
    """Whether somebody with these roles and these permissions (Discord's bits) in the guild may moderate the digest.

    The guild's managers always may. With a role set, its members may; without one, whoever manages messages.
    A role that is set but does not exist (any more) admits nobody else.
    """
    if permissions & (ADMINISTRATOR | MANAGE_GUILD):
        return True
    wanted = settings.moderation.role
    if not wanted:
        return bool(permissions & MANAGE_MESSAGES)
    return any(
        str(role_id) == wanted or (role_id in roles and roles[role_id].name.casefold() == wanted.casefold())
        for role_id in role_ids
    )


def guild_permissions(guild_id: int, role_ids: Collection[int], roles: Mapping[int, Role]) -> int:
    """The permissions that roles give in the whole guild, @everyone's included."""
    granted = 0
    for role_id in {guild_id, *role_ids}:
        granted |= roles[role_id].permissions if role_id in roles else 0
    return granted


@dataclass(frozen=True, slots=True)
class ReactionMeaning:
    """What a reaction says: a moderator's tag (into `section`, None: no special one) or a member's suggestion."""

    is_suggestion: bool = False
    section: str | None = None


def meaning_of(emoji: str, settings: GuildSettings) -> ReactionMeaning | None:
    """What the guild agreed that an emoji means; None for nothing."""
    key = emoji_key(emoji)
    if key == emoji_key(settings.moderation.tag_emoji):
        return ReactionMeaning()
    for section in settings.sections:
        if section.emoji and key == emoji_key(section.emoji):
            return ReactionMeaning(section=section.key)
    if settings.moderation.suggest_emoji and key == emoji_key(settings.moderation.suggest_emoji):
        return ReactionMeaning(is_suggestion=True)
    return None
