"""How Discord shows messages, buttons, selects and forms, as HTML. Used by make_picture.py."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, tzinfo
from typing import Any

STYLE = """
:root { --page: #1a1a1e; --side: #121214; --text: #efeff0; --faint: #9a9aa2; --line: #2c2c31; --link: #7bb0f5;
  --code: #242429; --card: #242429; --hide: #4b4b52; }
:root.light { --page: #ffffff; --side: #f3f3f4; --text: #2e2e34; --faint: #6f6f78; --line: #e1e1e4; --link: #0a6cd6;
  --code: #f0f0f2; --card: #f6f6f7; --hide: #c9c9cf; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--side); color: var(--text);
  font: 16px/1.375 "gg sans", "Noto Sans", "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; }
.window { display: grid; height: 100vh; }
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
.message + .thread { margin-left: 74px; }
.thread i { color: var(--link); font-style: normal; margin-left: 8px; }
.used { color: var(--faint); font-size: 13px; padding: 9px 18px 0 50px; }
.used b { color: var(--link); font-weight: 500; }
.only { color: var(--faint); font-size: 12px; margin-top: 5px; }
.only::before { content: "◉ "; }
.message.ephemeral { background: color-mix(in srgb, #5865f2 7%, transparent); padding-bottom: 9px; }
.name { background: color-mix(in srgb, #5865f2 30%, transparent); color: color-mix(in srgb, #5865f2 45%, var(--text));
  border-radius: 3px; padding: 0 2px; }
.time { background: var(--code); border-radius: 3px; padding: 0 3px; }
.row { display: flex; gap: 8px; margin-top: 8px; flex-wrap: wrap; }
.button { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 5px 15px;
  font-size: 14px; font-weight: 500; color: var(--text); }
.button.s1 { background: #5865f2; color: #fff; } .button.s3 { background: #23863c; color: #fff; }
.button.s4 { background: #c93a3e; color: #fff; } .button.off { opacity: 0.45; }
.select { flex: 1; max-width: 420px; background: var(--side); border: 1px solid var(--line); border-radius: 8px;
  padding: 7px 12px; font-size: 14px; display: flex; justify-content: space-between; gap: 12px; }
.select.empty span { color: var(--faint); } .select::after { content: "▾"; color: var(--faint); }
.form { background: var(--card); border: 1px solid var(--line); border-radius: 12px; width: 440px; margin: 18px auto;
  padding: 20px 22px; align-self: center; }
.form h2 { margin: 0 0 14px; font-size: 20px; }
.form .label { font-weight: 600; font-size: 15px; margin-top: 12px; }
.form .hint { color: var(--faint); font-size: 13px; }
.form .input { background: var(--side); border: 1px solid var(--line); border-radius: 8px; height: 38px;
  margin-top: 6px; }
.form .input.long { height: 76px; } .form .select { margin-top: 6px; max-width: none; }
.form .row { justify-content: flex-end; margin-top: 18px; }
.menu { background: var(--side); border: 1px solid var(--line); border-radius: 8px; padding: 6px; width: 250px;
  margin: 4px 0 8px 56px; font-size: 14px; }
.menu div { padding: 6px 10px; border-radius: 4px; } .menu div.on { background: #5865f2; color: #fff; }
.menu div.title { color: var(--faint); font-size: 12px; }
.pane.free { border: 0; }
.sign { width: 15px; height: 15px; vertical-align: -2px; }
"""

_PIN = '<path d="M9 1l6 6-2 1-3 3-1 4-3-3-4 3 3-4-3-3 4-1 3-3z" fill="#e0474c"/>'
_WARNING = '<path d="M8 1l7 13H1z" fill="#f5b83d"/><path d="M7.2 5h1.6v5H7.2zM7.2 11.2h1.6v1.6H7.2z" fill="#1a1a1e"/>'
_THREAD = '<path d="M2 3h12M4 7h10M6 11h8" stroke="currentColor" stroke-width="1.7" fill="none"/>'
SIGNS = {"📌": _PIN, "⚠️": _WARNING, "🧵": _THREAD}
"""Emoji that are drawn, so that a picture does not depend on the fonts of the machine."""


def signs(shown: str) -> str:
    """The HTML with the emoji that are drawn."""
    for emoji, path in SIGNS.items():
        shown = shown.replace(emoji, f'<svg class="sign" viewBox="0 0 16 16">{path}</svg>')
    return shown


INLINE = re.compile(
    r"\\([^A-Za-z0-9\s])|`+ ?([^`]+?) ?`+|\[((?:\[[^\]]*\]|[^\[\]])+)\]\(<?([^)\s>]+)>?\)|<(https?://[^ >]+)>"
    r"|<a?:(\w+):\d+>|\|\|(.+?)\|\||\*\*(.+?)\*\*|<(?:#|@[!&]?)(\d+)>|<t:(\d+):(\w)>"
    r"|https://discord\.com/channels/\d+/(\d+)(?:/\d+)?|(?<![*\w])\*([^*]+)\*"
)


class Names(dict[str, str]):
    """How channels, people and roles are called, by id; `now` is when the picture is taken, for relative times."""

    now: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    zone: tzinfo = UTC

    def of(self, known_id: str, *, of_message: bool = False) -> str:
        told = html.escape(self.get(known_id, "@unknown")) + " › message" * of_message
        return f'<span class="name">{told}</span>'

    def time(self, seconds: int, style: str) -> str:
        instant = datetime.fromtimestamp(seconds, UTC)
        local = instant.astimezone(self.zone)
        day, clock = f"{local:%B} {local.day}, {local.year}", f"{local:%H:%M}"
        away = instant - self.now
        told = {
            "F": f"{local:%A}, {day} {clock}",
            "f": f"{day} {clock}",
            "D": day,
            "R": f"in {away.days} days" if away.days > 1 else "in a day" if away.days else "in hours",
        }
        return f'<span class="time">{told[style]}</span>'


def inline(text: str, names: Names) -> str:
    """One line of Discord's Markdown as HTML."""

    def written(match: re.Match[str]) -> str:
        escaped, code, label, url, address, emoji, spoiler, strong, named, *more = match.groups()
        seconds, style, channel, slanted = more
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
        if named or channel:
            return names.of(named or channel, of_message=bool(channel))
        if seconds:
            return names.time(int(seconds), style)
        return f"<b>{inline(strong, names)}</b>" if strong else f"<i>{inline(slanted, names)}</i>"

    pieces, position = [], 0
    for match in INLINE.finditer(text):
        pieces += [html.escape(text[position : match.start()]), written(match)]
        position = match.end()
    return "".join([*pieces, html.escape(text[position:])])


def block(content: str, names: Names) -> str:
    """A message's content as HTML, line by line."""
    shown: list[str] = []
    for line in content.split("\n"):
        if heading := re.match(r"(#{1,3}) +(.+)", line):
            level = len(heading[1])
            shown.append(f"<h{level}>{inline(heading[2], names)}</h{level}>")
        elif line.startswith("-# "):
            shown.append(f'<div class="sub">{inline(line[3:], names)}</div>')
        elif item := re.match(r"[-*] +(.+)", line):
            shown.append(f"<ul><li>{inline(item[1], names)}</li></ul>")
        elif line.startswith("> "):
            shown.append(f"<blockquote>{inline(line[2:], names)}</blockquote>")
        else:
            shown.append(f"<div>{inline(line, names)}</div>" if line.strip() else '<div class="gap"></div>')
    return "".join(shown).replace("</ul><ul>", "")


def controls(rows: list[dict[str, Any]], names: Names) -> str:
    """The buttons and selects below a message."""
    shown = [[_control(each, names) for each in row["components"]] for row in rows]
    return "".join(f'<div class="row">{"".join(row)}</div>' for row in shown)


def _control(each: dict[str, Any], names: Names) -> str:
    if each["type"] == 2:
        off = " off" if each.get("disabled") else ""
        return f'<span class="button s{each["style"]}{off}">{html.escape(each["label"])}</span>'
    chosen = [option["label"] for option in each.get("options") or () if option.get("default")]
    chosen += [names.get(str(value["id"]), "?") for value in each.get("default_values") or ()]
    told = html.escape(", ".join(chosen) or each.get("placeholder") or "")
    return f'<div class="select{"" if chosen else " empty"}"><span>{told}</span></div>'


def form(modal: dict[str, Any], names: Names) -> str:
    """A form as it is shown before anything is filled in."""
    fields = ""
    for label in modal["components"]:
        hint = f'<div class="hint">{html.escape(label["description"])}</div>' if label.get("description") else ""
        inner = label["component"]
        long = " long" if inner.get("style") == 2 else ""
        field = f'<div class="input{long}"></div>' if inner["type"] == 4 else _control(inner, names)
        fields += f'<div class="label">{html.escape(label["label"])}</div>{hint}{field}'
    ends = '<div class="row"><span class="button">Cancel</span><span class="button s1">Submit</span></div>'
    return f'<div class="form"><h2>{html.escape(modal["title"])}</h2>{fields}{ends}</div>'


def message(
    body: str, *, by: str = "Gazette", face: str = "G", at: str = "09:00", more: bool = False, ephemeral: bool = False
) -> str:
    """A message: its body as HTML under its author's name; `more`: it follows another of the same author."""
    bot = " <b>APP</b>" if by == "Gazette" else ""
    head = f'<div class="by">{html.escape(by)}{bot} <time>today at {at}</time></div>'
    only = '<div class="only">Only you can see this · Dismiss message</div>' if ephemeral else ""
    kinds = "".join([" more" if more else "", " ephemeral" if ephemeral else ""])
    return f'<div class="message{kinds}"><div class="face">{face}</div><div class="body">{head}{body}{only}</div></div>'


def pane(title: str, inner: str, *, sign: str = "#") -> str:
    bar = f'<div class="bar"><span>{sign}</span>{html.escape(title)}</div>' if title else ""
    return f'<div class="pane{"" if title else " free"}">{bar}<div class="messages">{inner}</div></div>'


def window(title: str, panes: list[str], *, light: bool = False, columns: int | None = None) -> str:
    """The page: panes beside each other."""
    theme = ' class="light"' if light else ""
    grid = f"grid-template-columns: repeat({columns or len(panes)}, 1fr)" + ("; height: auto" if columns else "")
    shown = signs("".join(panes))
    return (
        f'<!doctype html><html lang="en"{theme}><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<style>{STYLE}</style></head><body><div class="window" style="{grid}">{shown}</div></body></html>'
    )
