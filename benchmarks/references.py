"""How fast references are found, beside the least that any search has to do: seconds of one core.

The messages are those of the example week. They hold far more references than ordinary chat, one in three of them,
so the figure for ordinary chat also takes those of its messages that hold none, nineteen for each one that does.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from benchmarks.kit import Figure, in_turn, write
from bot.model.references import extract_references

MESSAGES = 20_000
TRACKED = ["marin-community/vllm", "marin-community/MarinSkyRL"]
find = partial(extract_references, default_repository="marin-community/marin", repositories=TRACKED)
HOSTILE = {
    "hashes": "#" * 200_000,
    "brackets": "[" * 200_000,
    "words": "PR " * 70_000,
    "digits": "1 " * 100_000,
    "listed": "#1234, " * 30_000,
}


def speed(figure: str, messages: Sequence[str]) -> Figure:
    """Messages a second."""
    hash_and_digits = re.compile(r"#\d+")

    def ours() -> None:
        for content in messages:
            find(content)

    def least() -> None:
        for content in messages:
            hash_and_digits.findall(content)

    taken, beside = in_turn(ours, least, clock=time.process_time)
    return Figure(
        figure=figure,
        value=round(len(messages) / taken),
        unit="messages/s",
        beside="a bare search for #digits",
        beside_value=round(len(messages) / beside),
        ratio=round(beside / taken, 4),
    )


def main() -> None:
    week = Path("examples/marin-2026-08-24")
    said = [message["content"] for message in json.loads((week / "discord.json").read_text("utf-8"))["messages"]]
    said = [content for content in said if content]
    referring, other = cycle(filter(find, said)), cycle(content for content in said if not find(content))
    chat = [next(referring if place % 20 == 0 else other) for place in range(MESSAGES)]
    figures = [
        speed("messages of the example week", list(islice(cycle(said), MESSAGES))),
        speed("ordinary messages", chat),
    ]
    for name, text in HOSTILE.items():
        (hostile,) = in_turn(lambda text=text: find(text), clock=time.process_time)
        figures.append(Figure(figure=f"hostile {name}", value=round(len(text) / hostile / 1e6, 2), unit="M chars/s"))
    write("references", figures)


if __name__ == "__main__":
    main()
