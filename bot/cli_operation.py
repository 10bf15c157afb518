"""The commands for whoever runs the bot: look whether all is well, and answer for people's data."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli_base import Guild, User, console, prepared, run_work
from bot.errors import InputError
from bot.model.clock import SystemClock


def check() -> None:
    """Look whether the bot has all that it needs. Each line is ok or says what to do; code 2 if anything is wrong."""
    from bot.app import App

    settings = prepared(quiet=True)

    async def work() -> int:
        app = App(settings, SystemClock())
        wrong = 0
        try:
            async for found in app.checkup.findings():
                wrong += found.todo is not None
                console.print(f"{'ok ' if found.todo is None else '!! '} {found.what}: {found.todo or found.told}")
        finally:
            await app.close()
        return wrong

    wrong = run_work(work())
    if wrong:
        console.print(f"{wrong} {'thing needs' if wrong == 1 else 'things need'} to be done.")
        raise typer.Exit(2)
    console.print("All is well.")


def erase(
    user: User,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove everything of a person everywhere, for good. /privacy erase does the same."""
    from bot.app import App

    settings = prepared(quiet=True)
    if not yes and not typer.confirm(f"Remove everything that is stored of user {user}, for good?", err=True):
        console.print("Nothing was changed.")
        return

    async def work() -> None:
        async with App(settings, SystemClock()).open() as opened:
            done = await opened.privacy.erase(user)
        console.print(f"Messages removed: {done.messages}; digests that no longer tell of the person: {done.editions}.")
        if done.posted:
            console.print(f"{done.posted} of them stand on Discord; the running bot corrects them within five minutes.")
        if not done.file_is_clean:
            console.print("Another process holds the database; its log is emptied when the bot is next started.")

    run_work(work())


def export(
    guild: Guild,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write to; standard output by default.")] = None,
) -> None:
    """Write everything that is stored of a guild as JSON. It is one object with a list of rows for each table."""
    from bot.app import App

    settings = prepared(quiet=True)
    if out is not None and out.is_dir():
        raise InputError(f"{out} is a folder; give a file to write to.")
    if out is not None and not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}; make it first.")

    async def work() -> int:
        async with App(settings, SystemClock()).open() as opened, aclosing(opened.export_guild(guild)) as rows:
            if out is None:
                return await _write(rows, sys.stdout.write)
            return await _write_whole(rows, out)

    count = run_work(work())
    if out is not None:
        console.print(f"{count} rows of guild {guild} are in {out}.")


async def _write_whole(rows: AsyncIterator[tuple[str, dict[str, Any]]], out: Path) -> int:
    """Rows into a file that takes the place of an older one only when it is whole."""
    unfinished = out.with_name(f"{out.name}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            count = await _write(rows, file.write)
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


async def _write(rows: AsyncIterator[tuple[str, dict[str, Any]]], write: Callable[[str], object]) -> int:
    """Rows by table, as they come, so that memory stays small."""
    count, current = 0, ""
    async for table, row in rows:
        if not count:
            write('{"format": "gazette.guild/1"')
        write(f'{"]" if current else ""},\n"{table}": [\n' if table != current else ",\n")
        write(json.dumps(row, ensure_ascii=False))
        current, count = table, count + 1
    write("]}\n")
    return count


def shards(ids: str | None, count: int | None) -> dict[str, Any]:
    """The options of `run` as settings. Raises InputError for what are no shards."""
    given: dict[str, Any] = {} if count is None else {"shard_count": count}
    if ids is None:
        return given
    try:
        wanted = [int(each) for each in ids.split(",")]
    except ValueError as error:
        raise InputError(f"--shard-ids {ids!r}: write numbers with commas, such as 0,1.") from error
    if count is None:
        raise InputError("--shard-ids needs --shard-count, the number of shards in all processes.")
    if any(not 0 <= each < count for each in wanted):
        raise InputError(f"--shard-ids {ids!r}: shards count from 0 to {count - 1} here.")
    return given | {"shard_ids": wanted}


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    for command in (check, erase, export):
        app.command()(command)
