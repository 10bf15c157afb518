"""Every command, menu, button, select and form: by moderators, by members, in another guild, at once, when all is slow.

One guild sees all of them, one after the other, so that a new command cannot be forgotten: the tables below have to
name each.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.errors import ConflictError
from bot.replay.discord_record import Record
from bot.store.tables import Base
from cogs import components
from cogs.components import button, view
from cogs.components import select as select_of
from tests.cogs.conftest import MODERATOR, NOW, Desk, furnish, opened
from tests.discord_schema import DiscordSchema

DUE = NOW.replace(day=13, hour=9)  # the Monday after
DRAFT, ACTION, REVISION = 1, 1, 1
"""The first edition, the first action and the first version of the draft, which are those of the guild of `world`."""

FOR_ALL = {"help", "github link", "github unlink", "github who"} | {
    f"privacy {name}" for name in ("policy", "optout", "optin", "export", "erase")
}


class World:
    """A guild with everything in it, in which a draft waits for its review; and another guild beside it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.message: Any = None
        self.stranger: Any = None
        self.elsewhere: Any = None

    async def build(self) -> None:
        desk = self.desk
        await desk.set(
            {
                "publish.channel": str(desk.channels["digest"].id),
                "moderation.review_channel": str(desk.channels["moderators"].id),
                "sections": [{"key": "boats", "title": "Boats"}, {"key": "birds", "title": "Birds"}],
                "github.repositories": ["Acme/Anvil"],
            }
        )
        self.message = await desk.say(desk.member, "The new slipway in the harbour takes boats of nine metres now.")
        place = (desk.guild.id, self.message.channel.id, self.message.id)
        await desk.services.tagging.tag(*place, by=desk.moderator.id, source="menu", section="boats")
        await desk.services.reviews.show_next(desk.guild.id)
        guild = desk.env.create_guild("Bolt")
        role = guild.create_role("mods", permissions=MODERATOR)
        self.elsewhere = guild.create_text_channel("general")
        self.stranger = guild.add_member(desk.env.create_user("stranger"), roles=[role])
        await desk.env.settle()
        await desk.app.recorder.drain()

    def commands(self) -> dict[str, dict[str, Any]]:
        """Every command with options that it can be run with."""
        desk, link = self.desk, self.message.jump_url
        named: dict[str, dict[str, Any]] = {
            "backfill": {"weeks": 1},
            "draft": {},
            "help": {},
            "digest amend": {"edition": str(DRAFT)},
            "digest public": {"edition": str(DRAFT)},
            "digest show": {"edition": str(DRAFT)},
            "digest settings": {"key": "schedule.time", "value": "10:00"},
            "github confirm": {"member": desk.member},
            "github link": {"login": "AnnaCodes"},
            "github who": {"member": desk.member},
            "noteworthy add": {"link": link, "section": "boats"},
            "noteworthy remove": {"message": link},
            "repo add": {"repository": "acme/rocket"},
            "repo allow": {"repository": "acme/anvil", "channel": desk.channels["digest"]},
            "repo disallow": {"repository": "acme/anvil", "channel": desk.channels["digest"]},
            "repo remove": {"repository": "acme/anvil"},
            "section add": {"title": "Fish"},
            "section edit": {"section": "boats", "labels": "boat"},
            "section order": {"sections": "birds"},
            "section remove": {"section": "birds"},
        }
        plain = ("history", "pause", "preview", "publish", "resume", "setup", "skip", "stats", "status")
        named |= {f"digest {name}": {} for name in plain}
        named |= {f"privacy {name}": {} for name in ("policy", "optout", "optin", "export", "erase")}
        return (
            named
            | {name: {} for name in ("github claims", "github unlink", "noteworthy list", "repo list")}
            | {"section list": {}}
        )

    def buttons(self) -> dict[str, tuple[object, ...]]:
        draft = (DRAFT, REVISION)
        start = int(NOW.replace(day=6, hour=9).timestamp())
        names = ("approve", "hold", "rebuild", "undo_last", "edit", "drop", "move", "note")
        turned = {f"review_{name}_page": (*draft, 0) for name in ("edit", "drop", "move")}
        return (
            {f"review_{name}": draft for name in names}
            | turned
            | {
                "undo": (ACTION,),
                "review_undo": (DRAFT, 1),
                "publish": ("next", start),
                "public": (DRAFT, "on"),
                "setup": (1, 0),
                "setup_time": (),
                "setup_repos": (),
                "privacy_erase": (self.desk.moderator.id,),
            }
        )

    def selects(self) -> dict[str, tuple[tuple[object, ...], str]]:
        draft = (DRAFT, REVISION)
        return {
            "setup_set": ((1, "schedule.weekday"), "friday"),
            "setup_repo_off": ((0,), "Acme/Anvil"),
            "review_edit_chosen": (draft, "a mark"),
            "review_dropped": (draft, f"message/{self.message.id}"),
            "review_move_chosen": (draft, "acme/anvil#1"),
            "review_moved": ((*draft, "acme/anvil#1"), "birds"),
        }

    def forms(self) -> dict[str, tuple[object, ...]]:
        return {
            "tag": (self.message.channel.id, self.message.id),
            "review_edited": (DRAFT, "a mark"),
            "review_noted": (DRAFT,),
        }

    async def use_every_control(self, who: Any, where: Any) -> dict[str, str]:
        """Press, choose and send everything there is; what was answered, by the control's name."""
        desk, told = self.desk, {}
        channel = desk.app.bot.get_channel(where.id)
        for name, args in self.buttons().items():
            posted = await channel.send("Press", view=view(button("Go", name, *args)))
            result = await who.click(posted, label="Go")
            told[name] = await self._answer(result)
            if result.modal is not None and name != "review_note":
                fields = {"time": "10:30"} if name == "setup_time" else {"names": "acme/rocket"}
                told[f"{name}_given"] = await self._answer(await who.submit_modal(result, fields))
        for name, (args, value) in self.selects().items():
            options = [discord.SelectOption(label="Go", value=value)]
            posted = await channel.send("Choose", view=view(select_of(name, *args, options=options, placeholder="…")))
            told[name] = await self._answer(await who.select(posted, [value]))
        for name, args in self.forms().items():
            fields = [{"type": 4, "custom_id": key, "value": "acme/rocket"} for key in ("text", "note")]
            data = {
                "custom_id": ":".join(["gazette", name, *map(str, args)]),
                "components": [{"type": 18, "component": each} for each in fields],
            }
            told[name] = await self._answer(await who._dispatch_interaction(5, where, data))
        return told

    async def _answer(self, result: Any) -> str:
        if result.modal is not None:
            return "(a form)"
        await self.desk.env.settle()  # the answer may also be an edit of the message with the control
        assert result.acknowledged and all(each.ephemeral for each in result.followups)
        shown = [*([result.response] if result.response else []), *result.followups]
        return "\n".join(each.content for each in shown) or "(nothing)"

    async def stored(self) -> dict[str, list[str]]:
        """Everything that is stored of the guild."""
        found = {}
        async with self.desk.app.store.read() as connection:
            for table in Base.metadata.sorted_tables:
                if "guild_id" in table.c and table.name not in ("messages", "channels", "coverage", "cursors"):
                    rows = await connection.execute(select(table).where(table.c.guild_id == self.desk.guild.id))
                    found[table.name] = sorted(map(repr, rows))
        return found

    async def rows_about(self, user_id: str) -> list[str]:
        """Every stored row, whatever it is, in which a user's id stands."""
        found = []
        async with self.desk.app.store.read() as connection:
            for table in Base.metadata.sorted_tables:
                rows = [repr(row) for row in await connection.execute(select(table))]
                found += [f"{table.name}: {row}" for row in rows if user_id in row]
        return found

    async def allow_everybody(self) -> None:
        """Have Discord let the member use every command."""
        for command in await self.desk.env.bot.tree.fetch_commands():
            self.desk.guild.set_command_permissions(command, {self.desk.member: True})


@pytest.fixture
async def world(tmp_path: Path, sqlite_template: Path) -> AsyncIterator[World]:
    async with opened(tmp_path / "gazette.sqlite3", sqlite_template) as desk:
        await furnish(desk)
        made = World(desk)
        await made.build()
        yield made


async def test_the_table_names_every_command(world: World) -> None:
    tree = world.desk.app.bot.tree
    leaves = {each.qualified_name for each in tree.walk_commands() if isinstance(each, app_commands.Command)}
    assert set(world.commands()) == leaves
    alone = world.desk.env.create_user("alone").available_commands()
    assert {name for name in alone if not name.startswith("privacy")} == set() and len(alone) == 5


async def test_a_member_can_do_nothing_with_them_also_after_a_restart(world: World) -> None:
    desk = world.desk
    await world.allow_everybody()
    await desk.restart()
    before = await world.stored()
    told = {
        name: await desk.told(name, who=desk.member, where="general", **options)
        for name, options in world.commands().items()
        if name not in FOR_ALL
    }
    for name in ("Add to digest", "Introduction", "Not an introduction", "Remove from digest"):
        result = await desk.member.context_menu(desk.channels["general"], name, world.message)
        told[name] = (await desk.answers(result))[-1].content
    used = await world.use_every_control(desk.member, desk.channels["general"])
    assert "only what is theirs" in used.pop("privacy_erase")
    told |= used
    assert {name: answer for name, answer in told.items() if "Only the digest's moderators" not in answer} == {}
    found = await desk.member.autocomplete(desk.channels["general"], "noteworthy remove", "message", "")
    assert found == []
    assert await world.stored() == before


async def test_nothing_reaches_from_one_guild_into_another(world: World) -> None:
    before = await world.stored()
    with capture_logs() as logs:
        used = await world.use_every_control(world.stranger, world.elsewhere)
    assert {name for name, answer in used.items() if "Something went wrong" in answer} == set(), logs
    assert await world.stored() == before
    link = world.message.jump_url.replace(str(world.desk.guild.id), str(world.stranger.guild.id))
    result = await world.stranger.slash(world.elsewhere, "noteworthy add", link=link)
    assert "no such message in this server" in (await world.desk.answers(result))[-1].content


async def test_moderators_use_all_of_them_again_and_again(world: World, shared_file: Any) -> None:
    desk = world.desk
    with capture_logs() as logs:
        for _ in range(2):
            for name, options in world.commands().items():
                assert await desk.ask(name, **options), name
        for name in ("Introduction", "Not an introduction", "Remove from digest"):
            result = await desk.moderator.context_menu(desk.channels["general"], name, world.message)
            assert await desk.answers(result), name
        used = await world.use_every_control(desk.moderator, desk.channels["moderators"])
    assert set(used) == set(desk.app.bot.controls)
    assert [each for each in logs if each["event"] == "a command failed"] == []
    schema = DiscordSchema.read(shared_file("DISCORD_OPENAPI"))
    sent = [
        Record(method=each.method, path=f"/{each.path.lstrip('/')}", route="", query={}, body=each.json)
        for each in desk.env.http_requests
    ]
    assert sum(each.path.endswith("/callback") for each in sent) > 100
    assert schema.problems_of(sent) == []


async def on_its_way(**_: Any) -> None:
    """In the place of waiting for an answer: the next one can be asked at the same time."""


async def test_two_moderators_use_each_command_at_once(world: World) -> None:
    desk = world.desk
    settle = desk.env._settle_internal
    with capture_logs() as logs:
        for name, options in world.commands().items():
            desk.env._settle_internal = on_its_way
            sent = [
                await who.slash(desk.channels["moderators"], name, **options) for who in (desk.moderator, desk.other)
            ]
            desk.env._settle_internal = settle
            for each in sent:
                assert await desk.answers(each), name
    assert [each for each in logs if each["event"] == "a command failed"] == []
    settings = await desk.settings()
    assert [each.key for each in settings.sections] == ["boats", "fish", "fish-2"]


def slowed(world: World, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Have the database answer nothing until the event is set."""
    store, answers = world.desk.app.store, asyncio.Event()

    def slowly(opened: Any) -> Any:
        @contextlib.asynccontextmanager
        async def later(*args: Any) -> AsyncIterator[Any]:
            await answers.wait()
            async with opened(*args) as connection:
                yield connection

        return later

    for name in ("read", "write"):
        monkeypatch.setattr(type(store), name, slowly(getattr(type(store), name)))
    return answers


async def test_each_is_acknowledged_before_the_database_answers(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, answers = world.desk, slowed(world, monkeypatch)

    def acknowledged(since: int) -> list[Any]:
        return [each.json for each in desk.env.http_requests[since:] if each.path.endswith("/callback")]

    late = []
    for name, options in world.commands().items():
        answers.clear()
        seen = len(desk.env.http_requests)
        asked = asyncio.create_task(desk.moderator.slash(desk.channels["moderators"], name, **options))
        while not (found := acknowledged(seen)) and not asked.done():  # noqa: ASYNC110
            await asyncio.sleep(0)
        if found != [{"type": 5, "data": {"flags": 64}}]:
            late.append(name)
        answers.set()
        await desk.answers(await asked)
    assert late == []


async def test_a_form_waits_for_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, shown = asyncio.Event(), []

    async def slow(interaction: Any) -> None:
        await answers.wait()

    async def show(form: components.Form) -> None:
        shown.append(form)

    async def filled() -> components.Form:
        return components.Form("Filled", "tag")

    monkeypatch.setattr(components, "require_moderator", slow)
    monkeypatch.setattr(components, "_FORM_WITHIN", 0.0)
    interaction: Any = SimpleNamespace(response=SimpleNamespace(send_modal=show))
    plain = components.Form("Plain", "tag")
    await components.show_form(interaction, filled, plain=plain)
    assert shown == [plain]
    with pytest.raises(ConflictError, match="try again"):
        await components.show_form(interaction, filled)
    answers.set()


async def test_of_a_moderator_who_was_erased_nothing_is_stored_again(world: World) -> None:
    desk = world.desk
    who = str(desk.moderator.id)
    await desk.ask("github link", login="AnnaCodes")
    (asked,) = await desk.ask("privacy erase")
    await desk.press(asked, "Erase everything")
    assert await world.rows_about(who) == []
    form = await desk.moderator.context_menu(desk.channels["general"], "Add to digest", world.message)
    await desk.answers(await desk.moderator.submit_modal(form, {"note": "See it"}))
    assert "somebody who is not named" in await desk.told("noteworthy list", who=desk.other)
    for name, options in world.commands().items():
        if name != "privacy optin":
            assert await desk.ask(name, **options), name
    assert "first `/privacy optin`" in await desk.told("github link", login="AnnaCodes")
    await desk.moderator.react(world.message, "📌")
    await world.use_every_control(desk.moderator, desk.channels["moderators"])
    await desk.app.recorder.drain()
    assert await world.rows_about(who) == []
