"""The wheel that users install: what is in it, and what is not."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    not (ROOT / "pytest_grounding").is_dir(), reason="the source tree was removed to test an installed wheel"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_package(wheel):
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "pytest_grounding").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in names(wheel) if name.startswith("pytest_grounding/")}
    assert packed == expected
    assert "pytest_grounding/py.typed" in packed


def test_the_wheel_holds_nothing_but_the_package(wheel):
    tops = {name.split("/")[0] for name in names(wheel)}
    assert tops == {"pytest_grounding", next(top for top in tops if top.endswith(".dist-info"))}
    parts = {part for name in names(wheel) for part in name.split("/")}
    assert not {part for part in parts if part.startswith("test_") or part in {"tests", "conftest.py"}}


def test_the_wheel_is_small(wheel):
    assert wheel.stat().st_size < 5_000_000


def test_the_metadata_is_complete(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode("utf-8"))
        licences = [entry for entry in archive.namelist() if entry.endswith("/LICENSE")]
    assert metadata["Name"] == "pytest-rag-grounding"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    extras = set(metadata.get_all("Provides-Extra") or [])
    assert extras >= {"all", "cohere", "mcp", "metrics"}
    asked = [line.partition(";") for line in metadata.get_all("Requires-Dist") or [] if "extra ==" in line]
    by_all = {what for what, _, extra in asked if "'all'" in extra}
    assert by_all == {what for what, _, extra in asked if "'all'" not in extra}, (
        "all brings every other extra"
    )
    assert "Framework :: Pytest" in (metadata.get_all("Classifier") or [])
    assert licences


def test_what_is_imported_is_declared():
    # Not what another package happens to bring: that one may stop bringing it.
    named = {
        path: {
            name.partition(".")[0]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in _imported(node)
        }
        for path in (ROOT / "pytest_grounding").rglob("*.py")
    }
    foreign = set().union(*named.values()) - sys.stdlib_module_names - {"pytest_grounding"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    declared = {re.split(r"[^\w-]", line)[0].replace("-", "_") for line in asked}
    # pydantic pins its core; xdist and the parts of pytest are there where they are used.
    assert {name.lower() for name in foreign} - declared <= {"pydantic_core", "xdist", "_pytest"}
    assert {"markupsafe", "pluggy", "numpy"} <= foreign


def _imported(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
