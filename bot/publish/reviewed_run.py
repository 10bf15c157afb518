"""A run of the schedule with the moderators' word heeded."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.publication import StoredRun
from bot.publish.delivery import Hold
from bot.publish.maker import Maker
from bot.publish.publisher import Publisher
from bot.publish.review import Reviews
from bot.publish.review_channel import ReviewChannel


@dataclass(frozen=True, slots=True)
class ReviewedRunner:
    """Does a run of the schedule: makes the edition anew, heeds the moderators' word, posts it."""

    maker: Maker
    publisher: Publisher
    reviews: Reviews
    channel: ReviewChannel

    async def __call__(self, run: StoredRun, hold: Hold) -> None:
        edition_id = await self.maker.make(run.guild_id, run.run.period)
        await self.reviews.decide(edition_id)
        await self.publisher.publish(edition_id, hold=hold)
        await self.channel.refresh(edition_id)
