"""The wheel holds all that the program needs: it works from an empty folder as it does from the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contents of the wheel, as an installer lays them out."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def _python(installed: Path, code: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_installed_program_makes_its_database(installed: Path, tmp_path: Path) -> None:
    code = "import sys; sys.argv = ['gazette', 'migrate']; from bot.cli import main; main()"
    assert "from empty" in _python(installed, code, tmp_path)
    assert (tmp_path / "gazette.sqlite3").exists()


def test_its_templates_and_cogs_are_found_within_it(installed: Path, tmp_path: Path) -> None:
    code = (
        "import bot.resources as r, bot.client as c, importlib.util as u; "
        "assert all(u.find_spec(name) for name in c.EXTENSIONS); "
        "print(r.templates_folder(), (r.templates_folder() / 'edition.html.j2').is_file())"
    )
    folder, found = _python(installed, code, tmp_path).rsplit(" ", 1)
    assert Path(folder).is_relative_to(installed)
    assert found == "True"


def test_the_wheel_holds_no_tests_and_no_examples(installed: Path) -> None:
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == {"bot", "cogs"}
