"""The words by which a number in a text is told to be a reference, or not to be one; all lower case."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What stands before the number of a pull request or issue, with a hash or without.
TRADE = _words(
    """pr prs pr's pr’s pull pulls pull-request pull-requests request requests issue issues mr mrs gh github
    pr(s pr(s) issue(s issue(s) request(s request(s) pr-nr pr-nr. pr-nummer issue-nr issue-nr.
    pull_request pull_requests pull_number pr_number pr_id issue_number issue_id
    プルリクエスト プルリク イシュー 拉取请求 合并请求 工单 议题 풀리퀘스트 리퀘스트 이슈
    пулл-реквест пулл-реквесты пулл-реквесте пулл-реквеста пул-реквест пул-реквеста пулреквест реквест реквесты
    пр ишью
    """
)
PLURAL = _words(
    "prs pr's pr’s pulls pull-requests requests issues mrs pr(s pr(s) issue(s issue(s) request(s request(s)"
)
# A request is one of ours only behind one of these.
REQUESTED = _words("pull merge 풀")
# Scripts without spaces: the word may follow others directly.
UNSPACED = tuple(word for word in TRADE if word[0] > "\u2fff")

# Words that may be written right before the hash (`fixes#1`) without being a repository's name.
ATTACHED = TRADE | _words(
    """fix fixes fixed close closes closed resolve resolves resolved see re ref refs via and or in of by cf per with bug
    bugs ticket tickets epic
    """
)
# Between the word and the number: "PR no. 1".
NUMBER_SIGNS = _words(
    "no no. nr nr. num num. number numbers id ids n° nº n. № n.º número numéro numero nummer numer numara номер số رقم"
    " 번호"
)
# The same in Chinese and Japanese, written without spaces: "PR第1号".
COUNTERS = "第番号編编號"

# "of" between a repository and what is in it, in scripts without spaces: "engineのPR #1".
PARTICLES = frozenset("の的의之")
# What joins numbers to a list or a range.
AND = "and|or|und|oder|et|ou|y|o|och|и|или"
CONJUNCTIONS = (
    AND + "|e|i|og|eller|en|of|ja|ve|plus|to|through|thru|bis|a|до|sowie|oraz|lub|sekä|veya|dan|và"
    "|as well as|ainsi que|así como|а также"
)
CONJUNCTIONS_UNSPACED = "と|和|与|及|或|や|및|와|과|以及|または|および|그리고|또는|و"
# Between a number and the repository it is of: "PR 1 in engine".
PLACING = _words("in on of at for against @ de du des di em en von van aus im dans в из от")

# Things that carry a number of their own, which is neither a pull request's nor an issue's: "run #8684".
NUMBERED = _words(
    """step steps run runs build builds job jobs workflow pipeline deploy deployment release version rev revision
    attempt
    epoch batch seed row rows line lines page slide order invoice receipt account customer employee user member player
    unit room apartment apt suite flight serial sku submission discussion discussions comment commit commits changeset
    incident alert rfc pep arxiv node gpu tpu worker replica shard host pod rack number document channel lauf
    schritt seite zeile
    página шаг строка
    """
)
# Things that are counted from one: their numbers have three digits at most.
ENUMERATED = _words(
    """try trial sweep iteration layer head expert rank slot device thread process port partition chunk column col
    figure fig table eq ch sec equation theorem lemma section chapter appendix footnote item bullet point question q
    answer
    option choice idea tip rule lesson reason principle law example sample prompt image photo picture video song track
    album episode season part volume vol round level lap stage phase sprint milestone day week month year suite flat
    floor gate seat booth locker box bus train route exit jersey shirt size lot meeting session lecture talk paper
    poster reviewer speaker candidate contestant applicant team group take position place spot ranked ranking top
    priority goal wish puzzle entry game match chart phone pin badge card hole ranks numero finished rated tag woche
    platz paso étape jour semaine день страница
    """
)
RANKING_WORDS = _words(
    """we're were are is be being am i'm they're stays stay remains finish came come at our my your its
    he she it their the a still currently now become became
    """
)
# Behind a small number: it is a rank.
RANKED_THINGS = _words(
    """priority reason rule choice pick fan problem thing cause source goal request complaint question concern feature
    rank ranked place spot position seed team player contributor poster suspect enemy blocker bottleneck offender hit
    song bestseller seller app tool lesson tip trick mistake best most worst biggest favourite favorite worldwide
    overall item topic pain
    """
)
RANK_PLACES = _words("on in for among of worldwide overall again")
# Near a small number: what is said of pull requests and issues only.
EVIDENCE = _words(
    """fix fixes fixed fixing close closes closed closing resolve resolves resolved merge merges merged merging land
    landed lands revert reverts reverted review reviewed reviewing approve approved rebase rebased rebasing
    cherry-pick cherry-picked backport backported supersedes superseded duplicate dupe blocked blocks unblocks depends
    opened reopened reopen draft stacked see cf refs ref related addresses implements green mergeable filed
    """
)

# Other people's trackers, and words that say such a one is meant.
OTHER_TRACKERS = _words(
    """jira gitlab linear bugzilla trac redmine launchpad zendesk asana trello youtrack phabricator gerrit bitbucket
    gitea codeberg forgejo sourcehut helpdesk servicenow clickup shortcut upstream
    """
)
# Well-known projects whose numbers are cited in other projects' chats; a tracked repository's name goes before.
KNOWN_PROJECTS = _words(
    """jax jaxlib flax optax orbax equinox haliax xla openxla pytorch torch torchtitan numpy scipy pandas polars sklearn
    scikit-learn tensorflow keras transformers huggingface trl vllm sglang llama.cpp ggml ollama triton cutlass nccl
    deepspeed megatron megatron-lm apex flash-attention ray kubernetes k8s kueue karpenter docker containerd podman
    nixpkgs homebrew cpython pypy pip uv ruff mypy pydantic fastapi django flask sqlalchemy pytest poetry rustc cargo
    tokio llvm clang gcc golang nodejs deno typescript react nextjs svelte vscode neovim vim emacs linux systemd
    grafana prometheus wandb mlflow airflow dask pyarrow duckdb postgres postgresql sqlite redis clickhouse lm-eval
    lm-evaluation-harness discord.py
    """
)
# Those of them that are no ordinary words.
TICKET_SYSTEMS = OTHER_TRACKERS - _words("linear shortcut upstream")
# A clause with one of these speaks of somebody else's tracker.
ELSEWHERE = (
    r"their (?:tracker|repo|issue|github)|not ours\b|not our (?:tracker|repo)",
    r"(?:someone|somebody) else'?s (?:tracker|repo)",
    r"(?:other|another|different|separate|internal|private) (?:\w+ )?(?:tracker|project|repo|repository)\b",
)
# Periodicals have issues too.
PERIODICALS = _words("newsletter magazine volume vol vol. journal comic weekly zine print")

# Behind a number without a hash: it counts something.
QUANTITIES = _words(
    """times time days day hours hour hrs minutes minute mins min seconds second secs sec ms weeks week months month
    years year yrs people persons users members lines files commits comments tokens token samples steps step images
    pages rows docs documents requests reviews reviewers workers nodes gpus tpus kb mb gb tb kib mib gib tib bytes
    percent pp x k m b km kg lbs lb miles reps points votes more others other further pending remaining total left
    new stale am pm uhr usd eur dollars euros bucks cents mal tage stunden veces fois раз
    """
)
# A plural-looking word that is a verb: "PR 12 fixes it".
VERBS_IN_S = _words(
    """is was has does fixes closes breaks adds looks needs works makes explains solves changes removes blocks unblocks
    resolves addresses supersedes seems helps gets goes uses moves lands depends passes fails touches tracks covers
    introduces implements updates bumps reverts renames still this as us always unless plus versus vs describes says
    shows causes drops sounds wants reads becomes starts stops brings replaces splits merges keeps lets puts runs
    supports requires contains ends documents cleans fixes
    """
)
SAYS_COLOUR = _words(
    """color colour colors colours background background-color bg fill stroke border hex css rgb rgba palette shade hue
    tint accent foreground fg solid dashed dotted grey gray black white outline
    farbe couleur colore cor kleur färg kolor renk цвет 颜色 色 색
    """
)
# Behind a hyphen these keep a number a reference ("#12-related"); other words make it a channel's name.
SUFFIXES = _words(
    """related style induced based like ish only dependent specific driven caused blocked compatible fix fixed type era
    level aware adjacent inspired draft wip review followup approach variant ben ban
    """
)
RANKINGS = _words(
    """leaderboard arena list chart charts hn hackernews podium ranking rankings table board wish-list wishlist trending
    standings scoreboard reddit
    """
)
# Two words with a slash between, which name no repository.
PAIRS = _words("and/or either/or w/o n/a read/write train/eval he/she input/output client/server i/o a/b")
# Behind a number of any size: somebody is counted.
COUNTED_PEOPLE = _words(
    "member subscriber follower visitor customer download downloads star user contributor player fan"
)
# Before "ticket": it is not one of ours.
OTHER_TICKETS = OTHER_TRACKERS | _words(
    "support it help helpdesk parking raffle lottery bus train plane concert hr billing"
)
