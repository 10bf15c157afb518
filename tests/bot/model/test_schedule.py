"""The calendar of postings: adjacent periods across every change of clocks, one run each."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import settings as with_profile
from hypothesis import strategies as st

from bot.model.schedule import Period, Run, first_run_after, next_run, rescheduled, resolve
from bot.model.settings import WEEKDAYS, ScheduleSettings

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)

# A zone, and the start of ten years in which its clocks change: gaps at midnight, half an hour, a day left out.
TEN_YEARS = {
    "America/Sao_Paulo": 2009,  # forward at midnight, until 2019
    "Asia/Beirut": 2018,  # forward at midnight
    "Africa/Cairo": 2014,  # forward at midnight of a Friday, with years of pause
    "Atlantic/Azores": 2018,  # forward at midnight, back to the day before
    "America/Havana": 2018,  # forward at midnight
    "America/Asuncion": 2012,  # forward at midnight
    "Australia/Lord_Howe": 2020,  # half an hour
    "Europe/Berlin": 2020,
    "America/New_York": 2020,
    "Africa/Casablanca": 2017,  # twice a year around Ramadan
    "Asia/Tehran": 2013,  # forward at midnight, half-hour offset
    "Pacific/Apia": 2006,  # 30 December 2011 did not take place
    "Asia/Kathmandu": 2020,  # 5:45, no changes
}


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


def schedules(zone: st.SearchStrategy[str]) -> st.SearchStrategy[ScheduleSettings]:
    times = st.one_of(
        st.sampled_from(["00:00", "00:30", "01:00", "02:00", "02:15", "02:30", "03:00", "23:30", "09:00"]),
        st.times().map(lambda t: t.strftime("%H:%M")),
    )
    return st.builds(
        ScheduleSettings,
        every=st.sampled_from(["week", "two weeks", "month"]),
        weekday=st.sampled_from(WEEKDAYS),
        time=times,
        timezone=zone,
        period_end=st.one_of(st.just("posting"), times),
    )


def runs_of_ten_years(settings: ScheduleSettings, year: int) -> list[Run]:
    runs = [first_run_after(settings, utc(year, 1, 1))]
    while runs[-1].due_at < utc(year + 10, 1, 1):
        runs.append(next_run(settings, runs[-1]))
    return runs


@pytest.mark.parametrize("zone", TEN_YEARS)
def test_periods_of_ten_years_are_adjacent_and_each_has_one_run(zone: str) -> None:
    @with_profile(max_examples=15, deadline=None, database=None)
    @given(schedules(st.just(zone)))
    def holds(settings: ScheduleSettings) -> None:
        runs = runs_of_ten_years(settings, TEN_YEARS[zone])
        expected = {"week": 522, "two weeks": 261, "month": 120}[settings.every]
        assert abs(len(runs) - expected) <= 2
        for run in runs:
            assert run.period.start < run.period.end <= run.due_at
            assert run.due_at - run.period.end <= DAY + timedelta(hours=2)
            assert run.period.start.tzinfo is UTC
        for before, after in pairwise(runs):
            assert before.period.end == after.period.start
            assert before.due_at < after.due_at

    holds()


@with_profile(max_examples=150, deadline=None)
@given(
    st.sampled_from(list(TEN_YEARS)).flatmap(
        lambda zone: st.tuples(
            st.just(ZoneInfo(zone)),
            st.dates(date(TEN_YEARS[zone], 1, 1), date(TEN_YEARS[zone] + 9, 12, 31)),
            st.times().map(lambda t: t.replace(second=0, microsecond=0)),
        )
    )
)
def test_a_local_time_is_the_first_instant_at_which_the_wall_clock_shows_it_or_later(
    moment: tuple[ZoneInfo, date, time],
) -> None:
    zone, day, at = moment
    found = resolve(day, at, zone)
    local = datetime.combine(day, at)
    assert found.astimezone(zone).replace(tzinfo=None) >= local
    for minutes in (1, 15, 30, 59, 60, 61, 120, 180, 24 * 60):
        assert (found - minutes * MINUTE).astimezone(zone).replace(tzinfo=None) < local


@pytest.mark.parametrize(
    ("zone", "day", "at", "expected"),
    [
        ("America/Sao_Paulo", date(2017, 10, 15), time(0, 0), utc(2017, 10, 15, 3)),  # 00:00 -> 01:00
        ("America/Sao_Paulo", date(2017, 10, 15), time(0, 59), utc(2017, 10, 15, 3)),
        ("Asia/Beirut", date(2024, 3, 31), time(0, 0), utc(2024, 3, 30, 22)),
        ("Africa/Cairo", date(2024, 4, 26), time(0, 0), utc(2024, 4, 25, 22)),
        ("Atlantic/Azores", date(2024, 3, 31), time(0, 30), utc(2024, 3, 31, 1)),
        ("Europe/Berlin", date(2026, 3, 29), time(2, 30), utc(2026, 3, 29, 1)),  # left out: the instant after the gap
        ("Europe/Berlin", date(2026, 10, 25), time(2, 30), utc(2026, 10, 25, 0, 30)),  # twice: the first of the two
        ("Australia/Lord_Howe", date(2026, 10, 4), time(2, 15), utc(2026, 10, 3, 15, 30)),  # 02:00 -> 02:30
        ("Australia/Lord_Howe", date(2026, 4, 5), time(1, 45), utc(2026, 4, 4, 14, 45)),  # 02:00 -> 01:30
        ("Pacific/Apia", date(2011, 12, 30), time(12, 0), utc(2011, 12, 30, 10)),  # a whole day left out
    ],
)
def test_times_that_do_not_exist_or_come_twice(zone: str, day: date, at: time, expected: datetime) -> None:
    assert resolve(day, at, ZoneInfo(zone)) == expected


def test_the_first_run_after_the_window_tells_the_window() -> None:
    settings = ScheduleSettings(weekday="monday", time="09:00", timezone="UTC", period_end="00:00")
    assert first_run_after(settings, utc(2026, 8, 31)) == Run(
        utc(2026, 8, 31, 9), Period(utc(2026, 8, 24), utc(2026, 8, 31), "UTC")
    )


def test_a_run_due_at_the_very_instant_is_past() -> None:
    settings = ScheduleSettings()
    assert first_run_after(settings, utc(2026, 8, 31, 9)).due_at == utc(2026, 9, 7, 9)
    assert first_run_after(settings, utc(2026, 8, 31, 8, 59, 59)).due_at == utc(2026, 8, 31, 9)


def test_a_week_with_a_change_of_clocks_is_an_hour_shorter_or_longer() -> None:
    settings = ScheduleSettings(weekday="monday", time="09:00", timezone="Europe/Berlin")
    spring = first_run_after(settings, utc(2026, 3, 29, 12)).period
    autumn = first_run_after(settings, utc(2026, 10, 25, 12)).period
    assert spring.end - spring.start == 7 * DAY - timedelta(hours=1)
    assert autumn.end - autumn.start == 7 * DAY + timedelta(hours=1)


def test_a_fixed_end_later_than_the_posting_is_that_of_the_day_before() -> None:
    settings = ScheduleSettings(weekday="monday", time="09:00", period_end="18:00")
    assert first_run_after(settings, utc(2026, 8, 31)).period.end == utc(2026, 8, 30, 18)


def test_a_month_is_posted_on_the_first_such_weekday() -> None:
    settings = ScheduleSettings(every="month", weekday="wednesday", period_end="00:00")
    run = first_run_after(settings, utc(2026, 8, 31))
    assert run == Run(utc(2026, 9, 2, 9), Period(utc(2026, 8, 5), utc(2026, 9, 2), "UTC"))
    assert next_run(settings, run).due_at == utc(2026, 10, 7, 9)
    assert first_run_after(settings, utc(2026, 12, 2, 9)).due_at == utc(2027, 1, 6, 9)


def test_two_weeks_are_counted_from_the_run_before() -> None:
    settings = ScheduleSettings(every="two weeks", period_end="00:00")
    run = first_run_after(settings, utc(2026, 8, 31))
    assert run.period == Period(utc(2026, 8, 17), utc(2026, 8, 31))
    assert next_run(settings, run).due_at == utc(2026, 9, 14, 9)


@pytest.mark.parametrize(
    ("changed", "due_at"),
    [
        ({"time": "10:00"}, utc(2026, 9, 14, 10)),
        ({"time": "08:00"}, utc(2026, 9, 14, 8)),
        ({"weekday": "tuesday"}, utc(2026, 9, 15, 9)),
        ({"weekday": "sunday"}, utc(2026, 9, 13, 9)),
    ],
)
def test_another_hour_keeps_the_rhythm_of_two_weeks(changed: dict[str, str], due_at: datetime) -> None:
    settings = ScheduleSettings(every="two weeks")
    run = next_run(settings, first_run_after(settings, utc(2026, 8, 31)))
    new = ScheduleSettings.model_validate(settings.model_dump() | changed)
    assert rescheduled(new, run, utc(2026, 9, 1)).due_at == due_at


@with_profile(max_examples=100, deadline=None)
@given(
    schedules(st.sampled_from(list(TEN_YEARS))),
    schedules(st.sampled_from(list(TEN_YEARS))),
    st.integers(0, 5 * 365 * 24 * 60).map(lambda minutes: utc(2015, 1, 1) + minutes * MINUTE),
    st.timedeltas(timedelta(0), timedelta(days=40)),
)
def test_other_settings_neither_leave_out_nor_repeat_a_moment(
    old: ScheduleSettings, new: ScheduleSettings, start: datetime, wait: timedelta
) -> None:
    run = first_run_after(old, start)
    while run.due_at <= start + wait:
        run = next_run(old, run)
    changed = rescheduled(new, run, start + wait)
    assert changed.period.start == run.period.start < changed.period.end <= changed.due_at
    assert changed.due_at > start + wait
    following = next_run(new, changed)
    assert following.period.start == changed.period.end < following.period.end
    continued = next_run(new, run)
    assert continued.period.start == run.period.end < continued.period.end <= continued.due_at
