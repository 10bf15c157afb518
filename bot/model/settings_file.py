"""A guild's settings written as TOML (`gazette.settings/1`), such that reading them back gives the same."""

from __future__ import annotations

import json
from typing import Any

from bot.model.settings import GuildSettings


def write_settings(settings: GuildSettings) -> str:
    """The settings as TOML text: the values that are set, group by group; what is unset is left out."""
    document = settings.model_dump(mode="json")
    lines = [f"format = {_value(document.pop('format'))}"]
    sections: list[dict[str, Any]] = document.pop("sections")
    for name, group in document.items():
        tables = {key: value for key, value in group.items() if isinstance(value, dict)}
        lines += ["", f"[{name}]", *_pairs({key: value for key, value in group.items() if key not in tables})]
        for key, table in tables.items():
            if table:
                lines += ["", f"[{name}.{key}]", *_pairs(table)]
    for section in sections:
        lines += ["", "[[sections]]", *_pairs({key: value for key, value in section.items() if value != []})]
    return "\n".join(lines) + "\n"


def _pairs(table: dict[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return str(value)


def _string(text: str) -> str:
    """A TOML basic string. JSON's escapes are TOML's, surrogate pairs apart, which `ensure_ascii=False` avoids."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
