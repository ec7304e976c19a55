"""``pytest-grounding show schema``: the JSON Schema of transcripts, verdicts, reports or audit records."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pytest_grounding.audit import AuditRecord
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.transcript import DEFAULT_QUESTION_MAX_LENGTH, Transcript
from pytest_grounding.model.verdict import Verdict

KINDS = ("transcript", "verdict", "report", "audit-record")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument of this command."""
    parser.add_argument("kind", nargs="?", choices=KINDS, default="transcript", help="default: transcript")


def run(args: argparse.Namespace) -> int:
    """Print the schema."""
    print(json.dumps(schema(args.kind), ensure_ascii=False, indent=2))
    return 0


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one kind of document."""
    if kind == "transcript":
        return _transcript()
    if kind == "verdict":
        return {"$schema": DIALECT, **Verdict.model_json_schema(mode="serialization")}
    if kind == "audit-record":
        return {"$schema": DIALECT, **AuditRecord.model_json_schema(mode="serialization")}

    return {"$schema": DIALECT, **RunReport.model_json_schema(mode="serialization")}


def _transcript() -> dict[str, Any]:
    document: dict[str, Any] = {"$schema": DIALECT, **Transcript.model_json_schema()}
    # The model checks the question's length against a setting, so pydantic cannot know the default.
    document["properties"]["question"] |= {
        "minLength": 1,
        "maxLength": DEFAULT_QUESTION_MAX_LENGTH,
        "pattern": r"\S",
    }
    return document
