"""Newcomers whose background meets what the project works on, each in half a sentence of their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.compile.text import weight_of_words
from bot.model.edition import IntroducedPerson
from bot.model.text import hide_spoilers, one_line, plain
from bot.narrate.topics import Topics

LONGEST = 18  # words told of one person
FRAGMENTS = 2
FEW = 10
"""Of so few people some are named even where nobody's words meet the topics."""

_TELLING_WORDS = 3
_MEETS = 0.5  # what somebody is rated at least whose words meet the topics
_ENDS = tuple(".!?…。！？;")
_BACKGROUND = re.compile(
    r"\b(?:ph\.?d\w*|doctora\w*|doktor\w*|doutora\w*|professor\w*|profes\w*|postdoc\w*|research\w*|scientist|engineer\w*|lab|labs|startup|start-up"
    r"|institut\w*|universi\w*|industry|company|team|teach\w*|student|thesis|master|developer|maintain\w*|sre|compilers?"
    r"|ingeni\w*|dottor\w*|chercheu\w*|étudiant\w*|forsch\w*)\b",
    re.IGNORECASE,
)
_URL = re.compile(r"<?https?://\S+>?")
_BREAK = re.compile(r"\n|[•·✨|]|(?<=[.!?…。！？;])\s*(?=\S)|\s[–—-]\s|\s/\s")
_LEAD = re.compile(r"^(?:[-*•·\d.)\s]*)(?:and|but|so|also|und|et|y|e)\s+", re.IGNORECASE)
_EDGES = " \t-–—•·*.,;:!…|/()"
_GREETING = re.compile(
    r"^(?:hi|hey|hello|hallo|hola|bonjour|salut|ciao|hej|moin|greetings|good \w+"
    r"|introducing myself|new here|thanks|thank you|same here)\b[\w\s,!]{0,24}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of an introduction that can be quoted, its place among them, and whether a sentence ends with it."""

    text: str
    place: int
    ends: bool

    @property
    def length(self) -> int:
        return len(self.text.split())


def chosen_people(people: Sequence[IntroducedPerson], topics: Topics, most: int) -> list[tuple[IntroducedPerson, str]]:
    """The people to name, in the order of their introductions, each with what to quote of them."""
    limit = min(most, max(3, round(len(people) * 0.2))) if most else 0
    rated = [(rate, place, words) for place, one in enumerate(people) for rate, words in _told(one, topics)]
    meeting = [one for one in rated if one[0] >= _MEETS]
    candidates = rated if len(people) <= FEW and not meeting else meeting
    best = sorted(candidates, key=lambda one: -one[0])[:limit]
    return [(people[place], words) for _, place, words in sorted(best, key=lambda one: one[1])]


def _told(person: IntroducedPerson, topics: Topics) -> list[tuple[float, str]]:
    """How well somebody's words meet the topics, with those that do; less than `_MEETS` with those that tell most."""
    scored: list[tuple[float, float, float, _Part]] = []
    for part in _parts(person):
        topical = sum(sorted(topics.matches(part.text).values(), reverse=True)[:4])
        background = float(min(len({match.casefold() for match in _BACKGROUND.findall(part.text)}), 2))
        scored.append((topical + 0.8 * background - 0.02 * part.length, topical, background, part))
    chosen: list[tuple[float, float, _Part]] = []
    for score, topical, background, part in sorted(scored, key=lambda one: -one[0]):
        room = LONGEST - sum(one.length for _, _, one in chosen)
        if score > 0.5 and len(chosen) < FRAGMENTS and part.length <= room:
            chosen.append((topical, background, part))
    met = sum(topical for topical, _, _ in chosen)
    if met:
        rate = min(met, 5.0) * (1 + min(sum(background for _, background, _ in chosen), 2.0))
        return [(max(rate, _MEETS), _in_a_row([part for _, _, part in chosen], _letters(person.text)))]
    telling = [one for one in scored if weight_of_words(one[3].text) >= _TELLING_WORDS and one[3].length <= LONGEST]
    if not telling:
        return []
    named = person.name.casefold()
    best = max(
        telling,
        key=lambda one: (
            one[2],
            named not in one[3].text.casefold(),
            min(weight_of_words(one[3].text), 12),
            -one[3].place,
        ),
    )
    return [(_MEETS * 0.2 * (1 + best[2]), best[3].text)]


def _in_a_row(parts: Sequence[_Part], written: str) -> str:
    """The parts as one quotation: a comma where a line ended between them, an ellipsis where words are left out.

    `written` are the letters of the whole introduction.
    """
    ordered = sorted(parts, key=lambda part: part.place)
    text = ordered[0].text
    for before, part in pairwise(ordered):
        follows = not before.ends and _letters(before.text + part.text) in written
        text += f", {part.text}" if follows else f" … {part.text}"
    return text


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def _parts(person: IntroducedPerson) -> list[_Part]:
    """The stretches of an introduction that can be quoted: no greeting, no bare name, nothing hidden."""
    text = _URL.sub("\n", plain(hide_spoilers(person.text or person.excerpt)))
    parts: list[_Part] = []
    for place, piece in enumerate(_BREAK.split(text)):
        whole = one_line(_without_emoji(piece)).strip()
        part = _without_name(whole.strip(_EDGES), person.name)
        shortened = len(part.split()) > LONGEST
        if shortened:
            part = _half(part)
        part = _LEAD.sub("", part).strip(_EDGES)
        if part.count("(") > part.count(")"):
            part += ")"
        if (
            len(part) > 1
            and "[spoiler" not in part
            and not _GREETING.match(part)
            and part.casefold() != person.name.casefold()
        ):
            parts.append(_Part(part, place, shortened or whole.endswith(_ENDS)))
    return parts


def _without_name(part: str, name: str) -> str:
    """`Bram, inference at a startup` -> `inference at a startup`, `hi, I'm Bo, a painter` -> `a painter`."""
    for own in dict.fromkeys((name, name.split()[0] if name.split() else name)):
        match = re.match(
            rf"^(?:[\w’' ,!]{{0,40}}?\b)?{re.escape(own)}\b(?:\s+(?:here|aus|from))?\s*[,:–—-]\s*(?P<rest>\S.*)$",
            part,
            re.IGNORECASE,
        )
        if match and len(match["rest"].split()) > 1:
            return match["rest"]
    return part


def _half(part: str) -> str:
    """The beginning of a long stretch, up to its last comma within the length."""
    room = " ".join(part.split()[:LONGEST])
    end = max(room.rfind(mark) for mark in (", ", " and ", ": ", "; "))
    return room[:end] if end > len(room) // 3 else ""


_EMOJI = re.compile("[\U0001f000-\U0001faff☀-➿⬀-⯿️‍\U000e0000-\U000e007f]+|:\\w+:")


def _without_emoji(text: str) -> str:
    return _EMOJI.sub(" ", text)
