#!/usr/bin/env python3
"""Make the pictures of the documentation, as Discord would show what the bot sent.

    python docs/make_picture.py digest OUT [--page FILE] [--png FILE] [--light] [--size 1400x1000]
    python docs/make_picture.py moderators [--into docs]

`digest` shows a posted digest; OUT is the folder that `gazette replay` wrote. `moderators` plays the scenes of the
moderators' manual (tests/cogs/scenes.py: the real bot in a simulated Discord) and draws docs/moderators-*.png. Needs
Chromium and the packages of the tests; the same program gives the same pictures.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import html
import json
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from discord_look import Names, block, controls, form, message, pane, window  # noqa: E402

COLOURS = 64
"""As many as a picture has at most, which keeps it small."""
SIZES = {
    "setup": (1180, 1400),
    "tag": (1180, 660),
    "review": (1500, 700),
    "status": (820, 600),
    "preview": (900, 620),
    "stats": (900, 900),
}


# -- a posted digest


def attachments(names: list[str], folder: Path) -> str:
    """The pictures of a message, and its other files as cards."""
    found = [folder / name for name in names if name.endswith(".png") and (folder / name).is_file()]
    files = "".join(f'<div class="file">{html.escape(name)}</div>' for name in names if not name.endswith(".png"))
    return drawn([base64.b64encode(each.read_bytes()).decode() for each in found]) + files


def drawn(pictures: list[str]) -> str:
    """Pictures, given as base64, beside each other."""
    shown = "".join(f'<img alt="" src="data:image/png;base64,{each}">' for each in pictures)
    return f'<div class="pictures">{shown}</div>' if shown else ""


def posted_page(posted: list[dict[str, Any]], folder: Path, *, light: bool) -> str:
    """The channel on the left, its thread on the right."""

    def rows(some: list[dict[str, Any]], after: str = "") -> str:
        bodies = [block(each["payload"].get("content") or "", Names()) for each in some]
        bodies = [body + attachments(each.get("files") or [], folder) for body, each in zip(bodies, some, strict=True)]
        bodies[-1] += after
        return "".join(message(body, more=place > 0) for place, body in enumerate(bodies))

    head = [each for each in posted if not each.get("thread")]
    summary = [each for each in posted if each.get("thread")]
    panes = [pane(head[0]["channel"], rows(head, thread_link(summary[0]["thread"], len(summary)) if summary else ""))]
    if summary:
        panes.append(pane(summary[0]["thread"], rows(summary), sign="🧵"))
    return window(head[0]["channel"], panes, light=light)


def thread_link(name: str, count: int) -> str:
    return f'<div class="thread">{html.escape(name)}<i>{count} messages ›</i></div>'


# -- the moderators' manual


def said(scene: list[dict[str, Any]], names: Names) -> list[str]:
    """A scene's messages, one after the other."""
    shown: list[str] = []
    for each in scene:
        at = datetime.fromisoformat(each["at"])
        names.now, local = at, at.astimezone(names.zone)
        body = block(each["content"], names) + drawn(each["files"]) + controls(each["components"], names)
        used = f'<div class="used">Sofia used <b>{html.escape(each["used"])}</b></div>' if each["used"] else ""
        shown.append(
            used + message(body, by=each["by"], face=each["by"][0], at=f"{local:%H:%M}", ephemeral=each["ephemeral"])
        )
    return shown


def moderators_pages(captured: dict[str, Any]) -> dict[str, str]:
    """The pages of the manual's pictures by name."""
    names, scenes = Names(captured["names"]), captured["scenes"]
    names.zone = ZoneInfo("Europe/Berlin")
    tag = scenes["tag"]
    asked, shown = tag[1], said([tag[0], tag[2]], names)
    chosen, *others = map(html.escape, asked["menus"])
    items = f'<div class="on">{chosen}</div>' + "".join(f"<div>{each}</div>" for each in others)
    menu = f'<div class="menu"><div class="title">Apps › Gazette</div>{items}</div>'
    setup = said(scenes["setup"], names)
    thread = "".join(said(scenes["review thread"], names))
    title = scenes["review"][0]["content"].split("**")[1].removeprefix("Draft: ")
    draft = said(scenes["review"], names)[0] + thread_link(title, len(scenes["review thread"]))
    pages = {
        "setup": window("Setup", [pane("", setup[place]) for place in (0, 1, 2, 3, 4, 5)], columns=2),
        "tag": window("Tagging", [pane("general", shown[0] + menu + shown[1]), pane("", form(asked["modal"], names))]),
        "review": window("Review", [pane("moderators", draft), pane(title, thread, sign="🧵")]),
    }
    for name in ("status", "preview", "stats"):
        pages[name] = window(name, [pane("moderators", "".join(said(scenes[name], names)))])
    return pages


def play() -> dict[str, Any]:
    """The scenes, played by the real bot."""
    from sqlalchemy import create_engine

    from bot.store.tables import Base
    from tests.cogs.scenes import captured

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engine = create_engine(f"sqlite:///{folder}/template.sqlite3")
        Base.metadata.create_all(engine)
        engine.dispose()
        return asyncio.run(captured(folder, folder / "template.sqlite3"))


# -- pictures


def picture(source: Path, target: Path, width: int, height: int) -> bool:
    """A picture of the page by Chromium, without the empty space below; False where there is no Chromium."""
    browser = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    if browser is None:
        return False
    with tempfile.TemporaryDirectory() as profile:
        shot = Path(profile) / "shot.png"
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", f"--window-size={width},{height}", f"--screenshot={shot}"]
        subprocess.run(  # noqa: S603
            [*command, source.resolve().as_uri()], check=True, capture_output=True, timeout=120
        )
        small(Image.open(shot)).save(target, optimize=True)
    return True


def small(image: Image.Image) -> Image.Image:
    """The picture in few colours, cut where nothing comes any more but its ground."""
    plain = image.convert("RGB")
    last = plain.crop((0, plain.height - 1, plain.width, plain.height)).resize(plain.size)
    box = ImageChops.difference(plain, last).getbbox()
    bottom = min(plain.height, (box[3] if box else plain.height) + 16)
    return plain.crop((0, 0, plain.width, bottom)).quantize(COLOURS, dither=Image.Dither.NONE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    digest = kinds.add_parser("digest")
    digest.add_argument("folder", type=Path)
    digest.add_argument("--page", type=Path)
    digest.add_argument("--png", type=Path, default=ROOT / "docs" / "digest.png")
    digest.add_argument("--light", action="store_true")
    digest.add_argument("--size", default="1400x1000", help="width and height of the picture")
    moderators = kinds.add_parser("moderators")
    moderators.add_argument("--into", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    if options.kind == "digest":
        posted = json.loads((options.folder / "posted.json").read_text(encoding="utf-8"))
        target = options.page or options.folder / "posted.html"
        target.write_text(posted_page(posted, options.folder, light=options.light), encoding="utf-8")
        width, height = map(int, options.size.split("x"))
        wanted = [(target, options.png, width, height)]
    else:
        folder = Path(tempfile.mkdtemp(prefix="gazette-pictures-"))
        wanted = []
        for name, text in moderators_pages(play()).items():
            (folder / f"{name}.html").write_text(text, encoding="utf-8")
            target = options.into / f"moderators-{name}.png"
            wanted.append((folder / f"{name}.html", target, *SIZES[name]))
    for source, target, width, height in wanted:
        done = picture(source, target, width, height)
        sys.stdout.write(f"wrote {target if done else f'{source}; install Chromium for a picture'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
