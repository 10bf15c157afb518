"""The contexts of templates are what docs/templates.md says they are."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from bot.model.settings import GuildSettings
from bot.render import context
from bot.render.check import check_templates, invented_edition
from bot.render.edition import Writing, style_hash
from bot.render.layout import Layout

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "templates.md").read_text(encoding="utf-8")
PLACES = {
    context.EditionView: "### `edition`\n",
    context.CommunityView: "### `edition.community`\n",
    context.SectionView: "### a section\n",
    context.EpicView: "### a section\n",
}
ROWS = {
    context.ItemView: "item",
    context.HighlightView: "conversation",
    context.EventView: "event",
    context.PersonView: "person",
    context.ChartView: "picture",
}


def documented(view: type) -> set[str]:
    if view in PLACES:
        told = DOCUMENT.split(PLACES[view])[1].split("\n###")[0]
    else:
        told = "\n".join(row for row in DOCUMENT.splitlines() if row.startswith(f"| {ROWS[view]} |"))
    return set(re.findall(r"`(\w+)`", told))


@pytest.mark.parametrize("view", [*PLACES, *ROWS])
def test_every_name_a_template_sees_is_documented(view: type) -> None:
    assert [field.name for field in fields(view) if field.name not in documented(view)] == []


def test_every_template_is_documented() -> None:
    folder = Path(__file__).resolve().parents[3] / "templates"
    assert [file.name for file in folder.iterdir() if f"`{file.name}`" not in DOCUMENT] == []


def test_the_templates_that_come_with_gazette_are_sound() -> None:
    assert check_templates(None) == []


def test_templates_are_tried_before_an_edition_depends_on_them(tmp_path: Path) -> None:
    (tmp_path / "summary.md.j2").write_text("{% for section in edition.sections %}{{ section.nmae }}{% endfor %}")
    (tmp_path / "edition.html.j2").write_text("{{ edition.title }}")
    [problem] = check_templates(tmp_path)
    assert "summary.md.j2" in problem
    assert "nmae" in problem


def test_an_operators_style_is_allowed_by_the_pages_policy(tmp_path: Path) -> None:
    (tmp_path / "page.css").write_text("body { color: red } /* </style><script> */")
    writing = Writing(invented_edition(), GuildSettings(), Layout(tmp_path))
    page = writing.page()
    style = re.search(r"<style>([\s\S]*?)</style>", page)[1]
    assert writing.problems == []
    assert "color: red" in style
    assert style_hash(style) in page
    assert "</style><script>" not in page
