"""The review: the buttons over a draft, and the lists and forms that they open.

Everything stands in the ids of the controls, so drafts can be worked on after a restart of the bot. What somebody
else changed meanwhile is noticed by the draft's version, and by a mark of the paragraph where text is rewritten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.errors import ConflictError, NotFoundError
from bot.publish.revisions import DROP, MOVE, NOTE, TEXT, Paragraph, items_of, paragraphs_of
from cogs.answers import Interaction, acknowledge, actor_id, answer, require_moderator
from cogs.components import Control, Form, Press, button, select, show_form, view
from cogs.review_lists import drop_list, move_list, option, paragraph_list, required, sections_of

if TYPE_CHECKING:
    from bot.client import DigestBot
    from bot.publish.review_channel import Draft

Controls = Callable[["Draft", int], list[Control]]
_LONGEST = 4000
"""How many characters a field of a form takes."""


class Review(commands.Cog):
    """What moderators do with a draft. Each change is kept through every rebuild, logged, and can be undone."""

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot
        self.reviews = bot.services.reviews
        self.configuration = bot.services.configuration

    async def cog_load(self) -> None:
        self.bot.controls |= {
            "review_approve": self._approve,
            "review_hold": self._hold,
            "review_rebuild": self._rebuild,
            "review_undo_last": self._undo_last,
            "review_undo": self._undo,
            "review_edit": self._edit,
            "review_edit_page": self._edit_page,
            "review_edit_chosen": self._ask_text,
            "review_edited": self._edited,
            "review_drop": self._drop,
            "review_drop_page": self._drop_page,
            "review_dropped": self._dropped,
            "review_move": self._move,
            "review_move_page": self._move_page,
            "review_move_chosen": self._ask_section,
            "review_moved": self._moved,
            "review_note": self._ask_note,
            "review_noted": self._noted,
        }

    @app_commands.command(name="draft", description="Make the next digest's draft now and show it for review")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_messages=True)
    async def draft(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        draft = await self.reviews.show_next(interaction.guild_id or 0)
        await answer(interaction, f"The draft of **{draft.edition.title}**: {draft.url or 'is being shown'}")

    # -- deciding

    async def _approve(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        await answer(interaction, await self.reviews.approve(guild_id, edition_id, revision, by=actor_id(interaction)))

    async def _hold(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        await answer(interaction, await self.reviews.hold(guild_id, edition_id, revision, by=actor_id(interaction)))

    async def _rebuild(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        draft = await self.reviews.rebuild(guild_id, edition_id, revision)
        await answer(interaction, f"The draft is made anew: version {draft.edition.revision}.")

    async def _undo_last(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        await self.reviews.current(guild_id, edition_id, revision)
        told = await self.reviews.undo(guild_id, edition_id, None, by=actor_id(interaction))
        await answer(interaction, f"Taken back: {told}.")

    async def _undo(self, interaction: Interaction, press: Press) -> None:
        await interaction.response.edit_message(view=None)
        await require_moderator(interaction)
        edition_id, edit_id = map(int, press.args)
        told = await self.reviews.undo(interaction.guild_id or 0, edition_id, edit_id, by=actor_id(interaction))
        await answer(interaction, f"Taken back: {told}.")

    # -- rewriting a paragraph

    async def _edit(self, interaction: Interaction, press: Press) -> None:
        await self._list(interaction, press, "Which paragraph?", paragraph_list)

    async def _edit_page(self, interaction: Interaction, press: Press) -> None:
        await self._turn(interaction, press, paragraph_list)

    async def _ask_text(self, interaction: Interaction, press: Press) -> None:
        edition_id, mark = int(press.args[0]), press.values[0]

        async def form() -> Form:
            draft = await self.reviews.draft(edition_id, guild_id=interaction.guild_id)
            text = next((each.text for each in paragraphs_of(draft.document) if each.mark == mark), None)
            if text is None:
                raise ConflictError(f"Somebody changed that paragraph meanwhile. Now: {draft.url or '`/draft`'}")
            if len(text) > _LONGEST:
                raise ConflictError(
                    f"The paragraph is longer than the {_LONGEST} characters of a form; drop items of it."
                )
            asked = Form("Rewrite the paragraph", "review_edited", edition_id, mark)
            hint = "What you write stays through every rebuild. Empty: the paragraph is left out."
            return asked.text("text", "Text", description=hint, default=text, long=True, limit=_LONGEST)

        await show_form(interaction, form)

    async def _edited(self, interaction: Interaction, press: Press) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        edition_id, mark, text = int(press.args[0]), press.args[1], press.fields.get("text", "")
        draft = await self.reviews.draft(edition_id, guild_id=interaction.guild_id)
        paragraph = next((each for each in paragraphs_of(draft.document) if each.mark == mark), None)
        if paragraph is None:
            raise ConflictError(
                f"Somebody changed that paragraph meanwhile, so nothing was changed. Now: {draft.url or '`/draft`'} "
                f"Your text: ```\n{text[:1500]}\n```"
            )
        await self._change(interaction, edition_id, TEXT, _text_data(paragraph, text))

    # -- dropping and moving

    async def _drop(self, interaction: Interaction, press: Press) -> None:
        await self._list(interaction, press, "Which item or conversation shall be left out?", drop_list)

    async def _drop_page(self, interaction: Interaction, press: Press) -> None:
        await self._turn(interaction, press, drop_list)

    async def _dropped(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        draft = await self.reviews.current(guild_id, edition_id, revision)
        item = required(items_of(draft.document), press.values[0])
        await self._change(interaction, edition_id, DROP, {"value": item.value})

    async def _move(self, interaction: Interaction, press: Press) -> None:
        await self._list(interaction, press, "Which item shall move?", move_list)

    async def _move_page(self, interaction: Interaction, press: Press) -> None:
        await self._turn(interaction, press, move_list)

    async def _ask_section(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        draft = await self.reviews.current(guild_id, edition_id, revision)
        item = required(items_of(draft.document, conversations=False), press.values[0])
        options = [option(key, title) for key, title in sections_of(draft).items()][:25]
        if not options:
            raise NotFoundError("There is no section to move it to; add one with `/section add`.")
        control = select(
            "review_moved", edition_id, revision, press.values[0], options=options, placeholder="To which section?"
        )
        await answer(interaction, f"Where shall `{item.value}` stand?", view=view(control))

    async def _moved(self, interaction: Interaction, press: Press) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        draft = await self.reviews.current(guild_id, edition_id, revision)
        item, key = required(items_of(draft.document, conversations=False), press.args[2]), press.values[0]
        title = sections_of(draft).get(key)
        if title is None:
            raise NotFoundError("That section is gone; `/section list` shows those there are.")
        await self._change(interaction, edition_id, MOVE, {"value": item.value, "section": key, "title": title})

    # -- the editor's note

    async def _ask_note(self, interaction: Interaction, press: Press) -> None:
        edition_id = int(press.args[0])

        async def form() -> Form:
            draft = await self.reviews.draft(edition_id, guild_id=interaction.guild_id)
            notes = [each.data["text"] for each in draft.edits if each.kind == NOTE and each.undone_at is None]
            asked = Form("Editor's note", "review_noted", edition_id)
            hint = "It stands above everything else. Empty: no note."
            return asked.text("text", "Note", description=hint, default=(notes or [""])[-1], long=True, limit=1500)

        await show_form(interaction, form)

    async def _noted(self, interaction: Interaction, press: Press) -> None:
        await acknowledge(interaction)
        await require_moderator(interaction)
        await self._change(interaction, int(press.args[0]), NOTE, {"text": press.fields.get("text", "")})

    # -- what they share

    async def _begin(self, interaction: Interaction, press: Press) -> tuple[int, int, int]:
        await acknowledge(interaction)
        await require_moderator(interaction)
        return interaction.guild_id or 0, int(press.args[0]), int(press.args[1])

    async def _list(self, interaction: Interaction, press: Press, question: str, controls: Controls) -> None:
        guild_id, edition_id, revision = await self._begin(interaction, press)
        draft = await self.reviews.current(guild_id, edition_id, revision)
        made = controls(draft, 0)
        if not made:
            raise NotFoundError("There is nothing of the kind in this draft.")
        await answer(interaction, question, view=view(*made))

    async def _turn(self, interaction: Interaction, press: Press, controls: Controls) -> None:
        await interaction.response.defer()
        await require_moderator(interaction)
        edition_id, revision, page = map(int, press.args)
        draft = await self.reviews.current(interaction.guild_id or 0, edition_id, revision)
        await interaction.edit_original_response(view=view(*controls(draft, page)))

    async def _change(self, interaction: Interaction, edition_id: int, kind: str, data: dict[str, object]) -> None:
        draft, edit_id = await self.reviews.change(
            interaction.guild_id or 0, edition_id, kind, data, by=actor_id(interaction)
        )
        where = f" {draft.url}" if draft.url else ""
        undo = view(button("Undo", "review_undo", edition_id, edit_id))
        await answer(interaction, f"Done: the draft is version {draft.edition.revision} now.{where}", view=undo)


def _text_data(paragraph: Paragraph, text: str) -> dict[str, object]:
    return {"section": paragraph.section, "anchor": list(paragraph.anchor), "before": paragraph.text, "text": text}


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Review(bot))
