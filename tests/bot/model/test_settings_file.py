"""Settings written to a file and read back are the same settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.settings import EditionSettings, GitHubSettings, GuildSettings, SectionSettings, parse_settings
from bot.model.settings_file import write_settings
from tests.conftest import EXAMPLES

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.mark.parametrize("week", ["marin-2026-08-24", "marin-2026-03-09"])
def test_the_example_weeks_settings_survive(week: str) -> None:
    settings = parse_settings((EXAMPLES / week / "settings.toml").read_text())
    assert parse_settings(write_settings(settings)) == settings


def test_the_defaults_survive() -> None:
    assert parse_settings(write_settings(GuildSettings())) == GuildSettings()


@given(title=_TEXT, section=_TEXT.filter(bool), agents=st.dictionaries(_TEXT, _TEXT, max_size=3))
def test_any_text_survives(title: str, section: str, agents: dict[str, str]) -> None:
    settings = GuildSettings(
        edition=EditionSettings(title=title),
        github=GitHubSettings(agents=agents, allowed_private={"a/b": ["x"]}),
        sections=[SectionSettings(key="a", title=section, order=1000)],
    )
    assert parse_settings(write_settings(settings)) == settings
