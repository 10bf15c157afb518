"""What is said while the bot is connected is stored as it stands."""

from __future__ import annotations

from bot.model.clock import ManualClock
from bot.replay.discord_server import DiscordServer
from bot.store import messages
from bot.store.engine import Store
from tests.capture_fixtures import recording
from tests.discord_fixtures import CHANNEL_ID

ADA = {"id": "300", "username": "ada", "global_name": "Ada"}


async def test_a_message_is_stored_edited_and_deleted(
    discord_server: DiscordServer, sqlite_store: Store, clock: ManualClock
) -> None:
    async with recording(discord_server, sqlite_store, clock) as running:
        made = discord_server.world.create_message(CHANNEL_ID, author=ADA, content="hello")
        await running.settle()
        async with sqlite_store.read() as connection:
            stored = await messages.messages_by_id(connection, [int(made["id"])])
        assert stored[int(made["id"])].content == "hello"
