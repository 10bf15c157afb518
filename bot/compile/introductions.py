"""Who presented themselves in the introductions channel.

The rule goes by the place of a message in the conversation first and by its words second; docs/editions.md
tells it to moderators. A person counts once, however often they present themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.compile.presenting import Signs, signs_of
from bot.compile.text import readable
from bot.model.edition import IntroducedPerson, Introductions
from bot.model.messages import Message, Speaker, message_url
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

    def is_new(self, at: datetime) -> bool:
        """Whether they are known to have joined lately."""
        return self.joined_at is not None and at - self.joined_at <= NEWCOMER

    def is_newcomer(self, at: datetime) -> bool:
        """Whether they joined lately, or at least have not been heard for long."""
        if self.joined_at is not None:
            return at - self.joined_at <= NEWCOMER
        return self.first_id is None or at - time_of(self.first_id) <= NEWCOMER


def find_introductions(
    messages: Sequence[Message],
    *,
    place_id: int | None,
    writers: Mapping[int, Writer],
    answered: Mapping[int, Message],
    marks: Mapping[int, bool] | None = None,
) -> Introductions:
    """The people who present themselves in `messages`, in the order in which they do.

    `messages` are those of the introductions channel `place_id`, of its threads or forum posts, and marked ones
    of other channels, all of the period. `answered` holds what some of them answer, whoever wrote it: the
    message replied to, or the one above a thread. `marks` is moderators' word by message id, and wins.
    """
    marks = marks or {}
    accepted: dict[int, list[Message]] = {}
    introduction_ids = _earlier_introductions(messages, writers, answered)
    for message in sorted(messages, key=lambda m: m.message_id):
        mark = marks.get(message.message_id)
        if mark is False or not message.is_said or (mark is None and place_id is None):
            continue
        writer = _writer_of(message, writers)
        answers = answered_by(message, place_id)
        original = answered.get(answers or 0)
        own = original is not None and original.author_id == message.author_id
        scene = _Scene(
            answers_another=answers is not None and not own,
            answers_introduction=answers in introduction_ids and not own,
            answers_prompt=original is not None and _is_prompt(original, writers),
            answers_template=original is not None and original.pinned,
            introduced=writer.user_id in accepted,
        )
        if mark or _presents(message, writer, scene):
            accepted.setdefault(writer.user_id, []).append(message)
            introduction_ids.add(message.message_id)
    people = tuple(_person(writers, parts) for parts in accepted.values())
    return Introductions(count=len(people), people=people)


def answered_by(message: Message, place_id: int | None) -> int | None:
    """The id of what a message of the introductions channel answers: by reply, or by standing in its thread."""
    if message.reply_to_id is not None:
        return message.reply_to_id
    in_thread = message.channel_id not in (place_id, message.message_id)
    return message.channel_id if in_thread else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """The place of a message in the conversation."""

    answers_another: bool = False
    answers_introduction: bool = False
    answers_prompt: bool = False
    answers_template: bool = False
    introduced: bool = False


def _writer_of(message: Message, writers: Mapping[int, Writer]) -> Writer:
    return writers.get(message.author_id) or Writer(user_id=message.author_id, name=message.author_name)


def _earlier_introductions(
    messages: Sequence[Message], writers: Mapping[int, Writer], answered: Mapping[int, Message]
) -> set[int]:
    """The introductions among what is answered that are not of the period themselves."""
    own = {message.message_id for message in messages}
    return {
        message_id
        for message_id, original in answered.items()
        if message_id not in own and original.is_said and _presents(original, _writer_of(original, writers), _Scene())
    }


def _is_prompt(original: Message, writers: Mapping[int, Writer]) -> bool:
    """Whether it is the team that spoke, or a bot: they ask newcomers to present themselves."""
    writer = writers.get(original.author_id)
    return original.pinned or original.speaker is not Speaker.MEMBER or (writer is not None and writer.team)


def _person(writers: Mapping[int, Writer], parts: Sequence[Message]) -> IntroducedPerson:
    first = parts[0]
    writer = writers.get(first.author_id)
    return IntroducedPerson(
        user_id=first.author_id,
        name=writer.name if writer else first.author_name,
        message_ids=tuple(part.message_id for part in parts),
        url=message_url(first.guild_id, first.channel_id, first.message_id),
        excerpt=excerpt(first.content, EXCERPT),
        text=readable("\n".join(part.content for part in parts)),
    )


def _presents(message: Message, writer: Writer, scene: _Scene) -> bool:
    if message.pinned or message.forward is not None or scene.answers_introduction:
        return False
    signs = signs_of(message.content, (*writer.names, writer.name, message.author_name))
    if signs.only_asks or signs.substance == 0:
        return False
    if scene.introduced:
        return signs.named and signs.cues > 0 and not signs.other_purpose and not scene.answers_another
    if writer.team:
        return writer.is_new(message.created_at) and signs.named and not signs.other_purpose
    if scene.answers_another:
        return _answer_presents(signs, scene)
    if message.mentioned_user_ids and set(message.mentioned_user_ids) != {writer.user_id}:
        return signs.named and signs.cues > 0 and not signs.other_purpose
    if message.message_id == message.channel_id:  # a forum post, made for this and nothing else
        return signs.named or not (signs.other_purpose or signs.asks)
    return _newcomer_presents(signs) if writer.is_newcomer(message.created_at) else _settled_presents(signs)


def _answer_presents(signs: Signs, scene: _Scene) -> bool:
    """An answer presents somebody where it answers a template, a prompt or chat; never under an introduction."""
    if signs.other_purpose:
        return False
    if scene.answers_template and signs.cues > 0:
        return True
    enough = 2 if scene.answers_prompt else 4
    return signs.named and (signs.cues > 0 or signs.substance >= enough)


def _newcomer_presents(signs: Signs) -> bool:
    """Whoever came lately and writes here is taken to present themselves, unless the words say otherwise."""
    if signs.other_purpose:
        return signs.cues > 0 and (signs.named or signs.substance >= 6)
    if signs.named or signs.cues > 0:
        return True
    return signs.substance >= 4 and not signs.asks and not signs.english


def _settled_presents(signs: Signs) -> bool:
    """Of those who have long been here only the clear words count: a name and something about its bearer."""
    if signs.other_purpose and not (signs.states_name and signs.explicit):
        return False
    if signs.states_name:
        return signs.explicit or signs.cues > 0
    if signs.explicit:
        return signs.cues > 0 or signs.greets
    return signs.greets and signs.cues >= 2 and not signs.asks
