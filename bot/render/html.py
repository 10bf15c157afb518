"""Words put into HTML: everything escaped, links to the web only."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape as escape_html

from bot.model.text import SPOILER, clean
from bot.render.safe import MENTIONS
from bot.render.sentences import Token, one_line_keeping_ends, tokens, web_address

_DISCORD_ONLY = re.compile(r"<(?P<mention>@!?|@&|#)\d{1,20}>|<a?:(?P<emoji>\w{1,64}):\d{1,20}>")


def html_text(text: str) -> str:
    """Literal text as HTML, quotes included, so that it fits an attribute too."""
    text = _DISCORD_ONLY.sub(_named_only, one_line_keeping_ends(text))
    return escape_html(text)


def _named_only(match: re.Match[str]) -> str:
    return MENTIONS[match["mention"]] if match["mention"] else f":{match['emoji']}:"


def html_link(text: str, url: str | None) -> str:
    """A link that passes on neither rank nor referrer, or the text alone where `url` is no web address."""
    address = web_address(url)
    shown = html_text(text).strip() or "link"
    return f'<a href="{escape_html(address)}" rel="nofollow noopener noreferrer">{shown}</a>' if address else shown


def html_words(sentence: str) -> str:
    """A sentence of the narrative as HTML."""
    return "".join(_HTML[token.kind](token) for token in tokens(sentence)).strip()


_HTML: dict[str, Callable[[Token], str]] = {
    "text": lambda token: html_text(token.text),
    "link": lambda token: html_link(token.text, token.url),
    "address": lambda token: html_link(token.text, token.url),
    "code": lambda token: f"<code>{escape_html(clean(token.text))}</code>",
    "spoiler": lambda token: f'<span class="spoiler">{escape_html(SPOILER)}</span>',
}
