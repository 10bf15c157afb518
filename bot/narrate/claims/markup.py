"""The markdown of a sentence: what it may not hold, and the plain words under what it may."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"|`\\^{}]+", re.IGNORECASE)
_BARE_ADDRESS = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|ai|dev|gg|me|co|app|xyz|link|ly|de|uk|eu|ru|cn|info|site|online)"
    r"(?:/[^\s<>\"|`]*)?(?![\w.-]*\w)",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"(?P<image>!)?\[(?P<label>(?:[^\[\]]|\[[^\[\]]*\]|\\[\[\]])*)\]\(\s*<?(?P<target>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?[^()]*\)"
)
_MENTION = re.compile(
    r"<(?:[@#][!&]?\d*|a?:\w+:\d*|t:-?\d+(?::\w)?|id:\w+|/[^<>]+:\d*)>|@(?:everyone|here)\b", re.IGNORECASE
)
_STRUCTURE = re.compile(
    r"(?m)^\s*(?:#{1,6}\s|-#\s|>{1,3}\s|```|~~~|[-*+•]\s|\d{1,3}[.)]\s|\|.*\|\s*$|={3,}\s*$|-{3,}\s*$)"
)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>|<!--", re.IGNORECASE)
_UNSEEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True, slots=True)
class Markup:
    """A sentence taken apart. `words` is its text with links as their labels and without emphasis marks."""

    words: str
    addresses: tuple[str, ...]
    faults: tuple[str, ...]


def read_markup(sentence: str) -> Markup:
    """Take a sentence apart; `faults` name what no sentence of an edition may hold."""
    faults = []
    if mention := _MENTION.search(sentence):
        faults.append(f"mentions somebody: {mention[0]}")
    if structure := _STRUCTURE.search(sentence):
        faults.append(f"holds markdown structure: {structure[0].strip()}")
    if "\n" in sentence.strip():
        faults.append("is more than one line")
    if "```" in sentence:
        faults.append("holds a code block")
    if _TAG.search(_ADDRESS.sub("", sentence)):
        faults.append("holds HTML")
    if _UNSEEN.search(sentence):
        faults.append("holds characters that cannot be seen")
    addresses: list[str] = []

    def unmask(link: re.Match[str]) -> str:
        addresses.append(link["target"])
        if link["image"]:
            faults.append("holds a picture")
        return " … " if _names_itself(link) else link["label"]

    text = _MASKED.sub(unmask, sentence)
    text = _collect(_ADDRESS, text, addresses)
    text = _collect(_BARE_ADDRESS, text, addresses)
    return Markup(_without_emphasis(text), tuple(addresses), tuple(faults))


def _names_itself(link: re.Match[str]) -> bool:
    """A link whose label is its own address, or the beginning of it."""
    label = link["label"].strip().rstrip("….").lower()
    return "." in label and same_address(link["target"]).lower().startswith(same_address(label))


def _collect(pattern: re.Pattern[str], text: str, addresses: list[str]) -> str:
    def take(address: re.Match[str]) -> str:
        bare = address[0].rstrip(".,;:!?*_'”’")
        while bare.endswith(")") and bare.count(")") > bare.count("("):
            bare = bare[:-1].rstrip(".,;:!?*_'”’")
        addresses.append(bare)
        return " " + address[0][len(bare) :]

    return pattern.sub(take, text)


_EMPHASIS = re.compile(r"\*{1,3}|~~|\|\||`|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)|\\(?=[^\w\s])")


def _without_emphasis(text: str) -> str:
    return _EMPHASIS.sub("", text)


def plain(text: str) -> str:
    """A raw text without addresses and marks, for reading words and numbers in it."""
    text = _MASKED.sub(lambda link: link["label"], text)
    return _without_emphasis(_ADDRESS.sub(" ", text))


def addresses_in(text: str) -> list[str]:
    """Every address that stands in a raw text."""
    found: list[str] = [link["target"] for link in _MASKED.finditer(text)]
    _collect(_ADDRESS, text, found)
    _collect(_BARE_ADDRESS, text, found)
    return found


def same_address(address: str) -> str:
    """A form in which two spellings of one address are equal."""
    bare = re.sub(r"^https?://", "", unquote(address.strip()), flags=re.IGNORECASE).rstrip("/.")
    host, slash, path = bare.partition("/")
    return host.lower().removeprefix("www.") + slash + path
