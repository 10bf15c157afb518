"""English words with which a sentence may start, and names that need no fact: what is no claim by itself."""

from __future__ import annotations

from bot.narrate.wordset import word_set

GENERAL_NAMES = word_set(
    """i i'm i'd i've i'll january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday github
    discord english pr prs ci api url id ai ml llm ok faq readme utc q1 q2 q3 q4 mr mrs ms dr cc tl dr internet web
    python bot markdown epic other changes"""
)

COMMON = word_set(
    """a an the this that these those such some any all both each every either neither no none one two three four five
    six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
    thirty forty fifty sixty seventy eighty ninety hundred thousand million zero dozen half another other others
    many most much more less few fewer several enough various numerous first second third fourth fifth last next
    final he she it they we you who whom whose which what whoever whatever there here everyone everybody someone
    somebody anyone anybody nobody nothing something anything everything his her its their our your my mine ours
    theirs himself herself itself themselves and or but nor so yet for if when while where whereas whether because
    since although though unless until till once as than that like unlike despite in on at by to of from with
    without within into onto over under above below between among across through throughout during before after
    behind beyond beside besides along alongside around about against toward towards upon per via amid following
    regarding concerning including excluding given owing thanks due instead apart aside outside inside near off out
    up down past also again already always almost still just only even ever never often rarely sometimes seldom
    usually soon later earlier now then today tomorrow yesterday tonight meanwhile moreover furthermore however
    therefore thus hence otherwise nevertheless nonetheless additionally finally eventually initially originally
    previously currently recently lately newly together altogether elsewhere somewhere anywhere everywhere overall
    notably similarly likewise separately specifically especially particularly generally typically mostly mainly
    largely partly entirely fully nearly roughly approximately exactly precisely further rather quite very too
    indeed perhaps maybe probably apparently evidently clearly simply merely is are was were be been being am do
    does did done doing has have had having can could may might must shall should will would let get gets got
    getting make makes made making take takes took taking not yes please welcome hello congratulations new old good
    bad better best worse worst big bigger large larger largest small smaller smallest high higher highest low lower
    lowest long longer longest short shorter shortest fast faster fastest slow slower slowest early late open closed
    merged draft pending ongoing upcoming latest current previous recent active quiet busy main major minor key core
    central important notable interesting useful common rare single double separate similar different same external
    internal public private local remote global full empty whole complete partial direct indirect automatic
    automated manual optional required possible impossible real true false right wrong left work working works
    worked team teams people person member members community communities contributor contributors contribution
    contributions newcomer newcomers author authors maintainer maintainers reviewer reviewers review reviews
    moderator moderators user users developer developers engineer engineers student students researcher researchers
    researcher's colleague colleagues participant participants reader readers week weeks month months day days year
    years hour hours minute minutes weekend period time times date dates morning evening afternoon night beginning
    middle end start pull request requests issue issues change changes commit commits fix fixes bug bugs feature
    features patch patches update updates upgrade upgrades release releases version versions branch branches
    repository repositories project projects code codebase test tests testing suite build builds run runs running
    script scripts tool tools tooling library libraries package packages module modules function functions class
    classes file files folder directory document documents documentation docs guide guides page pages report reports
    summary summaries note notes experiment experiments result results finding findings measurement measurements
    benchmark benchmarks figure figures number numbers table tables chart charts plot plots graph graphs dashboard
    dashboards panel panels metric metrics data dataset datasets sample samples token tokens batch batches model
    models training train trained evaluation evaluations inference serving pretraining finetuning fine tuning loss
    losses accuracy throughput latency memory performance speed speedup cost costs budget budgets quality error
    errors failure failures crash crashes problem problems question questions answer answers reply replies message
    messages thread threads channel channels conversation conversations discussion discussions comment comments post
    posts link links announcement announcements introduction introductions event events meeting meetings talk talks
    session sessions call calls job jobs task tasks step steps stage stages phase phases plan plans goal goals idea
    ideas proposal proposals decision decisions option options choice choices reason reasons cause causes effect
    effects impact consequence support progress effort efforts attention focus interest help feedback thanks
    gratitude praise node nodes cluster clusters machine machines server servers service services worker workers
    scheduler schedulers queue queues cache caches store stores storage database databases pipeline pipelines
    workflow workflows system systems infrastructure platform network networking backend frontend interface client
    clients device devices hardware software kernel kernels compiler compilers runtime container containers image
    images default defaults setting settings configuration configurations config parameter parameters value values
    limit limits threshold thresholds rate rates ratio ratios size sizes length lengths width depth count counts
    total totals average averages peak peaks range ranges gap gaps difference differences increase increases
    decrease decreases reduction reductions improvement improvements gain gains drop drops growth rise side part
    parts piece pieces half halves group groups set sets list lists series kind kinds type types form forms case
    cases example examples instance instances detail details point points place places way ways area areas topic
    topics section sections subject theme themes story stories news adding added adds fixing fixed removing removed
    removes replacing replaced moving moved using used uses switching switched building built writing wrote written
    opening opened closing closes merging landing landed shipping shipped improving improved reducing reduced
    increasing increased cutting raising raised lowering lowered speeding scaling scaled measuring measured
    comparing compared based asked asking told telling said says shared sharing posted posting reported reporting
    proposed proposing announced suggested suggesting explained explaining noted noting found finding showed showing
    shown described describing introduced introducing joined joining led leading credited credit according rounding
    counting counted looking looked seen saw going went coming came keeping kept leaving holding held turning turned
    starting started stopping stopped finishing finished continuing continued resuming bringing brought giving gave
    putting put setting allowing allowed enabling enabled disabling disabled preventing prevented avoiding avoided
    handling handled supporting supported planned planning expected nobody's everyone's today's week's community's
    project's team's behind former latter thanks cleanup cleanups refactoring refactor refactors maintenance dependency
    dependencies security stability reliability observability monitoring logging telemetry alerting alerts alert
    automation deployment deployments migration migrations rollout rollouts hotfix hotfixes regression regressions
    incident incidents outage outages restart restarts retry retries recovery checkpoint checkpoints shard shards
    sharding partition partitions buffer buffers stream streams reader writer loader loaders parser parsers
    tokenizer tokenizers optimizer optimizers weights layers layer expert experts router routing attention context
    sequence sequences gradient gradients precision scaling ladder recipe recipes sweep sweeps ablation ablations
    baseline baselines control controls parallelism communication bandwidth utilization utilisation overhead compute
    sounds looks seems feels means needs wants asks reads tells shows gives keeps stays remains becomes evidence
    proof question attempts attempt try tries effort hope hopes worry worries concern concerns users' people's
    visitors readers' anybody's contributors' developers' members' participants' light heavy see read look compare
    consider try visit watch check keep let altogether nothing's that's it's there's here's what's who's let's don't
    didn't doesn't isn't wasn't aren't weren't won't can't couldn't hasn't haven't hadn't"""
)
