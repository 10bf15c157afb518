"""An edition: what is known about one period, and the words put to it (`gazette.edition/1`).

In Python ids are integers and instants timezone-aware UTC; `to_json` writes ids as strings and instants as
ISO 8601 with a Z, in the fixed shape of the format. Fields marked `_hidden` are working material for the
narrative (raw bodies and comments, which stand in `facts` already) and are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any

from bot.model.github import Comment
from bot.model.schedule import Period

FORMAT = "gazette.edition/1"


def _hidden(default: Any) -> Any:
    return field(default=default, metadata={"hidden": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Raw text that a sentence may rest on, and where it stands."""

    text: str
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    login: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    login: str
    name: str | None = None
    external: bool = False
    bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """Somebody other than the author with a part in an item. `role`: closed, merged, commented, reviewed."""

    login: str
    name: str | None = None
    role: str = "commented"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A pull request or issue in an edition. `state` is that at the period's end, `events` those within it."""

    reference: str
    kind: str  # pull_request, issue, unknown
    title: str
    url: str
    state: str  # open, draft, merged, closed
    events: tuple[str, ...] = ()  # opened, merged, closed, reopened, commented
    author: Author | None = None
    credited: Person | None = None
    people: tuple[Participant, ...] = ()
    mentioned_in: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    parent: str | None = None
    created_at: datetime | None = None
    merged_at: datetime | None = None
    closed_at: datetime | None = None
    continues: str | None = None  # what an earlier edition said of it: "opened", "announced"
    body: str = _hidden("")
    comments: tuple[Comment, ...] = _hidden(())  # those of the period


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedMessage:
    message_id: int
    author: str
    author_id: int
    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A conversation worth telling. `reason`: tagged, announcement, reactions, discussion."""

    message_ids: tuple[int, ...]
    channel: str
    channel_id: int
    authors: tuple[str, ...]
    author_ids: tuple[int, ...]
    excerpt: str
    url: str
    references: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    reason: str = "tagged"
    tagged_by: tuple[int, ...] = ()
    note: str | None = None
    rewrite: str | None = None
    reactions: int = 0
    messages: tuple[QuotedMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of the narrative, the items it is about and the facts (keys of `facts`) it rests on.

    `source`: extractive, language_model, editor. Sentences with the same `paragraph` stand together. `fate`: "repaired"
    where the language model worded it a second time, "replaced" where it stands for what the model said; else "".
    """

    text: str
    references: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    source: str = "extractive"
    paragraph: int = 0
    fate: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Epic:
    reference: str
    title: str
    url: str
    summary: str = ""
    body: str = _hidden("")
    comments: tuple[Comment, ...] = _hidden(())  # those of the period, on the epic itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A group of items. `activity`: normal, light (something happened, no pull request moved), none."""

    key: str
    title: str
    epic: Epic | None = None
    activity: str = "normal"
    items: tuple[Item, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    narrative: tuple[Sentence, ...] = ()
    emoji: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelActivity:
    id: int
    name: str
    messages: int
    authors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IntroducedPerson:
    user_id: int
    name: str
    message_ids: tuple[int, ...]
    url: str
    excerpt: str
    text: str = _hidden("")  # the whole of what the person wrote, all messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Introductions:
    count: int = 0
    people: tuple[IntroducedPerson, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joins:
    """Distinct people who joined in the period. `available` is False where nobody could have seen joins."""

    available: bool = False
    count: int = 0
    silent: int = 0
    silent_user_ids: tuple[int, ...] = ()
    left: int = 0
    rejoined: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalContributor:
    login: str
    name: str | None = None
    merged: tuple[str, ...] = ()
    open: tuple[str, ...] = ()  # drafts included
    closed: tuple[str, ...] = ()
    first_time: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Automated:
    login: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedLink:
    url: str
    title: str | None
    channel: str
    author: str
    message_id: int
    author_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingEvent:
    """Something announced for after the period's end; `date` is in the guild's time zone."""

    what: str
    date: date
    announced_by: str | None
    message_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day of the period (guild's time zone), for the charts."""

    date: date
    messages: int = 0
    joins: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    available: bool = False
    messages: int = 0
    authors: int = 0
    channels: tuple[ChannelActivity, ...] = ()
    introductions: Introductions = Introductions()
    joins: Joins = Joins()
    external_contributors: tuple[ExternalContributor, ...] = ()
    automated: tuple[Automated, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    shared_links: tuple[SharedLink, ...] = ()
    events: tuple[ComingEvent, ...] = ()
    narrative: tuple[Sentence, ...] = ()
    days: tuple[Day, ...] = ()
    earlier_days: tuple[Day, ...] = ()  # the weeks before, where recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """How the sentences fared when they were held against their facts.

    `stopped` says why the language model told no more, where it should have.
    """

    sentences: int = 0
    kept: int = 0
    repaired: int = 0
    replaced: int = 0
    dropped: int = 0
    stopped: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageGap:
    channel_id: int
    start: datetime
    end: datetime
    recovered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What was read. `github`: complete, partial, unavailable, off."""

    channels_read: int = 0
    channels_unreadable: tuple[str, ...] = ()
    gaps: tuple[CoverageGap, ...] = ()
    github: str = "off"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildName:
    id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Everything one period's digest says and rests on."""

    guild: GuildName
    title: str
    layout: str  # themes, epics
    period: Period
    facts: Mapping[str, Fact]
    sections: tuple[Section, ...] = ()
    community: Community = Community()
    grounding: Grounding = Grounding()
    coverage: Coverage = Coverage()
    omitted: tuple[str, ...] = ()  # references left out of the words for length, named in a closing line


_ID_KEYS = frozenset({"id", "tagged_by", "mentioned_in"})


def _encode(value: Any, key: str) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _encode(getattr(value, f.name), f.name) for f in fields(value) if not f.metadata.get("hidden")}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(k): _encode(v, "") for k, v in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [_encode(v, key) for v in value]
    if isinstance(value, int) and not isinstance(value, bool) and (key in _ID_KEYS or key.endswith(("_id", "_ids"))):
        return str(value)
    return value


def to_json(edition: Edition) -> dict[str, Any]:
    """The edition in the shape of `gazette.edition/1`, ready for `json.dumps`."""
    return {"format": FORMAT, **_encode(edition, "")}
