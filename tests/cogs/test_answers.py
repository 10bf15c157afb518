"""How commands answer when Discord or the database is slow, fails, or has forgotten; and what is synced when."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any

from structlog.testing import capture_logs

from bot.replay.discord_record import Record
from bot.store.actions import actions_of
from tests.cogs.conftest import Desk
from tests.discord_schema import DiscordSchema


async def test_a_slow_database_does_not_hold_up_the_acknowledgement(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    lock = sqlite3.connect(desk.database.removeprefix("sqlite:///"), isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    asked = asyncio.create_task(desk.moderator.context_menu(desk.channels["general"], "Introduction", message))
    while not _callbacks(desk):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert _callbacks(desk)[0]["type"] == 5 and _callbacks(desk)[0]["data"]["flags"] == 64
    assert not asked.done()
    lock.execute("ROLLBACK")
    lock.close()
    (told,) = await desk.answers(await asked)
    assert "counts as an introduction" in told.content


def _callbacks(desk: Desk) -> list[Any]:
    return [each.json for each in desk.env.http_requests if each.path.endswith("/callback")]


async def test_an_acknowledgement_that_comes_too_late_leaves_everything_as_it_was(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    desk.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062, message="Unknown interaction")
    with capture_logs() as logs:
        result = await desk.moderator.context_menu(desk.channels["general"], "Introduction", message)
    assert not result.acknowledged
    assert any("came too late" in each["event"] for each in logs)
    async with desk.app.store.read() as connection:
        assert not any("introduction" in action for _, _, action, _ in await actions_of(connection, desk.guild.id))


async def test_an_outcome_that_cannot_be_told_is_written_down(desk: Desk) -> None:
    message = await desk.say(desk.member, "The slipway is open.")
    desk.env.inject_error("POST", "/webhooks/*/*", status=401, code=50027, message="Invalid Webhook Token")
    await desk.moderator.context_menu(desk.channels["general"], "Introduction", message)
    async with desk.app.store.read() as connection:
        done = await actions_of(connection, desk.guild.id)
    assert [action for _, _, action, _ in done][:2] == ["could not be answered", "mark an introduction"]
    assert done[0][3]["command"] == "Introduction" and "counts as an introduction" in done[0][3]["answer"]


async def test_an_unforeseen_error_is_answered_with_a_reference_that_is_in_the_log(
    desk: Desk, monkeypatch: Any
) -> None:
    async def broken(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(desk.services.publishing), "status", broken)
    with capture_logs() as logs:
        told = await desk.told("digest status")
    (logged,) = [each for each in logs if each["event"] == "a command failed"]
    assert f"`{logged['reference']}`" in told and "nothing was changed half-way" in told
    assert logged["command"] == "digest status"


async def test_commands_are_synced_once_for_all_guilds_and_again_only_when_they_change(desk: Desk) -> None:
    def syncs() -> list[str]:
        return [each.path for each in desk.env.http_requests if each.method == "PUT" and "/commands" in each.path]

    assert len(syncs()) == 1 and "/guilds/" not in syncs()[0]
    desk.env.bot.dispatch("ready")
    await desk.env.settle()
    await desk.restart()
    assert len(syncs()) == 1


async def test_every_command_is_described_for_guilds_only_and_closed_by_default(desk: Desk) -> None:
    commands = desk.app.bot.tree.get_commands()
    described = [command.to_dict(desk.app.bot.tree) for command in commands]
    assert sum(each["type"] == 3 for each in described) <= 5
    for each in described:
        if each["name"] != "privacy":  # which is everybody's, wherever they are
            assert each.get("contexts") == [0] or each.get("dm_permission") is False
        if each["name"] not in ("help", "github", "privacy"):
            assert int(each["default_member_permissions"]) > 0, each["name"]
        for option in each.get("options", ()):
            assert len(option["description"]) > 5, option


async def test_the_commands_are_such_as_discord_takes(desk: Desk, shared_file: Any) -> None:
    schema = DiscordSchema.read(shared_file("DISCORD_OPENAPI"))
    (synced,) = [each for each in desk.env.http_requests if each.method == "PUT" and "/commands" in each.path]
    path = synced.path if synced.path.startswith("/") else f"/{synced.path}"
    record = Record(method="PUT", path=path, route="", query={}, body=synced.json)
    assert schema.problems(record) == []


async def test_help_names_every_command_and_menu(desk: Desk) -> None:
    told = "\n".join(each.content for each in await desk.ask("help", who=desk.member, where="general"))
    for name in ("/digest setup", "/section add", "/backfill", "/noteworthy add", "/repo add", "Add to digest"):
        assert name in told


async def test_a_missing_intent_is_named_where_moderators_look(desk: Desk) -> None:
    desk.app.recorder.lacks(("message_content",))
    assert "Message Content Intent" in await desk.told("digest status")
    (walk,) = await desk.ask("digest setup")
    for _ in range(5):
        label = "Done" if "5 of 5" in walk.content else "Next ▶"
        await desk.press(walk, label)
    assert "What is still missing" in walk.content and "Message Content Intent" in walk.content
