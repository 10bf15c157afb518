"""Pictures of a period: who wrote and came by day, the active channels, what was merged and opened.

With large type, so that a phone shows them legibly, and about square or wide, so that Discord shows them whole.
Each is drawn on its own background, once in dark (posted on Discord, where it stands in either theme) and once in
light (a page picks by the reader's preference). A picture without data is left out. The same edition makes the
same bytes.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from babel import Locale
from babel.dates import format_date

from bot.model.edition import Community, Day, Edition
from bot.model.text import cut, one_line
from bot.narrate.language.en import pictures

_PIXELS, _DPI = 1080, 150
_MARGINS, _ROW, _TITLE = 190, 112, 0.35
_ROWS_AT_MOST, _PAIRS_AT_MOST = 8, 6
_DESCRIPTION_AT_MOST = 1000  # Discord takes 1,024


@dataclass(frozen=True, slots=True)
class Theme:
    background: str
    ink: str
    faint: str
    grid: str
    first: str
    second: str


LIGHT = Theme("#fbfaf7", "#23252b", "#63666f", "#dddad2", "#3d5afe", "#0f8a6d")
DARK = Theme("#1d1f27", "#f1f1f4", "#a9adb9", "#3a3e4a", "#8ea2ff", "#4fd1ae")


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture in both themes (PNG) and in words."""

    name: str
    description: str
    light: bytes
    dark: bytes

    @property
    def width(self) -> int:
        return int.from_bytes(self.light[16:20], "big")  # where a PNG says so

    @property
    def height(self) -> int:
        return int.from_bytes(self.light[20:24], "big")


@dataclass(frozen=True, slots=True)
class _Series:
    """Values by label; `usual` are those of the weeks before, None where they were not recorded."""

    title: str
    labels: tuple[str, ...]
    values: tuple[int, ...]
    usual: tuple[float | None, ...] = ()
    second: tuple[int, ...] = ()
    legend: tuple[str, str] = ("", "")


def draw(edition: Edition, locale: Locale) -> list[Chart]:
    """The pictures for which the edition has data."""
    community = edition.community
    dated = _days(community.days, locale)
    charts = []
    by_day = [series for series in (_messages(community, dated), _joins(community, dated)) if series]
    if by_day:
        charts.append(_chart("activity", by_day, _columns))
    if channels := _channels(community):
        charts.append(_chart("channels", [channels], _bars))
    if contributions := _contributions(edition):
        charts.append(_chart("contributions", [contributions], _bars))
    return charts


# --- what is shown ---------------------------------------------------------------------------------------------


def _days(days: Sequence[Day], locale: Locale) -> tuple[str, ...]:
    pattern = "EEE" if len(days) <= 7 else "d"
    return tuple(format_date(day.date, pattern, locale=locale) for day in days)


def _usual(day: date, earlier: Sequence[Day], value: Callable[[Day], int]) -> float | None:
    """The mean of the same weekday in the weeks before."""
    same = [value(before) for before in earlier if (day - before.date).days % 7 == 0]
    return sum(same) / len(same) if same else None


def _by_day(title: str, community: Community, labels: tuple[str, ...], value: Callable[[Day], int]) -> _Series | None:
    values = tuple(value(day) for day in community.days)
    if not any(values):
        return None
    usual = tuple(_usual(day.date, community.earlier_days, value) for day in community.days)
    return _Series(title, labels, values, usual if any(u is not None for u in usual) else ())


def _messages(community: Community, labels: tuple[str, ...]) -> _Series | None:
    return _by_day(pictures.MESSAGES_BY_DAY, community, labels, lambda day: day.messages)


def _joins(community: Community, labels: tuple[str, ...]) -> _Series | None:
    if not community.joins.available:
        return None
    return _by_day(pictures.MEMBERS_BY_DAY, community, labels, lambda day: day.joins)


def _channels(community: Community) -> _Series | None:
    active = sorted(community.channels, key=lambda channel: (-channel.messages, channel.name))
    active = [channel for channel in active if channel.messages][:_ROWS_AT_MOST]
    if not active:
        return None
    names = tuple(f"#{one_line(channel.name)}" for channel in active)
    return _Series(pictures.MESSAGES_BY_CHANNEL, names, tuple(channel.messages for channel in active))


def _contributions(edition: Edition) -> _Series | None:
    merged: dict[str, int] = defaultdict(int)
    opened: dict[str, int] = defaultdict(int)
    for section in edition.sections:
        for item in section.items:
            if item.kind == "pull_request":
                merged[section.title] += "merged" in item.events
                opened[section.title] += "opened" in item.events
    titles = sorted((t for t in merged if merged[t] or opened[t]), key=lambda t: (-merged[t] - opened[t], t))
    titles = titles[:_PAIRS_AT_MOST]
    if not titles:
        return None
    return _Series(
        pictures.PULL_REQUESTS,
        tuple(one_line(title) for title in titles),
        tuple(merged[title] for title in titles),
        second=tuple(opened[title] for title in titles),
        legend=(pictures.MERGED, pictures.OPENED),
    )


def _description(series: Sequence[_Series]) -> str:
    return cut(" ".join(_in_words(one) for one in series), _DESCRIPTION_AT_MOST)


def _in_words(series: _Series) -> str:
    if series.second:
        rows = zip(series.labels, series.values, series.second, strict=True)
        told = [pictures.pair(label, merged, opened) for label, merged, opened in rows]
    else:
        told = [pictures.value(label, value) for label, value in zip(series.labels, series.values, strict=True)]
    known = [value for value in series.usual if value is not None]
    return pictures.described(series.title, told, sum(known) / len(known) if known else None)


# --- how it is drawn -------------------------------------------------------------------------------------------


def _chart(name: str, series: Sequence[_Series], panel: Callable[..., None]) -> Chart:
    light, dark = (_picture(series, panel, theme) for theme in (LIGHT, DARK))
    return Chart(name, _description(series), light, dark)


def _picture(series: Sequence[_Series], panel: Callable[..., None], theme: Theme) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height = (
        _PIXELS if panel is _columns else _MARGINS + _ROW * len(series[0].values) * (1.4 if series[0].second else 1)
    )
    figure = Figure(figsize=(_PIXELS / _DPI, height / _DPI), dpi=_DPI, facecolor=theme.background)
    canvas: Any = FigureCanvasAgg(figure)
    for index, one in enumerate(series):
        axes = figure.add_subplot(len(series), 1, index + 1, facecolor=theme.background)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.tick_params(length=0)
        axes.set_xticks([])
        axes.set_yticks([])
        panel(axes, one, theme, theme.second if index else theme.first)
        above = 1.13 if panel is _columns else 1 + _TITLE / len(one.values)
        _write(axes, 0, above, one.title, theme.ink, 19, weight="bold", across=True)
    edge = _MARGINS / height / 3
    figure.subplots_adjust(left=0.06, right=0.94, top=1 - 2 * edge, bottom=edge, hspace=0.5)
    canvas.draw()
    return _png(canvas.get_width_height(), canvas.buffer_rgba())


def _png(size: tuple[int, int], pixels: Any) -> bytes:
    """The pixels as PNG with a palette: a third of the size, and nothing lost that an eye would see."""
    from PIL import Image

    buffer = io.BytesIO()
    picture = Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1).convert("RGB")
    picture.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(buffer, "PNG")
    return buffer.getvalue()


def _write(
    axes: Any, x: float, y: float, text: str, color: str, size: float, *, across: bool = False, **style: Any
) -> None:
    """Literal text; a `$` starts no formula. `across`: the place is given in shares of the panel."""
    style |= {"transform": axes.transAxes} if across else {}
    families = {"family": list(_families())}
    axes.text(x, y, _drawable(text), color=color, fontsize=size, parse_math=False, clip_on=False, **families, **style)


def _columns(axes: Any, series: _Series, theme: Theme, color: str) -> None:
    count = len(series.values)
    highest = max(*series.values, *(value or 0 for value in series.usual), 1)
    axes.set_xlim(-0.6, count - 0.4)
    axes.set_ylim(0, highest * 1.15)
    for place, usual in enumerate(series.usual):
        axes.bar(place, usual or 0, width=0.9, color=theme.grid, zorder=1)
    axes.bar(range(count), series.values, width=0.5, color=color, zorder=2)
    axes.axhline(0, color=theme.faint, linewidth=1.5, zorder=3)
    step = max(1, -(-count // 8))
    for place, (label, value) in enumerate(zip(series.labels, series.values, strict=True)):
        if place % step == 0:
            _write(axes, place, -highest * 0.05, label, theme.faint, 15, ha="center", va="top")
        if count <= 8:
            _write(axes, place, value + highest * 0.02, f"{value:,}", theme.ink, 15, ha="center", va="bottom")
    if series.usual:
        _write(axes, 1, 1.14, "■", theme.grid, 15, across=True, ha="right")
        _write(axes, 0.965, 1.14, pictures.WEEKS_BEFORE, theme.faint, 14, across=True, ha="right")


def _bars(axes: Any, series: _Series, theme: Theme, color: str) -> None:
    double = bool(series.second)
    longest = max(*series.values, *series.second, 1)
    axes.set_xlim(0, longest * 1.16)
    axes.set_ylim(len(series.values) - 0.4, -0.65)
    height = 0.22 if double else 0.36
    for place, (label, value) in enumerate(zip(series.labels, series.values, strict=True)):
        rows = [(value, color), (series.second[place], theme.second)] if double else [(value, color)]
        _write(axes, 0, place - 0.24, cut(_drawable(label), 34), theme.ink, 15, va="bottom")
        for row, (length, shade) in enumerate(rows):
            y = place + row * (height + 0.03) - (0.06 if double else 0)
            axes.barh(y, length, height=height, color=shade, zorder=2)
            _write(axes, length + longest * 0.015, y, f"{length:,}", theme.ink, 14, va="center")
    if double:
        first, second = series.legend
        _write(axes, 1, 1 + _TITLE / len(series.values), f"■ {second}", theme.second, 15, across=True, ha="right")
        _write(axes, 0.76, 1 + _TITLE / len(series.values), f"■ {first}", color, 15, across=True, ha="right")


# --- letters ---------------------------------------------------------------------------------------------------

_WIDER = ("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew",
          "Noto Sans Devanagari", "WenQuanYi Micro Hei", "Droid Sans Fallback", "Arial Unicode MS")  # fmt: skip


@lru_cache(maxsize=1)
def _families() -> tuple[str, ...]:
    """The font that matplotlib brings, and those of the machine that know more letters."""
    from matplotlib.font_manager import fontManager

    installed = {entry.name for entry in fontManager.ttflist}
    return ("DejaVu Sans", *(name for name in _WIDER if name in installed))


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, fontManager
    from matplotlib.ft2font import FT2Font

    paths = [fontManager.findfont(FontProperties(family=name)) for name in _families()]
    return frozenset(code for path in paths for code in FT2Font(path).get_charmap())


def _drawable(text: str) -> str:
    """The text without what no font here can draw; the picture's description has it whole."""
    kept = "".join(c for c in text if ord(c) in _glyphs())
    if kept != text:
        kept = " ".join(re.sub(r"^#[\W_]+", "#", kept).split())
    return kept if any(c.isalnum() for c in kept) or not any(c.isalnum() for c in text) else f"{kept[:1]}…"
