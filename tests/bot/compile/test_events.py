"""What is still to come at the period's end."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.compile.dates import dates_in
from bot.compile.events import as_sources, coming_events
from bot.model.edition import ComingEvent
from bot.model.guilds import ScheduledEvent
from bot.model.messages import Message
from bot.model.schedule import Period
from bot.model.snowflakes import first_id_at

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)  # a Wednesday
PERIOD = Period(datetime(2026, 5, 4, tzinfo=UTC), datetime(2026, 5, 11, tzinfo=UTC))


def days(text: str, zone: str = "UTC", said_at: datetime = SAID) -> list[str]:
    return [spoken.day.isoformat() for spoken in dates_in(text, said_at=said_at, zone=ZoneInfo(zone))]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Community meeting on June 1: bring questions", "2026-06-01"),
        ("panel on Sept 1st", "2026-09-01"),
        ("see you on the 3rd of June!", "2026-06-03"),
        ("save the date: 12 December 2026, online", "2026-12-12"),
        ("the workshop is on January 9", "2027-01-09"),
        ("2026-06-02T17:00Z is the deadline", "2026-06-02"),
        ("Treffen am 1.6. um 18 Uhr", "2026-06-01"),
        ("Vortrag am 01.06.2026", "2026-06-01"),
        ("Rendez-vous le 4 juin à 18h", "2026-06-04"),
        ("Reunión el 5 de junio", "2026-06-05"),
        ("Spotkanie 6 czerwca o 19:00", "2026-06-06"),
        ("зустріч 7 червня", "2026-06-07"),
        ("toplantı 8 Haziran", "2026-06-08"),
        ("次のミーティングは6月9日です", "2026-06-09"),
        ("다음 모임은 6월 10일입니다", "2026-06-10"),
        ("next Tuesday we meet", "2026-05-12"),
        ("Treffen nächsten Montag", "2026-05-11"),
        ("office hours Friday, 17:00 UTC", "2026-05-08"),
        ("the demo is tomorrow", "2026-05-07"),
        ("we start <t:1788282000:F>", "2026-09-01"),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, day: str) -> None:
    assert days(text) == [day]


@pytest.mark.parametrize(
    "text",
    [
        "version 1.6.2 is out",
        "loss went from 3.1 to 2.9",
        "it may 2x the throughput",
        "see https://example.org/2026-06-02/report and `2026-06-03`",
        "since Wednesday nothing works",
        "it is Friday, my dudes",
        "3 weeks ago 5 of us met",
        "June 31 does not exist",
        "batch 10/12 of run 2026",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert days(text) == []


def test_a_timestamp_falls_on_the_day_of_the_guilds_time_zone() -> None:
    late = "<t:1788303600:F>"  # 2026-09-01T23:00Z
    assert days(late) == ["2026-09-01"]
    assert days(late, "Asia/Tokyo") == ["2026-09-02"]


def said(content: str, number: int = 0, author: str = "Mo") -> Message:
    return Message(
        message_id=first_id_at(SAID + timedelta(minutes=number)),
        guild_id=1,
        channel_id=5,
        author_id=1,
        author_name=author,
        content=content,
    )


def coming(
    *,
    announced: tuple[Message, ...] = (),
    told: tuple[Message, ...] = (),
    moderators: tuple[Message, ...] = (),
    **more: object,
) -> list[tuple[str, str | None, int | None]]:
    events: tuple[ComingEvent, ...] = coming_events(
        as_sources(announced, told, moderators),
        more.get("scheduled", ()),  # type: ignore[arg-type]
        period=PERIOD,
        name_of=lambda m: m.author_name,
    )
    return [(e.date.isoformat(), e.announced_by, e.message_id) for e in events]


def test_only_what_lies_after_the_end_is_to_come() -> None:
    text = said("Office hours on May 7, the big panel on May 11, and the next one on May 20.")
    assert [day for day, _, _ in coming(announced=(text,))] == ["2026-05-11", "2026-05-20"]


def test_the_same_event_is_told_once_from_the_announcement() -> None:
    announcement = said("Community meeting on June 1: a panel on the new model.", 5, "Ana")
    greeting = said("Welcome! The next community meeting is on June 1.", 1)
    assert coming(announced=(announcement,), moderators=(greeting,)) == [("2026-06-01", "Ana", announcement.message_id)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("**Spring party** is on June 1. Come!", "Spring party is on June 1"),
        ("See you at 7 p.m. on June 1, says Dr. Ito. Bring cake.", "See you at 7 p.m. on June 1, says Dr. Ito"),
        ("公開しました。勉強会は6月1日です。ぜひ。", "勉強会は6月1日です。"),
        ("Party on June 1, code ||hunter2||, bring cake", "Party on June 1, code [spoiler], bring cake"),
    ],
)
def test_an_event_is_told_by_its_sentence_in_plain_words(text: str, what: str) -> None:
    (event,) = coming_events(as_sources([said(text)], [], []), (), period=PERIOD, name_of=lambda m: m.author_name)
    assert event.what == what


@pytest.mark.parametrize(
    "text",
    [
        "Sprint from June 1 to June 5",
        "Sprint, 1. Juni bis 5. Juni",
        "Sprint: 2026-06-01 – 2026-06-05",
        "合宿は6月1日から6月5日です",
    ],
)
def test_what_lasts_several_days_is_told_with_its_first(text: str) -> None:
    assert [day for day, _, _ in coming(announced=(said(text),))] == ["2026-06-01"]


def test_two_events_of_one_day_are_two() -> None:
    one, other = said("Reading group about tokenizers on June 1"), said("Release party, June 1, everybody invited", 1)
    assert len(coming(announced=(one, other))) == 2


def test_in_passing_only_occasions_count() -> None:
    assert coming(told=(said("I will look at it on June 2"),)) == []
    assert len(coming(told=(said("Reading group on June 2"),))) == 1


def test_a_weekday_that_is_over_is_not_to_come() -> None:
    friday = datetime(2026, 5, 8, 12, tzinfo=UTC)
    past = Message(
        message_id=first_id_at(friday), guild_id=1, channel_id=5, author_id=1, author_name="Mo",
        content="The workshop on Tuesday was great",
    )  # fmt: skip
    ahead = Message(
        message_id=first_id_at(friday), guild_id=1, channel_id=5, author_id=1, author_name="Mo",
        content="The next workshop is on Tuesday",
    )  # fmt: skip
    assert coming(announced=(past,)) == []
    assert [day for day, _, _ in coming(announced=(ahead,))] == ["2026-05-12"]


def test_the_guilds_calendar_counts_too() -> None:
    def event(day: date, name: str, **more: object) -> ScheduledEvent:
        starts = datetime(day.year, day.month, day.day, 18, tzinfo=UTC)
        return ScheduledEvent(event_id=1, guild_id=1, name=name, starts_at=starts, **more)  # type: ignore[arg-type]

    scheduled = (
        event(date(2026, 5, 12), "Game night"),
        event(date(2026, 5, 10), "Over"),
        event(date(2026, 6, 1), "Community meeting"),
    )
    announcement = said("Community meeting on June 1, with a panel")
    assert coming(announced=(announcement,), scheduled=scheduled) == [
        ("2026-05-12", None, None),
        ("2026-06-01", "Mo", announcement.message_id),
    ]
