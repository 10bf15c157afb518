"""A guild's settings as everybody reads and changes them: kept at hand, stored, and told to whom they concern."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bot.errors import ConflictError, SettingsError
from bot.model.clock import Clock
from bot.model.guilds import Role
from bot.model.moderation import may_moderate
from bot.model.settings import GuildSettings, SectionSettings, told
from bot.store import guilds
from bot.store.actions import log_action
from bot.store.engine import Store

Listener = Callable[[int], Awaitable[None]]
CHANGED = "change settings"


@dataclass(frozen=True, slots=True)
class Change:
    """The settings as they are now, and the id by which what was changed can be undone (None: nothing was)."""

    settings: GuildSettings
    action_id: int | None = None


class Configuration:
    """The settings of all guilds. `on_change` are called with a guild's id after its settings were stored."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[int, GuildSettings] = {}
        self.on_change: list[Listener] = []

    def get_settings(self, guild_id: int) -> GuildSettings | None:
        """The settings as last read, without asking the database: for answers that Discord wants at once."""
        return self._known.get(guild_id)

    async def fetch_settings(self, guild_id: int) -> GuildSettings:
        """The settings as stored; the defaults where there are none."""
        async with self._store.read() as connection:
            settings = await guilds.fetch_settings(connection, guild_id)
        self._known[guild_id] = settings
        return settings

    async def store_settings(self, guild_id: int, settings: GuildSettings, *, by: int | None) -> Change:
        """Put `settings` in the place of the guild's, note who did it, and tell whom it concerns."""
        return await self._replace(guild_id, lambda before: settings, by=by)

    async def change(self, guild_id: int, changes: Mapping[str, Any], *, by: int | None) -> Change:
        """Change single keys, as in `{"schedule.time": "10:00"}`. Keys that others change at once are left alone.

        Raises SettingsError, and changes nothing, if one of them is wrong.
        """
        return await self._replace(guild_id, lambda before: _with(before, changes), by=by)

    async def change_sections(
        self, guild_id: int, edit: Callable[[list[SectionSettings]], list[SectionSettings]], *, by: int | None
    ) -> Change:
        """Replace the sections by what `edit` makes of those that stand. Raises what `edit` raises."""
        return await self._replace(
            guild_id, lambda before: before.model_copy(update={"sections": edit(list(before.sections))}), by=by
        )

    async def undo(self, guild_id: int, data: Mapping[str, Any], *, by: int | None) -> Change:
        """Set back what a change (as logged) changed. Raises ConflictError where it has been changed since."""

        def back(settings: GuildSettings) -> GuildSettings:
            now = settings.model_dump(mode="json")
            if any(_value(now, key) != after for key, (_, after) in data["values"].items()):
                raise ConflictError("This has been changed again since; `/digest settings` shows what holds now.")
            return _with(settings, {key: before for key, (before, _) in data["values"].items()})

        return await self._replace(guild_id, back, by=by)

    async def _replace(
        self, guild_id: int, make: Callable[[GuildSettings], GuildSettings], *, by: int | None
    ) -> Change:
        at, action_id = self._clock.now(), None
        async with self._store.write() as connection:
            before = await guilds.fetch_settings(connection, guild_id)
            settings = make(before)
            old, new = before.model_dump(mode="json"), settings.model_dump(mode="json")
            changed = _changed(old, new)
            if changed:
                await guilds.store_settings(connection, guild_id, settings, at=at, by=by)
                values = {key: [_value(old, key), _value(new, key)] for key in changed}
                data = {"keys": changed, "values": values}
                action_id = await log_action(
                    connection, guild_id=guild_id, user_id=by, action=CHANGED, at=at, data=data
                )
        self._known[guild_id] = settings
        if changed:
            for listener in self.on_change:
                await listener(guild_id)
        return Change(settings, action_id)

    async def may_moderate(self, guild_id: int, *, permissions: int, role_ids: list[int]) -> bool:
        """Whether somebody with these permissions and roles may moderate the guild's digest, as of now."""
        settings = await self.fetch_settings(guild_id)
        async with self._store.read() as connection:
            roles: Mapping[int, Role] = await guilds.roles_of(connection, guild_id)
        return may_moderate(settings, permissions=permissions, role_ids=role_ids, roles=roles)


def _with(settings: GuildSettings, changes: Mapping[str, Any]) -> GuildSettings:
    """The settings with single keys changed. Raises SettingsError."""
    document = settings.model_dump(mode="json")
    for path, value in changes.items():
        group, _, key = path.partition(".")
        document[group] = {**document[group], key: value} if key else value
    try:
        return GuildSettings.model_validate(document)
    except ValidationError as error:
        raise SettingsError(told(error)) from error


def _value(document: Mapping[str, Any], path: str) -> Any:
    group, _, key = path.partition(".")
    return document[group].get(key) if key else document.get(group)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    names: list[str] = []
    for group, value in after.items():
        if isinstance(value, dict) and isinstance(before.get(group), dict):
            names += [f"{group}.{key}" for key in value if value[key] != before[group].get(key)]
        elif value != before.get(group):
            names.append(group)
    return names
