"""Words put into a form without becoming markup of it: Discord's and CommonMark's.

Discord's client differs from CommonMark, and discord.py's `escape_markdown` from both: it escapes neither a
list `*` nor an unbalanced bracket, puts a backslash before every line-start `-`, and knows nothing of link
labels. What counts here, as the client behaves:

- A backslash hides itself before any character but letters, digits and white space. Before those it shows.
- Inside a link's label backslashes are not read at all: they show. Nor may a label hold an address, a mention
  or an emoji, or else the whole link is shown as its source. A pair of backticks is fine in a label.
- `_` closes emphasis only where no letter, digit or `_` follows, so `a_b` needs nothing.
- A link's address in angle brackets makes no preview; it ends at the first closing parenthesis.

Escaping is done only where it is needed, so that the source stays readable and can be searched.
"""

from __future__ import annotations

import re

from bot.model.text import SPOILER, clean, one_line
from bot.render.sentences import BARE_ADDRESS, Token, one_line_keeping_ends, tokens, trimmed, web_address

_RISKY = re.compile(r"[<@\\*`_~|\[&](?:(?<=<)(?:(?P<mention>@!?|@&|#)\d{1,20}|(?P<emoji>a?:\w{1,64}:\d{1,20}))>)?")
_LINE_START = re.compile(r"^(\s*)(?:([#>+*=-])|(\d{1,9})([.)]))(?=(.?))")
MENTIONS = {"@": "@member", "@!": "@member", "@&": "@role", "#": "#channel"}


def markdown_text(text: str, *, for_discord: bool = False, at_start: bool = True) -> str:
    """Literal text on one line as Markdown; an address in it is linked and makes no preview.

    `for_discord`: custom emoji are shown and nobody can be mentioned. `at_start`: the text may begin a line.
    """
    text = one_line_keeping_ends(text)
    if "://" in text and (address := BARE_ADDRESS.search(text)):
        before, url, after = text[: address.start()], *trimmed(address[0])
        after += text[address.end() :]
        written = markdown_text(before, for_discord=for_discord, at_start=at_start) if before else ""
        rest = markdown_text(after, for_discord=for_discord, at_start=False) if after else ""
        return f"{written}<{web_address(url) or url}>{rest}"
    escaped = _RISKY.sub(_escape_for_discord if for_discord else _escape, text)
    return _LINE_START.sub(_escape_start, escaped) if at_start else escaped


def _escape(match: re.Match[str]) -> str:
    """What stands for a character that may be markup: itself where it cannot be any, else with a backslash."""
    if match["mention"]:
        return MENTIONS[match["mention"]]
    if match["emoji"]:
        return f":{match['emoji'].split(':')[1]}:"
    text, found = match.string, match[0]
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if found == "_":
        harmless = _is_word(before) and _is_word(after)
    elif found == "*":
        harmless = before in ("", " ") and after == " "
    elif found in "~|":
        harmless = found not in (before, after)
    elif found == "[":
        harmless = text.find("](", match.end()) < 0
    elif found == "&":
        harmless = not _ENTITY.match(text, match.start())
    elif found == "<":
        harmless = not ((after.isascii() and after.isalpha()) or (after and after in "@#:!/?"))
    elif found == "\\":
        harmless = not _PUNCTUATION.match(after)
    else:
        harmless = found == "@"
    return found if harmless else f"\\{found}"


def _escape_for_discord(match: re.Match[str]) -> str:
    if match["emoji"]:
        return match[0]
    if match[0] == "@" and match.string.startswith(("everyone", "here"), match.end()):
        return "@\u200b"
    return _escape(match)


_ENTITY = re.compile(r"&#?\w{1,32};")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _escape_start(match: re.Match[str]) -> str:
    space, sign, number, dot, following = match.groups()
    if number is not None:
        return f"{space}{number}\\{dot}" if following in ("", " ") else match[0]
    if sign in "+*=" and following not in ("", " ", sign):
        return match[0]
    if sign == "#" and following not in ("", " ", "#"):
        return match[0]
    if sign == "-" and following not in ("", " ", "-", "#"):
        return match[0]
    return f"{space}\\{sign}"


_HARMLESS_LABEL = re.compile(r"#?[A-Za-z0-9][A-Za-z0-9#-]*")
_LABEL_MENTION = re.compile(r"<(@!?|@&|#)\d{1,20}>")
_LABEL_EMOJI = re.compile(r"<a?:(\w{1,64}):\d{1,20}>|(?<!\w):(\w{2,64}):(?!\w)")
_SCHEME = re.compile(r"\b(?:https?|steam|discord)://", re.IGNORECASE)
_INVITE = re.compile(r"\b(discord(?:app)?\.(?:gg|com))/", re.IGNORECASE)
_PICTOGRAPH = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff\U000e0020-\U000e007f\ufe0f\u20e3\u200d]+"
)
_RISKY_WORD = re.compile(r"\*|~~|\|\||^_|_$|__|_(?=\W)|(?<=\W)_")


def label(text: str) -> str:
    """Text as the label of a Markdown link: readable, clickable, and without a backslash.

    What would unmake the link in Discord's client goes: the scheme of an address, emoji, mentions. Words that
    would turn into emphasis stand between backticks, brackets that do not pair become parentheses.
    """
    if _HARMLESS_LABEL.fullmatch(text):
        return text
    text = _LABEL_MENTION.sub(lambda m: MENTIONS[m[1]], one_line(text))
    text = _LABEL_EMOJI.sub(lambda m: m[1] or m[2], text)
    text = _PICTOGRAPH.sub("", _INVITE.sub(r"\1 ", _SCHEME.sub("", text)))
    text = re.sub(r"@(everyone|here)", r"\1", text).replace("\\", "/").replace("<", "‹").replace(">", "›")
    if text.count("`") % 2:
        text = text.replace("`", "'")
    if "[" in text or "]" in text:
        text = text if _pairs(text) else text.replace("[", "(").replace("]", ")")
    if "`" not in text:
        text = " ".join(f"`{word}`" if _RISKY_WORD.search(word) else word for word in text.split(" "))
    return " ".join(text.split()) or "link"


def _pairs(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if depth not in (0, 1):
            return False
    return depth == 0 and "](" not in text


def markdown_link(text: str, url: str | None) -> str:
    """A masked link that makes no preview, or the escaped text where `url` is no web address."""
    address = web_address(url)
    return f"[{label(text)}](<{address}>)" if address else markdown_text(text)


def markdown_words(sentence: str, *, for_discord: bool = False) -> str:
    """A sentence of the narrative as Markdown."""
    if (plainly := _plain_words(sentence)) is not None:
        return plainly
    written: list[str] = []
    for token in tokens(sentence):
        if written and token.kind in ("link", "address") and written[-1][-1:] in ("!", "\\"):
            written[-1] = f"{written[-1][:-1]}\\{written[-1][-1]}"  # neither a picture nor an escaped link
        written.append(_markdown_token(token, for_discord, at_start=not written))
    return "".join(written).strip()


_PLAIN_PIECE = re.compile(
    r"\[(#?[A-Za-z0-9][A-Za-z0-9#-]*)\]\((https?://[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~/#=%-]*)?)\)"
    r"|`(?<!``)[A-Za-z0-9](?:[A-Za-z0-9 ._/=-]*[A-Za-z0-9])?`(?!`)"
)
_NOT_PLAIN = re.compile(r"[<@\\*`~|\[&]")
_EDGE_OF_EMPHASIS = re.compile(r"_(?![A-Za-z0-9])|_(?<![A-Za-z0-9]_)")


def _plain_words(sentence: str) -> str | None:
    """The sentence as Markdown where it holds nothing but harmless words, links and code, which most do; else None."""
    rest = _PLAIN_PIECE.sub("(", sentence)
    if _NOT_PLAIN.search(rest) or "://" in rest or "![" in sentence or "  " in rest or not rest.isprintable():
        return None
    if "_" in rest and _EDGE_OF_EMPHASIS.search(rest):
        return None
    written = _PLAIN_PIECE.sub(_with_quiet_address, one_line(sentence))
    return _LINE_START.sub(_escape_start, written)


def _with_quiet_address(match: re.Match[str]) -> str:
    return f"[{match[1]}](<{match[2]}>)" if match[1] else match[0]


def _markdown_token(token: Token, for_discord: bool, at_start: bool) -> str:
    if token.kind == "text":
        return markdown_text(token.text, for_discord=for_discord, at_start=at_start)
    if token.kind == "link":
        return markdown_link(token.text, token.url)
    if token.kind == "address":
        address = web_address(token.url)
        return f"<{address}>" if address else markdown_text(token.text, for_discord=for_discord)
    if token.kind == "code":
        code = clean(token.text)
        code = re.sub(r"@(?=everyone|here)", "@\u200b", code) if for_discord else code
        return f"`` {code} ``" if "`" in code else f"`{code}`"
    return f"||{markdown_text(token.text, for_discord=True).strip()}||" if for_discord else markdown_text(SPOILER)
