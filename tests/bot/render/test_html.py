"""The page: one file, whole for every reader, nothing hostile in it."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from bot.model.edition import Community, Section, Sentence
from bot.render.edition import Writing, style_hash
from bot.render.forms import HTML
from bot.render.layout import Layout

VOID = {"meta", "img", "source", "br", "hr", "link", "input"}
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


class Page(HTMLParser):
    """The elements of a page, each with its attributes, and what is wrong with their nesting."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.unbalanced: list[str] = []
        self._open: list[str] = []
        self.feed(source)
        self.close()
        self.unbalanced += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.unbalanced.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def page(rendered) -> Page:
    return Page(rendered.html)


def test_the_page_stands_alone_and_runs_nothing(page: Page) -> None:
    assert page.unbalanced == []
    assert page.all("script") == page.all("link") == page.all("iframe") == []
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert "style" not in attributes
    pictures = [image["src"] for image in page.all("img")] + [source["srcset"] for source in page.all("source")]
    assert len(pictures) == 6
    assert all(address.startswith("data:image/png;base64,") for address in pictures)


def test_the_page_allows_its_own_style_and_nothing_else(full_edition, settings) -> None:
    source = Writing(full_edition, settings, Layout()).page()
    policy = next(m["content"] for m in Page(source).all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>([\s\S]*?)</style>", source)[1]
    assert policy.startswith("default-src 'none'; img-src data:; ")
    assert style_hash(style) in policy
    assert "unsafe" not in policy


def test_the_page_can_be_found_ones_way_in(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("h1")) == len(page.all("main")) == len(page.all("title")) == 1
    levels = [int(name[1]) for name, _ in page.elements if re.fullmatch(r"h[1-6]", name)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [a["href"][1:] for a in page.all("a") if a["href"].startswith("#")]
    labelled = [s["aria-labelledby"] for s in page.all("section")]
    assert set(targets) | set(labelled) <= set(ids)
    assert all(image["alt"] and image["width"] and image["height"] for image in page.all("img"))


def test_links_lead_to_the_web_only(page: Page) -> None:
    for link in page.all("a"):
        assert link["href"].startswith(("https://", "#"))
        assert link["href"].startswith("#") or "noopener" in link["rel"]


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "[x](javascript:alert(1))",
        '[x](https://a.example/"onmouseover=alert(1))',
        "</title><script>alert(1)</script>",
        "{{ 7 * 7 }} {% raw %}",
        "&lt;script&gt;",
    ],
)
def test_what_people_wrote_stays_text(hostile: str, settings, item, highlight, rebuilt) -> None:
    bad = rebuilt(
        title=hostile,
        sections=(
            Section(key=hostile, title=hostile, items=(item(1, hostile),), highlights=(highlight(excerpt=hostile),)),
        ),
        community=Community(available=True, narrative=(Sentence(text=hostile),)),
    )
    page = Page(Writing(bad, settings, Layout()).page())
    assert page.unbalanced == []
    assert page.all("script") == page.all("img") == []
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert all(link["href"].startswith(("https://", "#")) for link in page.all("a"))
    if "[x](https" not in hostile:
        assert hostile in page.text


def test_ampersands_are_escaped_once() -> None:
    assert str(HTML.text("Tom & Jerry's <3")) == "Tom &amp; Jerry&#x27;s &lt;3"
    assert HTML.joined([HTML.words("a & b"), HTML.words("c")]) == "a &amp; b c"


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_shows_the_page_as_it_is(rendered, tmp_path: Path) -> None:
    file = tmp_path / "edition.html"
    file.write_text(rendered.html, encoding="utf-8")
    base = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    shown = subprocess.run(
        [*base, "--enable-logging=stderr", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    assert "Refused to" not in shown.stderr  # the policy lets the page's own style and pictures through
    assert "violates" not in shown.stderr
    page = Page(shown.stdout)
    assert [link["href"] for link in page.all("a")] == [link["href"] for link in Page(file.read_text()).all("a")]
