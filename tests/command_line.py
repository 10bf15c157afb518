"""The command line in processes of its own, as its user meets it: what it prints, and the code with which it ends."""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import bot.replay.run  # noqa: F401  (what the commands import is imported once)
from bot.cli import main
from bot.client import EXTENSIONS
from tests.forked import forked

for extension in EXTENSIONS:
    import_module(extension)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def told(self) -> str:
        return self.stdout + self.stderr


@dataclass(frozen=True, slots=True)
class Running:
    """A command that was started in the folder."""

    process: Any
    out: Path
    err: Path

    def send_signal(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def wait(self) -> Ended:
        self.process.join()
        ended = Ended(self.process.exitcode, self.out.read_text(), self.err.read_text())
        self.out.unlink()
        self.err.unlink()
        return ended

    async def ended(self) -> Ended:
        return await asyncio.to_thread(self.wait)


def start(*arguments: object, cwd: Path, **environment: str) -> Running:
    """Start `gazette` with these arguments; of the environment's GAZETTE_ variables it has those that are given."""
    words = ["gazette", *map(str, arguments)]
    running = Running(None, cwd / f".out-{os.urandom(4).hex()}", cwd / f".err-{os.urandom(4).hex()}")
    process = forked(_become, words, str(cwd), environment, str(running.out), str(running.err))
    process.start()
    return Running(process, running.out, running.err)


def gazette(*arguments: object, cwd: Path, **environment: str) -> Ended:
    """Run `gazette` to its end."""
    return start(*arguments, cwd=cwd, **environment).wait()


def one_line(ended: Ended) -> str:
    """The one line of a user's mistake: on standard error, with code 2, without a traceback."""
    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1, ended.stderr
    return lines[0]


def _become(words: list[str], cwd: str, environment: dict[str, str], out: str, err: str) -> None:
    code = 1
    try:
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.chdir(cwd)
        for name in [name for name in os.environ if name.startswith("GAZETTE_")]:
            del os.environ[name]
        os.environ.update(environment)
        sys.argv = words
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
