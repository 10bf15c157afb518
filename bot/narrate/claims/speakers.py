"""Whose words facts are: nobody is given what another said or did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.narrate.claims.clauses import lemma
from bot.narrate.claims.known import WORD, FactText, Known
from bot.narrate.claims.nearness import DULL, root
from bot.narrate.claims.roles import named_in, roles_in, roots_of_fact, speaker_of
from bot.narrate.language.en import verbs

_GENDERED = (re.compile(r"\b(?:he|him|his|himself)\b"), re.compile(r"\b(?:she|hers?|herself)\b"))


def gender_faults(words: str, known: Known) -> Iterator[str]:
    """`he` or `she` where no fact says so of anybody."""
    for pattern in _GENDERED:
        if (match := pattern.search(words.lower())) and not pattern.search(known.lower):
            yield f"says {match[0]}, though no fact tells anybody's gender"


def speaker_faults(words: str, known: Known) -> Iterator[str]:
    """Where somebody is said to do or say what stands in the words of another."""
    yield from _act_faults(words, known)
    yield from _silent_faults(words, known)
    yield from _deeds_of_others(words, known)
    yield from _first_person_faults(words, known)
    spoken = [(speaker_of(fact), fact) for fact in known.facts]
    people = {form for who, _ in spoken for form in who}
    named = [
        (form, at)
        for form, at in named_in(words, people)
        if _DOES.match(words[at + len(form) :]) or _SAID_BY.search(words[:at])
    ]
    if len(named_in(words, people)) != 1 or not named:
        return
    form = named[0][0]
    telling = {root(word[0]) for word in WORD.finditer(words)} - DULL - {root(part) for part in form.split()}
    scores = []
    for who, fact in spoken:
        others = {word for _, other in spoken if other is not fact for word in roots_of_fact(other)}
        asks = re.search(r"\b(?:ask|question|wonder|want|request|suggest|propos)", words) is not None
        mine = roots_of_fact(fact) if asks else _stated(fact)
        scores.append((len((telling & mine) - others), who, fact))
    best, who, fact = max(scores, key=lambda score: score[0])
    own = max((score for score, whose, _ in scores if form in whose), default=0)
    clear = (best >= 2 and own == 0) or best >= own + 3
    if clear and who and form not in who and not re.search(rf"\b{re.escape(form)}\b", fact.lower):
        yield f"has {form} say or do what stands in another's words"


# What a speech act needs in the words of who is said to have done it.
_ACTS = (
    (
        re.compile(r"^\s(?:also |then )?(?:asked|asks|wondered|wonders|inquired)\b"),
        re.compile(r"\?|\b(?:ask|question|wonder|please|could|would|can|should|request|want|need)", re.IGNORECASE),
    ),
    (
        re.compile(r"^\s(?:also |then )?(?:thanked|thanks)\b"),
        re.compile(r"\b(?:thank|grateful|kudos|cheers|thx|appreciat|shout)", re.IGNORECASE),
    ),
    (
        re.compile(r"^\s(?:also |then )?(?:agreed|agrees|concurred)\b"),
        re.compile(r"\b(?:agree|yes|same|right|indeed|true|exactly|support|sounds|good|fine|ok)|\+1", re.IGNORECASE),
    ),
)
_ASKED_TO = re.compile(r"^\s(?:also |then )?asked (?:\w+ ){0,3}(?:to|that)\b")  # a request may be told as an order
_SUBJECT = re.compile(r"\b((?:[A-Z][\w'’-]+\s)?[A-Z][\w'’-]+) ([a-z]{4,})\b")


def _deeds_of_others(words: str, known: Known) -> Iterator[str]:
    """`Ann presents` where the facts say `Bob presents`."""
    told: dict[str, set[str]] = {}
    for fact in known.facts:
        for match in _SUBJECT.finditer(fact.text):
            told.setdefault(lemma(match[2]), set()).add(match[1].lower())
    people = {form for fact in known.facts for form in speaker_of(fact)}
    people |= {form for fact in known.facts for role in roles_in(fact) for form in role.forms}
    for form, at in named_in(words, people):
        behind = re.match(r"\s([a-z]{4,})\b", words[at + len(form) :])
        others = told.get(lemma(behind[1]), set()) if behind else set()
        person = [name for name in others if set(name.split()) & people]
        if (
            behind
            and person
            and len(person) == len(others)
            and not any(set(form.split()) & set(n.split()) for n in others)
        ):
            yield f"has {form} do what the facts tell of {person[0]}"
            return


_AUXILIARY = (
    r"(?:have|has|had|did|do|does|could|can|will|would|was|am|also|just|not|never|(?:\w+n['’]t)|(?:un)?able to)"
)
_I_DID = re.compile(rf"\b(?:I|We)(?:['’]\w+)? (?:{_AUXILIARY} )*(?P<verb>[a-z]{{4,}})")
_DID_FIRST = re.compile(r"(?:^|[.!]\s)([A-Z][a-z]{3,})(?=\s)", re.MULTILINE)  # `Confirmed on two boards.`
_IS_ITEM = re.compile(r"^(?:Pull request|Issue|Epic) \S*#\d", re.MULTILINE)
_THEY_DID = re.compile(rf"\s(?:{_AUXILIARY} )*(?P<verb>[a-z]{{4,}})\b")


def _first_person_faults(words: str, known: Known) -> Iterator[str]:
    """`Ann could not reproduce it` where it is Bob who writes "I could not reproduce it"."""
    told: dict[str, set[str]] = {}
    for fact in known.facts:
        for match in _I_DID.finditer(fact.text):
            told.setdefault(lemma(match["verb"]), set()).update(speaker_of(fact))
        for match in () if _IS_ITEM.search(fact.text) else _DID_FIRST.finditer(fact.text):
            if base := verbs.base_of_past(match[1].lower()):
                told.setdefault(root(base), set()).update(speaker_of(fact))
    people = {form for fact in known.facts for role in roles_in(fact) for form in role.forms}
    people |= {form for fact in known.facts for form in speaker_of(fact)}
    for form, at in named_in(words, people) if told else ():
        behind = _THEY_DID.match(words[at + len(form) :])
        verb = lemma(behind["verb"]) if behind else ""
        if verb not in told or not told[verb] or form in told[verb]:
            continue
        own = [fact for fact in known.facts if form in speaker_of(fact)]
        if not any(verb == lemma(word[0]) for fact in own for word in WORD.finditer(fact.text)):
            yield f"has {form} do what another tells of themselves"
            return


_SPEECH = re.compile(
    r"^\s(?:also |then |has )?(?:offered|suggested|said|says|wrote|promised|explained|noted|argued|recalled|warned|"
    r"added that|pointed out|asked|wondered|announced|thanked|recommended|reported)\b"
)


_SAID_BY = re.compile(
    r"[,”\"] (?:said|says|wrote|noted|explained|argued|warned|reported|added|according to) $|^According to $"
)


def _silent_faults(words: str, known: Known) -> Iterator[str]:
    """`Ann suggested` where the facts hold no word of Ann's."""
    speakers = {form for fact in known.facts for form in speaker_of(fact)}
    silent = {form for fact in known.facts for role in roles_in(fact) for form in role.forms} - speakers
    for form, at in named_in(words, silent):
        if _SPEECH.match(words[at + len(form) :]) or _SAID_BY.search(words[:at]):
            yield f"has {form} speak, of whom no fact holds a word"
            return


def _act_faults(words: str, known: Known) -> Iterator[str]:
    """`Ann asked` where Ann's own words ask nothing."""
    spoken = [(speaker_of(fact), fact) for fact in known.facts]
    for form, at in named_in(words, {form for who, _ in spoken for form in who}):
        own = [fact for who, fact in spoken if form in who]
        behind = words[at + len(form) :]
        if _ASKED_TO.match(behind):
            continue
        for act, needed in _ACTS:
            if act.match(behind) and own and not any(needed.search(fact.text) for fact in own):
                yield f"says of {form} what their own words do not show"


_DOES = re.compile(
    r"(?:['’]s(?:\s\w+){1,3}?)?\s(?:\w+ly )?(?:[a-z]+ed|[a-z]+s|is|was|could|can|will|would|had|said|"
    r"(?:re)?(?:wrote|ran|built|made|did)|"
    r"found|has|learnt|ran|got|made|built|gave|took|went|came|saw|kept|led|left|lost|felt|knew|began|broke|brought|sent|"
    r"set|put|told|thought)\b"
)


@lru_cache(maxsize=512)
def _stated(fact: FactText) -> frozenset[str]:
    """The telling words of what a fact says, without its questions."""
    told = re.sub(r"[^.!?\n]*\?", " ", fact.text)
    return frozenset(root(word[0]) for word in WORD.finditer(told)) - DULL
