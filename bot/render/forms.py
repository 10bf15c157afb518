"""The forms of an edition: how text, sentences and links are written for Discord, a Markdown file, a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial

from markupsafe import Markup

from bot.render.html import html_link, html_text, html_words
from bot.render.safe import markdown_link, markdown_text, markdown_words


@dataclass(frozen=True, slots=True)
class Form:
    """How text is written for one form. `words` takes a sentence of the narrative, `text` literal text."""

    text: Callable[[str], str]
    words: Callable[[str], str]
    link: Callable[[str, str | None], str]
    joined: Callable[[Iterable[str]], str] = " ".join


def _joined_markup(parts: Iterable[str]) -> Markup:
    return Markup(" ").join(parts)


MARKDOWN = Form(markdown_text, markdown_words, markdown_link)
DISCORD = Form(partial(markdown_text, for_discord=True), partial(markdown_words, for_discord=True), markdown_link)
HTML = Form(
    lambda text: Markup(html_text(text)),  # noqa: S704
    lambda sentence: Markup(html_words(sentence)),  # noqa: S704
    lambda text, url: Markup(html_link(text, url)),  # noqa: S704
    _joined_markup,
)

_DIFFERS_ON_DISCORD = re.compile(r"[@<|]")


def remembering() -> tuple[Form, Form]:
    """The Markdown and the Discord form for one edition, which write but once what both write alike."""
    text, words, link = lru_cache(None)(markdown_text), lru_cache(None)(markdown_words), lru_cache(None)(markdown_link)

    def discord_text(written: str) -> str:
        return DISCORD.text(written) if _DIFFERS_ON_DISCORD.search(written) else text(written)

    def discord_words(sentence: str) -> str:
        return DISCORD.words(sentence) if _DIFFERS_ON_DISCORD.search(sentence) else words(sentence)

    return Form(text, words, link), Form(discord_text, discord_words, link)
