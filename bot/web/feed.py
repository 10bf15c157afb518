"""The Atom feed of an archive (RFC 4287)."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

_ATOM = "http://www.w3.org/2005/Atom"
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """An edition in the feed. Instants are UTC, `url` is its permanent address and its id."""

    title: str
    url: str
    summary: str
    published: datetime
    author: str


def atom(entries: Sequence[Entry], *, title: str, feed_url: str, page_url: str) -> bytes:
    """The feed as XML, the newest entry first as given."""
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _add(feed, "id", feed_url)
    _add(feed, "title", title)
    _add(feed, "updated", _told(max((entry.published for entry in entries), default=_BEGINNING)))
    ElementTree.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": feed_url})
    ElementTree.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": page_url})
    for entry in entries:
        element = ElementTree.SubElement(feed, "entry")
        _add(element, "id", entry.url)
        _add(element, "title", entry.title)
        _add(element, "published", _told(entry.published))
        _add(element, "updated", _told(entry.published))
        _add(ElementTree.SubElement(element, "author"), "name", entry.author)
        ElementTree.SubElement(element, "link", {"rel": "alternate", "type": "text/html", "href": entry.url})
        _add(element, "summary", entry.summary)
    return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True))


def _add(parent: ElementTree.Element, tag: str, text: str) -> None:
    ElementTree.SubElement(parent, tag).text = text


def _told(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
