"""Annotations and code scanning point at the line of the answer, whatever the file's form."""

import json
import re

import pytest

from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT

CHUNKS = [{"id": "c1", "text": 'The "gold" plan costs 12 euros a month.', "score": 0.9}]


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch, tmp_path):
    for name in (*ENVIRONMENT, "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def transcript(identifier, price):
    return {
        "id": identifier,
        # The answer's words stand in the chunks and in the question, too.
        "question": f'The "gold" plan costs {price} euros a month?',
        "chunks": CHUNKS,
        "answer": f'The "gold" plan costs {price} euros a month [1].',
        "metadata": {"answer": "elsewhere"},
    }


def lines_of(path, capsys, kind):
    """Id -> lines on which a report sees something wrong."""
    assert main(["check", str(path), f"--report={kind}:report.out"]) == 1
    capsys.readouterr()
    with open("report.out", encoding="utf-8") as file:
        text = file.read()
    found = {}
    if kind == "sarif":
        for result in json.loads(text)["runs"][0]["results"]:
            (place,) = result["locations"]
            region = place["physicalLocation"]["region"]
            found.setdefault(place["logicalLocations"][0]["name"], set()).add(region["startLine"])
    elif kind == "gitlab":
        for entry in json.loads(text):
            name = entry["description"].partition(":")[0]
            found.setdefault(name, set()).add(entry["location"]["lines"]["begin"])
    else:
        for line, name in re.findall(r"^::\w+ file=[^,]*,line=(\d+),[^:]*::([^:]+):", text, re.MULTILINE):
            found.setdefault(name, set()).add(int(line))
    return found


def line_with(text, words):
    (found,) = (number for number, line in enumerate(text.split("\n"), start=1) if words in line)
    return found


KINDS = pytest.mark.parametrize("kind", ["sarif", "gitlab", "github-annotations"])


@KINDS
def test_a_pretty_printed_transcript(tmp_path, capsys, kind):
    text = json.dumps(transcript("wrong", 45), indent=2)
    (tmp_path / "a.transcript.json").write_text(text, encoding="utf-8")
    line = line_with(text, '"answer": "The')
    assert line > 5
    assert lines_of("a.transcript.json", capsys, kind) == {"wrong": {line}}


@KINDS
def test_several_transcripts_in_one_pretty_printed_list(tmp_path, capsys, kind):
    text = json.dumps([transcript("one", 45), transcript("right", 12), transcript("two", 46)], indent=4)
    (tmp_path / "a.transcript.json").write_text(text, encoding="utf-8")
    expected = {
        name: {line_with(text, f'"answer": "The \\"gold\\" plan costs {price}')}
        for name, price in (("one", 45), ("two", 46))
    }
    found = lines_of("a.transcript.json", capsys, kind)
    assert {name: lines for name, lines in found.items() if name != "right"} == expected


@KINDS
def test_json_lines_keep_the_line_of_their_row(tmp_path, capsys, kind):
    rows = [transcript("right", 12), transcript("wrong", 45)]
    text = "\n\n".join(json.dumps(row) for row in rows)
    (tmp_path / "a.transcripts.jsonl").write_text(text, encoding="utf-8")
    assert lines_of("a.transcripts.jsonl", capsys, kind)["wrong"] == {3}


def test_pytest_run_points_at_the_answer_with_workers_too(pytester):
    pytest.importorskip("xdist")
    text = json.dumps(transcript("wrong", 45), indent=2)
    (pytester.path / "a.transcript.json").write_text(text, encoding="utf-8")
    line = line_with(text, '"answer": "The')
    for more in ([], ["-n1"]):
        result = pytester.runpytest_subprocess(
            "-p", "no:cacheprovider", "--grounding-report=github-annotations", *more
        )
        result.stdout.fnmatch_lines([f"::error file=a.transcript.json,line={line},*"])
