"""What in a text speaks for somebody presenting themselves, in whatever language.

The strongest sign needs no dictionary: people who introduce themselves state their own name. Around it stand
forms that many languages share (a list about oneself, "label: value" lines) and the kinds of words with which
people present themselves or do something else: ask, thank, welcome, report trouble.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from bot.compile import vocabulary as words

_NOISE = re.compile(
    r"<a?:\w+:\d+>|<(?:@[!&]?|#)\d+>|<t:\d+(?::\w)?>|<?https?://\S+|[*_~`|]|^[^\S\n]*(?:>|#{1,3})\s", re.MULTILINE
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?。！？؟\n…]+[.!?。！？؟…]*")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0d7f])*(?:['-][^\W\d_]+)*")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_SEPARATORS = re.compile(r"[·•|/✨→—–]|[\U0001f300-\U0001faff\u2600-\u27bf]")
_FIELD = re.compile(r"^[^\w\n]*[^\W\d_][\w ]{1,24}\s*[:：]\s*\S", re.MULTILINE)
_BULLET = re.compile(r"^[^\S\n]*(?:[-–•▪‣→»]|\d{1,2}[.)])\s*\S", re.MULTILINE)
_WARM_WELCOME = re.compile(r"(?:for|the|warm|kind)\s+(?:\w+\s+)?welcome")
_ASKS_WITHOUT_MARK = re.compile(r"(?:ですか|ますか|でしょうか|[吗嗎呢]|까요|나요|인가요|가요|ไหม|มั้ย)\s*[。.]?\s*$")

READ_AT_MOST = 4000
"""So many characters of a message are looked at; nobody needs more to present themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a text shows. `substance` is the number of words that are neither greeting nor filler.

    `cues` counts: words about oneself or one's intentions, a word for a role, the form of a list about oneself.
    `other_purpose`: it thanks, welcomes, makes small talk or reports trouble.
    """

    states_name: bool
    explicit: bool
    cues: int
    greets: bool
    asks: bool
    only_asks: bool
    other_purpose: bool
    english: bool
    substance: int

    @property
    def named(self) -> bool:
        return self.states_name or self.explicit


def signs_of(text: str, names: Iterable[str]) -> Signs:
    """Read a text for signs that its author, known by `names`, presents themselves."""
    text = text[:READ_AT_MOST]
    told = plain(text)
    lower = told.casefold()
    telling = [s for s in _SENTENCE.findall(told) if _substance(s.casefold()) > 0]
    questions = [s for s in telling if re.search(r"[?？؟]", s) or _ASKS_WITHOUT_MARK.search(s)]
    first = telling[0].casefold() if telling else ""
    about_oneself = bool(words.SELF.search(lower) or words.INTENDING.search(lower))
    cues = about_oneself + bool(words.ROLE.search(lower)) + _is_list(told)
    return Signs(
        states_name=_states_name(told, names),
        explicit=bool(words.EXPLICIT.search(lower)),
        cues=cues,
        greets=bool(words.GREETING.search(lower[:80])),
        asks=bool(questions) or bool(words.ASKING.search(lower)),
        only_asks=bool(telling) and len(questions) == len(telling),
        other_purpose=_has_other_purpose(text, lower, first, cues),
        english=len(set(words.ENGLISH.findall(lower))) >= 2,
        substance=_substance(lower),
    )


def plain(text: str) -> str:
    """The text without code, markdown, addresses, mentions and custom emoji, in one spelling of characters."""
    return _NOISE.sub(" ", _one_spelling(_FENCE.sub(" ", text))).strip()


def _one_spelling(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'").replace("ʼ", "'")


def _is_list(told: str) -> bool:
    return any(len(form.findall(told)) >= least for form, least in ((_BULLET, 2), (_FIELD, 2), (_SEPARATORS, 3)))


def _has_other_purpose(text: str, lower: str, first: str, cues: int) -> bool:
    welcomes = words.WELCOMING.search(first) and not _WARM_WELCOME.search(first)
    trouble = not cues and words.TROUBLE.search(lower)
    opening = lower.lstrip(" ,.!-")
    aside = opening.startswith(("(", "+1"))
    return bool(
        welcomes
        or words.THANKING.search(first)
        or trouble
        or aside
        or words.SMALL_TALK.match(opening)
        or (not cues and words.ADVERTISING.search(text.casefold()))
        or _FENCE.search(text)
    )


def _substance(lower: str) -> int:
    rest = words.FILLER.sub(" ", words.GREETING.sub(" ", lower))
    narrow, wide = (rest, 0) if rest.isascii() else _WIDE.subn(" ", rest)
    return wide // 2 + sum(1 for word in _WORD.findall(narrow) if len(word) > 1)


def _states_name(told: str, names: Iterable[str]) -> bool:
    spoken = _WORD.findall(told)
    bare = [_bare(word) for word in spoken]
    heard = dict(zip(reversed(bare), reversed(spoken), strict=True))
    opening = set(bare[:5])
    run_together = re.sub(r"\s+", "", told)
    in_order = " ".join(bare)
    for name in dict.fromkeys(map(_one_spelling, names)):
        parts = [_bare(part) for part in _WORD.findall(name)]
        if len(parts) > 1 and f" {' '.join(parts)} " in f" {in_order} ":
            return True
        whole = re.sub(r"\s+", "", name)
        if _WIDE.search(whole):
            if len(whole) >= 2 and whole in run_together:
                return True
        elif any(_is_said(part, heard, opening) for part in _WORD.findall(name)):
            return True
    return False


def _is_said(part: str, heard: dict[str, str], opening: set[str]) -> bool:
    """Whether a part of a name stands in the text as a name: written as one, or where people state it."""
    bare = _bare(part)
    if len(bare) < 2 or bare in words.TITLES or bare not in heard:
        return False
    said = heard[bare]
    if bare in words.ORDINARY:
        return said[0].isupper() and bare in opening
    return said[0].isupper() or bare in opening or not part[0].isupper()


def _bare(word: str) -> str:
    """Lower case without accents."""
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))
