"""The requests to Discord that publishing makes, through discord.py's rate limits, and what their answers mean.

A request that makes something is sent once. discord.py repeats a request after a 5xx; whoever cannot tell whether
the first one was carried out has to look before repeating it, so here the repetition is an `UncertainError`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import aiohttp
import discord
from discord.http import Route

from bot.capture.metrics import DISCORD_CALLS
from bot.errors import DiscordError
from bot.model.parts import PartFile

Payload = Mapping[str, Any]

log = logging.getLogger(__name__)

PAGE = 100
TRIES = 3
ARCHIVE_AFTER_MINUTES = 10080
ALREADY_A_THREAD, ALREADY_CROSSPOSTED = 160004, 40033
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, THREAD_ARCHIVED = 10003, 10008, 50083


class RejectedError(DiscordError):
    """Discord refused, and nothing was done. `status` is HTTP's, `code` Discord's (0 where there is none)."""

    def __init__(self, status: int, code: int, text: str) -> None:
        super().__init__(f"Discord refuses: {text or 'no reason given'} (status {status}, code {code}).")
        self.status = status
        self.code = code


class UncertainError(DiscordError):
    """Discord failed or did not answer in time; what was asked for may have been done or not."""


class _RepeatedError(Exception):
    """discord.py is about to repeat a request."""


class _Once:
    """Stands among the files of a request; discord.py rewinds them before each attempt."""

    def reset(self, *, seek: int | bool = True) -> None:
        if seek:
            raise _RepeatedError


class DiscordRest:
    """What publishing asks of Discord. The client has to be logged in; it need not be connected.

    Every method raises RejectedError or UncertainError. `timeout` is in real seconds, for one request.
    """

    def __init__(self, client: discord.Client, *, timeout: float = 60.0) -> None:
        self._client = client
        self._timeout = aiohttp.ClientTimeout(total=timeout)

    @property
    def self_id(self) -> int:
        """The bot's own account."""
        if self._client.user is None:
            raise DiscordError("Gazette is not logged in to Discord yet; it posts once it is.")
        return self._client.user.id

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Payload | None = None,
        files: Sequence[PartFile] = (),
        query: Mapping[str, str] | None = None,
        once: bool = False,
    ) -> Any:
        """One request; with `once` it reaches Discord at most one time, else it may be repeated without harm."""
        for _ in range(TRIES - 1 if not once else 0):
            try:
                return await self._ask(method, path, body, files, query, once)
            except UncertainError as error:
                log.info("a request to Discord is repeated", extra={"request": f"{method} {path}", "error": str(error)})
        return await self._ask(method, path, body, files, query, once)

    async def _ask(
        self,
        method: str,
        path: str,
        body: Payload | None,
        files: Sequence[PartFile],
        query: Mapping[str, str] | None,
        once: bool,
    ) -> Any:
        arguments: dict[str, Any] = {"timeout": self._timeout}
        if query:
            arguments["params"] = query
        if files:
            arguments["form"] = _form(body or {}, files)
        elif body is not None:
            arguments["json"] = body
        if once:
            arguments["files"] = [_Once()]
        try:
            answer = await self._client.http.request(Route(method, path), **arguments)
            DISCORD_CALLS.labels("publishing", "ok").inc()
            return answer
        except _RepeatedError:
            raise UncertainError("Discord failed while it was asked to post.") from None
        except discord.HTTPException as error:
            DISCORD_CALLS.labels("publishing", str(error.status)).inc()
            if error.status >= 500 or error.status == 429:
                raise UncertainError(f"Discord does not answer (status {error.status}).") from error
            raise RejectedError(error.status, error.code, error.text) from error
        except discord.RateLimited as error:
            raise UncertainError("Discord asks to wait longer than is sensible.") from error
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise UncertainError(f"The connection to Discord failed: {error or type(error).__name__}.") from error

    # -- looking

    async def channels(self, guild_id: int) -> list[Payload]:
        """The guild's channels, without threads."""
        return list(await self.request("GET", f"/guilds/{guild_id}/channels"))

    async def roles(self, guild_id: int) -> list[Payload]:
        return list(await self.request("GET", f"/guilds/{guild_id}/roles"))

    async def member(self, guild_id: int, user_id: int) -> Payload:
        found: Payload = await self.request("GET", f"/guilds/{guild_id}/members/{user_id}")
        return found

    async def channel(self, channel_id: int) -> Payload:
        found: Payload = await self.request("GET", f"/channels/{channel_id}")
        return found

    async def message(self, channel_id: int, message_id: int) -> Payload:
        found: Payload = await self.request("GET", f"/channels/{channel_id}/messages/{message_id}")
        return found

    async def newest_id(self, channel_id: int) -> int:
        """The id of the channel's newest message, 0 where there is none."""
        page = await self.request("GET", f"/channels/{channel_id}/messages", query={"limit": "1"})
        return int(page[0]["id"]) if page else 0

    async def messages_after(self, channel_id: int, after_id: int) -> AsyncIterator[Payload]:
        """The channel's messages newer than `after_id`, the oldest first."""
        while True:
            query = {"limit": str(PAGE), "after": str(after_id)}
            page = await self.request("GET", f"/channels/{channel_id}/messages", query=query)
            for message in sorted(page, key=lambda each: int(each["id"])):
                yield message
            if len(page) < PAGE:
                return
            after_id = max(int(message["id"]) for message in page)

    async def threads_of(self, guild_id: int, channel_id: int) -> AsyncIterator[Payload]:
        """The channel's threads or posts: the active ones, then the archived ones, the last archived first."""
        active = await self.request("GET", f"/guilds/{guild_id}/threads/active")
        for thread in active["threads"]:
            if int(thread["parent_id"]) == channel_id:
                yield thread
        query = {"limit": str(PAGE)}
        while True:
            page = await self.request("GET", f"/channels/{channel_id}/threads/archived/public", query=query)
            for thread in page["threads"]:
                yield thread
            if not page.get("has_more") or not page["threads"]:
                return
            query["before"] = page["threads"][-1]["thread_metadata"]["archive_timestamp"]

    # -- making

    async def send(self, channel_id: int, body: Payload, files: Sequence[PartFile] = ()) -> Payload:
        """Write a message. Sent once; a `nonce` in the body makes a repetition harmless for some minutes."""
        sent: Payload = await self.request(
            "POST", f"/channels/{channel_id}/messages", body=body, files=files, once=True
        )
        return sent

    async def start_post(
        self, forum_id: int, name: str, message: Payload, files: Sequence[PartFile] = (), tags: Sequence[str] = ()
    ) -> Payload:
        """Open a post in a forum; its first message has the post's id. Sent once, and takes no nonce."""
        body = {"name": name, "auto_archive_duration": ARCHIVE_AFTER_MINUTES, "message": message}
        if tags:
            body["applied_tags"] = list(tags)
        made: Payload = await self.request("POST", f"/channels/{forum_id}/threads", body=body, files=files, once=True)
        return made

    async def start_thread(self, channel_id: int, message_id: int, name: str) -> None:
        """Open a thread under a message; its id is the message's. Nothing happens where there is one."""
        body = {"name": name, "auto_archive_duration": ARCHIVE_AFTER_MINUTES}
        try:
            await self.request("POST", f"/channels/{channel_id}/messages/{message_id}/threads", body=body)
        except RejectedError as error:
            if error.code != ALREADY_A_THREAD:
                raise

    async def open_dm(self, user_id: int) -> int:
        """The id of the direct conversation with a user."""
        made = await self.request("POST", "/users/@me/channels", body={"recipient_id": str(user_id)})
        return int(made["id"])

    # -- changing

    async def edit(self, channel_id: int, message_id: int, body: Payload, files: Sequence[PartFile] = ()) -> Payload:
        edited: Payload = await self.request(
            "PATCH", f"/channels/{channel_id}/messages/{message_id}", body=body, files=files
        )
        return edited

    async def delete(self, channel_id: int, message_id: int) -> None:
        await self.request("DELETE", f"/channels/{channel_id}/messages/{message_id}")

    async def react(self, channel_id: int, message_id: int, emoji: str) -> None:
        """Add the bot's own reaction with a Unicode emoji."""
        await self.request("PUT", f"/channels/{channel_id}/messages/{message_id}/reactions/{quote(emoji)}/@me")

    async def unreact(self, channel_id: int, message_id: int, emoji: str) -> None:
        """Take the bot's own reaction off."""
        await self.request("DELETE", f"/channels/{channel_id}/messages/{message_id}/reactions/{quote(emoji)}/@me")

    async def set_archived(self, thread_id: int, archived: bool) -> None:
        await self.request("PATCH", f"/channels/{thread_id}", body={"archived": archived})

    async def crosspost(self, channel_id: int, message_id: int) -> None:
        """Publish an announcement to the channels that follow. Nothing happens where that was done before."""
        try:
            await self.request("POST", f"/channels/{channel_id}/messages/{message_id}/crosspost")
        except RejectedError as error:
            if error.code != ALREADY_CROSSPOSTED:
                raise


def _form(body: Payload, files: Sequence[PartFile]) -> list[dict[str, Any]]:
    """Fields of a multipart request: the body, then each file under the number its attachment has."""
    form: list[dict[str, Any]] = [{"name": "payload_json", "value": json.dumps(body, ensure_ascii=False)}]
    for number, file in enumerate(files):
        form.append(
            {
                "name": f"files[{number}]",
                "value": file.content,
                "filename": file.name,
                "content_type": "application/octet-stream",
            }
        )
    return form
