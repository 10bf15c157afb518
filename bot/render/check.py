"""Try templates before an edition depends on them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from bot.model.edition import (
    Author,
    ChannelActivity,
    ComingEvent,
    Community,
    Coverage,
    Edition,
    Epic,
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
from bot.model.schedule import Period
from bot.model.settings import GuildSettings
from bot.render.edition import Writing
from bot.render.layout import Layout

_MESSAGE = "https://discord.com/channels/1/2/3"
_ITEM = "https://github.com/example/project/pull/1"


def check_templates(folder: Path | None) -> list[str]:
    """What is wrong with the operator's templates, a sentence each: a full and an empty edition are tried.

    Raises TemplateFailure where a template that comes with the program fails.
    """
    if folder is not None and not folder.is_dir():
        return [f"GAZETTE_TEMPLATES: there is no folder {folder}; the built-in templates are used."]
    problems: list[str] = []
    for edition in (invented_edition(), _empty_edition()):
        writing = Writing(edition, GuildSettings(), Layout(folder))
        writing.parts(writing.markdown())
        writing.page()
        problems += writing.problems
    return list(dict.fromkeys(problems))


def _empty_edition() -> Edition:
    period = Period(datetime(2030, 1, 7, tzinfo=UTC), datetime(2030, 1, 14, tzinfo=UTC))
    return Edition(guild=GuildName(id=1, name="Example"), title="Example", layout="themes", period=period, facts={})


def invented_edition() -> Edition:
    """A short edition in which everything occurs that a template can show."""
    item = Item(
        reference="example/project#1",
        kind="pull_request",
        title="An item",
        url=_ITEM,
        state="merged",
        events=("opened", "merged"),
        author=Author(login="someone", name="Some One"),
    )
    highlight = Highlight(
        message_ids=(3,),
        channel="general",
        channel_id=2,
        authors=("Some One",),
        author_ids=(4,),
        excerpt="Something worth reading.",
        url=_MESSAGE,
        note="a note",
    )
    told = Sentence(text=f"Some One did something ([#2]({_ITEM[:-1]}2)).")
    epic = Epic(reference="example/project#9", title="An epic", url=f"{_ITEM[:-1]}9", summary="What it is about.")
    community = Community(
        available=True,
        messages=10,
        authors=2,
        channels=(ChannelActivity(id=2, name="general", messages=10, authors=2),),
        introductions=Introductions(
            count=1,
            people=(IntroducedPerson(user_id=4, name="Some One", message_ids=(3,), url=_MESSAGE, excerpt="Hello."),),
        ),
        joins=Joins(available=True, count=1),
        external_contributors=(ExternalContributor(login="else", merged=("example/project#3",)),),
        highlights=(highlight,),
        shared_links=(
            SharedLink(url="https://example.org", title="A page", channel="general", author="x", message_id=3),
        ),
        events=(ComingEvent(what="A meeting", date=date(2030, 1, 20), announced_by=None, message_id=5),),
        narrative=(told,),
    )
    return Edition(
        guild=GuildName(id=1, name="Example"),
        title="Example: Week of January 7th",
        layout="themes",
        period=_empty_edition().period,
        facts={"message/5": Fact(text="A meeting", url=_MESSAGE)},
        sections=(
            Section(key="a", title="A section", items=(item,), highlights=(highlight,), narrative=(told,), emoji="📰"),
            Section(key="b", title="An epic", epic=epic, activity="light"),
        ),
        community=community,
        coverage=Coverage(github="partial"),
        omitted=("example/project#4",),
    )
