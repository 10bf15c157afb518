"""An edition as its templates see it: what is told, what is listed because it was not told, and the figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import groupby
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_interval

from bot.model.edition import Epic, Highlight, Item, Section, Sentence
from bot.model.schedule import Period
from bot.model.text import safe_name
from bot.render.context import (
    ChartView,
    CommunityView,
    EditionView,
    EpicView,
    EventView,
    HighlightView,
    ItemView,
    PersonView,
    SectionView,
)
from bot.render.forms import Form
from bot.render.source import Source


def view(source: Source, form: Form, charts: Sequence[ChartView] = ()) -> EditionView:
    """The edition as a template sees it, written for `form`."""
    return _Writer(source, form).edition(tuple(charts))


class _Writer:
    def __init__(self, source: Source, form: Form) -> None:
        self._source = source
        self._form = form
        self._locale = locale_of(source.settings.edition.language)

    def edition(self, charts: tuple[ChartView, ...]) -> EditionView:
        edition = self._source.edition
        start, last_day = _days(edition.period)
        community = self._community()
        sections = tuple(view for section in edition.sections if (view := self._section(section)))
        events = [event for item in self._source.items.values() for event in set(item.events) if item.kind != "issue"]
        left_out = [reference for reference in edition.omitted if reference not in self._source.items]
        return EditionView(
            title=self._form.text(edition.title),
            guild=self._form.text(edition.guild.name),
            language=str(self._locale).replace("_", "-"),
            start=start,
            last_day=last_day,
            dates=dates_of(edition.period, self._locale),
            quiet=not sections and not community.paragraphs and not edition.community.messages,
            items=len(self._source.items),
            merged=events.count("merged"),
            opened=events.count("opened"),
            community=community,
            sections=sections,
            left_out=tuple(self._reference(reference) for reference in left_out),
            github=edition.coverage.github,
            summary_place=self._source.settings.publish.full_summary,
            charts=charts,
        )

    def _section(self, section: Section) -> SectionView | None:
        also = tuple(self._item(item) for item in section.items if not self._source.is_told(item))
        highlights = self._untold(section.highlights)
        paragraphs = self._paragraphs(section.narrative)
        if not (also or highlights or paragraphs or (section.epic and section.activity == "light")):
            return None
        return SectionView(
            key=section.key,
            anchor="section-" + re.sub(r"[^a-z0-9]+", "-", section.key.lower()).strip("-"),
            title=self._form.text(section.title),
            emoji=self._form.text(section.emoji or ""),
            epic=self._epic(section.epic),
            activity=section.activity,
            paragraphs=paragraphs,
            also=also,
            highlights=highlights,
            items=len(section.items),
        )

    def _epic(self, epic: Epic | None) -> EpicView | None:
        if epic is None:
            return None
        return EpicView(
            link=self._form.link(self._source.number(epic.reference), epic.url),
            title=self._form.text(epic.title),
            url=epic.url,
            summary=self._form.words(epic.summary),
        )

    def _community(self) -> CommunityView:
        community = self._source.edition.community
        contributed = [
            reference
            for contributor in community.external_contributors
            for reference in (*contributor.merged, *contributor.open, *contributor.closed)
            if reference not in self._source.items and not self._source.is_linked(self._source.url(reference))
        ]
        return CommunityView(
            available=community.available,
            messages=community.messages,
            authors=community.authors,
            introductions=community.introductions.count,
            joins=community.joins.count if community.joins.available else None,
            paragraphs=self._paragraphs(community.narrative),
            contributions=tuple(self._reference(reference) for reference in dict.fromkeys(contributed)),
            highlights=self._untold(community.highlights),
            links=tuple(
                self._form.link(link.title or _short(link.url), link.url)
                for link in community.shared_links
                if not self._source.is_linked(link.url)
            ),
            events=tuple(
                EventView(
                    what=self._form.text(event.what),
                    date=event.date,
                    day=format_date(event.date, "MMMM d", locale=self._locale),
                    link=self._announcement(event.message_id),
                )
                for number, event in enumerate(community.events, 1)
                if f"event/{number}" not in self._source.facts
            ),
            people=tuple(
                PersonView(
                    link=self._form.link(safe_name(person.name), person.url),
                    excerpt=self._form.text(self._source.excerpt(person.excerpt, 160)),
                )
                for person in community.introductions.people
            ),
        )

    def _announcement(self, message_id: int | None) -> str | None:
        url = self._source.message_url(message_id)
        return self._form.link("announcement", url) if url else None

    def _paragraphs(self, narrative: Sequence[Sentence]) -> tuple[str, ...]:
        paragraphs = (
            self._form.joined(written for sentence in sentences if (written := self._form.words(sentence.text)))
            for _, sentences in groupby(narrative, key=lambda sentence: sentence.paragraph)
        )
        return tuple(paragraph for paragraph in paragraphs if paragraph)

    def _untold(self, highlights: Iterable[Highlight]) -> tuple[HighlightView, ...]:
        return tuple(self._highlight(highlight) for highlight in highlights if not self._source.is_heard(highlight))

    def _highlight(self, highlight: Highlight) -> HighlightView:
        names = list(dict.fromkeys(safe_name(name) for name in highlight.authors))
        return HighlightView(
            link=self._form.link(f"#{highlight.channel}", highlight.url),
            channel=self._form.text(highlight.channel),
            authors=self._form.text(", ".join(names[:3]) + (f" +{len(names) - 3}" if len(names) > 3 else "")),
            excerpt=self._form.text(self._source.excerpt(highlight.rewrite or highlight.excerpt, 200)),
            note=self._form.text(self._source.excerpt(highlight.note, 300)) if highlight.note else None,
            url=highlight.url,
        )

    def _item(self, item: Item) -> ItemView:
        name = self._source.name(item)
        return ItemView(
            link=self._form.link(self._source.number(item.reference), item.url),
            title=self._form.text(self._source.title(item)),
            url=item.url,
            kind=item.kind,
            state=item.state,
            author=self._form.text(name) if name else None,
        )

    def _reference(self, reference: str) -> ItemView:
        """An item of which no more than the reference is known, or one that stands in a section."""
        if item := self._source.items.get(reference):
            return self._item(item)
        url = self._source.url(reference)
        link = self._form.link(self._source.number(reference), url)
        return ItemView(link=link, title="", url=url, kind="unknown", state="", author=None)


def _short(url: str) -> str:
    shown = re.sub(r"^https?://(?:www\.)?", "", url).rstrip("/")
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


@lru_cache(maxsize=32)
def locale_of(language: str) -> Locale:
    """The locale of a language tag; English where there is none such."""
    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def _days(period: Period) -> tuple[date, date]:
    zone = ZoneInfo(period.timezone)
    return period.start.astimezone(zone).date(), (period.end - timedelta(microseconds=1)).astimezone(zone).date()


@lru_cache(maxsize=32)
def dates_of(period: Period, locale: Locale) -> str:
    """The period's days as text, the last one included: "Apr 6–12, 2026"."""
    start, last_day = _days(period)
    if start == last_day:
        return format_date(start, "long", locale=locale)
    return format_interval(start, last_day, "yMMMMd", locale=locale).replace("\u2009", "")
