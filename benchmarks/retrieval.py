"""Is retrieval validation fast, and how often are question type, presence and relevance right?

Run ``python benchmarks/retrieval.py``. First it times the validation of 10 chunks with the built-in scorer,
with new texts and again with the same texts: milliseconds of processor time, the ratio to plain tokenizing of
the same chunks (which a slow machine slows as well), and the share of each stage. Then it prints the tables
of ``docs/retrieval.md`` on the hand-labelled questions (``--write`` updates the page) and, with the data
folder, presence and relevance on questions of RAGTruth-QA and mtRAG. Exit status 1: the median of 10 chunks
is above its bound.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "retrieval"))

from labels import Labelled, load_labelled  # noqa: E402

from pytest_grounding.checks.retrieval import retrieval_verdict  # noqa: E402
from pytest_grounding.model.transcript import Chunk  # noqa: E402
from pytest_grounding.model.verdict import RetrievalVerdict  # noqa: E402
from pytest_grounding.reading.words import tokenize  # noqa: E402
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer  # noqa: E402
from pytest_grounding.settings import Settings  # noqa: E402

BOUND_MS = 20.0
VALUES = ("full", "partial", "none", "abstain")
PRESENCE_VALUE = {"full": 1.0, "partial": 0.5, "abstain": 0.25, "none": 0.0}
PAGE = ROOT / "docs" / "retrieval.md"
DATA = ROOT.parent / "shared" / "data"


def run(question: str, chunks: Sequence[Chunk]) -> RetrievalVerdict:
    return retrieval_verdict(question, chunks, scorers=[LexicalScorer()], settings=Settings())


def ten_chunks(rows: Sequence[Labelled], number: int) -> list[Chunk]:
    """Ten passages of about 150 words around one labelled question, with new text."""
    texts = sorted({chunk.text for row in rows for chunk in row.chunks})
    own = [chunk.text for chunk in rows[number % len(rows)].chunks]
    chunks = []
    for place in range(10):
        others = [texts[(7 * number + 11 * place + step) % len(texts)] for step in range(4)]
        text = " ".join([*(own if place < 3 else ()), *others, f"Copy {number}-{place}."])
        chunks.append(Chunk(id=str(place), text=text))
    return chunks


def speed(rounds: int) -> bool:
    rows = load_labelled()
    cold, warm, base = [], [], []
    stages: Counter[str] = Counter()
    run(rows[0].question, rows[0].chunks)
    for number in range(rounds):
        question, chunks = rows[number % len(rows)].question, ten_chunks(rows, number)
        start = time.process_time()
        verdict = run(question, chunks)
        middle = time.process_time()
        run(question, chunks)
        end = time.process_time()
        for chunk in chunks:
            tokenize(chunk.text)
        cold.append(1000 * (middle - start))
        warm.append(1000 * (end - middle))
        base.append(1000 * (time.process_time() - end))
        stages.update(verdict.stage_ms)
    tokenizing = statistics.median(base)
    for name, times in (("new chunks", cold), ("chunks seen before", warm)):
        median, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        ratio = median / tokenizing
        print(f"10 chunks, {name}: median {median:.2f} ms, 95 % {slow:.2f} ms, {ratio:.1f} x tokenizing")
    total = sum(stages.values())
    print(f"of the bound: {statistics.median(cold) / BOUND_MS:.2f} x {BOUND_MS:g} ms (good: below 1)")
    print("stages: " + ", ".join(f"{name} {value / total:.0%}" for name, value in stages.items()))
    return statistics.median(cold) < BOUND_MS


def tables() -> str:
    """The part of the page between its two markers."""
    parts = []
    verdicts = [(row, run(row.question, row.chunks)) for row in load_labelled()]
    for kept, title in ((True, "Kept for measuring"), (False, "Used for developing")):
        pairs = [(row, verdict) for row, verdict in verdicts if row.kept is kept]
        counts = Counter((row.presence, verdict.answer_present) for row, verdict in pairs)
        types = sum(row.type == verdict.question_type for row, verdict in pairs) / len(pairs)
        expected = sum(row.expected == verdict.expected_answer for row, verdict in pairs) / len(pairs)
        confused = (counts["full", "none"] + counts["none", "full"]) / len(pairs)
        parts.append(
            f"{title}, {len(pairs)} questions: type {types:.1%} right, "
            f"expected answer {expected:.1%} right,\n"
            f"full and none confused {confused:.1%}.\n\n"
            f"| stated in the text | {' | '.join(VALUES)} |\n|---|" + "---:|" * len(VALUES)
        )
        for label in VALUES[:3]:
            parts[-1] += f"\n| {label} | " + " | ".join(str(counts[label, value]) for value in VALUES) + " |"
    return "\n\n".join(parts)


def auroc(positive: Iterable[float], negative: Iterable[float]) -> float:
    """Probability that a positive scores higher than a negative; ties count half."""
    good, bad = list(positive), list(negative)
    wins = sum((a > b) + 0.5 * (a == b) for a in good for b in bad)
    return wins / (len(good) * len(bad))


def questions(name: str, data: Path = DATA) -> list[dict[str, Any]]:
    """One row for each question of a data set."""
    with open(data / f"{name}.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return list({row["question"]: row for row in rows if row["question"].strip()}.values())


def section(data: Path = DATA) -> str:
    """Relevance and presence on questions of people, as a section of ``docs/accuracy.md``; "" without data.

    Each question is asked of its own retrieved chunks, which should be relevant and contain the answer, and
    of those of another question, which should not.
    """
    lines = [_HEAD]
    for name in ("ragtruth_qa", "mtrag"):
        if (data / f"{name}.jsonl").exists():
            lines.append(_line(name, data))
    return "\n".join(lines) + "\n" if len(lines) > 1 else ""


def _line(name: str, data: Path) -> str:
    rows = sorted(questions(name, data), key=lambda row: row["question"])
    sets = [[Chunk(id=str(n), text=text) for n, text in enumerate(row["chunks"])] for row in rows]
    own = [run(row["question"], chunks) for row, chunks in zip(rows, sets, strict=True)]
    step = len(rows) // 2
    alien = [run(row["question"], sets[(n + step) % len(sets)]) for n, row in enumerate(rows)]
    told = [n for n, verdict in enumerate(own) if verdict.answer_present != "abstain"]
    presence = auroc(
        (PRESENCE_VALUE[own[n].answer_present] for n in told),
        (PRESENCE_VALUE[alien[n].answer_present] for n in told),
    )
    best = [[max((c.score or 0.0 for c in v.relevance), default=0.0) for v in some] for some in (own, alien)]
    counts = [Counter(v.answer_present for v in some) for some in (own, alien)]
    shown = [", ".join(f"{count[value]} {value}" for value in VALUES if count[value]) for count in counts]
    figures = f"{100 * auroc(*best):.1f} | {100 * presence:.1f}"
    return f"| {name} | {len(rows)} | {figures} | {shown[0]} | {shown[1]} |"


_HEAD = """## Relevance and presence

Each question is asked of the chunks that were retrieved for it, and of the chunks of another question. AUROC
(per cent): do the best relevance and the presence tell the two apart? Presence leaves out the questions on
which the engine abstains (keyword queries, unclear types).

| set | questions | AUROC, relevance | AUROC, presence | presence in its own chunks | in those of another |
| --- | --- | --- | --- | --- | --- |"""


def accuracy() -> None:
    """Print that section."""
    print(section() or f"nothing measured: no labelled set in {DATA}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=200, help="retrievals to time")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/retrieval.md")
    options = parser.parse_args()
    fast = speed(options.rounds)
    text = tables()
    print(text)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        head, _, rest = page.partition("<!-- measured -->\n")
        _, _, tail = rest.partition("\n<!-- end of measured -->")
        PAGE.write_text(f"{head}<!-- measured -->\n{text}\n<!-- end of measured -->{tail}", encoding="utf-8")
    if DATA.is_dir():
        accuracy()
    return 0 if fast else 1


if __name__ == "__main__":
    sys.exit(main())
