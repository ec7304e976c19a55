"""A failing answer of a report becomes a test: with its chunks, and what it must and must not say."""

import json
from pathlib import Path

import pytest

from pytest_grounding.cli import main

SOURCE = "Berths cost 30 euros a night. The harbour office closes at 6 pm."
PROGRAM = """
def answer(question):
    text = "Berths cost 30 euros a night. The harbour office closes at 6 pm."
    return {"chunks": [{"id": "c1", "text": text}], "answer": %r}
"""


def row(name, answer):
    chunks = [{"id": "c1", "text": SOURCE}]
    return {"id": name, "question": "What does a berth cost?", "chunks": chunks, "answer": answer}


@pytest.fixture
def report(tmp_path, monkeypatch):
    """The folder of a run with a wrong value, an invented claim and a right answer."""
    monkeypatch.chdir(tmp_path)
    answers = {
        "value": "Berths cost 45 euros a night [1].",
        "invented": "Berths cost 30 euros a night [1]. Electric scooters are lent for free [1].",
        "fine": "Berths cost 30 euros a night [1].",
    }
    rows = (json.dumps(row(name, answer)) for name, answer in answers.items())
    Path("run.jsonl").write_text("\n".join(rows), encoding="utf-8")
    assert main(["check", "run.jsonl", "--report", "json:run.json"]) == 1
    return tmp_path


def keep(name):
    return main(["record", "--from-report", "run.json", name, "-o", "cases"])


@pytest.mark.usefixtures("report")
def test_it_fails_until_the_program_is_right(capsys):
    assert keep("value") == 0
    kept = json.loads(Path("cases/value.transcript.json").read_text(encoding="utf-8"))
    assert (kept["expected"], kept["forbidden"]) == (["30 euros"], ["45 euros"])
    assert kept["chunks"] == row("value", "")["chunks"]
    assert "record MODULE:CALLABLE cases/questions.jsonl -o cases --all" in capsys.readouterr().out
    assert main(["check", "cases"]) == 1
    again = ["cases/questions.jsonl", "-o", "cases", "--all"]
    for number, (answer, status) in enumerate(
        (
            ("Berths cost money [1].", 1),
            ("Berths cost 45 euros a night [1].", 1),
            ("A berth costs 30 euros a night [1].", 0),
        )
    ):
        Path(f"program{number}.py").write_text(PROGRAM % answer, encoding="utf-8")
        assert main(["record", f"program{number}:answer", *again]) == 0
        assert main(["check", "cases"]) == status, answer


@pytest.mark.usefixtures("report")
def test_a_claim_without_a_source_must_not_come_back():
    assert keep("invented") == keep("invented") == 0
    (question,) = Path("cases/questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(question)["forbidden"] == ["Electric scooters are lent for free."]
    assert "expected" not in json.loads(question)


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize(
    ("name", "problem"),
    [("fine", "'fine' passed; name one that did not"), ("other", "has no transcript 'other'")],
)
def test_another_name_is_one_sentence(name, problem, capsys):
    assert keep(name) == 2
    assert problem in capsys.readouterr().err
    assert not Path("cases").exists()


@pytest.mark.usefixtures("report")
def test_a_recording_needs_its_questions(capsys):
    assert main(["record", "program:answer", "-o", "cases"]) == 2
    assert "QUESTIONS is missing" in capsys.readouterr().err
