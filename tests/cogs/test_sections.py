"""`/section`: adding, changing, ordering and removing sections, and what a removed one leaves behind."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.model.settings import SectionSettings
from tests.cogs.conftest import Desk


async def _titles(desk: Desk) -> list[str]:
    return [each.title for each in sorted((await desk.settings()).sections, key=lambda each: each.order)]


async def test_a_section_is_added_changed_and_removed_each_with_undo(desk: Desk) -> None:
    assert "no sections" in await desk.told("section list")
    (added,) = await desk.ask("section add", title="Boats & Ships", prefixes="boat, ship", emoji="⛵", channels="<#5>")
    (section,) = (await desk.settings()).sections
    assert (section.key, section.prefixes, section.channels) == ("boats-ships", ["boat", "ship"], ["5"])
    assert "⛵ **Boats & Ships** (`boats-ships`): prefixes: boat, ship" in await desk.told("section list")
    await desk.ask("section edit", section="boats-ships", title="Boats", prefixes="none")
    (section,) = (await desk.settings()).sections
    assert (section.title, section.prefixes, section.emoji) == ("Boats", [], "⛵")
    assert "Name what to change" in await desk.told("section edit", section="boats-ships")
    assert "no section `fish`" in await desk.told("section edit", section="fish", title="Fish")
    (removed,) = await desk.ask("section remove", section="Boats")
    assert (await desk.settings()).sections == []
    await desk.press(removed, "Undo")
    assert await _titles(desk) == ["Boats"]
    assert "changed again since" in (await desk.press(added, "Undo"))[-1].content


async def test_sections_are_put_into_an_order(desk: Desk) -> None:
    for title in ("Boats", "Birds", "Boats"):
        await desk.ask("section add", title=title)
    assert [each.key for each in (await desk.settings()).sections] == ["boats", "birds", "boats-2"]
    channel = desk.channels["moderators"]
    found = await desk.moderator.autocomplete(channel, "section order", "sections", "birds, bo")
    assert [each["value"] for each in found] == ["birds, boats", "birds, boats-2"]
    assert "Birds, Boats, Boats" in await desk.told("section order", sections="birds")
    assert await _titles(desk) == ["Birds", "Boats", "Boats"]
    assert "named twice" in await desk.told("section order", sections="birds, birds")


async def test_two_moderators_add_sections_at_once_and_both_stand(desk: Desk) -> None:
    configuration = desk.services.configuration

    async def add(title: str, by: Any) -> None:
        section = SectionSettings(key=title.lower(), title=title)
        await configuration.change_sections(desk.guild.id, lambda known: [*known, section], by=by.id)

    await asyncio.gather(add("Boats", desk.moderator), add("Birds", desk.other))
    assert sorted(await _titles(desk)) == ["Birds", "Boats"]


async def test_what_was_filed_in_a_section_that_is_gone_is_told_all_the_same(desk: Desk) -> None:
    await desk.set({"publish.channel": str(desk.channels["digest"].id)})
    await desk.ask("section add", title="Boats")
    message = await desk.say(desk.member, "The new slipway in the harbour takes boats of up to nine metres now.")
    assert "will be in" in await desk.told("noteworthy add", link=message.jump_url, section="boats")
    await desk.ask("section remove", section="boats")
    shown = await desk.ask("digest preview")
    assert any("slipway" in each.content for each in shown)
