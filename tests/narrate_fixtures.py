"""Invented editions, as small as a test of the narrative needs them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.model.edition import (
    Author,
    Community,
    Coverage,
    Edition,
    Epic,
    Fact,
    GuildName,
    Highlight,
    IntroducedPerson,
    Introductions,
    Item,
    Joins,
    Participant,
    Person,
    QuotedMessage,
    Section,
    Sentence,
)
from bot.model.github import Account, Comment
from bot.model.schedule import Period
from bot.model.settings import GuildSettings

START = datetime(2026, 5, 4, tzinfo=UTC)
REPOSITORY = "acme/rocket"
SETTINGS = GuildSettings.model_validate({"github": {"repositories": [REPOSITORY]}})

_EVENTS = {"merged": ("merged",), "open": ("opened",), "draft": ("opened",), "closed": ("closed",)}
_numbers = itertools.count(1001)


def settings(**groups: dict[str, Any]) -> GuildSettings:
    """Settings with some groups given, such as `narrative={"words": 300}`."""
    return GuildSettings.model_validate({"github": {"repositories": [REPOSITORY]}, **groups})


def pull(title: str, body: str = "", *, state: str = "merged", by: str | None = "ann", **more: Any) -> Item:
    return _item("pull_request", title, body, state, by, **more)


def issue(title: str, body: str = "", *, state: str = "open", by: str | None = "ann", **more: Any) -> Item:
    return _item("issue", title, body, state, by, **more)


def _item(
    kind: str,
    title: str,
    body: str,
    state: str,
    by: str | None,
    *,
    number: int | None = None,
    name: str | None = None,
    said: Sequence[tuple[str, str]] = (),
    events: Sequence[str] | None = None,
    bot: bool = False,
    external: bool = False,
    closed_by: str | None = None,
    credited: str | None = None,
    **fields: Any,
) -> Item:
    number = number or next(_numbers)
    comments = tuple(
        Comment(
            comment_id=number * 100 + place,
            author=Account(login=who),
            created_at=START + timedelta(days=1),
            body=text,
            url=f"https://github.com/{REPOSITORY}/issues/{number}#{place}",
        )
        for place, (who, text) in enumerate(said)
    )
    happened = tuple(_EVENTS[state] if events is None else events) + (("commented",) if comments else ())
    return Item(
        reference=f"{REPOSITORY}#{number}",
        kind=kind,
        title=title,
        url=f"https://github.com/{REPOSITORY}/issues/{number}",
        state=state,
        events=happened,
        author=Author(login=by, name=name, bot=bot, external=external) if by else None,
        credited=Person(login=credited) if credited else None,
        people=(Participant(login=closed_by, role="closed"),) if closed_by else (),
        body=body,
        comments=comments,
        created_at=fields.pop("created_at", START + timedelta(days=1)),
        **fields,
    )


def epic(number: int, title: str, body: str = "", said: Sequence[tuple[str, str]] = ()) -> Epic:
    made = issue(title, body, number=number, said=said)
    return Epic(reference=made.reference, title=title, url=made.url, body=body, comments=made.comments)


def message(number: int, author: str, text: str) -> QuotedMessage:
    url = f"https://discord.com/channels/1/2/{number}"
    return QuotedMessage(message_id=number, author=author, author_id=number, text=text, url=url)


def conversation(*messages: QuotedMessage, reason: str = "tagged", channel: str = "dev", **more: Any) -> Highlight:
    return Highlight(
        message_ids=tuple(one.message_id for one in messages),
        channel=channel,
        channel_id=2,
        authors=tuple(one.author for one in messages),
        author_ids=tuple(one.author_id for one in messages),
        excerpt=messages[0].text[:100],
        url=messages[0].url,
        messages=messages,
        reason=reason,
        **more,
    )


def newcomer(number: int, name: str, text: str) -> IntroducedPerson:
    url = f"https://discord.com/channels/1/9/{number}"
    return IntroducedPerson(user_id=number, name=name, message_ids=(number,), url=url, excerpt=text[:80], text=text)


def community(
    newcomers: Sequence[IntroducedPerson] = (), *, silent: int = 0, joins: bool = True, **more: Any
) -> Community:
    return Community(
        available=True,
        introductions=Introductions(count=len(newcomers), people=tuple(newcomers)),
        joins=Joins(available=joins, count=silent + len(newcomers), silent=silent),
        **more,
    )


def edition(
    *items: Item,
    sections: Sequence[Section] | None = None,
    community: Community | None = None,
    layout: str = "themes",
    github: str = "complete",
) -> Edition:
    """An edition with every fact that a compiled one would have for these items and this community."""
    if sections is None:
        sections = (Section(key="work", title="Work", items=items),) if items else ()
    community = community or Community()
    return Edition(
        guild=GuildName(id=1, name="Acme"),
        title="Acme: Week of May 4th",
        layout=layout,
        period=Period(START, START + timedelta(days=7)),
        facts=_facts(sections, community),
        sections=tuple(sections),
        community=community,
        coverage=Coverage(github=github),
    )


def _facts(sections: Sequence[Section], community: Community) -> dict[str, Fact]:
    from bot.compile.facts import facts_of

    return facts_of(
        guild="Acme",
        period=Period(START, START + timedelta(days=7)),
        sections=sections,
        community=community,
        urls={},
    )


def sentences(edition: Edition) -> list[Sentence]:
    """Every sentence, the sections' first."""
    return [s for section in edition.sections for s in section.narrative] + list(edition.community.narrative)


def words(edition: Edition) -> str:
    """The narrative as a reader sees it: links without their addresses."""
    return "\n".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence.text) for sentence in sentences(edition))


def with_items(edition: Edition, *items: Item) -> Edition:
    """The edition with other items in its only section."""
    return replace(edition, sections=(replace(edition.sections[0], items=items),))
