"""Lists of English verbs: regular, irregular, doubling their last letter, spelled like nouns."""

from __future__ import annotations

from bot.narrate.wordset import word_set

REGULAR = word_set(
    """
    abort absorb abuse accelerate accept account accumulate achieve acknowledge acquire activate adapt add
    address adjust adopt advance advertise aggregate agree aim alert align allocate allow alter amend analyze
    anchor animate annotate announce answer append apply approve archive arrange ask assert assign assume attach
    attempt attribute audit augment authenticate authorize automate avoid await backfill backport bail balance
    batch benchmark benefit bisect blink block blur boost bootstrap bound branch brand break bring broadcast
    buffer build bump bundle buy bypass cache calculate calibrate call cancel cap capture carry catch centralize
    change check checkpoint choose clamp clarify classify clean clear clip clone close coalesce collapse collect
    collide combine come comment compact compare compile complete compress compute condense configure confirm
    confuse connect consist consolidate constrain consume contain continue contribute control convert coordinate
    copy correct cost count cover crash crawl create cross curate customize cut deadlock debounce debug decide
    declare decode decouple decrease dedupe deduplicate default defer define delay delegate delete delight
    deliver demonstrate demote deny depend deploy deprecate derive describe deserialize design destroy desync
    detach detect determine develop diagnose differ differentiate disable disagree disappear discard disconnect
    discover discuss dispatch display distinguish distribute do document double downgrade download downscale
    draft drain draw drift drive drop dump duplicate ease edit elevate eliminate embed emit enable encode
    encourage enforce enhance enlarge enqueue enrich ensure enter escape establish estimate evaluate evict
    examine exceed exclude execute exempt exist exit expand expect expire explain explode explore export expose
    extend extract factor fail feel fetch fight filter finalize find finish fix flag flatten flicker flip flood
    flow flush fly fold follow force forget fork format forward freeze fuse gate gather generalize generate get
    give glitch go grant group grow guarantee guard handle hang happen harden harmonize hash hide highlight
    hijack hit hoist hold honor honour host hurt hydrate identify ignore implement import improve include
    incorporate increase index indicate infer inherit initialize inject inline inspect install instantiate
    instrument integrate intercept interleave introduce invalidate invert investigate invoke isolate iterate
    join journal jump justify keep kill know label lack lag land last launch lay lead leak learn leave lengthen
    let leverage lie lift limit link lint list live load localize locate lock log look loosen lose lower
    maintain make manage map mark mask match materialize matter mean measure meet memoize mention merge migrate
    minimize mirror misbehave misread miss mitigate mock model modernize modify monitor mount move multiply mute
    name narrow need nest normalize note notify obey observe obtain occur offer offload omit open operate opt
    optimise optimize order organize outline outperform outrank overflow overhaul overheat overlap overload
    override overrun overtake overwrite own pack package pad paginate parallelize parameterize parse partition
    pass patch pause pay peak permit persist pick pin pipe place plan plateau play plot plumb point polish poll
    populate port postpone preempt prefer prefetch prefix prepare present preserve prevent print prioritize
    process produce profile prohibit project promise promote propagate propose protect prototype prove provide
    provision prune publish pull purge push put qualify quantize query queue quiet quote race raise randomize
    range rank reach react read rearrange recommend reconcile record recover recreate recycle redact redesign
    redirect reduce refactor refer reference refine reflect refresh refuse regenerate register regress
    reimplement reintroduce reject relax release reload relocate rely remain remove rename render reorder
    reorganize repair repeat replace replay replicate report represent reproduce request require rerun
    reschedule reserve reset reshape reshard resize resolve respawn respect respond restart restore restrict
    restructure resume resync retain rethink retire retrieve retry return reuse revamp reveal revert review
    revise revisit revive rewire rework rewrite rise roll rotate round route run sample sanitize save say scale
    scan scatter schedule scope score scrape scrub seal search secure see seed seem select send separate
    serialize serve set settle shadow shard share shatter shift ship shorten show shrink shuffle sign silence
    simplify sit size skew skip sleep slice slim slow smooth snapshot solve sort spam spawn specialize specify
    speed spell spend spike spill split spread stabilize stage stall stand standardize start state stay steer
    stem stick stop store stream streamline strengthen strip structure stutter subclass submit subscribe
    substitute suffer suggest suit summarize superset supply support suppress surface survey survive suspend
    swap sweep swing switch sync synchronize synthesize tag take talk target teach tear teleport tell tend
    terminate test think thread throttle throw tidy tie tighten time toggle tokenize tolerate trace track train
    transfer transform translate transport trap treat triage trigger trim truncate trust try tune turn tweak
    type unblock uncomment underperform unify uninstall unload unlock unpack unpin unroll unset unskip unwrap
    update upgrade upload upscale use validate vanish vary vectorize vendor verify version violate visualize
    wait walk want warm warn watch weigh weight whitelist widen win wire wobble wonder work wrap write yield
    zero
    """
)

IRREGULAR = {
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
    "undo": ("undid", "undone"),
    "redo": ("redid", "redone"),
    "withdraw": ("withdrew", "withdrawn"),
    "understand": ("understood", "understood"),
    "win": ("won", "won"),
    "write": ("wrote", "written"),
}

DOUBLING = word_set(
    """
    bar cap chop clip commit crop debug defer drop dub embed emit equip fit flag flip gap get grab hop hub incur
    jam jet jog lag log map mop occur omit opt overlap pad permit pin plan plot plug pop prefer prep quit ram
    rebut recap refer regret rerun reset rig rip rub run sag scan scrap scrub set ship shrug shut skim skip slim
    slip slot snap spin split spot step stop strap strip stub stun submit sum swap tag tap tip transfer transmit
    trap trim unpin unplug unset unwrap unzip wrap zip
    """
)

# Words that open a title as a noun as often as they do as a verb.
NOUN_TOO = word_set(
    """
    access account address aim alert anchor archive attempt audit balance batch benchmark block bound branch
    buffer bump bundle cache call cap capture cause change check checkpoint clone comment control copy cost
    cover crash cut deadlock debug default delay design display document double draft draw drop dump duplicate
    escape estimate exit experiment export fail feed fetch filter find fix flag flow focus force fork format
    freeze function gate grant group guard handle hang hash hide hit hold host import increase index issue join
    journal jump label lack lag land lead leak leave lift limit link list load lock log look map mark mask match
    matter mean measure merge mirror miss mock model monitor mount move name need nest note offer open order
    overhaul overlap overload override package pad panic pass patch pause peak permit pick pin pipe place plan
    plateau play plot point poll port prefix present process profile program project prompt prototype pull push
    query queue quote race raise range rank read record refactor reference refresh release report request
    reserve reset restart retry return review revise rework rewrite rise roll rotate round route run sample save
    scale scan scatter schedule scope score search seed select serve set shadow shard share shift ship show
    shuffle sign silence slice snapshot sort spawn speed spike split spread stage stall stand start state stem
    stop store stream structure suit supply support surface survey swap sweep swing switch tag talk target tear
    test thread tie time trace track trade train transfer transform transport trap travel trigger trust try turn
    tweak type update upgrade upload use value version view wait walk want watch weight wipe wire work wrap
    yield zero
    """
)

# Of these, the ones that open a title nearly always as verbs.
MOSTLY_VERBS = word_set(
    """
    address aim allow bump change cut default document drop export fail find fix flag force format group handle hide
    hold import increase join let limit link list load log make mark match measure merge mount move name need
    offer open override pack pass permit pick pin place point poll pull push put raise refactor reference
    refresh remove report request reset restart return revise rework rewrite rotate route run save score select
    serve set share shift ship show sort speed split spread start stop store stream suit supply support surface
    swap switch tag track treat trigger trim try turn tweak type update upgrade upload use watch work wrap
    """
)
