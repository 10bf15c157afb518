"""The fixed wording of an edition in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.compile.scopes import is_abbreviation
from bot.narrate.language.en import nouns, numbers, verbs

# Prefixes that tell a kind of change, not a topic.
GENERIC_TOPIC = re.compile(
    r"experiment|^(?:epic|nightly|meta|misc|bug|task|chore|feature|wip|rfc|proposal|question|discussion|release|tracking|todo)$"
)
GITHUB_PARTIAL = "GitHub could not be read in full, so pull requests and issues may be missing here."
GITHUB_UNAVAILABLE = (
    "GitHub could not be read this week, so pull requests and issues are told only as far as they were known before."
)
JOINS_UNAVAILABLE = "How many people joined could not be seen this week."


def quiet_week(messages: int | None, people: int, *, github: bool, automated: bool) -> str:
    """A period without anything to tell. `messages` is None where no chat is recorded; `github`: items are followed."""
    if messages:
        wrote = f"{numbers.number(people)} {numbers.plural(people, 'person', 'people')} wrote"
        known = [f"{wrote} {numbers.number(messages)} {numbers.plural(messages, 'message')}"]
    else:
        known = ["no messages were recorded"] if messages == 0 else []
    if github and not automated:
        known.append("nothing was merged, opened or discussed on GitHub")
    lead = "Apart from automated changes it was a quiet week" if automated else "It was a quiet week"
    return f"{lead}: {', and '.join(known)}." if known else f"{lead}."


def light_activity(link: str) -> str:
    return f"Light activity this week ({link})."


def no_activity(link: str) -> str:
    return f"Nothing happened here this week ({link})."


def work_on_epic(link: str, merged: int, people: Sequence[str], *, most: str | None) -> str:
    """How much was merged under an epic, and by whom; `most` did more than half of it."""
    if not merged:
        return f"Nothing was merged for this epic ({link}) this week."
    count = f"{numbers.number(merged, opens=True)} {numbers.plural(merged, 'pull request')}"
    were = "was" if merged == 1 else "were"
    if most:
        return f"{count} {were} merged for this epic ({link}), most of them by {most}."
    by = f" by {numbers.listed(people)}" if people else ""
    return f"{count}{by} {were} merged for this epic ({link})."


_SIDE = "On the {} side, "
_TOPIC_FORMS = ("In {}, ", _SIDE, "In {}, ", "As for {}, ")
ELSEWHERE = ("Elsewhere, ", "In other work, ")


def topic(name: str, turn: int) -> str:
    """A prefix as the opening of a sentence: "In RL, ", "In the editor, ", "On the deploy side, "."""
    if is_abbreviation(name):
        name = name.upper()
    verbal = name.islower() and verbs.is_verb(name) and not nouns.is_countable(name)
    form = _SIDE if verbal else _TOPIC_FORMS[turn % len(_TOPIC_FORMS)]
    thing = name.islower() and nouns.is_countable(name)
    return form.format(f"the {name}" if thing and form != _SIDE else name)


STATES = {"merged": "merged", "open": "open", "closed": "closed without a merge"}


def among_them(named: Sequence[str], introduced: int, *, all_told: int, first: bool) -> str:
    """Some of those who introduced themselves, by name; `all_told` of them are named in this sentence and others."""
    if introduced == 1:
        return f"It was {named[0]}"
    if not first:
        return f"Also new {'are' if len(named) > 1 else 'is'} {numbers.listed(named)}"
    if len(named) == 1 and all_told == 1:
        return f"One of them is {named[0]}"
    return f"{'They' if all_told == introduced else 'Among them'} are {numbers.listed(named)}"


NOTE = "A moderator adds:"


def bot(account: str) -> str:
    """How an automated account is called."""
    return f"the bot {account.removesuffix('[bot]')}"


LISTED = 12  # links at most behind a count of automated changes


def some(links: Sequence[str], most: int = LISTED) -> str:
    """The links in a row; of more than `most` the first ones."""
    return numbers.listed(links if len(links) <= most else [*links[: most - 1], "others"])


def upgrades(packages: Sequence[str]) -> str:
    """What automated changes upgraded."""
    if len(packages) > 5:
        return f"upgrades of {numbers.number(len(packages))} packages"
    return f"{numbers.plural(len(packages), 'an upgrade', 'upgrades')} of {numbers.listed(packages)}"


def automated(account: str, count: int | None, references: str, state: str | None) -> str:
    """Bots' pull requests, counted (None: too many to say); their common `state`, or None where it is not known."""
    what = numbers.plural(count or 2, "pull request")
    many = f"{numbers.number(count, opens=True)} automated" if count else "Automated"
    were = "was" if count == 1 else "were"
    account = bot(account)
    match state:
        case None:
            return f"{many} {what} came from {account} ({references})"
        case "merged":
            return f"{many} {what} by {account} {were} merged ({references})"
        case "closed":
            return f"{many} {what} by {account} {were} closed without a merge ({references})"
    number = f"{numbers.number(count)} automated" if count else "many automated"
    return f"{account[0].upper()}{account[1:]} has {number} {what} open ({references})"


def external_contributors(count: int) -> str:
    people = numbers.plural(count, "person", "people")
    return f"{numbers.number(count, opens=True)} {people} from outside the team contributed this week."


def contributed(name: str, what: str, nth_newcomer: int) -> str:
    """`nth_newcomer` counts the first-time contributors told so far; 0 for anybody else."""
    if nth_newcomer == 0:
        return f"{name} {what}"
    if nth_newcomer == 1:
        return f"{name}, contributing for the first time, {what}"
    again = "also a first-time contributor" if nth_newcomer % 2 == 0 else "another newcomer to the project"
    return f"{name}, {again}, {what}"


def newcomers(introduced: int, silent: int | None) -> str:
    """Who came; `silent` is None where joins could not be seen. Empty where nobody came and that is known."""
    people = numbers.plural(introduced, "person", "people")
    came = f"{numbers.number(introduced, opens=True)} {people} introduced themselves"
    if introduced and silent is None:
        return f"{came}; how many joined without a word could not be seen."
    if introduced:
        return f"{came} and {numbers.number(silent)} more joined silently." if silent else f"{came}."
    if silent:
        joined = f"{numbers.number(silent, opens=True)} {numbers.plural(silent, 'person', 'people')} joined"
        return f"{joined} without introducing themselves."
    return ""


def coming(day: str, what: str, by: str | None, url: str | None, *, first: bool) -> str:
    opening = f"Still to come on {day}" if first else f"On {day}"
    if by and url:
        return f"{opening}, as [announced]({url}) by {by}: {what}"
    return f"{opening}, as announced by {by}: {what}" if by else f"{opening}: {what}"


def omitted(count: int, shown: Sequence[str], *, more: int) -> str:
    """The closing line that says what the length did not allow."""
    links = [*shown, f"{numbers.number(more)} more"] if more else shown
    return (
        f"{numbers.number(count, opens=True)} smaller {numbers.plural(count, 'item')} "
        f"{'is' if count == 1 else 'are'} left out here for length: {numbers.listed(links)}."
    )
