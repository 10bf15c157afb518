"""Pictures: drawn where there is data, told in words, whatever letters the names have."""

from __future__ import annotations

import io
import warnings
from dataclasses import replace

import pytest
from babel import Locale
from PIL import Image

from bot.model.edition import ChannelActivity, Community, Joins
from bot.render.charts import DARK, LIGHT, Chart, draw

ENGLISH = Locale("en")


@pytest.fixture(scope="module", autouse=True)
def matplotlib_loaded() -> None:
    import matplotlib.figure  # noqa: F401


@pytest.fixture(scope="module")
def charts(full_edition) -> list[Chart]:
    return draw(full_edition, ENGLISH)


def test_a_full_week_has_three_pictures_in_two_themes(charts) -> None:
    assert [chart.name for chart in charts] == ["activity", "channels", "contributions"]
    for chart in charts:
        for png, theme in ((chart.light, LIGHT), (chart.dark, DARK)):
            picture = Image.open(io.BytesIO(png))
            assert picture.format == "PNG"
            assert picture.size == (chart.width, chart.height)
            assert chart.width == 1080
            red, green, blue = picture.convert("RGB").getpixel((2, 2))
            wanted = tuple(int(theme.background[i : i + 2], 16) for i in (1, 3, 5))
            assert max(abs(a - b) for a, b in zip((red, green, blue), wanted, strict=True)) < 8
            assert len(picture.convert("RGB").getcolors(maxcolors=1 << 20)) > 4


def test_pictures_are_told_in_words(charts) -> None:
    activity, channels, contributions = charts
    assert activity.description.startswith("Messages by day: Mon 120, Tue 133, ")
    assert "in the weeks before 129 a day on average" in activity.description
    assert "New members by day: Mon 0, Tue 5, " in activity.description
    assert channels.description == "Messages by channel: #research 700, #雑談 500, #🦞-general 34."
    assert "Core & more 3 merged and 3 opened" in contributions.description
    assert all(len(chart.description) <= 1024 for chart in (activity, channels, contributions))


def test_what_has_no_data_has_no_picture(rebuilt, full_edition) -> None:
    assert draw(rebuilt(), ENGLISH) == []
    still = tuple(replace(day, messages=0, joins=0) for day in full_edition.community.days)
    assert draw(rebuilt(community=Community(available=True, days=still)), ENGLISH) == []


def test_joins_that_nobody_could_see_are_not_drawn(full_edition, rebuilt) -> None:
    unseen = replace(full_edition.community, joins=Joins(available=False), channels=())
    assert "New members" not in draw(rebuilt(community=unseen), ENGLISH)[0].description


@pytest.mark.parametrize("name", ["雑談", "🦞", "مرحبا", "a$b$c_{x}", "\u200b", "x" * 100, "नमस्ते"])
def test_any_name_of_a_channel_is_drawn_without_a_warning(name: str, rebuilt) -> None:
    channels = (ChannelActivity(id=1, name=name, messages=5, authors=2),)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [chart] = draw(rebuilt(community=Community(available=True, channels=channels)), ENGLISH)
    assert chart.dark.startswith(b"\x89PNG")


def test_a_month_and_the_first_week_are_drawn(full_edition, rebuilt) -> None:
    days = full_edition.community.days
    month = tuple(replace(days[0], date=days[0].date.replace(day=day), messages=day) for day in range(1, 31))
    long = replace(full_edition.community, days=month, earlier_days=(), channels=())
    [chart, *_] = draw(rebuilt(community=long), ENGLISH)
    assert "weeks before" not in chart.description
    assert "30 30" in chart.description
