"""How a draft is shown to moderators: what is new, what it rests on, who changed what, and the buttons. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.model.publication import EditionStatus, StoredEdition
from bot.model.settings import GuildSettings
from bot.publish.revisions import APPROVE, DROP, HOLD, MOVE, NOTE, TEXT
from bot.store.reviews import Edit

SUPPRESS_EMBEDS = 1 << 2
_LIMIT = 1900
MOST_CHANGED = 5
"""Repaired and replaced sentences that are named over a draft at most."""
_DONE = {
    TEXT: "rewrote a paragraph",
    DROP: "left out {value}",
    MOVE: "moved {value} to {title}",
    NOTE: "wrote the editor's note",
}
_DECIDED = {APPROVE: "Approved", HOLD: "Held back"}


def told_edit(edit: Edit) -> str:
    """A change in a few words, without the text that was written."""
    told = _DONE.get(edit.kind, edit.kind)
    values = {key: str(edit.data.get(key, ""))[:80] for key in ("value", "title")}
    if edit.kind == DROP and values["value"].startswith("message/"):
        values["value"] = "a conversation"
    return told.format(**values)


def told_user(user_id: int) -> str:
    """A mention; of somebody whose id is not kept (0), that it was somebody."""
    return f"<@{user_id}>" if user_id else "somebody who is not named"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 message", "2 messages"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def coverage_lines(document: Mapping[str, Any]) -> list[str]:
    """What an edition (`gazette.edition/1`) rests on and what it lacks."""
    coverage: Mapping[str, Any] = document.get("coverage", {})
    community: Mapping[str, Any] = document.get("community", {})
    items = {item["reference"] for section in document.get("sections", ()) for item in section["items"]}
    lines = [
        f"Read: {counted(coverage.get('channels_read', 0), 'channel')}, "
        f"{counted(community.get('messages', 0), 'message')}, "
        f"{counted(len(items), 'item')} on GitHub ({coverage.get('github', 'off')})."
    ]
    if unreadable := coverage.get("channels_unreadable"):
        lines.append(f"⚠️ Not readable: {', '.join(f'#{name}' for name in unreadable)}.")
    if open_gaps := [gap for gap in coverage.get("gaps", ()) if not gap["recovered"]]:
        lines.append(
            f"⚠️ Not recorded and not read back: {counted(len(open_gaps), 'stretch', 'stretches')}; try `/backfill`."
        )
    lines += [f"⚠️ {note}" for note in coverage.get("notes", ())]
    return lines


def model_lines(document: Mapping[str, Any]) -> list[str]:
    """How the language model's sentences fared, and which of them are not as it first wrote them."""
    grounding: Mapping[str, Any] = document.get("grounding", {})
    parts = [*document.get("sections", ()), document.get("community", {})]
    told = [(part.get("title", "Community"), one) for part in parts for one in part.get("narrative", ())]
    stopped = grounding.get("stopped")
    lines = []
    if own := sum(one["source"] == "language_model" and not one.get("fate") for _, one in told):
        lines.append(
            f"Language model: {counted(own, 'sentence')} as it wrote them, {grounding['repaired']} repaired, "
            f"{grounding['replaced']} replaced by plain ones, {grounding['dropped']} dropped."
        )
    changed = [(title, one) for title, one in told if one.get("fate")]
    lines += [f"- {one['fate']}, in {title}: “{_beginning(one['text'])}”" for title, one in changed[:MOST_CHANGED]]
    if len(changed) > MOST_CHANGED:
        lines.append(f"- and {len(changed) - MOST_CHANGED} more")
    return [*lines, f"⚠️ Plain words from some point on: {stopped}."] if stopped else lines


def _beginning(text: str) -> str:
    """The first words of a sentence, its links as their labels."""
    bare = re.sub(r"\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text)
    return bare if len(bare) <= 70 else f"{bare[:70].rpartition(' ')[0]} …"


def summary_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a draft tells, as far as the next one is compared with it."""
    community = document["community"]
    return {
        "references": sorted({item["reference"] for section in document["sections"] for item in section["items"]}),
        "messages": community["messages"],
        "introductions": community["introductions"]["count"],
        "highlights": len(community["highlights"]),
    }


def news(document: Mapping[str, Any], seen: Mapping[str, Any] | None) -> str:
    """What is in the draft that the one before did not tell."""
    now = summary_of(document)
    if not seen:
        return (
            f"New: {counted(len(now['references']), 'item')} on GitHub, {counted(now['messages'], 'message')}, "
            f"{counted(now['introductions'], 'introduction')}, {counted(now['highlights'], 'conversation')}."
        )
    added = [name for name in now["references"] if name not in set(seen["references"])]
    gone = [name for name in seen["references"] if name not in set(now["references"])]
    more = now["messages"] - seen["messages"]
    told = [
        *([counted(more, "message")] if more > 0 else []),
        *([f"{counted(len(added), 'item')} ({_few(added)})"] if added else []),
        *([f"{counted(len(gone), 'item')} gone ({_few(gone)})"] if gone else []),
    ]
    return f"New since the draft before: {', '.join(told)}." if told else "Nothing new since the draft before."


def _few(references: Sequence[str]) -> str:
    shown = ", ".join(name.rpartition("/")[2] for name in references[:5])
    return shown + (" …" if len(references) > 5 else "")


def body(
    edition: StoredEdition,
    settings: GuildSettings,
    edits: Sequence[Edit],
    *,
    due_at: datetime | None,
    seen: Mapping[str, Any] | None,
    coverage: Sequence[str],
    link: str | None = None,
) -> dict[str, Any]:
    """The message that stands over a draft: where it goes, what is new, and the buttons while it can be changed."""
    lines = [f"**Draft: {edition.title}** (version {edition.revision})", _fate(edition, settings, due_at, link)]
    decisions = [each for each in edits if each.kind in _DECIDED]
    if decisions and edition.status in (EditionStatus.APPROVED, EditionStatus.HELD):
        lines.append(f"{_DECIDED[decisions[-1].kind]} by {told_user(decisions[-1].user_id)}.")
    changes = [each for each in edits if each.kind in _DONE and each.undone_at is None]
    lines += [news(edition.document, seen), *coverage, *model_lines(edition.document)]
    lines += [f"- {told_user(each.user_id)} {told_edit(each)}" for each in changes][-8:]
    is_open = edition.status in (EditionStatus.DRAFT, EditionStatus.APPROVED, EditionStatus.HELD, EditionStatus.FAILED)
    if is_open:
        lines.append("The thread below holds the messages exactly as they would be posted.")
    content = "\n".join(lines)
    return {
        "content": content if len(content) <= _LIMIT else content[: _LIMIT - 1] + "…",
        "flags": SUPPRESS_EMBEDS,
        "allowed_mentions": {"parse": []},
        "components": _buttons(edition, has_edits=bool(changes)) if is_open else [],
    }


def _fate(edition: StoredEdition, settings: GuildSettings, due_at: datetime | None, link: str | None) -> str:
    when = f"<t:{int(due_at.timestamp())}:F> (<t:{int(due_at.timestamp())}:R>)" if due_at else "when it is due"
    if edition.status is EditionStatus.PUBLISHED:
        return f"Posted: {link}" if link else "Posted."
    if edition.status is EditionStatus.PUBLISHING:
        return "It is being posted."
    if edition.status is EditionStatus.HELD:
        return "Held back: it is posted once somebody presses Approve."
    if edition.status is EditionStatus.APPROVED:
        return f"Approved: it is posted {when}."
    if settings.moderation.without_review == "hold":
        return f"It is due {when} and waits for somebody to press Approve."
    return f"It is posted {when} unless somebody presses Hold."


def _buttons(edition: StoredEdition, *, has_edits: bool) -> list[dict[str, Any]]:
    args = f"{edition.edition_id}:{edition.revision}"

    def one(label: str, name: str, style: int = 2, *, disabled: bool = False) -> dict[str, Any]:
        custom_id = f"gazette:{name}:{args}"
        return {"type": 2, "style": style, "label": label, "custom_id": custom_id, "disabled": disabled}

    first = [
        one("Approve", "review_approve", 3, disabled=edition.status is EditionStatus.APPROVED),
        one("Hold", "review_hold", 4, disabled=edition.status is EditionStatus.HELD),
        one("Rebuild", "review_rebuild"),
        one("Undo", "review_undo_last", disabled=not has_edits),
    ]
    second = [
        one("Edit", "review_edit"),
        one("Drop an item", "review_drop"),
        one("Move to section", "review_move"),
        one("Editor's note", "review_note"),
    ]
    return [{"type": 1, "components": first}, {"type": 1, "components": second}]
