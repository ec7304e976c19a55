"""Planting knows nothing of detecting: a fault chosen with the detector's words would prove nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_grounding.mutation
from pytest_grounding.mutation.faults import ANTONYMS, UNIT_SWAPS

PACKAGE = Path(pytest_grounding.mutation.__file__).parent
FORBIDDEN = (
    "pytest_grounding.scorers",
    "pytest_grounding.claims",
    "pytest_grounding.checks",
    "pytest_grounding.engine.registry",
)


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("file", sorted(PACKAGE.glob("*.py")), ids=lambda file: file.name)
def test_no_module_of_planting_imports_what_detects(file):
    assert not {name for name in imported(file) if name.startswith(FORBIDDEN)}


def test_planting_runs_without_the_detector_being_loaded():
    names = [file.stem for file in PACKAGE.glob("*.py") if file.stem not in {"__init__", "mutate_files"}]
    assert {"faults", "site"} <= set(names)
    # The package's own __init__ reaches the engine, so the modules are loaded beside it.
    script = (
        "import sys, types\n"
        "package = types.ModuleType('pytest_grounding.mutation')\n"
        f"package.__path__ = [{str(PACKAGE)!r}]\n"
        "sys.modules['pytest_grounding.mutation'] = package\n"
        "import importlib\n"
        f"for name in {sorted(names)!r}: importlib.import_module('pytest_grounding.mutation.' + name)\n"
        f"print([name for name in sys.modules if name.startswith({FORBIDDEN!r})])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_tables_are_other_objects_and_other_words():
    from pytest_grounding.scorers.builtin.conflicts import conflict_words as lexicon

    assert ANTONYMS is not getattr(lexicon, "ANTONYMS", None)
    assert all(old != new for old, new in ANTONYMS.items())
    assert all(old != new for old, new in UNIT_SWAPS.items())
    # Planting must not be a copy of what is detected, or every planted pair would be a known one.
    known = {stem: lexicon.opposites_of(stem) for stem in lexicon.sided()}
    from pytest_grounding.reading.words import tokenize

    def stem(word: str) -> str:
        return tokenize(word)[0].stem

    unknown = [old for old, new in ANTONYMS.items() if stem(new) not in known.get(stem(old), {})]
    assert len(unknown) >= 10
    # Any wide table holds most of what is planted; that it was not made of it shows in the rest of it.
    assert sum(map(len, known.values())) > 20 * len(ANTONYMS)
