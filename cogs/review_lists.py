"""The lists from which moderators choose in a draft: paragraphs, items, sections. Pure; not a cog itself."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import discord

from bot.errors import ConflictError
from bot.model.text import cut, excerpt, one_line
from bot.publish.revisions import Listed, items_of, paragraphs_of
from cogs.components import Control, paged, select, turn_pages

if TYPE_CHECKING:
    from bot.publish.review_channel import Draft

_OPTION = 100
_SHORT = 50


def paragraph_list(draft: Draft, page: int) -> list[Control]:
    """The paragraphs, to be rewritten."""
    options = [option(each.mark, f"{each.title}: {each.text}") for each in paragraphs_of(draft.document)]
    return _chooser(draft, "review_edit", options, page, "A paragraph")


def drop_list(draft: Draft, page: int) -> list[Control]:
    """Items and conversations, to be left out."""
    options = [_listed(each) for each in items_of(draft.document)]
    return _chooser(draft, "review_drop", options, page, "An item or a conversation", chosen="review_dropped")


def move_list(draft: Draft, page: int) -> list[Control]:
    """Items, to be moved."""
    options = [_listed(each) for each in items_of(draft.document, conversations=False)]
    return _chooser(draft, "review_move", options, page, "An item")


def _chooser(
    draft: Draft, name: str, options: list[discord.SelectOption], page: int, placeholder: str, chosen: str | None = None
) -> list[Control]:
    """A select of one page of options, and buttons to the other pages; nothing where there are no options."""
    if not options:
        return []
    here, page, pages = paged(options, page)
    args = (draft.edition.edition_id, draft.edition.revision)
    control = select(
        chosen or f"{name}_chosen",
        *args,
        options=here,
        placeholder=placeholder if pages == 1 else f"{placeholder} (page {page + 1} of {pages})",
    )
    return [control, *turn_pages(f"{name}_page", *args, page=page, pages=pages)]


def option(value: str, label: str) -> discord.SelectOption:
    """An option of a select, its label cut to what Discord takes."""
    return discord.SelectOption(label=excerpt(label, _OPTION) or "(empty)", value=value[:_OPTION])


def _listed(each: Listed) -> discord.SelectOption:
    made = option(_mark(each), each.label)
    made.description = cut(one_line(each.section), _OPTION) or None
    return made


def _mark(each: Listed) -> str:
    """What stands for an item in the id of a control, which holds a hundred characters."""
    return each.value if len(each.value) <= _SHORT else blake2b(each.value.encode(), digest_size=16).hexdigest()


def required(items: list[Listed], chosen: str) -> Listed:
    """The item that was chosen. Raises ConflictError where it is not among the items any more."""
    for each in items:
        if _mark(each) == chosen:
            return each
    raise ConflictError("That is not in the draft any more.")


def sections_of(draft: Draft) -> dict[str, str]:
    """The sections that an item can stand in: those of the draft, then the guild's others."""
    found = {section["key"]: section["title"] for section in draft.document["sections"]}
    configured = sorted(draft.settings.sections, key=lambda section: section.order)
    return found | {each.key: each.title for each in configured if each.key not in found}
