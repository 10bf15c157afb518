"""English verbs as they open titles and sentences of software projects: recognised and inflected."""

from __future__ import annotations

from functools import cache

from bot.narrate.wordset import word_set

_REGULAR = word_set(
    """
    abort absorb accelerate accept account accumulate achieve acknowledge acquire activate adapt add address
    adjust adopt advance advertise aggregate agree aim alert align allocate allow alter amend analyze annotate
    announce answer anchor append apply approve archive arrange ask assert assign assume attach attempt
    attribute audit augment authenticate authorize automate avoid await backfill backport balance bail batch
    benchmark block boost bootstrap bound branch brand bring broadcast buffer bump bundle bypass cache calculate
    calibrate call cancel cap capture carry catch centralize change check checkpoint clamp clarify classify
    clean clear clip clone close coalesce collapse collect combine comment compact compare compile complete
    compress compute condense configure confirm connect consolidate constrain consume contain continue
    contribute control convert coordinate copy correct count cover crash create cross curate customize cut
    deadlock debounce debug decide declare decode decouple decrease dedupe deduplicate default defer define
    delay delegate delete deliver demonstrate demote deny depend deploy deprecate derive describe deserialize
    design destroy detach detect determine develop diagnose differentiate disable discard disconnect discover
    discuss dispatch display distinguish distribute document double download downgrade downscale drain draft
    drop dump duplicate edit elevate eliminate embed emit enable encode encourage enforce enhance enlarge enrich
    ensure enter escape establish estimate evaluate evict examine exclude execute exempt expand expect expire
    explain explode explore export expose extend extract factor fail fetch filter finalize finish fix flag
    flatten flip flush fold follow force forget fork format forward freeze fuse gate gather generalize generate
    grant group grow guarantee guard handle hang harden harmonize hash hide highlight hoist honor honour host
    hydrate identify ignore implement import improve include incorporate increase index indicate infer inherit
    initialize inject inline inspect install instantiate instrument integrate intercept interleave introduce
    invalidate invert investigate invoke isolate iterate join journal jump justify keep kill label lack land
    launch lead leak learn leave lengthen let leverage lift limit link lint list load localize locate lock log
    loosen lower maintain make manage map mark mask match materialize measure memoize mention merge migrate
    minimize mirror miss mitigate mock model modernize modify monitor mount move multiply mute name narrow nest
    normalize note notify obey observe obtain offload omit open operate opt optimise optimize order organize
    outline overhaul overlap overload overrun override overwrite own pack package pad paginate parallelize
    parameterize parse partition pass patch pause permit persist pick pin pipe place plan plot plumb point
    polish poll populate port postpone prefer prefetch prefix prepare preempt present preserve prevent print
    prioritize process produce profile prohibit promote propagate propose protect prototype prove provide
    provision prune publish pull purge push put qualify quantize query queue quiet quote raise randomize range
    rank read reach react rearrange recommend reconcile record recover recreate recycle redact redesign redirect
    reduce reference refactor refer refine reflect refresh refuse regenerate register regress reimplement
    reintroduce reject relax release relocate rely reload remove rename render reorder reorganize repair repeat
    replace replay replicate report represent reproduce request require rerun reschedule reserve reset reshape
    reshard resize resolve respect respond restart restore restrict restructure resume resync retain rethink
    retire retrieve retry return reuse reveal revamp revert review revise revisit revive rewire rewrite rework
    roll rotate round route run sample sanitize save scale scan schedule scope score scrape scrub search seal
    secure see seed select send separate serialize serve set settle shard share shift ship shorten show shrink
    shuffle sign silence simplify size skip sleep slice slim slow smooth snapshot solve sort spawn specify
    specialize speed spell spend spill split spread stabilize stage stall standardize start state stay steer
    stop store stream streamline strengthen strip structure subclass submit subscribe substitute suggest
    summarize superset supply support suppress surface survey survive suspend swap switch sync synchronize
    synthesize tag take target teach tear tell terminate test think thread throttle throw tidy tie tighten time
    toggle tokenize tolerate track trace train transfer transform translate transport trap treat triage trigger
    trim truncate trust try tune turn tweak type unblock uncomment unify uninstall unload unlock unpack unpin
    unroll unset unskip unwrap update upgrade upload upscale use validate vectorize vendor verify version
    visualize wait walk want warm warn watch weigh weight whitelist widen win wire wrap write yield zero benefit
    break bring build buy choose collide come consist cost differ disagree do draw drive drop ease exceed exist
    exit feel fight find flow fly get give go happen hit hold hurt improve keep know lag last lay lie live look
    lose matter mean meet need occur offer outperform outrank overtake pay peak plateau promise prefer play
    project race reuse remain rise say scatter seem shadow sit skew spike split stand stick stem suffer suit
    sweep swing talk tend underperform vary violate work wrap write wonder
    """
)

_IRREGULAR = {
    "be": ("was", "been"),
    "become": ("became", "become"),
    "begin": ("began", "begun"),
    "bind": ("bound", "bound"),
    "break": ("broke", "broken"),
    "bring": ("brought", "brought"),
    "build": ("built", "built"),
    "buy": ("bought", "bought"),
    "catch": ("caught", "caught"),
    "choose": ("chose", "chosen"),
    "come": ("came", "come"),
    "cost": ("cost", "cost"),
    "cut": ("cut", "cut"),
    "do": ("did", "done"),
    "draw": ("drew", "drawn"),
    "drive": ("drove", "driven"),
    "feed": ("fed", "fed"),
    "feel": ("felt", "felt"),
    "fight": ("fought", "fought"),
    "find": ("found", "found"),
    "fly": ("flew", "flown"),
    "forget": ("forgot", "forgotten"),
    "freeze": ("froze", "frozen"),
    "get": ("got", "got"),
    "give": ("gave", "given"),
    "go": ("went", "gone"),
    "grow": ("grew", "grown"),
    "hang": ("hung", "hung"),
    "have": ("had", "had"),
    "hide": ("hid", "hidden"),
    "hit": ("hit", "hit"),
    "hold": ("held", "held"),
    "hurt": ("hurt", "hurt"),
    "keep": ("kept", "kept"),
    "know": ("knew", "known"),
    "lay": ("laid", "laid"),
    "lead": ("led", "led"),
    "leave": ("left", "left"),
    "let": ("let", "let"),
    "lie": ("lay", "lain"),
    "lose": ("lost", "lost"),
    "make": ("made", "made"),
    "mean": ("meant", "meant"),
    "meet": ("met", "met"),
    "pay": ("paid", "paid"),
    "put": ("put", "put"),
    "read": ("read", "read"),
    "ride": ("rode", "ridden"),
    "rise": ("rose", "risen"),
    "run": ("ran", "run"),
    "say": ("said", "said"),
    "see": ("saw", "seen"),
    "send": ("sent", "sent"),
    "set": ("set", "set"),
    "show": ("showed", "shown"),
    "shrink": ("shrank", "shrunk"),
    "shut": ("shut", "shut"),
    "sit": ("sat", "sat"),
    "sleep": ("slept", "slept"),
    "speed": ("sped", "sped"),
    "spend": ("spent", "spent"),
    "spin": ("spun", "spun"),
    "split": ("split", "split"),
    "spread": ("spread", "spread"),
    "stand": ("stood", "stood"),
    "stick": ("stuck", "stuck"),
    "sweep": ("swept", "swept"),
    "swing": ("swung", "swung"),
    "take": ("took", "taken"),
    "teach": ("taught", "taught"),
    "tear": ("tore", "torn"),
    "tell": ("told", "told"),
    "think": ("thought", "thought"),
    "throw": ("threw", "thrown"),
    "understand": ("understood", "understood"),
    "win": ("won", "won"),
    "write": ("wrote", "written"),
}

_DOUBLING = word_set(
    """
    bar cap chop clip commit crop debug defer drop dub embed emit equip fit flag flip gap get grab hop hub jam
    jet jog lag log map mop omit opt pad permit pin plan plot plug pop prefer prep quit ram refer regret rerun
    rig rip rub run sag scan scrap scrub set ship shrug shut skim skip slim slip slot snap spin split spot step
    stop strap strip stub stun submit sum swap tag tap transfer transmit trap trim tip unpin unplug unwrap unzip
    wrap zip overlap recap reset unset rebut incur occur
    """
)

VERBS = _REGULAR | frozenset(_IRREGULAR)

# Words that open a title as a noun as often as they do as a verb.
NOUN_TOO = word_set(
    """
    access account address aim alert anchor archive attempt audit balance batch benchmark block bound branch
    buffer bump bundle cache call cap capture cause change check checkpoint clone comment control copy cost
    cover crash cut debug default delay design display document double draft draw drop dump duplicate escape
    estimate exit experiment export fail feed filter find fix flag flow focus force fork format freeze function
    gate grant group guard handle hash hide hit hold host import increase index issue join journal jump label
    lack lag land lead leak leave lift limit link list load lock log look map mark mask match matter mean
    measure merge mirror miss mock model monitor mount move name need nest note offer open order overhaul
    overlap overload override package pad pass patch pause peak permit pick pin pipe place plan plateau plot
    point poll port prefix present process profile program prompt prototype pull push queue query quote race
    raise range rank read record reference refactor refresh release report request reserve reset restart return
    retry review revise rewrite rework rise roll rotate round route run sample save scale scan schedule scatter
    scope score search seed select serve set shadow shard share shift ship show shuffle sign silence slice
    snapshot sort spawn speed spike split spread stage stall stand start state stem stop store stream structure
    suit supply support surface survey sweep swap swing switch tag talk target tear test thread tie time trace
    track trade train transfer transform transport trap travel trigger trust try turn tweak type update upgrade
    upload use value version view wait walk want watch weight fetch project play wire deadlock hang wipe leak spike panic block work wrap yield zero
    """
)


# Of these, the ones that open a title nearly always as verbs.
MOSTLY_VERBS = word_set(
    """
    address aim allow change cut default document drop export fail find fix flag force format group handle hide
    hold import increase join let limit link list load log make mark match measure merge mount move name need
    offer open override pack pass permit pick pin place point poll pull push put raise reference refactor
    refresh remove report request reset restart return revise rewrite rework rotate route run save score select
    serve set share shift ship show sort speed split spread start stop store stream suit supply support surface
    swap switch tag track treat trigger trim try turn tweak type update upgrade upload use watch work wrap
    """
)


def is_verb(word: str) -> bool:
    """Whether `word` (any case) is a verb's base form that we can inflect."""
    lowered = word.lower()
    return _root(lowered) is not None


def _root(word: str) -> tuple[str, str] | None:
    """A known verb and the prefix before it: `rerank` is `re` and `rank`."""
    if word in VERBS:
        return "", word
    for prefix in (
        "re-",
        "auto-",
        "pre-",
        "de-",
        "un-",
        "re",
        "auto",
        "pre",
        "de",
        "un",
        "over",
        "mis",
        "co-",
        "fine-",
    ):
        rest = word[len(prefix) :]
        if word.startswith(prefix) and len(rest) > 2 and rest in VERBS:
            return prefix, rest
    return None


@cache
def past(verb: str) -> str:
    """`rework` -> `reworked`, `build` -> `built`, `drop` -> `dropped`."""
    return _inflected(verb, 0)


@cache
def participle(verb: str) -> str:
    """The form behind "has been": `write` -> `written`."""
    return _inflected(verb, 1)


def _inflected(verb: str, form: int) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][form]
    for prefix in ("re", "over", "under", "un", "mis", "out", "with", "pre"):
        root = verb.removeprefix(prefix)
        if root != verb and root in _IRREGULAR and verb not in _NOT_COMPOUND:
            return prefix + _IRREGULAR[root][form]
    return _with_ed(verb)


_NOT_COMPOUND = frozenset({"relay", "prelay", "unlay", "outlay", "relead"})


def _with_ed(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return (verb + verb[-1] if verb in _DOUBLING else verb) + "ed"


@cache
def third(verb: str) -> str:
    """`fix` -> `fixes`, `carry` -> `carries`."""
    if verb == "be":
        return "is"
    if verb == "have":
        return "has"
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


@cache
def gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return verb[:-1] + "ing"
    return (verb + verb[-1] if verb in _DOUBLING else verb) + "ing"


_OF_PAST = {past(verb): verb for verb in sorted(VERBS)}
_OF_THIRD = {third(verb): verb for verb in sorted(VERBS)}
_OF_PARTICIPLE = {participle(verb): verb for verb in sorted(VERBS)}
_OF_GERUND = {gerund(verb): verb for verb in sorted(VERBS)}


def _inverse(word: str, table: dict[str, str]) -> str | None:
    lowered = word.lower()
    if lowered in table:
        return table[lowered]
    for prefix in ("re", "un", "de", "pre", "over"):
        if lowered.startswith(prefix) and lowered[len(prefix) :] in table:
            return prefix + table[lowered[len(prefix) :]]
    return None


def base_of_past(word: str) -> str | None:
    """The verb whose past form `word` is, or None: `reran` -> `rerun`."""
    return _inverse(word, _OF_PAST)


def is_only_past(word: str) -> bool:
    """Whether the word can be nothing but a past tense: `broke`, `grew`, `wrote`."""
    return any(word == told != done and word != base for base, (told, done) in _IRREGULAR.items())


def base_of_third(word: str) -> str | None:
    return _inverse(word, _OF_THIRD)


def base_of_participle(word: str) -> str | None:
    return _inverse(word, _OF_PARTICIPLE)


def base_of_gerund(word: str) -> str | None:
    return _inverse(word, _OF_GERUND)
