"""A long text cut into Discord messages: whole characters, whole words, whole markup.

A message holds 2,000 characters. Whether Discord counts code points or UTF-16 units is not to be relied on,
so a part keeps to both; UTF-16 units are never fewer.

Cuts are made between paragraphs where there is one, else between lines, sentences, words, and only then inside
a word, never inside a character as a reader sees it. Code fences, spoilers, quotes, links, code, custom emoji
and addresses stay whole where they fit into a message; where they do not, a fence, a spoiler and a quote are
closed at the cut and opened again behind it. White space at a cut goes, nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.model.text import clusters

LIMIT = 2000

_PARAGRAPH, _LINE, _SENTENCE, _WORD, _INSIDE = 4, 3, 2, 1, 0


def units(text: str) -> int:
    """The length in UTF-16 code units, which is at least that in code points."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def split(text: str, limit: int = LIMIT) -> list[str]:
    """The text in parts of at most `limit` characters by both measures; none where there is only white space."""
    text = text.strip()
    if "```" in text or "||" in text or text.startswith(">") or "\n>" in text:  # these may span paragraphs
        return _packed(_atoms(text, limit), limit)
    parts: list[str] = []
    for block in _blocks(text):
        joined = f"{parts[-1]}\n\n{block}" if parts else block
        if units(joined) <= limit:
            parts[-1:] = [joined]
        elif units(block) <= limit:
            parts.append(block)
        else:
            parts[-1:] = _packed(_atoms(joined, limit), limit)
    return parts


_HEADING = re.compile(r"#{1,3} [^\n]*\Z")
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


def _blocks(text: str) -> list[str]:
    """Paragraphs; a heading stays with the one that follows."""
    blocks: list[str] = []
    for block in _BLANK_LINES.split(text):
        if blocks and _HEADING.match(blocks[-1]):
            blocks[-1] += f"\n\n{block}"
        elif block.strip():
            blocks.append(block)
    return blocks


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is not cut: a word, a stretch of white space, a piece of markup."""

    text: str
    kind: str
    size: int


_ATOM = re.compile(
    r"(?P<fence>```[\s\S]+?```)"
    r"|(?P<rest>^>>> [\s\S]+)"
    r"|(?P<quote>^> [^\n]*(?:\n> [^\n]*)*)"
    r"|(?P<subtext>^-# [^\n]+)"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?P<tick>`+)[^\n]+?(?<!`)(?P=tick)(?!`))"
    r"|(?P<wrapped>\|\|[\s\S]+?\|\||\*\*[^*\n]+\*\*|__[^_\n]+__|~~[^~\n]+~~)"
    r"|(?P<link>\[(?:[^\[\]\n]|\[[^\[\]\n]*\])+\]\((?:<[^<>\n]*>|[^\s()]*)\))"
    r"|(?P<token><[^<>\s]+>)"
    r"|(?P<address>https?://[^\s<>|`]+)"
    r"|(?P<space>\s+)"
    r"|(?P<word>[^\s\\`|\[<*_~]+|[\s\S])",
    re.MULTILINE,
)
_OPENING = re.compile(r"```(?:[\w+.#-]*\n)?")


def _atoms(text: str, limit: int) -> list[_Atom]:
    atoms: list[_Atom] = []
    for match in _ATOM.finditer(text):
        atom = _Atom(match[0], match.lastgroup or "word", units(match[0]))
        if atom.size <= limit or atom.kind == "space":
            atoms.append(atom)
        else:
            atoms.extend(_Atom(piece, atom.kind, units(piece)) for piece in _taken_apart(atom, limit))
    return atoms


def _taken_apart(atom: _Atom, limit: int) -> list[str]:
    """The pieces of an atom longer than a message, each closed and opened again."""
    text = atom.text
    if atom.kind == "fence" and (opening := _OPENING.match(text)):
        room = limit - len(opening[0]) - 4
        if room > 0:
            lines = _code_pieces(text[opening.end() : -3].removesuffix("\n"), room)
            return [f"{opening[0]}{piece}\n```" for piece in lines]
    if atom.kind == "wrapped" and limit > 4:
        return [f"{text[:2]}{piece}{text[:2]}" for piece in split(text[2:-2], limit - 4)]
    if atom.kind == "rest" and limit > 4:
        return [f">>> {piece}" for piece in split(text[4:], limit - 4)]
    if atom.kind in ("quote", "subtext") and limit > 8:
        prefix = text[: text.index(" ") + 1]
        return _prefixed(text.removeprefix(prefix).replace(f"\n{prefix}", "\n"), prefix, limit)
    return list(_hard(text, limit))


def _prefixed(text: str, prefix: str, limit: int) -> list[str]:
    """Parts whose every line begins with `prefix`: what room the prefixes take is known once lines are cut."""
    room = limit - len(prefix)
    while True:
        parts = [prefix + part.replace("\n", f"\n{prefix}") for part in split(text, room)]
        if room <= 1 or all(units(part) <= limit for part in parts):
            return parts
        room = room * 3 // 4


def _code_pieces(code: str, limit: int) -> list[str]:
    """Code in pieces, cut between lines; lines keep their indentation."""
    pieces: list[str] = []
    for line in code.split("\n"):
        joined = f"{pieces[-1]}\n{line}" if pieces else line
        if units(joined) <= limit:
            pieces[-1:] = [joined]
        else:
            pieces.extend(_hard(line, limit))
    return [piece for piece in pieces if piece.strip()]


def _hard(text: str, limit: int) -> Iterator[str]:
    """Pieces of whole characters; only a character longer than a message is cut itself."""
    current, size = "", 0
    for cluster in clusters(text):
        for piece in [cluster] if units(cluster) <= limit else list(cluster):
            if current and size + units(piece) > limit:
                yield current
                current, size = "", 0
            current += piece
            size += units(piece)
    if current:
        yield current


def _packed(atoms: list[_Atom], limit: int) -> list[str]:
    ranks = _ranks(atoms)
    parts: list[str] = []
    start = 0
    while start < len(atoms):
        if atoms[start].kind == "space":
            start += 1
            continue
        end, size = start, 0
        while end < len(atoms) and size + atoms[end].size <= limit:
            size += atoms[end].size
            end += 1
        if end < len(atoms):
            end = _best_cut(atoms, ranks, start, end, limit)
        parts.append("".join(atom.text for atom in atoms[start:end]).rstrip())
        start = end
    return parts


def _best_cut(atoms: list[_Atom], ranks: list[int], start: int, end: int, limit: int) -> int:
    """The last of the best cuts after `start` and not after `end`.

    A cut before a stretch that must be cut itself, being longer than a message, gains nothing: then the best
    one within that stretch is taken, and the part is filled.
    """
    for rank in range(max(ranks[start + 1 : end + 1]), _INSIDE, -1):
        cuts = [index for index in range(start + 1, end + 1) if ranks[index] >= rank]
        if not cuts:
            continue
        size = 0
        for index in range(cuts[-1] + 1, len(atoms)):
            if ranks[index] >= rank or size > limit:
                break
            size += atoms[index].size
        if size <= limit:
            return cuts[-1]
    return max(range(start + 1, end + 1), key=lambda index: (ranks[index], index))


def _ranks(atoms: list[_Atom]) -> list[int]:
    """How good a cut is before each atom."""
    ranks: list[int] = []
    in_heading = False
    at_line_start = True
    before = ""
    for atom in atoms:
        rank = _INSIDE
        if atom.kind == "space":
            lines = atom.text.count("\n")
            rank = _SENTENCE if _ENDS_SENTENCE.search(before) else _WORD
            if lines:
                rank = _WORD if in_heading else _PARAGRAPH if lines > 1 else _LINE
                in_heading = False
        elif at_line_start:
            in_heading = atom.text in ("#", "##", "###")
        ranks.append(rank)
        at_line_start = atom.kind == "space" and "\n" in atom.text
        before = atom.text
    return ranks


_ENDS_SENTENCE = re.compile(r"[.!?…。！？][)\]\"'”’»]*$")
