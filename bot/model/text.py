"""What people wrote, made fit to be told: for narrate and render alike.

- `clean(text)`: without characters that hide, reverse or flood; scripts and emoji stay.
- `one_line(text)`: cleaned, on one line.
- `plain(text)`: the words of a Discord or GitHub text without their markup, still with its line breaks.
- `safe_name(name)`: a display name on one line, or a fallback for one that shows nothing.
- `hide_spoilers(text)`: what stood between `||` is gone, so that no later cut can reveal it.
- `excerpt(text, limit)`: the beginning in plain words on one line, cut between words.
- `clusters(text)`: what a reader sees as single characters (emoji with their parts, letters with their marks).

None of them escapes anything: a sentence of the narrative holds people's words as they read, and every form
of an edition escapes for itself when it is rendered. In a sentence only `[label](https://...)`, `` `code` ``
and `||spoilers||` are markup. What `plain` returns holds none of the three.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from operator import itemgetter

SPOILER = "[spoiler]"
_FIRST, _SECOND = itemgetter(1), itemgetter(2)  # of a match; a template with a group in it costs more

_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"  # C0 and C1 without tab, line feed, carriage return, next line
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc"  # invisible, bidi
    "\ud800-\udfff]"  # halves of characters, which no encoding can write
)
_BLANKS = re.compile("[\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0\t]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_FLAG_TAGS = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f)|[\U000e0000-\U000e007f]"
)
_JOINER_FLOOD = re.compile("([\u200c\u200d])[\u200c\u200d]+")
_LOOSE_JOINER = re.compile("(?:^|(?<=\\s))[\u200c\u200d\ufe00-\ufe0f]+|[\u200c\u200d]+(?=\\s|$)", re.MULTILINE)
_SELECTOR_FLOOD = re.compile("([\ufe00-\ufe0f])[\ufe00-\ufe0f]+")
_SUPPLEMENTARY_SELECTORS = re.compile("[\U000e0100-\U000e01ef]")
_MARKS_AT_MOST = 4
_MAYBE_MARKS = re.compile(  # where combining marks are found, one more in a row than may stay
    "[\u0300-\u1fff\u20d0-\u20ff\u2ce0-\u2dff\u3020-\u30ff\ua640-\uabff\ufb1e\ufe20-\ufe2f\U00010000-\U0001efff]{5}"
)

_SPOILER = re.compile(r"\|\|(?=[\s\S])([\s\S]+?)\|\|")
_FENCE = re.compile(r"(```|~~~)[^\S\n]*[\w+.#-]*[^\S\n]*\n?([\s\S]*?)(?:\n?\1|\Z)")
_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)")
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|picture"
    r"|pre|q|s|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video)\b[^<>]*>",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"!?\[((?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]\(\s*<?[a-z][a-z0-9+.-]*:[^\s()]*(?:\([^\s()]*\)[^\s()]*)*>?"
    r"(?:\s+[\"'(][^\n]*?[\"')])?\s*\)",
    re.IGNORECASE,
)
_AUTOLINK = re.compile(r"<(https?://[^\s<>]+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_MENTION = re.compile(r"<(@!?|@&|#)(\d{1,20})>")
_EMOJI = re.compile(r"<a?:(\w{1,64}):\d{1,20}>")
_COMMAND = re.compile(r"<(/[^<>:\n]{1,100}):\d{1,20}>")
_TIMESTAMP = re.compile(r"<t:(-?\d{1,13})(?::([tTdDfFR]))?>")
_LINE_MARKUP = re.compile(
    r"^[^\S\n]*(?:(?:>>>|>)[^\S\n]?|#{1,6}[^\S\n]+|-#[^\S\n]+|(?:[-*+]|\d{1,3}[.)])[^\S\n]+(?:\[[ xX]\][^\S\n]+)?)+",
    re.MULTILINE,
)
_STARTS_MARKUP = frozenset(" \t>#-*+0123456789")
_CODE = re.compile(r"(`+)([\s\S]+?)(?<!`)\1(?!`)")
_PAIRED = re.compile(r"(?<!\\)(\*\*\*|\*\*|~~)(?=\S)([\s\S]+?)(?<=\S)\1")
_UNDERLINED = re.compile(r"__(?<![\\_\w]__)(?!\w+__)(?=\S)([\s\S]+?)(?<=\S)__(?!\w)")  # __init__ is a name
_STAR = re.compile(r"\*(?<![\\*\w]\*)(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![*\w])")
_UNDERSCORE = re.compile(r"_(?<![\\_\w]_)(?=[^\s_])([^_\n]+?)(?<=[^\s_\\])_(?![_\w])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BARS = re.compile(r"\|{2,}")
_SPACE = re.compile(r"\s+")

_FALLBACKS = {"@": "@member", "@!": "@member", "@&": "@role", "#": "#channel"}
_SIGILS = {"@": "@", "@!": "@", "@&": "@", "#": "#"}


def clean(text: str) -> str:
    """The text without NUL, control, bidi and zero-width characters and without floods of combining marks.

    Joiners stay between letters and in emoji, where scripts and families need them.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub("", text)
    if text.isascii():
        return text.replace("\t", " ")
    text = _BLANKS.sub(" ", text)
    text = _FLAG_TAGS.sub(lambda m: m[1] or "", text)
    text = _SUPPLEMENTARY_SELECTORS.sub("", text)
    text = _JOINER_FLOOD.sub(_FIRST, text)
    text = _SELECTOR_FLOOD.sub(_FIRST, text)
    return _LOOSE_JOINER.sub("", _few_marks(text))


def _few_marks(text: str) -> str:
    if not _MAYBE_MARKS.search(text):
        return text
    kept: list[str] = []
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run <= _MARKS_AT_MOST:
            kept.append(character)
    return "".join(kept)


def one_line(text: str) -> str:
    """The text, cleaned, with every stretch of white space as a single space."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _SPACE.sub(" ", clean(text)).strip()


def safe_name(name: str, fallback: str = "someone") -> str:
    """A display name on one line, at most 80 characters as a reader counts them; `fallback` where nothing shows."""
    shown = one_line(name)
    if not any(unicodedata.category(character)[0] in "LNPS" for character in shown):
        return fallback
    return cut(shown, 80)


def hide_spoilers(text: str) -> str:
    """The text with `[spoiler]` for whatever stands between two `||`."""
    return _SPOILER.sub(SPOILER, text)


def plain(text: str, names: Mapping[int, str] | None = None) -> str:
    """The words of a Discord message or a GitHub text, without markup; lines stay lines.

    `names` gives the names of users, channels and roles by id, for mentions; an unknown one becomes "@member",
    "@role" or "#channel". Nothing in the result is markup, mentions anybody or hides behind a link's label.
    """
    names = names or {}
    text = clean(text)
    if "||" in text:
        text = hide_spoilers(text)
    if not _HAS_MARKUP.search(text):
        return text.strip()
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(lambda m: m[2], text)
    if "<" in text:
        text = _MENTION.sub(lambda m: _named(m, names), text)
        text = _COMMAND.sub(_FIRST, _EMOJI.sub(r":\1:", text))
        text = _AUTOLINK.sub(_FIRST, _TIMESTAMP.sub(_told_time, text))
    while "](" in text and (without := _MASKED.sub(_FIRST, text)) != text:  # a label may hold a link itself
        text = without
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "\n" in text or text[:1] in _STARTS_MARKUP:
        text = _LINE_MARKUP.sub("", text)
    if "`" in text:
        text = _CODE.sub(_SECOND, text)
    text = _without_emphasis(text)
    if "\\" in text:
        text = _ESCAPED.sub(_FIRST, text)
    if "@" in text:
        text = _EVERYONE.sub(_FIRST, text)
    text = _BARS.sub("|", text.replace("`", "'"))
    return "\n".join(line for row in text.split("\n") if (line := " ".join(row.split()))).strip()


_HAS_MARKUP = re.compile(r"[<>`*_~\[\]\\@|#\n]|^\s*[-+]|^\s*\d+[.)]")


def _without_emphasis(text: str) -> str:
    for _ in range(3):  # emphasis within emphasis
        before = text
        if "**" in text or "~~" in text:
            text = _PAIRED.sub(_SECOND, text)
        if "*" in text:
            text = _STAR.sub(_FIRST, text)
        if "__" in text:
            text = _UNDERLINED.sub(_FIRST, text)
        if "_" in text:
            text = _UNDERSCORE.sub(_FIRST, text)
        if text == before:
            break
    return text


def _named(match: re.Match[str], names: Mapping[int, str]) -> str:
    name = names.get(int(match[2]))
    if name is None:
        return _FALLBACKS[match[1]]
    return _SIGILS[match[1]] + safe_name(name).removeprefix(_SIGILS[match[1]])


def _told_time(match: re.Match[str]) -> str:
    try:
        instant = datetime.fromtimestamp(int(match[1]), UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{instant:%Y-%m-%d}" if match[2] in ("d", "D") else f"{instant:%Y-%m-%d %H:%M} UTC"


def excerpt(text: str, limit: int, names: Mapping[int, str] | None = None) -> str:
    """The beginning of a text in plain words on one line: at most `limit` characters, the ellipsis included."""
    return cut(one_line(plain(text, names)), limit)


def cut(line: str, limit: int) -> str:
    """The line, or its beginning with an ellipsis: at most `limit` code points, between words where possible."""
    if len(line) <= limit:
        return line
    room = limit - 1
    end = 0
    for cluster in clusters(line[: room + 64]):
        if end + len(cluster) > room:
            break
        end += len(cluster)
    space = line.rfind(" ", 0, end + 1)
    if space > end * 2 // 3:
        end = space
    return line[:end].rstrip(" ,;:–—-(") + "…" if limit > 0 else ""


def clusters(text: str) -> Iterator[str]:
    """What a reader sees as single characters, in order; together they are the text.

    Marks, variation selectors, skin tones and tags stay with what they follow, joined emoji and the two
    halves of a flag stay together, so do Hangul letters and CR LF.
    """
    start = 0
    flags = 0
    for index in range(1, len(text)):
        before, here = text[index - 1], text[index]
        flags = flags + 1 if _is_flag_letter(before) else 0
        if _joins(before, here) or (_is_flag_letter(here) and flags % 2 == 1):
            continue
        yield text[start:index]
        start = index
    if text:
        yield text[start:]


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _joins(before: str, here: str) -> bool:
    if here < "\u0300":
        return before == "\r" and here == "\n"
    if "\u1160" <= here <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    if "\u1100" <= here <= "\u115f":
        return "\u1100" <= before <= "\u115f"
    return (
        here in "\u200d\u200c"
        or "\ufe00" <= here <= "\ufe0f"
        or "\U0001f3fb" <= here <= "\U0001f3ff"
        or "\U000e0020" <= here <= "\U000e01ef"
        or unicodedata.category(here)[0] == "M"
        or (before == "\u200d" and unicodedata.category(here) in ("So", "Sk", "Lo", "Cn"))
    )
