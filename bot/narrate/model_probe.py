"""Whether the language model answers, and what to do where it does not: asked for one word, for a few tokens."""

from __future__ import annotations

import asyncio

from bot.errors import SettingsError
from bot.narrate.model_client import ModelAccess, build_model

PATIENCE = 30.0
"""Seconds that the model has for its word; a local one may have to be loaded first."""
_REFUSED = "It refuses GAZETTE_LLM_API_KEY; copy the key anew."


async def problem_with(access: ModelAccess) -> str | None:
    """What keeps the model from answering, as a sentence that says what to do; None where it answers."""
    try:
        model, close = build_model(access)
    except SettingsError as error:
        return f"{error}."
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest

    try:
        async with asyncio.timeout(PATIENCE):
            question = ModelRequest.user_text_prompt("Answer with the word yes.")
            await model_request(model, [question], model_settings={"max_tokens": 16})
    except TimeoutError:
        return f"It does not answer within {PATIENCE:.0f} seconds; digests do without it while it is so slow."
    except Exception as error:  # every provider has errors of its own
        return _told(error, access)
    finally:
        if close is not None:
            await close()
    return None


def _told(error: Exception, access: ModelAccess) -> str | None:
    from pydantic_ai import exceptions

    status, words = getattr(error, "status_code", None), str(getattr(error, "body", "")).lower()
    if isinstance(error, exceptions.UnexpectedModelBehavior):
        return None  # it answered, though not a word that can be read
    if isinstance(error, exceptions.ModelAuthenticationError) or status in (401, 403) or "api key" in words:
        return _REFUSED
    if status == 404 and "model" not in words:
        return "There is no such interface at GAZETTE_LLM_BASE_URL; the address mostly ends in /v1."
    if status == 404 or (status == 400 and "model" in words):
        return f"It knows no model {access.model!r}; correct GAZETTE_LLM_MODEL."
    if status in (402, 429):
        return f"Its limit is reached or its credit used up (status {status}); digests do without it until then."
    if status is not None:
        return f"It is out of order (status {status}); digests do without it."
    if isinstance(error, exceptions.ModelAPIError | OSError):
        return "It cannot be reached; look whether GAZETTE_LLM_BASE_URL is right and the server runs."
    return f"It does not answer as it should ({type(error).__name__}); digests do without it."
