"""A title of a pull request or issue, taken apart and retold in English."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.model.text import one_line, plain
from bot.narrate.language.en import nouns, verbs
from bot.narrate.language.en.clauses import Form, form_of, opens_imperative, subject_end
from bot.narrate.language.en.foreign import is_foreign
from bot.narrate.language.en.words import DETERMINERS
from bot.narrate.wordset import word_set

_BRACKETED = re.compile(r"^\s*\[([^\]\n]{1,40})\]\s*[:\-–]?\s*")
_CONVENTIONAL = re.compile(r"^(?P<type>[a-z]{2,10})(?:\((?P<scope>[^)\n]{1,40})\))?!?:\s+(?=\S)")
_PREFIXED = re.compile(r"^(?P<scope>[A-Za-z][\w./+-]*(?:\s[A-Za-z][\w./+-]*){0,2}):\s+(?=\S)")
_NOISE = re.compile(r"\s*\((?:#\d+|\d+/\d+)\)\s*$|^(?:WIP|Draft|RFC)\b[:\s]*|^\W*(?=[\w\"“'`(])(?<!\()", re.IGNORECASE)
_TYPE_VERBS = {
    "fix": "fix", "bugfix": "fix", "hotfix": "fix", "refactor": "rework",
    "revert": "revert", "test": "test", "tests": "test",
}  # fmt: skip
_TYPES = frozenset(
    {*_TYPE_VERBS, "feat", "feature", "chore", "ci", "build", "perf", "style", "docs", "doc", "deps", "release", "wip"}
)
_DOUBLE_QUOTES = re.compile(r'"([^"]+)"')
_VERSION = re.compile(r"v?\d+\.\d+[\w.+-]*$")
_UNFINISHED = re.compile(r"^\W*(?:WIP|Draft|PoC)\b\W+(?=\w)", re.IGNORECASE)
_KINDS = {
    "feature request": "feature request",
    "request": "feature request",
    "bug": "bug report",
    "bug report": "bug report",
    "question": "question",
    "proposal": "proposal",
    "idea": "proposal",
    "rfc": "proposal",
}
_KIND = re.compile(rf"^({'|'.join(_KINDS)}):\s+(?=\S)", re.IGNORECASE)
_BACKSPACE = re.compile(r"(\S*?)((?:\^H)+)")


@dataclass(frozen=True, slots=True)
class Title:
    """`scopes` are the prefixes as written; `text` is the rest; `verb` and `rest` where it is an imperative.

    `label` is a prefix in front of a colon, which belongs to the title where it is quoted; `kind` is what such a
    prefix calls an issue ("question", "feature request").
    """

    scopes: tuple[str, ...]
    text: str
    form: Form
    verb: str = ""
    rest: str = ""
    label: str = ""
    kind: str = ""

    @property
    def headline(self) -> str:
        """The title for quotation: with a prefix that is more than the name of a part."""
        return f"{self.label}: {self.text}" if self.label else self.text


def parse(title: str) -> Title:
    """`[grug] Rework the backend`, `fix(iris): race on exit`, `docs: say more`, `Iris: add tile`, `Plain words`."""
    text = _BACKSPACE.sub(_backspaced, one_line(plain(title)))
    text = _DOUBLE_QUOTES.sub(r"“\1”", _UNFINISHED.sub("", text))
    scopes: list[str] = []
    verb = label = kind = ""
    while match := _BRACKETED.match(text):
        scopes += [scope.strip() for scope in match[1].split(",")]
        text = text[match.end() :]
    if match := _KIND.match(text):
        kind = _KINDS[match[1].lower()]
        text = text[match.end() :]
    if match := _CONVENTIONAL.match(text):
        change, scope = match["type"], match["scope"]
        text = text[match.end() :]
        scopes += [part.strip() for part in (scope or ("" if change in _TYPES else change)).split(",") if part.strip()]
        verb = _TYPE_VERBS.get(change, "")
    elif (
        (match := _PREFIXED.match(text))
        and not match["scope"].endswith(("Error", "Exception", "Warning"))
        and not (" " in match["scope"] and opens_imperative(match["scope"]))
    ):
        scopes.append(match["scope"])
        text = text[match.end() :]
        label = "" if "experiment" in match["scope"].lower() else match["scope"]
    text = re.sub(r"^(clean|set|back|roll)(up|out)(?=\s(?!and\s))", r"\1 \2", text, flags=re.IGNORECASE)
    text = re.sub(r"^Don[’']t ", "Do not ", text, flags=re.IGNORECASE)
    text = _NOISE.sub("", _NOISE.sub("", text)).strip().rstrip(".") or one_line(plain(title)) or "untitled"
    kind = kind or next((_KINDS[scope.lower()] for scope in scopes if scope.lower() in _KINDS), "")
    return replace(_judged(tuple(scopes), text, verb), label=label, kind=kind)


def as_change(title: Title) -> Title:
    """A pull request's title that names a fault ("crash on unsaved files", "Typo") as what was done: it was fixed."""
    head = nouns.head_of(title.text)
    if title.form is not Form.NOUN or head.lower() not in _FAULTS or title.label:
        return title
    return replace(title, form=Form.IMPERATIVE, verb="fix", rest=title.text[0].lower() + title.text[1:])


_PART = re.compile(r"^(?P<what>[^,:]+?)(?:,\s|\s\()(?P<part>part \d+|cont(?:inued|'d))\)?$", re.IGNORECASE)


def _parted(text: str) -> str:
    """`Fast bodies, part 2` -> `Part 2 of fast bodies`, to stand in a sentence."""
    match = _PART.match(text)
    if not match or form_of(match["what"]) is not Form.NOUN or opens_imperative(match["what"]):
        return text
    part = "More" if match["part"].lower().startswith("cont") else match["part"].capitalize()
    return f"{part} {'' if part == 'More' else 'of '}{match['what']}"


def _judged(scopes: tuple[str, ...], text: str, verb: str) -> Title:
    text = _parted(text)
    if is_foreign(text):
        return Title(scopes, text, Form.NOUN)
    form = form_of(text)
    if _VERSION.match(text):
        return Title(scopes, text, Form.IMPERATIVE, "release", text)
    if form is Form.PAST:
        first, _, rest = text.partition(" ")
        return Title(scopes, text, Form.IMPERATIVE, verbs.base_of_past(first) or first.lower(), rest.strip())
    if opens_imperative(text) and not (verb and _is_thing(text)):
        first, _, rest = text.partition(" ")
        return Title(scopes, text, Form.IMPERATIVE, first.lower(), rest.strip())
    if form is Form.PRESENT:
        first, _, rest = text.partition(" ")
        return Title(scopes, text, Form.IMPERATIVE, verbs.base_of_third(first) or first.lower(), rest.strip())
    if verb and (form in (Form.NOUN, Form.GERUND) or (form is Form.IMPERATIVE and _is_thing(text))):
        return Title(scopes, text, Form.IMPERATIVE, verb, _enumerated(text))
    told_behind_label = form is Form.STATEMENT and ": " in text and (subject_end(text) or 0) > text.index(": ")
    if form in (Form.IMPERATIVE, Form.PERSONAL) or told_behind_label:
        form = Form.NOUN
    return Title(scopes, text, form)


_FAULTS = word_set(
    """
    bug bugs crash crashes deadlock deadlocks error errors failure failures flakiness issue issues leak leaks
    mismatch mismatches overflow overflows panic panics problem problems race races regression regressions
    typo typos warning warnings
    """
)


def _is_thing(text: str) -> bool:
    """Whether behind `fix:` the text names what was wrong ("shadow acne", "build errors"), not what was done."""
    first, _, rest = text.partition(" ")
    head = nouns.head_of(text)
    if not rest or rest.split()[0].lower() in DETERMINERS | _PARTICLES:
        return False
    if head.lower() in _FAULTS:
        return True
    ambiguous = first.lower() in verbs.NOUN_TOO - verbs.MOSTLY_VERBS
    return ambiguous and head.isalpha() and head.islower() and not nouns.is_plural(head)


def _enumerated(text: str) -> str:
    """`a, b, c` -> `a, b and c`."""
    *first, last = text.split(", ")
    return text if len(first) < 2 or " and " in text else f"{', '.join(first)} and {last}"


def _backspaced(match: re.Match[str]) -> str:
    """A joke in writing: `wrong^H^H^H^H^Hright` strikes out the word before it."""
    return match[1][: -len(match[2]) // 2]


_PARTICLES = frozenset(("up", "off", "out", "down", "back", "away", "on"))
_AND = re.compile(r"(,? and (?:then )?|, )([a-z][a-z-]+)(?=\s)")


_NEW = word_set("add build create implement introduce open provide support write")
_KNOWN = word_set(
    "change delete drop extend fix improve increase lower raise reduce refresh remove replace restore resync rewrite "
    "rework shorten update"
)


def _object(verb: str, rest: str) -> str:
    """What a verb acts on, with an article where a headline leaves it out: something new, or something known."""
    if verb in _NEW or verb in _KNOWN:
        return nouns.with_article(rest, definite=verb in _KNOWN)
    first, _, after = rest.partition(" ")
    if after.startswith("of ") and first.islower():
        return nouns.with_article(rest)
    bare = nouns.is_countable(first) and (not after or nouns.head_of(rest) == first)
    return f"the {rest}" if bare and first.islower() else rest


_OPENS_OBJECT = word_set("the a an its their it all only no every")


def _second_verbs(rest: str) -> str:
    """Verbs joined to the first one follow it into the past: "Report stages and rerank faster"."""

    def changed(match: re.Match[str]) -> str:
        word = match[2]
        following = next(iter(rest[match.end() :].split()), "")
        known = verbs.is_verb(word)
        if following.lower() in _PARTICLES and (known or word == "back"):
            return match[1] + verbs.past(word)
        clear = word not in verbs.NOUN_TOO and not verbs.base_of_participle(word)
        versioned = word in verbs.MOSTLY_VERBS and following[:1].isdigit()
        if known and (clear or versioned or following.lower() in _OPENS_OBJECT):
            return (" and " if match[1] == ", " else match[1]) + verbs.past(word)
        return match[0]

    return _AND.sub(changed, rest)


_CIRCUMSTANCE = re.compile(r"\s(?=(?:when|if|on|after|for|at|with|unless|where|once|while|before|because)\s)")


def in_past(title: Title) -> str:
    """`Rework the backend` -> `reworked the backend`."""
    if title.verb == "support":
        return f"added support for {_second_verbs(title.rest)}"
    if negated := re.match(r"(?:not|n't|never)\s+(\w+)\s*(.*)", title.rest) if title.verb in ("do", "don") else None:
        return f"avoided {verbs.gerund(negated[1])} {negated[2]}".strip()
    if title.verb in ("fail", "crash", "die") and title.rest.startswith(("the ", "a ", "an ")):
        what, *when = _CIRCUMSTANCE.split(title.rest, maxsplit=1)
        return " ".join(["made", what, title.verb, *when])
    return f"{verbs.past(title.verb)} {_second_verbs(_object(title.verb, title.rest))}".strip()


def infinitive(title: Title) -> str:
    """`Rework the backend` -> `rework the backend`, to stand behind "to"."""
    if negated := re.match(r"(?:not|never)\s+(\w+.*)", title.rest) if title.verb == "do" else None:
        return f"no longer {negated[1]}"
    return f"{title.verb} {_object(title.verb, title.rest)}".strip()
