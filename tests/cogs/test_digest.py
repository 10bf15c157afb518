"""`/digest`: settings, previews, posting, status, history and the schedule, as moderators use them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import simcord

from bot.store.actions import actions_of
from bot.store.coverage import Gap, note_gaps
from bot.store.model_answers import store_answer
from bot.web.app import create_app, serving
from tests.cogs.conftest import NOW, Desk, furnish, opened

DUE = NOW.replace(day=13, hour=9)  # the Monday after
HOUR = timedelta(hours=1)


async def _set_up(desk: Desk, **settings: Any) -> None:
    await desk.set({"publish.channel": str(desk.channels["digest"].id)} | settings)
    await desk.say(desk.member, "The new slipway in the harbour takes boats of up to nine metres now.")


def _posted(desk: Desk) -> list[str]:
    return [message.content for message in desk.channels["digest"].history()]


async def test_a_setting_is_shown_changed_refused_and_put_back(desk: Desk) -> None:
    assert "- time: `09:00`" in await desk.told("digest settings")
    (changed,) = await desk.ask("digest settings", key="schedule.time", value="10:30")
    assert changed.content == "`schedule.time` is `10:30` now."
    assert "is no time of day" in await desk.told("digest settings", key="schedule.time", value="noon")
    assert "no setting" in await desk.told("digest settings", key="schedule.tea", value="five")
    assert "choose a value" in await desk.told("digest settings", key="schedule.time")
    assert (await desk.settings()).schedule.time == "10:30"
    undone = await desk.press(changed, "Undo")
    assert "as they were" in undone[-1].content
    assert (await desk.settings()).schedule.time == "09:00"


async def test_a_change_that_was_changed_again_is_not_undone(desk: Desk) -> None:
    (first,) = await desk.ask("digest settings", key="schedule.time", value="10:30")
    await desk.ask("digest settings", key="schedule.time", value="11:00", who=desk.other)
    assert "changed again since" in (await desk.press(first, "Undo"))[-1].content
    assert (await desk.settings()).schedule.time == "11:00"


@pytest.mark.parametrize(
    ("key", "typed", "stands"),
    [
        ("channels.exclude", "<#1>, secret", ["1", "secret"]),
        ("channels.introductions", "none", None),
        ("publish.crosspost", "yes", True),
        ("moderation.review_hours", "48", 48),
        ("github.agents", "bot-a=anna, bot-b=", {"bot-a": "anna", "bot-b": ""}),
        ("moderation.role", "<@&77>", "77"),
    ],
)
async def test_values_are_typed_as_words(desk: Desk, key: str, typed: str, stands: object) -> None:
    assert "now." in await desk.told("digest settings", key=key, value=typed)
    group, _, name = key.partition(".")
    assert getattr(getattr(await desk.settings(), group), name) == stands


async def test_keys_and_values_are_suggested(desk: Desk) -> None:
    channel = desk.channels["moderators"]

    async def values(key: str, typed: str) -> list[str]:
        found = await desk.moderator.autocomplete(channel, "digest settings", "value", typed, key=key)
        return [each["value"] for each in found]

    found = await desk.moderator.autocomplete(channel, "digest settings", "key", "review")
    assert [each["value"] for each in found] == [
        "moderation.review_channel",
        "moderation.review_hours",
        "moderation.without_review",
    ]
    assert "Europe/Berlin" in await values("schedule.timezone", "berl")
    assert await values("publish.channel", "#gen") == [str(desk.channels["general"].id)]
    assert await values("edition.layout", "") == ["themes", "epics"]
    zones = await desk.moderator.autocomplete(channel, "digest setup", "timezone", "Oslo")
    assert [each["value"] for each in zones] == ["Europe/Oslo"]


async def test_a_preview_shows_everything_and_stores_nothing(desk: Desk) -> None:
    await _set_up(desk)
    shown = await desk.ask("digest preview")
    assert "Nothing is posted or stored" in shown[0].content and "1 message," in shown[0].content
    assert any("Acme: Week of May 6th" in each.content for each in shown[1:])
    assert _posted(desk) == []
    assert "no digest yet" in await desk.told("digest history")
    found = await desk.moderator.autocomplete(desk.channels["moderators"], "digest preview", "week", "")
    assert found[0]["value"] == "2030-05-06" and "(so far)" in found[0]["name"]
    assert "still to come" in await desk.told("digest preview", week="2030-06-01")
    assert "no day" in await desk.told("digest preview", week="last week")


async def test_posting_is_confirmed_once_then_listed_and_shown(desk: Desk) -> None:
    assert "No channel is set" in await desk.told("digest publish")
    await _set_up(desk)
    (asked,) = await desk.ask("digest publish")
    assert _posted(desk) == []
    (again,) = await desk.ask("digest publish", who=desk.other)
    done = await desk.press(asked, "Post it")
    assert "is posted: https://discord.com/channels/" in done[-1].content
    with pytest.raises(simcord.SetupError, match="No matching component"):
        await desk.moderator.click(asked, label="Post it")
    late = await desk.press(again, "Post it", who=desk.other)
    assert "has been posted or is being posted" in late[-1].content
    assert sum("Week of May 6th" in content for content in _posted(desk)) == 1
    assert "**Acme: Week of May 6th**, posted" in await desk.told("digest history")
    (choice,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest show", "edition", "may")
    (shown,) = await desk.ask("digest show", edition=choice["value"])
    assert "message, the first: https://discord.com" in shown.content
    assert [each.filename for each in shown.attachments] == ["edition.md"]
    assert "corrected within a minute" in await desk.told("digest amend", edition=choice["value"])
    assert "no such digest" in await desk.told("digest amend", edition="77")


async def test_two_presses_at_once_post_one_digest(desk: Desk) -> None:
    await _set_up(desk)
    start = (await desk.services.desk.open_period(desk.guild.id)).start
    publishing = desk.services.publishing
    done = await asyncio.gather(
        *(publishing.publish_now(desk.guild.id, by=who.id) for who in (desk.moderator, desk.other)),
        return_exceptions=True,
    )
    await publishing.scheduler.idle()
    assert sum(isinstance(each, Exception) for each in done) == 1
    assert [each.period.start for each in await publishing.history(desk.guild.id)] == [start]


async def test_a_pause_keeps_the_digest_until_it_is_resumed(desk: Desk) -> None:
    assert "/digest setup" in await desk.told("digest pause")
    await _set_up(desk)
    assert "is paused" in await desk.told("digest pause")
    assert "was paused already" in await desk.told("digest pause")
    assert "**Paused** since" in await desk.told("digest status")
    await desk.as_of(DUE)
    assert _posted(desk) == []
    assert "The next digest is posted" in await desk.told("digest resume")
    assert "**Missed**: 1" in await desk.told("digest status")
    (choice,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest publish", "week", "")
    (asked,) = await desk.ask("digest publish", week=choice["value"])
    assert "is posted" in (await desk.press(asked, "Post it"))[-1].content
    assert len([content for content in _posted(desk) if "Week of May 6th" in content]) == 1


async def test_a_skipped_digest_can_be_had_after_all(desk: Desk) -> None:
    await _set_up(desk)
    assert "is left out" in await desk.told("digest skip")
    (choice,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest publish", "week", "")
    assert choice["name"] == "2030-05-06 to 2030-05-13"
    assert "cannot be made up for" in await desk.told("digest publish", week="12345")


async def test_after_a_skip_there_is_nothing_to_tell_until_the_next_week_begins(desk: Desk) -> None:
    await _set_up(desk, **{"moderation.review_channel": str(desk.channels["moderators"].id)})
    await desk.ask("digest skip")
    for name in ("digest preview", "digest publish", "digest stats", "draft"):
        assert "The next digest tells of the time from" in await desk.told(name), name
    assert "**Last run**: due <t:1904893200:f>, left out." in await desk.told("digest status")
    assert "1 message by 1 person" in (await desk.ask("digest preview", week="2030-05-06"))[1].content


async def test_who_switches_the_language_model_on_is_told_what_is_sent_where(desk: Desk) -> None:
    switch = {"key": "narrative.model", "value": "yes"}
    assert "no language model yet" in await desk.told("digest settings", **switch)
    object.__setattr__(desk.app.publishing, "model_at", "played at llm.example")
    told = await desk.told("digest settings", **switch)
    assert "is sent to `played at llm.example`" in told
    assert "opted out" in told
    assert "sent" not in await desk.told("digest settings", key="narrative.model", value="no")


async def test_status_tells_what_the_language_model_used(desk: Desk) -> None:
    await _set_up(desk, **{"narrative.model": True})
    assert "this bot has no language model" in await desk.told("digest status")
    object.__setattr__(desk.app.publishing, "tokens_per_edition", 200_000)
    async with desk.app.store.write() as connection:
        for key, at in (("one", NOW), ("two", NOW - timedelta(hours=1)), ("long ago", NOW - timedelta(weeks=2))):
            await store_answer(connection, desk.guild.id, key, {}, tokens=617, at=at)
    told = await desk.told("digest status")
    assert "1,234 tokens used since <t:1904288400:D>" in told and "may use 200,000" in told


async def test_status_names_what_was_not_recorded(desk: Desk) -> None:
    await _set_up(desk)
    channel_id, start, end = desk.channels["general"].id, NOW - 2 * HOUR, NOW - HOUR
    gap = Gap(guild_id=desk.guild.id, channel_id=channel_id, start=start, end=end, reason="offline")
    others = [replace(gap, start=start - n * HOUR * 2, end=end - n * HOUR * 2) for n in range(1, 8)]
    async with desk.app.store.write() as connection:
        await note_gaps(connection, [*others, gap])
    told = await desk.told("digest status")
    times = " to ".join(f"<t:{int(each.timestamp())}:f>" for each in (others[-1].start, others[-1].end))
    assert f"⚠️ Not recorded: <#{channel_id}>, {times}. `/backfill`" in told
    assert "⚠️ 3 more stretches not recorded." in told


async def test_settings_go_out_as_a_file_and_come_back_from_one(desk: Desk) -> None:
    await desk.set({"schedule.time": "10:30", "sections": [{"key": "boats", "title": "Boats"}]})
    shown = (await desk.ask("digest settings"))[-1]
    document = await shown.attachments[0].read()
    await desk.set({"schedule.time": "11:00", "sections": []})
    (taken,) = await desk.ask("digest settings", file=("mine.toml", document))
    assert taken.content == "The settings are those of mine.toml now."
    settings = await desk.settings()
    assert (settings.schedule.time, settings.sections[0].title) == ("10:30", "Boats")
    await desk.press(taken, "Undo")
    assert (await desk.settings()).schedule.time == "11:00"
    wrong = ("mine.toml", b'[schedule]\ntime = "noon"\n')
    assert "mine.toml, line 2: schedule.time" in await desk.told("digest settings", file=wrong)
    assert "is no text" in await desk.told("digest settings", file=("mine.toml", b"\xff\xfe"))
    assert "too large" in await desk.told("digest settings", file=("mine.toml", b"#" * 300_000))
    assert (await desk.settings()).schedule.time == "11:00"


async def test_a_posted_digest_is_public_as_long_as_moderators_want_it(desk: Desk) -> None:
    await _set_up(desk)
    object.__setattr__(desk.app.publishing, "web_url", "https://digests.example/")
    (asked,) = await desk.ask("digest publish")
    await desk.press(asked, "Post it")
    async with serving(create_app(desk.app.store), host="127.0.0.1", port=0) as url, aiohttp.ClientSession() as session:

        async def status() -> int:
            async with session.get(f"{url}/editions/1", headers={"Connection": "close"}) as found:
                return found.status

        (asked,) = await desk.ask("digest public", edition="1")
        assert "can be read in this server only" in asked.content
        assert await status() == 404
        await desk.press(asked, "Make it public")
        assert asked.content.startswith(
            "**Acme: Week of May 6th** is on the web at <https://digests.example/editions/1>"
        )
        assert await status() == 200
        assert ":D>, on the web" in await desk.told("digest history")
        assert "On the web for everybody" in await desk.told("digest show", edition="1")
        assert "digests are public" in await desk.told("privacy policy", who=desk.member, where="general")
        await desk.press(asked, "Take it off the web")
        assert await status() == 404
        assert "on the web" not in await desk.told("digest history")
    async with desk.app.store.read() as connection:
        done = [(user_id, action) for _, user_id, action, _ in await actions_of(connection, desk.guild.id)]
    assert done[:2] == [
        (desk.moderator.id, "took a digest off the web"),
        (desk.moderator.id, "made a digest public"),
    ]


async def test_status_names_what_is_wrong_and_what_to_do(desk: Desk) -> None:
    told = await desk.told("digest status")
    assert "`/digest setup` begins" in told and "name one with `/repo add`" in told
    nobody = discord.PermissionOverwrite(send_messages=False)
    closed = desk.guild.create_text_channel("closed", overwrites={desk.guild.default_role: nobody})
    await _set_up(desk, **{"publish.channel": str(closed.id)})
    told = await desk.told("digest status")
    assert "lacks permissions in #closed: Send Messages" in told and "**Next digest**" in told


async def test_a_digest_whose_channel_is_gone_is_told_and_comes_where_it_is_set_anew(desk: Desk) -> None:
    await _set_up(desk)
    desk.env.backend.delete_channel(desk.channels["digest"].id)
    await desk.env.settle()
    (asked,) = await desk.ask("digest publish")
    told = (await desk.press(asked, "Post it"))[-1].content
    assert "does not exist (any more)" in told and "/digest setup" in told


async def test_the_week_is_drawn(tmp_path: Path, sqlite_template: Path) -> None:
    async with opened(tmp_path / "gazette.sqlite3", sqlite_template, pictures=True) as desk:
        await furnish(desk)
        await _set_up(desk)
        for number in range(6):
            await desk.say(desk.member, f"Boat number {number} has come into the harbour this morning.")
        (shown,) = await desk.ask("digest stats")
        assert "7 messages by 1 person" in shown.content
        assert shown.attachments and all(each.filename.endswith(".png") for each in shown.attachments)


async def test_a_settings_file_opens_no_private_repository_that_the_operator_did_not_permit(desk: Desk) -> None:
    desk.github.recording.add_repository("acme/vault", private=True)
    document = await (await desk.ask("digest settings"))[-1].attachments[0].read()
    opening = document + b'\n[github.allowed_private]\n"acme/vault" = ["digest"]\n'
    told = await desk.told("digest settings", file=("settings.toml", opening))
    assert "GAZETTE_GITHUB_PRIVATE_GUILDS" in told
    assert document == await (await desk.ask("digest settings"))[-1].attachments[0].read()


async def test_history_is_read_back_with_its_outcome(desk: Desk) -> None:
    with desk.unrecorded():
        for number in range(3):
            await desk.member.send(desk.channels["general"], f"Said before {number}")
    told = await desk.told("backfill", weeks=1, channel=desk.channels["general"])
    assert told == "Read: 3 messages of 1 channel, 1 week back."
    await desk.set({"channels.exclude": ["general"]})
    assert "not recorded" in await desk.told("backfill", weeks=1, channel=desk.channels["general"])


async def test_members_are_refused_everywhere(desk: Desk) -> None:
    for command in await desk.env.bot.tree.fetch_commands():
        desk.guild.set_command_permissions(command, {desk.member: True})
    for name in (
        "digest status",
        "digest settings",
        "digest pause",
        "digest publish",
        "section list",
        "backfill",
        "draft",
    ):
        assert "Only the digest's moderators" in await desk.told(name, who=desk.member, where="general"), name
