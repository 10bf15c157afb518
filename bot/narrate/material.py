"""What there is to tell of an item: its title taken apart, and the clauses of its body and comments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.model.edition import Epic, Fact, Item
from bot.model.github import Comment
from bot.model.github_links import closing_references
from bot.narrate.extract import Clause, clauses_of
from bot.narrate.language.en.clauses import words_of
from bot.narrate.language.en.titles import Title, as_change, parse
from bot.narrate.people import People


@dataclass(frozen=True, slots=True)
class Said:
    """A clause, the fact in which it stands, and who said it (None: the item itself, or an account that is gone).

    `person` is the key of the fact that tells the speaker's name.
    """

    clause: Clause
    fact: str
    speaker: str | None = None
    is_comment: bool = False
    person: str = ""

    @property
    def facts(self) -> tuple[str, ...]:
        return (self.fact, self.person) if self.person else (self.fact,)


@dataclass(frozen=True, slots=True)
class Material:
    """An item made ready for telling. `said` is in the order of the text; `closing` are the issues folded into it."""

    item: Item
    title: Title
    author: str | None
    team_agent: bool
    said: tuple[Said, ...]
    closer: str | None = None

    @property
    def reference(self) -> str:
        return self.item.reference

    @property
    def is_pull_request(self) -> bool:
        return self.item.kind == "pull_request"

    @property
    def scope(self) -> str:
        return self.title.scopes[0].lower() if self.title.scopes else ""

    @property
    def is_automated(self) -> bool:
        """Whether a bot made the item, and for nobody in particular."""
        author = self.item.author
        return author is not None and author.bot and self.item.credited is None and not self.team_agent

    @property
    def closes(self) -> tuple[str, ...]:
        """What a pull request closes or would close; nothing for one that was itself closed unmerged."""
        if not self.is_pull_request or self.item.state == "closed":
            return ()
        return self.item.closes or closing_references(self.item.body, self.reference.partition("#")[0])

    @property
    def weight(self) -> float:
        """How much it matters that this item is told."""
        events, item = set(self.item.events), self.item
        points = 4.0 * ("merged" in events) + 2.0 * ("opened" in events) + 2.0 * ("closed" in events)
        points += 2.0 * min(len(item.mentioned_in), 3) + 1.0 * min(len(item.comments), 3) + 1.0 * bool(item.closes)
        points += 1.5 * bool(item.author and item.author.external)
        return points + min(sum(said.clause.figures for said in self.said), 8) * 0.8


def material_of(item: Item, people: People, facts: Mapping[str, Fact]) -> Material:
    closer = next((person for person in item.people if person.role == "closed"), None)
    return Material(
        item=item,
        title=as_change(parse(item.title)) if item.kind == "pull_request" else parse(item.title),
        author=people.author(item),
        team_agent=people.is_team_agent(item),
        said=_once(
            [
                *_body(item.reference, item.body, item.title),
                *_comments(item.reference, item.comments, item.title, people, facts),
            ]
        ),
        closer=people.named(closer.login, closer.name) if closer else None,
    )


def said_of_epic(epic: Epic, people: People, facts: Mapping[str, Fact]) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """What the epic's own body says, and what was said on it in the period."""
    return (
        _once(list(_body(epic.reference, epic.body, epic.title))),
        _once(list(_comments(epic.reference, epic.comments, epic.title, people, facts))),
    )


def _body(reference: str, body: str, title: str) -> Iterable[Said]:
    return (Said(clause, reference) for clause in clauses_of(body, title=title))


def _comments(
    reference: str, comments: Sequence[Comment], title: str, people: People, facts: Mapping[str, Fact]
) -> Iterable[Said]:
    for comment in comments:
        if comment.author is not None and comment.author.bot:
            continue
        key = f"{reference}/comment/{comment.comment_id}"
        for clause in clauses_of(comment.body, title=title):
            yield Said(
                clause,
                key if key in facts else reference,
                people.speaker(comment.author),
                is_comment=True,
                person=f"person/{people.login_of(comment.author)}" if comment.author else "",
            )


def _once(said: list[Said]) -> tuple[Said, ...]:
    """Without clauses that say again what another one said: of two alike the one with more figures stays."""
    kept: list[Said] = []
    for one in said:
        words = _content(one)
        alike = next((other for other in kept if _overlap(words, _content(other)) > 0.6), None)
        if alike is None:
            kept.append(one)
        elif one.clause.figures > alike.clause.figures:
            kept[kept.index(alike)] = one
    return tuple(kept)


def _content(said: Said) -> frozenset[str]:
    return frozenset(word.lower() for word in words_of(said.clause.text) if len(word) > 2) | frozenset(
        token.strip(".,") for token in said.clause.text.split() if any(c.isdigit() for c in token)
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
