"""What moderators ask of a guild's digest before it is posted: which period, what was read, what is still missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.capture.chosen import chosen_channels, find_channel
from bot.errors import DiscordError, InputError
from bot.model.clock import Clock
from bot.model.guilds import VIEW_CHANNEL, Channel, ChannelType
from bot.model.parts import PartFile, Place
from bot.model.publication import StoredPart
from bot.model.schedule import Period, first_run_after
from bot.model.settings import GuildSettings
from bot.publish import plan
from bot.publish.rest import DiscordRest
from bot.publish.surroundings import SEND_MESSAGES, Surroundings, TargetError, look_around
from bot.store import coverage, guilds
from bot.store import schedule as stored
from bot.store.engine import Store

ADD_REACTIONS = 1 << 6
_SPOKEN = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT, ChannelType.VOICE, ChannelType.STAGE})
_FILE = (PartFile("edition.md", b""),)
_TRIAL = tuple(StoredPart(ordinal=n, place=place, content=".", nonce="", files=_FILE) for n, place in enumerate(Place))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is recorded of a guild in a period. `gaps` are (channel, start, end) that were not read back."""

    channels: Sequence[Channel]
    unreadable: Sequence[Channel]
    gaps: Sequence[tuple[Channel, datetime, datetime]]


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers moderators' questions. `problems` gives the recorder's present problems, each in one sentence."""

    store: Store
    clock: Clock
    rest: DiscordRest
    problems: Callable[[], Mapping[str, str]]

    async def open_period(self, guild_id: int) -> Period:
        """The period that the guild's next edition will tell."""
        async with self.store.read() as connection:
            schedule = await stored.schedule_of(connection, guild_id)
            settings = await guilds.fetch_settings(connection, guild_id)
        return schedule.run.period if schedule else first_run_after(settings.schedule, self.clock.now()).period

    async def period_of(self, guild_id: int, day: str | None) -> Period | None:
        """The period that a day (`2026-08-24`, the guild's time) ends in, up to now; None for no day.

        So the day on which one period ends and the next one begins stands for the one that begins.

        Raises InputError for what is no day, or one that is still to come.
        """
        if not day:
            return None
        try:
            wanted = date.fromisoformat(day.strip())
        except ValueError as error:
            raise InputError("That is no day; choose one of the suggestions, or write it as 2026-08-24.") from error
        async with self.store.read() as connection:
            settings = (await guilds.fetch_settings(connection, guild_id)).schedule
        zone, now = ZoneInfo(settings.timezone), self.clock.now()
        if datetime.combine(wanted, time(), zone) >= now:
            raise InputError("That day is still to come; there is nothing to tell of it yet.")
        instant = min(datetime.combine(wanted + timedelta(days=1), time(), zone) - timedelta(microseconds=1), now)
        run = first_run_after(settings, instant)
        if run.period.end <= instant:
            run = first_run_after(settings, run.due_at)
        return Period(run.period.start, min(run.period.end, now), settings.timezone)

    async def recent_periods(self, guild_id: int, count: int = 12) -> list[Period]:
        """The periods up to now by the guild's present settings, the latest (which still goes on) first."""
        async with self.store.read() as connection:
            settings = (await guilds.fetch_settings(connection, guild_id)).schedule
        found = [first_run_after(settings, self.clock.now()).period]
        while len(found) < count:
            earlier = first_run_after(settings, found[-1].start - timedelta(seconds=1))
            if earlier.period.start >= found[-1].start:
                break
            found.append(earlier.period)
        return found

    async def reading(self, guild_id: int, period: Period) -> Reading:
        async with self.store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
            channels = await guilds.channels_of(connection, guild_id)
            roles = await guilds.roles_of(connection, guild_id)
            gaps = await coverage.gaps_of(connection, guild_id, period.start, period.end)
        chosen = chosen_channels(settings, guild_id=guild_id, channels=channels, roles=roles)
        spoken = [channels[each] for each in sorted(chosen) if channels[each].channel_type in _SPOKEN]
        return Reading(
            channels=[each for each in spoken if not each.unreadable],
            unreadable=[each for each in spoken if each.unreadable],
            gaps=[
                (channels[gap.channel_id], gap.start, gap.end)
                for gap in gaps
                if gap.recovered_at is None and gap.channel_id in channels
            ],
        )

    async def in_the_way(self, guild_id: int) -> list[str]:
        """What keeps a digest from being posted as the settings say: one sentence each, with what to do."""
        async with self.store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
        try:
            around = await look_around(self.rest, self.store, guild_id)
        except DiscordError as error:
            return [f"Discord could not be asked what the bot may do: {error}"]
        return [*_of_publishing(settings, around), *_of_review(settings, around), *_of_reading(settings, around)]

    async def missing(self, guild_id: int) -> list[str]:
        """What stands in the way of a good digest: one sentence each, with what to do."""
        found = await self.in_the_way(guild_id)
        async with self.store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
        if not settings.github.tracked:
            found.append("No repository is followed; name one with `/repo add` if the community works on GitHub.")
        if not settings.sections and settings.edition.layout == "themes":
            found.append("There are no sections; the digest finds its own, or add yours with `/section add`.")
        return [*self.problems().values(), *found]


def _of_publishing(settings: GuildSettings, around: Surroundings) -> list[str]:
    try:
        plan.require_permissions(plan.destinations(settings.publish, around), _TRIAL, around)
    except TargetError as error:
        return [str(error)]
    return []


def _of_review(settings: GuildSettings, around: Surroundings) -> list[str]:
    if not settings.moderation.review_channel:
        return []
    try:
        channel = around.channel(settings.moderation.review_channel, of="moderation.review_channel")
        around.require(channel, VIEW_CHANNEL | SEND_MESSAGES)
    except TargetError as error:
        return [str(error)]
    return []


def _of_reading(settings: GuildSettings, around: Surroundings) -> list[str]:
    found = []
    for key, names in (
        ("channels.introductions", [settings.channels.introductions]),
        ("channels.welcome", [settings.channels.welcome]),
        ("channels.announcements", settings.channels.announcements or []),
    ):
        found += [
            f"The channel{'' if wanted.isdecimal() else f' {wanted!r}'} of the setting `{key}` is gone; choose "
            "another with `/digest setup`."
            for wanted in names
            if wanted and find_channel(around.channels, wanted) is None
        ]
    chosen = chosen_channels(settings, guild_id=around.guild_id, channels=around.channels, roles=around.roles)
    closed = [
        channel.name
        for channel_id in sorted(chosen)
        if (channel := around.channels[channel_id]).channel_type in _SPOKEN
        and not around.permissions(channel) & VIEW_CHANNEL
    ]
    if closed:
        listed = ", ".join(f"#{name}" for name in closed[:10]) + (
            f" and {len(closed) - 10} more" if closed[10:] else ""
        )
        found.append(f"Gazette cannot read {listed}; give its role View Channel there, or exclude them.")
    if settings.moderation.tag_emoji and not any(
        around.permissions(around.channels[each]) & ADD_REACTIONS for each in chosen
    ):
        found.append("Gazette may not add reactions, so it cannot confirm a moderator's; give its role Add Reactions.")
    return found
