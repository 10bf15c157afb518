"""What render hands to publish: the messages of an edition, in order, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Place(StrEnum):
    """Where a part goes: `HEAD` parts into the publish channel, `SUMMARY` parts where the settings say."""

    HEAD = "head"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file of a part; `description` is a picture's alternative text."""

    name: str
    content: bytes
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One Discord message: at most 2,000 characters of content by code points and by UTF-16 units."""

    place: Place
    content: str
    files: tuple[PartFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """An edition in all its forms. `problems`: sentences for the operator, about templates of theirs that fail."""

    parts: tuple[Part, ...]
    markdown: str
    html: str
    charts: tuple[PartFile, ...] = ()
    problems: tuple[str, ...] = ()
