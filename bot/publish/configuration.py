"""A guild's settings as everybody reads and changes them: kept at hand, stored, and told to whom they concern."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import ValidationError

from bot.errors import SettingsError
from bot.model.clock import Clock
from bot.model.guilds import Role
from bot.model.moderation import may_moderate
from bot.model.settings import GuildSettings, told
from bot.store import guilds
from bot.store.actions import log_action
from bot.store.engine import Store

Listener = Callable[[int], Awaitable[None]]


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

    async def store_settings(self, guild_id: int, settings: GuildSettings, *, by: int | None) -> None:
        """Put `settings` in the place of the guild's, note who did it, and tell whom it concerns."""
        at = self._clock.now()
        async with self._store.write() as connection:
            before = await guilds.fetch_settings(connection, guild_id)
            await guilds.store_settings(connection, guild_id, settings, at=at, by=by)
            changed = _changed(before.model_dump(mode="json"), settings.model_dump(mode="json"))
            await log_action(
                connection, guild_id=guild_id, user_id=by, action="change settings", at=at, data={"keys": changed}
            )
        self._known[guild_id] = settings
        for listener in self.on_change:
            await listener(guild_id)

    async def change(self, guild_id: int, changes: Mapping[str, Any], *, by: int | None) -> GuildSettings:
        """Change single keys, as in `{"schedule.time": "10:00"}`.

        Raises SettingsError, and changes nothing, if one of them is wrong.
        """
        before = await self.fetch_settings(guild_id)
        document = before.model_dump(mode="json")
        for path, value in changes.items():
            group, _, key = path.partition(".")
            if key:
                document[group] = {**document[group], key: value}
            else:
                document[group] = value
        try:
            settings = GuildSettings.model_validate(document)
        except ValidationError as error:
            raise SettingsError(told(error)) from error
        if settings != before:
            await self.store_settings(guild_id, settings, by=by)
        return settings

    async def may_moderate(self, guild_id: int, *, permissions: int, role_ids: list[int]) -> bool:
        """Whether somebody with these permissions and roles may moderate the guild's digest, as of now."""
        settings = await self.fetch_settings(guild_id)
        async with self._store.read() as connection:
            roles: Mapping[int, Role] = await guilds.roles_of(connection, guild_id)
        return may_moderate(settings, permissions=permissions, role_ids=role_ids, roles=roles)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    names: list[str] = []
    for group, value in after.items():
        if isinstance(value, dict) and isinstance(before.get(group), dict):
            names += [f"{group}.{key}" for key in value if value[key] != before[group].get(key)]
        elif value != before.get(group):
            names.append(group)
    return names
