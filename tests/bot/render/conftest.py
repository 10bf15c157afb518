"""Editions to render: a full week of an invented community, and a way to vary it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.model.edition import (
    Author,
    ChannelActivity,
    ComingEvent,
    Community,
    Coverage,
    Day,
    Edition,
    ExternalContributor,
    Fact,
    GuildName,
    Highlight,
    IntroducedPerson,
    Introductions,
    Item,
    Joins,
    Section,
    Sentence,
    SharedLink,
)
from bot.model.parts import Rendered
from bot.model.schedule import Period
from bot.model.settings import GuildSettings, parse_settings
from bot.render.edition import render

START = datetime(2026, 4, 6, tzinfo=UTC)
PERIOD = Period(START, START + timedelta(days=7))
GUILD = 900


def item(number: int, title: str = "", *, repository: str = "lumen/lumen", **changes: object) -> Item:
    """A merged pull request of the period."""
    known: dict[str, object] = {
        "reference": f"{repository}#{number}",
        "kind": "pull_request",
        "title": title or f"[core] Change number {number}",
        "url": f"https://github.com/{repository}/pull/{number}",
        "state": "merged",
        "events": ("opened", "merged"),
        "author": Author(login="ada", name="Ada Moreau"),
    }
    return Item(**{**known, **changes})  # type: ignore[arg-type]


def told(*items: Item, paragraph: int = 0, words: str = "Ada Moreau rewrote the planner") -> Sentence:
    """A sentence that links the items."""
    links = ", ".join(f"[#{i.reference.partition('#')[2]}]({i.url})" for i in items)
    references = tuple(i.reference for i in items)
    return Sentence(text=f"{words} ({links}).", references=references, facts=references, paragraph=paragraph)


def highlight(message_id: int = 5001, **changes: object) -> Highlight:
    known: dict[str, object] = {
        "message_ids": (message_id,),
        "channel": "research",
        "channel_id": 77,
        "authors": ("Bo",),
        "author_ids": (1,),
        "excerpt": "The new sampler halves the error on long inputs.",
        "url": f"https://discord.com/channels/{GUILD}/77/{message_id}",
        "reason": "tagged",
        "tagged_by": (4242,),
    }
    return Highlight(**{**known, **changes})  # type: ignore[arg-type]


def edition(**changes: object) -> Edition:
    known: dict[str, object] = {
        "guild": GuildName(id=GUILD, name="Lumen"),
        "title": "Lumen: Week of April 6th",
        "layout": "themes",
        "period": PERIOD,
        "facts": {},
    }
    return Edition(**{**known, **changes})  # type: ignore[arg-type]


def _days(first: date, count: int, base: int) -> tuple[Day, ...]:
    return tuple(
        Day(date=first + timedelta(days=n), messages=base + (n % 7) * 13, joins=(n * 5) % 11) for n in range(count)
    )


@pytest.fixture(scope="session")
def settings() -> GuildSettings:
    return parse_settings('[publish]\nchannel = "digest"\n[github]\nrepositories = ["lumen/lumen", "lumen/docs"]\n')


@pytest.fixture(scope="session")
def full_edition() -> Edition:
    """Three sections, a community section and every list filled."""
    planner, index, fix = item(11, "[core] Rewrite the planner"), item(12, "[core] An index"), item(13, "Mend `a_b`")
    docs = item(4, "Explain *everything*", repository="lumen/docs", state="open", events=("opened",))
    quote = highlight(5002, excerpt="Has anybody tried this on a phone?", reason="discussion")
    announced = highlight(5001)
    community = Community(
        available=True,
        messages=1234,
        authors=56,
        channels=(
            ChannelActivity(id=77, name="research", messages=700, authors=30),
            ChannelActivity(id=78, name="雑談", messages=500, authors=20),
            ChannelActivity(id=79, name="🦞-general", messages=34, authors=6),
        ),
        introductions=Introductions(
            count=2,
            people=(
                IntroducedPerson(
                    user_id=31,
                    name="名前",
                    message_ids=(6001,),
                    excerpt="I build telescopes.",
                    url=f"https://discord.com/channels/{GUILD}/80/6001",
                ),
                IntroducedPerson(
                    user_id=32,
                    name="Zoë",
                    message_ids=(6002,),
                    excerpt="Compilers, mostly.",
                    url=f"https://discord.com/channels/{GUILD}/80/6002",
                ),
            ),
        ),
        joins=Joins(available=True, count=21, silent=19, silent_user_ids=(70001, 70002)),
        external_contributors=(ExternalContributor(login="kim", name="Kim", open=("lumen/docs#4",)),),
        highlights=(announced, quote),
        shared_links=(
            SharedLink(
                url="https://example.org/paper_(1)",
                title="A paper [draft]",
                channel="research",
                author="Bo",
                message_id=5003,
                author_id=1,
            ),
        ),
        events=(ComingEvent(what="Office hours", date=date(2026, 4, 15), announced_by="Bo", message_id=5004),),
        narrative=(
            Sentence(
                text="Kim opened a guide to everything ([docs#4](https://github.com/lumen/docs/pull/4)).",
                references=("lumen/docs#4",),
                facts=("lumen/docs#4",),
            ),
            Sentence(
                text=f"In [#research]({announced.url}), Bo reported that the new sampler halves the error.",
                facts=("message/5001",),
                paragraph=1,
            ),
            Sentence(text="Two people introduced themselves and 19 more joined silently.", paragraph=2),
        ),
        days=_days(START.date(), 7, 120),
        earlier_days=_days(START.date() - timedelta(days=21), 21, 90),
    )
    return edition(
        facts={"message/5004": Fact(text="Office hours", url=f"https://discord.com/channels/{GUILD}/77/5004")},
        community=community,
        sections=(
            Section(
                key="core",
                title="Core & more",
                items=(planner, index, fix),
                emoji="🧭",
                narrative=(
                    told(planner, words="Ada Moreau rewrote the planner"),
                    told(index, words="An index of `rows` followed", paragraph=1),
                ),
            ),
            Section(key="docs", title="Documentation", items=(docs,), narrative=()),
            Section(key="quiet", title="Sleeping", activity="none"),
        ),
        coverage=Coverage(github="complete"),
    )


@pytest.fixture(scope="session")
def rendered(full_edition: Edition, settings: GuildSettings) -> Rendered:
    """The full edition in all its forms. Its pictures take most of a second to draw, so it is rendered once."""
    return render(full_edition, settings)


def _fixture_of(function):
    @pytest.fixture(name=function.__name__)
    def give():
        return function

    return give


give_item, give_told, give_highlight = _fixture_of(item), _fixture_of(told), _fixture_of(highlight)


@pytest.fixture
def rebuilt():
    """Build an edition with nothing in it but what is given."""
    return edition


class Seen:
    """What a reader sees of one line in Discord's client: the text, the links, whom it mentions, its markup.

    A small model of the client, written from its behaviour: escapes are read outside of labels and code only; a
    link whose label holds an address, a mention or an emoji is shown as its source.
    """

    _LINK = re.compile(r"\[((?:\[[^\]]*\]|[^\[\]])*[^\[]*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\[^\n])*?)>?\s*\)")
    _PIECE = re.compile(
        r"\\([^A-Za-z0-9\s])|`([^`]+)`|\|\|(.+?)\|\||<(@!?|@&|#)\d+>|(@everyone|@here)|<(https?://[^ >]+)>|(https?://[^\s<]+)"
        r"|(\*\*(?:\\.|[^\\])+?\*\*|__(?:\\.|[^\\])+?__(?!_)|~~.+?~~|\*(?!\s)(?:\\.|\*\*|[^*\\])+?(?<!\s) {0,2}\*(?!\*)"
        r"|_(?:\\.|__|[^_\\])+?_(?![a-zA-Z0-9_]))"
    )
    _LINE = re.compile(r"^ *(#{1,3} |-# |> |>>> |[*-] |\d+\. )")

    def __init__(self, source: str) -> None:
        self.links: list[tuple[str, str]] = []
        self.previews: list[str] = []
        self.mentions: list[str] = []
        self.hidden: list[str] = []
        self.styled: list[str] = []
        self.line_markup = bool(self._LINE.match(source))
        self.text = ""
        position = 0
        while position < len(source):
            link = self._LINK.match(source, position)
            piece = self._PIECE.match(source, position)
            if link and self._admissible(link[1]):
                self.links.append((link[1], link[2]))
                if not source[: link.end()].endswith(">)"):
                    self.previews.append(link[2])
                self.text += re.sub(r"`([^`]+)`", r"\1", link[1])
                position = link.end()
            elif piece:
                self._read(piece)
                position = piece.end()
            else:
                self.text += source[position]
                position += 1

    @staticmethod
    def _admissible(label: str) -> bool:
        bad = re.search(r"https?://|discord\.gg/|<[@#:]|@everyone|@here|[\U0001f300-\U0001faff]", label)
        return bool(label.strip()) and not bad

    def _read(self, piece: re.Match[str]) -> None:
        escaped, code, spoiler, mention, mass, bracketed, bare, styled = piece.groups()
        if mention or mass:
            self.mentions.append(piece[0])
        if spoiler:
            self.hidden.append(spoiler)
        if styled:
            self.styled.append(styled)
        if bracketed or bare:
            self.links.append((bracketed or bare, bracketed or bare))
        if bare:
            self.previews.append(bare)
        self.text += next((part for part in (escaped, code, bracketed, bare, styled, mass) if part), "")


@pytest.fixture
def seen() -> type[Seen]:
    return Seen
