"""A bot that draws no pictures, which take a second each time, for tests that are about something else."""

from __future__ import annotations

from dataclasses import replace

from bot.app import App
from bot.model.edition import Edition
from bot.model.parts import Rendered
from bot.model.settings import GuildSettings
from bot.render.edition import Writing
from bot.render.layout import Layout


def draw_none(app: App) -> None:
    """Have the app render everything but the pictures."""
    for service in (app.maker, app.privacy):
        object.__setattr__(service, "stages", replace(service.stages, render=_render))


def _render(edition: Edition, settings: GuildSettings) -> Rendered:
    writing = Writing(edition, settings, Layout(None))
    markdown = writing.markdown()
    return Rendered(writing.parts(markdown), markdown, writing.page())
