"""What members wrote stays words, as Discord's client and a Markdown reader show it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model.text import one_line
from bot.render import safe
from bot.render.safe import label, markdown_link, markdown_text, markdown_words

URL = "https://github.com/lumen/lumen/pull/12"

HOSTILE = [
    "# BIG",
    "## BIG",
    "> fake",
    ">>> fake",
    "-# small",
    "- item",
    "* item",
    "1. item",
    "2) item",
    "**bold** and __under__ and ~~gone~~",
    "*it* and _it_ and a_b_ c",
    "||not a spoiler||",
    "`code` and ``more``",
    "[click](https://evil.example)",
    "<@123456789012345678> <@!123> <#123> <@&123>",
    "@everyone @here",
    r"\*twice\* \\ C:\dir\new_file",
    "Tom & Jerry's <b>cat</b>",
    "___",
    "---",
    "***",
]


@pytest.mark.parametrize("written", HOSTILE)
def test_text_shows_as_it_was_written_and_does_nothing(written: str, seen) -> None:
    source = markdown_text(written, for_discord=True)
    shown = seen(source)
    if "<@1" not in written:
        assert shown.text.replace("\u200b", "") == written
    assert not shown.line_markup
    assert shown.mentions == shown.hidden == shown.styled == []
    assert [link for link in shown.links if link[0] != link[1]] == []


@given(st.text(alphabet=st.sampled_from("ab1 #>-*_~`|\\[]()<@!.+:")))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_shows_as_it_was_written(seen, text: str) -> None:
    shown = seen(markdown_text(text, for_discord=True))
    assert shown.text.strip() == one_line(text)
    assert not shown.line_markup
    assert shown.mentions == shown.hidden == shown.styled == shown.links == []


def test_a_title_as_link_text_is_readable_clickable_and_without_backslashes(seen) -> None:
    source = markdown_link("a_b [x] https://y.test", URL)
    assert "\\" not in source
    shown = seen(source)
    assert shown.text == "a_b [x] y.test"
    assert [url for _, url in shown.links] == [URL]
    assert shown.previews == []


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("🚀 Launch :rocket: now", "Launch rocket now"),
        ("__init__ and *args", "__init__ and *args"),
        ("[core] mend ]( and [", "(core) mend )( and ("),
        ("@everyone <@12> discord.gg/abc", "everyone @member discord.gg abc"),
        ("a \\_ b", "a /_ b"),
        ("\u200b\u202e", "link"),
        ("Merge <T> of Vec<T>", "Merge ‹T› of Vec‹T›"),
        ("名前", "名前"),
    ],
)
def test_a_label_keeps_a_link_a_link(title: str, shown: str, seen) -> None:
    read = seen(markdown_link(title, URL))
    assert read.links == [(label(title), URL)]
    assert read.text == shown


@given(st.text(alphabet=st.sampled_from("ab #*_~`|\\[]()<@!.:/🚀") | st.characters()))
def test_any_title_can_be_a_link(title: str) -> None:
    source = markdown_link(title, URL)
    assert source.startswith("[")
    assert source.endswith(f"](<{URL}>)")
    assert "\\" not in source


def test_an_address_ends_where_it_ends(seen) -> None:
    shown = seen(markdown_link("paper", "https://e.example/a_(b)?q=`x`|y z"))
    assert shown.links == [("paper", "https://e.example/a_%28b%29?q=%60x%60%7Cy%20z")]


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x", "", None, "http://[bad"]
)
def test_only_the_web_is_linked(url: str | None) -> None:
    assert markdown_link("name", url) == "name"


def test_a_sentence_keeps_its_links_code_and_spoilers(seen) -> None:
    sentence = f"Zoë merged `a_b` ([#12]({URL})), see https://y.test/a_b. ||The end|| is *near* for @everyone!"
    source = markdown_words(sentence, for_discord=True)
    shown = seen(source)
    assert shown.links == [("#12", URL), ("https://y.test/a_b", "https://y.test/a_b")]
    assert shown.previews == []
    assert shown.hidden == ["The end"]
    assert shown.mentions == shown.styled == []
    assert "`a_b`" in source


def test_markdown_files_show_no_spoiler_and_no_entities() -> None:
    assert markdown_words("Tom & Jerry's ||secret|| <:lob:123>") == "Tom & Jerry's [spoiler] :lob:"


def test_a_label_that_pretends_another_address_is_shown_with_the_true_one(seen) -> None:
    shown = seen(markdown_words("[https://bank.example](https://evil.example)", for_discord=True))
    assert "https://evil.example" in shown.text
    assert shown.previews == []


def test_an_exclamation_before_a_link_makes_no_picture() -> None:
    assert markdown_words(f"New![#12]({URL})") == f"New\\![#12](<{URL}>)"


def test_lines_and_controls_of_a_member_stay_inside_the_line() -> None:
    assert markdown_text("ok\n# BIG\n> fake") == "ok # BIG > fake"
    assert markdown_text("\u202eevil\u202c \u200b\u200bflood") == "evil flood"
    assert markdown_text("مرحبا 名前") == "مرحبا 名前"


def test_an_address_in_a_text_is_linked_without_a_preview(seen) -> None:
    shown = seen(markdown_text("- see https://y.test/a_b_c_, or (https://z.test/p_(1)) #1", for_discord=True))
    assert [url for url, _ in shown.links] == ["https://y.test/a_b_c", "https://z.test/p_%281%29"]
    assert shown.previews == []
    assert shown.text.startswith("- see ")
    assert not shown.line_markup


@given(
    st.lists(
        st.sampled_from(
            [f"[#12]({URL})", f"[a b]({URL})", "`x_1`", "`a`b", "a_b", "_", "!", "# ", "- ", "1. ", " ", "“é”",
             "\u200b", "名", "[", "]", "(", ")", "https://y.test/a", "<", "@everyone", "&amp;", ". ", "word", "\\"]
        )
    ).map("".join)
)  # fmt: skip
def test_the_short_way_writes_what_the_long_way_writes(sentence: str) -> None:
    quick = safe._plain_words(sentence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(safe, "_plain_words", lambda _: None)
        long = markdown_words(sentence)
    assert quick in (None, long)
