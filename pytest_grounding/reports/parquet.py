"""The report of a run as one Parquet file for analysts: a row a transcript, with its claims as a list."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_grounding import _optional
from pytest_grounding._wording import measured
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import ClaimVerdict, Verdict

EXTRA = "scale"
#: Transcripts of one row group, and so those that are held at once.
GROUP = 1000

_CLAIM = {
    "index": "int32",
    "text": "string",
    "kind": "string",
    "status": "string",
    "support": "float64",
    "reason": "string",
    "waived": "bool",
}
_COLUMNS = {
    "id": "string",
    "transcript_hash": "string",
    "source": "string",
    "line": "int64",
    "recorded_on": "string",
    "status": "string",
    "skipped": "bool",
    "failed": "bool",
    "reason": "string",
    "diagnosis": "string",
    "confidence": "float64",
    "hallucination_rate": "float64",
    "citation_accuracy": "float64",
    "citations": "int32",
    "citations_valid": "int32",
    "declined": "bool",
    "abstention": "string",
    "retrieval": "string",
    "answer_present": "string",
    "reported_confidence": "float64",
    "waived": "int32",
}


def write(report: RunReport, path: str | os.PathLike[str]) -> None:
    """Write the verdicts of a run, atomically, some at a time."""
    arrow = _optional.require("pyarrow", extra=EXTRA)
    parquet = _optional.require("pyarrow.parquet", extra=EXTRA)
    claim = arrow.struct([(name, arrow.type_for_alias(kind)) for name, kind in _CLAIM.items()])
    schema = arrow.schema(
        [
            *((name, arrow.type_for_alias(kind)) for name, kind in _COLUMNS.items()),
            ("rules", arrow.list_(arrow.string())),
            ("claims", arrow.list_(claim)),
        ]
    )
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".tmp")
    os.close(handle)
    try:
        with parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for rows in _groups(report):
                writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
        Path(temporary).chmod(0o644)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _groups(report: RunReport) -> Iterator[list[dict[str, Any]]]:
    failed = frozenset(report.run.failed)
    rows: list[dict[str, Any]] = []
    for verdict in report.transcripts:
        rows.append(_row(verdict, failed=verdict.id in failed))
        if len(rows) == GROUP:
            yield rows
            rows = []
    yield rows


def _row(verdict: Verdict, *, failed: bool) -> dict[str, Any]:
    plain = {name: getattr(verdict, name, None) for name in _COLUMNS}
    return {
        **plain,
        "failed": failed,
        "confidence": measured(verdict.confidence),
        "citations": len(verdict.citations),
        "citations_valid": sum(item.valid for item in verdict.citations),
        "retrieval": verdict.retrieval.rating,
        "answer_present": str(verdict.retrieval.answer_present),
        "waived": verdict.waived_number,
        "rules": sorted({item.rule for item in verdict.causes if item.severity != "info"}),
        "claims": [_claim(item) for item in verdict.claims],
    }


def _claim(claim: ClaimVerdict) -> dict[str, Any]:
    plain = {name: getattr(claim, name) for name in _CLAIM}
    return {
        **plain,
        "support": measured(claim.support),
        "reason": claim.reason or claim.skip_reason,
        "waived": claim.waived is not None,
    }
