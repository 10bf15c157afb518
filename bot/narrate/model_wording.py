"""A model's sentence made fit to stand: what is wrong with its form, and its links set by us."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bot.model.edition import Fact, Sentence
from bot.model.text import one_line, plain
from bot.narrate.claims.markup import read_markup
from bot.narrate.drafts import Links, balanced
from bot.narrate.wordset import word_set

LONGEST = 900
_ENGLISH = word_set(
    """the a an of to in on for with by at from and or is are was were has have had its it that this which who now not
    as be been than into after before while also their they"""
)
_FOREIGN = word_set(
    """der die das und ist nicht mit ein eine wurde werden von den dem des le les des et une est dans pour avec sur qui
    el los las del una es para con por que se su il lo gli della di che per con sono um uma dos das não com het een
    en van op te dat deze zijn och att det som är på av för og ikke til"""
)
_OTHERS = _FOREIGN - _ENGLISH


def faults_of_form(text: str, language: str) -> tuple[str, ...]:
    """Why a text can be no sentence of an edition, whatever it says: form, length, language, links of its own."""
    faults = [*read_markup(text).faults]
    words = re.findall(r"[^\W\d_]+", text.lower())
    if not words:
        faults.append("is empty")
    if len(text) > LONGEST:
        faults.append(f"is longer than {LONGEST} characters")
    if "](" in text or "://" in text:
        faults.append("sets a link of its own")
    if "||" in text:
        faults.append("hides something")
    if language == "en" and not _may_be_english(text, words):
        faults.append("is not in English")
    return tuple(faults)


def _may_be_english(text: str, words: Sequence[str]) -> bool:
    """Whether nothing speaks against English: most letters are Latin, and no other language's little words prevail."""
    letters = [char for char in text if char.isalpha()]
    if sum(char > "\u024f" for char in letters) > len(letters) * 0.3:
        return False
    foreign = sum(word in _OTHERS for word in words)
    return foreign < 3 or foreign <= sum(word in _ENGLISH for word in words)


def worded(sentence: Sentence, facts: Mapping[str, Fact], links: Links) -> str:
    """The text without emphasis, with a full stop, and with links to the items, messages and people it rests on."""
    text = one_line(plain(sentence.text)).strip()
    text = text if text.endswith((".", "!", "?", "…", "”", '"')) else f"{text}."
    cited: list[str] = []
    for reference in sentence.references:
        bare = re.compile(
            rf"(?<![\w\[/#])(?:{re.escape(reference)}|{re.escape(links.label(reference))}|#{reference.partition('#')[2]})(?!\w)",
            re.IGNORECASE,
        )
        link = links.link(reference)
        if (found := bare.search(text)) is not None:
            text = text[: found.start()] + link + text[found.end() :]
        else:
            cited.append(link)
    if cited:
        body = text.rstrip(".!?…")
        quoted = body.endswith(("”", '"'))
        text = f"{text} ({', '.join(cited)})." if quoted else f"{body} ({', '.join(cited)}){text[len(body) :]}"
    for key in sentence.facts:
        fact = facts.get(key)
        if fact is not None and fact.url and "#" not in key:
            text = _linked_once(text, fact)
    return text


def _linked_once(text: str, fact: Fact) -> str:
    """The channel or else the person of a message's fact as a link to it, where the text names one unlinked."""
    head = fact.text.partition("\n")[0]
    name, _, channel = head.partition(" in #")
    for label in (f"#{channel}" if channel else "", name):
        if label and fact.url and f"]({balanced(fact.url)})" not in text:
            found = re.search(rf"(?<![\w\[#]){re.escape(label)}(?![\w\]-])", text)
            if found and len(label) < 60 and "[" not in label:
                return f"{text[: found.start()]}[{label}]({balanced(fact.url)}){text[found.end() :]}"
    return text
