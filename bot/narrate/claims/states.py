"""What a sentence says of the state of pull requests and issues, against what the facts say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.narrate.claims.known import FactText, Known, Mentioned, mentioned

_STRUCTURED = re.compile(r"\b(?:state|status)[\"']?\s*[:=]\s*[\"']?(open|draft|merged|closed)\b", re.IGNORECASE)
_FLAG = re.compile(r"\b(merged|draft)[\"']?\s*[:=]\s*[\"']?(true|false|yes|no)\b", re.IGNORECASE)
_LISTED = re.compile(r"(?m)^(merged|open|closed|draft): (?:\d+: )?(.*#\d.*)$", re.IGNORECASE)
_BE = r"(?:is|are|was|were|been|remains?|stays?|still|currently|now|got|just)(?: still| currently| now| since| just)?"
_PROSE = (
    ("open", r"(?:not|n't|never|yet to be)(?: yet)?(?: been)? merged|\bunmerged\b"),
    ("open", rf"{_BE} open\b|[(\[]open[)\]]|awaits? review|awaiting review|under review|waiting for (?:a )?review"),
    ("closed", rf"closed without (?:being |a )?merg|{_BE} closed\b|[(\[]closed[)\]]|\bclosed (?:on|by|as|in|:)"),
    ("draft", rf"(?:{_BE}|as|in)(?: an?)? draft\b|[(\[]draft[)\]]"),
    ("merged", rf"{_BE} merged\b|[(\[]merged[)\]]|\bmerged(?: on| at| by| into?|:| \d{{4}})|has landed|\blanded\b"),
)
_PROSE_STATES = [(state, re.compile(pattern, re.IGNORECASE)) for state, pattern in _PROSE]
_KIND = re.compile(r"(?m)^(pull request|PR|issue|epic) (\S*#\d+)", re.IGNORECASE)


def states_of(known: Known) -> list[tuple[Mentioned | None, str]]:
    """(reference, state) as far as the facts tell; reference None where a fact's state is of nothing named."""
    return [pair for fact in known.facts for pair in _kept_states(fact)]


@lru_cache(maxsize=2048)
def _kept_states(fact: FactText) -> tuple[tuple[Mentioned | None, str], ...]:
    return tuple(_states_in(fact))


def _states_in(fact: FactText) -> Iterator[tuple[Mentioned | None, str]]:
    for listed in _LISTED.finditer(fact.text):
        for mention in mentioned(listed[2]):
            yield mention, listed[1].lower()
    told = [(match.start(), match[1].lower()) for match in _STRUCTURED.finditer(fact.text)]
    flags = {match[1].lower(): match[2].lower() in ("true", "yes") for match in _FLAG.finditer(fact.text)}
    if len(told) == 1 or (not told and flags):
        state = told[0][1] if told else ("merged" if flags.get("merged") else "open")
        if state in ("open", "closed") and flags.get("merged"):
            state = "merged"
        if state == "open" and flags.get("draft"):
            state = "draft"
        yield subject_of(fact), state
        return
    for at, state in told:
        before = [mention for mention in fact.mentioned if mention.end and mention.end <= at]
        yield (before[-1] if before else None), state
    if not told and not _LISTED.search(fact.text):
        yield from _prose_states(fact)


@lru_cache(maxsize=2048)
def subject_of(fact: FactText) -> Mentioned | None:
    """What the fact is about: the reference of its heading, else its only or first one in the first lines."""
    if (kind := _KIND.search(fact.text)) and (named := mentioned(kind[2])):
        return named[0]
    head = len("\n".join(fact.text.split("\n")[:3]))
    early = [mention for mention in fact.mentioned if mention.start < head and mention.end]
    return early[0] if early else None


def _prose_states(fact: FactText) -> Iterator[tuple[Mentioned | None, str]]:
    for sentence in re.split(r"(?<=[.!?;])\s+|\n", fact.text):
        here = mentioned(sentence)
        for state, pattern in _PROSE_STATES:
            if pattern.search(sentence):
                subjects: list[Mentioned | None] = [*here] or [subject_of(fact)]
                yield from ((mention, state) for mention in subjects)
                break


# --- what a sentence claims -------------------------------------------------------------------------------------------

_CLAIM = re.compile(
    r"""\b(?:
      (?P<unmerged>(?:not|never|n't|n’t)(?:\ yet)?(?:\ been)?\ merged|unmerged|yet\ to\ (?:be\ merged|merge|land)
          |(?:await\w*|waiting\ for|pending)\ (?:a\ |its\ |another\ )?(?:merge|review)|waiting\ to\ be\ merged
          |closed\ without\ (?:being\ |a\ )?merg\w+
          |(?:still\ |remains?\ |stays?\ |currently\ )?(?:in|under)\ review|has\ not\ landed|hasn't\ landed)
      |(?P<unopened>(?:no\ longer|not)(?:\ an?)?\ (?:open|draft))
      |(?P<unclosed>(?:not|never|n't)(?:\ yet)?(?:\ been)?\ closed)
      |(?P<reopened>re-?opened)
      |(?P<merged>merged|landed|shipped|(?:is|are|was|were|went)\ in
          (?=[\s,.;)]*(?:$|[,.;)]|and\b|now\b|on\ (?:the\b|[A-Z\d])|[\w./-]*\#\d)))
      |(?P<resolved>(?:is|are|was|were|been|got)\ (?:now\ |already\ |finally\ |since\ )?(?:fixed|resolved|solved)
          |(?:is|are|was|were|been)\ (?:added|implemented|built)(?!\ to\b)|(?:has|have)\ become)
      |(?P<closed>closed)
      |(?P<closing>closes|closing)
      |(?P<draft>drafts?(?:\ (?:pull\ requests?|PRs?|state|form|mode))?)
      |(?P<opened>opened|filed|proposed|submitted|reported|started|raised)
      |(?P<open>(?:still|remains?|stays?|is|are|was|were|left|kept|currently|both|an?|the|his|her|their|as|,)\ open\b
            (?!(?<=was\ open)\ (?:for|until)\b)
          |open(?=\ (?:pull|PRs?|issues?)\b)|open(?=\)))
      |(?P<other>[a-z]{3,}ed|was|were|wrote|made|built|found|ran|began|cut|took|gave|got|brought|sent|set|put)
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
_FUTURE = re.compile(
    r"""(?:\b(?:to\ be|will\ be|would\ be|can\ be|should\ be|could\ be|must\ be|once|until|before|if
      |after|when|being|gets?|not|never|wait\w*\ (?:to|for)|ready\ to\ be)\s+
      (?:(?:it|this|that|they|[\w./-]*\#\d+)\ (?:is\ |has\ |are\ )?)?|n['’]t\ )$""",
    re.VERBOSE | re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?:[\w./-]*#\d+(?:,\s|\sand\s)?)+\)")  # references only: part of the clause they stand in
_CLAUSE = re.compile(r"[;:]|,\s|\s(?:and|but|while|whereas|with)\s|[()]", re.IGNORECASE)

_CONTRADICTS = {
    "merged": {"open", "unmerged", "draft", "unclosed"},
    "open": {"merged", "closed", "draft", "unopened", "resolved"},
    "draft": {"merged", "closed", "unopened", "resolved"},
    "closed": {"merged", "open", "draft", "unclosed"},
}
_NEEDED = {
    "merged": r"merg|land|ship|\bin main\b|\bis in\b|\bare in\b|went in|\bis now in\b",
    "closed": r"clos|resolv|fix|done|complet|finish|merg",
    "reopened": r"reopen|re-open",
    "draft": r"draft|\bwip\b",
    "unmerged": r"open|draft|not|n't|unmerged|review|await|propos|clos|wip|pending|yet",
}


def state_faults(text: str, known: Known) -> Iterator[str]:
    """Where the sentence says of a reference what the facts deny, or what they do not tell at all."""
    states = states_of(known)
    facts = known.lower
    for claim, mention in _claims(text):
        told = _told(mention, states)
        if mention is not None and (fixes := fixes_meant(text, mention, known)) is not None:
            told = {state for fix in fixes for state in _told(fix, states)} or told - {"closed"}
        if any(claim in _CONTRADICTS[state] for state in told) and not any(_agrees(claim, state) for state in told):
            name = f"#{mention.number}" if mention else "it"
            yield f"says {claim} of {name}, which is {' and '.join(sorted(told))}"
        elif (not told and claim in _NEEDED and not re.search(_NEEDED[claim], facts)) or (
            claim in ("reopened", "draft") and not re.search(_NEEDED[claim], facts)
        ):
            yield f"says {claim}, which no fact tells"
    yield from _kind_faults(text, known)


_FIX_FOR = re.compile(
    r"\b(?:fix|fixes|patch|remedy|solution|workaround|answer|follow-up|successor) (?:for|to|of) \(?$", re.IGNORECASE
)
_CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:es|ed)?|resolve[sd]?):? ([^.\n]{0,80})", re.IGNORECASE)


def fixes_meant(text: str, mention: Mentioned, known: Known) -> list[Mentioned] | None:
    """What closes an issue, where `the fix for #12` is spoken of; None where the item itself is."""
    if not _FIX_FOR.search(text[: mention.start]):
        return None
    return [
        subject
        for fact in known.facts
        if (subject := subject_of(fact)) is not None
        and any(one.is_same(mention) for match in _CLOSES.finditer(fact.text) for one in mentioned(match[1]))
    ]


def _agrees(claim: str, state: str) -> bool:
    return claim == state or (claim == "unmerged" and state != "merged") or (claim == "open" and state == "draft")


def _told(mention: Mentioned | None, states: list[tuple[Mentioned | None, str]]) -> set[str]:
    if mention is None:
        every = {state for _, state in states}
        return every if len(every) == 1 else set()
    own = {state for other, state in states if other is not None and mention.is_same(other)}
    if own:
        return own
    unnamed = {state for other, state in states if other is None}
    named = any(other is not None for other, _ in states)
    return unnamed if len(unnamed) == 1 and not named else set()


def _claims(text: str) -> Iterator[tuple[str, Mentioned | None]]:
    """Each state that is claimed, with the reference it is claimed of: of its clause, else of the clause beside."""
    text = _BRACKETED.sub(lambda match: f" {match[0][1:-1]} ", text)
    clauses: list[tuple[list[tuple[str, int]], list[Mentioned], bool, bool]] = []
    start = 0
    mentions = mentioned(text)
    bounds = [*((match.start(), match.end()) for match in _CLAUSE.finditer(text)), (len(text), len(text))]
    for end, following in bounds:
        claims = [(_kind_of(match, text), match.start()) for match in _CLAIM.finditer(text, start, end)]
        here = [mention for mention in mentions if start <= mention.start < end]
        if claims or here:
            apposed = not here and len(text[start:end].split()) <= 3
            clauses.append((claims, here, text[start - 1 : start] == "(", apposed))
        start = following
    carried: str | None = None
    waiting: list[Mentioned | None] = []
    for claims, here, bracketed, apposed in clauses:
        real = [(claim, at) for claim, at in claims if claim != "other"]
        if bracketed and here and not real:
            real_claims = [carried] if carried else []
            waiting += [] if carried else here
        elif here:
            real_claims = [claim for claim, _ in real] or ([carried] if carried and not claims else [])
            if not real_claims and not claims:
                waiting += here
        else:
            real_claims = []
        for claim in real_claims:
            if claim and claim != "other":
                for mention in here:
                    if claim == "closing" or (len(real_claims) > 1 and len(here) > 1):
                        continue
                    yield claim, mention
        if real and not bracketed:
            if not here:
                yield from ((real[0][0], mention) for mention in waiting)
                if not waiting and not mentions:
                    yield from ((claim, None) for claim, at in real if text[at : at + 3].lower() in _PLAIN)
            waiting = []
        if claims and not bracketed:
            carried = real[-1][0] if real and not apposed else None


# What may be "in": a change, not a result or a message.
_CHANGE = re.compile(r"(?:#\d+\)?|\b(?:pull requests?|PRs?|change|fix|patch|work|they|it|both))\s*$", re.IGNORECASE)
_PLAIN = ("mer", "lan", "clo", "reo", "re-")  # the words that speak of states even where no reference stands


_NOT = {"merged": "unmerged", "closed": "unclosed", "open": "unopened"}


def _kind_of(match: re.Match[str], text: str) -> str:
    claim = match.lastgroup or "other"
    if (
        claim == "merged"
        and match[0].lower().endswith((" in", " in on"))
        and match[0][:4].lower() != "went"
        and not _CHANGE.search(text[: match.start()])
    ):
        return "other"
    if match[0].lower() == "landed" and re.match(r"\s(?:\d|(?:in|near|at|on) (?:an?|the) )", text[match.end() :]):
        return "other"
    if claim in _NOT and re.search(r"\bneither\b[^.;]*$", text[: match.start()], re.IGNORECASE):
        return _NOT[claim]
    if claim in ("merged", "closed", "resolved") and _FUTURE.search(text[max(0, match.start() - 30) : match.start()]):
        return "other"
    return claim


_SAID_KIND = re.compile(r"\b(pull request|PR|issue)s? \(?(?:[\w./-]+)?#(\d+)", re.IGNORECASE)


def _kind_faults(text: str, known: Known) -> Iterator[str]:
    kinds = {
        named.number: match[1].lower().replace("pr", "pull request") if len(match[1]) == 2 else match[1].lower()
        for fact in known.facts
        for match in _KIND.finditer(fact.text)
        for named in mentioned(match[2])
    }
    for match in _SAID_KIND.finditer(text):
        said = "issue" if match[1].lower() == "issue" else "pull request"
        told = kinds.get(int(match[2]), said)
        if told in ("issue", "pull request") and told != said:
            yield f"calls #{match[2]} {said}, which is {told}"
