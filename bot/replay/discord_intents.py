"""Gateway intents. Source: https://docs.discord.com/developers/events/gateway#list-of-intents"""

from __future__ import annotations

from bot.replay.discord_shapes import Data

GUILDS = 1 << 0
GUILD_MEMBERS = 1 << 1
GUILD_PRESENCES = 1 << 8
GUILD_MESSAGES = 1 << 9
GUILD_MESSAGE_REACTIONS = 1 << 10
DIRECT_MESSAGES = 1 << 12
DIRECT_MESSAGE_REACTIONS = 1 << 13
MESSAGE_CONTENT = 1 << 15
GUILD_SCHEDULED_EVENTS = 1 << 16

NONE_NEEDED = 0
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT


def without_content(message: Data, bot_id: int) -> Data:
    """A message as seen without the message content intent.

    The bot's own messages, those that mention it and direct ones keep their content.
    Source: https://docs.discord.com/developers/events/gateway#message-content-intent
    """
    mentioned = any(int(person["id"]) == bot_id for person in message.get("mentions", ()))
    if "author" not in message or "guild_id" not in message or mentioned or int(message["author"]["id"]) == bot_id:
        return message
    stripped = {key: value for key, value in message.items() if key != "poll"}
    for key, empty in (("content", ""), ("embeds", []), ("attachments", []), ("components", [])):
        if key in stripped:
            stripped[key] = empty
    if "message_snapshots" in stripped:
        stripped["message_snapshots"] = [
            {"message": {**snapshot["message"], "content": "", "embeds": [], "attachments": [], "components": []}}
            for snapshot in stripped["message_snapshots"]
        ]
    if isinstance(stripped.get("referenced_message"), dict):
        stripped["referenced_message"] = without_content(
            {**stripped["referenced_message"], "guild_id": stripped["guild_id"]}, bot_id
        )
    return stripped
