"""Discord's payloads as values: what is odd about them comes out fit to be kept."""

from __future__ import annotations

from typing import Any

import pytest

from bot.capture import convert
from bot.model.messages import Message, Speaker
from bot.store import messages
from bot.store.engine import Store

GUILD, SELF = 100, 1000


def payload(**fields: Any) -> dict[str, Any]:
    return {
        "id": "1542701554660936661",
        "type": 0,
        "channel_id": "200",
        "author": {"id": "300", "username": "ada", "global_name": "Ada"},
        "content": "hello",
        "timestamp": "2026-08-28T01:05:12.640000+00:00",
        "edited_timestamp": None,
    } | fields


def converted(**fields: Any) -> Message:
    return convert.message_from_payload(payload(**fields), guild_id=GUILD, self_id=SELF)


async def test_nul_is_removed_and_nothing_is_cut(store: Store) -> None:
    message = converted(content="a\x00b" + "é" * 3998)
    assert message.content == "ab" + "é" * 3998
    async with store.write() as connection:
        await messages.store_messages(connection, [message])
    async with store.read() as connection:
        back = await messages.messages_by_id(connection, [message.message_id])
    assert back[message.message_id].content == message.content


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ({"id": "1", "username": "deleted_user_5c2", "global_name": None}, "deleted_user_5c2"),
        ({"id": "1234567", "username": "\u200b\u2060", "global_name": "\u3164"}, "member 4567"),
        ({"id": "1", "username": "x", "global_name": "名前"}, "名前"),
        ({"id": "1", "username": "x", "global_name": "\u202eevil\nname"}, "evil name"),
        ({"id": "1", "username": "x", "global_name": "a\x00b"}, "ab"),
    ],
    ids=["account gone", "nothing to see", "another script", "turned around and broken", "NUL"],
)
def test_an_author_always_has_a_name_that_can_be_shown(author: dict[str, Any], name: str) -> None:
    assert converted(author=author).author_name == name


def test_the_nick_is_the_name() -> None:
    assert converted(member={"nick": "Countess", "roles": []}).author_name == "Countess"


@pytest.mark.parametrize(
    ("fields", "speaker"),
    [
        ({}, Speaker.MEMBER),
        ({"author": {"id": str(SELF), "username": "gazette", "bot": True}}, Speaker.SELF),
        ({"author": {"id": "5", "username": "b", "bot": True}}, Speaker.BOT),
        ({"webhook_id": "5", "application_id": None}, Speaker.WEBHOOK),
        ({"webhook_id": "5", "flags": 2}, Speaker.FOLLOWED),
        ({"webhook_id": "5", "message_reference": {"guild_id": "9", "message_id": "8"}}, Speaker.FOLLOWED),
        ({"webhook_id": "5", "application_id": "466378653216014359"}, Speaker.PROXIED),
    ],
    ids=["member", "self", "bot", "webhook", "crosspost", "from another guild", "PluralKit"],
)
def test_who_speaks_is_told_apart(fields: dict[str, Any], speaker: Speaker) -> None:
    assert converted(**fields).speaker is speaker


def test_an_attachment_is_kept_without_its_address_which_dies() -> None:
    message = converted(
        attachments=[{"id": "7", "filename": "plot.png", "size": 10, "content_type": "image/png", "url": "https://c/x"}]
    )
    assert "https" not in repr(message)
    assert message.attachments[0].filename == "plot.png"


@pytest.mark.parametrize("kind", [6, 7, 8, 18, 21, 24, 46, 999])
def test_system_messages_and_unknown_types_are_nothing_said(kind: int) -> None:
    assert not converted(type=kind).is_said


def test_a_poll_asks_its_question() -> None:
    assert converted(content="", poll={"question": {"text": "Tea or coffee?"}}).content == "Tea or coffee?"


def test_only_a_reply_replies() -> None:
    reference = {"message_id": "55", "channel_id": "200", "guild_id": str(GUILD)}
    assert converted(type=19, message_reference=reference).reply_to_id == 55
    assert converted(type=21, message_reference=reference).reply_to_id is None


def test_permissions_of_more_than_63_bits_survive() -> None:
    role = convert.role_from_payload({"id": "1", "name": "r", "permissions": str(2**64 - 1)}, guild_id=GUILD)
    assert role.permissions == 2**64 - 1


@pytest.mark.parametrize("broken", [{"author": None}, {"id": "x"}, {"edited_timestamp": "yesterday"}])
def test_what_is_no_message_is_an_error(broken: dict[str, Any]) -> None:
    with pytest.raises((KeyError, ValueError, TypeError)):
        converted(**broken)
