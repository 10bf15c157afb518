"""The file beside the database that remembers who was erased, so that a restored backup does not bring them back.

It holds keyed hashes, one a line, and only ever grows; it must not be restored together with the database.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from bot.errors import StoreError


@dataclass(frozen=True, slots=True)
class ErasureFile:
    """The file; `path` None: there is none, and only the database remembers."""

    path: Path | None

    def read(self) -> set[str]:
        """The hashes. Raises StoreError where the file cannot be read."""
        if self.path is None or not self.path.exists():
            return set()
        try:
            return set(self.path.read_text(encoding="ascii").split())
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"{self.path}, which remembers erased members, cannot be read: {error}.") from error

    def add(self, hashes: Collection[str]) -> None:
        """Remember more hashes. Raises StoreError where the file cannot be written."""
        if new := set(hashes) - self.read():
            self._write(self.read() | new)

    def remove(self, hashes: Collection[str]) -> None:
        """Forget hashes: somebody opted in again."""
        known = self.read()
        if known & set(hashes):
            self._write(known - set(hashes))

    def _write(self, hashes: set[str]) -> None:
        if self.path is None:
            return
        try:
            with tempfile.NamedTemporaryFile("w", dir=self.path.parent, delete=False, encoding="ascii") as file:
                file.write("".join(f"{each}\n" for each in sorted(hashes)))
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(self.path)
        except OSError as error:
            raise StoreError(
                f"{self.path}, which remembers erased members, cannot be written ({error.strerror}); nothing was "
                "erased. Make its folder writable, or name another file in GAZETTE_ERASURES_FILE."
            ) from error
