"""Who may moderate, and what a reaction means."""

from __future__ import annotations

import pytest

from bot.model.guilds import ADMINISTRATOR, MANAGE_MESSAGES, Role
from bot.model.moderation import MANAGE_GUILD, ReactionMeaning, emoji_key, guild_permissions, may_moderate, meaning_of
from bot.model.settings import GuildSettings, ModerationSettings, SectionSettings

ROLES = {
    1: Role(role_id=1, guild_id=1, name="@everyone", permissions=0),
    2: Role(role_id=2, guild_id=1, name="Editors", permissions=0),
    3: Role(role_id=3, guild_id=1, name="helpers", permissions=MANAGE_MESSAGES),
}


def settings(role: str | None) -> GuildSettings:
    return GuildSettings(
        moderation=ModerationSettings(role=role, tag_emoji="📌", suggest_emoji="💡"),
        sections=[SectionSettings(key="infra", title="Infra", emoji="🛠️")],
    )


@pytest.mark.parametrize(
    ("role", "permissions", "role_ids", "may"),
    [
        (None, MANAGE_MESSAGES, [], True),
        (None, 0, [2], False),
        ("editors", 0, [2], True),
        ("2", 0, [2], True),
        ("editors", MANAGE_MESSAGES, [3], False),
        ("editors", ADMINISTRATOR, [], True),
        ("editors", MANAGE_GUILD, [], True),
        ("gone", MANAGE_MESSAGES, [2, 3], False),
    ],
)
def test_who_may(role: str | None, permissions: int, role_ids: list[int], may: bool) -> None:
    assert may_moderate(settings(role), permissions=permissions, role_ids=role_ids, roles=ROLES) is may


def test_permissions_add_up_over_roles_and_everyone() -> None:
    assert guild_permissions(1, [3], ROLES) == MANAGE_MESSAGES
    assert guild_permissions(1, [99], ROLES) == 0


@pytest.mark.parametrize(
    ("emoji", "meaning"),
    [
        ("📌", ReactionMeaning()),
        ("🛠", ReactionMeaning(section="infra")),
        ("🛠️", ReactionMeaning(section="infra")),
        ("💡", ReactionMeaning(is_suggestion=True)),
        ("👍", None),
    ],
)
def test_what_a_reaction_means(emoji: str, meaning: ReactionMeaning | None) -> None:
    assert meaning_of(emoji, settings(None)) == meaning


@pytest.mark.parametrize("written", ["<:pin:123>", "<a:pin:123>", "pin:123", " :pin:123 "])
def test_a_custom_emoji_is_the_same_however_it_is_written(written: str) -> None:
    assert emoji_key(written) == emoji_key("<:pin:123>") != emoji_key("<:pin:124>")
