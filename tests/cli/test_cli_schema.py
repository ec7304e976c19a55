"""The published JSON Schema says the same as the reader."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.cli.schema import KINDS, schema
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.errors import InputError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GOOD: dict[str, Any] = {"id": "a", "question": "Who?", "chunks": [{"id": "c", "text": "x"}], "answer": ""}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


BAD = [
    without("id"),
    without("question"),
    without("chunks"),
    without("answer"),
    GOOD | {"question": ""},
    GOOD | {"question": "  "},
    GOOD | {"question": "x" * 2001},
    GOOD | {"answr": "x"},
    GOOD | {"chunks": [{"id": "c"}]},
    GOOD | {"chunks": [{"id": "c", "text": "x", "score": 1.5}]},
    GOOD | {"chunks": [{"id": "", "text": "x"}]},
    GOOD | {"citations": [{"start": 0}]},
    GOOD | {"confidence": -0.1},
    GOOD | {"schema_version": 2},
    GOOD | {"answer": None},
]


@each(*KINDS)
def test_the_schema_is_a_schema(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "schema", kind]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(printed)
    assert printed == schema(kind)
    titles = {
        "transcript": "Transcript",
        "verdict": "Verdict",
        "report": "RunReport",
        "audit-record": "AuditRecord",
    }
    assert printed["title"] == titles[kind]


@pytest.mark.parametrize("value", BAD, ids=range(len(BAD)))
def test_schema_and_reader_refuse_the_same(value: dict[str, Any]) -> None:
    assert not jsonschema.Draft202012Validator(schema("transcript")).is_valid(value)
    with pytest.raises(InputError):
        as_transcript(value)


@each(GOOD, GOOD | {"question": "x" * 2000}, GOOD | {"metadata": {"a": 1}})
def test_schema_and_reader_accept_the_same(value: dict[str, Any]) -> None:
    jsonschema.validate(value, schema("transcript"))
    as_transcript(value)


def test_every_example_fits_the_schema() -> None:
    validator = jsonschema.Draft202012Validator(schema("transcript"))
    files = sorted(EXAMPLES.rglob("*.transcript.json"))
    # What the service example asks, and the log that it writes when somebody runs it, are no transcripts.
    tables = [file for file in sorted(EXAMPLES.rglob("*.jsonl")) if "chat_service" not in file.parts]
    lines = [line for file in tables for line in file.read_text("utf-8").splitlines()]
    values = [json.loads(file.read_text("utf-8")) for file in files] + [json.loads(line) for line in lines]
    assert len(values) > 15
    for value in values:
        validator.validate(value)


def test_a_verdict_fits_its_schema() -> None:
    verdict = pg.validate(GOOD | {"answer": "It is x [1]. It is y [2]."})
    jsonschema.validate(verdict.as_dict(), schema("verdict"))
