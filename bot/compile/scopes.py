"""The scopes that a title names: `[x] ...`, `fix(x): ...`, `x: ...`, `x/y: ...`."""

from __future__ import annotations

import re

from bot.compile.vocabulary import listed

KINDS_OF_CHANGE = listed(
    """
    fix feat feature chore docs doc refactor perf test tests style build ci revert wip hotfix bugfix release bump
    draft rfc experiment bug
    """
)
"""Words that stand where a scope may stand but say what kind of change it is; as scopes they come last."""

_ABBREVIATIONS = listed(
    """
    abi api asr ast aws cdn cli cpu css csv dns dsl ecs ffi gcp gpu gui html http iac iam ide ios jit json llm mcp nlp
    ocr orm pdf rag rpc rtl sdk sql ssl sso tcp tls tpu tts udp url usb vfs vpn xml
    """
)

_BRACKETS = re.compile(r"\s*\[([^\[\]]{1,60})\]")
_CONVENTIONAL = re.compile(r"\s*([A-Za-z][\w-]{0,20})\(([^()]{1,60})\)!?:\s")
_COLON = re.compile(r"\s*([\w][\w./+-]{0,40}(?:,\s?[\w][\w./+-]{0,40}){0,3})!?:\s")


def scopes_of(title: str) -> tuple[str, ...]:
    """The scopes in lower case, the most telling first, each once; of `a/b` the whole, then the parts."""
    found: list[str] = []
    rest = title
    while match := _BRACKETS.match(rest):
        found.extend(re.split(r"[,|]", match[1]))
        rest = rest[match.end() :]
    if match := _CONVENTIONAL.match(rest):
        found.extend([*match[2].split(","), match[1]])
    elif match := _COLON.match(rest):
        found.extend(match[1].split(","))
    spelled = [_spelled(scope) for scope in found]
    parts = [part for scope in spelled if "/" in scope for part in scope.split("/")]
    every = dict.fromkeys(scope for scope in (*spelled, *parts) if scope)
    return tuple(sorted(every, key=lambda scope: scope in KINDS_OF_CHANGE))


def is_abbreviation(name: str) -> bool:
    """Whether a scope in small letters is written in capitals: one that is known ("api"), or no word to be spoken."""
    return name.isalpha() and (
        name in _ABBREVIATIONS or (name.isascii() and (len(name) <= 2 or not re.search(r"[aeiouy]", name)))
    )


def _spelled(scope: str) -> str:
    return " ".join(scope.strip().lower().split())


def as_scope(setting: str) -> str:
    """A prefix of the settings as a scope: `[iris]`, `fix(iris):` and `iris:` all mean `iris`."""
    text = setting.strip()
    return next(iter(scopes_of(f"{text} ")), _spelled(text.strip("[]():")))
