"""Those whose messages are not recorded, held in memory: asked for every message, by every way in."""

from __future__ import annotations

from bot.store import privacy
from bot.store.engine import Store


class Exclusions:
    """Who opted out or was erased. `reload` after a change; `secret` is the key of the erased users' hashes."""

    def __init__(self, *, secret: str = "") -> None:
        self._secret = secret
        self._opted_out: set[tuple[int, int]] = set()
        self._erased: set[str] = set()

    async def reload(self, store: Store) -> None:
        """Read anew who is excluded."""
        async with store.read() as connection:
            self._opted_out = await privacy.opt_outs(connection)
            self._erased = await privacy.erased_hashes(connection)

    def is_excluded(self, guild_id: int, user_id: int) -> bool:
        """Whether nothing of the user may be recorded in the guild."""
        if (guild_id, user_id) in self._opted_out or (privacy.EVERYWHERE, user_id) in self._opted_out:
            return True
        return bool(self._erased) and privacy.user_hash(user_id, self._secret) in self._erased
