"""How a part looks as Discord's message, and how it is recognised there."""

from __future__ import annotations

import pytest

from bot.model.parts import PartFile, Place
from bot.model.publication import StoredPart
from bot.publish import plan
from bot.store.parts import nonce_of


def part(content: str, *files: str, ordinal: int = 0, place: Place = Place.HEAD) -> StoredPart:
    return StoredPart(
        ordinal=ordinal, place=place, content=content, nonce="n", files=tuple(PartFile(name, b"") for name in files)
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Week of August 24th summary", "Week of August 24th summary"),
        ("  two\n lines ", "two lines"),
        ("", "Digest"),
        ("x" * 100, "x" * 100),
        ("x" * 101, "x" * 99 + "…"),
        ("🦞" * 60, "🦞" * 49 + "…"),
    ],
)
def test_a_thread_is_named_by_the_title_within_discords_limit(title: str, name: str) -> None:
    assert plan.thread_name(title) == name
    assert len(name.encode("utf-16-le")) // 2 <= 100


@pytest.mark.parametrize(
    ("content", "shown", "same"),
    [
        ("Hello, **world**", "Hello, **world**", True),
        ("\n Hello \n", "Hello", True),
        ("a\u200bb", "ab", True),  # Discord leaves out some invisible characters
        ("line\r\nline", "line\nline", True),
        ("Hello", "Hello again", False),
        ("名前です", "名前です", True),
        ("名前です", "名前だ", False),
        ("🦞🦞", "🦞🦞", True),
        ("🦞🦞", "🦞", False),
        ("", "", True),
    ],
)
def test_a_part_is_recognised_by_its_words(content: str, shown: str, same: bool) -> None:
    assert plan.says(part(content), {"content": shown, "attachments": []}) is same


def test_a_message_without_the_files_is_not_the_part() -> None:
    assert plan.says(part("Hello", "a.png"), {"content": "Hello", "attachments": [{"id": "1"}]})
    assert not plan.says(part("Hello", "a.png"), {"content": "Hello", "attachments": []})


@pytest.mark.parametrize(
    ("message", "own"),
    [
        ({"author": {"id": "7"}, "type": 0}, True),
        ({"author": {"id": "8"}, "type": 0}, False),
        ({"author": {"id": "7"}, "type": 21}, False),
        ({"author": {"id": "7"}, "type": 0, "webhook_id": "9"}, False),
    ],
)
def test_only_ordinary_messages_of_the_bot_itself_are_its_own(message: dict[str, object], own: bool) -> None:
    assert plan.is_own(message, 7) is own


def test_the_head_comes_before_the_summary_whatever_was_added_later() -> None:
    parts = [
        part("head", ordinal=0),
        part("summary", ordinal=1, place=Place.SUMMARY),
        part("head, added", ordinal=2),
    ]
    assert [each.content for each in plan.in_order(parts)] == ["head", "head, added", "summary"]


def test_nonces_are_short_stable_and_different() -> None:
    nonces = {nonce_of(edition, ordinal) for edition in (1, 11) for ordinal in (1, 11, 111)}
    assert len(nonces) == 6
    assert all(len(nonce) <= 25 for nonce in nonces)
    assert nonce_of(1, 1) == nonce_of(1, 1)
