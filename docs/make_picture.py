#!/usr/bin/env python3
"""Show a posted digest as it looks on Discord: python docs/make_picture.py OUT [--page FILE] [--png FILE] [--light]

OUT is the folder that `gazette replay` wrote. Makes a page that looks like the channel with its thread, and, where
Chromium is installed, a picture of it.
"""

from __future__ import annotations

import argparse
import base64
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

STYLE = """
:root { --page: #1a1a1e; --side: #121214; --text: #efeff0; --faint: #9a9aa2; --line: #2c2c31; --link: #7bb0f5;
  --code: #242429; --card: #242429; --hide: #4b4b52; }
:root.light { --page: #ffffff; --side: #f3f3f4; --text: #2e2e34; --faint: #6f6f78; --line: #e1e1e4; --link: #0a6cd6;
  --code: #f0f0f2; --card: #f6f6f7; --hide: #c9c9cf; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--side); color: var(--text);
  font: 16px/1.375 "gg sans", "Noto Sans", "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; }
.window { display: grid; grid-template-columns: 1fr 1fr; height: 100vh; }
.pane { background: var(--page); border-left: 1px solid var(--line); overflow: hidden; display: flex;
  flex-direction: column; }
.bar { flex: none; padding: 13px 18px; border-bottom: 1px solid var(--line); font-weight: 600; white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis; }
.bar span { color: var(--faint); font-weight: 400; margin-right: 7px; }
.messages { padding: 8px 0; overflow: hidden; }
.message { display: grid; grid-template-columns: 40px 1fr; gap: 16px; padding: 9px 18px 3px; }
.face { width: 40px; height: 40px; border-radius: 50%; background: #3d5afe; color: #fff; display: grid;
  place-items: center; font-size: 20px; }
.message.more .face, .message.more .by { display: none; }
.message.more { padding-top: 3px; }
.message.more .body { grid-column: 2; }
.by { font-weight: 600; margin-bottom: 2px; }
.by b { background: #5865f2; color: #fff; font-size: 10px; padding: 1px 5px; border-radius: 4px; margin: 0 6px;
  vertical-align: 2px; }
.by time { color: var(--faint); font-size: 12px; font-weight: 400; }
.body { overflow-wrap: anywhere; min-width: 0; }
h1, h2, h3 { line-height: 1.25; margin: 10px 0 6px; font-weight: 700; }
h1 { font-size: 24px; } h2 { font-size: 20px; } h3 { font-size: 16px; }
h1:first-child, h2:first-child { margin-top: 2px; }
ul { margin: 2px 0; padding-left: 22px; } li { margin: 3px 0; }
a { color: var(--link); text-decoration: none; }
code { background: var(--code); padding: 1px 4px; border-radius: 4px; font-size: 85%; }
blockquote { margin: 0; padding-left: 12px; border-left: 4px solid var(--line); }
.sub { color: var(--faint); font-size: 13px; line-height: 1.35; }
.gap { height: 11px; }
.spoiler { background: var(--hide); color: transparent; border-radius: 4px; }
.pictures { display: flex; gap: 6px; margin: 6px 0; }
.pictures img { max-width: 350px; max-height: 350px; border-radius: 8px; min-width: 0; flex: 0 1 auto;
  object-fit: contain; }
.file { display: inline-block; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 10px 14px; margin: 4px 0; }
.file::before { content: "📄 "; }
.thread { display: inline-block; background: var(--card); border-radius: 8px; padding: 9px 14px; margin: 6px 0;
  font-size: 14px; font-weight: 600; }
.thread i { color: var(--link); font-style: normal; margin-left: 8px; }
"""

INLINE = re.compile(
    r"\\([^A-Za-z0-9\s])|`+ ?([^`]+?) ?`+|\[((?:\[[^\]]*\]|[^\[\]])+)\]\(<?([^)\s>]+)>?\)|<(https?://[^ >]+)>"
    r"|<a?:(\w+):\d+>|\|\|(.+?)\|\||\*\*(.+?)\*\*"
)


def inline(text: str) -> str:
    """One line of Discord's Markdown as HTML."""

    def written(match: re.Match[str]) -> str:
        escaped, code, label, url, address, emoji, spoiler, strong = match.groups()
        if escaped:
            return html.escape(escaped)
        if code:
            return f"<code>{html.escape(code)}</code>"
        if label:
            shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(label))
            return f'<a href="{html.escape(url)}">{shown}</a>'
        if address:
            return f'<a href="{html.escape(address)}">{html.escape(address)}</a>'
        if emoji:
            return f":{html.escape(emoji)}:"
        if spoiler:
            return f'<span class="spoiler">{html.escape(spoiler)}</span>'
        return f"<b>{inline(strong)}</b>"

    pieces, position = [], 0
    for match in INLINE.finditer(text):
        pieces += [html.escape(text[position : match.start()]), written(match)]
        position = match.end()
    return "".join([*pieces, html.escape(text[position:])])


def block(content: str) -> str:
    """A message's content as HTML, line by line."""
    shown: list[str] = []
    for line in content.split("\n"):
        if heading := re.match(r"(#{1,3}) +(.+)", line):
            level = len(heading[1])
            shown.append(f"<h{level}>{inline(heading[2])}</h{level}>")
        elif line.startswith("-# "):
            shown.append(f'<div class="sub">{inline(line[3:])}</div>')
        elif item := re.match(r"[-*] +(.+)", line):
            shown.append(f"<ul><li>{inline(item[1])}</li></ul>")
        elif line.startswith("> "):
            shown.append(f"<blockquote>{inline(line[2:])}</blockquote>")
        else:
            shown.append(f"<div>{inline(line)}</div>" if line.strip() else '<div class="gap"></div>')
    return "".join(shown).replace("</ul><ul>", "")


def attachments(names: list[str], folder: Path) -> str:
    """The pictures of a message, and its other files as cards."""
    pictures = [folder / name for name in names if name.endswith(".png") and (folder / name).is_file()]
    shown = "".join(
        f'<img alt="" src="data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()}">'
        for picture in pictures
    )
    files = "".join(f'<div class="file">{html.escape(name)}</div>' for name in names if not name.endswith(".png"))
    return (f'<div class="pictures">{shown}</div>' if shown else "") + files


def messages(posted: list[dict[str, Any]], folder: Path, after: str = "") -> str:
    rows = []
    for place, message in enumerate(posted):
        body = block(message["payload"].get("content") or "") + attachments(message.get("files") or [], folder)
        by = '<div class="by">Gazette <b>APP</b> <time>today at 09:00</time></div>'
        more = " more" if place else ""
        end = after if place == len(posted) - 1 else ""
        rows.append(
            f'<div class="message{more}"><div class="face">📰</div><div class="body">{by}{body}{end}</div></div>'
        )
    return "".join(rows)


def page(posted: list[dict[str, Any]], folder: Path, *, light: bool) -> str:
    """The channel on the left, its thread on the right."""
    head = [message for message in posted if not message.get("thread")]
    summary = [message for message in posted if message.get("thread")]
    channel = html.escape(head[0]["channel"]) if head else ""
    name = html.escape(summary[0]["thread"]) if summary else ""
    link = f'<div class="thread">{name}<i>{len(summary)} messages ›</i></div>' if summary else ""
    panes = f'<div class="pane"><div class="bar"><span>#</span>{channel}</div><div class="messages">'
    panes += f"{messages(head, folder, link)}</div></div>"
    if summary:
        panes += f'<div class="pane"><div class="bar"><span>🧵</span>{name}</div><div class="messages">'
        panes += f"{messages(summary, folder)}</div></div>"
    theme = ' class="light"' if light else ""
    return (
        f'<!doctype html><html lang="en"{theme}><head><meta charset="utf-8"><title>{channel}</title>'
        f'<style>{STYLE}</style></head><body><div class="window">{panes}</div></body></html>'
    )


def picture(source: Path, target: Path, width: int, height: int) -> bool:
    """A picture of the page by Chromium; False where there is none."""
    browser = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
    if browser is None:
        return False
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", f"--window-size={width},{height}", f"--screenshot={target.resolve()}"]
        subprocess.run(  # noqa: S603
            [*command, source.resolve().as_uri()], check=True, capture_output=True, timeout=120
        )
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--png", type=Path, default=Path("docs/digest.png"))
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--size", default="1500x1180", help="width and height of the picture")
    options = parser.parse_args()
    posted = json.loads((options.folder / "posted.json").read_text(encoding="utf-8"))
    target = options.page or options.folder / "posted.html"
    target.write_text(page(posted, options.folder, light=options.light), encoding="utf-8")
    width, height = map(int, options.size.split("x"))
    if not picture(target, options.png, width, height):
        sys.stderr.write(f"wrote {target}; install Chromium for a picture\n")
        return 0
    sys.stdout.write(f"wrote {target} and {options.png}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
