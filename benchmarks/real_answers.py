"""Validate labelled real answers in three ways, and print the quality and the cost.

Turns the RAGTruth-QA and mtRAG rows of a data folder into transcripts and validates them in this process,
with ``pytest-grounding check``, and in a pytest run. Prints precision, recall and F1 of answers (an answer is
called bad if a claim of it is hallucinated), false rejections, milliseconds per answer and transcripts per
second. Times can be compared within one run only.

    python -m benchmarks.real_answers [--data ../shared/data] [--out /tmp/real-answers]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from pytest_grounding import Transcript, Verdict, validate
from pytest_grounding._io.jsonio import write_json_lines

SETS = ("ragtruth_qa", "mtrag")


def rows_of(file: Path) -> list[dict]:
    with file.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def to_mapping(row: dict, number: int, name: str) -> dict:
    """One labelled row as a transcript, with its label in the metadata."""
    chunks = [{"id": f"c{i}", "text": text} for i, text in enumerate(row["chunks"], start=1)]
    return {
        "id": f"{name}-{number:04d}",
        "question": row["question"][:2000] or "(no question)",
        "chunks": chunks,
        "answer": row["answer"],
        "metadata": {"supported": row["response_supported"], "group": row["group"]},
    }


def figures(verdicts: list[Verdict], labels: list[bool]) -> dict[str, float]:
    """Quality at the shipped thresholds: an answer is bad if one claim is hallucinated."""
    called = [bool(verdict.hallucinated) for verdict in verdicts]
    tp = sum(c and not label for c, label in zip(called, labels, strict=True))
    fp = sum(c and label for c, label in zip(called, labels, strict=True))
    fn = sum(not c and not label for c, label in zip(called, labels, strict=True))
    good = sum(labels)
    passed = sum(v.status == "pass" for v, label in zip(verdicts, labels, strict=True) if label)
    return {
        "answers": len(labels),
        "bad": len(labels) - good,
        "precision": tp / (tp + fp) if tp + fp else 0.0,
        "recall": tp / (tp + fn) if tp + fn else 0.0,
        "f1": 2 * tp / (2 * tp + fp + fn) if tp else 0.0,
        "false_rejection": fp / good if good else 0.0,
        "faithful_not_passed": 1 - passed / good if good else 0.0,
    }


def timed(transcripts: list[Transcript]) -> tuple[list[Verdict], list[float]]:
    validate(transcripts[0])
    verdicts, milliseconds = [], []
    for transcript in transcripts:
        start = time.perf_counter()
        verdicts.append(validate(transcript))
        milliseconds.append((time.perf_counter() - start) * 1000)
    return verdicts, milliseconds


def throughput(command: list[str], count: int) -> tuple[float, int]:
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return count / (time.perf_counter() - start), done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("/tmp/real-answers"))
    arguments = parser.parse_args()
    files = [arguments.data / f"{name}.jsonl" for name in SETS]
    if not all(file.exists() for file in files):
        print(f"no labelled data under {arguments.data}: nothing measured")
        return 0
    for name, file in zip(SETS, files, strict=True):
        mappings = [to_mapping(row, i, name) for i, row in enumerate(rows_of(file))]
        target = arguments.out / name / f"{name}.transcripts.jsonl"
        write_json_lines(target, mappings)
        transcripts = [Transcript.model_validate(item) for item in mappings]
        labels = [bool(item["metadata"]["supported"]) for item in mappings]
        verdicts, times = timed(transcripts)
        shown = {key: round(value, 3) for key, value in figures(verdicts, labels).items()}
        print(name, shown)
        ordered = sorted(times)
        print(
            f"  ms an answer: median {statistics.median(times):.2f}, "
            f"p99 {ordered[int(len(ordered) * 0.99)]:.2f}, max {ordered[-1]:.2f}"
        )
        check = [sys.executable, "-m", "pytest_grounding", "check", "--json", str(target)]
        rate, code = throughput(check, len(transcripts))
        print(f"  check: {rate:.0f} transcripts a second in one process, start-up included (exit {code})")
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", str(target.parent)]
        rate, code = throughput(run, len(transcripts))
        print(f"  pytest: {rate:.0f} transcripts a second, start-up included (exit {code})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
