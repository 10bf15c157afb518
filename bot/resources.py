"""Where the files that are not Python stand: beside the package in a checkout, inside it in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    installed = _PACKAGE / "resources_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def templates_folder() -> Path:
    """The Jinja templates that come with the program."""
    return _folder("templates")


def migrations_folder() -> Path:
    """The Alembic environment and its revisions."""
    return _folder("migrations")
