"""Web addresses in what people wrote."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from bot.compile.vocabulary import listed

_ADDRESS = re.compile(r"https?://[^\s<>\"'`]+", re.IGNORECASE)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_INLINE = re.compile(r"`[^`\n]*`")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_OF_DISCORD = listed("discord.com discord.gg discordapp.com discordapp.net discord.new")
_OF_PICTURES = listed("tenor.com giphy.com imgur.com klipy.com")


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses in a Discord message, code aside, each once; punctuation that follows is not part of them."""
    if "://" not in text:
        return ()
    bare = _INLINE.sub(" ", _FENCE.sub(" ", text))
    return tuple(dict.fromkeys(found for raw in _ADDRESS.findall(bare) if (found := _trimmed(raw))))


def _trimmed(address: str) -> str:
    masked = address.find("](")
    if masked >= 0:  # a masked link whose label is an address: the target counts
        address = address[masked + 2 :]
    while address:
        last = address[-1]
        unmatched = last in _CLOSING and address.count(last) > address.count(_CLOSING[last])
        if last in ".,;:!?*_~|'\"。，、" or unmatched:
            address = address[:-1]
        else:
            break
    return address if _host(address) and not _has_credentials(address) else ""


def _has_credentials(address: str) -> bool:
    """Whether a user or password stands in the address: it leads elsewhere than it seems, or gives one away."""
    return "@" in urlsplit(address).netloc


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def is_elsewhere(address: str, repositories: Collection[str]) -> bool:
    """Whether an address leads out of the community's own places: neither Discord nor a tracked repository."""
    host = _host(address)
    if _under(host, _OF_DISCORD) or _under(host, _OF_PICTURES) or not host:
        return False
    if _under(host, {"github.com"}):
        path = urlsplit(address).path.strip("/").lower()
        name = "/".join(path.split("/")[:2])
        return name not in {repository.lower() for repository in repositories}
    return True


def _under(host: str, domains: Collection[str]) -> bool:
    return any(host == domain or host.endswith("." + domain) for domain in domains)


def same_address(one: str, other: str) -> bool:
    """Whether two spellings mean one address: scheme, a final slash and the fragment aside."""
    return _plain(one) == _plain(other)


def _plain(address: str) -> str:
    return address.split("://", 1)[-1].partition("#")[0].rstrip("/").lower()
