"""The fixed wording of an edition in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.narrate.language.en import numbers

# Prefixes that tell a kind of change, not a topic.
GENERIC_TOPIC = re.compile(
    r"experiment|^(?:epic|nightly|meta|misc|bug|task|chore|feature|wip|rfc|proposal|question|discussion|release|tracking|todo)$"
)
QUIET_WEEK = "It was a quiet week: nothing was merged, opened or discussed."
GITHUB_PARTIAL = "GitHub could not be read in full, so pull requests and issues may be missing here."
GITHUB_UNAVAILABLE = "GitHub could not be read this week, so this edition tells only what was said on Discord."
JOINS_UNAVAILABLE = "How many people joined could not be seen this week."


def light_activity(link: str) -> str:
    return f"Light activity this week ({link})."


def no_activity(link: str) -> str:
    return f"Nothing happened here this week ({link})."


def work_on_epic(link: str, merged: int, people: Sequence[str], *, most: str | None) -> str:
    """How much was merged under an epic, and by whom; `most` did more than half of it."""
    if not merged:
        return f"Nothing was merged for this epic ({link}) this week."
    count = f"{numbers.number(merged, opens=True)} {numbers.plural(merged, 'pull request')} {'was' if merged == 1 else 'were'}"
    if most:
        return f"{count} merged for this epic ({link}), most of them by {most}."
    return f"{count} merged for this epic ({link}), by {numbers.listed(people)}."


def in_topic(name: str) -> str:
    """`In Zephyr, `"""
    return f"In {name}, "


def automated(account: str, count: int, references: str, *, done: bool) -> str:
    what = numbers.plural(count, "pull request")
    account = f"the bot {account.removesuffix('[bot]')}"
    if done:
        return (
            f"{numbers.number(count, opens=True)} automated {what} by {account} "
            f"{'was' if count == 1 else 'were'} merged ({references})"
        )
    return f"{account[0].upper()}{account[1:]} has {numbers.number(count)} automated {what} open ({references})"


def omitted(count: int, references: str) -> str:
    """The closing line that says what the length did not allow."""
    return (
        f"{numbers.number(count, opens=True)} smaller {numbers.plural(count, 'item')} "
        f"{'is' if count == 1 else 'are'} not told here for length: {references}."
    )
