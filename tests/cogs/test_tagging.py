"""Marking messages as noteworthy by menu and command: with permission and without, twice at once, when things fail."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import simcord

from bot.store.actions import actions_of
from bot.store.tags import tags_of
from tests.cogs.conftest import MODERATOR, Desk

SECTIONS = [
    {"key": "boats", "title": "Boats", "order": 10, "emoji": "⛵"},
    {"key": "birds", "title": "Birds", "order": 20},
]


async def _menu(desk: Desk, name: str, message: Any, *, who: Any = None) -> Any:
    return await (who or desk.moderator).context_menu(desk.channels["general"], name, message)


async def _add(desk: Desk, message: Any, *, who: Any = None, **fields: Any) -> str:
    who = who or desk.moderator
    shown = await _menu(desk, "Add to digest", message, who=who)
    if shown.modal is None:
        return str((await desk.answers(shown))[-1].content)
    (answer,) = await desk.answers(await who.submit_modal(shown, fields))
    return str(answer.content)


async def _standing(desk: Desk, message_id: int) -> list[Any]:
    async with desk.app.store.read() as connection:
        return [tag for tag in await tags_of(connection, desk.guild.id, message_id) if tag.removed_at is None]


async def test_a_message_is_added_listed_removed_and_put_back(desk: Desk) -> None:
    await desk.set({"sections": SECTIONS})
    message = await desk.say(desk.member, "The slipway is open.")
    told = await _add(desk, message, section=["boats"], note="See  it\nsoon", rewrite="A slipway opened")
    assert "will be in the next digest" in told and message.jump_url in told
    (tag,) = await _standing(desk, message.id)
    assert (tag.section, tag.note, tag.rewrite, tag.user_id) == (
        "boats",
        "See it soon",
        "A slipway opened",
        desk.moderator.id,
    )
    listed = await desk.told("noteworthy list")
    assert message.jump_url in listed and "The slipway is open." in listed and desk.moderator.mention in listed
    found = await desk.moderator.autocomplete(desk.channels["general"], "noteworthy remove", "message", "slip")
    assert found == [{"name": "The slipway is open.", "value": str(message.id)}]
    (removed,) = await desk.answers(await _menu(desk, "Remove from digest", message))
    assert "out of the next digest" in removed.content
    assert await _standing(desk, message.id) == []
    assert "nothing to take back" in (await desk.answers(await _menu(desk, "Remove from digest", message)))[0].content
    await desk.press(removed, "Undo")
    assert [tag.section for tag in await _standing(desk, message.id)] == ["boats"]


async def test_an_added_message_is_taken_back_with_undo(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    shown = await _menu(desk, "Add to digest", message)
    (added,) = await desk.answers(await desk.moderator.submit_modal(shown, {"note": "first"}))
    shown = await _menu(desk, "Add to digest", message)
    assert [each["component"].get("value") for each in shown.modal["components"]] == ["first", None]
    (again,) = await desk.answers(await desk.moderator.submit_modal(shown, {"note": "second"}))
    assert "your changes are kept" in again.content
    await desk.press(again, "Undo")
    assert [tag.note for tag in await _standing(desk, message.id)] == ["first"]
    await desk.press(added, "Undo")
    assert await _standing(desk, message.id) == []


async def test_several_moderators_on_one_message_do_not_disturb_each_other(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    assert "will be in" in await _add(desk, message, note="mine")
    assert "will be in" in await _add(desk, message, who=desk.other, note="yours")
    assert {tag.user_id for tag in await _standing(desk, message.id)} == {desk.moderator.id, desk.other.id}
    assert "2" not in await desk.told("noteworthy remove", message=message.jump_url)
    assert await _standing(desk, message.id) == []


async def test_two_moderators_tag_the_same_unstored_message_at_once(desk: Desk) -> None:
    with desk.unrecorded():
        message = await desk.member.send(desk.channels["general"], "Before the bot came")
    tagging, place = desk.services.tagging, (desk.guild.id, message.channel.id, message.id)
    done = await asyncio.gather(
        *(tagging.tag(*place, by=who.id, source="menu") for who in (desk.moderator, desk.other))
    )
    assert [each.count for each in done] == [1, 1]
    assert len(await _standing(desk, message.id)) == 2
    assert "Before the bot came" in await desk.told("noteworthy list")


async def test_a_link_is_added_and_what_is_no_link_is_told_so(desk: Desk) -> None:
    await desk.set({"sections": SECTIONS})
    message = await desk.say(desk.member, "The slipway is open.")
    assert "will be in the next digest" in await desk.told("noteworthy add", link=message.jump_url, section="birds")
    assert [tag.section for tag in await _standing(desk, message.id)] == ["birds"]
    assert "no link to a message" in await desk.told("noteworthy add", link="slipway")
    elsewhere = message.jump_url.replace(str(desk.guild.id), "12345")
    assert "another server" in await desk.told("noteworthy add", link=elsewhere)
    assert "no section" in await desk.told("noteworthy add", link=message.jump_url, section="fish")
    found = await desk.moderator.autocomplete(desk.channels["general"], "noteworthy add", "section", "bo")
    assert [each["value"] for each in found] == ["boats"]


async def test_a_message_that_vanished_meanwhile_is_told_so(desk: Desk) -> None:
    message = await desk.say(desk.member, "Soon gone")
    shown = await _menu(desk, "Add to digest", message)
    await desk.member.delete(message)
    await desk.app.recorder.drain()
    (told,) = await desk.answers(await desk.moderator.submit_modal(shown, {}))
    assert "has been deleted" in told.content
    gone = f"https://discord.com/channels/{desk.guild.id}/{message.channel.id}/{message.id + 1}"
    assert "no such message" in await desk.told("noteworthy add", link=gone)


async def test_introductions_are_marked_and_the_mark_is_undone(desk: Desk) -> None:
    message = await desk.say(desk.member, "Hi all, I am Anna.")
    (told,) = await desk.answers(await _menu(desk, "Introduction", message))
    assert "counts as an introduction" in told.content
    (told,) = await desk.answers(await _menu(desk, "Not an introduction", message))
    assert "does not count" in told.content
    undone = await desk.press(told, "Undo")
    assert "taken back" in undone[-1].content
    async with desk.app.store.read() as connection:
        actions = [action for _, _, action, _ in await actions_of(connection, desk.guild.id)]
    assert actions[0] == "undo: mark an introduction"


async def test_members_cannot_tag_even_where_discord_lets_them(desk: Desk) -> None:
    message = await desk.say(desk.member, "Vote for me")
    with pytest.raises(simcord.SetupError):
        await _menu(desk, "Add to digest", message, who=desk.member)
    for command in await desk.env.bot.tree.fetch_commands():
        if command.name in ("Add to digest", "Introduction", "noteworthy"):
            desk.guild.set_command_permissions(command, {desk.member: True})
    assert "Only the digest's moderators" in await _add(desk, message, who=desk.member)
    assert "Only the digest's moderators" in await desk.told("noteworthy list", who=desk.member, where="general")
    (told,) = await desk.answers(await _menu(desk, "Introduction", message, who=desk.member))
    assert "Only the digest's moderators" in told.content
    assert await _standing(desk, message.id) == []


async def test_the_role_that_the_guild_sets_decides_from_then_on(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    rights = desk.guild.create_role("writers", permissions=MODERATOR)
    role = desk.guild.create_role("Editors")
    editor = desk.guild.add_member(desk.env.create_user("editor"), roles=[rights, role])
    await desk.set({"moderation.role": "editors"})
    await desk.env.settle()
    await desk.app.recorder.drain()
    assert "Only the digest's moderators" in await _add(desk, message)
    assert "will be in the next digest" in await _add(desk, message, who=editor)


async def test_a_form_that_was_opened_before_a_restart_still_works(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    shown = await _menu(desk, "Add to digest", message)
    await desk.restart()
    (told,) = await desk.answers(await desk.moderator.submit_modal(shown, {"note": "kept"}))
    assert "will be in the next digest" in told.content
    assert [tag.note for tag in await _standing(desk, message.id)] == ["kept"]
