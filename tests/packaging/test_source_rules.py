"""Rules that a linter does not know: words, and which names may be installed."""

import re
from pathlib import Path

import pytest_grounding

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(pytest_grounding.__file__).parent
SKIPPED_FOLDERS = {".git", "__pycache__", "dist", "build", "node_modules"}
TEXT_SUFFIXES = {".py", ".md", ".toml", ".yml", ".yaml", ".cfg", ".ini", ".json", ".jsonl", ".txt", ""}


def sources():
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 20, "the package's sources were not found"
    return files


def texts():
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(
            part.startswith((".venv", ".mypy", ".ruff", ".pytest", ".hyp", ".import")) for part in parts
        )
        if hidden or SKIPPED_FOLDERS & set(parts) or path.suffix not in TEXT_SUFFIXES:
            continue
        if path.is_file() and path.stat().st_size < 2_000_000:
            yield path


def test_no_module_is_named_utils():
    names = {path.stem for path in sources()} | {path.parent.name for path in sources()}
    assert not names & {"utils", "util", "helpers", "misc", "common"}


def test_no_todo_and_no_wrong_distribution_name():
    later = re.compile(r"(?m)^\s*(#|//)?\s*(TO" r"DO|FIX" r"ME|X" r"XX)\b")
    other = re.compile(r"pip install (-U )?pytest-" r"grounding\b(?!-)")
    seen = 0
    for path in texts():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        seen += 1
        place = path.relative_to(ROOT)
        assert not other.search(text), f"{place} tells people to install another project"
        if path.suffix in {".py", ".md", ".toml", ".yml"}:
            assert not later.search(text), f"{place} leaves something for later"
    assert seen > 30


def test_the_readme_is_short_and_the_usual_files_exist():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.count("\n") <= 110
    assert readme.count("Install `pytest-rag-grounding`, command `pytest-grounding`") == 1
    order = ("## What it guarantees", "rank the rest", "wrong answers that pass")
    told = [readme.index(words) for words in order]
    assert told == sorted(told)
    for name in ("LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", ".ci/run"):
        assert (ROOT / name).is_file(), name
    assert (ROOT / ".ci/run").stat().st_mode & 0o100


def test_every_action_is_pinned_by_its_full_hash():
    uses = []
    for path in [ROOT / "action.yml", *sorted((ROOT / ".github/workflows").glob("*.yml"))]:
        lines = path.read_text(encoding="utf-8").splitlines()
        uses += [line for line in lines if re.match(r"\s*(- )?uses:", line)]
    assert uses
    for line in uses:
        assert re.search(r"@[0-9a-f]{40} # v\d+(\.\d+)*$", line), line


def test_the_gate_job_needs_every_other_job():
    text = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    jobs = re.findall(r"(?m)^  ([a-z-]+):$", text[text.index("\njobs:") :])
    needed = re.search(r"needs: \[([^\]]+)\]", text[text.index("\n  gate:") :])
    assert needed
    assert set(jobs) - {"gate"} == {name.strip() for name in needed[1].split(",")}
    assert "gate" in jobs


def test_the_version_is_written_in_one_place():
    stated = re.search(r'(?m)^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert stated
    for path in sources():
        assert f'"{stated[1]}"' not in path.read_text(encoding="utf-8"), path


def test_the_import_contract_lists_every_package():
    text = (ROOT / ".importlinter").read_text(encoding="utf-8")
    contract = text[text.index("[importlinter:contract:core]") :]
    named = set(
        re.findall(r"(?m)^    pytest_grounding\.(\w+)$", contract[: contract.index("forbidden_modules")])
    )
    paths = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    rooms = {path.stem for path in paths if not path.stem.startswith("_")}
    assert len(rooms) > 10
    # errors is the lowest floor and imports nothing of anybody; plugin is where pytest belongs.
    assert rooms - {"plugin", "errors"} == named


def test_every_script_in_the_makefile_exists():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    scripts = re.findall(r"\$\(BIN\)/python ([\w/]+\.py)", text)
    modules = re.findall(r"\$\(BIN\)/python -m (benchmarks[.\w]*)", text)
    assert scripts
    assert modules
    for name in scripts:
        assert (ROOT / name).is_file(), name
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


def test_every_target_of_make_is_explained_and_listed():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = re.search(r"(?m)^\.PHONY: (.+)$", text)
    assert listed
    explained = re.findall(r"(?m)^([a-z-]+):.*## ", text)
    assert sorted(listed[1].split()) == sorted(explained)
