"""What the fields of a recording must look like, so that whatever does not fit is named by its place.

A shape is a kind (a function that says whether a value fits, with the words for it), a list of one shape, a mapping
of field names to shapes, or several shapes of which one has to fit. A field whose name ends in "!" is needed; any
other that is null or missing says nothing. Fields that stand in no shape are nobody's business here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.errors import InputError

LATEST_ID = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: `told` says what is expected, for people."""

    told: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Values:
    """An object with any keys, whose values have one shape."""

    shape: Any


@dataclass(frozen=True, slots=True)
class Either:
    shapes: tuple[Any, ...]


_PARENT = re.compile(r"(?:[\w.-]+/[\w.-]+)?#?\d{1,9}")


def _is_id(value: Any) -> bool:
    return not isinstance(value, bool) and str(value).isdecimal() and 0 < int(value) <= LATEST_ID


def _is_time(value: Any) -> bool:
    try:
        year = datetime.fromisoformat(value).year
    except (TypeError, ValueError):
        return False
    return 1900 < year < 9000


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LATEST_ID


ID = Kind("an id", _is_id)
BITS = Kind("a number of bits", lambda value: not isinstance(value, bool) and str(value).isdecimal())
TIME = Kind("a time such as 2026-08-24T00:00:00Z", _is_time)
WHOLE = Kind("a whole number", _is_whole)
TEXT = Kind("text", lambda value: isinstance(value, str))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
PARENT = Kind("a number, or owner/repo#number", lambda value: bool(_PARENT.fullmatch(str(value))))
NUMBER = Kind("a positive number", lambda value: _is_whole(value) and value > 0)

USER = {"id!": ID, "username": TEXT, "global_name": TEXT, "bot": FLAG}
WHO = Either((USER, ID))
CHANNEL = {
    "id!": ID,
    "type!": WHOLE,
    "name": TEXT,
    "topic": TEXT,
    "position": WHOLE,
    "parent_id": ID,
    "owner_id": ID,
    "deleted_at": TIME,
    "permission_overwrites": [{"id!": ID, "allow": BITS, "deny": BITS}],
    "available_tags": [{"name": TEXT}],
    "applied_tags": [ID],
    "thread_metadata": {
        "archived": FLAG,
        "locked": FLAG,
        "auto_archive_duration": WHOLE,
        "archive_timestamp": TIME,
        "create_timestamp": TIME,
    },
}
MESSAGE = {
    "id!": ID,
    "channel_id!": ID,
    "type": WHOLE,
    "author!": USER,
    "content": TEXT,
    "timestamp": TIME,
    "edited_timestamp": TIME,
    "deleted_at": TIME,
    "mentions": [USER],
    "mention_roles": [ID],
    "pinned": FLAG,
    "flags": WHOLE,
    "attachments": [{"filename": TEXT, "size": WHOLE}],
    "embeds": [{"url": TEXT, "title": TEXT}],
    "reactions": [{"emoji!": {"id": ID, "name": TEXT}, "count!": WHOLE}],
    "reaction_users": Values([ID]),
    "message_reference": {"type": WHOLE, "message_id": ID, "channel_id": ID, "guild_id": ID},
    "message_snapshots": [{"message": {"content": TEXT, "timestamp": TIME, "embeds": [{}], "attachments": [{}]}}],
    "poll": {"question": {"text": TEXT}},
    "sticker_items": [{}],
    "thread": CHANNEL,
    "webhook_id": ID,
    "application_id": ID,
}
STRETCH = {"start!": TIME, "end!": TIME}
DISCORD = {
    "self": USER,
    "guild!": {"id!": ID, "name!": TEXT, "owner_id": ID},
    "window": STRETCH,
    "captured": STRETCH,
    "away": [STRETCH],
    "roles": [{"id!": ID, "name": TEXT, "permissions": BITS, "position": WHOLE}],
    "channels": [CHANNEL],
    "members": [{"user!": WHO, "nick": TEXT, "roles": [ID], "joined_at": TIME, "pending": FLAG}],
    "member_events": [{"type!": TEXT, "user!": WHO, "joined_at": TIME, "at": TIME, "roles": [ID], "pending": FLAG}],
    "member_updates": [{"user!": WHO, "at!": TIME, "nick": TEXT, "roles": [ID], "pending": FLAG}],
    "messages": [MESSAGE],
    "deleted_messages": [MESSAGE | {"deleted_at!": TIME}],
    "scheduled_events": [
        {"id!": ID, "name!": TEXT, "scheduled_start_time!": TIME, "scheduled_end_time": TIME, "channel_id": ID}
    ],
}

ACCOUNT = Either(({"login!": TEXT, "type": TEXT}, TEXT))
LABEL = Either((TEXT, {"name!": TEXT}))
ON_ITEM = {"repo!": TEXT, "number!": NUMBER, "user": ACCOUNT, "name": TEXT, "body": TEXT, "created_at": TIME}
GITHUB = {
    "repository": Either((TEXT, {"full_name": TEXT, "private": FLAG})),
    "repositories": [Either((TEXT, {"full_name": TEXT, "private": FLAG}))],
    "private_repositories": [TEXT],
    "renamed_repositories": Values(TEXT),
    "window": STRETCH,
    "fetched_at": TIME,
    "people": [{"login!": TEXT, "name": TEXT, "type": TEXT}],
    "items": [
        ON_ITEM
        | {
            "kind!": TEXT,
            "title!": TEXT,
            "created_at!": TIME,
            "state": TEXT,
            "author_association": TEXT,
            "draft": FLAG,
            "merged": FLAG,
            "private": FLAG,
            "merged_at": TIME,
            "closed_at": TIME,
            "updated_at": TIME,
            "closed_by": ACCOUNT,
            "merged_by": ACCOUNT,
            "labels": [LABEL],
            "parent": PARENT,
            "html_url": TEXT,
        }
    ],
    "comments": [ON_ITEM | {"created_at!": TIME, "id": NUMBER, "updated_at": TIME}],
    "reviews": [ON_ITEM | {"id": NUMBER, "state": TEXT}],
    "events": [
        {"repo!": TEXT, "number!": NUMBER, "event!": TEXT, "actor": ACCOUNT, "created_at!": TIME, "label": LABEL}
    ],
}


def check(document: Mapping[str, Any], shape: Mapping[str, Any], name: str) -> None:
    """Raise InputError for the first field of the file `name` that does not have its shape."""
    for place, problem in _problems(document, shape, ""):
        where = place.lstrip(".")
        raise InputError(f"{name}: {where}: {problem}." if where else f"{name}: {problem}.")


def _problems(value: Any, shape: Any, place: str) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    match shape:
        case Kind():
            if not shape.fits(value):
                yield place, f"expected {shape.told}, found {_shown(value)}"
        case Either():
            if all(any(True for _ in _problems(value, one, place)) for one in shape.shapes):
                alike = [one for one in shape.shapes if isinstance(value, dict) == isinstance(one, Mapping)]
                yield from _problems(value, (alike or shape.shapes)[0], place)
        case Values():
            yield from _entries(value, dict.fromkeys(value, shape.shape) if isinstance(value, dict) else {}, place)
        case Mapping():
            yield from _entries(value, shape, place)
        case [one]:
            if not isinstance(value, list):
                yield place, f"expected a list, found {_shown(value)}"
                return
            for index, entry in enumerate(value):
                if entry is None:
                    yield f"{place}[{index}]", "found null in a list"
                yield from _problems(entry, one, f"{place}[{index}]")


def _entries(value: Any, shape: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield place, f"expected an object, found {_shown(value)}"
        return
    for name, one in shape.items():
        key = name.removesuffix("!")
        if name != key and value.get(key) is None:
            yield place, f"no {key}"
        yield from _problems(value.get(key), one, f"{place}.{key}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"
