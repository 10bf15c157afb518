"""References in text: every kind of mention, every kind that is none, the whole example week."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model.references import Reference, extract_references

WEEK = Path(__file__).resolve().parents[3] / "examples" / "marin-2026-08-24"
DEFAULT = "acme/rocket"
OTHERS = ["acme/engine", "acme/SkyLab"]


def found(text: str) -> list[str]:
    return [one.canonical for one in extract_references(text, default_repository=DEFAULT, repositories=OTHERS)]


# A number stands for one of the default repository.
REFERENCES: list[tuple[str, list[int | str]]] = [
    ("PRs 8684 and 8753", [8684, 8753]),
    ("PRs 8684, 8753 and 8733", [8684, 8753, 8733]),
    ("PRs #8684, #8753 & #8733", [8684, 8753, 8733]),
    ("issues #1/#2", [1, 2]),
    ("issues 8571/8572", [8571, 8572]),
    ("#8684/#8753", [8684, 8753]),
    ("#8684/8753", [8684, 8753]),
    ("PRs #8684-#8690", [8684, 8690]),
    ("PRs 8684–8690", [8684, 8690]),
    ("Pull Request #8684", [8684]),
    ("PULL REQUEST 8684", [8684]),
    ("pull-request 8684", [8684]),
    ("PR: #8684", [8684]),
    ("PR-8684", [8684]),
    ("PR8684 is in", [8684]),
    ("PR no. 8684", [8684]),
    ("issue nr. 8571", [8571]),
    ("issue № 8571", [8571]),
    ("PR number 8684", [8684]),
    ("PR #8684’s tests", [8684]),
    ("gh pr checkout 8684", [8684]),
    ("`gh pr view 51 -R acme/engine`", ["acme/engine#51"]),
    ("git fetch origin pull/8684/head", [8684]),
    ("refs/pull/8684/head", [8684]),
    ("acme/engine/pull/51", ["acme/engine#51"]),
    ("Fixes: #8684", [8684]),
    ("fixes#8684", [8684]),
    ("closes #8571.", [8571]),
    ("**#8684**", [8684]),
    ("~~#8684~~ ||#8753||", [8684, 8753]),
    ("_#8684_", [8684]),
    ("__PR 8684__", [8684]),
    ("> #8684", [8684]),
    ("“#8684”", [8684]),
    ("「#8684」を見て", [8684]),
    ("（#8684）", [8684]),
    ("关于#8684的问题", [8684]),
    ("＃８６８４", [8684]),
    ("PR８６８４", [8684]),
    ("#٨٦٨٤", [8684]),
    ("PR8684をマージした", [8684]),
    ("プルリクエスト 8684", [8684]),
    ("イシュー#8571と#8572", [8571, 8572]),
    ("이슈 8571 확인", [8571]),
    ("#8684은", [8684]),
    ("пулл-реквест 8684", [8684]),
    ("PR 8684 и 8753", [8684, 8753]),
    ("PRs 8684 und 8753", [8684, 8753]),
    ("les PR 8684 et 8753", [8684, 8753]),
    ("https://github.com/acme/rocket/pull/8684/files#diff-abc12", [8684]),
    ("https://github.com/acme/rocket/pull/8684?w=1", [8684]),
    ("https://github.com/acme/rocket/issues/8571?foo=1#issuecomment-55", [8571]),
    ("(https://github.com/acme/rocket/pull/8684)", [8684]),
    ("http://www.github.com/Acme/Rocket/pull/8684.", [8684]),
    ("github.com/acme/rocket/pull/8684", [8684]),
    ("HTTPS://GitHub.com/acme/rocket/PULL/8684", [8684]),
    ("https://github.com/acme/rocket/pull/8684，然后#8753", [8684, 8753]),
    ("<https://github.com/acme/rocket/pull/8684>", [8684]),
    ("https://api.github.com/repos/acme/rocket/issues/8571/comments", [8571]),
    ("https://github.com/acme/rocket/pull/8684.diff", [8684]),
    ("[#335](https://github.com/acme/SkyLab/pull/335)", ["acme/SkyLab#335"]),
    ("[#8684](https://github.com/acme/rocket/pull/8684)", [8684]),
    ("engine#51", ["acme/engine#51"]),
    ("ENGINE #51", ["acme/engine#51"]),
    ("SkyLab PR 335", ["acme/SkyLab#335"]),
    ("engine PR #51", ["acme/engine#51"]),
    ("PR 51 in engine", ["acme/engine#51"]),
    ("issue #335 in SkyLab", ["acme/SkyLab#335"]),
    ("**engine**#51", ["acme/engine#51"]),
    ("`engine`: #51", ["acme/engine#51"]),
    ("acme/rocket #8684", [8684]),
    ("the #8684-related bug", [8684]),
    ("#7 is ready for review", [7]),
    ("PR 7", [7]),
    ("GH-1", [1]),
    ("#1 is merged", [1]),
    ("(#1)", [1]),
    ("PRs:\n- 8684\n- 8753", [8684, 8753]),
    ("#\u200b8684", [8684]),
    ("PR\u200b 8684\u200b", [8684]),
    ("engine\u200b#51", ["acme/engine#51"]),
    ("issue 12 and 3 others", [12]),
    ("PR 8684, 2 comments", [8684]),
    ("see rocket#8684#issuecomment-1", [8684]),
    ("post-#8684 world", [8684]),
    ("e.g. #8684", [8684]),
    ("done.#8684", [8684]),
    ("#8684.", [8684]),
    ("(PRs 8684, 8753)", [8684, 8753]),
    ("PRs 12, 13 and 14", [12, 13, 14]),
    ("fixes #12", [12]),
    ("1. #8684\n2. #8753", [8684, 8753]),
    ("- [ ] #8684\n- [x] #8753", [8684, 8753]),
    ("PR (#8684)", [8684]),
    ("#8684→#8753", [8684, 8753]),
    ("Merge pull request #8684 from x/fix-12", [8684]),
    ("#8684 #8753 #8733", [8684, 8753, 8733]),
    ("#8684,#8753", [8684, 8753]),
    ("PRs 8684 8753", [8684, 8753]),
    ("#8684\n#8753", [8684, 8753]),
    ("github issue 8571", [8571]),
    ("comment #12 on #8684", [8684]),
    ("PR #8684 (8 files)", [8684]),
    ("#8684 8753 tokens", [8684]),
    ("bug #8571", [8571]),
    ("ticket #8571", [8571]),
    ("issue-8571-fix", [8571]),
    ("fix/issue-8571", [8571]),
    ("pull 8740 please", [8740]),
    ("pull 8740", [8740]),
    ("https://redirect.github.com/acme/rocket/pull/8684", [8684]),
    ("[x](https://github.com/acme/rocket/pull/8684), #8753", [8684, 8753]),
    ("https://github.com/acme/rocket/pull/8684,#8753", [8684, 8753]),
    ("https://github.com/acme/rocket/pull/8684\thttps://github.com/acme/rocket/pull/8753", [8684, 8753]),
    ("#8684 vs. #8753", [8684, 8753]),
    ("PR #8684: 8753 tok/s", [8684]),
    ("#8684; 8753", [8684]),
    ("PR 8684 / 8753", [8684, 8753]),
    ("acme/rocket#123456", [123456]),
    ("see PR https://github.com/acme/rocket/pull/8684", [8684]),
    ("issue(s) 8571, 8572", [8571, 8572]),
    ("PR(s): 8684", [8684]),
    ("l'issue 8571", [8571]),
    ("la PR n°8684", [8684]),
    ("PR-Nr. 8684", [8684]),
    ("пул-реквест 8684", [8684]),
    ("议题 8571", [8571]),
    ("PR số 8684", [8684]),
    ("MR #8684", [8684]),
    ("feature request #8571", [8571]),
    ("PRs 51 and 52 in engine", ["acme/engine#51", "acme/engine#52"]),
    ("in acme/engine: #51 and #52", ["acme/engine#51", "acme/engine#52"]),
    ("pull request 8684 in acme/engine", ["acme/engine#8684"]),
    ("#8684 or 8753", [8684, 8753]),
    ("PR8684/PR8753", [8684, 8753]),
    ("| #8684 | merged |", [8684]),
    ("|#8684|", [8684]),
    ("the PR (https://github.com/acme/rocket/pull/8684) and its issue(#8571)", [8684, 8571]),
    ("bug/issue 8571", [8571]),
    ("see issues: 8571; 8572", [8571, 8572]),
    ("ב-#8684", [8684]),
    ("ดู#8684นะ", [8684]),
    ("PR ٨٦٨٤", [8684]),
    ("修复了#8684和#8753", [8684, 8753]),
    ("＃8684、＃8753", [8684, 8753]),
    ("github.com:acme/rocket/pull/8684", [8684]),
    ("<https://github.com/acme/rocket/pull/8684|the fix>", [8684]),
    ("--pr 8684", [8684]),
    ('<a href="https://github.com/acme/rocket/pull/8684">#8684</a>', [8684]),
    ("fixes #8684, #8753, and closes #8571", [8684, 8753, 8571]),
    ("the newest one is #8790!", [8790]),
    ("#8684-#8690", [8684, 8690]),
    ("#8684 & #8753", [8684, 8753]),
    ("PR#8684&8753", [8684, 8753]),
    ("(fixes: #8684)", [8684]),
    ("PR #8684's description", [8684]),
    ("grade #8684", [8684]),
    ("#8684: needs rebase", [8684]),
    ("PR 8684: needs rebase", [8684]),
    ("re #8684 / #8753", [8684, 8753]),
    ("Issue 8571 and PR 8684 and engine PR 51", [8571, 8684, "acme/engine#51"]),
    ("PULL 8684", [8684]),
    ("pulls 8684 + 8753", [8684, 8753]),
    ("`PR 8684`", [8684]),
    ("**PR** 8684", [8684]),
    ("PR **8684**", [8684]),
    ("PR `#8684`", [8684]),
    ("PR [#8684](https://github.com/acme/rocket/pull/8684)", [8684]),
    ("GH-8684/GH-8753", [8684, 8753]),
    ("https://www.github.com/acme/rocket/issues/8571/", [8571]),
    ("https://github.com/acme/rocket/pull/8684。", [8684]),
    ("https://github.com/acme/rocket/pull/8684）", [8684]),
    ("issue 8571・8572", [8571]),
    ("#8684から#8690まで", [8684, 8690]),
    ("PR 8684, 8753, 8733 are ready", [8684, 8753, 8733]),
    ("PRs 8684, 8753, 3 reviewers", [8684, 8753]),
    ("~~PR 8684~~ PR 8753", [8684, 8753]),
    ("rocket PR 8684", [8684]),
    ("Rocket issue #8571", [8571]),
    ("the rocket #8684 change", [8684]),
    ("#8684 (engine)", ["acme/engine#8684"]),
    ("see issue #8571 (comment 12)", [8571]),
    ("1) #8684 2) #8753", [8684, 8753]),
    ("#8684…#8753", [8684, 8753]),
    ("pr: 8684?", [8684]),
    ("https://github.com/acme/rocket/pull/8684?notification_referrer_id=NT_kwDOAB12", [8684]),
    (
        "https://github.com/acme/rocket/pull/8684#discussion_r1234567890 and https://github.com/acme/rocket/issues/8571#issue-99",
        [8684, 8571],
    ),
]

NO_REFERENCES = [
    "gh issue close 8571 --repo jax-ml/jax",
    "others/engine/pull/51",
    "https://github.com/acme/rocket/discussions/8684",
    "https://github.com/acme/rocket/commit/8684abcd",
    "https://github.com/acme/rocket/actions/runs/33122005992",
    "https://github.com.evil.org/acme/rocket/pull/8684",
    "notgithub.com/acme/rocket/pull/8684",
    "github.community/acme/rocket/pull/8684",
    "https://gitlab.com/acme/rocket/-/issues/12",
    "https://github.com@evil.org/acme/rocket/pull/8684",
    "https://wandb.ai/acme/rocket/runs/8684abcd",
    "example.org/#12",
    "https://example.org/#12",
    "https://example.org/?q=PR-12",
    "https://github.com/acme/rocket/blob/main/x.py#L8684",
    "https://github.com/acme/rocket/milestone/12",
    "https://discord.com/channels/1/2/8684",
    "https://github.com/acme/rocket/issues?q=8684",
    "[#2316](https://github.com/others/engine/pull/2316)",
    "others/engine #13931",
    "pytorch #12345",
    "pytorch#12345",
    "jax issue 4004",
    "upstream issue #4004",
    "PR 123 in jax",
    "upstream issues to watch, all in jax: #40046, #36505",
    "owner2/repo#1",
    "JIRA-12",
    "somebody#8684",
    "C#12",
    "C# 12",
    "<#8684>",
    "<@8684> <@&12> <:x:1> <t:12:F>",
    "#123456 and #8549ff",
    "#1 priority",
    "we're #1",
    "ranked #12",
    "#2 on my list",
    "number #2",
    "#12 on the leaderboard",
    "v1.2 costs $8684 (#1!)",
    "run #8684 and build #12",
    "steps #3 and #4",
    "reviewer #2",
    "color: #333;",
    "#333 or #ff0000",
    "#0",
    "#0042",
    "## 8684",
    "##8684",
    "# 8684",
    "#8684abc",
    "#1.5",
    "#12%",
    "issues 3 times",
    "PR 2 of 5",
    "pull 100 images",
    "PR 8684.5",
    "PR 2026-08-24",
    "PR 10:30",
    "newsletter issue 12",
    "Issues (42)",
    "open PRs: 7",
    "#0  0x00007f\n#1  0x00007f in foo",
    "#12 [build 3/4] RUN x\n#12 DONE 0.3s",
    "post in #2026-planning",
    "PR-12@example.com",
    "me+#12@example.com",
    "&#39;",
    "#1 do this\n#2 do that\n#3 rest",
    "PR #2 of 3",
    "!12",
    "docs/#12",
    "sub-rocket#12",
    "x/acme/rocket#12",
    "their tracker has it as #8684",
    "issue #12, a problem in another project's tracker",
    "Number 12",
    "unit #412b",
    "#100DaysOfCode",
    "dial *123#8684#",
    "gitlab issue 12",
    "Jira issue #12",
    "discussion #8684",
    "port 8684, step 8684, RFC 8684, PEP 8684, error 404",
    "episode #12",
    "day #100",
    "had issues 8 days ago",
    "PR'd 8684 lines",
    "opened 3 PRs, 12 issues",
    "12 PRs and 8 issues",
    "in 2026 PRs",
    "PR 123456",
    "incident #8684",
    "support ticket #8684",
    "gitlab MR #12",
    "MR !8684",
    "HTTP request 8684",
    "welcome our #500 member!",
    "you are our #1000 member",
    "#ai #2026 goals",
    "bg-[#333]",
    "fill='#333'",
    "<sound:1:8684>",
    "localhost:8080/pull/8684",
    "https://gíthub.com/acme/rocket/pull/8684",
    "https://evil.org/github.com/acme/rocket/pull/8684",
    "ghe.example.com/acme/rocket/pull/8684",
    "text-[#1234]",
    "https://github.com/acme/rocket/issues/new?title=#12",
    "wandb.ai/acme/rocket/runs/8684",
    "v8684.1",
    "rocket-8684",
    "rocket/8684",
    "8684#",
    "commit 8684abc",
    "step=8684",
    "$8684",
    "8,684 tokens",
    "PR 8,684",
    "JIRA-8684 / PROJ-12",
    "bugzilla #8684",
    "LLVM #8684",
    "numpy's #12345",
    "the torch issue #123456",
    "Kueue issue 9992",
    "see pytorch/pytorch #12345",
    "Discord tag rocketfan#8684",
    "acme/rocket!8684",
    "acme/lever#12",
    "lever#12",
    "at step #8684",
    "epoch #3",
    "top #10",
    "8684: needs rebase",
    "#8684@main",
    "PR # 8684",
]


@pytest.mark.parametrize(("text", "expected"), REFERENCES, ids=[text[:60] for text, _ in REFERENCES])
def test_is_found(text: str, expected: list[int | str]) -> None:
    assert found(text) == [f"{DEFAULT}#{one}" if isinstance(one, int) else one for one in expected]


@pytest.mark.parametrize("text", NO_REFERENCES, ids=[text[:60] for text in NO_REFERENCES])
def test_is_none(text: str) -> None:
    assert found(text) == []


def _week() -> list[tuple[str, list[list[str]]]]:
    answers = json.loads((WEEK / "references_expected.json").read_text(encoding="utf-8"))
    messages = json.loads((WEEK / "discord.json").read_text(encoding="utf-8"))["messages"]
    contents = {message["id"]: message["content"] for message in messages}
    told = [(contents[key], [expected]) for key, expected in answers["references"].items()]
    return told + [(one["content"], one["accepted"]) for one in answers["ambiguous"].values()]


def test_the_example_week_is_answered_as_given() -> None:
    tracked = json.loads((WEEK / "github.json").read_text(encoding="utf-8"))
    repositories = ["marin-community/marin", "marin-community/vllm", "marin-community/MarinSkyRL"]
    assert tracked["repository"] == repositories[0]
    wrong = []
    for content, accepted in _week():
        got = [
            one.canonical
            for one in extract_references(content, default_repository=repositories[0], repositories=repositories)
        ]
        if got not in accepted:
            wrong.append((content, got, accepted))
    assert wrong == []


def test_each_reference_is_listed_once_where_it_first_appears() -> None:
    assert found("#12, https://github.com/acme/rocket/pull/13, PR 12 and #13, ROCKET#14") == [
        "acme/rocket#12",
        "acme/rocket#13",
        "acme/rocket#14",
    ]


def test_the_repository_is_spelled_as_configured() -> None:
    text = "ACME/skylab#3 and https://github.com/AcMe/SKYLAB/issues/4"
    assert found(text) == ["acme/SkyLab#3", "acme/SkyLab#4"]


def test_nothing_is_found_without_a_repository() -> None:
    assert extract_references("#12, acme/rocket#13", default_repository=None) == []


def test_a_bare_number_needs_a_default_repository() -> None:
    got = extract_references("#12, rocket#13, PR 14", default_repository=None, repositories=["acme/rocket"])
    assert got == [Reference("acme/rocket", 13)]


def test_a_bare_name_that_two_repositories_share_is_that_of_the_default() -> None:
    got = extract_references("rocket#1234", default_repository="b/rocket", repositories=["a/rocket", "b/rocket"])
    assert got == [Reference("b/rocket", 1234)]


def test_a_tracked_repository_goes_before_a_well_known_project() -> None:
    got = extract_references("jax #40046, jax PR 12", default_repository="o/r", repositories=["jax-ml/jax"])
    assert [one.canonical for one in got] == ["jax-ml/jax#40046", "jax-ml/jax#12"]


@pytest.mark.parametrize(
    "unit",
    [
        "#",
        "[",
        "PR ",
        "PR PR#",
        "1 ",
        "#1",
        "#1234, ",
        "<@",
        "a/",
        "http://",
        "a.b/",
        "(#",
        "`#12`",
        "their #12 ",
        "_",
        "\n_:\n- #12",
        "[a/b] #12\n",
        "PR 12 (a), ",
        "#12·",
    ],
)
def test_a_text_twice_as_long_takes_about_twice_as_long(unit: str) -> None:
    """Counted in steps of the interpreter, which no busy machine changes."""
    short, long = (_steps(unit * (length // len(unit))) for length in (3_000, 12_000))
    assert long <= 5 * short + 2_000


def _steps(text: str) -> int:
    count = 0

    def step(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += 1
        return step

    sys.settrace(step)  # type: ignore[arg-type]
    try:
        extract_references(text, default_repository=DEFAULT)
    finally:
        sys.settrace(None)
    return count


PIECES = [
    *"#[](){}<>@!&:/.,;*_~`|\\ \n\t-0123456789aPRs",
    "github.com/",
    "＃",
    "\u200b",
    "٣",
    "を",
    "PR ",
    "issue ",
    "://",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_no_text_raises_and_no_number_comes_from_nowhere(text: str) -> None:
    numbers = {int(digits) for digits in re.findall(r"\d+", re.sub("[\u200b]", "", text))}
    for one in extract_references(text, default_repository=DEFAULT, repositories=OTHERS):
        assert one.number in numbers
        assert one.repository in {DEFAULT, *OTHERS}


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["#1234", "PR 1234", "acme/rocket#1234", "https://github.com/acme/rocket/pull/1234", "GH-1234"]),
    st.sampled_from(
        [
            "{}",
            "**{}**",
            "*{}*",
            "__{}__",
            "~~{}~~",
            "||{}||",
            "`{}`",
            "```\n{}\n```",
            "> {}",
            "- {}",
            "({})",
            "[{}]",
            "“{}”",
            "{}.",
        ]
    ),
    st.sampled_from(["{}", "see {} please", "({})", "{}, thanks", "fixed in {}!", "说{}吧"]),
)
def test_markdown_around_a_reference_changes_nothing(reference: str, markdown: str, around: str) -> None:
    assert found(around.format(markdown.format(reference))) == ["acme/rocket#1234"]
