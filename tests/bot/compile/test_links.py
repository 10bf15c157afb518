"""Addresses in messages, and which of them are shared links."""

from __future__ import annotations

import pytest

from bot.compile.addresses import addresses_in, is_elsewhere
from bot.compile.links import shared_links
from bot.model.messages import LinkPreview, Message


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://a.example/x.", ("https://a.example/x",)),
        ("<https://a.example/x>, and (https://b.example/y)", ("https://a.example/x", "https://b.example/y")),
        ("https://a.example/Foo_(bar)", ("https://a.example/Foo_(bar)",)),
        ("[here](https://a.example/x) and **https://b.example**", ("https://a.example/x", "https://b.example")),
        ("[https://a.example](https://b.example/x)", ("https://b.example/x",)),
        ("`https://a.example` and ```\nhttps://b.example\n```", ()),
        ("https://a.example https://a.example", ("https://a.example",)),
        ("https:// nothing", ()),
        ("https://user:secret@a.example/x and https://a.example/@name", ("https://a.example/@name",)),
    ],
)
def test_addresses_of_a_message(text: str, found: tuple[str, ...]) -> None:
    assert addresses_in(text) == found


@pytest.mark.parametrize(
    ("address", "elsewhere"),
    [
        ("https://arxiv.org/abs/1", True),
        ("https://github.com/O/R/pull/1", False),
        ("https://github.com/other/project", True),
        ("https://discord.com/channels/1/2/3", False),
        ("https://cdn.discordapp.com/attachments/1/2/a.png", False),
        ("https://notdiscord.com/x", True),
        ("https://tenor.com/view/cat", False),
    ],
)
def test_what_leads_elsewhere(address: str, elsewhere: bool) -> None:
    assert is_elsewhere(address, ["o/r"]) is elsewhere


def test_a_link_is_told_once_with_the_title_that_discord_found() -> None:
    def said(number: int, content: str, *previews: LinkPreview) -> Message:
        return Message(
            message_id=number,
            guild_id=1,
            channel_id=5,
            author_id=2,
            author_name="Mo",
            content=content,
            previews=previews,
        )

    found = shared_links(
        [
            said(1, "read https://a.example/paper/", LinkPreview("https://a.example/paper", "A paper")),
            said(2, "again https://a.example/paper and https://github.com/o/r/issues/3"),
            said(3, "https://b.example"),
        ],
        repositories=["o/r"],
        name_of=lambda m: m.author_name,
        channel_name=lambda _: "papers",
    )
    assert [(link.url, link.title, link.message_id, link.channel) for link in found] == [
        ("https://a.example/paper/", "A paper", 1, "papers"),
        ("https://b.example", None, 3, "papers"),
    ]
