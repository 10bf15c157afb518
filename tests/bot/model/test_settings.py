"""A guild's settings: defaults, and what the repositories resolve to."""

from __future__ import annotations

import pytest

from bot.errors import SettingsError
from bot.model.settings import GuildSettings, parse_settings


def test_every_key_has_a_default() -> None:
    assert parse_settings("") == GuildSettings()
    assert GuildSettings().schedule.time == "09:00"


def test_the_default_repository_is_the_first_unless_named() -> None:
    first = parse_settings('[github]\nrepositories = ["a/one", "a/two"]\n').github
    named = parse_settings('[github]\nrepositories = ["a/one", "a/two"]\ndefault_repository = "a/two"\n').github
    assert first.default == "a/one"
    assert named.default == "a/two"
    assert named.tracked == ("a/two", "a/one")


def test_a_repository_named_twice_is_tracked_once() -> None:
    settings = parse_settings('[github]\nrepositories = ["A/One", "a/one"]\ndefault_repository = "a/one"\n').github
    assert len(settings.tracked) == 1


def test_settings_survive_json() -> None:
    text = '[github.agents]\nagent = ""\n[[sections]]\nkey = "a"\ntitle = "A"\norder = 1000\n'
    settings = parse_settings(text)
    assert GuildSettings.model_validate_json(settings.model_dump_json()) == settings


def test_a_title_holds_nothing_in_braces_that_is_not_filled_in() -> None:
    title = "{repository} {week} of {guild}"
    assert parse_settings(f'[edition]\ntitle = "{title}"\n').edition.title == title
    with pytest.raises(SettingsError, match=r"line 2.*\{weak\}.*\{week\}"):
        parse_settings('[edition]\ntitle = "Week of {weak}"\n')
