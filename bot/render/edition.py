"""An edition in all its forms: Discord messages, a Markdown file, a page, pictures."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from markupsafe import Markup

from bot.model.edition import Edition
from bot.model.parts import Part, PartFile, Place, Rendered
from bot.model.settings import GuildSettings
from bot.render.charts import Chart, draw
from bot.render.context import ChartView
from bot.render.html import html_link, html_text, html_words
from bot.render.layout import Layout
from bot.render.safe import markdown_link, markdown_text, markdown_words
from bot.render.split import split
from bot.render.view import Form, locale_of, view

DISCORD = Form(
    text=partial(markdown_text, for_discord=True),
    words=partial(markdown_words, for_discord=True),
    link=markdown_link,
)
MARKDOWN = Form(text=markdown_text, words=markdown_words, link=markdown_link)


def _markup(parts: Iterable[str]) -> Markup:
    return Markup(" ").join(parts)


HTML = Form(
    text=lambda text: Markup(html_text(text)),  # noqa: S704
    words=lambda sentence: Markup(html_words(sentence)),  # noqa: S704
    link=lambda text, url: Markup(html_link(text, url)),  # noqa: S704
    joined=_markup,
)


def render(edition: Edition, settings: GuildSettings, *, templates: Path | None = None) -> Rendered:
    """All forms of an edition. `templates` is the operator's folder; what fails in it is told in `problems`.

    Pure, but it draws pictures: about a second of work. Raises TemplateFailure where a default template fails.
    """
    layout = Layout(templates)
    charts = draw(edition, locale_of(settings.edition.language))
    markdown, markdown_problem = write_markdown(edition, settings, layout, charts)
    html, html_problem = write_html(edition, settings, layout, charts)
    parts, part_problems = write_parts(edition, settings, layout, charts, markdown)
    problems = (*part_problems, markdown_problem, html_problem)
    return Rendered(parts, markdown, html, tuple(map(_picture, charts)), tuple(p for p in problems if p))


def write_markdown(
    edition: Edition, settings: GuildSettings, layout: Layout, charts: Sequence[Chart] = ()
) -> tuple[str, str | None]:
    """The Markdown file, and what was wrong with the operator's template."""
    seen = view(edition, settings, MARKDOWN, [_shown(chart) for chart in charts])
    text, problem = layout.fill("edition.md.j2", edition=seen)
    return _tidy(text) + "\n", problem


def write_html(
    edition: Edition, settings: GuildSettings, layout: Layout, charts: Sequence[Chart] = ()
) -> tuple[str, str | None]:
    """The page, all in one file, and what was wrong with the operator's template."""
    shown = [replace(_shown(c), light=_data_address(c.light), dark=_data_address(c.dark)) for c in charts]
    style = layout.style()
    seen = view(edition, settings, HTML, shown)
    return layout.fill("edition.html.j2", edition=seen, style=Markup(style), style_hash=style_hash(style))  # noqa: S704


def write_parts(
    edition: Edition,
    settings: GuildSettings,
    layout: Layout,
    charts: Sequence[Chart] = (),
    markdown: str = "",
) -> tuple[tuple[Part, ...], list[str]]:
    """The Discord messages, and what was wrong with the operator's templates.

    The picture of the days and the Markdown file are attached to the last part of the head, that of the channels
    to the first where there are two, that of the contributions to the first part of the summary.
    """
    seen = view(edition, settings, DISCORD, [_shown(chart) for chart in charts])
    head, head_problem = layout.fill("head.md.j2", edition=seen)
    summary, summary_problem = layout.fill("summary.md.j2", edition=seen)
    head_parts = split(_tidy(head)) or [seen.title]
    summary_parts = split(_tidy(summary))
    files = [PartFile("edition.md", markdown.encode())] if markdown else []
    heads = [Part(Place.HEAD, content) for content in head_parts]
    summaries = [Part(Place.SUMMARY, content) for content in summary_parts]
    for picture in map(_picture, charts):
        if picture.name == "contributions.png" and summaries:
            summaries[0] = _with(summaries[0], picture)
        elif picture.name == "channels.png" and len(heads) > 1:
            heads[0] = _with(heads[0], picture)
        else:
            heads[-1] = _with(heads[-1], picture)
    heads[-1] = _with(heads[-1], *files)
    return (*heads, *summaries), [p for p in (head_problem, summary_problem) if p]


def _picture(chart: Chart) -> PartFile:
    return PartFile(f"{chart.name}.png", chart.dark, chart.description)


def _shown(chart: Chart) -> ChartView:
    return ChartView(name=chart.name, description=chart.description, width=chart.width, height=chart.height)


def _with(part: Part, *files: PartFile) -> Part:
    return Part(part.place, part.content, (*part.files, *files))


_TRAILING = re.compile(r"[^\S\n]+$", re.MULTILINE)
_MANY_LINES = re.compile(r"\n{3,}")


def _tidy(text: str) -> str:
    """Without trailing spaces and with at most one empty line at a time, so that templates may be laid out freely."""
    return _MANY_LINES.sub("\n\n", _TRAILING.sub("", text)).strip()


def _data_address(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def style_hash(style: str) -> str:
    """The style's hash as a content security policy names it: `'sha256-...'`."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
