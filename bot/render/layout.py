"""Templates: those that come with the program, and an operator's own in front of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, TemplateError, select_autoescape
from jinja2.sandbox import ImmutableSandboxedEnvironment

from bot.errors import GazetteError
from bot.resources import templates_folder

TEMPLATES = ("head.md.j2", "summary.md.j2", "edition.md.j2", "edition.html.j2")


_FAILURES = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


class TemplateFailure(GazetteError):
    """A template that comes with the program fails: nothing is posted."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The templates in use. `folder` is the operator's; a file of a default's name stands in for the default."""

    folder: Path | None = None

    def fill(self, name: str, **context: Any) -> tuple[str, str | None]:
        """The filled template, and what was wrong with the operator's own where the default had to be used.

        Raises TemplateFailure where the default fails too.
        """
        problem = None
        if self.folder is not None and (self.folder / name).is_file():
            try:
                return _environment(self.folder).get_template(name).render(**context), None
            except _FAILURES as error:
                problem = f"The template {self.folder / name} fails ({_told(error)}); the default was used instead."
        try:
            return _environment(None).get_template(name).render(**context), problem
        except TemplateError as error:
            raise TemplateFailure(f"The template {name} fails: {_told(error)}; nothing was posted.") from error

    def style(self) -> str:
        """The style of pages, ready to stand in a `style` element."""
        own = self.folder / "page.css" if self.folder else None
        path = own if own and own.is_file() else templates_folder() / "page.css"
        return path.read_text(encoding="utf-8").replace("</", "<\\/")


def _told(error: Exception) -> str:
    line = getattr(error, "lineno", None)
    where = f"line {line}: " if line else ""
    return f"{where}{type(error).__name__}: {error}".replace("\n", " ")


@lru_cache(maxsize=8)
def _environment(folder: Path | None) -> Environment:
    """The operator's templates run in a sandbox; those that come with the program need none."""
    default = FileSystemLoader(templates_folder())
    kind = ImmutableSandboxedEnvironment if folder else Environment
    return kind(
        loader=ChoiceLoader([FileSystemLoader(folder), default]) if folder else default,
        undefined=StrictUndefined,
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
