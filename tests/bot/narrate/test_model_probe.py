"""What `gazette check` says of the language model, against a local server."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from aiohttp import web

from bot.narrate import model_probe
from bot.narrate.model_client import ModelAccess
from bot.narrate.model_probe import problem_with
from tests.model_server import model_server

MODELS = ["played", "anthropic:played", "google:played"]


async def problem(answer: Any, model: str = "played", **access: Any) -> str | None:
    async with model_server(lambda data, _: answer) as server:
        known = {"base_url": server.url, "api_key": "canary-key"} | access
        found = await problem_with(ModelAccess(model=model, **known))
    assert "canary" not in (found or "")
    return found


def refusal(status: int, told: str) -> web.Response:
    return web.json_response({"error": {"message": told, "type": "error", "code": status}}, status=status)


@pytest.mark.parametrize("model", MODELS)
async def test_a_model_that_answers_is_all_right(model: str) -> None:
    assert await problem("yes", model) is None


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("status", "told", "todo"),
    [
        (401, "Incorrect key: canary-key", "GAZETTE_LLM_API_KEY"),
        (404, "The model `played` does not exist", "GAZETTE_LLM_MODEL"),
        (404, "Not Found", "GAZETTE_LLM_BASE_URL"),
        (429, "You exceeded your current quota", "limit is reached"),
        (503, "overloaded", "status 503"),
    ],
)
async def test_what_is_wrong_is_said_with_the_way_out(model: str, status: int, told: str, todo: str) -> None:
    found = await problem(refusal(status, told), model)
    assert found is not None
    assert todo in found


async def test_a_key_that_google_finds_ill_formed_is_a_wrong_key() -> None:
    found = await problem(refusal(400, "API key not valid. Please pass a valid API key."), "google:played")
    assert found is not None
    assert "GAZETTE_LLM_API_KEY" in found


@pytest.mark.parametrize("model", MODELS)
async def test_nobody_at_the_address(model: str) -> None:
    found = await problem("yes", model, base_url="http://127.0.0.1:9/v1")
    assert found is not None
    assert "cannot be reached" in found


async def test_a_silent_server_is_waited_for_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_probe, "PATIENCE", 0.2)

    async def never(data: Any, request: int) -> Any:
        await asyncio.Event().wait()

    async with model_server(never) as server:
        found = await problem_with(ModelAccess(model="played", base_url=server.url))
    assert found is not None
    assert "within" in found


async def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    found = await problem_with(ModelAccess(model="played", base_url="http://127.0.0.1:9/v1"))
    assert found is not None
    assert "pip install '.[llm]'" in found
