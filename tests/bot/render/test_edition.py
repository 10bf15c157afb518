"""An edition in its forms: everything in it, everything linked, nobody pinged, nothing hidden shown."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from bot.model.edition import Community, Coverage, Edition, Epic, Introductions, Joins, Section, Sentence
from bot.model.parts import Place
from bot.model.settings import GuildSettings, parse_settings
from bot.render.edition import Writing, render
from bot.render.layout import TEMPLATES, Layout, TemplateFailure
from bot.render.split import units

DEFAULT = Layout()


def posted(edition: Edition, settings: GuildSettings) -> str:
    return "\n".join(part.content for part in Writing(edition, settings, DEFAULT).parts())


def in_place(edition: Edition, settings: GuildSettings, place: Place) -> str:
    return "\n".join(p.content for p in Writing(edition, settings, DEFAULT).parts() if p.place == place)


def test_the_head_tells_the_community_and_the_summary_the_sections(full_edition, settings) -> None:
    head = in_place(full_edition, settings, Place.HEAD)
    summary = in_place(full_edition, settings, Place.SUMMARY)
    assert head.startswith("# Lumen: Week of April 6th\n-# ")
    assert "Two people introduced themselves and 19 more joined silently." in head
    assert [line for line in summary.splitlines() if line.startswith("#")] == ["## 🧭 Core & more", "## Documentation"]
    assert "Ada Moreau rewrote the planner ([#11](<https://github.com/lumen/lumen/pull/11>))." in summary
    assert "Sleeping" not in head + summary


def test_sentences_of_a_paragraph_stand_together(full_edition, settings, rebuilt) -> None:
    section = Section(
        key="a",
        title="A",
        narrative=(
            Sentence(text="One.", paragraph=0),
            Sentence(text="Two.", paragraph=0),
            Sentence(text="Three.", paragraph=1),
        ),
    )
    told = rebuilt(sections=(section,))
    assert "## A\nOne. Two.\n\nThree." in posted(told, settings)
    assert "One. Two.\n\nThree." in Writing(told, settings, DEFAULT).markdown()
    assert "<p>One. Two.</p>\n<p>Three.</p>" in Writing(told, settings, DEFAULT).page()


def test_every_item_carries_its_link_in_every_form(full_edition, settings) -> None:
    forms = [posted(full_edition, settings), Writing(full_edition, settings, DEFAULT).markdown()]
    forms.append(Writing(full_edition, settings, DEFAULT).page())
    for text in forms:
        for section in full_edition.sections:
            for item in section.items:
                assert item.url in text
    assert "-# Also: [#13](<https://github.com/lumen/lumen/pull/13>) Mend a_b" in forms[0]


def test_every_conversation_link_and_date_is_told_once(full_edition, settings) -> None:
    head = in_place(full_edition, settings, Place.HEAD)
    assert head.count("/77/5001>") == 1  # told in words
    assert head.count("/77/5002>") == 1  # told in the list
    assert "[A paper [draft]](<https://example.org/paper_%281%29>)" in head
    assert "April 15: Office hours ([announcement](<https://discord.com/channels/900/77/5004>))" in head


def test_what_was_left_out_is_named_at_the_end(settings, item, rebuilt) -> None:
    short = rebuilt(
        sections=(Section(key="a", title="A", items=(item(1),), narrative=(Sentence(text="Done."),)),),
        omitted=("lumen/lumen#1", "lumen/lumen#2", "other/thing#3"),
    )
    summary = in_place(short, settings, Place.SUMMARY)
    assert "-# Also: [#1](<https://github.com/lumen/lumen/pull/1>)" in summary
    assert "Left out for length: [#2](<https://github.com/lumen/lumen/issues/2>), [other/thing#3]" in summary


def test_no_activity_at_all_makes_a_short_edition(settings, rebuilt, seen) -> None:
    quiet = rebuilt()
    rendered = render(quiet, settings)
    assert [part.place for part in rendered.parts] == [Place.HEAD]
    assert "Nothing was recorded" in rendered.parts[0].content
    assert [file.name for file in rendered.parts[0].files] == ["edition.md"]
    assert "Nothing was recorded" in rendered.markdown
    assert "Nothing was recorded" in rendered.html
    assert rendered.charts == ()


def test_thirty_links_make_no_preview(settings, item, told, rebuilt, seen) -> None:
    items = tuple(item(number) for number in range(1, 31))
    busy = rebuilt(
        sections=(
            Section(
                key="a", title="A", items=items, narrative=(told(*items), Sentence(text="See https://a.example/b."))
            ),
        )
    )
    parts = Writing(busy, settings, DEFAULT).parts()
    links = [link for part in parts for line in part.content.splitlines() for link in seen(line).links]
    assert len(links) == 31
    assert not any(seen(line).previews for part in parts for line in part.content.splitlines())


def test_a_long_week_is_posted_in_messages_within_the_limit(settings, item, told, rebuilt) -> None:
    sections = tuple(
        Section(
            key=f"s{n}",
            title=f"Section {n}",
            items=tuple(item(n * 100 + m, "🦞" * 30) for m in range(30)),
            narrative=tuple(told(item(n * 100 + m), paragraph=m // 3, words="Word " * 30) for m in range(12)),
        )
        for n in range(8)
    )
    parts = Writing(rebuilt(sections=sections), settings, DEFAULT).parts()
    assert all(len(p.content) <= 2000 and units(p.content) <= 2000 for p in parts)
    text = "\n".join(p.content for p in parts)
    assert all(f"/pull/{n * 100 + m}>" in text for n in range(8) for m in range(30))
    assert not any(re.search(r"^## [^\n]*\Z", p.content, re.MULTILINE) for p in parts)


HOSTILE = (
    "x\n# BIG\n> fake @everyone <@123> <@&4> [click](javascript:alert(1)) ||secret|| "
    "\u202eevil <script>alert(1)</script>"
)
NO_SECRET = HOSTILE.replace("||secret||", "")  # a title comes from the settings


def test_hostile_names_titles_and_messages_do_nothing(settings, item, highlight, rebuilt, seen) -> None:
    quoted = highlight(authors=(NO_SECRET, "\u200b"), excerpt=HOSTILE, note=HOSTILE)
    bad = rebuilt(
        title=NO_SECRET,
        sections=(Section(key="a", title=NO_SECRET, items=(item(1, HOSTILE),), highlights=(quoted,)),),
        community=Community(available=True, highlights=(quoted,), narrative=(Sentence(text=HOSTILE),)),
    )
    content = posted(bad, settings)
    lines = content.splitlines()
    assert not [line for line in lines if line.startswith(("# BIG", "> fake"))]
    assert not any(seen(line).mentions for line in lines)
    assert "@everyone" not in content
    assert "\u202e" not in content
    assert "secret" not in content.replace("||secret||", "")
    assert [url for line in lines for _, url in seen(line).links if "javascript" in url] == []
    page = Writing(bad, settings, DEFAULT).page()
    assert "<script" not in page.lower()
    assert "secret" not in page
    assert "secret" not in Writing(bad, settings, DEFAULT).markdown()


def test_ampersands_and_apostrophes_stay_as_written_in_markdown(settings, rebuilt) -> None:
    markdown = Writing(rebuilt(title="Tom & Jerry's <3"), settings, DEFAULT).markdown()
    assert markdown.startswith("# Tom & Jerry's <3\n")


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, None), (1, "1 message by 1 person"), (2, "2 messages by 2 people"), (21, "21 messages by 21 people")],
)
def test_counts_and_nouns_agree(count: int, words: str | None, settings, rebuilt) -> None:
    counted = rebuilt(community=Community(available=True, messages=count, authors=count))
    head = in_place(counted, settings, Place.HEAD)
    assert (words in head) if words else ("message" not in head)


def test_a_week_by_epics_names_number_summary_and_light_activity(settings, item, told, rebuilt) -> None:
    epic = Epic(
        reference="lumen/lumen#7",
        title="Ship `it`",
        url="https://github.com/lumen/lumen/issues/7",
        summary="Get it *out*.",
    )
    busy = Section(key="7", title="Ship `it`", epic=epic, items=(item(1),), narrative=(told(item(1)),))
    light = Section(
        key="8", title="Rest", epic=dataclasses.replace(epic, reference="lumen/lumen#8", summary=""), activity="light"
    )
    summary = in_place(rebuilt(layout="epics", sections=(busy, light)), settings, Place.SUMMARY)
    assert "## Ship \\`it\\` [#7](<https://github.com/lumen/lumen/issues/7>)\n> Get it \\*out\\*.\n" in summary
    assert "## Rest [#8]" in summary
    assert "Light activity this week." in summary


@pytest.mark.parametrize(
    ("github", "said"), [("complete", False), ("off", False), ("partial", True), ("unavailable", True)]
)
def test_missing_github_data_is_said(github: str, said: bool, settings, rebuilt) -> None:
    lacking = rebuilt(coverage=Coverage(github=github))
    assert ("GitHub could not be read" in posted(lacking, settings)) is said
    assert ("GitHub could not be read" in Writing(lacking, settings, DEFAULT).page()) is said


def test_the_head_says_where_the_summary_is(full_edition) -> None:
    for place, words in (("thread", "in the thread"), ("channel", "summary follows"), ("news", "posted separately")):
        settings = parse_settings(f'[publish]\nchannel = "digest"\nfull_summary = "{place}"\n')
        assert words in in_place(full_edition, settings, Place.HEAD)
        titled = in_place(full_edition, settings, Place.SUMMARY).startswith("# Lumen: Week of April 6th")
        assert titled is (place == "news")


def test_files_hang_on_the_head(rendered) -> None:
    names = {part.place: [file.name for file in part.files] for part in rendered.parts}
    assert names == {Place.HEAD: ["activity.png", "channels.png", "edition.md"], Place.SUMMARY: ["contributions.png"]}
    attached = {file.name: file for part in rendered.parts for file in part.files}
    assert attached["edition.md"].content.decode() == rendered.markdown
    assert all(file.description for file in rendered.charts)


def test_an_operators_template_stands_in_for_the_default(full_edition, settings, rebuilt, tmp_path: Path) -> None:
    (tmp_path / "head.md.j2").write_text('{% import "words.j2" as words %}Our digest: {{ edition.title }}')
    writing = Writing(full_edition, settings, Layout(tmp_path))
    parts, default = writing.parts(), Writing(full_edition, settings, DEFAULT).parts()
    assert parts[0].content == "Our digest: Lumen: Week of April 6th"
    assert writing.problems == []
    assert parts[-1] == default[-1]
    assert render(rebuilt(), settings, templates=tmp_path).parts[0].content == parts[0].content


@pytest.mark.parametrize(
    "broken",
    [
        "{{ edition.titel }}",
        "{{ nothing }}",
        "{% if %}",
        "{{ 1 / 0 }}",
        "{{ edition.title.__class__.mro() }}",
        "{% include 'x' %}",
    ],
)
def test_an_operators_template_that_fails_is_reported_and_the_default_used(
    broken: str, full_edition, settings, tmp_path: Path
) -> None:
    (tmp_path / "head.md.j2").write_text(broken)
    writing = Writing(full_edition, settings, Layout(tmp_path))
    parts, [problem] = writing.parts(), writing.problems
    assert parts == Writing(full_edition, settings, DEFAULT).parts()
    assert "head.md.j2" in problem
    assert "default was used" in problem


def test_every_failing_template_is_named(settings, rebuilt, tmp_path: Path) -> None:
    for name in TEMPLATES:
        (tmp_path / name).write_text("{{ missing }}")
    rendered = render(rebuilt(), settings, templates=tmp_path)
    assert [name for name in TEMPLATES if not any(name in problem for problem in rendered.problems)] == []


def test_a_missing_variable_in_a_default_stops_the_edition(tmp_path, monkeypatch, rebuilt, settings) -> None:
    (tmp_path / "head.md.j2").write_text("{{ edition.missing }}")
    monkeypatch.setattr("bot.render.layout.templates_folder", lambda: tmp_path)
    from bot.render import layout

    layout._environment.cache_clear()
    try:
        with pytest.raises(TemplateFailure, match="missing"):
            Writing(rebuilt(), settings, DEFAULT).parts()
    finally:
        layout._environment.cache_clear()


def test_the_same_edition_makes_the_same_bytes(full_edition, settings, rendered) -> None:
    assert render(full_edition, settings) == rendered


def test_joins_that_nobody_could_see_are_not_zero(settings, rebuilt) -> None:
    unseen = rebuilt(community=Community(available=True, messages=3, authors=2, joins=Joins(available=False)))
    assert "new member" not in posted(unseen, settings)


def test_everyone_introduced_is_linked_in_the_file_and_the_page(full_edition, settings) -> None:
    people = full_edition.community.introductions.people
    assert isinstance(full_edition.community.introductions, Introductions)
    for text in (Writing(full_edition, settings, DEFAULT).markdown(), Writing(full_edition, settings, DEFAULT).page()):
        assert all(person.url in text and person.name in text for person in people)


def test_an_edition_goes_without_pictures_that_cannot_be_drawn(full_edition, settings, monkeypatch) -> None:
    def no_font(*_: object) -> None:
        raise OSError("no writable folder for the font cache")

    monkeypatch.setattr("bot.render.charts._picture", no_font)
    rendered = render(full_edition, settings)
    assert rendered.charts == ()
    assert [file.name for part in rendered.parts for file in part.files] == ["edition.md"]
    [problem] = rendered.problems
    assert "no writable folder" in problem
