"""The title of an edition."""

from __future__ import annotations

import re
from datetime import date
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_skeleton

from bot.model.schedule import Period
from bot.model.settings import GuildSettings


def title_of(settings: GuildSettings, guild: str, period: Period) -> str:
    """The settings' title with `{week}` (the period's first day), `{guild}` and `{repository}` filled in."""
    first = period.start.astimezone(ZoneInfo(period.timezone)).date()
    values = {
        "week": day_in_words(first, settings.edition.language),
        "guild": guild,
        "repository": settings.github.default or "",
    }
    return re.sub(r"\{(week|guild|repository)\}", lambda found: values[found[1]], settings.edition.title).strip()


def day_in_words(day: date, language: str) -> str:
    """ "August 24th" in English, the language's own form elsewhere."""
    try:
        locale = Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    if locale.language != "en":
        return format_skeleton("MMMMd", day, locale=locale)
    return f"{day:%B} {ordinal(day.day)}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
