"""What the commands share: settings and log, printing, and progress."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from bot.config import Settings, read_settings
from bot.logs import set_up_logging

T = TypeVar("T")

console = Console(highlight=False, soft_wrap=True, markup=False)

_BIGGEST_ID = (1 << 63) - 1

Guild = Annotated[int, typer.Argument(min=1, max=_BIGGEST_ID, help="The guild's id.")]
User = Annotated[int, typer.Argument(min=1, max=_BIGGEST_ID, help="The user's id.")]


def run_work(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def prepared(*, quiet: bool = False, **overrides: object) -> Settings:
    """The settings, with the log set up; `quiet`: a command that talks to a person logs only what is wrong."""
    settings = read_settings(**overrides)
    set_up_logging("ERROR" if quiet and settings.log_level == "INFO" else settings.log_level, settings.log_format)
    return settings


def progress() -> Progress:
    """A progress bar on standard error, gone when it is done; nothing where nobody watches."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=(watched := Console(stderr=True)),
        transient=True,
        disable=not watched.is_terminal,
    )
