"""Measure conflicts: planted faults caught, false alarms on supported claims, real conflicts caught.

python -m benchmarks.conflicts [--data ../shared/data] [--list KIND] [--misses FAULT]
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.conflicts_plant import FAULTS, plant
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.scorers.builtin.conflicts import find_conflicts

SETS = ("ragtruth_qa", "begin_dev", "attribution_dev", "wice_dev", "mtrag", "qags_cnndm", "faithbench")
THRESHOLD = 0.7


def rows_of(data: Path, name: str) -> list[dict[str, Any]]:
    path = data / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def conflicts_of(claim: str, chunks: list[str], question: str = "") -> tuple[Conflict, ...]:
    indexes = [index_of(chunk) for chunk in chunks]
    ids = [str(n + 1) for n in range(len(chunks))]
    given = frozenset(token.stem for token in tokenize(question) if not token.is_stop)
    return find_conflicts(claim, tokenize(claim), indexes, ids, given=given)


def pair_of(conflict: Conflict) -> str:
    return f"{conflict.kind}/{conflict.severity}: {conflict.claim_text!r} | {conflict.evidence_text!r}"


def show(label: str, claim: str, conflict: Conflict) -> None:
    print(f"  [{label}] {pair_of(conflict)}")
    print(f"      claim: {claim}\n      source: {conflict.evidence.text}")


def is_checkable(text: str) -> bool:
    return len(re.findall(r"\w+", text)) >= 4 and not text.rstrip().endswith(("?", ":"))


def false_alarms(data: Path, listed: str | None) -> dict[str, list[int]]:
    """Conflicts on supported and on unsupported claims, by set and kind."""
    precision: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    print("set             claims  errors   warnings | unsupported  errors  warnings")
    for name in SETS:
        counts: Counter[tuple[bool, str]] = Counter()
        kinds: Counter[tuple[bool, str, str]] = Counter()
        for row in rows_of(data, name):
            for claim in row["claims"]:
                if claim["supported"] is None or not is_checkable(claim["text"]):
                    continue
                good = claim["supported"]
                found = conflicts_of(claim["text"], row["chunks"], row["question"])
                counts[good, "n"] += 1
                levels = {c.severity for c in found}
                counts[good, "error"] += "error" in levels
                counts[good, "warning"] += levels == {"warning"}
                for conflict in found:
                    kinds[good, conflict.kind, conflict.severity] += 1
                    precision[f"{conflict.kind}/{conflict.severity}"][good is False] += 1
                    if listed in {conflict.kind, "all"} and good:
                        show(name, claim["text"], conflict)
        if counts:
            good, bad = max(1, counts[True, "n"]), max(1, counts[False, "n"])
            firing = [f"{k}{'!' if s == 'error' else '?'}{n}" for (g, k, s), n in sorted(kinds.items()) if g]
            supported = f"{counts[True, 'error'] / good:7.1%} {counts[True, 'warning'] / good:9.1%}"
            unsupported = f"{counts[False, 'error'] / bad:7.1%} {counts[False, 'warning'] / bad:9.1%}"
            print(f"{name:15} {counts[True, 'n']:6} {supported} | {counts[False, 'n']:10} {unsupported}")
            print("    on supported: " + " ".join(firing))
    return precision


def planted_faults(data: Path, misses: str | None) -> None:
    print("fault            planted  error  conflict  caught (conflict or support < 0.7)")
    scorer = LexicalScorer()
    caught: dict[str, Counter[str]] = defaultdict(Counter)
    for row_number, row in enumerate(rows_of(data, "ragtruth_qa")):
        chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(row["chunks"])]
        for number, claim in enumerate(row["claims"]):
            if claim["supported"] is not True or not is_checkable(claim["text"]):
                continue
            if (
                scorer.support([ClaimText(claim["text"])], chunks, question=row["question"])[0].probability
                < THRESHOLD
            ):
                continue  # Not supported in the first place: finding a conflict would prove nothing.
            for fault in FAULTS:
                planted = plant(fault, claim["text"], row["chunks"], f"{row_number}/{number}")
                if planted is None:
                    continue
                count = caught[fault]
                found = conflicts_of(planted, row["chunks"], row["question"])
                support = scorer.support([ClaimText(planted)], chunks, question=row["question"])[
                    0
                ].probability
                count["n"] += 1
                count["error"] += any(c.severity == "error" for c in found)
                count["conflict"] += bool(found)
                hit = bool(found) or support is None or support < THRESHOLD
                count["caught"] += hit
                if fault == misses and not hit:
                    print(f"  MISS {claim['text']}\n    -> {planted}")
    for fault, count in caught.items():
        n = count["n"]
        shares = " ".join(f"{count[name] / n:8.1%}" for name in ("error", "conflict", "caught"))
        print(f"{fault:15} {n:7} {shares}")


def real_conflicts(data: Path) -> None:
    total: Counter[str] = Counter()
    for row in rows_of(data, "ragtruth_qa"):
        for start, end, kind in row["spans"]:
            if "Conflict" not in kind:
                continue
            claims = [c for c in row["claims"] if c["start"] < end and start < c["end"]]
            found = [
                c for claim in claims for c in conflicts_of(claim["text"], row["chunks"], row["question"])
            ]
            total["n"] += 1
            total["error"] += any(c.severity == "error" for c in found)
            total["any"] += bool(found)
            print("  ", "HIT " if found else "MISS", row["answer"][start:end][:110])
            for conflict in found:
                print(f"        {pair_of(conflict)}")
    if total["n"]:
        error, found_any = total["error"] / total["n"], total["any"] / total["n"]
        print(f"real conflicts: {total['n']}, error {error:.0%}, any {found_any:.0%}")


def speed(data: Path) -> None:
    rows = rows_of(data, "ragtruth_qa")
    times = []
    for row in rows:
        indexes = [index_of(chunk) for chunk in row["chunks"]]
        tokens = [(claim["text"], tokenize(claim["text"])) for claim in row["claims"]]
        begin = time.perf_counter()
        for text, words in tokens:
            find_conflicts(text, words, indexes, ["1", "2", "3"])
        times.append(time.perf_counter() - begin)
    times.sort()
    claims = sum(len(row["claims"]) for row in rows)
    middle = 1e3 * times[len(times) // 2]
    print(f"speed: {1e3 * sum(times) / claims:.3f} ms a claim, median answer {middle:.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    beside = Path(__file__).parent.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=beside)
    parser.add_argument("--list", help="print the false alarms of this kind")
    parser.add_argument("--misses", help="print the misses of this fault")
    parser.add_argument("--only", choices=["alarms", "faults", "real", "speed"])
    options = parser.parse_args()
    if options.only in {None, "alarms"}:
        precision = false_alarms(options.data, options.list)
        for kind, (wrong, right) in sorted(precision.items()):
            share = right / (wrong + right)
            print(f"  {kind:22} on supported {wrong:4}  on unsupported {right:4}  share {share:.0%}")
    if options.only in {None, "real"}:
        real_conflicts(options.data)
    if options.only in {None, "faults"}:
        planted_faults(options.data, options.misses)
    if options.only in {None, "speed"}:
        speed(options.data)


if __name__ == "__main__":
    main()
