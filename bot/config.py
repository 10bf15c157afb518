"""The operator's settings: read once from the environment and a file, then passed down as plain values."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal, Self

from dotenv import dotenv_values
from pydantic import BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.errors import SettingsError

WebAddress = Annotated[str, Field(pattern="^https?://.")]


def _numbers(given: object) -> object:
    """`[0,1]`, or `0,1` as on the command line."""
    return (
        [each.strip(' "') for each in given.strip("[] ").split(",") if each.strip()]
        if isinstance(given, str)
        else given
    )


Numbers = Annotated[list[int], NoDecode, BeforeValidator(_numbers)]


class Settings(BaseSettings):
    """Every setting of the program. Each is an environment variable with the prefix GAZETTE_, or a line of `.env`.

    The environment wins over the file; what is set to nothing counts as not set. What concerns one guild's digest
    stands in the database instead (`bot.model.settings`).
    """

    model_config = SettingsConfigDict(
        env_prefix="GAZETTE_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    token: SecretStr | None = Field(None, description="The bot's token, from Discord's developer portal.")
    database_url: str = Field(
        "sqlite:///gazette.sqlite3", description="sqlite:///FILE or postgresql://USER:PASS@HOST/NAME."
    )
    discord_api_url: WebAddress = Field(
        "https://discord.com/api/v10", description="Discord's REST API, or a proxy before it."
    )
    discord_gateway_url: str | None = Field(
        None, pattern="^wss?://.", description="Discord's gateway; unset: the public one."
    )

    github_api_url: WebAddress = Field(
        "https://api.github.com", description="GitHub's REST API, or an Enterprise server's."
    )
    github_token: SecretStr | None = Field(None, description="A GitHub token with read access; more requests an hour.")
    github_app_id: str | None = Field(None, description="A GitHub App's id, in place of a token.")
    github_app_key_file: Path | None = Field(None, description="The App's private key, a PEM file.")
    github_installation_id: str | None = Field(None, description="The App's installation.")
    github_private_guilds: Numbers = Field(
        default=[], description="Guilds that may follow private repositories: [ID,ID]; unset: none."
    )

    llm_base_url: WebAddress | None = Field(None, description="An OpenAI-compatible address; unset: no language model.")
    llm_model: str | None = Field(None, description="The model's name, or provider:name for Anthropic and Google.")
    llm_api_key: SecretStr | None = Field(None, description="The provider's key.")
    llm_tokens_per_edition: int = Field(200_000, ge=1_000, description="The most tokens that one edition may use.")

    secret_key: SecretStr | None = Field(None, description="Keys the hash that remembers erased members; keep it.")
    erasures_file: Path | None = Field(
        None, description="Remembers erased members beside the database; unset: next to a SQLite file."
    )
    templates: Path | None = Field(None, description="A folder whose templates take the place of the built-in ones.")
    shard_ids: Annotated[Numbers | None, NoDecode] = Field(
        None, description="The shards of this process, as [0,1]; unset: all."
    )
    shard_count: int | None = Field(None, ge=1, description="How many shards there are; unset: what Discord advises.")
    web_host: str = Field("127.0.0.1", description="Where `run --web` listens.")
    web_port: int = Field(8080, ge=0, le=65535, description="The port of `run --web`.")
    web_url: WebAddress | None = Field(None, description="The archive's public address, for its links and the feed.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="The least level that is logged."
    )
    log_format: Literal["text", "json"] = Field("text", description="Lines for people, or JSON for machines.")

    @model_validator(mode="after")
    def _shards_agree(self) -> Self:
        if self.shard_ids and (self.shard_count is None or not set(self.shard_ids) <= set(range(self.shard_count))):
            raise ValueError("GAZETTE_SHARD_IDS needs a GAZETTE_SHARD_COUNT above each of them; shards count from 0.")
        return self


def unknown_variables() -> list[str]:
    """The variables of the environment and of `.env` that look like settings and are none."""
    known = {f"GAZETTE_{name}".upper() for name in Settings.model_fields}
    given = {name.upper() for name in (*os.environ, *dotenv_values(".env"))}
    return sorted(
        name for name in given - known if name.startswith("GAZETTE_") and not name.startswith("GAZETTE_TEST_")
    )


def read_settings(**overrides: object) -> Settings:
    """Build the settings. Raises SettingsError that names the variable and never its value."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        told = first["msg"].removeprefix("Value error, ")
        name = f"GAZETTE_{str(first['loc'][0]).upper()}: " if first["loc"] else ""
        raise SettingsError(f"{name}{told}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f".env: not UTF-8 at byte {error.start}; write it anew as plain text.") from None
