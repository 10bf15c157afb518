"""A local server that speaks as OpenAI's, Anthropic's or Google's does and answers as a test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Play = Callable[[dict[str, Any], int], Any]
"""Given the question's data and the number of the request (from 1): the answer as data or text, or a Response."""


@dataclass
class ModelServer:
    """Plays a model; `questions` are the bodies of all requests."""

    play: Play
    url: str = ""
    questions: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 50})

    counted: int = 100
    """What it says that a question has, in tokens."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if request.path.endswith((":countTokens", "/count_tokens")):
            return web.json_response({"input_tokens": self.counted, "totalTokens": self.counted})
        self.questions.append(body)
        self.headers.append(dict(request.headers))
        question = _question(body)
        data = json.loads(question) if question.startswith("{") else {}
        played = self.play(data, len(self.questions))
        if asyncio.iscoroutine(played):
            played = await played
        if isinstance(played, web.StreamResponse):
            return played
        text = played if isinstance(played, str) else json.dumps(played)
        if request.path.endswith("/messages"):
            return _anthropic(text, self.usage)
        return _google(text, self.usage) if "contents" in body else completion(text, self.usage)


def completion(text: str, usage: dict[str, int], *, reason: str = "stop") -> web.Response:
    message = {"role": "assistant", "content": text}
    return web.json_response(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "played",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {**usage, "total_tokens": sum(usage.values())},
        }
    )


def _question(body: dict[str, Any]) -> str:
    if "contents" in body:
        return str(body["contents"][-1]["parts"][-1]["text"])
    content = next(m["content"] for m in reversed(body["messages"]) if m["role"] == "user")
    return content if isinstance(content, str) else str(content[-1]["text"])


def _anthropic(text: str, usage: dict[str, int]) -> web.Response:
    used = {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]}
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": "played", "stop_reason": "end_turn"}
    return web.json_response({**about, "content": [{"type": "text", "text": text}], "usage": used})


def _google(text: str, usage: dict[str, int]) -> web.Response:
    used = {"promptTokenCount": usage["prompt_tokens"], "candidatesTokenCount": usage["completion_tokens"]}
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
    return web.json_response({"candidates": [candidate], "usageMetadata": used, "modelVersion": "played"})


@asynccontextmanager
async def model_server(play: Play) -> AsyncIterator[ModelServer]:
    server = ModelServer(play)
    app = web.Application()
    for path in (
        "/v1/chat/completions",
        "/v1/v1/messages",
        "/v1/v1/messages/count_tokens",
        "/v1/{version}/models/{call}",
    ):
        app.router.add_post(path, server.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    server.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()


def retelling(data: dict[str, Any], request: int = 1) -> dict[str, Any]:
    """A faithful model: the plain sentences, each with its facts, in paragraphs of three; no corrections."""
    if "plain" not in data:
        return {"sentences": []}
    sentences = [{"text": one["text"], "facts": one["facts"]} for one in data["plain"] if one["facts"]]
    return {"paragraphs": [{"sentences": sentences[at : at + 3]} for at in range(0, len(sentences), 3)]}
