"""A denial too many or too few: what a sentence denies has to be denied in the facts, and the other way round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bot.narrate.claims.clauses import Clause, clauses_of, lemma
from bot.narrate.claims.known import Known

# Words that deny without a "not", or speak of what is still to come.
_SOFT = re.compile(
    r"""\b(?:away|gone|ceas|instead|rather|zero|0|break|broke|crash|hung|hang|lost|lose|losing|bug|fix|block|closed|
    free|less|fewer|fail|stop|silent|skip|avoid|prevent|miss|lack|remov|drop|open|draft|reject|declin|refus|exclud|
    ignor|disabl|off\b|out\b|as\ \w+\ as\b|too\ \w+\ (?:to|for)\b|unlike|except|only|alone|stay|remain|same|
    unchanged|keep|kept|leav|left|still|need|requir|track|follow|plan|later|future|request|ask|want|wish|propos|replac|resolv|end\b|ended|
    old|former|previous|used\ to|until|un[a-z]{4}|independent|hide|hidden|protect|guard|forbid|deni|
    however|problem|issue|error|wrong|empty|half|limit|restrict)""",
    re.IGNORECASE | re.VERBOSE,
)
# What is said of the state of items is held against their states elsewhere.
_OF_STATE = re.compile(
    r"""(?:\b(?:not|never)|n['’]t)\ (?:yet\ )?(?:been\ )?(?:yet\ )?
    (?:merged?|landed?|closed?|fixed|resolved|released|finished|reviewed|decided|open|in\ yet)\b|\bno\ longer\ open\b
    |\bneither\b.*\b(?:merged|landed|closed|open)\b|\bwithout\ (?:being\ |having\ been\ |a\ )?(?:merg|review)""",
    re.IGNORECASE | re.VERBOSE,
)


# Words that show that a clause does not simply affirm.
_HEDGED = re.compile(
    r"""\b(?:away|gone|ceas|instead|rather|zero|fix|block|closed|free|less|fewer|fail|stop|skip|avoid|prevent|remov|drop|
    draft|reject|declin|refus|exclud|ignor|disabl|off\b|too\ \w+\ (?:to|for)\b|unlike|except|yet|leav|left|track|
    follow|plan|later|future|request|ask|want|wish|should|would|could|propos|replac|resolv|until|unless|un[a-z]{4}|independent|protect|
    guard|forbid|deni|limit|restrict|support\ for|lack|miss|before|long\ for)""",
    re.IGNORECASE | re.VERBOSE,
)


def polarity_faults(words: str, known: Known) -> Iterator[str]:
    """Where a clause denies what the facts affirm, or affirms what they only deny."""
    said = clauses_of(words)
    told = [clause for fact in known.facts for clause in clauses_of(fact.text)]
    for clause in said:
        mended = _is_mended(clause, known)
        if mended and re.search(r"\bstill\b", clause.text) and not clause.denies:
            yield "says that what a closed issue tells goes on"
        if mended and re.search(r"\b(?:no longer|any ?more)\b", clause.text):
            continue
        if clause.denies and not _OF_STATE.search(clause.text) and not _is_denied(clause, told):
            yield "denies something that no fact denies"
            break
    yield from _never(words, told)
    yield from _none_of_another(words, known)
    yield from _not_done(said, told)
    yield from _affirmed(said, words, known)
    yield from _affirmed_as_a_whole(said, told)


_NO = re.compile(
    r"\bno (?P<what>[a-z]{3,}) (?:(?:is|are|was|were|has|have|can|could|will)\s)?(?:been )?(?P<deed>[a-z]{4,})"
)


def _none_of_another(words: str, known: Known) -> Iterator[str]:
    """`no bus is shown` where the facts say `no tram is shown`."""
    told = {(lemma(match["what"]), lemma(match["deed"])) for match in _NO.finditer(known.lower)}
    for match in _NO.finditer(words.lower()):
        what, deed = lemma(match["what"]), lemma(match["deed"])
        others = {other for other, same in told if same == deed}
        if others and what not in others and what in {lemma(word) for word in known.words}:
            yield f"says {match[0]!r}, where the facts say so of {min(others)}"
            return


_NOT_DONE = re.compile(r"\b(?:is|are|was|were|do|does|did|has|have|had|can|will) not (?:been )?(?P<verb>[a-z]{4,})\b")


def _not_done(said: Sequence[Clause], told: Sequence[Clause]) -> Iterator[str]:
    """`old files are not moved` where the facts say `old files are moved without a manual step`."""
    for clause in said:
        match = _NOT_DONE.search(clause.text)
        verb = lemma(match["verb"]) if match else ""
        telling = [other for other in told if verb in other.roots]
        if not telling or any(verb in other.denied for other in telling):
            continue
        rest = clause.roots - {verb}
        for other in telling:
            if len(rest & other.roots) >= max(2, len(rest) * 2 // 3) and not _is_soft(other, clause):
                yield f"denies what the facts say: {other.text.strip()!r}"
                return


_NEVER = re.compile(r"\b(?:never|no longer|cannot) (?P<verb>[a-z]{4,})\b(?! by\b)", re.IGNORECASE)


def _never(words: str, told: Sequence[Clause]) -> Iterator[str]:
    """`never sleeps` where the facts say `now sleeps`."""
    for match in _NEVER.finditer(words):
        verb = lemma(match["verb"])
        telling = [clause for clause in told if verb in clause.roots]
        now = [clause for clause in telling if re.search(r"\bnow\b", clause.text, re.IGNORECASE)]
        if now and not any(clause.denies or _is_soft(clause, clause) for clause in telling):
            yield f"denies what the facts say: {now[0].text.strip()!r}"
            return


_CLOSED_ISSUE = re.compile(r"^Issue \S*#\d+$.*^State: closed$", re.MULTILINE | re.DOTALL)


def _is_mended(said: Clause, known: Known) -> bool:
    """Whether a closed issue says all that a clause says: a fault that is over."""
    return len(said.roots) >= 2 and any(
        said.roots <= told.roots and not told.denies
        for fact in known.facts
        if _CLOSED_ISSUE.search(fact.text)
        for told in clauses_of(fact.text)
    )


def _is_denied(said: Clause, told: Sequence[Clause]) -> bool:
    """Whether the facts that speak of the same deny something too."""
    if said.denied and any(set(said.denied) <= set(one.denied) for one in told if one.denied):
        return True
    shared = [(len(said.roots & clause.roots), clause) for clause in told]
    best = max((number for number, _ in shared), default=0)
    enough = best if best < 2 else best - 1
    return any(
        number >= enough and (_denies_same(clause, said) or _is_soft(clause, said))
        for number, clause in shared
        if number or not best
    )


def _denies_same(told: Clause, said: Clause) -> bool:
    """Whether what a clause of the facts denies is spoken of, so that `without a word` denies nothing else."""
    if not told.denies:
        return False
    about = told.roots - set(told.denied)
    return (
        not told.denied
        or bool(set(told.denied) & said.roots)
        or len(told.denied) > 1
        or bool(about and about <= said.roots)
    )


_SOFT_WORD = re.compile(rf"(?:{_SOFT.pattern})\w*", re.IGNORECASE | re.VERBOSE)


def _is_soft(told: Clause, said: Clause) -> bool:
    """Whether a clause of the facts denies by its words, other than those that the sentence denies itself."""
    return any(lemma(word.group()) not in said.roots for word in _SOFT_WORD.finditer(told.text))


@lru_cache(maxsize=4096)
def _only_denied(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Words of a fact that stand under a negation wherever they stand, each with the words of the fact."""
    clauses = clauses_of(text)
    everywhere = Counter(root for clause in clauses for root in clause.roots)
    denied = [(root, clause) for clause in clauses for root in dict.fromkeys(clause.denied[:3])]
    under = Counter(root for root, _ in denied)
    whole = frozenset(everywhere)
    return tuple((root, whole) for root, clause in denied if under[root] == everywhere[root])


def _affirmed_as_a_whole(said: Sequence[Clause], told: Sequence[Clause]) -> Iterator[str]:
    """`the app sends it already` where the clause that says most of this denies it."""
    for clause in said:
        if clause.denies or len(clause.roots) < 3:
            continue
        shared = sorted(((len(clause.roots & other.roots), other.denies) for other in told), reverse=True)
        enough = max(3, len(clause.roots) - 1)
        close = [denies for number, denies in shared if number >= max(shared[0][0] - 1, 1)]
        hedges = {lemma(word.group()) for word in _HEDGE_WORD.finditer(clause.text)}
        if shared and shared[0][0] >= enough and close and all(close) and not hedges - clause.roots:
            yield "affirms what the facts deny"
            return


_ADVERBIAL = re.compile(r"\s*(?:on|in|at|with|for|during|under|without)\s", re.IGNORECASE)  # `On mobile data, ...`
_HEDGE_WORD = re.compile(rf"(?:{_HEDGED.pattern})\w*", re.IGNORECASE | re.VERBOSE)


def _affirmed(said: Sequence[Clause], words: str, known: Known) -> Iterator[str]:
    denied = [pair for fact in known.facts for pair in _only_denied(fact.text)]
    denied = [(root, around) for root, around in denied if _is_denied_everywhere(root, known)]
    for clause in said:
        if clause.denies or (_ADVERBIAL.match(clause.text) and any(other.denies for other in said)):
            continue
        hedges = {lemma(word.group()) for word in _HEDGE_WORD.finditer(clause.text)}
        for root, around in denied:
            if (
                root in clause.roots
                and not _is_noun(root, clause.text)
                and not re.search(rf"\b{root}\w* (?:that|about)\b", clause.text)
                and not hedges - around
                and (len((around - {root}) & clause.sentence) or len(clause.sentence) <= 3)
            ):
                yield f"says {root}…, which the facts deny"
                return


def _is_noun(root: str, text: str) -> bool:
    """`the share of them`, where `to share` is denied."""
    nouns = re.findall(
        r"\b(?:the|this|that|its|their)\s([a-z]+)\s(?:of|on|in|for|is|was|fell|rose|went)\b", text.lower()
    )
    return any(lemma(noun) == root for noun in nouns)


def _is_denied_everywhere(root: str, known: Known) -> bool:
    holding = [fact for fact in known.facts if any(root in clause.roots for clause in clauses_of(fact.text))]
    return all(any(root == other for other, _ in _only_denied(fact.text)) for fact in holding)
