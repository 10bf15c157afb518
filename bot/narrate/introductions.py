"""Newcomers whose background meets what the project works on, each in half a sentence of their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.compile.text import weight_of_words
from bot.model.edition import IntroducedPerson
from bot.model.text import hide_spoilers, one_line, plain
from bot.narrate.topics import Topics

LONGEST = 18  # words told of one person
FRAGMENTS = 2
FEW = 10
"""Of so few people some are named even where nobody's words meet the topics."""

_TELLING_WORDS = 3
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


def chosen_people(
    people: Sequence[IntroducedPerson], topics: Topics, most: int
) -> list[tuple[IntroducedPerson, list[str]]]:
    """The people to name, in the order of their introductions, each with what to quote of them."""
    rated = _rated(people, topics, whoever=False)
    if not rated and len(people) <= FEW:
        rated = _rated(people, topics, whoever=True)
    limit = min(most, max(3, round(len(people) * 0.2))) if most else 0
    best = sorted(rated, key=lambda one: -one[0])[:limit]
    kept = {person.user_id for _, person, _ in best}
    return [(person, parts) for _, person, parts in rated if person.user_id in kept]


def _rated(
    people: Sequence[IntroducedPerson], topics: Topics, *, whoever: bool
) -> list[tuple[float, IntroducedPerson, list[str]]]:
    return [
        (rate, person, parts)
        for person in people
        if (told := _told(person, topics, whoever=whoever))
        for rate, parts in [told]
    ]


def _told(person: IntroducedPerson, topics: Topics, *, whoever: bool) -> tuple[float, list[str]] | None:
    """How well somebody's words meet the topics, and the words that do; None where they do not.

    `whoever`: where they do not, the words that tell most about the person.
    """
    scored: list[tuple[float, float, float, int, str]] = []
    for place, part in enumerate(_parts(person)):
        topical = sum(sorted(topics.matches(part).values(), reverse=True)[:4])
        background = float(min(len({match.casefold() for match in _BACKGROUND.findall(part)}), 2))
        scored.append((topical + 0.8 * background - 0.02 * len(part.split()), topical, background, place, part))
    chosen: list[tuple[float, float, int, str]] = []
    for score, topical, background, place, part in sorted(scored, key=lambda one: -one[0]):
        room = LONGEST - sum(len(one[3].split()) for one in chosen)
        if score > 0.5 and len(chosen) < FRAGMENTS and len(part.split()) <= room:
            chosen.append((topical, background, place, part))
    met = sum(topical for topical, _, _, _ in chosen)
    if not met:
        telling = [
            one for one in scored if weight_of_words(one[4]) >= _TELLING_WORDS and len(one[4].split()) <= LONGEST
        ]
        if not whoever or not telling:
            return None
        best = max(telling, key=lambda one: (one[2], min(weight_of_words(one[4]), 12), -one[3]))
        return 0.1 * (1 + best[2]), [best[4]]
    rate = min(met, 5.0) * (1 + min(sum(background for _, background, _, _ in chosen), 2.0))
    return rate, [part for _, _, _, part in sorted(chosen, key=lambda one: one[2])]


def _parts(person: IntroducedPerson) -> list[str]:
    """The stretches of an introduction that can be quoted: no greeting, no bare name, nothing hidden."""
    text = _URL.sub("\n", plain(hide_spoilers(person.text or person.excerpt)))
    parts: list[str] = []
    for piece in _BREAK.split(text):
        part = one_line(_without_emoji(piece)).strip(_EDGES)
        part = _without_name(part, person.name)
        if len(part.split()) > LONGEST:
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
            parts.append(part)
    return parts


def _without_name(part: str, name: str) -> str:
    """`Bram, inference at a startup` -> `inference at a startup`."""
    for own in dict.fromkeys((name, name.split()[0] if name.split() else name)):
        match = re.match(
            rf"^(?:[\w’' ]{{0,24}}?\b)?{re.escape(own)}\b(?:\s+(?:here|aus|from))?\s*[,:–—-]\s*(?P<rest>\S.*)$",
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
