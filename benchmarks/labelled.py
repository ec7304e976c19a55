"""Our own labelled answers: rows, roles, and shares with intervals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from benchmarks.roles import role_of
from pytest_grounding import Verdict, validate
from pytest_grounding._io.wording import wilson

ROLES = ("tune", "locked")


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of ``benchmarks/own/NAME.jsonl``, each with its role."""
    file = Path(__file__).with_name("own") / f"{name}.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [{**row, "role": role_of(name, row["group"])} for row in rows]


def judged(row: dict[str, Any], number: int = 0) -> Verdict:
    """The verdict on a row under the default settings."""
    chunks = [{"id": f"c{place}", "text": text} for place, text in enumerate(row["chunks"], start=1)]
    return validate(
        {"id": f"row-{number}", "question": row["question"], "chunks": chunks, "answer": row["answer"]}
    )


def shown(count: int, total: int) -> str:
    """A share in per cent with its 95 % Wilson interval and its counts."""
    interval = wilson(count, total)
    if interval is None:
        return "-"
    return f"{count / total:6.1%} [{interval[0]:.0%}, {interval[1]:.0%}] {count}/{total}"


def side_by_side(title: str, cell: Callable[[str], tuple[int, int]]) -> str:
    """One line: a share of the tune rows and one of the locked rows."""
    return f"{title:<44} " + "  ".join(f"{shown(*cell(role)):<30}" for role in ROLES)


def confusion(pairs: Iterable[tuple[str, str]], labels: Iterable[str], called: Iterable[str]) -> list[str]:
    """A table of labels (rows) against results (columns)."""
    found, columns = list(pairs), list(called)
    lines = [f"{'':<18}" + "".join(f"{name:>18}" for name in columns)]
    for label in labels:
        counts = [sum(pair == (label, name) for pair in found) for name in columns]
        lines.append(f"{label:<18}" + "".join(f"{count:>18}" for count in counts))
    return lines
