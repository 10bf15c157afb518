"""Sentences about pull requests and issues, in English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from bot.narrate.drafts import Links
from bot.narrate.language.en import numbers, titles, verbs
from bot.narrate.language.en.clauses import Form, subject_end
from bot.narrate.language.en.foreign import is_foreign
from bot.narrate.language.en.nouns import (
    article,
    head_of,
    is_common_noun,
    is_countable,
    is_plural,
    wants_article,
    with_article,
)
from bot.narrate.language.en.titles import Title
from bot.narrate.language.en.words import COMMON, FUNCTION_WORDS, ORDERING
from bot.narrate.material import Material, Said
from bot.narrate.spelling import Spelling

UNKNOWN_AUTHOR = "An author whose account is gone"
_STRANGE = re.compile(r"[^\x00-\x7f–—‘’“”…×→]")
_LANDED = ("landed", "contributed", "brought in")


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of an author: "proposed" + "to add a tile". Predicates with one `mode` join in one sentence."""

    mode: str
    lead: str
    part: str
    passive: bool = False


class Before(StrEnum):
    """Of whom the sentence before told, for one that tells of somebody."""

    OTHERS = "others"  # of somebody else, or there is none
    AUTHOR = "author"  # of the same author, and of nothing besides
    EARLIER = "earlier"  # of what the same author had done


@dataclass(slots=True)
class Voice:
    """Writes sentences; remembers what it said last, so that forms and names take turns."""

    links: Links
    spelling: Spelling
    names: tuple[str, ...] = ()  # of people, and of topics that are no names: never given a capital
    since: datetime | None = None  # the period's start
    turns: dict[str, int] = field(default_factory=dict)

    def choose(self, kind: str, *choices: str) -> str:
        """The next of the choices, in turn."""
        return choices[self.turn(kind) % len(choices)]

    def turn(self, kind: str) -> int:
        """How often this was asked for before."""
        self.turns[kind] = self.turns.get(kind, 0) + 1
        return self.turns[kind] - 1

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is worded within is not said, and so takes no turns."""
        before = dict(self.turns)
        yield
        self.turns = before

    # --- words -----------------------------------------------------------------------------------------------

    def small(self, text: str) -> str:
        """The text as it goes on within a sentence: small, unless it begins with a name."""
        match = re.match(r"[A-Z][a-z'’]*", text)
        if (
            not match
            or text[match.end() : match.end() + 1].isalnum()
            or text[match.end() : match.end() + 1] in ("_", ".")
        ):
            return text
        word = match[0].lower()
        if text.startswith(("I ", "I'")):
            return text
        known = (
            word in FUNCTION_WORDS
            or word in COMMON
            or is_common_noun(word)
            or verbs.is_verbal(word)
            or self.spelling.is_common(word)
        )
        known = known or (is_plural(word) and not self.spelling.is_name(match[0]))
        return text[0].lower() + text[1:] if known else text

    def phrase(self, text: str) -> str:
        """A noun phrase as it goes on within a sentence, with the article that notes leave out."""
        small = self.small(text)
        first, head = small.split(maxsplit=1)[0], head_of(small)
        if first in ORDERING and not is_plural(head):
            return f"the {small}"
        return with_article(small) if is_countable(head) else small

    def large(self, text: str) -> str:
        """The text as it opens a sentence: names in small letters and identifiers stay as they are."""
        if text.startswith(self.names):
            return text
        first = text.split(maxsplit=1)[0] if text.split() else ""
        if not first[:1].islower() or re.search(r"[_./=()\d]|[a-z][A-Z]", first.rstrip(".,:;")):
            return text
        return text[0].upper() + text[1:]

    def linked(self, said: Said, reference: str) -> str:
        return self.links.linked(said.clause.text, reference.partition("#")[0])

    # --- predicates ------------------------------------------------------------------------------------------

    def mode(self, material: Material) -> str:
        """The kind of the item's predicate, without taking a turn."""
        with self.aside():
            return self.predicate(material).mode

    def predicate(self, material: Material) -> Predicate:
        item, title = material.item, material.title
        if item.kind == "pull_request":
            return self._of_pull_request(item.state, item.events, title, material.reference)
        return self._of_issue(material)

    def _of_pull_request(self, state: str, events: Sequence[str], title: Title, reference: str) -> Predicate:
        imperative = title.form is Form.IMPERATIVE
        if state == "merged":
            if imperative:
                return Predicate("did", "", self.within(titles.in_past(title), reference))
            return Predicate("landed", self.choose("landed", *_LANDED), self.noun_phrase(title, reference))
        infinitive = self.within(titles.infinitive(title), reference) if imperative else ""
        what = f"to {infinitive}" if imperative else self.noun_phrase(title, reference)
        mode = "to" if imperative else "np"
        if state == "closed":
            return Predicate(f"withdrawn-{mode}", "", what if imperative else self.quoted(title))
        if state == "draft" and "opened" not in events:
            return Predicate(f"still-draft-{mode}", "still has a draft open" if imperative else "", what)
        if state == "draft":
            return Predicate(f"draft-{mode}", "drafted a change" if imperative else "drafted", what)
        if "opened" in events:
            lead = self.choose("open", "proposed", "opened a pull request") if imperative else "submitted"
            return Predicate(f"open-{mode}", lead, what)
        return Predicate(f"still-{mode}", "has a pull request open" if imperative else "has in review", what)

    def _of_issue(self, material: Material) -> Predicate:
        item, title = material.item, material.title
        noun = self.issue_noun(material)
        if item.state in ("closed", "merged") and "closed" in item.events:
            return Predicate("closed", "closed", self.issue_phrase(material))
        if "opened" in item.events:
            if title.form is Form.IMPERATIVE:
                infinitive = self.within(titles.infinitive(title), item.reference)
                return Predicate("asked", f"opened {article(noun)} {noun}", f"to {infinitive}")
            if title.form is Form.QUESTION:
                return Predicate("wondered", "asked:", f"“{self.large(title.text)}”")
            if title.form is Form.STATEMENT:
                return Predicate("reported", "reported", f"that {self.statement(title, item.reference)}")
            if title.form is Form.GERUND:
                about = self.within(self.small(title.text), item.reference)
                return Predicate("about", f"opened {article(noun)} {noun}", f"about {about}")
            return Predicate("raised", f"opened the {noun}", self.quoted(title))
        if "reopened" in item.events:
            return Predicate("reopened", "saw reopened", self.issue_phrase(material))
        mode = "discussed" if "commented" in item.events else "stayed"
        return Predicate(mode, "", self.issue_phrase(material))

    def issue_noun(self, material: Material) -> str:
        """What an issue is called: an experiment or a question where its labels or prefixes say so."""
        marks = [*material.item.labels, *material.title.scopes]
        if any("experiment" in mark.lower() for mark in marks):
            return "experiment"
        return material.title.kind or "issue"

    def statement(self, title: Title, reference: str) -> str:
        """A title that states something, to stand behind "that"."""
        text = self.small(title.text)
        end = subject_end(text)
        subject, rest = (text[:end].rstrip(), text[end:]) if end else ("", text)
        plain_noun = " " not in subject and wants_article(subject)
        if is_countable(head_of(subject)) or plain_noun:
            subject = with_article(subject, definite=True)
        return self.within(f"{subject} {rest}".strip(), reference)

    def within(self, text: str, reference: str) -> str:
        return self.links.linked(text, reference.partition("#")[0])

    def quoted(self, title: Title) -> str:
        return f"“{title.headline.replace('“', '‘').replace('”', '’')}”"

    def noun_phrase(self, title: Title, reference: str) -> str:
        """A title that is no command as the object of a sentence; quoted where it reads as a headline."""
        text = title.text
        capitals = sum(word[0].isupper() for word in text.split()[1:])
        if (
            _STRANGE.search(text)
            or is_foreign(text)
            or title.form is not Form.NOUN
            or capitals * 2 > len(text.split())
            or ": " in text
            or len(text.split()) < 2
        ):
            return self.quoted(title)
        told = with_article(self.small(text))
        first = text.split()[0]
        if verbs.is_verb(first) and first.lower() not in verbs.NOUN_TOO and not is_countable(first):
            return self.quoted(title)
        if not self._is_known(first) and (told == text or not self._is_known(head_of(text))):
            return self.quoted(title)
        return self.within(told, reference)

    def _is_known(self, word: str) -> bool:
        """Whether a word that opens a title is known not to be a verb that is missing from the list."""
        lowered = word.lower()
        return (
            not word.isalpha()
            or word.isupper()
            or lowered in FUNCTION_WORDS
            or lowered in COMMON
            or is_common_noun(word)
            or is_plural(word)
            or verbs.is_verbal(word)
            or self.spelling.is_name(word)
        )

    def issue_phrase(self, material: Material) -> str:
        """An issue as the object of a sentence."""
        title, reference = material.title, material.reference
        noun = self.issue_noun(material)
        if title.form is Form.IMPERATIVE:
            what = "request" if noun in ("issue", "feature request") else noun
            return f"the {what} to {self.within(titles.infinitive(title), reference)}"
        if title.form is Form.STATEMENT:
            return f"the report that {self.statement(title, reference)}"
        if title.form is Form.GERUND:
            return f"the {noun} about {self.within(self.small(title.text), reference)}"
        return f"the {noun} {self.quoted(title)}"

    def item_phrase(self, material: Material) -> str:
        """A pull request or issue as the subject or object of a sentence."""
        if not material.is_pull_request:
            return self.issue_phrase(material)
        if material.title.form is Form.IMPERATIVE:
            return f"the pull request to {self.within(titles.infinitive(material.title), material.reference)}"
        return f"the pull request {self.quoted(material.title)}"

    # --- sentences -------------------------------------------------------------------------------------------

    def subject(self, material: Material, name: str, before: Before, *, changes: int = 0) -> str:
        """Who did it: behind a sentence about the same author with "also", or so many `changes` in their place."""
        if before is Before.OTHERS or material.author is None:
            return name
        if before is Before.AUTHOR and not material.team_agent:
            return self.choose("author", "they also", f"{name} also", "they")
        if not changes:
            return self.choose("earlier", f"{name} also", name)
        others = ("another change", "a further change") if changes == 1 else ("other changes", "further changes")
        return self.choose("earlier change", others[0], f"{name} also", others[1], name)

    def name_of(self, material: Material) -> str:
        if material.author is None:
            return UNKNOWN_AUTHOR
        if material.team_agent and self.turns.setdefault(f"agent {material.author}", 0) == 0:
            self.turns[f"agent {material.author}"] = 1
            return f"{material.author}, working for the team,"
        return material.author

    def is_from_last_week(self, material: Material) -> bool:
        """Whether an earlier edition told of the item's opening, and that was in the seven days before the period."""
        item = material.item
        recent = self.since and item.created_at and self.since - item.created_at <= timedelta(days=7)
        return bool(item.continues == "opened" and recent)

    def following(self, material: Material) -> str:
        """What an opening says of an item that an earlier edition told of: `following last week's pull request, `."""
        item = material.item
        if not item.continues or not {"merged", "closed"} & set(item.events):
            return ""
        if item.state == "merged" and item.continues == "opened":
            whose = "last week's" if self.is_from_last_week(material) else "an earlier"
            return f"following {whose} pull request, "
        return "" if self.is_from_last_week(material) else "following up on an earlier edition, "

    def reference(self, material: Material, closes: Sequence[str] = ()) -> str:
        """The item's link in brackets, with the links of what it closes."""
        inside = self.links.link(material.reference)
        if closes:
            done = material.item.state == "merged"
            closing = numbers.listed(closes)
            inside += f", {'closing' if done else 'meant to close'} {closing}"
        return f"({inside})"
