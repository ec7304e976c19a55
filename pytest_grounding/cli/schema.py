"""``pytest-grounding show schema``: the JSON Schema of transcripts, verdicts, reports or audit records."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pydantic import BaseModel

from pytest_grounding.audit import AuditRecord
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.transcript import DEFAULT_QUESTION_MAX_LENGTH, Transcript
from pytest_grounding.model.verdict import Verdict

_WRITTEN: dict[str, type[BaseModel]] = {"verdict": Verdict, "report": RunReport, "audit-record": AuditRecord}
KINDS = ("transcript", *_WRITTEN)
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
    if kind != "transcript":
        return {"$schema": DIALECT, **_WRITTEN[kind].model_json_schema(mode="serialization")}
    document: dict[str, Any] = {"$schema": DIALECT, **Transcript.model_json_schema()}
    # The length of a question is checked against a setting, so pydantic cannot know the default.
    limits = {"minLength": 1, "maxLength": DEFAULT_QUESTION_MAX_LENGTH, "pattern": r"\S"}
    document["properties"]["question"] |= limits
    return document
