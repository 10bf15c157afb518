"""Buttons, selects and forms that need no memory: what they do stands in their id, so they outlive a restart.

Not a cog itself; the cogs share it. An id is `gazette:NAME:ARGUMENT:ARGUMENT...`; a cog registers a handler for
each of its names in `bot.controls`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import discord
from discord.ext import commands

from bot.errors import ConflictError, NotFoundError
from cogs.answers import Interaction, acknowledge, require_moderator, tell

if TYPE_CHECKING:
    from bot.client import DigestBot

_TEMPLATE = r"gazette:(?P<name>[a-z_]+)(?::(?P<data>.*))?"
_FORM_WITHIN = 1.5
"""In seconds; Discord gives up after three."""
PAGE = 25
"""How many options a select holds."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A control that was used: the arguments in its id, what was chosen, what was typed by field."""

    args: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Interaction, Press], Awaitable[None]]


def control_id(name: str, *args: object) -> str:
    return ":".join(["gazette", name, *map(str, args)])


class Control(discord.ui.DynamicItem[discord.ui.Item[Any]], template=_TEMPLATE):
    """A button or select whose id says what it does."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Control:
        return cls(item)

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        data: Any = interaction.data or {}
        await _handle(interaction, self.custom_id, values=tuple(map(str, data.get("values") or ())))


def button(
    label: str,
    name: str,
    *args: object,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    row: int | None = None,
    disabled: bool = False,
) -> Control:
    """A button that calls the handler `name`."""
    item: discord.ui.Button[Any] = discord.ui.Button(
        label=label, style=style, custom_id=control_id(name, *args), row=row, disabled=disabled
    )
    return Control(item)


def select(
    name: str, *args: object, options: Sequence[discord.SelectOption], placeholder: str, row: int | None = None
) -> Control:
    """A select of at most 25 options that calls the handler `name`."""
    item: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=control_id(name, *args), options=list(options), placeholder=placeholder[:150], row=row
    )
    return Control(item)


def wrapped(item: discord.ui.Item[Any]) -> Control:
    """A control around a channel or role select whose id was made by `control_id`."""
    return Control(item)


def view(*controls: Control) -> discord.ui.View:
    made = discord.ui.View(timeout=None)
    for control in controls:
        made.add_item(control)
    return made


def undo_view(action_id: int | None) -> Any:
    """A button that takes a change back, by its id in the log; nothing to send where nothing was changed."""
    return discord.utils.MISSING if action_id is None else view(button("Undo", "undo", action_id))


def paged(things: Sequence[T], page: int) -> tuple[Sequence[T], int, int]:
    """The things of a page (25 at most), the page's number brought into range, and how many pages there are."""
    pages = max(1, -(-len(things) // PAGE))
    page = min(max(page, 0), pages - 1)
    return things[page * PAGE : (page + 1) * PAGE], page, pages


def turn_pages(name: str, *args: object, page: int, pages: int) -> list[Control]:
    """Buttons to the pages before and after; none where there is one page."""
    if pages <= 1:
        return []
    return [
        button(f"◀ {page} of {pages}" if page else "◀", name, *args, page - 1, disabled=page == 0),
        button(
            f"{page + 2} of {pages} ▶" if page + 1 < pages else "▶", name, *args, page + 1, disabled=page + 1 == pages
        ),
    ]


class Form(discord.ui.Modal):
    """A form that calls the handler `name` with its fields; what is filled in survives a restart of the bot."""

    def __init__(self, title: str, name: str, *args: object) -> None:
        super().__init__(title=title[:45], custom_id=control_id(name, *args), timeout=None)

    def text(
        self,
        key: str,
        label: str,
        *,
        description: str | None = None,
        default: str | None = None,
        long: bool = False,
        required: bool = False,
        limit: int = 1000,
    ) -> Form:
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        component: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=key, style=style, default=(default or "")[:limit] or None, required=required, max_length=limit
        )
        self.add_item(
            discord.ui.Label(text=label[:45], description=(description or "")[:100] or None, component=component)
        )
        return self

    def choice(
        self,
        key: str,
        label: str,
        options: Sequence[discord.SelectOption],
        *,
        placeholder: str,
        chosen: str | None = None,
    ) -> Form:
        for option in options:
            option.default = option.value == chosen
        component: discord.ui.Select[Any] = discord.ui.Select(
            custom_id=key, required=False, placeholder=placeholder, options=list(options)[:PAGE]
        )
        self.add_item(discord.ui.Label(text=label[:45], component=component))
        return self

    async def on_error(self, interaction: Interaction, error: Exception) -> None:  # type: ignore[override]
        await tell(interaction, error)


async def show_form(
    interaction: Interaction, make: Callable[[], Awaitable[Form]], *, plain: Form | None = None
) -> None:
    """Show a moderator the form that `make` gives with what holds now.

    A form has to be the first answer, so there is no time for a slow database: then the `plain` form is shown, and
    who sends it is checked when it comes back. Without one, raises ConflictError; ForbiddenError for others.
    """

    async def made() -> Form:
        await require_moderator(interaction)
        return await make()

    task = asyncio.create_task(made(), name="form")
    await asyncio.wait([task], timeout=_FORM_WITHIN)
    if task.done():
        form = task.result()
    elif plain is None:
        raise ConflictError("The database is slow just now, so the form could not be made in time; please try again.")
    else:
        form = plain
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
    await interaction.response.send_modal(form)


def _fields(components: Sequence[Any]) -> dict[str, str]:
    """What was typed or chosen, by the id of its field; of several chosen values the first."""
    found: dict[str, str] = {}
    for component in components:
        inner = component.get("component")
        for each in [inner] if inner else component.get("components") or ():
            values = each.get("values")
            found[each["custom_id"]] = str(each.get("value") or "") if values is None else (values or [""])[0]
    return found


async def _handle(interaction: Interaction, custom_id: str, **given: Any) -> None:
    match = re.fullmatch(_TEMPLATE, custom_id, re.DOTALL)
    if match is None:
        return
    handler: Handler | None = interaction.client.controls.get(match["name"])
    try:
        if handler is None:
            await acknowledge(interaction)
            raise NotFoundError("That control is from an earlier version of the bot; use the command again.")
        await handler(
            interaction, Press(args=tuple((match["data"] or "").split(":")) if match["data"] else (), **given)
        )
    except Exception as error:
        await tell(interaction, error)


class Controls(commands.Cog):
    """Takes what is pressed and sent, also from messages that were posted before a restart."""

    def __init__(self, bot: DigestBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        self.bot.add_dynamic_items(Control)

    async def cog_unload(self) -> None:
        self.bot.remove_dynamic_items(Control)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit and custom_id.startswith("gazette:"):
            await _handle(interaction, custom_id, fields=_fields(data.get("components") or ()))


async def setup(bot: DigestBot) -> None:
    await bot.add_cog(Controls(bot))
