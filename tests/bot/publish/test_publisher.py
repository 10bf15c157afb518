"""An edition is posted where the settings say, as Discord shows it: each part once, in order, nobody pinged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ConflictError
from bot.model.parts import Part, Place
from bot.model.publication import EditionStatus
from bot.publish.rest import RejectedError, UncertainError
from bot.publish.surroundings import TargetError
from bot.replay import discord_permissions as bits
from bot.store import actions, editions, sources
from tests.discord_schema import DiscordSchema
from tests.publish_fixtures import ARCHIVE, DIGEST, FORUM, GUILD, NEWS, TITLE, Press, made, told

POST = {"method": "POST", "path": "/channels/*/messages"}


def contents(parts: tuple[Part, ...], place: Place | None = None) -> list[str]:
    return [part.content for part in parts if place in (None, part.place)]


async def test_the_head_stands_in_the_channel_and_the_summary_in_a_thread_under_it(press: Press) -> None:
    edition_id = await press.edition(made(told(2, 3)))
    await press.publisher.publish(edition_id)
    head_ids = press.server.world.channel(DIGEST).order
    assert press.said(DIGEST) == contents(told(2, 3), Place.HEAD)
    assert press.threads(DIGEST) == [head_ids[0]]
    assert press.said(head_ids[0]) == contents(told(2, 3), Place.SUMMARY)
    assert press.server.world.channel(head_ids[0]).data["name"] == TITLE
    edition, stored = await press.stored(edition_id)
    assert edition.status is EditionStatus.PUBLISHED
    assert edition.published_at == press.clock.now()
    assert [part.message_id for part in stored] == [written.message_id for written in press.server.written]
    assert {part.channel_id for part in stored} == {DIGEST, head_ids[0]}


async def test_previews_are_suppressed_nobody_is_pinged_and_the_files_are_there(press: Press) -> None:
    await press.publisher.publish(await press.edition())
    for written in press.server.written:
        assert written.payload["flags"] == 4
        assert written.payload["allowed_mentions"] == {"parse": []}
        assert written.payload["enforce_nonce"] is True
        assert len(written.payload["nonce"]) <= 25
    assert len({written.payload["nonce"] for written in press.server.written}) == 4
    assert press.server.written[0].files == ("edition.md", "joins.png")
    assert press.server.written[0].payload["attachments"] == [
        {"id": 0, "filename": "edition.md"},
        {"id": 1, "filename": "joins.png", "description": "Joins by day"},
    ]


async def test_publishing_again_sends_nothing(press: Press) -> None:
    edition_id = await press.edition()
    await press.publisher.publish(edition_id)
    before = len(press.server.requests)
    await press.publisher.publish(edition_id)
    assert len(press.server.requests) == before


@pytest.mark.parametrize(
    ("settings", "places"),
    [
        ({"full_summary": "channel"}, {DIGEST: 4}),
        ({"full_summary": "archive"}, {DIGEST: 1, ARCHIVE: 3}),
        ({"full_summary": str(ARCHIVE)}, {DIGEST: 1, ARCHIVE: 3}),
        ({"channel": str(ARCHIVE), "full_summary": "channel"}, {ARCHIVE: 4}),
    ],
)
async def test_the_summary_goes_where_the_settings_say(
    press: Press, settings: dict[str, Any], places: dict[int, int]
) -> None:
    await press.settings(**settings)
    await press.publisher.publish(await press.edition())
    assert {channel: len(press.said(channel)) for channel in places} == places
    assert press.threads(DIGEST) == []


async def test_a_forum_gets_one_post_with_everything_in_it(press: Press) -> None:
    await press.settings(channel="digests")
    edition_id = await press.edition()
    await press.publisher.publish(edition_id)
    (post,) = press.threads(FORUM)
    assert press.said(post) == contents(told())
    assert press.server.world.channel(post).data["name"] == TITLE
    assert await press.is_published(edition_id)


async def test_a_forum_for_the_summary_gets_a_post_with_the_summary(press: Press) -> None:
    await press.settings(full_summary="digests")
    await press.publisher.publish(await press.edition())
    (post,) = press.threads(FORUM)
    assert press.said(DIGEST) == contents(told(), Place.HEAD)
    assert press.said(post) == contents(told(), Place.SUMMARY)


async def test_a_forum_that_requires_a_tag_gets_one_that_anybody_may_set(press: Press) -> None:
    tags = [{"id": "1", "name": "staff", "moderated": True}, {"id": "2", "name": "weekly", "moderated": False}]
    press.server.world.update_channel(FORUM, flags=1 << 4, available_tags=tags)
    await press.settings(channel="digests")
    await press.publisher.publish(await press.edition())
    (post,) = press.threads(FORUM)
    assert press.server.world.channel(post).data["applied_tags"] == ["2"]


async def test_an_announcement_is_published_to_followers_once_if_wanted(press: Press) -> None:
    await press.settings(channel="news", crosspost=True)
    await press.publisher.publish(await press.edition(made(told(2, 1))))
    crossposts = [r for r in press.server.requests if r.path.endswith("/crosspost")]
    assert [r.status for r in crossposts] == [200, 200]
    assert [
        press.server.world.channel(NEWS).messages[m]["flags"] & 1 for m in press.server.world.channel(NEWS).order
    ] == [1, 1]


async def test_an_announcement_channel_without_the_wish_is_not_published_to_followers(press: Press) -> None:
    await press.settings(channel="news")
    await press.publisher.publish(await press.edition())
    assert not [r for r in press.server.requests if r.path.endswith("/crosspost")]


async def test_a_refused_publication_to_followers_leaves_the_digest_standing(press: Press) -> None:
    await press.settings(channel="news", crosspost=True)
    edition_id = await press.edition()
    press.server.faults.answer(403, {"message": "Missing Permissions", "code": 50013}, path="*/crosspost")
    await press.publisher.publish(edition_id)
    assert await press.is_published(edition_id)
    async with press.store.read() as connection:
        log = [action for _, _, action, _ in await actions.actions_of(connection, GUILD)]
    assert log == ["published the digest", "could not publish the digest to followers"]


async def test_a_silent_digest_notifies_nobody(press: Press) -> None:
    await press.settings(silent=True)
    await press.publisher.publish(await press.edition())
    assert {written.payload["flags"] for written in press.server.written} == {4 | 4096}


async def test_the_one_role_is_mentioned_by_the_first_part_only(press: Press) -> None:
    role = int(press.server.world.create_role(GUILD, name="readers", mentionable=True)["id"])
    parts = told(2, 1)
    parts = (replace(parts[0], content=f"<@&{role}>\n{parts[0].content}"), *parts[1:])
    await press.publisher.publish(await press.edition(made(parts, ping_role_id=role)))
    allowed = [written.payload["allowed_mentions"] for written in press.server.written]
    assert allowed == [{"parse": [], "roles": [str(role)]}, {"parse": []}, {"parse": []}]
    channel = press.server.world.channel(DIGEST)
    assert [channel.messages[m]["mention_roles"] for m in channel.order] == [[str(role)], []]


async def test_a_held_edition_is_not_posted(press: Press) -> None:
    edition_id = await press.edition()
    async with press.store.write() as connection:
        await editions.set_status(connection, edition_id, EditionStatus.HELD, expected=[EditionStatus.DRAFT])
    with pytest.raises(ConflictError, match="held back"):
        await press.publisher.publish(edition_id)
    assert press.server.written == []


@pytest.mark.parametrize("settings", [{"channel": "nowhere"}, {"channel": ""}, {"full_summary": "nowhere"}])
async def test_a_channel_that_does_not_exist_is_named(press: Press, settings: dict[str, Any]) -> None:
    await press.settings(**settings)
    with pytest.raises(TargetError, match=r"/digest setup"):
        await press.publisher.publish(await press.edition())
    assert press.server.written == []


@pytest.mark.parametrize(
    ("lost", "named"),
    [
        (bits.VIEW_CHANNEL, "View Channel"),
        (bits.SEND_MESSAGES, "Send Messages"),
        (bits.ATTACH_FILES, "Attach Files"),
        (bits.CREATE_PUBLIC_THREADS, "Create Public Threads"),
        (bits.READ_MESSAGE_HISTORY, "Read Message History"),
    ],
)
async def test_a_missing_permission_is_named_before_anything_is_sent(press: Press, lost: int, named: str) -> None:
    bot = press.server.world.bot_id
    press.server.world.update_channel(
        DIGEST, permission_overwrites=[{"id": str(bot), "type": 1, "allow": "0", "deny": str(lost)}]
    )
    with pytest.raises(TargetError, match=f"#digest: .*{named}"):
        await press.publisher.publish(await press.edition())
    assert press.server.written == []


# -- misfortune


@pytest.mark.parametrize(("status", "channel"), [(504, "digest"), (504, "digests"), (503, "digest")])
async def test_a_part_that_discord_stored_and_answered_with_an_error_stands_once(
    press: Press, status: int, channel: str
) -> None:
    await press.settings(channel=channel)
    edition_id = await press.edition()
    press.server.faults.fail(status, method="POST", stored=True, skip=1)
    press.server.faults.fail(status, method="POST", stored=True, path="/channels/*/messages")
    press.server.faults.fail(status, method="POST", stored=True, path=f"/channels/{FORUM}/threads")
    await press.publisher.publish(edition_id)
    assert [written.payload.get("content") for written in press.server.written] == contents(told())
    assert await press.is_published(edition_id)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("skip", [0, 1, 2, 3])
async def test_a_reset_connection_neither_loses_nor_doubles_a_part(press: Press, stored: bool, skip: int) -> None:
    press.server.faults.reset(**POST, stored=stored, skip=skip)
    await press.publisher.publish(await press.edition())
    assert [written.payload["content"] for written in press.server.written] == contents(told())


async def test_an_answer_that_does_not_come_in_time_neither_loses_nor_doubles_a_part(press: Press) -> None:
    from bot.publish.rest import DiscordRest

    impatient = replace(press.publisher, rest=DiscordRest(press.client, timeout=0.3))
    press.server.faults.delay(1.0, **POST, stored=True)
    await impatient.publish(await press.edition())
    assert [written.payload["content"] for written in press.server.written] == contents(told())


async def test_rate_limits_are_waited_for(press: Press) -> None:
    press.server.faults.rate_limit(0.01, **POST, skip=1)
    press.server.faults.rate_limit(0.01, **POST, everywhere=True, skip=2)
    press.server.faults.rate_limit(0.01, method="GET")
    await press.publisher.publish(await press.edition())
    assert [written.payload["content"] for written in press.server.written] == contents(told())


async def test_where_discord_stays_away_the_next_call_goes_on(press: Press) -> None:
    edition_id = await press.edition()
    fault = press.server.faults.reset(**POST, skip=2, times=None)
    with pytest.raises(UncertainError):
        await press.publisher.publish(edition_id)
    fault.times = 0
    assert len(press.server.written) == 2
    await press.publisher.publish(edition_id)
    assert [written.payload["content"] for written in press.server.written] == contents(told())


async def test_a_part_found_long_after_the_nonce_is_forgotten_is_not_sent_again(press: Press) -> None:
    edition_id = await press.edition()
    press.server.faults.reset(**POST, stored=True)
    press.server.faults.reset(method="GET", path="/channels/*/messages", skip=1, times=None)
    with pytest.raises(UncertainError):
        await press.publisher.publish(edition_id)
    press.server.faults.clear()
    for n in range(250):
        press.server.world.create_message(DIGEST, author=press.server.world.users[300], content=f"chat {n}")
    press.clock.set(press.clock.now().replace(hour=23))
    await press.publisher.publish(edition_id)
    assert press.said(DIGEST) == contents(told(), Place.HEAD)
    assert [written.payload["content"] for written in press.server.written] == contents(told())


async def test_an_earlier_digest_with_the_same_words_is_not_taken_for_this_one(press: Press) -> None:
    await press.publisher.publish(await press.edition())
    later = made(told(), period=replace(press.anew.period, start=press.anew.period.end))
    edition_id = await press.edition(later)
    press.server.faults.reset(**POST)
    await press.publisher.publish(edition_id)
    assert press.said(DIGEST) == contents(told(), Place.HEAD) * 2
    assert len(press.threads(DIGEST)) == 2


async def test_a_post_in_the_forum_is_found_among_archived_ones(press: Press) -> None:
    await press.settings(channel="digests")
    edition_id = await press.edition()
    press.server.faults.reset(method="POST", path=f"/channels/{FORUM}/threads", stored=True)
    press.server.faults.reset(method="GET", path=f"/guilds/{GUILD}/threads/active", times=None)
    with pytest.raises(UncertainError):
        await press.publisher.publish(edition_id)
    press.server.faults.clear()
    (post,) = press.threads(FORUM)
    press.server.world.set_archived(post, True)
    await press.publisher.publish(edition_id)
    assert press.threads(FORUM) == [post]
    assert press.said(post) == contents(told())


async def test_a_thread_that_was_locked_meanwhile_is_opened_and_archived_again(press: Press) -> None:
    edition_id = await press.edition()
    fault = press.server.faults.reset(**POST, skip=2, times=None)
    with pytest.raises(UncertainError):
        await press.publisher.publish(edition_id)
    fault.times = 0
    (thread,) = press.threads(DIGEST)
    metadata = press.server.world.channel(thread).data["thread_metadata"]
    press.server.world.update_channel(thread, thread_metadata=metadata | {"archived": True, "locked": True})
    await press.publisher.publish(edition_id)
    assert press.said(thread) == contents(told(), Place.SUMMARY)
    assert press.server.world.channel(thread).data["thread_metadata"]["archived"]


async def test_a_channel_that_vanishes_in_the_middle_leaves_the_whole_edition_for_another(press: Press) -> None:
    edition_id = await press.edition()
    fault = press.server.faults.reset(**POST, skip=2, times=None)
    with pytest.raises(UncertainError):
        await press.publisher.publish(edition_id)
    fault.times = 0
    press.server.world.delete_channel(DIGEST)
    await press.settings(channel="archive")
    with pytest.raises(RejectedError):
        await press.publisher.publish(edition_id)
    await press.publisher.publish(edition_id)
    (thread,) = press.threads(ARCHIVE)
    assert press.said(ARCHIVE) == contents(told(), Place.HEAD)
    assert press.said(thread) == contents(told(), Place.SUMMARY)


async def test_other_messages_of_the_bot_are_not_taken_for_parts(press: Press) -> None:
    edition_id = await press.edition()
    press.server.faults.reset(**POST)
    press.server.world.create_message(DIGEST, author=press.server.world.bot, content="Something else")
    await press.publisher.publish(edition_id)
    assert press.said(DIGEST) == ["Something else", *contents(told(), Place.HEAD)]


async def test_a_refused_part_says_why_and_is_sent_once_it_is_allowed(press: Press) -> None:
    edition_id = await press.edition()
    press.server.faults.answer(403, {"message": "Missing Permissions", "code": 50013}, **POST)
    with pytest.raises(RejectedError, match="Missing Permissions"):
        await press.publisher.publish(edition_id)
    await press.publisher.publish(edition_id)
    assert [written.payload["content"] for written in press.server.written] == contents(told())


@pytest.mark.parametrize("settings", [{"channel": "news", "crosspost": True, "silent": True}, {"channel": "digests"}])
async def test_what_is_sent_is_what_discords_own_schema_describes(
    press: Press, settings: dict[str, Any], shared_file: Callable[[str], Path]
) -> None:
    schema = DiscordSchema.read(shared_file("DISCORD_OPENAPI"))
    await press.settings(**settings)
    edition_id = await press.edition(made(told(1, 2)))
    await press.publisher.publish(edition_id)
    press.anew = made(told(1, 1, word="Tale"))
    async with press.store.write() as connection:
        await sources.mark_stale(connection, [edition_id], reason="a test", at=press.clock.now())
    await press.publisher.settle(edition_id)
    sent = [record for record in press.server.requests if record.method != "GET"]
    assert {record.method for record in sent} == {"POST", "PATCH", "DELETE"}
    assert schema.problems_of(sent) == []
