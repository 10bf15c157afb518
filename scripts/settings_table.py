"""Writes the table of the process's settings into the README, from `bot.config.Settings`; --check only compares."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bot.config import Settings

README = Path(__file__).resolve().parent.parent / "README.md"


def table() -> str:
    rows = ["| variable | default | |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None else f"`{field.default}`"
        rows.append(f"| `GAZETTE_{name.upper()}` | {default} | {field.description} |")
    return "\n".join(rows)


def main() -> None:
    text = README.read_text(encoding="utf-8")
    wanted = re.sub(
        r"(?s)<!-- settings -->.*<!-- /settings -->",
        lambda _: f"<!-- settings -->\n{table()}\n<!-- /settings -->",
        text,
    )
    if "--check" in sys.argv:
        sys.exit(
            "README.md: the settings' table is out of date; run scripts/settings_table.py" if text != wanted else 0
        )
    README.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
