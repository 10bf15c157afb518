"""What a recorded week knows of GitHub, ordered as GitHub keeps it: repositories, items, timelines, people.

Only fields that GitHub has are kept; whatever else a recording carries (where a fact came from, what was
estimated, for whom an account acts) stays behind here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.errors import InputError
from bot.model.github_links import closing_references

Json = dict[str, Any]
_SAME_MOMENT = timedelta(minutes=1)
_FIRST_ID = 8_000_000_000  # for comments that a recording gives no id


@dataclass(frozen=True, slots=True)
class Repository:
    name: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """`kind` is the name that REST gives it: closed, reopened, merged, labeled, convert_to_draft, ..."""

    event_id: int
    kind: str
    at: str
    actor: Json | None
    label: str | None = None


@dataclass(slots=True)
class RecordedItem:
    """A pull request or issue; `fields` are the recording's own, of which only GitHub's are read."""

    repository: str
    number: int
    fields: Json
    comments: list[Json] = field(default_factory=list)
    reviews: list[Json] = field(default_factory=list)
    timeline: list[TimelineEvent] = field(default_factory=list)
    parent: RecordedItem | None = None
    sub_issues: list[RecordedItem] = field(default_factory=list)
    closes: list[RecordedItem] = field(default_factory=list)

    @property
    def is_pull_request(self) -> bool:
        return bool(self.fields.get("kind") == "pull_request")

    @property
    def url(self) -> str:
        path = "pull" if self.is_pull_request else "issues"
        return str(self.fields.get("html_url") or f"https://github.com/{self.repository}/{path}/{self.number}")

    @property
    def updated_at(self) -> str:
        return str(self.fields.get("updated_at") or self.fields["created_at"])

    @property
    def merged_at(self) -> str | None:
        if not (self.fields.get("merged") or self.fields.get("merged_at")):
            return None
        return str(self.fields.get("merged_at") or self.fields.get("closed_at") or self.updated_at)

    @property
    def closed_at(self) -> str | None:
        if self.merged_at or self.fields.get("state") == "closed":
            return str(self.fields.get("closed_at") or self.merged_at or self.updated_at)
        return None

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def labels(self) -> list[str]:
        return [one["name"] if isinstance(one, dict) else str(one) for one in self.fields.get("labels") or []]

    def actor_of(self, kind: str) -> Json | None:
        """Who did this last, by the timeline."""
        return next((event.actor for event in reversed(self.timeline) if event.kind == kind), None)


class GitHubRecording:
    """A week's `github.json`, to be asked by repository and number."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.repositories: dict[str, Repository] = {}
        self.renamed = {old.lower(): new for old, new in (document.get("renamed_repositories") or {}).items()}
        self._items: dict[str, dict[int, RecordedItem]] = defaultdict(dict)
        self._names: dict[str, str] = {}
        self._users: dict[str, Json] = {}
        self._people(document)
        named = [document.get("repository"), *(document.get("repositories") or []), *self.renamed.values()]
        for one in filter(None, named):
            self.add_repository(*_repository(one))
        for name in document.get("private_repositories") or []:
            self.add_repository(name, private=True)
        for fields in document.get("items") or []:
            self._add_item(fields)
        for kind in ("comments", "reviews"):
            for place, fields in enumerate(_told(document, kind)):
                if item := self.item(fields["repo"], fields["number"]):
                    getattr(item, kind).append({"id": _FIRST_ID + place, "html_url": item.url, **fields})
        told: dict[tuple[str, int], list[Json]] = defaultdict(list)
        for event in _told(document, "events"):
            told[self.canonical(event["repo"]).lower(), event["number"]].append(event)
        for item in self.every_item():
            self._place(item, told[item.repository.lower(), item.number])

    def add_repository(self, name: str, private: bool = False) -> None:
        self.repositories[self.canonical(name).lower()] = Repository(self.canonical(name), private)

    def canonical(self, name: str) -> str:
        """The repository's name today, followed through every renaming."""
        for _ in range(len(self.renamed)):
            name = self.renamed.get(name.lower(), name)
        known = self.repositories.get(name.lower())
        return known.name if known else name

    def repository(self, name: str) -> Repository | None:
        return self.repositories.get(self.canonical(name).lower())

    def item(self, repository: str, number: int) -> RecordedItem | None:
        return self._items[self.canonical(repository).lower()].get(number)

    def items(self, repository: str) -> list[RecordedItem]:
        return list(self._items[self.canonical(repository).lower()].values())

    def every_item(self) -> list[RecordedItem]:
        return [item for items in self._items.values() for item in items.values()]

    def remove(self, repository: str, number: int) -> None:
        """Take an item away, as a deletion does."""
        self._items[self.canonical(repository).lower()].pop(number, None)

    def display_name(self, login: str) -> str | None:
        return self._names.get(login.lower())

    def user(self, login: str) -> Json | None:
        """An account that is seen anywhere in the recording, as `login` and `type`."""
        return self._users.get(login.lower())

    def _people(self, document: Mapping[str, Any]) -> None:
        """Accounts, and display names: those of `people`, then those that stand beside an item or a comment."""
        beside = [one for kind in ("items", "comments", "reviews") for one in document.get(kind) or []]
        known = [(person, person.get("name")) for person in document.get("people") or []]
        known += [(one["user"], one.get("name")) for one in beside if one.get("user")]
        for account, name in known:
            if user := user_of(account):
                self._users.setdefault(user["login"].lower(), user)
            if user and name:
                self._names.setdefault(user["login"].lower(), name)

    def _add_item(self, fields: Json) -> None:
        if self.repository(fields["repo"]) is None or fields.get("private"):
            self.add_repository(fields["repo"], private=bool(fields.get("private")))
        name = self.canonical(fields["repo"])
        self._items[name.lower()][fields["number"]] = RecordedItem(name, fields["number"], fields)

    def _place(self, item: RecordedItem, told: list[Json]) -> None:
        item.timeline = _timeline(item, told)
        if item.is_pull_request:
            named = closing_references(item.fields.get("body") or "", item.repository)
            found = (self.item(name, int(number)) for name, _, number in (one.partition("#") for one in named))
            item.closes = [issue for issue in found if issue and not issue.is_pull_request]
        elif parent := item.fields.get("parent"):
            name, _, number = f"#{parent}".rpartition("#")
            item.parent = self.item(name.strip("#") or item.repository, int(number))
            if item.parent:
                item.parent.sub_issues.append(item)


def _repository(one: Any) -> tuple[str, bool]:
    """Name and privacy of a repository, given by its name or as GitHub's object."""
    if isinstance(one, str):
        return one, False
    return str(one.get("full_name") or one.get("name")), bool(one.get("private"))


def _timeline(item: RecordedItem, told: list[Json]) -> list[TimelineEvent]:
    """The recorded events, and those that closing and merging times imply."""
    events = [(str(e["created_at"]), str(e["event"]), user_of(e.get("actor")), e.get("label")) for e in told]

    def is_told(kind: str, at: str) -> bool:
        return any(
            known == kind and abs(instant_of(when) - instant_of(at)) <= _SAME_MOMENT for when, known, _, _ in events
        )

    merger = next((actor for _, kind, actor, _ in events if kind == "merged"), user_of(item.fields.get("merged_by")))
    if item.merged_at and not is_told("merged", item.merged_at):
        events.append((item.merged_at, "merged", merger, None))
    if item.closed_at and not is_told("closed", item.closed_at):
        closer = user_of(item.fields.get("closed_by")) or (merger if item.merged_at else None)
        events.append((item.closed_at, "closed", closer, None))
    order = {"merged": 1, "closed": 2}
    events.sort(key=lambda event: (instant_of(event[0]), order.get(event[1], 0)))
    return [
        TimelineEvent(item.number * 1000 + place, kind, at, actor, label["name"] if isinstance(label, dict) else label)
        for place, (at, kind, actor, label) in enumerate(events)
    ]


def _told(document: Mapping[str, Any], kind: str) -> list[Json]:
    """What is told of items. Raises InputError where it is not said of which."""
    found: list[Json] = document.get(kind) or []
    for place, one in enumerate(found):
        wanted = ("repo", "number", "event", "created_at") if kind == "events" else ("repo", "number")
        if lacking := [name for name in wanted if one.get(name) is None]:
            raise InputError(f"github.json: {kind}[{place}] lacks {lacking[0]!r}.")
    return found


def user_of(value: Any) -> Json | None:
    """An account as `login` and `type`, from the object or the bare login that a recording gives."""
    if not value:
        return None
    login = value if isinstance(value, str) else value["login"]
    known = None if isinstance(value, str) else value.get("type")
    return {"login": login, "type": known or ("Bot" if login.endswith("[bot]") else "User")}


def instant_of(text: str) -> datetime:
    """The instant of a GitHub time; one without a zone is UTC."""
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
