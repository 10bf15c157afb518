"""Numbers in prose: how much, of what, in whatever way it is written.

`22.87%` is `22.87 percent`, `forty-five` is `45`, `917B` is `917 billion`, `1,536` is `1536`, and `8.21e-3` is
`8.21 × 10⁻³`. Names with digits (`H100`, `v6e-4`) are no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.narrate.claims.units import UNITS, plural_to_singular
from bot.narrate.wordset import word_set

_TO_NINETEEN = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
ONES = {word: n for n, word in enumerate(_TO_NINETEEN.split())}
TENS = {
    word: 10 * n
    for n, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
LETTERS = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12}
WORD_VALUES = {"dozen": Fraction(12), "half": Fraction(1, 2), "twice": Fraction(2), "thrice": Fraction(3)}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as told: its value (a percentage as its number of percent), unit ("" without one) and place.

    `noun` is the word that it counts, in singular; `vague` marks "hundreds of" (the value is the scale).
    """

    value: Fraction
    unit: str
    noun: str
    start: int
    end: int
    text: str
    vague: bool = False


MOST_DIGITS = 60  # what is longer is no number that prose tells
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺·", "0123456789-+.")
_SUPER = "[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺·]"
_NUMBER = re.compile(
    rf"""(?<![\w.,^])(?<![A-Za-z]-)(?:(?P<currency>[$€])\s?)?
    (?P<sign>[-−+~≈](?=[\d.]))?
    (?P<digits>\d{{1,3}}(?:[,'’\u00a0\u202f]\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
    (?:[eE](?P<exponent>[-−+]?\d{{1,3}})|\s?[×x*·]\s?10(?:\^\(?(?P<power>[-−+]?\d{{1,3}})\)?|(?P<super>{_SUPER}+)))?
    (?P<tail>(?:[A-Za-zµμ%×/]+(?:/[a-z]+)?)?)(?P<more>[\w]?)""",
    re.VERBOSE,
)
_IN_NAME = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9]*\d-$")  # of `v4-2048`, not of `64-128`
_BARE_POWER = re.compile(rf"(?<![\w.])(?P<sign>-|−)?10(?:\^\(?(?P<power>[-−+]?\d{{1,3}})\)?|(?P<super>{_SUPER}+))")
_BARE_SUPER = re.compile(rf"(?<!10)(?<![A-Za-z])(?<!{_SUPER}){_SUPER}+")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_NEXT = re.compile(r"[\s\u00a0\u202f-]?\s?(?:\(|\[)?([A-Za-zµμ%×$€°][\w/%°-]*)")
_FILL = re.compile(r"[\s-]([A-Za-z][\w/]*)(?:[\s-]([A-Za-z][\w/]*))?(?:[\s-]([A-Za-z][\w/]*))?")


_OTHER_RATE = re.compile(r"\s(?:per|an?|every|each) (minute|hour|day)\b")
_CASED = {"A": "a", "g": "g"}  # ampere and gram, of which the other case is a word or a prefix


def _unit_behind(text: str, end: int) -> tuple[str, str, int]:
    """Unit or counted noun behind a number, with the scale word before it: (unit, noun, end of the unit)."""
    following = _NEXT.match(text, end)
    if following is None:
        return "", "", end
    word = following[1].lower()
    if text[following.end() :].lower().startswith((" per second", " a second", " per sec")) and word in (
        "tokens",
        "token",
    ):
        return "tok/s", "", following.end()
    if word in ("tokens", "token") and (rate := _OTHER_RATE.match(text, following.end())):
        return f"tok/{rate[1]}", "", rate.end()
    if (cased := following[1]) in _CASED:
        return _CASED[cased], "", following.end()
    if word in ("percentage", "per") and (rest := re.match(r"[\s-](points?|cent)\b", text[following.end() :])):
        return ("pp" if word == "percentage" else "%"), "", following.end() + rest.end()
    if re.fullmatch(r"[a-z]{1,12}/(?:s|sec|min|h|day)", word) and word not in UNITS:
        return word, "", following.end()
    for form in (word, word.partition("-")[0]):
        if form in UNITS:
            unit = UNITS[form]
            end_of_unit = following.start(1) + len(form)
            rate = re.match(r"\s?(?:per|a|/)\s?(?:second|sec|s)\b", text[end_of_unit:])
            if rate and f"{unit}/s" in UNITS.values():
                return f"{unit}/s", "", end_of_unit + rate.end()
            return unit, "", end_of_unit
    return "", _noun_behind(text, end), end


_SKIPPED = word_set(
    """of the a an and or to in on for with by at from per as is are was were than that which who more other further
    new different distinct additional separate total own extra up down into out over under vs versus against while
    but after before now then so its their this these those not only just also about around or"""
)


def _noun_behind(text: str, end: int) -> str:
    """The noun that a number counts: the last of up to three words behind it that no break parts from it."""
    match = _FILL.match(text, end)
    noun = ""
    for word in match.groups() if match else ():
        if word is None or word.lower() in _STOP_AT:
            break
        if word.lower() in _SKIPPED:
            if noun:
                break
            continue
        noun = word
        if word.lower().endswith("s") or word.lower() == "people":
            break
    return plural_to_singular(noun) if noun.lower().endswith("s") or noun.lower() == "people" else ""


_STOP_AT = word_set(
    "to from vs versus and or in on at by with is are was were than per while but against after before →"
)


def figures(text: str) -> list[Figure]:
    """Every number in `text`, in order. Addresses, references and dates should be blanked beforehand."""
    found = [*_numeric(text), *_spelled(text)]
    return sorted(_with_range_units(text, sorted(found, key=lambda figure: figure.start)), key=lambda f: f.start)


def _numeric(text: str) -> Iterator[Figure]:
    covered = {match.start() for match in re.finditer(r"(?<=[×x*·])\s?10(?=\^|⁻|[⁰-⁹¹²³])", text)}
    for match in _BARE_POWER.finditer(text):
        if match.start() in covered or match.start() - 1 in covered:
            continue
        exponent = int((match["power"] or match["super"].translate(_SUPERSCRIPT)).replace("−", "-"))
        if abs(exponent) < 400:
            yield _figure(text, match, Fraction(10) ** exponent, "")
    for match in _BARE_SUPER.finditer(text):
        raised = match[0].translate(_SUPERSCRIPT)
        if len(raised) < MOST_DIGITS and re.fullmatch(r"-?\d+(?:\.\d+)?", raised):
            yield _figure(text, match, Fraction(raised), "")
    for match in _NUMBER.finditer(text):
        if _IN_NAME.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        if (
            len(match["digits"]) > MOST_DIGITS
            or match["more"]
            or (match["digits"] == "10" and (text[match.end() : match.end() + 1] == "^"))
        ):
            continue
        value = Fraction(re.sub(r"[,'’\u00a0\u202f]", "", match["digits"]))
        power = match["exponent"] or match["power"] or (match["super"] or "").translate(_SUPERSCRIPT)
        if power:
            if not re.fullmatch(r"[-−+]?\d{1,3}", power):
                continue
            value *= Fraction(10) ** int(power.replace("−", "-"))
        if match["sign"] in ("-", "−"):
            value = -value
        tail = match["tail"]
        scale, unit = _tail(tail)
        if scale is None:
            continue
        yield _figure(text, match, value * scale, unit or {"$": "$", "€": "€"}.get(match["currency"] or "", ""))


def _tail(tail: str) -> tuple[int | None, str]:
    """What is written right behind the digits: a scale, a unit, both or an ordinal; None if it makes a name."""
    lower = tail.lower()
    if not tail:
        return 1, ""
    if lower in ("st", "nd", "rd", "th"):
        return 1, ""
    if tail in ("B", "K", "k", "M", "T", "b", "bn", "mn", "m"):
        return LETTERS[lower], ""
    if lower in UNITS:
        return 1, UNITS[lower]
    for letter in ("k", "m", "b", "t"):
        if lower.startswith(letter) and lower[1:] in UNITS:
            return LETTERS[letter], UNITS[lower[1:]]
    return (1, "") if lower.endswith("s") and lower[:-1] in LETTERS else (None, "")


def _figure(text: str, match: re.Match[str], value: Fraction, unit: str) -> Figure:
    end = match.end()
    following = re.match(r"[\s-]?(hundred|thousand|million|billion|trillion)\b", text[end : end + 14], re.IGNORECASE)
    if following:
        value *= SCALES[following[1].lower()]
        end += following.end()
    noun = ""
    if not unit:
        unit, noun, end = _unit_behind(text, end)
    elif "/" not in unit and (rate := re.match(r"\s?(?:per|a|/)\s?(?:second|sec|s)\b", text[end : end + 12])):
        unit, end = (f"{unit}/s", end + rate.end()) if f"{unit}/s" in UNITS.values() else (unit, end)
    if not unit and re.search(r"factor of $", text[max(0, match.start() - 10) : match.start()]):
        unit = "x"
    return Figure(value, unit, noun, match.start(), end, text[match.start() : end])


def _spelled(text: str) -> Iterator[Figure]:
    """Numbers in words: `forty-five`, `two hundred and ninety`, `a dozen`, `hundreds of`."""
    words = [(word[0].lower(), word.start(), word.end()) for word in _WORD.finditer(text)]
    index = 0
    while index < len(words):
        value, used, vague = _read_words(text, words, index)
        if value is None:
            index += 1
            continue
        start, end = words[index][1], words[index + used - 1][2]
        unit, noun, unit_end = _unit_behind(text, end)
        if words[index][0] in ("twice", "thrice"):
            unit, noun, unit_end = "x", "", end
        yield Figure(value, unit, noun, start, unit_end, text[start:unit_end], vague)
        index += used


def _read_words(text: str, words: list[tuple[str, int, int]], index: int) -> tuple[Fraction | None, int, bool]:
    word = words[index][0]
    if word in ("hundreds", "thousands", "millions", "billions", "dozens"):
        return Fraction(12 if word == "dozens" else SCALES[word[:-1]]), 1, True
    if word in WORD_VALUES:
        return WORD_VALUES[word], 1, False
    total = current = 0
    used = 0
    seen = False
    for position in range(index, min(index + 9, len(words))):
        if position > index and not re.fullmatch(r"[\s-]+", text[words[position - 1][2] : words[position][1]]):
            break
        here = words[position][0]
        part = _small(here)
        if part is not None:
            current += part
            seen = True
        elif here in SCALES and seen:
            if SCALES[here] == 100:
                current *= 100
            else:
                total, current = total + current * SCALES[here], 0
        elif here == "a" and position + 1 < len(words) and words[position + 1][0] in SCALES:
            current, seen = 1, True
        elif here == "dozen" and seen:
            current *= 12
        elif here == "and" and seen and position + 1 < len(words) and words[position - 1][0] in SCALES:
            if _small(words[position + 1][0]) is None:
                break
            continue
        else:
            break
        used = position - index + 1
        following = words[position + 1][0] if position + 1 < len(words) else ""
        if (
            part is not None
            and following not in SCALES
            and following not in ("and", "dozen")
            and not (here in TENS and following in ONES)
        ):
            break
    if not seen or not used:
        return None, 1, False
    return Fraction(total + current), used, False


def _small(word: str) -> int | None:
    if word in ONES:
        return ONES[word]
    if word in TENS:
        return TENS[word]
    ten, _, one = word.partition("-")
    return TENS[ten] + ONES[one] if ten in TENS and 0 < ONES.get(one, 0) < 10 else None


_RANGE = re.compile(
    r"\s*(?:[-–—→]|->|to|and|or|vs\.?|versus|against|over|/)\s*(?:(?:about|around|roughly|nearly|almost|just) )?$"
)


def _with_range_units(text: str, found: list[Figure]) -> Iterator[Figure]:
    """In `23–61%` and `from 64 to 78%` the unit behind the last number is that of the first too."""
    for index, figure in enumerate(found):
        following = found[index + 1] if index + 1 < len(found) else None
        bare = following is not None and following.unit and not figure.unit and not figure.noun
        if following is not None and bare and _RANGE.fullmatch(text[figure.end : following.start]):
            yield replace(figure, unit=following.unit)
        else:
            yield figure


def comparable(one: Figure, two: Figure) -> bool:
    """Whether the units allow it that two figures are of one kind."""
    return not (one.unit and two.unit and one.unit != two.unit)


def is_same(one: Figure, two: Figure) -> bool:
    return one.value == two.value and comparable(one, two)
