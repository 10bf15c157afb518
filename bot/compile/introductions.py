"""Who presented themselves in the introductions channel.

The rule goes by the place of a message in the conversation first and by its words second; docs/editions.md
tells it to moderators. A person counts once, however often they present themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.compile.presenting import Signs, signs_of
from bot.model.edition import IntroducedPerson, Introductions
from bot.model.messages import Message, message_url
from bot.model.snowflakes import time_of
from bot.model.text import excerpt

NEWCOMER = timedelta(days=30)
"""So long after joining somebody may take their first steps in the introductions channel."""

EXCERPT = 280


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """What is known of somebody who wrote in the introductions channel.

    `names` are all by which they may call themselves. `joined_at` is their latest joining before the message;
    None where unknown. `first_id` is their first message known anywhere in the guild.
    """

    user_id: int
    name: str
    names: tuple[str, ...] = ()
    team: bool = False
    joined_at: datetime | None = None
    first_id: int | None = None

    def is_newcomer(self, at: datetime) -> bool:
        if self.joined_at is not None:
            return at - self.joined_at <= NEWCOMER
        return self.first_id is None or at - time_of(self.first_id) <= NEWCOMER


def find_introductions(
    messages: Sequence[Message],
    *,
    writers: Mapping[int, Writer],
    answered: Mapping[int, Message],
    forum: bool = False,
    marks: Mapping[int, bool] | None = None,
) -> Introductions:
    """The people who present themselves in `messages`, in the order in which they do.

    `messages` are those of the introductions channel (and marked ones of other channels) in the period;
    `answered` holds the messages to which some of them reply, whoever wrote them. In a forum each post is a
    thread, and only its starter and what its author adds are looked at. `marks` is moderators' word.
    """
    marks = marks or {}
    ordered = sorted(messages, key=lambda m: m.message_id)
    accepted: dict[int, list[Message]] = {}
    introduction_ids: set[int] = set()
    for message in ordered:
        writer = writers.get(message.author_id) or Writer(user_id=message.author_id, name=message.author_name)
        mark = marks.get(message.message_id)
        if mark is False or not message.is_said:
            continue
        if mark or _presents(message, writer, answered, introduction_ids, forum, bool(accepted.get(writer.user_id))):
            accepted.setdefault(writer.user_id, []).append(message)
            introduction_ids.add(message.message_id)
    people = tuple(_person(writers, parts) for parts in accepted.values())
    return Introductions(count=len(people), people=people)


def _person(writers: Mapping[int, Writer], parts: Sequence[Message]) -> IntroducedPerson:
    first = parts[0]
    writer = writers.get(first.author_id)
    return IntroducedPerson(
        user_id=first.author_id,
        name=writer.name if writer else first.author_name,
        message_ids=tuple(part.message_id for part in parts),
        url=message_url(first.guild_id, first.channel_id, first.message_id),
        excerpt=excerpt(first.content, EXCERPT),
        text="\n".join(part.content for part in parts),
    )


def _presents(
    message: Message,
    writer: Writer,
    answered: Mapping[int, Message],
    introductions: Collection[int],
    forum: bool,
    introduced: bool,
) -> bool:
    if message.pinned:
        return False
    if forum and message.message_id != message.channel_id and not introduced:
        return False
    names = (*writer.names, writer.name, message.author_name)
    signs = signs_of(message.content, names)
    if signs.only_asks or signs.substance == 0:
        return False
    named = signs.states_name or signs.explicit
    if introduced:
        return named and signs.cues > 0 and not signs.other_purpose and not _answers_another(message, answered)
    if writer.team:
        return _new_in_the_team(message, writer) and named and not signs.other_purpose
    if _answers_another(message, answered):
        return _answers_prompt(message, answered, introductions, writers_signs=signs)
    if forum:
        return not signs.other_purpose or named
    if message.mentioned_user_ids and set(message.mentioned_user_ids) != {writer.user_id}:
        return named and signs.cues > 0 and not signs.other_purpose
    if writer.is_newcomer(message.created_at):
        return _newcomer_presents(signs)
    return _settled_presents(signs)


def _answers_another(message: Message, answered: Mapping[int, Message]) -> bool:
    if message.reply_to_id is None:
        return False
    original = answered.get(message.reply_to_id)
    return original is None or original.author_id != message.author_id


def _answers_prompt(
    message: Message, answered: Mapping[int, Message], introductions: Collection[int], *, writers_signs: Signs
) -> bool:
    """An answer presents somebody only where it answers a template, a prompt or chat, never an introduction."""
    if message.reply_to_id in introductions or writers_signs.other_purpose:
        return False
    original = answered.get(message.reply_to_id or 0)
    named = writers_signs.states_name or writers_signs.explicit
    if original is not None and original.pinned:
        return named or writers_signs.cues > 0
    return named and (writers_signs.cues > 0 or writers_signs.substance >= 4)


def _new_in_the_team(message: Message, writer: Writer) -> bool:
    return writer.joined_at is not None and message.created_at - writer.joined_at <= NEWCOMER


def _newcomer_presents(signs: Signs) -> bool:
    if signs.states_name or signs.explicit:
        return not signs.other_purpose or signs.cues > 0
    if signs.other_purpose:
        return False
    return signs.cues > 0 or (signs.substance >= 4 and not signs.asks)


def _settled_presents(signs: Signs) -> bool:
    if signs.other_purpose and not (signs.states_name and signs.explicit):
        return False
    if signs.states_name:
        return signs.explicit or signs.cues > 0
    if signs.explicit:
        return signs.cues > 0 or signs.greets
    return signs.greets and signs.cues >= 2 and not signs.asks
