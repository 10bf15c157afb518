"""What was said on Discord: a conversation told with its own words, each credited to who said them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.model.edition import Edition, Highlight, QuotedMessage
from bot.model.text import SPOILER, hide_spoilers, one_line, plain, safe_name
from bot.narrate.drafts import Draft, merged_facts
from bot.narrate.extract import sentences_of
from bot.narrate.language.en import phrases
from bot.narrate.language.en.speaking import finished, quoted
from bot.narrate.language.en.voice import Voice

MOST_REPLIES = 4

_FENCE = re.compile(r"```[\s\S]*?(?:```|\Z)")
_GITHUB = re.compile(r"<?https?://github\.com/([\w.-]+/[\w.-]+)/(?:pull|issues)/(\d+)[^\s>)]*>?", re.IGNORECASE)
_URL = re.compile(r"<?https?://[^\s>]+>?")
_QUOTE_LINE = re.compile(r"^\s*>.*$", re.MULTILINE)
_AGREEING = re.compile(
    r"^(?:agreed|i agree|exactly|yes|yep|yeah|right|indeed|\+1|this|same here|true)\b[\s,.:!–-]*", re.IGNORECASE
)
_GREETING = re.compile(
    r"^(?:hi|hey|hello|heads[- ]up|good (?:morning|evening|news)|fyi|psa|reminder|up for review|quick (?:note|update)|update|"
    r"(?:hi|hey|hello) (?:all|everyone|everybody|folks|there)|short version|tl;?dr|question for [\w\s]{2,20}|worth your \w+)\b\s*[:,!.–-]*\s*",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\d|\b(?:will|now|new|best|first|because|so that|should|need|found|works?|fail|release|panel|meeting)\b",
    re.IGNORECASE,
)


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
    """The sentences about one highlight; a moderator's rewrite stands as it was written."""
    facts = (f"channel/{highlight.channel_id}", *(f"message/{number}" for number in highlight.message_ids))
    where = f"[#{highlight.channel}]({highlight.url})"
    if highlight.rewrite:
        text = f"{one_line(hide_spoilers(highlight.rewrite)).rstrip()} ({where})"
        return [Draft(text=text, references=highlight.references, facts=facts, source="editor")]
    drafts: list[Draft] = []
    for number, message in enumerate(_told_messages(highlight)):
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
        note = finished(voice, f"{phrases.NOTE} {one_line(hide_spoilers(highlight.note))}")
        drafts.append(Draft(text=note, references=highlight.references, facts=facts, source="editor"))
    return drafts


def _told_messages(highlight: Highlight) -> Sequence[QuotedMessage]:
    return highlight.messages[: 1 + MOST_REPLIES]


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
    agreeing = not opens and bool(_AGREEING.match(message.text.strip()))
    excerpt = best_words(message.text, words)
    about = _about(message, highlight, voice)
    author = safe_name(message.author)
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
    if "?" in excerpt and excerpt.index("?") <= min(
        (excerpt.find(mark) for mark in ".!" if mark in excerpt), default=len(excerpt)
    ):
        return "asked"
    if opens and highlight.reason == "announcement":
        return "announced"
    return voice.choose("wrote", "wrote", "said") if opens else voice.choose("replied", "replied", "added")


def _about(message: QuotedMessage, highlight: Highlight, voice: Voice) -> str:
    """The items and links to which the message points by their addresses, which no quotation keeps."""
    items = [voice.links.link(f"{repository}#{number}") for repository, number in _GITHUB.findall(message.text)]
    items = [link for link in dict.fromkeys(items) if link.startswith("[")]
    others = [link for link in highlight.links if link in message.text and not _GITHUB.match(link)]
    shown = [*items[:3], *(f"[{_host(link)}]({link})" for link in others[:2] if "(" not in link)]
    return phrases.listed(shown)


def _host(link: str) -> str:
    return link.partition("://")[2].partition("/")[0].removeprefix("www.")


def best_words(text: str, words: int) -> str:
    """The most telling sentences of a message in a row, in plain words on one line, at most `words` words.

    Code, quotations of others and addresses are left out; what was hidden stays hidden.
    """
    bare = _QUOTE_LINE.sub("", _FENCE.sub("\n", hide_spoilers(text)))
    bare = _URL.sub("\ue000", bare)
    sentences: list[str] = []
    for line in plain(bare).split("\n"):
        for sentence in sentences_of(line):
            cleaned = _tidied(sentence)
            if cleaned:
                sentences.append(cleaned)
    best, best_score = "", -1.0
    for start in range(len(sentences)):
        for end in range(start + 1, len(sentences) + 1):
            run = sentences[start:end]
            length = sum(len(one.split()) for one in run)
            if length > words:
                break
            score = sum(_score(one) for one in run) - 0.3 * start
            if score > best_score:
                best, best_score = " ".join(run), score
    if not best and sentences:
        best = " ".join(max(sentences, key=_score).split()[:words]).rstrip(" ,;:") + "…"
    return best


def _tidied(sentence: str) -> str:
    for pattern in (_AGREEING, _GREETING):
        sentence = pattern.sub("", sentence, count=1)
    if sentence.rstrip().endswith(":") or (sentence.count("\ue000") and len(sentence.split()) < 5):
        return ""
    sentence = re.sub(r"\s*[:,–-]?\s*\(?\ue000\)?\s*(?=[.,;!?]|$)", "", sentence)
    sentence = one_line(sentence.replace("\ue000", "")).strip()
    if not re.search(r"[^\W\d_]{2}", sentence) or SPOILER in sentence:
        return ""
    return sentence[0].upper() + sentence[1:] if sentence[0].islower() and " " in sentence else sentence


def _score(sentence: str) -> float:
    length = len(sentence.split())
    return min(length, 20) / 10 + min(len(_TELLING.findall(sentence)), 3) * 0.5 - (0.8 if length < 4 else 0)
