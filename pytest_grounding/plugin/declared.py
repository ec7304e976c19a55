"""The options and ini keys of the plugin, and whether a run says anything of ours at all."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

PREFIX = "grounding_"
#: Where help sends its reader.
DOCS = "https://pypi.org/project/pytest-rag-grounding/"

#: Settings with an option of their own; --grounding-set reaches all the others.
OWN_OPTION = (
    "profile",
    "fail_on",
    "suite",
    "expect",
    "require_citations",
    "accept_confidence",
    "max_hallucination_rate",
    "source_root",
    "glossary",
    "partial_runs",
    "baseline_gate",
    "scorer",
    "judge",
    "record",
    "cassette",
    "audit",
    "waivers",
)

FILES = ("*.transcript.json", "*.transcripts.jsonl")

#: Said on the command line, it promises transcripts of the run at hand, also of a part of the suite.
PROMISE = "--grounding"
#: What --grounding-golden takes; the golden room holds the same, and costs too much to load here.
GOLDEN_POLICIES = ("check", "new", "update", "improvements")
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
#: The marks of ours.
MARKS = ("grounding", "transcripts", MARK_NAME_WAIVE)

#: One setting a line, with tabs between: name, type of the ini key, variable, choices, default, help.
TABLE = Path(__file__).with_name("settings.tsv")
#: The file of the waivers in the root, which says that there is something to look at.
WAIVERS = "grounding.waivers.jsonl"
_OF_OPTIONS = "grounding"
#: Ini keys that stand for no setting.
_FURTHER_KEYS = ("grounding_golden", "grounding_baseline", "grounding_profiles", "grounding_directories")


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Name, type, choices and default in words, and help of each setting."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        name, kind, _, choices, default, text = line.split("\t")
        words = [choices] if choices else []
        words += [f"default: {default}"] if default else []
        yield name, kind, f" ({'; '.join(words)})" if words else "", text


def variables() -> Iterator[str]:
    """The environment variables that stand for a setting."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        variable = line.split("\t", 3)[2]
        if variable:
            yield variable


def says_something(config: pytest.Config) -> bool:
    """Whether anything on the command line, in the ini file, the environment or the root is of ours."""
    given = vars(config.option)
    # An empty value is said too, and most often by mistake: a variable of the build is not set.
    if any(given[name] or given[name] == "" for name in given if name.startswith(_OF_OPTIONS)):
        return True
    try:
        if any(config.getini(PREFIX + row[0]) is not None for row in rows()):
            return True
        if tuple(config.getini("grounding_files")) != FILES or any(map(config.getini, _FURTHER_KEYS)):
            return True
    except (TypeError, ValueError, pytest.UsageError):
        return True
    return any(map(os.environ.get, variables())) or (config.rootpath / WAIVERS).is_file()


def add(parser: pytest.Parser) -> None:
    """Register the options and ini keys of the plugin."""
    group = parser.getgroup("grounding", "grounding: validate recorded RAG transcripts")
    group.addoption(
        "--grounding",
        action="store_true",
        help="this run must validate transcripts: finding none is a failure",
    )
    group.addoption(
        "--grounding-set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a setting for this run (repeatable)",
    )
    group.addoption(
        "--grounding-json",
        metavar="PATH",
        help="write verdicts, figures and decision as canonical JSON",
    )
    group.addoption(
        "--grounding-report",
        action="append",
        default=[],
        metavar="KIND:PATH",
        help="write a report, such as html:report.html or github-summary (repeatable)",
    )
    group.addoption(
        "--grounding-used",
        metavar="PATH",
        help="write what this run used of cassettes, for show cassette prune",
    )
    group.addoption(
        "--grounding-baseline",
        metavar="FILE",
        help="compare the run with this baseline",
    )
    group.addoption(
        "--grounding-baseline-update",
        action="store_true",
        help="write the baseline anew from this whole run",
    )
    group.addoption(
        "--grounding-baseline-allow-new",
        action="store_true",
        help="let the baseline that is written take new findings too",
    )
    group.addoption(
        "--grounding-shard-report",
        metavar="FILE",
        help="write the part of one of several jobs, for pytest-grounding merge",
    )
    _add_golden(group, parser)
    _add_settings(group, parser)


def _add_golden(group: pytest.OptionGroup, parser: pytest.Parser) -> None:
    group.addoption(
        "--grounding-golden",
        nargs="?",
        const="check",
        choices=GOLDEN_POLICIES,
        help="compare transcript files with their goldens (default: check)",
    )
    parser.addini(
        "grounding_golden", "compare each transcript file with its goldens: check, new, ...", default=""
    )


def _add_settings(group: pytest.OptionGroup, parser: pytest.Parser) -> None:
    parser.addini(
        "grounding_files", "name patterns of the files that are tests by themselves", "args", default=FILES
    )
    parser.addini("grounding_baseline", "baseline file, from the root of the project", default="")
    parser.addini(
        "grounding_profiles", "further profiles, one a line: NAME: SETTING=VALUE ...", "linelist", default=[]
    )
    parser.addini(
        "grounding_directories",
        "settings for the tests and transcripts under a folder, one a line: FOLDER: SETTING=VALUE ...",
        "linelist",
        default=[],
    )
    for name, kind, choices, text in rows():
        parser.addini(PREFIX + name, text + choices, type=kind, default=None)  # type: ignore[arg-type]
    for name in OWN_OPTION:
        option = f"--grounding-{name.replace('_', '-')}"
        # The settings stand on a page, and in pytest-grounding show settings.
        group.addoption(option, dest=PREFIX + name, metavar="VALUE", help=argparse.SUPPRESS)


def shorten_help(config: pytest.Config) -> None:
    """Leave one line for all of our keys in the help of pytest."""
    held = config._parser._inidict
    for name in [name for name in held if name.startswith(PREFIX)]:
        del held[name]
    names = ", ".join(f"--grounding-{name.replace('_', '-')}" for name in OWN_OPTION[:2])
    text = f"a setting, for some also an option ({names}, ...); all: pytest-grounding show settings, {DOCS}"
    held[f"{PREFIX}NAME"] = (text, "string", None)


#: Options of pytest under which tests are collected and none is run.
_NOTHING_RUNS = ("collectonly", "showfixtures", "show_fixtures_per_test", "setuponly", "setupplan")


def lists_only(config: pytest.Config) -> bool:
    """Whether tests are listed and none is run."""
    return any(getattr(config.option, name, False) for name in _NOTHING_RUNS)


def runs_nothing(session: pytest.Session) -> bool:
    """Whether no test was meant to run, so that nothing is decided: a listing, or a usage error."""
    return lists_only(session.config) or session.exitstatus == pytest.ExitCode.USAGE_ERROR


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Is this a file of transcripts by its name."""
    return any(
        # To compile the pattern of an ending costs more than all files of a small suite.
        name.endswith(pattern[1:]) if _is_ending(pattern) else fnmatchcase(name, pattern)
        for pattern in patterns
    )


def _is_ending(pattern: str) -> bool:
    return pattern[:1] == "*" and not any(sign in pattern[1:] for sign in "*?[")


def is_marked(item: pytest.Item, unmarked: set[int]) -> bool:
    """Does the test or a node above it bear a mark of ours; nodes that do not are remembered."""
    node: Any = item
    seen = []
    while node is not None and id(node) not in unmarked:
        if any(mark.name in MARKS for mark in node.own_markers):
            return True
        seen.append(id(node))
        node = node.parent
    unmarked.update(seen)
    return False
