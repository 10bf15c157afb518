"""Facts with true and false sentences in files, of both example weeks and of invented communities."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path

from tests.grounding_cases import Case

FOLDER = Path(__file__).parent / "grounding"


def cases_of(file: Path) -> list[Case]:
    """The cases of a file: `true` holds a sentence a line, `false` a kind of error, a bar and the sentence."""
    return [_case(one) for one in tomllib.loads(file.read_text(encoding="utf-8"))["case"]]


def _case(told: dict[str, str]) -> Case:
    false: dict[str, list[str]] = defaultdict(list)
    for line in told["false"].strip().splitlines():
        kind, _, sentence = line.partition(" | ")
        false[kind].append(sentence)
    return Case(
        facts=tuple(fact.strip() for fact in told["facts"]),
        true=tuple(told["true"].strip().splitlines()),
        false={kind: tuple(sentences) for kind, sentences in false.items()},
    )


FILED_CASES = [case for file in sorted(FOLDER.glob("*.toml")) for case in cases_of(file)]
