"""Is importing linear in time and constant in memory?

Run ``python -m benchmarks.importing``. JSON Lines files of growing size are written and read row by row: the
project's own format, a foreign one that is converted, and a table. It prints the time per row and the peak of
Python's memory; neither may grow with the file. Exit status 1: a ratio is out of bounds.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_grounding.engine.transcript_input import iter_transcripts

TEXT = "The museum is open from Tuesday to Sunday, and a ticket costs 12 €. " * 6

#: Largest growth of time and memory per row from the smallest file to the largest.
MAX_TIME_RATIO = 1.6
#: Ids are kept to find duplicates, so memory grows a little for each row, and no more.
MAX_BYTES_PER_ROW = 600


def native(number: int) -> dict[str, Any]:
    chunks = [{"id": f"c{place}", "text": TEXT, "score": 0.5} for place in range(5)]
    return {"id": f"t{number}", "question": f"When is it open, {number}?", "chunks": chunks, "answer": TEXT}


def langchain(number: int) -> dict[str, Any]:
    documents = [
        {"id": f"d{place}", "page_content": TEXT, "metadata": {"source": "a.md"}} for place in range(5)
    ]
    return {"input": f"When is it open, {number}?", "context": documents, "answer": TEXT}


def write_lines(path: Path, rows: int, row: Callable[[int], dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            file.write(json.dumps(row(number), ensure_ascii=False) + "\n")


def write_table(path: Path, rows: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "answer", "contexts"])
        for number in range(rows):
            writer.writerow([f"When is it open, {number}?", TEXT, json.dumps([TEXT] * 5)])


def read(path: Path) -> int:
    count = 0
    for row in iter_transcripts(path):
        assert row.transcript is not None, row.error
        count += 1
    return count


def measure(path: Path, rows: int) -> tuple[float, int]:
    """The shorter time of two readings in seconds, and the peak memory of a third in bytes."""
    seconds = []
    for _ in range(2):
        gc.collect()
        start = time.perf_counter()
        assert read(path) == rows
        seconds.append(time.perf_counter() - start)
    tracemalloc.start()
    read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return min(seconds), peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000, help="rows of the largest file")
    largest = parser.parse_args().rows
    sizes = [largest // 10, largest // 3, largest]
    bad = False
    print(f"{'format':<10} {'rows':>7} {'MB':>7} {'s':>7} {'us/row':>8} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("native", "langchain", "table"):
            found = []
            for rows in sizes:
                path = Path(folder) / (f"{rows}.csv" if name == "table" else f"{name}-{rows}.jsonl")
                if name == "table":
                    write_table(path, rows)
                else:
                    write_lines(path, rows, native if name == "native" else langchain)
                seconds, peak = measure(path, rows)
                found.append((rows, seconds / rows, peak))
                size = path.stat().st_size / 1e6
                per_row = seconds / rows * 1e6
                print(f"{name:<10} {rows:>7} {size:>7.1f} {seconds:>7.2f} {per_row:>8.1f} {peak / 1e6:>8.2f}")
                path.unlink()
            ratio = found[-1][1] / found[0][1]
            growth = (found[-1][2] - found[0][2]) / (found[-1][0] - found[0][0])
            ok = ratio <= MAX_TIME_RATIO and growth <= MAX_BYTES_PER_ROW
            bad = bad or not ok
            said = "ok" if ok else "TOO MUCH"
            print(f"{'':<10} time per row x{ratio:.2f}, memory +{growth:.0f} bytes a row: {said}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
