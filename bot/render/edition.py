"""An edition in all its forms: Discord messages, a Markdown file, a page, pictures."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from babel import Locale
from markupsafe import Markup

from bot.model.edition import Edition
from bot.model.parts import Part, PartFile, Place, Rendered
from bot.model.settings import GuildSettings
from bot.render.charts import Chart, draw
from bot.render.context import ChartView
from bot.render.forms import HTML, remembering
from bot.render.layout import Layout
from bot.render.source import Source
from bot.render.split import split
from bot.render.view import locale_of, view


def render(edition: Edition, settings: GuildSettings, *, templates: Path | None = None) -> Rendered:
    """All forms of an edition. `templates` is the operator's folder; what fails in it is told in `problems`.

    Pure, but it draws pictures: about a second of work, and not in two threads at once. Where they cannot be drawn
    the edition goes without, which is told in `problems` too. Raises TemplateFailure where a default template fails.
    """
    charts, problem = _drawn(edition, locale_of(settings.edition.language))
    writing = Writing(edition, settings, Layout(templates), charts)
    markdown, html = writing.markdown(), writing.page()
    parts = writing.parts(markdown)
    problems = (*writing.problems, *([problem] if problem else []))
    return Rendered(parts, markdown, html, tuple(map(_picture, charts)), problems)


def _drawn(edition: Edition, locale: Locale) -> tuple[list[Chart], str | None]:
    try:
        return draw(edition, locale), None
    except Exception as error:  # fonts, caches, native libraries: none of them is worth an edition
        return [], f"The pictures could not be drawn ({type(error).__name__}: {error}); the edition goes without them."


class Writing:
    """Writes one edition in its forms. `problems` gathers what was wrong with the operator's templates."""

    def __init__(self, edition: Edition, settings: GuildSettings, layout: Layout, charts: Sequence[Chart] = ()) -> None:
        self.problems: list[str] = []
        self._source = Source(edition, settings)
        self._layout = layout
        self._charts = charts
        self._as_markdown, self._on_discord = remembering()

    def markdown(self) -> str:
        """The Markdown file."""
        seen = view(self._source, self._as_markdown, [_shown(chart) for chart in self._charts])
        return _tidy(self._fill("edition.md.j2", edition=seen)) + "\n"

    def page(self) -> str:
        """The page, all in one file."""
        charts = [
            replace(_shown(chart), light=_data_address(chart.light), dark=_data_address(chart.dark))
            for chart in self._charts
        ]
        style = self._layout.style()
        return self._fill(
            "edition.html.j2",
            edition=view(self._source, HTML, charts),
            style=Markup(style),  # noqa: S704
            style_hash=style_hash(style),
        )

    def parts(self, markdown: str = "") -> tuple[Part, ...]:
        """The Discord messages.

        Pictures stand alone where they can, since a phone shows several in one message too small to read: that
        of the days and the Markdown file on the last part of the head, that of the channels on the part before
        it, that of the contributions on the first part of the summary.
        """
        seen = view(self._source, self._on_discord, [_shown(chart) for chart in self._charts])
        head = split(_tidy(self._fill("head.md.j2", edition=seen))) or [seen.title]
        summary = split(_tidy(self._fill("summary.md.j2", edition=seen)))
        heads = [Part(Place.HEAD, content) for content in head]
        summaries = [Part(Place.SUMMARY, content) for content in summary]
        for picture in map(_picture, self._charts):
            if picture.name == "contributions.png" and summaries and len(self._charts) > 1:
                summaries[0] = _with(summaries[0], picture)
            elif picture.name == "channels.png" and len(heads) > 1:
                heads[-2] = _with(heads[-2], picture)
            else:
                heads[-1] = _with(heads[-1], picture)
        if markdown:
            heads[-1] = _with(heads[-1], PartFile("edition.md", markdown.encode()))
        return (*heads, *summaries)

    def _fill(self, name: str, **context: object) -> str:
        text, problem = self._layout.fill(name, **context)
        self.problems += [problem] if problem else []
        return text


def _picture(chart: Chart) -> PartFile:
    return PartFile(f"{chart.name}.png", chart.dark, chart.description)


def _shown(chart: Chart) -> ChartView:
    return ChartView(name=chart.name, description=chart.description, width=chart.width, height=chart.height)


def _with(part: Part, *files: PartFile) -> Part:
    return Part(part.place, part.content, (*part.files, *files))


_MANY_LINES = re.compile(r"\n\n\n+")


def _tidy(text: str) -> str:
    """Without trailing spaces and with at most one empty line at a time, so that templates may be laid out freely."""
    return _MANY_LINES.sub("\n\n", "\n".join(map(str.rstrip, text.split("\n")))).strip()


def _data_address(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def style_hash(style: str) -> str:
    """The style's hash as a content security policy names it: `'sha256-...'`."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
