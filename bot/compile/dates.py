"""Dates that people write in messages, in the languages and forms they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

_MONTHS = (
    "january jan januar janvier janv enero ene gennaio gen janeiro styczeń stycznia січня января leden ledna ocak "
    "tammikuuta",
    "february feb februar février févr febrero febbraio fevereiro luty lutego лютого февраля únor února şubat "
    "helmikuuta",
    "march mar märz mars marzo março marzec marca березня марта březen března mart maaliskuuta maart",
    "april apr avril avr abril abr aprile kwiecień kwietnia квітня апреля duben dubna nisan huhtikuuta",
    "may mai mayo maggio maio maj maja травня мая květen května mayıs toukokuuta mei",
    "june jun juni juin junio giugno junho czerwiec czerwca червня июня červen června haziran kesäkuuta",
    "july jul juli juillet julio luglio julho lipiec lipca липня июля červenec července temmuz heinäkuuta",
    "august aug août agosto ago sierpień sierpnia серпня августа srpen srpna ağustos elokuuta augustus",
    "september sep sept septembre septiembre settembre setembro wrzesień września вересня сентября září eylül "
    "syyskuuta",
    "october oct oktober okt octobre octubre ottobre outubro październik października жовтня октября říjen října "
    "ekim lokakuuta",
    "november nov novembre noviembre novembro listopad listopada листопада ноября listopadu kasım marraskuuta",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia грудня декабря "
    "prosinec prosince aralık joulukuuta",
)
_WEEKDAYS = (
    "monday mon montag lundi lunes lunedì segunda-feira poniedziałek понеділок понедельник pondělí pazartesi "
    "maandag måndag",
    "tuesday tue tues dienstag mardi martes martedì terça-feira wtorek вівторок вторник úterý salı dinsdag tisdag",
    "wednesday wed mittwoch mercredi miércoles mercoledì quarta-feira środa środę середу среду středa středu "
    "çarşamba woensdag onsdag",
    "thursday thu thurs donnerstag jeudi jueves giovedì quinta-feira czwartek четвер четверг čtvrtek perşembe "
    "donderdag torsdag",
    "friday fri freitag vendredi viernes venerdì sexta-feira piątek п'ятницю пятницу pátek cuma vrijdag fredag",
    "saturday sat samstag samedi sábado sabato sobota sobotę суботу субботу sobotu cumartesi zaterdag lördag",
    "sunday sun sonntag dimanche domingo domenica niedziela niedzielę неділю воскресенье neděle neděli pazar "
    "zondag söndag",
)
_NEXT = """
    next this coming on by until am nächsten kommenden diesen prochain ce este próximo el questo prossimo na
    următoarea next-week w najbliższy v у в наступного gelecek bu på nästa op aanstaande
"""


def _index(rows: tuple[str, ...]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, row in enumerate(rows):
        for word in row.split():
            found.setdefault(word, number)
    return found


_MONTH, _WEEKDAY = _index(_MONTHS), _index(_WEEKDAYS)


def _either(words: Iterator[str] | list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=len, reverse=True))


_MONTH_WORD = rf"(?P<month>{_either(list(_MONTH))})\b\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er|º|°|\.)?"
_YEAR = r"(?:,?\s+(?:de\s+)?(?P<year>20\d\d)\b)?"
_FORMS = (
    re.compile(rf"(?<!\w){_MONTH_WORD}\s+{_DAY}(?!\d|%|[:.,]\d){_YEAR}", re.IGNORECASE),
    re.compile(rf"(?<![\w.,]){_DAY}\s+(?:of\s+|de\s+)?{_MONTH_WORD}(?!\w){_YEAR}", re.IGNORECASE),
    re.compile(r"(?<![\w./-])(?P<year>20\d\d)-(?P<number>[01]?\d)-(?P<day>[0-3]?\d)(?=T\d|(?![\w/]|-\d))"),
    re.compile(r"(?:(?P<year>20\d\d)\s*[年년]\s*)?(?P<number>1?\d)\s*[月월]\s*(?P<day>[0-3]?\d)\s*[日일号號]"),
    re.compile(r"(?<![\w.,:/])(?P<day>[0-3]?\d)\.\s?(?P<number>[01]?\d)\.(?:\s?(?P<year>20\d\d)(?!\d)|(?![\w]))"),
)
_STAMP = re.compile(r"<t:(\d{1,12})(?::[tTdDfFR])?>")
_LONG_WEEKDAYS = _either([word for word in _WEEKDAY if len(word) > 3])
_AT = r"(?:,?\s+(?:at|um|à|a las|alle|às|o|в|saat)?\s*\d{1,2}(?::|\s?h|\s?(?:am|pm|uhr|utc)))"
_ON_WEEKDAY = re.compile(
    rf"(?<!\w)(?:{_either(_NEXT.split())})\s+(?P<weekday>{_LONG_WEEKDAYS})(?!\w)"
    rf"|(?<!\w)(?P<bare>{_LONG_WEEKDAYS})(?={_AT})",
    re.IGNORECASE,
)
_TOMORROW = re.compile(
    r"(?<!\w)(?:tomorrow|morgen|demain|mañana|domani|amanhã|jutro|завтра|zítra|yarın)(?!\w)|明日|明天|내일",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"<?https?://\S+")
_FENCE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A date in a text. `instant` where the text names the very moment; `start` and `end` are places in the text.

    `vague`: only a weekday is named, which may as well be the one before.
    """

    day: date
    start: int
    end: int
    instant: datetime | None = None
    vague: bool = False


def dates_in(text: str, *, said_at: datetime, zone: ZoneInfo) -> list[Spoken]:
    """The dates that a message names, in the order of the text; weekdays and days without a year are those next
    to when it was said. What stands in code or in an address is no date."""
    bare = _ADDRESS.sub(lambda m: " " * len(m[0]), _FENCE.sub(lambda m: " " * len(m[0]), text))
    today = said_at.astimezone(zone).date()
    found: list[Spoken] = []
    for match in _STAMP.finditer(bare):
        try:
            instant = datetime.fromtimestamp(int(match[1]), UTC)
        except (ValueError, OverflowError, OSError):
            continue
        found.append(Spoken(instant.astimezone(zone).date(), match.start(), match.end(), instant))
    for form in _FORMS:
        read = [(match, _day(match, today)) for match in form.finditer(bare)]
        found.extend(Spoken(day, match.start(), match.end()) for match, day in read if day is not None)
    for match in _ON_WEEKDAY.finditer(bare):
        wanted = _WEEKDAY[(match["weekday"] or match["bare"]).lower()]
        ahead = (wanted - today.weekday()) % 7 or 7
        found.append(Spoken(today + timedelta(days=ahead), match.start(), match.end(), vague=True))
    found.extend(Spoken(today + timedelta(days=1), m.start(), m.end()) for m in _TOMORROW.finditer(bare))
    return _apart(found)


def _apart(found: list[Spoken]) -> list[Spoken]:
    """Of overlapping readings the one that stands first, of these the longest; a weekday beside a date is its."""
    kept: list[Spoken] = []
    for spoken in sorted(found, key=lambda s: (s.start, -s.end)):
        if not kept or spoken.start >= kept[-1].end:
            kept.append(spoken)
    return kept


def _day(match: re.Match[str], today: date) -> date | None:
    groups = match.groupdict()
    word = groups.get("month")
    if word and len(word) <= 3 and word[0].islower():  # "may", "mar" and "ago" are words of their own
        return None
    month = _MONTH[word.lower()] + 1 if word else int(groups["number"])
    year, day = groups.get("year"), int(groups["day"])
    try:
        if year:
            return date(int(year), month, day)
        return _nearest(month, day, today)
    except ValueError:
        return None


def _nearest(month: int, day: int, today: date) -> date:
    """The day in the year that puts it from two months back to ten months ahead."""
    for year in (today.year, today.year + 1, today.year - 1):
        candidate = date(year, month, day)
        if today - timedelta(days=60) <= candidate <= today + timedelta(days=305):
            return candidate
    return date(today.year, month, day)
