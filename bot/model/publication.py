"""Editions on their way to the channel: what is stored of them, of their parts and of the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.model.parts import Part, PartFile, Place
from bot.model.schedule import Period, Run


class EditionStatus(StrEnum):
    DRAFT = "draft"
    APPROVED = "approved"
    HELD = "held"  # not to be posted until somebody says so
    PUBLISHING = "publishing"  # its parts are being sent; they may no longer be replaced as a whole
    PUBLISHED = "published"
    FAILED = "failed"
    SKIPPED = "skipped"


OPEN = (EditionStatus.DRAFT, EditionStatus.APPROVED, EditionStatus.HELD, EditionStatus.FAILED)
"""Statuses in which an edition may be made anew as a whole: nothing of it stands on Discord."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEdition:
    """An edition as it is stored. `document` is `gazette.edition/1`, `stale_since` set where it must be made anew."""

    edition_id: int
    guild_id: int
    period: Period
    status: EditionStatus
    revision: int
    title: str
    document: Mapping[str, Any]
    markdown: str
    html: str
    public: bool
    created_at: datetime
    published_at: datetime | None = None
    stale_since: datetime | None = None
    stale_reason: str | None = None

    @property
    def is_replaceable(self) -> bool:
        """Whether the edition may be made anew as a whole: nothing of it stands on Discord, and nobody approved it."""
        return self.status in (EditionStatus.DRAFT, EditionStatus.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionSummary:
    """What a list of editions shows."""

    edition_id: int
    guild_id: int
    period: Period
    status: EditionStatus
    revision: int
    title: str
    public: bool
    created_at: datetime
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPart:
    """One Discord message of an edition.

    `after_id` is set once a sending was tried: the message, if it stands, is newer than this one in `channel_id`.
    `pending`: what is stored is not yet what stands on Discord. A pending part without content is to be removed.
    """

    ordinal: int
    place: Place
    content: str
    nonce: str
    files: tuple[PartFile, ...] = ()
    channel_id: int | None = None
    message_id: int | None = None
    after_id: int | None = None
    sent_at: datetime | None = None
    pending: bool = False
    gone_at: datetime | None = None
    ping_role_id: int | None = None

    @property
    def is_empty(self) -> bool:
        return not self.content and not self.files

    @property
    def is_missing(self) -> bool:
        """Whether the part is yet to be sent."""
        return self.message_id is None and self.gone_at is None and not self.is_empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A message that an edition tells of, and its author where known. `withdrawn`: it may no longer be told so."""

    message_id: int
    user_id: int | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeEdition:
    """An edition as it comes from rendering, about to be stored."""

    guild_id: int
    period: Period
    title: str
    document: Mapping[str, Any]
    markdown: str
    html: str
    parts: tuple[Part, ...]
    sources: tuple[Source, ...] = ()
    ping_role_id: int | None = None  # mentioned in the first part


class RunStatus(StrEnum):
    DUE = "due"
    CLAIMED = "claimed"
    DONE = "done"
    SKIPPED = "skipped"
    OFFERED = "offered"  # missed, and not made up for unless somebody asks


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """One period's making. `not_before`: the end of the claim, or the instant before which it is not tried again."""

    guild_id: int
    run: Run
    status: RunStatus
    claimed_by: str | None = None
    not_before: datetime | None = None
    attempts: int = 0
    error: str | None = None
    finished_at: datetime | None = None
    opened_at: datetime | None = None  # when it was noticed to be due, or asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A guild's next run, and the settings it was computed by (as `ScheduleSettings.model_dump`)."""

    guild_id: int
    run: Run
    rule: Mapping[str, Any]
    paused_at: datetime | None = None
