"""The conversations of the week that are worth telling.

What moderators tagged comes first and always. Then announcements, messages with many reactions and discussions
of several people, the weightiest first and only so many. A highlight is a conversation: a message with the
replies that carry it, credited to each who wrote one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.compile.addresses import addresses_in
from bot.compile.reactions import FEWEST, Levels
from bot.compile.text import prose, readable, weight_of_words
from bot.model.edition import Highlight, QuotedMessage
from bot.model.messages import Message, message_url
from bot.model.text import excerpt
from bot.store.tags import TaggedMessage

MOST = 12
"""So many highlights are told at most, tagged ones aside."""
MOST_ANNOUNCEMENTS = 6
MOST_MESSAGES = 6
EXCERPT = 300

SAYS_SOMETHING = 4
CARRIES = 6
"""From so many words on a message says something, a reply carries a conversation."""

FEW = 5
"""A week with fewer conversations that stand out has room for the best liked of the others."""
QUIETER = "quieter"

DISCUSSION_PEOPLE = 4
DISCUSSION_RETURN = 1.5
"""In a discussion so many people take part, and they come back: so many messages for each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Everything the highlights are chosen from. All of it may be told.

    `messages` holds every message by id, `answers` the direct replies to a message (and what was said in its
    thread) by its id. `familiar` are those whose work the edition tells of. `discussions` are the messages (or
    first messages of threads) that several people answered.
    """

    messages: Mapping[int, Message]
    answers: Mapping[int, Sequence[Message]] = field(default_factory=dict)
    tagged: Sequence[TaggedMessage] = ()
    announcements: Collection[int] = ()
    reacted: Collection[int] = ()
    discussions: Collection[int] = ()
    levels: Levels
    familiar: Collection[int] = ()
    references: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    name_of: Callable[[Message], str] = lambda m: m.author_name
    channel_name: Callable[[int], str] = str


def choose(talk: Talk, *, few: int = 0) -> list[tuple[Highlight, str | None]]:
    """The highlights in the order in which they are told, each with the section a moderator chose for it.

    Where fewer than `few` stand out, the best liked messages that say something are told beside them.
    """
    told: set[int] = set()
    chosen: list[tuple[Highlight, str | None]] = []
    for tag in talk.tagged:
        if tag.message_id in talk.messages and tag.message_id not in told:
            parts = _conversation(talk.messages[tag.message_id], talk, climb=False)
            told |= {part.message_id for part in parts} | {i for part in parts if (i := _forwarded_id(part))}
            chosen.append((_highlight(parts, talk, "tagged", tag), tag.section))
    announced = _ranked(talk, talk.announcements)[:MOST_ANNOUNCEMENTS]
    reacted = [m for m in _ranked(talk, talk.reacted) if is_liked(m, talk)]
    others = [(m, "announcement") for m in sorted(announced, key=lambda m: m.message_id)]
    others += [(m, "reactions") for m in reacted]
    others += [(m, "discussion") for m in _ranked(talk, talk.discussions) if _is_discussion(m, talk)]
    quieter = [m for m in _ranked(talk, talk.reacted) if _is_talked_of(m)]
    others += [(m, QUIETER) for m in quieter]
    room = MOST
    for candidate, reason in others:
        message = _original(candidate, talk)
        full = room == 0 or (reason == QUIETER and len(chosen) >= few)
        if full or told & {message.message_id, candidate.message_id}:
            continue
        parts = _conversation(message, talk, climb=reason in ("reactions", QUIETER))
        if any(part.message_id in told for part in parts):
            told |= {part.message_id for part in parts}
            chosen = [_joined(entry, parts, talk) for entry in chosen]
            continue
        told |= {part.message_id for part in parts} | {i for part in parts if (i := _forwarded_id(part))}
        chosen.append((_highlight(parts, talk, "reactions" if reason == QUIETER else reason), None))
        room -= 1
    return chosen


def _forwarded_id(message: Message) -> int | None:
    return message.forward.message_id if message.forward else None


def _original(message: Message, talk: Talk) -> Message:
    """What a forward forwards, where that is at hand: it is told where it was said."""
    return talk.messages.get(_forwarded_id(message) or 0, message)


def is_liked(message: Message, talk: Talk) -> bool:
    """Whether a message stands out by its reactions.

    Many lift whatever says something. Some are enough where a familiar person says more than a line; between
    some and many, where anybody says a good deal.
    """
    words, levels = weight_of_words(message.content), talk.levels
    if message.reaction_count >= levels.many:
        return words >= SAYS_SOMETHING or bool(addresses_in(message.content))
    if message.author_id in talk.familiar:
        return message.reaction_count >= levels.some and words >= 2 * CARRIES
    return 2 * message.reaction_count >= levels.some + levels.many and words >= 5 * CARRIES


def _is_talked_of(message: Message) -> bool:
    """Whether a message that does not stand out is worth telling in a week in which little does."""
    return message.reaction_count >= FEWEST and weight_of_words(message.content) >= CARRIES


def _ranked(talk: Talk, ids: Collection[int]) -> list[Message]:
    found = [talk.messages[i] for i in ids if i in talk.messages]
    found = [m for m in found if weight_of_words(m.content) >= SAYS_SOMETHING or addresses_in(m.content)]
    return sorted(found, key=lambda m: (-_worth(m, talk), m.message_id))


def _worth(message: Message, talk: Talk) -> float:
    """Reactions in measures of "many", and what else makes a message worth telling."""
    worth = message.reaction_count / talk.levels.many
    worth += 1.0 if message.author_id in talk.familiar else 0.0
    worth += min(weight_of_words(message.content), 60) / 60
    worth += 0.5 if any(c.isdigit() for c in message.content) and addresses_in(message.content) else 0.0
    return worth + 0.25 * len({answer.author_id for answer in talk.answers.get(message.message_id, ())})


def _conversation(message: Message, talk: Talk, *, climb: bool) -> list[Message]:
    """The message, what it answers where that says something, and the replies that carry it, oldest first."""
    root = message
    parts = {message.message_id: message}
    for _ in range(4 if climb else 0):
        above = talk.messages.get(root.reply_to_id or 0)
        if above is None or weight_of_words(above.content) < CARRIES:
            break
        root = above
        parts[root.message_id] = root
    for answer in _carrying(root, talk, depth=4):
        if len(parts) >= MOST_MESSAGES:
            break
        parts[answer.message_id] = answer
    return sorted(parts.values(), key=lambda m: m.message_id)


def _carrying(message: Message, talk: Talk, *, depth: int) -> list[Message]:
    """The answers that carry on, with those that lead to them."""
    if depth == 0:
        return []
    found: list[Message] = []
    before: Message | None = None
    for answer in talk.answers.get(message.message_id, ()):
        further = _carrying(answer, talk, depth=depth - 1)
        if weight_of_words(answer.content) >= CARRIES and (further or _carries(answer, message, talk)):
            if before is not None and _is_asked_by_another(before, answer) and before not in found:
                found.append(before)
            found.append(answer)
            found.extend(further)
        before = answer
    return found


def _carries(answer: Message, message: Message, talk: Talk) -> bool:
    return (
        answer.author_id in talk.familiar
        or answer.author_id == message.author_id
        or answer.reaction_count >= talk.levels.some
        or _adds(answer)
    )


def _adds(answer: Message) -> bool:
    """Whether a reply says a good deal, or brings figures of its own."""
    words = weight_of_words(answer.content)
    has_figures = any(c.isdigit() for c in prose(answer.content))
    return answer.reply_to_id is not None and (words >= 3 * CARRIES or (has_figures and words >= 2 * CARRIES))


def _is_asked_by_another(before: Message, answer: Message) -> bool:
    """Whether in a thread, where nobody needs to reply to be understood, `answer` answers what stands before it."""
    return (
        answer.reply_to_id is None
        and before.author_id != answer.author_id
        and weight_of_words(before.content) >= SAYS_SOMETHING
        and before.content.rstrip().endswith(("?", "？"))
    )


def _is_discussion(message: Message, talk: Talk) -> bool:
    """Whether people talk with each other here, rather than each saying one thing."""
    said = [m for m in _all_answers(message, talk) if weight_of_words(m.content) >= SAYS_SOMETHING]
    people = {m.author_id for m in said} | {message.author_id}
    return len(people) >= DISCUSSION_PEOPLE and len(said) + 1 >= DISCUSSION_RETURN * len(people)


def _all_answers(message: Message, talk: Talk, depth: int = 6) -> list[Message]:
    found: list[Message] = []
    for answer in talk.answers.get(message.message_id, ()):
        found.append(answer)
        if depth:
            found.extend(_all_answers(answer, talk, depth - 1))
    return list({m.message_id: m for m in found}.values())


def _joined(entry: tuple[Highlight, str | None], parts: Sequence[Message], talk: Talk) -> tuple[Highlight, str | None]:
    """The highlight with the further parts of the same conversation, where they are its own."""
    highlight, section = entry
    if not {part.message_id for part in parts} & set(highlight.message_ids):
        return entry
    known = {i: talk.messages[i] for i in highlight.message_ids if i in talk.messages}
    known |= {part.message_id: part for part in parts[:MOST_MESSAGES]}
    merged = _highlight(sorted(known.values(), key=lambda m: m.message_id), talk, highlight.reason)
    return (
        Highlight(
            **{
                **{name: getattr(merged, name) for name in Highlight.__slots__},
                "tagged_by": highlight.tagged_by,
                "note": highlight.note,
                "rewrite": highlight.rewrite,
                "url": highlight.url,
            }
        ),
        section,
    )


def _highlight(parts: Sequence[Message], talk: Talk, reason: str, tag: TaggedMessage | None = None) -> Highlight:
    main = next((p for p in parts if tag and p.message_id == tag.message_id), parts[0])
    authors = dict.fromkeys((p.author_id, talk.name_of(p)) for p in parts)
    return Highlight(
        message_ids=tuple(p.message_id for p in parts),
        channel=talk.channel_name(main.channel_id),
        channel_id=main.channel_id,
        authors=tuple(name for _, name in authors),
        author_ids=tuple(user_id for user_id, _ in authors),
        excerpt=excerpt(main.content, EXCERPT),
        url=message_url(main.guild_id, main.channel_id, main.message_id),
        references=tuple(dict.fromkeys(r for p in parts for r in talk.references.get(p.message_id, ()))),
        links=tuple(dict.fromkeys(a for p in parts for a in addresses_in(p.content))),
        reason=reason,
        tagged_by=tag.tagged_by if tag else (),
        note=tag.note if tag else None,
        rewrite=tag.rewrite if tag else None,
        reactions=max(p.reaction_count for p in parts),
        messages=tuple(
            QuotedMessage(
                message_id=p.message_id,
                author=talk.name_of(p),
                author_id=p.author_id,
                text=readable(p.content),
                url=message_url(p.guild_id, p.channel_id, p.message_id),
            )
            for p in parts
        ),
    )
