"""What the image is made from: everything that the Dockerfile copies is there and not kept from it."""

from __future__ import annotations

import re

from tests.conftest import ROOT


def test_everything_that_is_copied_reaches_the_build() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    assert {"bot", "requirements.txt", "requirements-llm.txt"} <= set(copied)
    assert [source for source in copied if source not in allowed or not (ROOT / source).exists()] == []
