"""A posted edition stays right: what changes is changed where it stands, with as few edits as that takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.model.guilds import Channel, Role
from bot.model.messages import Message
from bot.model.parts import Part, PartFile, Place
from bot.model.publication import Source
from bot.model.snowflakes import first_id_at
from bot.publish.amender import Amender
from bot.publish.notices import Notices
from bot.publish.publisher import AudienceError
from bot.store import actions, editions, guilds, messages, parts, privacy, sources
from bot.store.engine import Store
from tests.publish_fixtures import DIGEST, FORUM, GUILD, NOW, REVIEW, Press, made, told

Until = Callable[[Callable[[], bool]], Awaitable[None]]
SECRET = 301


def contents(told: tuple[Part, ...], place: Place | None = None) -> list[str]:
    return [part.content for part in told if place in (None, part.place)]


async def posted(press: Press, *told_parts: Part, **more: Any) -> int:
    edition_id = await press.edition(made(told_parts or told(), **more))
    await press.publisher.publish(edition_id)
    return edition_id


async def amend(press: Press, edition_id: int, *told_parts: Part, **more: Any) -> None:
    """What the edition tells has become this."""
    press.anew = made(told_parts, **more)
    async with press.store.write() as connection:
        await sources.mark_stale(connection, [edition_id], reason="a test", at=NOW)
    await press.publisher.settle(edition_id)


def summary_of(press: Press) -> list[str]:
    (thread,) = press.threads(DIGEST)
    return press.said(thread)


async def test_only_the_parts_that_changed_are_edited_without_previews_and_pings(press: Press) -> None:
    edition_id = await posted(press)
    before = told()
    after = (*before[:2], replace(before[2], content="**Story** told anew <@&7>"), *before[3:])
    await amend(press, edition_id, *after)
    (edited,) = press.server.edited
    assert edited.payload["content"] == "**Story** told anew <@&7>"
    assert edited.payload["flags"] == 4
    assert edited.payload["allowed_mentions"] == {"parse": []}
    assert summary_of(press) == contents(after, Place.SUMMARY)
    assert len(press.server.written) == 4


async def test_the_files_of_a_changed_part_are_replaced(press: Press) -> None:
    edition_id = await posted(press)
    before = told()
    files = (PartFile("edition.md", b"# Another week\n"),)
    await amend(press, edition_id, replace(before[0], files=files), *before[1:])
    channel = press.server.world.channel(DIGEST)
    shown = channel.messages[channel.order[0]]
    assert [(each["filename"], each["size"]) for each in shown["attachments"]] == [("edition.md", 15)]
    async with press.store.read() as connection:
        assert (await parts.parts_of(connection, edition_id))[0].files == files


async def test_a_shorter_summary_loses_its_last_messages_and_a_longer_one_gets_more(press: Press) -> None:
    edition_id = await posted(press, *told(1, 3))
    await amend(press, edition_id, *told(1, 1))
    assert summary_of(press) == contents(told(1, 1), Place.SUMMARY)
    assert press.server.edited == []
    await amend(press, edition_id, *told(2, 4))
    assert summary_of(press) == contents(told(1, 4), Place.SUMMARY)
    assert press.said(DIGEST) == contents(told(2, 4), Place.HEAD)
    assert press.server.edited == []
    async with press.store.read() as connection:
        assert await editions.unsettled_editions(connection) == []


async def test_in_one_channel_the_order_is_kept_when_the_head_grows(press: Press) -> None:
    await press.settings(full_summary="channel")
    edition_id = await posted(press, *told(1, 2))
    await amend(press, edition_id, *told(2, 2))
    assert press.said(DIGEST) == contents(told(2, 2))


async def test_a_post_in_a_forum_is_amended_as_well(press: Press) -> None:
    await press.settings(channel="digests")
    edition_id = await posted(press, *told(1, 2))
    after = told(1, 3, word="Tale")
    await amend(press, edition_id, *after)
    (post,) = press.threads(FORUM)
    assert press.said(post) == contents(after)


@pytest.mark.parametrize("locked", [False, True])
async def test_an_archived_thread_is_opened_for_the_change_and_archived_again(press: Press, locked: bool) -> None:
    edition_id = await posted(press)
    (thread,) = press.threads(DIGEST)
    metadata = press.server.world.channel(thread).data["thread_metadata"]
    press.server.world.update_channel(thread, thread_metadata=metadata | {"archived": True, "locked": locked})
    after = told(1, 3, word="Tale")
    await amend(press, edition_id, *after)
    assert summary_of(press) == contents(after, Place.SUMMARY)
    assert press.server.world.channel(thread).archived


async def test_a_message_that_a_moderator_deleted_does_not_come_back(press: Press) -> None:
    edition_id = await posted(press)
    (thread,) = press.threads(DIGEST)
    press.server.world.delete_message(thread, press.server.written[2].message_id)
    after = told(1, 3, word="Tale")
    await amend(press, edition_id, *after)
    assert summary_of(press) == [after[1].content, after[3].content]
    await amend(press, edition_id, *told(1, 3, word="Saga"))
    assert summary_of(press) == [told(1, 3, word="Saga")[1].content, told(1, 3, word="Saga")[3].content]
    async with press.store.read() as connection:
        log = [action for _, _, action, _ in await actions.actions_of(connection, GUILD)]
    assert log.count("found a part of the digest deleted") == 1


async def test_what_changed_is_logged_and_the_archive_follows(press: Press) -> None:
    edition_id = await posted(press)
    await amend(press, edition_id, *told(1, 4, word="Tale"), markdown="# Anew", html="<h1>Anew</h1>")
    edition, _ = await press.stored(edition_id)
    assert (edition.markdown, edition.html, edition.revision, edition.stale_since) == (
        "# Anew",
        "<h1>Anew</h1>",
        2,
        None,
    )
    async with press.store.read() as connection:
        (_, by, action, data), *_ = await actions.actions_of(connection, GUILD)
    assert (by, action) == (None, "amended the digest")
    assert (data["reason"], data["changed"], data["added"], data["removed"]) == ("a test", 4, 1, 0)


async def test_an_amendment_that_was_interrupted_is_brought_to_its_end(press: Press) -> None:
    edition_id = await posted(press)
    fault = press.server.faults.fail(503, method="PATCH", skip=1, times=None)
    after = told(1, 4, word="Tale")
    with pytest.raises(Exception, match="does not answer"):
        await amend(press, edition_id, *after)
    fault.times = 0
    await press.publisher.settle(edition_id)
    assert summary_of(press) == contents(after, Place.SUMMARY)
    assert press.said(DIGEST) == contents(after, Place.HEAD)


# -- from what members do


QUOTED = first_id_at(NOW - timedelta(days=2))


def quoted(channel_id: int = DIGEST, **more: Any) -> Message:
    known: dict[str, Any] = {"content": "words", "author_id": 300, "author_name": "Ada"}
    return Message(message_id=QUOTED, guild_id=GUILD, channel_id=channel_id, **(known | more))


async def quote(press: Press, channel_id: int = DIGEST) -> int:
    """An edition, stored, that tells of a message of Ada's."""
    press.server.world.create_message(channel_id, author=press.server.world.users[300], id=QUOTED, content="words")
    async with press.store.write() as connection:
        await messages.store_messages(connection, [quoted(channel_id)])
    return await press.edition(made(told(), sources=(Source(message_id=QUOTED, user_id=300),)))


@asynccontextmanager
async def amending(press: Press, **options: Any) -> AsyncIterator[Amender]:
    notices = Notices(press.store, press.publisher.rest, press.clock)
    amender = Amender(press.store, press.clock, press.publisher, notices, **{"name": "one", **options})
    amender.start()
    try:
        yield amender
    finally:
        await amender.stop()


async def edits(store: Store) -> None:
    async with store.write() as connection:
        await messages.store_messages(connection, [quoted(content="other words", edited_at=NOW)])


async def deletes(store: Store) -> None:
    async with store.write() as connection:
        await messages.delete_messages(connection, GUILD, DIGEST, [QUOTED], at=NOW)


async def opts_out(store: Store) -> None:
    async with store.write() as connection:
        await privacy.opt_out(connection, GUILD, 300, at=NOW)


async def loses_the_channel(store: Store) -> None:
    async with store.write() as connection:
        await messages.delete_messages_in(connection, [DIGEST], at=NOW)


@pytest.mark.parametrize("happens", [edits, deletes, opts_out, loses_the_channel])
async def test_within_minutes_the_posted_edition_follows_what_members_do(
    press: Press, happens: Callable[[Store], Awaitable[None]], until: Until
) -> None:
    edition_id = await quote(press)
    await press.publisher.publish(edition_id)
    async with amending(press) as amender:
        await until(lambda: press.clock.next_wake is not None)
        await happens(press.store)
        press.anew = made(told(1, 3, word="Tale"))
        amender.wake()
        await until(lambda: press.clock.next_wake == NOW + timedelta(seconds=10))
        await press.clock.advance(NOW + timedelta(seconds=10))
        await until(lambda: press.said(DIGEST) == contents(told(1, 3, word="Tale"), Place.HEAD))
        await until(lambda: summary_of(press) == contents(told(1, 3, word="Tale"), Place.SUMMARY))
    assert (await press.stored(edition_id))[0].stale_since is None


async def test_what_another_process_noted_is_found_without_being_woken(press: Press, until: Until) -> None:
    edition_id = await quote(press)
    await press.publisher.publish(edition_id)
    async with amending(press):
        await until(lambda: press.clock.next_wake is not None)
        await deletes(press.store)
        press.anew = made(told(1, 3, word="Tale"))
        await press.clock.advance(NOW + timedelta(minutes=5))
        await until(lambda: summary_of(press) == contents(told(1, 3, word="Tale"), Place.SUMMARY))


async def test_one_process_at_a_time_sets_an_edition_right(press: Press, until: Until) -> None:
    edition_id = await posted(press, *told(1, 1))
    press.anew = made(told(1, 3))
    async with press.store.write() as connection:
        await sources.mark_stale(connection, [edition_id], reason="a test", at=NOW)
    notices = Notices(press.store, press.publisher.rest, press.clock)
    amenders = [
        Amender(press.store, press.clock, press.publisher, notices, name=f"process {n}", gather=timedelta(0))
        for n in range(3)
    ]
    await asyncio.gather(*(amender.settle_all() for amender in amenders))
    await amenders[0].settle_all()
    assert summary_of(press) == contents(told(1, 3), Place.SUMMARY)


async def test_a_correction_that_keeps_failing_is_told_and_goes_on(press: Press, until: Until) -> None:
    await press.settings(groups={"moderation": {"review_channel": "review"}})
    edition_id = await quote(press)
    await press.publisher.publish(edition_id)
    fault = press.server.faults.answer(
        403, {"message": "Missing Permissions", "code": 50013}, method="PATCH", times=None
    )
    async with amending(press):
        await until(lambda: press.clock.next_wake is not None)
        await deletes(press.store)
        press.anew = made(told(1, 3, word="Tale"))
        for minutes in range(5, 60, 5):
            await press.clock.advance(NOW + timedelta(minutes=minutes))
            await until(lambda: press.clock.next_wake is not None)
            if press.said(REVIEW):
                break
        assert "could not be corrected" in press.said(REVIEW)[0]
        fault.times = 0
        await press.clock.advance(NOW + timedelta(hours=2))
        await until(lambda: summary_of(press) == contents(told(1, 3, word="Tale"), Place.SUMMARY))


# -- at posting time


async def test_quoted_messages_are_read_again_just_before_posting(press: Press) -> None:
    edition_id = await quote(press)
    asked: list[list[int]] = []

    async def refresh(message_ids: Collection[int]) -> None:
        asked.append(sorted(message_ids))
        if len(asked) == 1:
            press.anew = made(told(1, 3, word="Tale"))
            await edits(press.store)

    await replace(press.publisher, refresh=refresh).publish(edition_id)
    assert asked[0] == [QUOTED]
    assert press.said(DIGEST) == contents(told(1, 3, word="Tale"), Place.HEAD)
    assert press.server.edited == []


async def secret_channel(press: Press) -> None:
    """A channel that only moderators may read; told of as it was when everybody could."""
    press.server.world.create_channel(GUILD, id=SECRET, name="plans")
    everyone = Role(role_id=GUILD, guild_id=GUILD, name="@everyone", permissions=1 << 10 | 1 << 16)
    async with press.store.write() as connection:
        await guilds.store_channels(
            connection, [Channel(channel_id=SECRET, guild_id=GUILD, name="plans", channel_type=0)]
        )
        await guilds.store_roles(connection, [everyone])


async def test_what_the_readers_may_not_see_any_more_is_not_posted(press: Press) -> None:
    await secret_channel(press)
    edition_id = await quote(press, SECRET)
    hidden = [{"id": str(GUILD), "type": 0, "allow": "0", "deny": str(1 << 10)}]
    press.server.world.update_channel(SECRET, permission_overwrites=hidden)
    with pytest.raises(AudienceError, match="not all readers"):
        await press.publisher.publish(edition_id)
    assert press.server.written == []
    press.anew = made(told(1, 3, word="Tale"))
    await press.publisher.publish(edition_id)
    assert press.said(DIGEST) == contents(told(1, 3, word="Tale"), Place.HEAD)


async def test_a_summary_in_a_more_public_channel_tells_only_what_its_readers_may_see(press: Press) -> None:
    await secret_channel(press)
    hidden = [{"id": str(GUILD), "type": 0, "allow": "0", "deny": str(1 << 10)}]
    bot = {"id": str(press.server.world.bot_id), "type": 1, "allow": str(1 << 10), "deny": "0"}
    press.server.world.update_channel(SECRET, permission_overwrites=hidden)
    press.server.world.update_channel(DIGEST, permission_overwrites=[*hidden, bot])
    await press.settings(full_summary="archive")
    with pytest.raises(AudienceError):
        await press.publisher.publish(await quote(press, SECRET))
    assert press.server.written == []
