"""How long an edition of 550 items takes to render: scripts/bench render.

Measured are the Discord parts with the Markdown file, and the page, each from a finished edition and without
pictures; then the three pictures in both themes. Beside stands the floor: the sentences and the links of the same
items put together with `str.join`, unescaped and uncut. Forms and page are timed in seconds of one core.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

from babel import Locale

from benchmarks.kit import Figure, duration, in_turn, write
from bot.model.edition import (
    Author,
    ChannelActivity,
    Community,
    Day,
    Edition,
    GuildName,
    Item,
    Joins,
    Section,
    Sentence,
)
from bot.model.schedule import Period
from bot.model.settings import GitHubSettings, GuildSettings
from bot.render.charts import draw
from bot.render.edition import Writing
from bot.render.layout import Layout

ITEMS = 550
SECTIONS = 10
START = datetime(2030, 3, 4, tzinfo=UTC)
REPOSITORY = "example/project"
SETTINGS = GuildSettings(github=GitHubSettings(repositories=[REPOSITORY]))


def an_item(number: int) -> Item:
    return Item(
        reference=f"{REPOSITORY}#{number}",
        kind="pull_request",
        title=f"[core] Make step {number} of the `loader_v2` pipeline *twice* as fast & safe",
        url=f"https://github.com/{REPOSITORY}/pull/{number}",
        state="merged",
        events=("opened", "merged"),
        author=Author(login=f"person-{number % 40}", name=f"Person {number % 40}"),
    )


def a_sentence(item: Item, place: int) -> Sentence:
    number = item.reference.partition("#")[2]
    return Sentence(
        text=f"Person {place % 40} made step_{number} of the loader twice as fast, from {number} ms to half of that, "
        f"and removed the old path behind the `loader_v2` switch ([#{number}]({item.url})).",
        references=(item.reference,),
        facts=(item.reference,),
        paragraph=place // 4,
    )


def an_edition() -> Edition:
    """Items in ten sections; two thirds are told in words, the others listed."""
    sections = []
    for place in range(SECTIONS):
        items = tuple(an_item(1000 + number) for number in range(place, ITEMS, SECTIONS))
        told = [item for number, item in enumerate(items) if number % 3]
        narrative = tuple(a_sentence(item, number) for number, item in enumerate(told))
        sections.append(Section(key=f"s{place}", title=f"Section {place}", items=items, narrative=narrative))
    days = tuple(Day(date=date(2030, 3, 4) + timedelta(days=n), messages=100 + 9 * n, joins=5 + n) for n in range(7))
    earlier = tuple(Day(date=date(2030, 2, 4) + timedelta(days=n), messages=90, joins=6) for n in range(28))
    community = Community(
        available=True,
        messages=889,
        authors=120,
        channels=tuple(ChannelActivity(id=n, name=f"channel-{n}", messages=300 - n * 20, authors=9) for n in range(12)),
        joins=Joins(available=True, count=56),
        narrative=(Sentence(text="Forty-five people introduced themselves and 11 more joined silently."),),
        days=days,
        earlier_days=earlier,
    )
    return Edition(
        guild=GuildName(id=1, name="Example"),
        title="Example: Week of March 4th",
        layout="themes",
        period=Period(START, START + timedelta(days=7)),
        facts={},
        sections=tuple(sections),
        community=community,
    )


def main() -> None:
    edition, layout = an_edition(), Layout()

    def forms() -> None:
        writing = Writing(edition, SETTINGS, layout)
        writing.parts(writing.markdown())

    def page() -> None:
        Writing(edition, SETTINGS, layout).page()

    def floor() -> str:
        return "\n\n".join(
            "\n".join(
                [sentence.text for sentence in section.narrative] + [f"[{i.title}]({i.url})" for i in section.items]
            )
            for section in edition.sections
        )

    forms_taken, page_taken, floor_taken = in_turn(forms, page, floor, runs=21, clock=time.process_time)
    pictures_taken, _ = in_turn(lambda: draw(edition, Locale("en")), floor)
    figures = [
        duration(f"{ITEMS} items as Discord parts and Markdown", forms_taken, "str.join", floor_taken, runs=21),
        duration(f"{ITEMS} items as a page", page_taken, "str.join", floor_taken, runs=21),
        Figure(figure="three pictures in two themes", value=round(pictures_taken * 1000, 1), unit="ms"),
    ]
    write("render", figures)


if __name__ == "__main__":
    main()
