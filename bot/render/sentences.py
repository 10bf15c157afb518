"""A sentence of the narrative, taken apart: text, links, addresses, code and spoilers."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from bot.model.text import clean, one_line

_HARMLESS_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:/[A-Za-z0-9._~/?#@!$&'*+,;=%-]*)?")
_UNSAFE_IN_ADDRESS = re.compile(r"""[\s<>()\\`|"^{}\x00-\x1f\x7f]""")
BARE_ADDRESS = re.compile(r"\bhttps?://[^\s<>]+", re.IGNORECASE)


def web_address(url: str | None) -> str | None:
    """The address with all that could end a link written as percent signs, or None if it is not one of the web."""
    if not url:
        return None
    if _HARMLESS_ADDRESS.fullmatch(url):
        return url
    url = clean(url).strip()
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        return None
    return _UNSAFE_IN_ADDRESS.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), url)


def trimmed(url: str) -> tuple[str, str]:
    """A bare address and the punctuation after it that belongs to the sentence."""
    kept = url.rstrip(".,:;!?\"'*_~`|]")
    while kept.endswith(")") and kept.count("(") < kept.count(")"):
        kept = kept[:-1].rstrip(".,:;!?\"'*_~`|]")
    return kept, url[len(kept) :]


def one_line_keeping_ends(text: str) -> str:
    """The text on one line, a space at either end kept: stretches of a sentence are joined again."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    line = one_line(text)
    if not line:
        return " " if text else ""
    return (" " if text[0].isspace() else "") + line + (" " if text[-1].isspace() else "")


class Token(NamedTuple):
    """A stretch of a sentence. `url` is set for links; a bare address is a link whose text is the address."""

    kind: Literal["text", "link", "address", "code", "spoiler"]
    text: str
    url: str = ""


_TOKEN = re.compile(
    r"(?<!\\)\[(?P<label>(?:[^\[\]\\\n]++|\\.|\[[^\[\]\n]*+\])++)\]\(<?(?P<url>https?://[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?\)"
    r"|(?<!\\)(?P<tick>`+)(?P<code>[^\n]+?)(?<!`)(?P=tick)(?!`)"
    r"|\|\|(?P<spoiler>[^\n]+?)\|\|"
    r"|<(?P<auto>https?://[^\s<>]+)>"
    rf"|(?P<bare>{BARE_ADDRESS.pattern})",
    re.IGNORECASE,
)
_TOKEN_START = re.compile(r"[\[`|<]")
_TOKEN_START_OR_ADDRESS = re.compile(r"[\[`|<hH]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def tokens(sentence: str) -> list[Token]:
    """A sentence of the narrative as text, links, addresses, code and spoilers. Everything else is text."""
    found: list[Token] = []
    position = after = 0
    has_bare = sentence.count("://") > sentence.count("](http")
    starts = _TOKEN_START_OR_ADDRESS if has_bare else _TOKEN_START
    while start := starts.search(sentence, after):
        match = _TOKEN.match(sentence, start.start())
        if match is None:
            after = start.end()
            continue
        after = match.end()
        if match.start() > position:
            found.append(Token("text", _literal(sentence[position : match.start()])))
        position = match.end()
        if match["url"] is not None:
            found.extend(_link_tokens(_literal(match["label"]), match["url"]))
        elif match["code"] is not None:
            found.append(Token("code", match["code"].strip() or match["code"]))
        elif match["spoiler"] is not None:
            found.append(Token("spoiler", _literal(match["spoiler"])))
        elif match["auto"] is not None:
            found.append(Token("address", match["auto"], match["auto"]))
        else:
            address, rest = trimmed(match["bare"])
            found.append(Token("address", address, address))
            if rest:
                found.append(Token("text", _literal(rest)))
    if position < len(sentence):
        found.append(Token("text", _literal(sentence[position:])))
    return found


def _literal(text: str) -> str:
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


_SHOWS_ADDRESS = re.compile(r"://|\bwww\.|\bdiscord(?:app)?\.(?:gg|com)/", re.IGNORECASE)


def _link_tokens(label: str, url: str) -> list[Token]:
    """A link, or its label and its true address where the label shows an address itself."""
    if not _SHOWS_ADDRESS.search(label):
        return [Token("link", label, url)]
    if label.strip() == url:
        return [Token("address", url, url)]
    return [*tokens(label), Token("text", " ("), Token("address", url, url), Token("text", ")")]
