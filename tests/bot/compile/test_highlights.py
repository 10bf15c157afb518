"""Which conversations are told, and what of them."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from bot.compile.highlights import MOST, Talk, choose
from bot.compile.reactions import Levels, levels
from bot.model.messages import Message
from bot.model.snowflakes import first_id_at
from bot.store.tags import TaggedMessage

AT = datetime(2026, 5, 6, 12, tzinfo=UTC)
LONG = "We measured the new loader on two machines and it reads the shards twice as fast as it did before the change"


def said(
    number: int, content: str = LONG, *, author: int = 1, reactions: int = 0, reply_to: int | None = None
) -> Message:
    return Message(
        message_id=first_id_at(AT + timedelta(minutes=number)),
        guild_id=1,
        channel_id=5,
        author_id=author,
        author_name=f"member {author}",
        content=content,
        reply_to_id=first_id_at(AT + timedelta(minutes=reply_to)) if reply_to is not None else None,
        reactions=(("👍", reactions),) if reactions else (),
    )


def talk(*messages: Message, familiar: tuple[int, ...] = (), **more: object) -> Talk:
    answers: dict[int, list[Message]] = {}
    for message in messages:
        if message.reply_to_id is not None:
            answers.setdefault(message.reply_to_id, []).append(message)
    fields: dict[str, object] = {
        "messages": {m.message_id: m for m in messages},
        "answers": answers,
        "reacted": [m.message_id for m in messages if m.reaction_count],
        "levels": Levels(some=5, many=8),
        "familiar": familiar,
    }
    return Talk(**{**fields, **more})  # type: ignore[arg-type]


def tag(message: Message, **more: object) -> TaggedMessage:
    return TaggedMessage(
        message_id=message.message_id,
        channel_id=5,
        tagged_by=(7,),
        tagged_at=AT,
        **more,  # type: ignore[arg-type]
    )


def reasons(found: Talk) -> list[tuple[str, int]]:
    return [(h.reason, h.reactions) for h, _ in choose(found)]


def test_what_was_tagged_comes_first_and_always_with_what_the_moderator_said() -> None:
    quiet, loud = said(1, "hm, 42"), said(2, reactions=30)
    (first, section), (second, _) = choose(talk(quiet, loud, tagged=[tag(quiet, section="data", note="why not")]))
    assert (first.reason, first.tagged_by, first.note, section) == ("tagged", (7,), "why not", "data")
    assert second.reason == "reactions"


def test_announcements_come_before_what_was_liked() -> None:
    announced, liked = said(3), said(1, reactions=20)
    assert reasons(talk(announced, liked, announcements=[announced.message_id])) == [
        ("announcement", 0),
        ("reactions", 20),
    ]


@pytest.mark.parametrize(
    ("content", "reactions", "familiar", "told"),
    [
        (LONG, 8, False, True),
        (LONG, 7, False, False),
        (LONG, 5, True, True),
        ("lol", 40, True, False),
        ("https://example.org/paper", 9, False, True),
        (f"{LONG}. {LONG}.", 7, False, True),
    ],
)
def test_reactions_lift_what_says_something(content: str, reactions: int, familiar: bool, told: bool) -> None:
    message = said(1, content, reactions=reactions)
    assert bool(choose(talk(message, familiar=(1,) if familiar else ()))) is told


def test_a_conversation_holds_the_replies_that_carry_it_and_credits_each() -> None:
    messages = [
        said(1, reactions=9),
        said(2, "Agreed, and that way nobody passes on what is restricted", author=2, reply_to=1),
        said(3, "And for some sources it is the only way there is at all", author=3, reply_to=2, reactions=5),
        said(4, "ah, got it", author=4, reply_to=1),
        said(5, "I had the two mixed up with each other, sorry for that", author=5, reply_to=1),
    ]
    ((highlight, _),) = choose(talk(*messages, familiar=(3,)))
    assert highlight.author_ids == (1, 2, 3)
    assert [m.text for m in highlight.messages] == [m.content for m in messages[:3]]
    assert highlight.url.endswith(str(messages[0].message_id))


def test_a_reply_with_figures_or_much_to_say_carries_on_whoever_wrote_it() -> None:
    messages = [
        said(1, reactions=9),
        said(2, "Same for me in the second size, I ran out 40 g before the cuff of the sleeve", author=2, reply_to=1),
        said(3, "That is a nice way to put it, well done", author=3, reply_to=1),
    ]
    ((highlight, _),) = choose(talk(*messages))
    assert highlight.author_ids == (1, 2)


def test_what_is_answered_in_a_thread_stands_before_its_answer() -> None:
    root = said(0, reactions=9)
    asked = said(1, "How did you do the stripes?", author=2)
    passing = said(2, "my cat has eaten the whole ball of yarn today", author=3)
    asked_again = said(3, "And the sleeves?", author=2)
    answered = said(4, "Slip the first stitch of round two and then tighten it")
    found = talk(root, answers={root.message_id: [asked, passing, asked_again, answered]})
    ((highlight, _),) = choose(found)
    assert [m.text for m in highlight.messages] == [root.content, answered.content]
    asked_well = dataclasses.replace(asked_again, content="And how do the sleeves go on?")
    ((highlight, _),) = choose(talk(root, answers={root.message_id: [asked, passing, asked_well, answered]}))
    assert [m.text for m in highlight.messages] == [root.content, asked_well.content, answered.content]


def test_a_liked_reply_is_told_under_what_it_answers() -> None:
    question, answer = said(1, author=2), said(2, author=3, reactions=12, reply_to=1)
    ((highlight, _),) = choose(talk(question, answer))
    assert highlight.message_ids == (question.message_id, answer.message_id)
    assert highlight.reactions == 12


def test_two_liked_messages_of_one_conversation_are_one_highlight() -> None:
    root, reply = said(1, reactions=20), said(2, author=2, reactions=15, reply_to=1)
    assert len(choose(talk(root, reply))) == 1


def test_people_who_talk_with_each_other_are_a_discussion_and_people_who_pass_by_are_not() -> None:
    root = said(0)
    together = [said(n, author=2 + n % 3, reply_to=0) for n in range(1, 7)]
    passing = [said(n, author=10 + n, reply_to=0) for n in range(1, 7)]
    assert reasons(talk(root, *together, discussions=[root.message_id])) == [("discussion", 0)]
    assert reasons(talk(root, *passing, discussions=[root.message_id])) == []


def test_only_so_many_are_told_the_weightiest() -> None:
    messages = [said(n, author=n, reactions=10 + n) for n in range(30)]
    found = choose(talk(*messages))
    assert len(found) == MOST
    assert min(h.reactions for h, _ in found) == 40 - MOST


@pytest.mark.parametrize(
    ("counts", "usual", "favourite"),
    [
        ({1: 27, 2: 46, 3: 27, 4: 39, 5: 32, 8: 1, 9: 1, 11: 1, 22: 1, 65: 1}, 5, 8),
        (dict.fromkeys(range(1, 8), 20) | {40: 1}, 7, 40),
        ({30: 10, 40: 10, 50: 10, 200: 1}, 50, 200),
        ({1: 2, 12: 1}, 2, 12),
        ({}, 3, 6),
    ],
)
def test_many_is_what_lies_above_the_usual_of_this_community(
    counts: dict[int, int], usual: int, favourite: int
) -> None:
    assert usual < levels(counts).many <= favourite


def test_in_a_week_in_which_little_stands_out_the_best_liked_are_told() -> None:
    lines = [said(n, f"{LONG}, said {n} times", author=n, reactions=4 + n % 3) for n in range(1, 9)]
    found = talk(*lines, said(20, "ah, got it", author=30, reactions=7), said(21, author=31, reactions=3))
    assert not choose(found)
    told = [highlight.authors[0] for highlight, _ in choose(found, few=5)]
    assert told == ["member 2", "member 5", "member 8", "member 1", "member 4"]
