"""The command line. Every command prints what it did, or one sentence that says what to do, and ends with code 2."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import warnings
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import TaskID

from bot import __version__
from bot.cli_base import Guild, console, prepared, progress, run_work
from bot.cli_operation import register, shards
from bot.errors import GazetteError, InputError
from bot.model.clock import SystemClock

app = typer.Typer(
    name="gazette",
    help="Gazette: the Discord bot that writes a community's weekly digest.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
settings_app = typer.Typer(help="A guild's settings as a file.", no_args_is_help=True)
app.add_typer(settings_app, name="settings")


def main() -> None:
    """Run the command line; a GazetteError becomes one line on standard error and exit code 2."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    try:
        app()
    except GazetteError as error:
        _fail(str(error))
    except BrokenPipeError:  # whoever read the output, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename or 'The system'}: {error.strerror or error}.")
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(sentence: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True, markup=False).print(sentence, style="red")
    sys.exit(2)


def _version(wanted: bool) -> None:
    if wanted:
        console.print(f"gazette {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Settings come from the environment (GAZETTE_...) and from .env; the README lists them."""


# -- running


@app.command()
def run(
    web: Annotated[bool, typer.Option("--web", help="Serve health, metrics and the archive too.")] = False,
    shard_ids: Annotated[
        str | None, typer.Option("--shard-ids", help="The shards of this process, as 0,1; by default all.")
    ] = None,
    shard_count: Annotated[
        int | None, typer.Option("--shard-count", min=1, help="How many shards there are in all processes.")
    ] = None,
) -> None:
    """Start the bot. It runs in one process or, by shards, in several on one PostgreSQL."""
    from bot.app import App, stop_on_signal

    settings = prepared(**shards(shard_ids, shard_count))

    async def work() -> None:
        bot = App(settings, SystemClock())
        task = asyncio.ensure_future(bot.run(web=web))
        stop_on_signal(task)
        with suppress(asyncio.CancelledError):
            await task

    run_work(work())


@app.command()
def replay(
    week: Annotated[Path, typer.Argument(help="A recorded week's folder, as in examples/.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")],
    store: Annotated[
        str | None, typer.Option("--store", help="A database to use and keep, for consecutive weeks.")
    ] = None,
) -> None:
    """Run the real bot through a recorded week. What it posted is written to a folder."""
    from bot.replay.run import Report
    from bot.replay.run import replay as replay_week

    prepared(quiet=True)

    async def work() -> Report:
        with progress() as bar:
            tasks: dict[str, Any] = {}

            def tell(what: str, done: int, of: int) -> None:
                if what not in tasks:
                    tasks[what] = bar.add_task(what, total=of)
                bar.update(tasks[what], completed=done, total=of)

            return await replay_week(week, out, store=store, progress=tell)

    report = run_work(work())
    start, end = report.period
    last = end - timedelta(microseconds=1)
    console.print(f"{report.title} ({start:%Y-%m-%d} to {last:%Y-%m-%d})")
    parts = "one message" if report.messages == 1 else f"{report.messages} messages"
    console.print(f"{report.recorded} messages were recorded; the digest has {report.words} words in {parts}.")
    console.print(f"Look at {out / 'edition.html'} in a browser, or at {out / 'edition.md'}.")
    console.print(f"What was posted, message by message: {out / 'posted.json'}; every fact: {out / 'edition.json'}.")


@app.command()
def migrate() -> None:
    """Bring the database to this version's schema."""
    from bot.store.engine import Store
    from bot.store.migrate import current_revision, newest_revision, upgrade

    settings = prepared()

    async def work() -> str | None:
        store = Store.open(settings.database_url)
        try:
            before = await current_revision(store)
            await upgrade(store)
            return before
        finally:
            await store.close()

    before, after = run_work(work()), newest_revision()
    console.print(
        f"The database was up to date ({after})."
        if before == after
        else f"The database went from {before or 'empty'} to {after}."
    )


# -- material


@app.command("import")
def import_files(
    files: Annotated[list[Path], typer.Argument(help="DiscordChatExporter's JSON, or a recording of Gazette's.")],
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave records out that cannot be read.")] = False,
) -> None:
    """Read messages from exports. Running it twice changes nothing."""
    from bot.app import App
    from bot.capture.importer import import_file

    settings = prepared(quiet=True)
    sizes = [_size(path) for path in files]

    async def work() -> None:
        async with App(settings, SystemClock()).open() as opened:
            with progress() as bar:
                for path, size in zip(files, sizes, strict=True):
                    task = bar.add_task(path.name, total=size)

                    def tell(read: int, _messages: int, task: TaskID = task) -> None:
                        bar.update(task, completed=read)

                    report = await import_file(
                        opened.store, path, exclusions=opened.exclusions, skip_bad=skip_bad, progress=tell
                    )
                    for skipped in report.skipped:
                        console.print(f"{path}: skipped {skipped}")
                    console.print(
                        f"{path}: messages of guild {report.guild_id} stored: {report.messages}; left out (channels "
                        f"that are not recorded, people who do not want to be): {report.left_out}; "
                        f"skipped: {len(report.skipped)}."
                    )

    run_work(work())


def _size(path: Path) -> int:
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file.")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file.")
    return path.stat().st_size


@app.command()
def backfill(
    guild: Guild,
    channel: Annotated[
        str | None, typer.Option("--channel", help="A channel's id; by default all that are recorded.")
    ] = None,
    since: Annotated[str, typer.Option("--since", help="The first day, as 2026-08-24 (UTC).")] = "",
    until: Annotated[str | None, typer.Option("--until", help="The day after the last; today by default.")] = None,
    days: Annotated[
        int, typer.Option("--days", min=1, max=4000, help="How many days back, where --since is not given.")
    ] = 7,
) -> None:
    """Read back what was not recorded, from Discord's history."""
    from bot.app import App

    settings = prepared(quiet=True)
    now = datetime.now(UTC)
    start = _midnight(since, "--since") if since else now - timedelta(days=days)
    end = _midnight(until, "--until") if until else now
    if start >= end:
        raise InputError("--since has to lie before --until.")

    async def work() -> None:
        async with App(settings, SystemClock()).connected(schedule=False) as bot:
            with progress() as bar:
                if channel and not channel.isdigit():
                    raise InputError(f"--channel {channel!r}: give the channel's id (Copy Channel ID).")
                within = int(channel) if channel else None
                channels = await bot.read_back.recorded_channels(guild, since=start, within=within)
                task = bar.add_task("channels", total=len(channels))
                total = refused = 0
                for channel_id in channels:
                    try:
                        total += await bot.read_back.backfill(guild, channel_id, start, end)
                    except GazetteError as error:
                        console.print(f"{channel_id}: {error}")
                        refused += 1
                    bar.advance(task)
            console.print(f"{total} messages were read in {len(channels) - refused} channels.")

    run_work(work())


def _day(text: str, option: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{option} {text!r} is no day; write 2026-08-24.") from error
    if not 2015 <= day.year < 2100:
        raise InputError(f"{option} {text!r} is no day of Discord's, which began in 2015.")
    return day


def _midnight(text: str, option: str) -> datetime:
    return datetime.combine(_day(text, option), time(), UTC)


@app.command("compile")
def compile_week(
    guild: Guild,
    week: Annotated[str | None, typer.Option("--week", help="A day in the week, as 2026-08-24.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The edition as JSON (gazette.edition/1).")] = False,
) -> None:
    """Print what is known about a week, and the words put to it. Nothing is posted or stored."""
    from bot.app import App

    settings = prepared(quiet=True)
    day = _day(week, "--week") if week else None

    async def work() -> None:
        async with App(settings, SystemClock()).open() as opened:
            made = await opened.preview(guild, day)
            if as_json:
                sys.stdout.write(json.dumps(made.document, ensure_ascii=False, indent=1) + "\n")
            else:
                sys.stdout.write(made.markdown + "\n")

    run_work(work())


# -- settings


@settings_app.command("export")
def export_settings(guild: Guild) -> None:
    """Write a guild's settings as TOML to standard output."""
    from bot.app import App
    from bot.model.settings_file import write_settings

    settings = prepared(quiet=True)

    async def work() -> str:
        async with App(settings, SystemClock()).open() as opened:
            return write_settings(await opened.configuration.fetch_settings(guild))

    sys.stdout.write(run_work(work()))


@settings_app.command("import")
def import_settings(
    guild: Guild, file: Annotated[Path, typer.Argument(help="A settings.toml; docs/settings.md has every key.")]
) -> None:
    """Read a guild's settings from a file, in the place of those it has."""
    from bot.app import App
    from bot.model.settings import parse_settings

    settings = prepared(quiet=True)
    _size(file)
    try:
        new = parse_settings(file.read_text(encoding="utf-8"), source=str(file))
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 at byte {error.start}.") from error

    async def work() -> None:
        async with App(settings, SystemClock()).open() as opened:
            await opened.configuration.store_settings(guild, new, by=None)

    run_work(work())
    console.print(
        f"The settings of {guild} are those of {file} now. A running bot takes them over within five minutes."
    )
    if not new.publish.channel:
        console.print("They name no channel under [publish], so nothing is posted.")


register(app)
