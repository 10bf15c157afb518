"""What the templates see of an edition: text already written for one form, in the order it is shown.

Templates arrange; they neither escape nor count nor choose. Every string is ready for its form, so that a template
of an operator cannot forget to escape. Documented in docs/templates.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """A pull request or issue. `link` is its number as a link; `state` and `kind` as in the edition."""

    link: str
    title: str
    url: str
    kind: str
    state: str
    author: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightView:
    """A conversation. `link` opens it, its text is the channel; `authors` is a list in words."""

    link: str
    channel: str
    authors: str
    excerpt: str
    note: str | None
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EpicView:
    """The epic a section stands for; `link` is its number as a link."""

    link: str
    title: str
    url: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section. `also` and `highlights` hold what its paragraphs do not link; `anchor` names it in a page."""

    key: str
    anchor: str
    title: str
    emoji: str
    epic: EpicView | None
    activity: str
    paragraphs: tuple[str, ...]
    also: tuple[ItemView, ...]
    highlights: tuple[HighlightView, ...]
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """What is still to come. `link` is the announcement, None where it was announced by a scheduled event."""

    what: str
    date: date
    day: str
    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """Somebody who introduced themselves; `link` opens the introduction."""

    link: str
    excerpt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityView:
    """The community section. Lists hold what its paragraphs do not link, `people` everybody introduced."""

    available: bool
    messages: int
    authors: int
    introductions: int
    joins: int | None
    paragraphs: tuple[str, ...]
    contributions: tuple[ItemView, ...]
    highlights: tuple[HighlightView, ...]
    links: tuple[str, ...]
    events: tuple[EventView, ...]
    people: tuple[PersonView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """A picture: `light` and `dark` are data: addresses of a page, empty in the other forms."""

    name: str
    description: str
    width: int
    height: int
    light: str = ""
    dark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """Everything a template may use."""

    title: str
    guild: str
    language: str
    start: date
    last_day: date
    dates: str
    quiet: bool
    items: int
    merged: int
    opened: int
    community: CommunityView
    sections: tuple[SectionView, ...]
    left_out: tuple[ItemView, ...]
    github: str
    summary_place: str
    charts: tuple[ChartView, ...] = ()
