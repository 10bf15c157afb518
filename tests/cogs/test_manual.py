"""The moderators' manual, step by step, from an empty guild to a posted digest and beyond."""

from __future__ import annotations

import importlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from tests.cogs.conftest import NOW, Desk, furnish, opened
from tests.cogs.scenes import captured
from tests.conftest import ROOT

MANUAL = (ROOT / "docs" / "moderators.md").read_text(encoding="utf-8")
DUE = NOW.replace(day=13, hour=7)  # nine o'clock in Oslo
Step = Callable[["Community"], Awaitable[None]]
STEPS: dict[str, Step] = {}


def step(title: str) -> Callable[[Step], Step]:
    def named(does: Step) -> Step:
        STEPS[title] = does
        return does

    return named


class Community:
    """The guild, and what a step hands to the next one."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.walk: Any = None
        self.message: Any = None

    async def choose(self, custom_id: str, values: list[Any]) -> list[Any]:
        return await self.desk.answers(await self.desk.moderator.select(self.walk, values, custom_id=custom_id))

    async def next(self, label: str = "Next ▶") -> str:
        await self.desk.press(self.walk, label)
        return str(self.walk.content)

    def draft(self) -> Any:
        return next(m for m in self.desk.channels["moderators"].history() if m.content.startswith("**Draft"))

    def posted(self) -> str:
        places = [self.desk.channels["digest"], *self.desk.channels["digest"].threads]
        return "\n".join(message.content for place in places for message in place.history())


@step("Set it up.")
async def set_it_up(community: Community) -> None:
    desk = community.desk
    (zone,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest setup", "timezone", "Oslo")
    community.walk, changed = await desk.ask(
        "digest setup", channel=desk.channels["digest"], timezone=zone["value"], weekday="monday", time="09:00"
    )
    settings = await desk.settings()
    assert settings.publish.channel == str(desk.channels["digest"].id)
    assert settings.schedule.timezone == "Europe/Oslo"
    assert "Setup 1 of 5: channels" in community.walk.content
    assert changed.content.startswith("Changed: `publish.channel`")


@step("Walk through the five steps.")
async def walk(community: Community) -> None:
    desk = community.desk
    told = await community.choose("gazette:setup_set:0:channels.introductions", [desk.channels["introductions"]])
    assert "`channels.introductions`" in told[-1].content
    assert f"Introductions: <#{desk.channels['introductions'].id}>" in community.walk.content
    assert "Setup 2 of 5: schedule" in await community.next()
    await community.choose("gazette:setup_set:1:schedule.weekday", ["monday"])
    assert "Every week, Monday 09:00, Europe/Oslo" in community.walk.content
    assert "Setup 3 of 5: GitHub" in await community.next()
    form = await desk.moderator.click(community.walk, label="Add repositories")
    told = await desk.answers(await desk.moderator.submit_modal(form, {"names": "acme/anvil\nacme/nothing"}))
    assert "shows no repository acme/nothing" in told[-1].content
    assert "Acme/Anvil" in community.walk.content
    assert "Setup 4 of 5: moderators" in await community.next()
    await community.choose("gazette:setup_set:3:moderation.review_channel", [desk.channels["moderators"]])
    await community.choose("gazette:setup_set:3:moderation.review_hours", ["12"])
    assert "Setup 5 of 5: layout" in await community.next()
    await community.choose("gazette:setup_set:4:edition.credit", ["login"])
    told = await community.next("Done")
    assert "Setup is done" in told and "`/section add`" in told
    settings = await desk.settings()
    assert (settings.moderation.review_hours, settings.edition.credit) == (12, "login")
    assert settings.github.repositories == ["Acme/Anvil"]


@step("Make sections.")
async def make_sections(community: Community) -> None:
    told = await community.desk.told("section add", title="Boats", prefixes="boat, ship", emoji="⛵")
    assert told == "**Boats** is a section of the digest now."


@step("Read the weeks before.")
async def read_the_weeks_before(community: Community) -> None:
    desk = community.desk
    with desk.unrecorded():
        await desk.member.send(desk.channels["general"], "This was said while the bot did not listen.")
    assert "Read: 1 message of" in await desk.told("backfill", weeks=2)


@step("Look at it.")
async def look_at_it(community: Community) -> None:
    desk = community.desk
    await desk.say(desk.member, "Hello, I am Anna and I build small boats out of driftwood.", "introductions")
    shown = await desk.ask("digest preview")
    assert "Nothing is posted or stored" in shown[0].content
    assert community.posted() == ""


@step("Mark what is worth telling.")
async def mark(community: Community) -> None:
    desk = community.desk
    community.message = await desk.say(desk.member, "The new slipway in the harbour takes boats of nine metres now.")
    form = await desk.moderator.context_menu(desk.channels["general"], "Add to digest", community.message)
    (told,) = await desk.answers(
        await desk.moderator.submit_modal(form, {"section": ["boats"], "note": "Have a look!"})
    )
    assert "will be in the next digest" in told.content
    assert community.message.jump_url in await desk.told("noteworthy list")
    (told,) = await desk.answers(
        await desk.moderator.context_menu(desk.channels["general"], "Not an introduction", community.message)
    )
    assert "does not count" in told.content


@step("Review the draft.")
async def review(community: Community) -> None:
    desk = community.desk
    await desk.as_of(DUE - timedelta(hours=12))
    assert "(version 1)" in community.draft().content
    (listed,) = await desk.press(community.draft(), "Edit")
    (select,) = [row["components"][0] for row in listed.components if "options" in row["components"][0]]
    mark = next(option["value"] for option in select["options"] if "slipway" in option["label"])
    form = await desk.moderator.select(listed, [mark])
    await desk.answers(
        await desk.moderator.submit_modal(form, {"text": "Nine metres of boat fit onto the new slipway."})
    )
    assert "rewrote a paragraph" in community.draft().content
    form = await desk.other.click(community.draft(), label="Editor's note")
    await desk.answers(await desk.other.submit_modal(form, {"text": "A good week."}))
    assert "(version 3)" in community.draft().content


@step("Let it be posted.")
async def let_it_be_posted(community: Community) -> None:
    desk = community.desk
    (told,) = await desk.press(community.draft(), "Approve")
    assert "it is posted when it is due" in told.content
    await desk.say(desk.member, "Late in the week a second crane has arrived at the harbour, all are invited.")
    await desk.as_of(DUE)
    posted = community.posted()
    assert "Nine metres of boat fit onto the new slipway." in posted and "A good week." in posted
    assert "Posted: https://discord.com/channels/" in community.draft().content


@step("See how it stands.")
async def see_how_it_stands(community: Community) -> None:
    desk = community.desk
    told = await desk.told("digest status")
    assert "**Last digest**: Acme: Week of May 6th, posted" in told and "**Next digest**" in told
    assert "Acme: Week of May 6th" in await desk.told("digest history")
    (choice,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest show", "edition", "")
    assert "the first: https://discord.com" in await desk.told("digest show", edition=choice["value"])


@step("Correct what is posted.")
async def correct(community: Community) -> None:
    desk = community.desk
    (choice,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest amend", "edition", "")
    assert "corrected within a minute" in await desk.told("digest amend", edition=choice["value"])


@step("Show it to everybody.")
async def show_it_to_everybody(community: Community) -> None:
    desk = community.desk
    (choice,) = await desk.moderator.autocomplete(desk.channels["moderators"], "digest public", "edition", "")
    (asked,) = await desk.ask("digest public", edition=choice["value"])
    await desk.press(asked, "Make it public")
    assert "everybody can read it" in asked.content
    await desk.press(asked, "Take it off the web")
    assert "can be read in this server only" in asked.content


@step("Take a break.")
async def take_a_break(community: Community) -> None:
    desk = community.desk
    assert "is paused" in await desk.told("digest pause")
    assert "next digest is posted" in await desk.told("digest resume")
    assert "left out" in await desk.told("digest skip")


@step("Change anything.")
async def change_anything(community: Community) -> None:
    desk = community.desk
    assert "is `10:00` now" in await desk.told("digest settings", key="schedule.time", value="10:00")
    document = await (await desk.ask("digest settings"))[-1].attachments[0].read()
    told = await desk.told("digest settings", file=("settings.toml", document))
    assert told == "The settings are those of settings.toml now."
    assert "order is now: Boats" in await desk.told("section order", sections="boats")
    assert "The section is changed" in await desk.told("section edit", section="boats", labels="boat")
    assert "no section any more" in await desk.told("section remove", section="boats")
    assert "[Acme/Anvil]" in await desk.told("repo list")
    assert "no longer follows" in await desk.told("repo remove", repository="acme/anvil")
    assert "follows **Acme/Anvil**" in await desk.told("repo add", repository="acme/anvil")


@pytest.fixture
async def community(tmp_path: Path, sqlite_template: Path) -> AsyncIterator[Community]:
    async with opened(tmp_path / "gazette.sqlite3", sqlite_template) as desk:
        await furnish(desk)
        yield Community(desk)


async def test_each_step_of_the_manual_works_one_after_the_other(community: Community) -> None:
    titles = re.findall(r"^\*\*\d+\. (.+?)\*\*", MANUAL, re.MULTILINE)
    assert titles == list(STEPS)
    for title in titles:
        await STEPS[title](community)


async def test_the_manuals_pictures_show_what_the_bot_sends(
    tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    pages = importlib.import_module("make_picture").moderators_pages(
        await captured(tmp_path, sqlite_template, pictures=False, one_in=10)
    )
    shown = re.findall(r"\(moderators-(\w+)\.png\)", MANUAL)
    assert sorted(shown) == sorted(pages)
    assert all((ROOT / "docs" / f"moderators-{name}.png").stat().st_size < 150_000 for name in shown)
    for name, words in {
        "setup": "Setup is done",
        "tag": "will be in the next digest",
        "review": "Approve",
        "status": "is gone; choose ",
        "preview": "Nothing is posted or stored",
        "stats": "/digest stats",
    }.items():
        assert words in pages[name], name
        assert "@unknown" not in pages[name], name


async def test_the_manual_names_only_commands_that_there_are(desk: Desk) -> None:
    tree = desk.app.bot.tree
    known = {command.qualified_name for command in tree.walk_commands()}
    menus = {command.name for command in tree.get_commands() if isinstance(command, app_commands.ContextMenu)}
    named = re.findall(r"`/([a-z]+(?: [a-z]+)?)(?=[` ])", MANUAL)
    unknown = [name for name in named if name not in known and name.split()[0] not in known]
    assert unknown == []
    assert {"Add to digest", "Introduction", "Not an introduction"} <= menus
