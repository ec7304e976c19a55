"""Plant every fault into the supported claims of real answers, and print which ones are caught.

Uses the RAGTruth-QA rows of a data folder. Only sentences that people labelled as supported stay in the
answers, one per line, each citing the chunk that shares most of its words, so that faults of citations can be
planted; in every third answer the longest verbatim stretch gets quotation marks. Without their context
sentences may lose what a pronoun refers to: the false rejections are those of these transcripts, not of
RAGTruth-QA.

    python -m benchmarks.mutants [--data DIR] [--limit 300] [--seed 0] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path

from pytest_grounding import Transcript
from pytest_grounding.mutation import FAULTS, mutate
from pytest_grounding.reports.terminal import text_of
from pytest_grounding.settings import Settings

_WORD = re.compile(r"\w+")
_QUOTABLE = 6


def rows_of(file: Path) -> list[dict]:
    with file.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def best_chunk(sentence: str, chunks: list[str]) -> int | None:
    """Position of the chunk that shares most words with a sentence; None if too few are shared."""
    words = set(_WORD.findall(sentence.lower()))
    shares = [len(words & set(_WORD.findall(chunk.lower()))) for chunk in chunks]
    best = max(range(len(chunks)), key=shares.__getitem__)
    return best if words and shares[best] >= 0.5 * len(words) else None


def quoted(sentence: str, chunk: str) -> str:
    """The sentence with its longest verbatim stretch in quotation marks."""
    spans = [match.span() for match in _WORD.finditer(sentence)]
    best = (0, 0)
    for first in range(len(spans)):
        last = first + max(_QUOTABLE, best[1] - best[0])
        while last < len(spans) and sentence[spans[first][0] : spans[last][1]] in chunk:
            best = (first, last)
            last += 1
    if best[1] - best[0] < _QUOTABLE or '"' in sentence:
        return sentence
    start, end = spans[best[0]][0], spans[best[1]][1]
    return f'{sentence[:start]}"{sentence[start:end]}"{sentence[end:]}'


def to_transcript(row: dict, number: int) -> Transcript | None:
    """The supported sentences of one labelled row, each with a citation, as a transcript."""
    sentences = []
    for claim in row["claims"]:
        if not claim["supported"] or not claim["text"].strip():
            continue
        text = claim["text"].strip()
        position = best_chunk(text, row["chunks"])
        # Counters and headings of lists are labelled too, but state nothing.
        if position is None or len(_WORD.findall(text)) < 5:
            continue
        if number % 3 == 0:
            text = quoted(text, row["chunks"][position])
        body = text.rstrip(".!")
        # A line that opens a list or ends in a question gets no marker.
        cited = text if text[-1] in ":?" else f"{body} [{position + 1}]{text[len(body) :] or '.'}"
        sentences.append(cited)
    if not sentences:
        return None
    return Transcript(
        id=f"ragtruth-{number:04d}",
        question=row["question"][:2000].strip() or "(no question)",
        chunks=[{"id": f"c{i}", "text": text} for i, text in enumerate(row["chunks"], start=1)],
        answer="\n".join(sentences),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    file = arguments.data / "ragtruth_qa.jsonl"
    if not file.exists():
        print(f"no labelled data under {arguments.data}: nothing measured")
        return 0
    made = [to_transcript(row, number) for number, row in enumerate(rows_of(file))]
    transcripts = [item for item in made if item is not None]
    start = time.perf_counter()
    report = mutate(
        transcripts,
        Settings(),
        seed=arguments.seed,
        limit=arguments.limit,
        faults=[fault for fault in FAULTS if not arguments.fault or fault.name in arguments.fault],
    )
    print(text_of("mutation", report, 3))
    print(f"\n{len(transcripts)} transcripts, {time.perf_counter() - start:.0f} s")
    if arguments.json:
        arguments.json.write_text(report.to_json(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
