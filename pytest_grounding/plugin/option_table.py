"""The options and ini keys of the plugin, and whether a run uses any of them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

PREFIX = "grounding_"
#: Documentation named in the help.
DOCS = "https://pypi.org/project/pytest-rag-grounding/"
#: Settings with their own option; --grounding-set covers all others.
OWN_OPTION = (
    *("profile", "fail_on", "suite", "expect", "require_citations", "accept_confidence"),
    *("max_hallucination_rate", "source_root", "glossary", "partial_runs", "baseline_gate"),
    *("scorer", "judge", "record", "cassette", "audit", "waivers"),
)
#: Settings that are a file or folder: a relative one in the ini file starts at the root of the project.
PATHS = ("source_root", "calibration", "corpus", "cassette", "local_model", "audit", "judge_measured")
FILES = ("*.transcript.json", "*.transcripts.jsonl")

#: On the command line, it requires transcripts in this run, even in a part of the suite.
PROMISE = "--grounding"
#: Values of --grounding-golden; `golden` has the same list, but is too slow to import here.
GOLDEN_POLICIES = ("check", "new", "update", "improvements", "lenient")
MARK_TRANSCRIPTS = (
    "transcripts(*patterns, **settings): run the test once for each transcript of the files that match; "
    "patterns start at the root of the project, then at the test's folder"
)
MARK_NAME_WAIVE = "grounding_waive"
MARK_WAIVE = (
    "grounding_waive(rule, claim, reason, evidence, by, expires): what this rule finds on the claim with "
    "these words is wrong or accepted, and decides nothing in this test, class or module"
)
MARK_GROUNDING = "grounding(**settings): settings of the grounding checks for this test, class or module"
MARK_NAME_EXPECTS = "grounding_expects"
MARK_EXPECTS = (
    "grounding_expects(*facts, forbidden=(), sources=()): what each answer of this test must state (a list "
    "of texts: any of them), what it must not state, and which chunks or documents must be retrieved"
)
MARKS = ("grounding", "transcripts", MARK_NAME_WAIVE, MARK_NAME_EXPECTS)

#: The table of the settings, read here without importing them.
TABLE = Path(__file__).parents[1] / "settings" / "settings.tsv"
#: The waivers file in the root, which indicates use of the plugin.
WAIVERS = "grounding.waivers.jsonl"
_OF_OPTIONS = "grounding"
_OWN_KEY = re.compile(rf'(?i)"?({PREFIX}\w+)"?\s*[=:]')
_PYTEST_TABLES = ("[pytest]", "[tool:pytest]", "[tool.pytest]", "[tool.pytest.ini_options]")
#: Ini keys that are not settings.
_FURTHER_KEYS = ("grounding_golden", "grounding_baseline", "grounding_profiles", "grounding_directories")
#: Options: name, metavar ("" for a switch), "repeated" or "", help. Ini keys: name, type, help.
_OPTIONS, _KEYS = (Path(__file__).with_name(name) for name in ("options.tsv", "keys.tsv"))
#: Options of pytest that collect tests and run none.
_NOTHING_RUNS = ("collectonly", "showfixtures", "show_fixtures_per_test", "setuponly", "setupplan")


@lru_cache(maxsize=3)
def _rows(table: Path) -> list[list[str]]:
    return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]


def setting_rows() -> Iterator[tuple[str, str, str, str]]:
    """Name, type, choices and default in words, and help of each setting."""
    for name, kind, default, _, _, choices, *_, text in _rows(TABLE)[1:]:
        words = [choices.replace(",", ", ")] if choices else []
        words += [f"default: {default}"] if default else []
        yield name, kind, f" ({'; '.join(words)})" if words else "", text


def says_something(config: pytest.Config) -> bool:
    """Whether the command line, the ini file, the environment or the root uses the plugin."""
    given = vars(config.option)
    # An empty value counts too, and is most often a mistake: an unset variable of the build.
    if any(given[name] or given[name] == "" for name in given if name.startswith(_OF_OPTIONS)):
        return True
    try:
        if any(config.getini(PREFIX + row[0]) is not None for row in setting_rows()):
            return True
        if tuple(config.getini("grounding_files")) != FILES or any(map(config.getini, _FURTHER_KEYS)):
            return True
    except (TypeError, ValueError, pytest.UsageError):
        return True
    variables = (cells[6] for cells in _rows(TABLE)[1:])
    return any(map(os.environ.get, filter(None, variables))) or (root_of(config) / WAIVERS).is_file()


def unknown_keys(config: pytest.Config) -> list[str]:
    """The keys with our prefix in the ini file and in ``-o`` that are neither settings nor further keys."""
    text = config.inipath.read_text(encoding="utf-8", errors="replace") if config.inipath is not None else ""
    given = list(config.getoption("override_ini", None) or ())
    table = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            table = line.partition("#")[0].strip()
        elif table in _PYTEST_TABLES:
            given.append(line)
    known = [PREFIX + row[0] for row in (*_rows(TABLE)[1:], *_rows(_KEYS))]
    keys = [found[1] for line in given if (found := _OWN_KEY.match(line)) is not None]
    return sorted(set(keys).difference(known))


def root_of(config: pytest.Config) -> Path:
    """Pytest's root, unless the value of an option of ours stood for a path before pytest knew it."""
    if config.inipath is not None or config.getoption("rootdir", None):
        return config.rootpath
    here = config.invocation_params.dir
    places = [here / argument.partition("::")[0] for argument in config.args]
    places = [place if place.is_dir() else place.parent for place in places if place.exists()]
    root = Path(os.path.commonpath([here, *map(os.path.normpath, places)]))
    return root if root.is_relative_to(config.rootpath) else config.rootpath


def is_help(config: pytest.Config) -> bool:
    """Whether pytest prints its help and runs nothing."""
    return not {"-h", "--help"}.isdisjoint(config.invocation_params.args)


def add_options(parser: pytest.Parser, *, is_short: bool) -> None:
    """Register the options and ini keys of the plugin; for the help one line stands for all keys."""
    group = parser.getgroup("grounding", "grounding: validate recorded RAG transcripts")
    for name, value, repeated, text in _rows(_OPTIONS):
        more: dict[str, Any] = {"metavar": value} if value else {"action": "store_true"}
        more |= {"action": "append", "default": []} if repeated else {}
        group.addoption(f"--grounding{name}", help=text, **more)
    text = "compare transcript files with their goldens (default: check)"
    group.addoption("--grounding-golden", nargs="?", const="check", choices=GOLDEN_POLICIES, help=text)
    if is_short:
        names = ", ".join(f"--grounding-{name.replace('_', '-')}" for name in OWN_OPTION[:2])
        some = f"for some also an option ({names}, ...)"
        text = f"a setting, {some}; all: pytest-grounding show settings, {DOCS}"
        parser.addini(f"{PREFIX}NAME", text, "string")
    else:
        _add_keys(parser)
    for name in OWN_OPTION:
        option = f"--grounding-{name.replace('_', '-')}"
        # The settings are on a page, and in pytest-grounding show settings.
        group.addoption(option, dest=PREFIX + name, metavar="VALUE", help=argparse.SUPPRESS)


def _add_keys(parser: pytest.Parser) -> None:
    defaults: dict[str, Any] = {"string": "", "args": FILES, "linelist": []}
    for key, kind, text in _rows(_KEYS):
        parser.addini(PREFIX + key, text, type=kind, default=defaults[kind])  # type: ignore[arg-type]
    for name, kind, choices, text in setting_rows():
        parser.addini(PREFIX + name, text + choices, type=kind, default=None)  # type: ignore[arg-type]


def lists_only(config: pytest.Config) -> bool:
    """Whether tests are listed and none is run."""
    return any(getattr(config.option, name, False) for name in _NOTHING_RUNS)


def runs_nothing(session: pytest.Session) -> bool:
    """Whether no test was meant to run, so that nothing is decided: a listing, or a usage error."""
    return lists_only(session.config) or session.exitstatus == pytest.ExitCode.USAGE_ERROR


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether the name is that of a file of transcripts."""
    # Compiling a pattern costs every run a millisecond; most patterns are a plain ending.
    for pattern in patterns:
        is_ending = pattern.startswith("*") and set("*?[").isdisjoint(pattern[1:])
        if (is_ending and name.endswith(pattern[1:])) or (not is_ending and fnmatchcase(name, pattern)):
            return True
    return False
