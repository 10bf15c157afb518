"""Drafts in the review channel at the wire: what Discord is sent, and what a crash or a refusal leaves behind."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.compile.edition import compile_edition
from bot.model.edition import Edition
from bot.model.parts import Rendered
from bot.model.publication import EditionStatus, Schedule
from bot.model.schedule import Run
from bot.model.settings import GuildSettings
from bot.publish.calendar import rule_of
from bot.publish.maker import Maker, Stages
from bot.publish.notices import Notices
from bot.publish.review import Reviews, revised
from bot.publish.review_channel import ReviewChannel
from bot.store import schedule
from tests.discord_schema import DiscordSchema
from tests.publish_fixtures import GUILD, NOW, REVIEW, WEEK, Press, told

LATER = replace(WEEK, start=WEEK.end, end=WEEK.end + timedelta(days=7))


class Desk:
    """Reviews over the local Discord; `parts` is what rendering comes to."""

    def __init__(self, press: Press) -> None:
        self.press = press
        self.parts = told()
        stages = Stages(compile=compile_edition, revise=revised, render=self._render)
        self.maker = Maker(press.store, press.clock, stages)
        self.notices = Notices(press.store, press.publisher.rest, press.clock)
        self.late: list[datetime] = []
        self.reviews = self.another()

    def another(self) -> Reviews:
        """Reviews as another process has them."""
        return Reviews(
            self.press.store,
            self.press.clock,
            ReviewChannel(self.press.store, self.press.publisher.rest, self.notices),
            self.maker,
            self.notices,
            drain=self._nothing,
            publish_late=self._publish_late,
        )

    def _render(self, edition: Edition, settings: GuildSettings) -> Rendered:
        return Rendered(self.parts, "# The week", "<h1>The week</h1>")

    async def _nothing(self) -> None:
        """Everything is stored."""

    async def _publish_late(self, guild_id: int, period_start: datetime, by: int) -> None:
        self.late.append(period_start)

    def thread(self) -> list[str]:
        (thread_id,) = self.press.threads(REVIEW)
        return self.press.said(thread_id)


@pytest.fixture
async def desk(press: Press) -> Desk:
    await press.settings(groups={"moderation": {"review_channel": "review"}})
    async with press.store.write() as connection:
        settings = GuildSettings().schedule
        run = Run(LATER.end, LATER)
        await schedule.start_schedule(connection, Schedule(guild_id=GUILD, run=run, rule=rule_of(settings)))
    return Desk(press)


async def test_a_draft_its_thread_and_its_buttons_are_such_as_discord_takes(desk: Desk, shared_file: Any) -> None:
    draft = await desk.reviews.show_next(GUILD)
    desk.parts = told(summaries=4, word="Tale")
    await desk.reviews.rebuild(GUILD, draft.edition.edition_id, 1)
    desk.parts = told(summaries=1, word="Tale")
    await desk.reviews.rebuild(GUILD, draft.edition.edition_id, 2)
    schema = DiscordSchema.read(shared_file("DISCORD_OPENAPI"))
    assert schema.problems_of(desk.press.server.requests) == []


async def test_the_thread_follows_the_draft_with_the_fewest_changes(desk: Desk) -> None:
    draft = await desk.reviews.show_next(GUILD)
    assert desk.thread() == [part.content for part in desk.parts]
    before = len(desk.press.server.written)
    desk.parts = (*desk.parts[:2], replace(desk.parts[2], content="Another story"))
    await desk.reviews.rebuild(GUILD, draft.edition.edition_id, 1)
    assert desk.thread() == [part.content for part in desk.parts]
    assert len(desk.press.server.written) == before
    desk.parts = told(summaries=5)
    await desk.reviews.rebuild(GUILD, draft.edition.edition_id, 2)
    assert desk.thread() == [part.content for part in desk.parts]


async def test_two_processes_show_one_draft(desk: Desk) -> None:
    one, other = desk.reviews, desk.another()
    await one.show_next(GUILD)
    await other.show_next(GUILD)
    heads = [content for content in desk.press.said(REVIEW) if content.startswith("**Draft")]
    assert len(heads) == 1 and desk.thread() == [part.content for part in desk.parts]


async def test_a_draft_that_discord_refuses_is_told_and_shown_when_it_can_be(desk: Desk) -> None:
    refusal = {"message": "Missing Permissions", "code": 50013}
    desk.press.server.faults.answer(403, refusal, method="POST", path=f"/channels/{REVIEW}/messages")
    desk.reviews.start()
    desk.press.clock.set(LATER.end - timedelta(hours=20))
    desk.reviews.wake()
    await desk.reviews.idle()
    desk.press.clock.set(LATER.end - timedelta(hours=19))
    desk.reviews.wake()
    await desk.reviews.idle()
    await desk.reviews.stop()
    said = desk.press.said(REVIEW)
    assert sum("could not be shown" in content for content in said) == 1
    assert sum(content.startswith("**Draft") for content in said) == 1


async def test_what_is_approved_late_is_posted_late(desk: Desk) -> None:
    draft = await desk.reviews.show_next(GUILD)
    told_so = await desk.reviews.hold(GUILD, draft.edition.edition_id, 1, by=7)
    assert "only once" in told_so
    current = await desk.reviews.draft(draft.edition.edition_id)
    assert current.edition.status is EditionStatus.HELD
    async with desk.press.store.write() as connection:
        await schedule.open_run(connection, GUILD, Run(LATER.end, LATER), at=NOW)
        (run,) = await schedule.claimable_runs(connection, LATER.end, limit=1)
        claimed = await schedule.claim_run(
            connection, run, by="me", now=LATER.end, until=LATER.end + timedelta(hours=1)
        )
        assert claimed is not None
        await schedule.finish_run(connection, claimed, schedule.RunStatus.OFFERED, at=LATER.end, error="held back")
    assert "posted now" in await desk.reviews.approve(GUILD, draft.edition.edition_id, 1, by=7)
    assert desk.late == [LATER.start]


async def test_nobody_reads_a_draft_of_another_guild(desk: Desk) -> None:
    draft = await desk.reviews.show_next(GUILD)
    with pytest.raises(Exception, match="no such draft here"):
        await desk.reviews.approve(999, draft.edition.edition_id, 1, by=7)
