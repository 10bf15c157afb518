"""Bodies and comments, taken apart into clauses that a sentence can carry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.text import SPOILER, plain
from bot.narrate.language.en.clauses import Form, form_of, is_addressing, is_statement, words_of
from bot.narrate.language.en.foreign import is_foreign
from bot.narrate.language.en.measures import with_verb
from bot.narrate.language.en.words import FUNCTION_WORDS

LONGEST = 38  # words of a clause; a longer one is cut at a comma or left out

_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)")
_FENCE = re.compile(r"^[ >]*(```|~~~)[\s\S]*?(?:^[ >]*\1|\Z)", re.MULTILINE)
_DETAILS = re.compile(r"<details[\s\S]*?(?:</details>|\Z)", re.IGNORECASE)
_DROPPED_LINE = re.compile(
    r"^\s*(?:#{1,6}\s.*|\|.*\|\s*|[-*+]\s*\[[ xX]\].*|>.*|[-=*_]{3,}\s*|!\[.*|\[[^\]]+\]:\s.*|<[^>]+>\s*"
    r"|(?:co-authored-by|signed-off-by|generated (?:with|by)|reviewed-by)\b.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_FORMAL_HEADING = r"^[ ]{0,3}(?:#{1,6}\s|\*\*)"
_FORMAL_PART = re.compile(
    _FORMAL_HEADING
    + r"[^\n]*\b(?:reproduc\w+|steps|environment|system|versions?|checklist|screenshots?|logs?|stack ?trace"
    r"|types? of changes?|before submitting|related|expected|actual|additional|alternatives)\b[^\n]*\n"
    r"[\s\S]*?(?=" + _FORMAL_HEADING + r"|\Z)",
    re.IGNORECASE | re.MULTILINE,
)
_LINKING = re.compile(
    r"^\W*(?:part of|refs?|see(?: also)?|related(?: to)?|depends on|stacked on|based on|blocked by|supersedes"
    r"|superseded by|follow[- ]?up (?:to|of|on)"
    r"|(?:(?:this|it)\s)?(?:clos(?:e[sd]?|ing)|fix(?:e[sd])?|resolve[sd]?))\b"
    r":?\s+(?:\S+/\S+)?(?:issue|pr|pull request)?\s?(?:\S*#\d+|https?://\S+)"
    r"(?:\s*(?:,|and|&)\s*(?:\S*#\d+|https?://\S+))*\W*$",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[Ee]\.g|[Ii]\.e|vs|cf|approx|ca|[Nn]o|[Ff]ig|eq|al|Dr|Mr|Ms|Mrs|St|Prof)|(?<![\w/])[A-Z])\.$"
)
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])[\"”’)]*\s+(?=[\"“‘(\[`]*[\w\d+~]|[^\x00-\x7f])|(?<=[。！？])(?=\S)")
_ENUMERATED = re.compile(r"(?:^|[;,.]?\s+)\((\d|[ivx]{1,3}|[a-e])\)\s+")
_PARTING = re.compile(r",\s(?:so\s)?(?:closing|merging|done|thanks)(?:\s(?:this|now|it))?$", re.IGNORECASE)
_HEADING = re.compile(
    r"^(?:(?:draft|wip|rfc|summary|description|overview|why|what|how|motivation|context|background|problem|solution|fix|changes"
    r"|tl;?dr|breaking(?: change)?)\s*:\s+"
    r"|(?:follow[- ]?up (?:to|of|on)|continues|continuation of)\s+\S*#\d+\s*[:,–-]\s*)",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"^(?:this|the)\s(?:pr|pull request|mr|merge request|change|commit|patch|diff|cl)\s+(?=\w+)", re.IGNORECASE
)
_LOG = re.compile(r"[\w/]\.\w{1,4}:\d+(?!\w)|\b0x[0-9a-f]{4,}")  # a place in code, an address: for machines
_FORM = re.compile(r"(?:release notes?|[\w\s]{1,30}):?\s+(?:none|n/?a|no|yes|tbd)$", re.IGNORECASE)  # left as it was
_URL = re.compile(r"<?https?://\S+>?")
_RANGE = re.compile(r"(?<![\w.,–-])(\d+(?:[.,]\d+)*%?)-(\d+(?:[.,]\d+)*)(?=%|\s|[,;:.)]|$)(?!-)")
_ARROW = re.compile(
    r"(?P<from>\bfrom\s)?(?P<a>(?<![\w.])[~+-]?\d[\d.,]*(?:%|x|k|M|B)?(?:\s(?:[KMGT]i?B(?:/s)?|ms|s|pp))?)\s*(?:->|→|=>|-->)\s*"
    r"(?P<b>[~+-]?\d[\d.,]*)"
)
_FIGURE = re.compile(r"(?<![\w#.-])[~+-]?\d+(?:[.,]\d+)*(?:e\d+)?(?:%|x|k|M|B|T|GB|MB)?\+?(?![\w.]*\.\d)")
_VERSION = re.compile(r"\bv?\d+\.\d+\.\d+\S*|\bv\d+\S*|#\d+|\b[A-Za-z]+\d+\S*")
_RESULT = re.compile(
    r"\b(?:better|worse|faster|slower|fewer|less|more|than|against|versus|vs|instead|best|wins?|halve|double|cut|grow"
    r"|reach|keeps?|no longer|cause[sd]?|because|so that|crash|hang|lost?|wrong|fail|new|only"
    r"|now|every|default|recommended?)\w*\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a body or comment, without its full stop.

    `ordinal` is its number in an enumeration "(1) ...; (2) ...", else 0. `position` is its place in the text, `raw`
    the words as written, for quotation.
    """

    text: str
    form: Form
    figures: int = 0
    novelty: float = 1.0
    position: int = 0
    ordinal: int = 0
    raw: str = ""

    @property
    def words(self) -> int:
        return len(self.text.split())

    @property
    def value(self) -> float:
        """What a reader gains by it: figures first, then results, then anything the title does not say."""
        worth = min(self.figures, 5) * 2.0 + self.novelty * 1.5 + min(len(_RESULT.findall(self.text)), 2) * 0.6
        worth -= self.position * 0.25 + 1.0 * (self.form is Form.PERSONAL) + 3.0 * (self.form is Form.QUESTION)
        if self.words > 26:
            worth -= 0.5
        return worth - 3 if self.words < 3 else worth


def readable(body: str) -> str:
    """A body without what no sentence can use: comments, code, tables, headings, check lists, quotes."""
    text = _DETAILS.sub("\n", _COMMENT.sub("", body.replace("\r\n", "\n")))
    text = _FORMAL_PART.sub("\n", text)
    return plain(_DROPPED_LINE.sub("", _FENCE.sub("\n", text)))


def clauses_of(body: str, *, title: str = "") -> tuple[Clause, ...]:
    """The clauses of a body or comment worth telling, in the order of the text."""
    known = {_stem(word) for word in words_of(title)}
    told = {token.strip("(),.;") for token in title.split()}
    found: list[Clause] = []
    whole = readable(body)
    foreign = is_foreign(whole)
    for part, ordinal in _parts(whole):
        raw = _PARTING.sub("", _without_urls(part).strip(" -–—•*·,;").rstrip("."))
        raw = _of_itself(_HEADING.sub("", raw))
        text = typeset(raw)
        if not _is_told(text):
            continue
        text = _shortened(_without_label(text, known))
        if not text:
            continue
        raw = _times(_RANGE.sub(r"\1–\2", raw)).replace("->", "→") if len(raw.split()) <= LONGEST else text
        is_quoted = foreign or is_foreign(text)
        text = raw if is_quoted and len(raw.split()) <= LONGEST else text if is_quoted else _worded(text)
        content = [_stem(word) for word in words_of(text) if len(word) > 3 and word.lower() not in FUNCTION_WORDS]
        novelty = sum(word not in known for word in content) / len(content) if content else 0.0
        new = " ".join(token for token in text.split() if token.strip("(),.;") not in told)
        form = Form.PERSONAL if is_quoted else _form(text)
        found.append(Clause(text, form, figures_in(new), novelty, len(found), ordinal, raw))
    return tuple(found)


def typeset(text: str) -> str:
    """Arrows between numbers as words, ranges with their dash, products with their sign."""
    text = _ARROW.sub(lambda m: f"from {m['a']} to {m['b']}", text)
    text = re.sub(r"\bfrom from\b", "from", text)
    text = _RANGE.sub(r"\1–\2", text)
    return _times(text).replace(" -- ", " – ")


def _times(text: str) -> str:
    return re.sub(r"(?<=\d) x (?=\d)", " × ", re.sub(r"(?<=[\w)]) \* (?=[\w(])", " × ", text))


def figures_in(text: str) -> int:
    """How many figures the text tells; versions, references and names with digits are none."""
    text = _VERSION.sub(" ", text)
    return sum(
        found[0].strip("~+-") not in ("0", "1") or bool(re.match(r"\s?(?:%|[KMGT]i?B)", text[found.end() :]))
        for found in _FIGURE.finditer(text)
    )


def _parts(text: str) -> Iterator[tuple[str, int]]:
    for line in text.split("\n"):
        for sentence in sentences_of(line):
            if _LINKING.match(sentence):
                continue
            pieces = _ENUMERATED.split(sentence)
            if len(pieces) > 3:
                if pieces[0].strip():
                    yield from ((part, 0) for part in _split(pieces[0], ";"))
                for index in range(1, len(pieces) - 1, 2):
                    yield pieces[index + 1], (index + 1) // 2
                continue
            yield from ((part, 0) for part in _split(sentence, ";"))


def sentences_of(line: str) -> list[str]:
    """A line's sentences; abbreviations and numbers do not end one."""
    parts: list[str] = []
    for part in _SENTENCE_END.split(line):
        if parts and _ABBREVIATION.search(parts[-1]):
            parts[-1] += " " + part
        elif part.strip():
            parts.append(part.strip())
    return parts


def _split(text: str, mark: str) -> list[str]:
    """Split at `mark` outside brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == mark and depth <= 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _without_urls(text: str) -> str:
    text = re.sub(r"\(\s*\0\s*\)|\0", "", _URL.sub("\0", text))
    return re.sub(r"\s+([,;:)]|\.(?=\s|$))", r"\1", re.sub(r"\s{2,}", " ", text)).strip().rstrip(":")


def _is_told(text: str) -> bool:
    if (
        SPOILER in text
        or len(text) < 8
        or not re.search(r"[^\W\d_]{3}", text)
        or is_addressing(text)
        or _LOG.search(text)
        or _FORM.match(text)
        or _LINKING.match(text)
    ):
        return False
    return not re.fullmatch(r"[\w\s]{1,40}:", text) and text.count("#") <= 3


def _of_itself(text: str) -> str:
    """`This PR adds a tile` -> `Adds a tile`, `This change was large` -> `It was large`."""
    match = _THIS.match(text)
    if not match:
        return text
    rest = text[match.end() :]
    return rest[0].upper() + rest[1:] if form_of(rest) is Form.PRESENT else f"It {rest}"


def _without_label(text: str, known: set[str]) -> str:
    """Without a label that only names the title's thing again: "Nightshift: seven jobs run at night"."""
    label, colon, rest = text.partition(": ")
    repeated = colon and len(label.split()) <= 2 and all(_stem(word) in known for word in words_of(label))
    return rest if repeated and is_statement(rest) else text


def _shortened(text: str) -> str:
    """The text, or as much of it as ends at a comma within the longest clause; nothing where that is nothing."""
    if len(text.split()) <= LONGEST:
        return text
    room = " ".join(text.split()[:LONGEST])
    end = max(room.rfind(mark) for mark in (", ", " – ", ": ", " ("))
    cut = room[:end].rstrip(" ,:–(") if end > len(room) // 3 else ""
    return cut if cut.count("(") == cut.count(")") else ""


def _worded(text: str) -> str:
    """A bare measure gets its verb: "MFU 8.78%" -> "MFU was 8.78%"; so does one behind a colon."""
    if form_of(text) not in (Form.NOUN, Form.PAST, Form.IMPERATIVE):
        return text
    label, colon, rest = text.partition(": ")
    if colon and (worded := with_verb(rest)):
        return f"{label}: {worded}"
    return with_verb(text) or text


def _form(text: str) -> Form:
    form = form_of(text)
    if form is Form.IMPERATIVE:
        form = Form.STATEMENT if is_statement(text) else Form.NOUN
    if form is Form.NOUN and ": " in text and form_of(text.partition(": ")[2]) is Form.STATEMENT:
        return Form.STATEMENT
    return form


def _stem(word: str) -> str:
    lowered = re.sub(r"['’]s?$", "", word.lower())
    for ending in ("ing", "ed", "es", "s", "er", "ly"):
        if lowered.endswith(ending) and len(lowered) - len(ending) > 3:
            return lowered.removesuffix(ending)
    return lowered
