"""What the bot sends while moderators work with it, in a guild that has lived through the example week.

`captured` gives it as plain data, a scene for each picture of the moderators' manual; docs/make_picture.py draws them.
"""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord

from bot.model.settings import parse_settings
from tests.cogs.conftest import MODERATOR, Desk, opened
from tests.conftest import EXAMPLES

WEEK = EXAMPLES / "marin-2026-08-24"
BEGIN = datetime(2026, 8, 23, 23, 0, tzinfo=UTC)
SHOWN = datetime(2026, 8, 30, 9, 0, tzinfo=UTC)
"""A day before the digest is posted: its draft is shown."""
TAGGED = "For those who asked: the reading group meets on Thursday at 17:00 UTC, and everybody is welcome."


class Stage:
    """The guild of the example week in a simulated Discord, and the scenes that were played on it."""

    def __init__(self, desk: Desk, *, one_in: int) -> None:
        self.desk = desk
        self.one_in = one_in
        self.scenes: dict[str, list[dict[str, Any]]] = {}
        self.names: dict[str, str] = {}

    async def furnish(self) -> None:
        desk = self.desk
        week = json.loads((WEEK / "discord.json").read_text(encoding="utf-8"))
        guild = desk.guild = desk.env.create_guild("Marin")
        role = guild.create_role("moderator", permissions=MODERATOR)
        named = {str(each["id"]): str(each["name"]) for each in week["channels"] if each["type"] in (0, 5)}
        for name in (*named.values(), "digest", "moderators"):
            if name not in desk.channels:
                desk.channels[name] = guild.create_text_channel(name)
        desk.moderator = guild.add_member(desk.env.create_user("sofia", global_name="Sofia"), roles=[role])
        desk.other = guild.add_member(desk.env.create_user("jonas", global_name="Jonas"), roles=[role])
        desk.member = guild.add_member(desk.env.create_user("amara", global_name="Amara Okafor"))
        await desk.env.settle()
        await desk.app.recorder.drain()
        self.names = {str(channel.id): f"#{name}" for name, channel in desk.channels.items()}
        self.names |= {str(desk.moderator.id): "@Sofia", str(desk.other.id): "@Jonas", str(role.id): "@moderator"}
        await self._live(week, named)

    async def _live(self, week: dict[str, Any], named: dict[str, str]) -> None:
        """Have the bot hear what was said in the week, and who joined, up to the moment of the draft."""
        desk = self.desk
        at = "timestamp", "joined_at"
        heard = [("MESSAGE_CREATE", each) for each in week["messages"] if each["channel_id"] in named]
        heard += [("GUILD_MEMBER_ADD", each) for each in week["member_events"] if each["type"] == "GUILD_MEMBER_ADD"]
        heard.sort(key=lambda each: str(each[1].get(at[0]) or each[1][at[1]]))
        for event, given in heard[:: self.one_in]:
            instant = datetime.fromisoformat(str(given.get(at[0]) or given[at[1]]))
            if BEGIN < instant < SHOWN - timedelta(hours=1):
                place = {"guild_id": str(desk.guild.id)}
                if event == "MESSAGE_CREATE":
                    place["channel_id"] = str(desk.channels[named[given["channel_id"]]].id)
                desk.clock.set(instant)
                await desk.app.recorder.feed(event, {**given, **place})
        await desk.app.recorder.drain()

    def show(self, scene: str, said: Any, *, used: str = "", by: str = "Gazette", file_bytes: Any = ()) -> None:
        """Add a message to a scene. `used` is the command that it answers."""
        payload = {
            "by": by,
            "used": used,
            "content": said.content,
            "ephemeral": bool(getattr(said, "ephemeral", False)),
            "components": [each if isinstance(each, dict) else each.to_dict() for each in said.components],
            "at": self.desk.clock.now().isoformat(),
            "files": [base64.b64encode(each).decode() for each in file_bytes],
        }
        self.scenes.setdefault(scene, []).append(json.loads(json.dumps(payload, default=str)))

    async def set_up(self) -> None:
        desk = self.desk
        options = {"timezone": "Europe/Berlin", "weekday": "monday", "time": "11:00"}
        walk, _ = await desk.ask("digest setup", channel=desk.channels["digest"], **options)
        typed = "/digest setup channel:#digest timezone:Europe/Berlin weekday:Monday time:11:00"
        for key in ("introductions", "welcome"):
            custom_id = f"gazette:setup_set:0:channels.{key}"
            await desk.answers(await desk.moderator.select(walk, [desk.channels[key]], custom_id=custom_id))
        self.show("setup", walk, used=typed)
        await desk.press(walk, "Next ▶")
        self.show("setup", walk)
        await desk.press(walk, "Next ▶")
        form = await desk.moderator.click(walk, label="Add repositories")
        await desk.answers(await desk.moderator.submit_modal(form, {"names": "marin-community/marin"}))
        self.show("setup", walk)
        await desk.press(walk, "Next ▶")
        custom_id = "gazette:setup_set:3:moderation.review_channel"
        await desk.answers(await desk.moderator.select(walk, [desk.channels["moderators"]], custom_id=custom_id))
        self.show("setup", walk)
        await desk.press(walk, "Next ▶")
        self.show("setup", walk)
        await desk.press(walk, "Done")
        self.show("setup", walk)

    async def tag(self) -> None:
        desk = self.desk
        settings = parse_settings((WEEK / "settings.toml").read_text(encoding="utf-8"))
        sections = [section.model_dump() for section in settings.sections]
        github = settings.github.model_dump(mode="json")
        await desk.set({"sections": sections, "edition.title": settings.edition.title, "github": github})
        desk.clock.set(SHOWN - timedelta(minutes=30))
        message = await desk.say(desk.member, TAGGED)
        self.show("tag", message, by="Amara Okafor")
        form = await desk.moderator.context_menu(desk.channels["general"], "Add to digest", message)
        self.scenes["tag"].append({"modal": form.modal, "menus": self._menus()})
        note = {"section": ["training"], "note": "Bring a question."}
        (told,) = await desk.answers(await desk.moderator.submit_modal(form, note))
        self.show("tag", told, used="Add to digest")

    def _menus(self) -> list[str]:
        return [each.name for each in self.desk.app.bot.tree.get_commands(type=discord.AppCommandType.message)]

    async def preview_and_stats(self) -> None:
        desk = self.desk
        for each in await desk.ask("digest preview"):
            self.show("preview", each, used="" if "preview" in self.scenes else "/digest preview")
        (stats,) = await desk.ask("digest stats")
        files = [await each.read() for each in stats.attachments]
        self.show("stats", stats, used="/digest stats", file_bytes=files)

    async def review(self) -> None:
        desk = self.desk
        await desk.as_of(SHOWN)
        (draft,) = [each for each in desk.channels["moderators"].history() if each.content.startswith("**Draft")]
        form = await desk.other.click(draft, label="Editor's note")
        await desk.answers(await desk.other.submit_modal(form, {"text": "The hero run has begun; come and watch."}))
        (draft,) = [each for each in desk.channels["moderators"].history() if each.content.startswith("**Draft")]
        self.show("review", draft)
        (thread,) = desk.channels["moderators"].threads
        for each in thread.history():
            self.show("review thread", each)

    async def status(self) -> None:
        desk = self.desk
        desk.env.backend.delete_channel(desk.channels["welcome"].id)
        await desk.env.settle()
        await desk.app.recorder.drain()
        (told,) = await desk.ask("digest status")
        self.show("status", told, used="/digest status")


async def captured(folder: Path, template: Path, *, pictures: bool = True, one_in: int = 1) -> dict[str, Any]:
    """Play all scenes; `names` says how channels, people and roles are called.

    Without `pictures`, and with one message and one item `one_in` so many, it takes a fraction of the time.
    """
    recorded = json.loads((WEEK / "github.json").read_text(encoding="utf-8"))
    items = recorded["items"][::one_in]
    kept = {(each["repo"], each["number"]) for each in items}
    comments = [each for each in recorded["comments"] if (each["repo"], each["number"]) in kept]
    recorded |= {"items": items, "comments": comments}
    path = folder / "gazette.sqlite3"
    async with opened(path, template, pictures=pictures, now=BEGIN, recorded=recorded) as desk:
        stage = Stage(desk, one_in=one_in)
        await stage.furnish()
        await stage.set_up()
        await stage.tag()
        await stage.preview_and_stats()
        await stage.review()
        await stage.status()
        return {"names": stage.names, "scenes": stage.scenes}
