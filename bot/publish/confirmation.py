"""The bot's own reaction on a message that is in the digest, so that a moderator sees theirs was understood."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bot.publish.rest import DiscordRest, RejectedError, UncertainError

log = logging.getLogger(__name__)

MARK = "✅"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Shows whether a message is tagged. What Discord refuses is logged: the tag stands all the same."""

    rest: DiscordRest

    async def __call__(self, channel_id: int, message_id: int, tagged: bool) -> None:
        try:
            await (self.rest.react if tagged else self.rest.unreact)(channel_id, message_id, MARK)
        except (RejectedError, UncertainError) as error:
            log.warning("a tag could not be confirmed", extra={"message_id": message_id, "error": str(error)})
