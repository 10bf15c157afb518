"""What the local server received: the log of requests, and the messages that the bot wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.replay.discord_shapes import Data


@dataclass(slots=True)
class Record:
    """A request. `body` is the JSON, for multipart its `payload_json`; `accepted` says that it was carried out."""

    method: str
    path: str  # without /api/v10
    route: str  # as in the documentation: /channels/{channel_id}/messages
    query: dict[str, str]
    body: Any = None
    multipart: bool = False
    files: list[tuple[str, bytes]] = field(default_factory=list)  # name and content
    status: int = 0
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A message that the bot wrote (or, in `edited`, changed), as the server took it."""

    message_id: int
    channel_id: int  # the thread's own where it is one
    channel: str
    thread: str | None
    payload: Data
    files: tuple[str, ...]

    def to_json(self) -> Data:
        return {
            "channel_id": str(self.channel_id),
            "channel": self.channel,
            "thread": self.thread,
            "message_id": str(self.message_id),
            "payload": self.payload,
            "files": list(self.files),
        }
