"""A newcomer's exercise: each part in one file of the tree and its registry; all of them in an extension."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import pytest_grounding as pg

PACKAGE = Path(pg.__file__).parent
ADDED = Path(__file__).with_name("added")
TEXTS = ("The museum opens at nine.", "A ticket costs 12 euros.", "The new editor ships in the main channel.")
CHUNKS = [{"id": f"c{number}", "text": text} for number, text in enumerate(TEXTS, start=1)]
BETA = "The new editor ships in the beta channel [3]."


class Addition(NamedTuple):
    """What is added to the tree.

    Attributes:
        room: the folder that the file goes into.
        registry: the file that names it.
        rows: line of the registry -> what is put in front of it.
    """

    room: str
    registry: str
    rows: dict[str, str]


ADDITIONS = {
    "dagger": Addition(
        "citations",
        "citations/extract.py",
        {
            "from pytest_grounding.citations.ids import IdSyntax\n": (
                "from pytest_grounding.citations.dagger import DaggerSyntax\n"
            ),
            "    IndexSyntax,\n": "    DaggerSyntax,\n",
        },
    ),
    "shouting": Addition(
        "checks",
        "rules/rules.toml",
        {
            "[rules.source_exists]\n": (
                '[rules.shouting]\ntitle = "words in capital letters"\ngroup = "claims"\n'
                'severity = "warning"\ncheck = "shouting"\n\n'
            )
        },
    ),
    "channels": Addition(
        "scorers/builtin/conflicts",
        "scorers/builtin/conflicts/conflict_search.py",
        {
            "from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest, Span\n": (
                "from pytest_grounding.scorers.builtin.conflicts.channels import channel_conflicts\n"
            ),
            '    Kind("entity",': (
                """    Kind("channel", channel_conflicts, '"beta" / "main"', odds=3.0),\n"""
            ),
        },
    ),
    "csv_rows": Addition(
        "reports",
        "reports/write.py",
        {'    ReportKind("terminal",': '    ReportKind("csv", "csv_rows:render", "rows for tables"),\n'},
    ),
}


def transcript(answer):
    return {"id": "t1", "question": "When does it open?", "chunks": CHUNKS, "answer": answer}


class Tree:
    """A copy of the project that a newcomer works in."""

    def __init__(self, folder):
        self.folder = folder
        # With byte code, which is of use as long as no file of it changes.
        shutil.copytree(PACKAGE, folder / "pytest_grounding")

    def add(self, name):
        """Add one part: a file, and its entry in the registry."""
        addition = ADDITIONS[name]
        package = self.folder / "pytest_grounding"
        shutil.copy(ADDED / f"{name}.py", package / addition.room)
        registry = package / addition.registry
        text = registry.read_text(encoding="utf-8")
        for line, row in addition.rows.items():
            assert text.count(line) == 1
            text = text.replace(line, row + line)
        registry.write_text(text, encoding="utf-8")

    def run(self, *arguments):
        """What Python prints with these arguments, with the copy in place of the project."""
        command = [sys.executable, *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.stdout

    def verdict(self, answer, **said):
        """The verdict of the copy on an answer."""
        code = (
            "import sys, json, pytest_grounding as pg\n"
            "print(pg.__file__)\n"
            "print(pg.validate(json.loads(sys.argv[1])).to_json())"
        )
        place, _, found = self.run("-c", code, json.dumps(transcript(answer) | said)).partition("\n")
        assert Path(place).is_relative_to(self.folder)
        verdict = json.loads(found)
        return verdict


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path / "tree")


def rules_of(verdict):
    return {part["rule"] for part in verdict["findings"]}


def test_a_citation_syntax_in_one_file_of_the_tree(tree):
    answer = "A ticket costs 12 euros‡2."
    assert pg.validate(transcript(answer)).citations == ()
    tree.add("dagger")
    [citation] = tree.verdict(answer)["citations"]
    assert (citation["syntax"], citation["chunk_id"], citation["text"]) == ("dagger", "c2", "‡2")
    # What lists the ways to cite follows.
    code = "from pytest_grounding.audit.metrics import SYNTAXES; print('dagger' in SYNTAXES)"
    assert tree.run("-c", code) == "True\n"


def test_a_check_in_one_file_of_the_tree(tree):
    answer = "THE MUSEUM OPENS AT NINE [1]."
    assert "shouting" not in rules_of(json.loads(pg.validate(transcript(answer)).to_json()))
    tree.add("shouting")
    verdict = tree.verdict(answer)
    assert "shouting" in rules_of(verdict)
    assert verdict["status"] == "review"
    assert "shouting" not in rules_of(tree.verdict("The museum opens at nine [1]."))
    assert "words in capital letters" in tree.run("-m", "pytest_grounding", "explain", "shouting")


def test_a_report_in_one_file_of_the_tree(tree):
    tree.add("csv_rows")
    (tree.folder / "a.transcript.json").write_text(json.dumps(transcript("It opens at nine [1].")))
    tree.run("-m", "pytest_grounding", "check", "a.transcript.json", "--report", "csv:out.csv")
    assert (tree.folder / "out.csv").read_text() == "t1;pass\n"
    assert "csv" in tree.run("-m", "pytest_grounding", "merge", "--help")
    tree.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--grounding-report=csv:again.csv")
    assert (tree.folder / "again.csv").read_text() == "t1;pass\n"


def test_a_conflict_kind_in_one_file_of_the_tree(tree):
    assert "contradicted" not in rules_of(json.loads(pg.validate(transcript(BETA)).to_json()))
    tree.add("channels")
    verdict = tree.verdict(BETA)
    [conflict] = verdict["claims"][0]["conflicts"]
    assert (conflict["kind"], conflict["claim_text"], conflict["evidence_text"]) == (
        "channel",
        "beta",
        "main",
    )
    assert "contradicted" in rules_of(verdict)


@pytest.mark.row(48)
def test_all_of_them_in_one_file_of_an_extension(pytester):
    shutil.copy(ADDED / "extension.py", pytester.path / "conftest.py")
    answer = f"A ticket costs 12 euros‡2. THE MUSEUM OPENS AT NINE‡1. {BETA}"
    (pytester.path / "a.transcript.json").write_text(json.dumps(transcript(answer)))
    done = pytester.runpytest_subprocess("-q", "--grounding-report=csv:out.csv", "--grounding-json=out.json")
    done.stdout.fnmatch_lines(["written: csv:out.csv"])
    [verdict] = json.loads((pytester.path / "out.json").read_text())["transcripts"]
    assert [(item["syntax"], item["chunk_id"]) for item in verdict["citations"]] == [
        ("dagger", "c2"),
        ("dagger", "c1"),
        ("index", "c3"),
    ]
    assert [item["kind"] for claim in verdict["claims"] for item in claim["conflicts"]] == ["channel"]
    assert "shouting" in rules_of(verdict)
    assert (pytester.path / "out.csv").read_text() == "t1;reject\n"
