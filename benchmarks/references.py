"""How fast references are found in ordinary messages, beside the least that any search has to do."""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.kit import Figure, in_turn, write
from bot.model.references import extract_references

MESSAGES = 20_000
HOSTILE = {
    "hashes": "#" * 200_000,
    "brackets": "[" * 200_000,
    "words": "PR " * 70_000,
    "digits": "1 " * 100_000,
    "listed": "#1234, " * 30_000,
}


def main() -> None:
    week = Path("examples/marin-2026-08-24")
    said = [message["content"] for message in json.loads((week / "discord.json").read_text("utf-8"))["messages"]]
    messages = (said * (MESSAGES // len(said) + 1))[:MESSAGES]
    hash_and_digits = re.compile(r"#\d+")

    def ours() -> None:
        for content in messages:
            extract_references(
                content, default_repository="marin-community/marin", repositories=["marin-community/vllm"]
            )

    def least() -> None:
        for content in messages:
            hash_and_digits.findall(content)

    taken, beside = in_turn(ours, least)
    figures = [
        Figure(
            figure="ordinary messages",
            value=round(MESSAGES / taken),
            unit="messages/s",
            beside="a bare search for #digits",
            beside_value=round(MESSAGES / beside),
            ratio=round(beside / taken, 4),
        )
    ]
    for name, text in HOSTILE.items():
        (hostile,) = in_turn(lambda text=text: extract_references(text, default_repository="o/r"))
        figures.append(Figure(figure=f"hostile {name}", value=round(len(text) / hostile / 1e6, 2), unit="M chars/s"))
    write("references", figures)


if __name__ == "__main__":
    main()
