"""Three people on their first day: they read and are asked little, and each sentence of it is true."""

import html
import json
import re
import sys

import pytest
import warm_starts
from library import ANSWERS, PLANTED, recordings
from printed_sentences import Data, untrue

#: Wide enough that no sentence is broken.
WIDE = "400"
#: The most lines and words that a role reads until its work is done, and the questions that it is asked.
DEVELOPER = {"lines": 18, "words": 110, "questions": 0}
ENGINEER = {"lines": 75, "words": 650, "questions": 0}
REVIEWER = {"lines": 70, "words": 400, "questions": 1}

_DAILY = """
import pytest
from pytest_grounding import assert_matches_golden, load_transcripts

ROWS = load_transcripts("recorded.jsonl")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_answer(row):
    assert_matches_golden(row)
"""


class Reader:
    """Counts what a person reads, and checks it."""

    def __init__(self):
        self.texts = []
        self.questions = 0

    def read(self, text, data):
        """Read a text that was printed, in which every sentence must be true."""
        assert untrue(text, data) == []
        self.texts.append(text)

    def is_within(self, most):
        """Whether no more was read and asked than this."""
        lines = [line for text in self.texts for line in text.splitlines() if line.strip()]
        counts = {
            "lines": len(lines),
            "words": sum(len(line.split()) for line in lines),
            "questions": self.questions,
        }
        assert {name: number for name, number in counts.items() if number > most[name]} == {}, counts
        # A limit far above what is printed would limit nothing.
        assert all(number >= 0.7 * most[name] for name, number in counts.items()), counts


def plain_of(comment):
    """The comment as a reader sees it before anything is unfolded."""
    shown = re.sub(r"<details>.*?</details>", "", comment, flags=re.DOTALL)
    return html.unescape(re.sub(r"</?code>|<br>", "", shown))


def verdicts_of(library, *paths):
    """The verdicts on recorded answers, from the report for machines."""
    return json.loads(library.ours("check", *paths, "--json").stdout)["transcripts"]


def test_a_developer_with_a_failing_test(library, pytestconfig):
    readme = (pytestconfig.rootpath / "README.md").read_text(encoding="utf-8")
    source = re.search(r"<!-- file: test_refunds\.py -->\n```python\n(.*?)```", readme, re.DOTALL)[1]
    library.write("test_refunds.py", source)
    held = {}
    exec(source.partition("\n\n\ndef")[0], held)
    data = Data([held["TRANSCRIPT"]], failing=[held["TRANSCRIPT"]["id"]])
    reader = Reader()
    found = library.run("pytest", "-q", "-p", "no:cacheprovider", "test_refunds.py", COLUMNS=WIDE)
    assert found.returncode == 1
    reader.read(found.stdout, data)
    # What the last line of advice says makes the test pass.
    wanted = re.search(r"do: +use the source's value: '(.*)'", found.stdout)[1]
    wrong = re.search(r"AssertionError: (.*) ≠", found.stdout)[1]
    library.write("test_refunds.py", source.replace(wrong, wanted))
    assert library.pytest("test_refunds.py").returncode == 0
    reader.is_within(DEVELOPER)


def test_an_engineer_with_a_service(library):
    reader = Reader()
    rows = recordings()
    answers = {row["id"]: row["answer"] for row in rows}
    found = library.run("pytest_grounding", "init", COLUMNS=WIDE)
    assert found.returncode == 0, found.stderr
    modes = library.read("answers/failure-modes.transcripts.jsonl")
    written = {"answers/failure-modes.transcripts.jsonl": modes}
    reader.read(found.stdout, Data(rows, verdicts_of(library, "answers"), answers, written=written))
    identifier, old, new = PLANTED
    library.change(identifier, old, new)
    for row in rows:
        if row["id"] == identifier:
            row["answer"] = row["answer"].replace(old, new)
    compared = library.ours("check", "answers", "--baseline", "grounding.baseline.json", "--json")
    ratchet = json.loads(compared.stdout)["gate"]["baseline"]["ratchet"]
    numbers = ratchet["known"], len(ratchet["new"]), len(ratchet["gone"])
    failing = {item["transcript"] for item in ratchet["new"]}
    assert failing == {identifier}
    data = Data(rows, verdicts_of(library, "answers"), answers, failing, numbers, written)
    report = ("--baseline", "grounding.baseline.json", "--report", "pr-comment:comment.md")
    found = library.run("pytest_grounding", "check", "answers", *report, COLUMNS=WIDE)
    assert found.returncode == 1
    reader.read(found.stdout, data)
    comment = plain_of(library.read("comment.md"))
    reader.read(comment, data)
    assert f"   - before: {answers[identifier]}" in comment
    found = library.run("pytest", "-q", "-p", "no:cacheprovider", COLUMNS=WIDE)
    assert found.returncode == 1
    reader.read(found.stdout, data)
    reader.is_within(ENGINEER)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_reviewer_of_goldens(library):
    pexpect = pytest.importorskip("pexpect", reason="drives a terminal")
    identifier, old, new = PLANTED
    rows = [row for row in recordings() if row["id"] in (identifier, "card-valid", "late-fee")]
    answers = {row["id"]: row["answer"] for row in rows}
    accepted = {}
    reader = Reader()

    def run():
        library.write("recorded.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
        found = library.run("pytest", "-q", "-p", "no:cacheprovider", "test_answers.py", COLUMNS=WIDE)
        verdicts = verdicts_of(library, "recorded.jsonl")
        failing = [row["id"] for row in rows if row["answer"] != answers[row["id"]]]
        reader.read(found.stdout, Data(rows, verdicts, accepted, failing))
        return found.returncode

    library.write("test_answers.py", _DAILY)
    assert run() == 0
    found = library.ours("review", "accept", "--all", "--reason", "the first recordings")
    reader.read(found.stdout, Data(rows))
    accepted.update(answers)
    for row in rows:
        row["answer"] = row["answer"].replace(old, new) if row["id"] == identifier else row["answer"]
    assert run() == 1
    found = library.run("pytest_grounding", "review", "--list", COLUMNS=WIDE)
    reader.read(found.stdout, Data(rows, verdicts_of(library, "recorded.jsonl"), answers))
    child = pexpect.spawn(
        warm_starts.python(),
        ["-m", "pytest_grounding", "review"],
        cwd=str(library.root),
        encoding="utf-8",
        dimensions=(50, int(WIDE)),
        timeout=60,
    )
    child.expect(r"\[\?\] > ")
    reader.questions += 1
    child.sendline("r")
    child.expect(pexpect.EOF)
    assert "1 decided, 0 left" in child.before
    child.close()
    assert child.exitstatus == 0
    for row in rows:
        row["answer"] = answers[row["id"]]
    assert run() == 0
    reader.is_within(REVIEWER)


@pytest.mark.parametrize(
    "line",
    [
        '  claim:  "A lost card is replaced for 25 euros [1]."',
        '  source: "A lost card is replaced for 15 euros." [card]',
        "15 euros ≠ 6 euros, card",
        "transcripts: 19 (18 passed, 0 to review, 1 rejected)",
        "   - before: A lost card is replaced for 15 euros [1].",
        "citation accuracy  1.000   >= 0.99  0.845 to 1.000       20 of 21  ok",
        "No figure of the suite moved.",
    ],
)
def test_an_untrue_or_unknown_sentence_is_found(line):
    identifier, old, new = PLANTED
    rows = recordings()
    before = {row["id"]: row["answer"] for row in rows}
    for row in rows:
        if row["id"] == identifier:
            row["answer"] = row["answer"].replace(old, new)
    verdicts = [{"id": row[0], "status": "pass"} for row in ANSWERS]
    assert untrue(line, Data(rows, verdicts, before)) == [line]
