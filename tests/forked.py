"""Processes for tests, forked from one that has imported the program, so that they begin at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any


def forked(target: Callable[..., None], *arguments: Any) -> Any:
    """The process, not yet started; what it is given is pickled."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.command_line", "tests.publish_process"])
    return context.Process(target=target, args=arguments, daemon=True)
