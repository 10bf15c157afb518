"""What the text of a pull request or issue says of its place: what it closes, is part of, lists as tasks.

GitHub itself gives pull requests no parent, so the text is all there is. References come out canonical, with
the repository of the text where none is named, each once, in the order of their appearance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_REFERENCE = (
    r"(?:https?://[^\s/]{1,253}/(?P<url_repository>[\w.-]{1,100}/[\w.-]{1,100})/(?:issues|pull)/(?P<url_number>\d{1,9})\b"
    r"|(?P<repository>(?<![\w.-])[A-Za-z0-9][\w.-]{0,99}/[\w.-]{1,100})?(?:\#|(?<![\w/])GH-)(?P<number>\d{1,9})\b)"
)
_ONE = re.compile(_REFERENCE)
# https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
_CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+" + _REFERENCE, re.IGNORECASE)
_PART_OF = re.compile(r"^[ \t>*_#+-]*part[ \t]+of(?![^\W_])(?P<rest>[^\n]*)", re.IGNORECASE | re.MULTILINE)
_TASK = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]+(?P<rest>[^\n]+)", re.MULTILINE)


def closing_references(body: str, repository: str) -> tuple[str, ...]:
    """What merging would close, by GitHub's keywords: "Closes #1", "fixes: owner/repo#2", "resolved <URL>"."""
    return _once(_canonical(found, repository) for found in _CLOSES.finditer(_visible(body)))


def part_of_references(body: str, repository: str) -> tuple[str, ...]:
    """What a line that begins with "Part of" names, such as "Part of #1" or "- **Part of** epic #1 and #2"."""
    lines = (found["rest"] for found in _PART_OF.finditer(_visible(body)))
    return _once(_canonical(found, repository) for line in lines for found in _ONE.finditer(line))


def task_references(body: str, repository: str) -> tuple[str, ...]:
    """What a task list names: the first reference of each line such as "- [ ] #1" or "- [x] Docs (#2)"."""
    tasks = (_ONE.search(found["rest"]) for found in _TASK.finditer(_visible(body)))
    return _once(_canonical(found, repository) for found in tasks if found)


def _visible(body: str) -> str:
    """The text without comments and code, in which GitHub sees no references either."""
    return _HIDDEN.sub(" ", body.replace("\r\n", "\n"))


def _canonical(found: re.Match[str], repository: str) -> str:
    name = found["url_repository"] or found["repository"] or repository
    return f"{name}#{int(found['url_number'] or found['number'])}"


def _once(references: Iterator[str]) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for reference in references:
        first.setdefault(reference.lower(), reference)
    return tuple(first.values())
