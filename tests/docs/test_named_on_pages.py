"""What a user can write or import is named on a page, and what pages import stands in the policy."""

import argparse
import re

from doc_blocks import ROOT, blocks_of, pages

import pytest_grounding as pg
from pytest_grounding.cli import build_parser

DOCS = ROOT / "docs"
#: They stand under "For every command", or are argparse's.
_OF_ALL = {"--help", "--version", "--json", "--color"}
_IMPORTED = re.compile(
    r"(?m)^\s*(?:from pytest_grounding\.([\w.]+) import|from pytest_grounding import (\w+))"
)


def options_of(parser, name=""):
    """Command and long name of every option."""
    if name.startswith("show "):
        parser.load()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child, below in action.choices.items():
                yield from options_of(below, f"{name} {child}".strip())
        elif action.help != argparse.SUPPRESS:
            yield from ((name, word) for word in action.option_strings if word.startswith("--"))


def test_every_option_of_pytest_is_documented(pytestconfig):
    page = (DOCS / "pytest.md").read_text(encoding="utf-8")
    (group,) = (group for group in pytestconfig._parser._groups if group.name == "grounding")
    names = [name for option in group.options for name in option.names()]
    assert len(names) > 20
    assert not [name for name in names if not re.search(rf"`{name}(?![\w-])", page)]


def test_every_option_of_a_command_is_documented():
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    named = set(re.findall(r"--[a-z][a-z-]*", text))
    missing = [
        (name, word) for name, word in options_of(build_parser(is_whole=True)) if word not in named | _OF_ALL
    ]
    assert not missing


#: Options of pytest, its plugins, the audit log, the server and benchmarks; an example of a fact.
_OF_OTHERS = re.compile(
    r"--(?:grounding|reruns|dist|deselect|ignore|junitxml|lf|picked|stepwise|testmon|options|dry-run"
    r"|last|session|since|until|status|log-level|max-total|local-model)"
)


def test_every_command_and_option_on_pages_exists():
    known = {}
    for name, word in options_of(build_parser(is_whole=True)):
        known.setdefault(name, set()).add(word)
    unknown = []
    for page in pages():
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(r"`?pytest-grounding ([a-z][^`\n|]*)", text):
            words = line.split()
            name = next((" ".join(words[:n]) for n in (3, 2, 1) if " ".join(words[:n]) in known), None)
            said = re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)
            if name is None:
                unknown += [(page.name, line)] if said else []
                continue
            unknown += [(page.name, name, word) for word in said if word not in known[name] | _OF_ALL]
    assert not unknown


def test_every_option_on_pages_is_one_of_a_command():
    known = {word for _, word in options_of(build_parser(is_whole=True))} | _OF_ALL
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    named = set(re.findall(r"`(--[a-z][a-z-]*)", text))
    assert not {word for word in named - known if not _OF_OTHERS.match(word)}


def test_the_policy_names_the_modules_that_pages_import_from():
    policy = (DOCS / "policy.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"(?m)^\| modules \| (.*) \|$", policy)
    promised = set(re.findall(r"`([\w.]+)`", row))
    imported = set()
    for page in pages():
        # What that page runs through is the package itself.
        if page.name == "architecture.md":
            continue
        text = "\n".join(block.text for block in blocks_of(page))
        imported |= {one or other for one, other in _IMPORTED.findall(text)}
    assert imported - {"testing", *pg.__all__} <= promised
    everything = "\n".join(page.read_text(encoding="utf-8") for page in pages() if page.name != "policy.md")
    unused = [name for name in promised - imported if f"pytest_grounding.{name}" not in everything]
    assert not unused


def test_the_files_named_for_contributors_exist():
    named = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|tsv|toml|json))`")
    pages = sorted((DOCS / "contributing").glob("*.md"))
    found = {name for page in pages for name in named.findall(page.read_text(encoding="utf-8"))}
    assert len(found) > 15
    roots = (ROOT, ROOT / "pytest_grounding")
    folders = [ROOT / name for name in ("pytest_grounding", "tests", "training")]
    known = {path.name for folder in folders for path in folder.rglob("*.*")}
    gone = [name for name in sorted(found) if not any((root / name).exists() for root in roots)]
    assert [name for name in gone if "/" in name or name not in known] == []
