"""What was said on Discord: a conversation told with its own words, each credited to who said them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from bot.compile.text import weight_of_words
from bot.model.edition import Edition, Highlight, QuotedMessage
from bot.model.text import SPOILER, hide_spoilers, one_line, plain
from bot.narrate.drafts import Draft, balanced, merged_facts
from bot.narrate.extract import sentences_of
from bot.narrate.language.en import phrases
from bot.narrate.language.en.speaking import finished, quoted
from bot.narrate.language.en.talk import AGREEING, GREETING, TELLING
from bot.narrate.language.en.voice import Voice
from bot.narrate.people import shown

MOST_REPLIES = 4
SHORTEST_REPLY = 4  # words

_MARK = "\ue000"  # stands around an address's number while the words are chosen
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")
_QUESTION = re.compile(r"(?:[^.!?。！？]|\.(?=\S)|(?<=\d)\.)*[?？]")

_FENCE = re.compile(r"```[\s\S]*?(?:```|\Z)")
_GITHUB = re.compile(r"<?https?://github\.com/([\w.-]+/[\w.-]+)/(?:pull|issues)/(\d+)[^\s>)]*>?", re.IGNORECASE)
_URL = re.compile(r"<?https?://[^\s>]+>?")
_QUOTE_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)


def highlight_drafts(edition: Edition, voice: Voice, quote_words: int, untagged: int) -> Iterator[list[Draft]]:
    """A paragraph for each highlight; of those nobody tagged, at most `untagged`."""
    left = untagged
    for highlight in edition.community.highlights:
        if not highlight.tagged_by and highlight.reason != "tagged":
            if left == 0:
                continue
            left -= 1
        yield told_conversation(highlight, voice, quote_words)


def told_conversation(highlight: Highlight, voice: Voice, quote_words: int) -> list[Draft]:
    """The sentences about one highlight; a moderator's rewrite and note stand as they were written."""
    facts = (f"channel/{highlight.channel_id}", *(f"message/{number}" for number in highlight.message_ids))
    where = f"[#{highlight.channel}]({highlight.url})"
    drafts: list[Draft] = []
    if highlight.rewrite:
        text = f"{one_line(highlight.rewrite)} ({where})"
        drafts.append(Draft(text=text, references=highlight.references, facts=facts, source="editor"))
    for number, message in enumerate(() if highlight.rewrite else highlight.messages[: 1 + MOST_REPLIES]):
        words = quote_words if number == 0 else quote_words * 2 // 3
        sentence = _sentence(message, highlight, voice, words, opens=not drafts, where=where)
        if sentence:
            key = f"message/{message.message_id}"
            drafts.append(
                Draft(
                    text=finished(voice, sentence),
                    references=highlight.references,
                    facts=merged_facts([f"channel/{highlight.channel_id}", key], highlight.references),
                )
            )
    if highlight.note:
        note = finished(voice, f"{phrases.NOTE} {one_line(highlight.note)}")
        drafts.append(Draft(text=note, references=highlight.references, facts=facts, source="editor"))
    return drafts


def _sentence(
    message: QuotedMessage,
    highlight: Highlight,
    voice: Voice,
    words: int,
    *,
    opens: bool,
    where: str,
) -> str:
    """Who said what: the most telling sentences, in quotation marks."""
    agreeing = not opens and bool(AGREEING.match(message.text.strip()))
    excerpt = best_words(message.text, words, lambda url: _inline(url, voice))
    about = _about(message, voice, excerpt)
    author = shown(message.author)
    if not opens and weight_of_words(excerpt) < SHORTEST_REPLY:
        return f"{author} agreed" if agreeing else ""
    if not excerpt and not about:
        return ""
    verb = _verb(excerpt, highlight, voice, opens=opens, agreeing=agreeing, about=bool(about))
    said = quoted(voice.links.linked(excerpt, voice.links.default or "")) if excerpt else ""
    place = f"in {where}, " if opens else ""
    return f"{place}{author} {verb}{f' {about}' if about else ''}{f': {said}' if said else ''}"


def _verb(excerpt: str, highlight: Highlight, voice: Voice, *, opens: bool, agreeing: bool, about: bool) -> str:
    if agreeing:
        return "agreed"
    if about:
        return voice.choose("pointed", "pointed to", "shared")
    if _QUESTION.match(excerpt):
        return "asked"
    if opens and highlight.reason == "announcement":
        return "announced"
    return voice.choose("wrote", "wrote", "said") if opens else voice.choose("replied", "replied", "added")


def _about(message: QuotedMessage, voice: Voice, excerpt: str) -> str:
    """The items and pages to which the message points by addresses that the quotation does not keep."""
    urls = [match[0] for match in _URL.finditer(hide_spoilers(message.text))]
    links = [link for link in dict.fromkeys(_inline(url, voice) for url in urls) if link and link not in excerpt]
    return phrases.some(links, 3)


def _inline(url: str, voice: Voice) -> str:
    """An address as a link that reads well: an item by its number, a page by its host."""
    url = url.strip("<>").rstrip(".,;:!?")
    if url.count(")") > url.count("("):
        url = url.rstrip(")")
    if item := _GITHUB.match(url):
        link = voice.links.link(f"{item[1]}#{item[2]}")
        if link.startswith("["):
            return link
    host = url.partition("://")[2].partition("/")[0].removeprefix("www.")
    return f"[{host}]({balanced(url)})" if host else ""


def best_words(text: str, words: int, link: Callable[[str], str]) -> str:
    """The most telling sentences of a message in a row, in plain words on one line, at most `words` words.

    Code, quotations of others and sentences around an item's address are left out, other addresses become what
    `link` makes of them; what was hidden stays hidden.
    """
    bare = _QUOTE_LINE.sub("", _FENCE.sub("\n", hide_spoilers(text)))
    urls: list[str] = []

    def marked(match: re.Match[str]) -> str:
        ending = re.search(r"[.,;:!?]*$", match[0].rstrip(">"))
        urls.append(match[0])
        return f"{_MARK}{len(urls) - 1}{_MARK}{ending[0] if ending else ''}"

    lines = plain(_URL.sub(marked, bare)).split("\n")
    items = {number for number, url in enumerate(urls) if _GITHUB.match(url)}
    sentences = [
        tidy
        for line in lines
        for sentence in sentences_of(line)
        if (tidy := _tidied(sentence)) and not items & {int(number) for number in _MARKED.findall(sentence)}
    ]
    best = _best_run(sentences, words)
    return one_line(_MARKED.sub(lambda match: link(urls[int(match[1])]), best))


def _best_run(sentences: Sequence[str], words: int) -> str:
    best, best_score = "", -1.0
    for start in range(len(sentences)):
        for end in range(start + 1, len(sentences) + 1):
            run = sentences[start:end]
            if sum(weight_of_words(one) for one in run) > words:
                break
            score = sum(_score(one) for one in run) - 0.3 * start
            if score > best_score:
                best, best_score = _in_a_row(run), score
    if not best and sentences:
        return " ".join(max(sentences, key=_score).split()[:words]).rstrip(" ,;:") + "…"
    return best


def _in_a_row(sentences: Sequence[str]) -> str:
    """The sentences behind each other; an ellipsis where one has no end of its own."""
    ended = [one if one[-1] in '.!?…。！？"”)' else f"{one} …" for one in sentences[:-1]]
    return re.sub(r"(?<=[。！？]) ", "", " ".join([*ended, sentences[-1]]))


def _tidied(sentence: str) -> str:
    for pattern in (AGREEING, GREETING):
        sentence = pattern.sub("", sentence, count=1)
    sentence = one_line(sentence).strip()
    if sentence.endswith(":") or SPOILER in sentence or not re.search(r"[^\W\d_]{2}", _MARKED.sub("", sentence)):
        return ""
    return sentence[0].upper() + sentence[1:] if sentence[0].islower() and " " in sentence else sentence


def _score(sentence: str) -> float:
    length = weight_of_words(sentence)
    return min(length, 20) / 10 + min(len(TELLING.findall(sentence)), 3) * 0.5 - (0.8 if length < 4 else 0)
