"""The builder of recorded examples, which users have and the tests of this project share."""

import json
import subprocess

import pytest
import warm_starts
from every import each

import pytest_grounding as pg
from pytest_grounding.testing import Example, write_transcripts

REFUNDS = Example("How long do refunds take?", ["Refunds are paid within 14 days of the return."])
MUSEO = Example(
    "¿Cuándo abre el museo?",
    [
        "El museo abre a las 9:00 de martes a domingo.",
        {"id": "precios", "text": "La entrada cuesta 12 euros."},
    ],
    id="museo",
    score=0.8,
)


def test_texts_become_chunks_that_answers_cite_by_number():
    assert REFUNDS.answered("Within 14 days [1].") == {
        "id": "example",
        "question": "How long do refunds take?",
        "chunks": [{"id": "c1", "text": "Refunds are paid within 14 days of the return."}],
        "answer": "Within 14 days [1].",
    }
    first, second = MUSEO.answered("A las 9:00 [1].")["chunks"]
    assert first == {"id": "c1", "text": "El museo abre a las 9:00 de martes a domingo.", "score": 0.8}
    # What is written whole stays as it was written.
    assert second == {"id": "precios", "text": "La entrada cuesta 12 euros."}


@each(
    (REFUNDS, "Refunds are paid within 14 days of the return [1].", "pass"),
    (REFUNDS, "Refunds are paid within 45 days of the return [1].", "reject"),
    (MUSEO, "El museo abre a las 9:00 de martes a domingo [1].", "pass"),
    (MUSEO, "La entrada cuesta 21 euros [2].", "reject"),
    (MUSEO, "El museo abre a las 9:00 de martes a domingo [3].", "reject"),
)
def test_an_answer_is_validated_as_any_recording(example, answer, status):
    assert pg.validate(example.answered(answer)).status == status
    assert (
        pg.validate(example.transcript(answer)).to_json() == pg.validate(example.answered(answer)).to_json()
    )


def test_fields_override_and_recordings_are_independent():
    given = {"expected_status": "reject"}
    one = REFUNDS.answered("x", id="other", language="en", metadata=given)
    assert (one["id"], one["language"]) == ("other", "en")
    one["chunks"][0]["text"] = "changed"
    one["metadata"]["more"] = 1
    assert given == {"expected_status": "reject"}
    assert REFUNDS.answered("x")["chunks"][0]["text"].startswith("Refunds")
    with pytest.raises(AttributeError):
        REFUNDS.question = "?"


def test_chunks_of_a_transcript_serve_another_example():
    taken = MUSEO.transcript("A las 9:00 [1].", metadata={"domain": "museo"}).chunks
    again = Example(MUSEO.question, taken, id="museo")
    assert again.transcript("A las 9:00 [1].").chunks == taken


@each(
    ("one text", "chunks: is not a list; write the texts of the passages in a list"),
    ({"id": "c1", "text": "x"}, "chunks: is not a list; "),
    (["x", 7], "chunks[1]: is of type int; write the text of the passage, or a mapping with id and text"),
)
def test_a_wrong_chunk_is_named(chunks, problem):
    with pytest.raises(pg.InputError) as caught:
        Example("When?", chunks).answered("Now.")
    assert str(caught.value).startswith(problem)


def test_a_transcript_is_checked_and_a_recording_is_not():
    with pytest.raises(pg.InputError, match="question"):
        Example(" ").transcript("Now.")
    assert Example(" ").answered("Now.")["question"] == " "


def test_written_files_are_what_the_gate_reads(tmp_path):
    good = REFUNDS.answered("Refunds are paid within 14 days of the return [1].", id="good")
    bad = REFUNDS.transcript("Refunds are paid within 45 days of the return [1].", id="bad")
    many = write_transcripts(tmp_path / "new" / "suite.transcripts.jsonl", [good, bad])
    one = write_transcripts(tmp_path / "größe.transcript.json", [MUSEO.answered("A las 9:00 [1].")])
    assert [item.id for item in pg.load_transcripts(many)] == ["good", "bad"]
    assert pg.load_transcripts(one)[0].question == "¿Cuándo abre el museo?"
    command = [warm_starts.python(), "-m", "pytest_grounding", "check", "--json", str(many)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path, check=False)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["run"]["failed"] == ["bad"]


@pytest.mark.parametrize(
    ("name", "number", "hint"),
    [
        ("a.json", 1, "name it NAME.transcripts.jsonl, or NAME.transcript.json"),
        ("a.transcript.json", 2, "name it NAME.transcripts.jsonl"),
        ("a.transcript.json", 0, "name it NAME.transcripts.jsonl"),
    ],
)
def test_a_file_name_that_is_not_collected_is_refused(tmp_path, name, number, hint):
    given = [REFUNDS.answered("Within 14 days [1].", id=str(at)) for at in range(number)]
    with pytest.raises(pg.InputError) as caught:
        write_transcripts(tmp_path / name, given)
    assert str(caught.value).endswith(f"is not a name for a file of {number} transcripts; {hint}")
    assert not list(tmp_path.iterdir())
