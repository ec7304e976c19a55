"""Measure the engine on the labelled sets that are present and write ``docs/accuracy.md``.

Run: python -m benchmarks.accuracy [DATA] [--print]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import confidence, retrieval
from benchmarks.accuracy.predict import cross_validated, left_out, rate_by, rate_by_coverage
from benchmarks.accuracy.report import page
from benchmarks.own import __main__ as own
from benchmarks.verdicts import judged
from benchmarks.verdicts.__main__ import BEGIN, END
from pytest_grounding._jsonio import write_atomic
from training.examples import see_all
from training.rows import DATA, TRAINABLE, load, present

TARGET = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"


def with_verdicts(page: str, old: str) -> str:
    """A new page with the tables of the old one that other benchmarks write."""
    for begin, end in ((BEGIN, END), (own.BEGIN, own.END), (judged.BEGIN, judged.END)):
        kept = old.partition(begin)[2].partition(end)[0]
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}{kept}{end}{rest.partition(end)[2]}" if kept else page
    return page


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=DATA, help="folder with the labelled sets")
    parser.add_argument("--print", action="store_true", help="print the page and write nothing")
    options = parser.parse_args()
    names = present(data=options.data)
    if not set(names) & set(TRAINABLE):
        print(f"nothing measured: no labelled set that may train in {options.data}")
        return 0
    sets = {}
    for name in names:
        print(f"reading {name}", file=sys.stderr)
        sets[name] = see_all(load(name, options.data))
    print("training", file=sys.stderr)
    text = page(sets, rate_by(cross_validated(sets)), rate_by(left_out(sets)), rate_by_coverage)
    print("validating whole answers", file=sys.stderr)
    text += "\n" + confidence.section(options.data) + "\n" + retrieval.section(options.data)
    if TARGET.exists():
        text = with_verdicts(text, TARGET.read_text(encoding="utf-8"))
    if options.print:
        print(text)
    else:
        write_atomic(TARGET, text)
        print(f"wrote {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
