"""Asks a language model, by pydantic-ai; bounded in attempts, time and tokens.

The extra `llm` is imported when a model is asked for the first time, and not before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from bot.errors import GazetteError, SettingsError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

log = logging.getLogger(__name__)

Answer = TypeVar("Answer", bound=BaseModel)
Wait = Callable[[float], Awaitable[None]]
Close = Callable[[], Awaitable[None]]

ATTEMPTS = 3
LONGEST_WAIT = 20.0
PROVIDERS = ("openai", "anthropic", "google")
COUNTING = ("anthropic", "google")
"""Those that count the tokens of a question before it is asked; for the others they are estimated upward."""

_SPENT = "the edition's budget of tokens for the language model is spent"


class ModelError(GazetteError):
    """The language model did not give an answer that can be used; the extractive words stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAccess:
    """How to reach a language model, and how much of it an edition may use.

    `model` is a name of the OpenAI-compatible server at `base_url`, or `provider:name` for one of openai, anthropic
    and google. Seconds are those of a clock on the wall: `request_seconds` for one request, `edition_seconds` for all.
    In tokens, `answer_tokens` is the most of one answer, `facts_tokens` of the facts that are asked about at once.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = None
    tokens_per_edition: int = 200_000
    request_seconds: float = 90.0
    edition_seconds: float = 600.0
    answer_tokens: int = 2_000
    facts_tokens: int = 7_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A usable answer and the tokens that it took, read and written, failed attempts included."""

    answer: BaseModel
    tokens: int


def estimated_tokens(text: str) -> int:
    """At least as many tokens as any usual tokenizer makes of the text: one for every two bytes."""
    return len(text.encode("utf-8")) // 2 + 8


@dataclass(slots=True)
class Client:
    """Asks one model. `spent` counts the tokens of every request, those without a usable answer by estimate."""

    access: ModelAccess
    wait: Wait = asyncio.sleep
    spent: int = 0
    _model: Model | None = None
    _close: Close | None = None

    async def close(self) -> None:
        """End the connections."""
        if self._close is not None:
            await self._close()

    async def ask(self, instructions: str, question: str, shape: type[Answer]) -> Answer:
        """The model's answer in the given shape. Raises ModelError after the last attempt, or without budget."""
        needed = estimated_tokens(instructions + question) + self.access.answer_tokens
        can_count = _provider(self.access)[0] in COUNTING
        for attempt in range(1, ATTEMPTS + 1):
            left = self.access.tokens_per_edition - self.spent
            if left <= self.access.answer_tokens or (needed > left and not can_count):
                raise ModelError(_SPENT)
            try:
                return await self._request(instructions, question, shape, needed, left)
            except ModelError:
                raise
            except Exception as error:  # every provider has errors of its own
                self.spent += needed
                pause = _pause_before_retry(error, attempt)
                log.warning("the language model failed", extra={"attempt": attempt, "error": _told(error)})
                if pause is None or attempt == ATTEMPTS:
                    raise ModelError(f"the language model failed: {_told(error)}") from error
                await self.wait(pause)
        raise AssertionError("unreachable")

    async def _request(self, instructions: str, question: str, shape: type[Answer], needed: int, left: int) -> Answer:
        """One request; where the estimate `needed` is more than is `left`, the provider's own count decides."""
        from pydantic_ai import Agent, PromptedOutput, UsageLimitExceeded
        from pydantic_ai.usage import UsageLimits

        if self._model is None:
            self._model, self._close = build_model(self.access)
        agent = Agent(self._model, output_type=PromptedOutput(shape), instructions=instructions, retries=0)
        limits = UsageLimits(request_limit=1)
        if needed > left:
            most = left - self.access.answer_tokens
            limits = UsageLimits(request_limit=1, input_tokens_limit=most, count_tokens_before_request=True)
        try:
            async with asyncio.timeout(self.access.request_seconds):
                result = await agent.run(
                    question,
                    model_settings={"max_tokens": self.access.answer_tokens, "temperature": 0.3},
                    usage_limits=limits,
                )
        except UsageLimitExceeded as error:
            raise ModelError(_SPENT) from error
        usage = result.usage
        self.spent += (usage.input_tokens + usage.output_tokens) or needed
        return result.output


def build_model(access: ModelAccess) -> tuple[Model, Close | None]:
    """The model behind `access`, how to end its connections. Raises SettingsError without the extra."""
    provider, name = _provider(access)
    try:
        if provider == "anthropic":
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            anthropic = AsyncAnthropic(
                api_key=access.api_key, base_url=access.base_url, max_retries=0, timeout=access.request_seconds
            )
            claude = AnthropicModel(name, provider=AnthropicProvider(anthropic_client=anthropic))
            return claude, anthropic.close
        if provider == "google":
            from httpx2 import AsyncClient
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            http = AsyncClient(timeout=access.request_seconds)
            google = GoogleProvider(api_key=access.api_key or "none", base_url=access.base_url, http_client=http)
            return GoogleModel(name, provider=google), http.aclose
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        openai = AsyncOpenAI(
            api_key=access.api_key or "none",
            base_url=access.base_url,
            max_retries=0,
            timeout=access.request_seconds,
        )
        return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=openai)), openai.close
    except ImportError as error:
        raise SettingsError(
            "GAZETTE_LLM_MODEL: install the extra, in Gazette's folder by `pip install '.[llm]'`"
        ) from error


def _provider(access: ModelAccess) -> tuple[str, str]:
    """The provider, and the model's name there."""
    provider, _, name = access.model.partition(":")
    return (provider, name) if provider in PROVIDERS and name else ("openai", access.model)


def _pause_before_retry(error: BaseException, attempt: int) -> float | None:
    """Seconds until another attempt makes sense; None where it makes none."""
    status = getattr(error, "status_code", None)
    if status is not None and status not in (408, 409, 429) and status < 500:
        return None
    if status == 429:
        return min(_retry_after(error) or 4.0 * attempt, LONGEST_WAIT)
    return min(2.0 ** (attempt - 1), LONGEST_WAIT)


def _retry_after(error: BaseException) -> float | None:
    """Seconds of the answer's Retry-After header, where one can be found."""
    cause: Any = error
    while cause is not None:
        headers = getattr(getattr(cause, "response", None), "headers", None)
        value = headers.get("retry-after") if headers is not None else None
        if value is not None:
            try:
                return max(0.0, float(value))
            except ValueError:
                return None
        cause = cause.__cause__
    return None


def _told(error: BaseException) -> str:
    """The kind of an error and its status, without what was asked or answered."""
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__} {status}" if status else type(error).__name__
