"""English noun phrases: articles, plurals."""

from __future__ import annotations

import re

from bot.narrate.wordset import word_set

_COUNTABLE = word_set(
    """
    actor adapter agent alias api audit backend band bench benchmark binary blog board bot branch bridge budget
    bug build button cache canary case catalog catalogue chart check checker checkpoint class cli client cluster
    codec collector column command comparison component config configuration connector container controller
    converter coordinator counter crash cron dashboard database dataset deadlock default dependency deployment
    dialog directory doc document domain draft driver editor emitter endpoint engine entry entrypoint
    environment error event example executor experiment exporter extension failure fallback feature ferry field
    file filter fix flag form format foundation framework function gate generator graph group guard guide half
    handler harness hash head header hook hotfix image implementation index integration interface issue job
    kernel key label launcher layer layout leak library limit link linter list loader lock log logger loop macro
    map matrix mechanism menu message method metric middleware migration mode model module monitor namespace
    node notebook operator option output package page panel parameter parser patch path pipeline placeholder
    plan planner plugin policy pool port primitive probe process profile profiler project prompt property
    protocol provider proxy query queue race rate ratio reader record registry regression release rename
    renderer report request resolver resource retry rewrite role route router row rule runner runtime sampler
    scale schedule scheduler schema scope script selector sensor server service session setting shader shape
    sheet shim shuffle sidecar signal skill slot snapshot source spatializer stack stage state step store
    strategy stream suite summary sweep switch tab table tag target task template test threshold tile timeout
    timer toggle token tokenizer tool tracker trigger tutorial twin type unit upgrade validator value variable
    variant version view warning webhook wheel widget window worker workflow wrapper writer
    """
)
_NO_ARTICLE_BEFORE = word_set(
    """
    a all an another any back better both each eight every few five four her his how it its many missing more
    most my nine no off one only our out proper seven several six some such support ten that the their them
    these this those three to two up what when which whose why your
    """
)
_HEAD_END = re.compile(
    r"\s(?:for|in|on|of|with|to|from|at|by|when|via|after|before|into|over|under|and|or|as|that|which|"
    r"while|across|during|between|without|within|using|against|per|than|through|above|below|towards?)\s|[,:;(]| - "
)
_VOWEL_SOUND_LETTERS = re.compile(r"[AEFHILMNORSX](?=[A-Z\d]|\b)")


def article(phrase: str) -> str:
    """`a` or `an` by the sound with which the phrase begins."""
    first = phrase.split()[0].strip("`\"'“‘(") if phrase.split() else ""
    if len(first) > 1 and first.isupper():
        return "an" if _VOWEL_SOUND_LETTERS.match(first) else "a"
    return "an" if re.match(r"[aeio]|u(?!ni|s[aeu]|ti|ri)|hour|honest|honou?r", first, re.IGNORECASE) else "a"


def head_of(phrase: str) -> str:
    """The noun on which the phrase turns: the last word before a preposition or comma."""
    part = _HEAD_END.split(phrase + " ", maxsplit=1)[0].split()
    return part[-1].strip("`\"'”’)") if part else ""


_OF_WITHOUT_ARTICLE = frozenset(("rid", "out", "most", "lots", "plenty"))


def with_article(phrase: str, *, definite: bool = False) -> str:
    """The phrase with an article where it clearly wants one: a countable singular head and no determiner."""
    words = phrase.split()
    if not words or words[0].lower() in _NO_ARTICLE_BEFORE or words[0][0].isdigit() or words[0].endswith(":"):
        return phrase
    if words[1:2] == ["of"] and words[0] in _OF_WITHOUT_ARTICLE:
        return phrase
    if words[1:2] == ["of"] and words[0].islower() and not is_plural(words[0]) and words[3:4] != ["own"]:
        return f"the {phrase}"
    head = head_of(phrase)
    lead = re.split(r"\s(?:for|in|on|of|with|to|from|at|by)\s|[,:;(]", phrase)[0]
    if " and " in lead and lead.endswith("s"):
        return phrase
    if not wants_article(head) or "'" in words[0] or "’" in words[0] or "," in words[0]:
        return phrase
    if definite or (words[0][0].isupper() and not words[0].isupper() and len(words) > 1):
        return f"the {phrase}"
    return f"{article(phrase)} {phrase}"


_MASS = word_set(
    """
    access acne advice attention auth authentication bandwidth behavior behaviour boilerplate capacity code content
    corruption coverage data documentation evidence feedback garbage glue hardware info information input
    latency logic memory metadata music netcode noise output overhead parity persistence precision preemption progress
    recovery redundancy research responsiveness safety security sense software space storage stuff style support
    telemetry text throughput time traffic triage usage vocabulary work
    """
)
_MASS_ENDINGS = ("ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ism", "ship", "hood", "ware", "age")


def is_countable(word: str) -> bool:
    return word.lower() in _COUNTABLE


def wants_article(word: str) -> bool:
    """Whether a singular noun cannot stand alone: "a tile", but "support", "checkpointing", "checkpoints"."""
    lowered = word.lower()
    if lowered in _COUNTABLE:
        return True
    return (
        word.isalpha()
        and word.islower()
        and len(word) > 2
        and lowered not in _MASS
        and not lowered.endswith(("s", *_MASS_ENDINGS, "ly", "ed", "er than"))
    )


def is_common_noun(word: str) -> bool:
    """Whether the word is an everyday noun of the trade and so no name."""
    lowered = word.lower()
    forms = (lowered, lowered.removesuffix("s"), lowered.removesuffix("es"))
    return any(form in _COUNTABLE or form in _MASS for form in forms) or lowered.endswith(tuple(_COMMON_ENDINGS))


_COMMON_ENDINGS = [
    "ing",
    "tion",
    "tions",
    "sion",
    "ment",
    "ments",
    "ness",
    "ity",
    "able",
    "ible",
    "less",
    "ful",
    "ous",
    "ive",
    "ally",
    "ily",
    "ully",
    "ably",
    "ized",
    "ated",
    "ical",
    "ology",
    "ables",
    "ers",
    "ings",
]


def is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
