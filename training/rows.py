"""The labelled sets: rows of files, and the engine's claims mapped to their labelled spans."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.roles import Role, role_of
from pytest_grounding.citations.extract import extract, make_context, marker_spans
from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.engine import registry
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.reading.sentences import Claim, segment
from pytest_grounding.settings import Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
#: Sets whose chunks give the rarity of words.
COUNTED = ("ragtruth_qa", "mtrag", "wice_dev", "begin_dev")
#: Sets whose licence allows training shipped weights; the others are only measured.
TRAINABLE = (*COUNTED, "summedits", "bump", "dialfact", "factcheckgpt")
MEASURED = ("attribution_dev", "qags_cnndm", "faithbench")
SETS = (*TRAINABLE, *MEASURED)
#: BEGIN joins three corpora in this order; from this row on it is Topical Chat, whose licence CDLA-Sharing
#: does not allow training: measured only.
BEGIN_TRAINABLE_ROWS = 845
#: A claim belongs to a labelled span that contains at least this share of it, or that it contains.
_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled answer, split into claims as the engine does.

    Attributes:
        dataset: its file name, without the ending.
        number: 0-based line of the file.
        group: rows of a group share a question or source; they are never split.
        question: may be empty.
        chunks: the sources.
        answer: the answer.
        claims: the engine's claims, checked or not.
        spans: labelled spans: start, end, supported (None without a label).
        supported: label of the whole answer.
        extra: all other keys of the row.
    """

    dataset: str
    number: int
    group: str
    question: str
    chunks: tuple[Chunk, ...]
    answer: str
    claims: tuple[Claim, ...]
    spans: tuple[tuple[int, int, bool | None], ...]
    supported: bool | None
    extra: dict[str, Any]

    @property
    def role(self) -> Role:
        """Whether the row may train, may be read, or is only scored."""
        return role_of(self.dataset, self.group, self.number)

    @property
    def is_trainable(self) -> bool:
        """Whether this row may train shipped weights: its licence allows it, and it is not locked."""
        if self.dataset == "begin_dev" and self.number >= BEGIN_TRAINABLE_ROWS:
            return False
        return self.dataset in TRAINABLE and self.role != "locked"

    def owners(self) -> list[list[int]]:
        """For each labelled span the numbers of its checked claims."""
        checked = [number for number, claim in enumerate(self.claims) if claim.checked]
        found = []
        for start, end, _ in self.spans:
            inside = [
                n
                for n in checked
                if _shared(self.claims[n], start, end) >= _OVERLAP * _length(self.claims[n])
            ]
            if not inside:
                inside = [
                    n for n in checked if _shared(self.claims[n], start, end) >= _OVERLAP * (end - start)
                ]
            found.append(inside)
        return found


def _length(claim: Claim) -> int:
    return max(1, claim.end - claim.start)


def _shared(claim: Claim, start: int, end: int) -> int:
    return min(claim.end, end) - max(claim.start, start)


def claims_of(answer: str, question: str, chunks: Sequence[Chunk]) -> tuple[Claim, ...]:
    """The claims of an answer as validation extracts them, without citation markers."""
    transcript = Transcript(id="row", question=question or "-", chunks=tuple(chunks), answer=answer)
    markers = marker_spans(extract(make_context(transcript, Settings()), registry.syntaxes()))
    sentences = segment(answer, language="en", markers=markers)
    return extract_claims(answer, question=question, language="en", markers=markers, sentences=sentences)


@lru_cache(maxsize=16)
def load(dataset: str, data: Path = DATA) -> tuple[Row, ...]:
    """All rows of a set; none without the file."""
    path = data / f"{dataset}.jsonl"
    if not path.exists():
        return ()
    return tuple(_rows(dataset, path))


def _rows(dataset: str, path: Path) -> Iterator[Row]:
    known = {"group", "question", "chunks", "answer", "claims", "response_supported"}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        chunks = tuple(Chunk(id=str(n + 1), text=text) for n, text in enumerate(record["chunks"]))
        yield Row(
            dataset=dataset,
            number=number,
            group=str(record["group"]),
            question=record["question"] or "",
            chunks=chunks,
            answer=record["answer"],
            claims=claims_of(record["answer"], record["question"] or "", chunks),
            spans=tuple((c["start"], c["end"], c["supported"]) for c in record["claims"]),
            supported=record["response_supported"],
            extra={key: value for key, value in record.items() if key not in known},
        )


def present(datasets: Sequence[str] = SETS, data: Path = DATA) -> list[str]:
    """The sets whose files are present."""
    return [name for name in datasets if (data / f"{name}.jsonl").exists()]


def data_of(command: str, needed: Sequence[str]) -> Path:
    """The data folder of a training command; exits if a set that it trains on is missing.

    Weights from half of the rows look like any others, so none are written.
    """
    parser = argparse.ArgumentParser(prog=f"python -m training.{command}")
    parser.add_argument("data", type=Path, nargs="?", default=DATA, help="folder of the labelled sets")
    data: Path = parser.parse_args().data
    missing = [name for name in needed if name not in present(needed, data)]
    if missing:
        parser.exit(
            2, f"{data}: not there: {', '.join(f'{name}.jsonl' for name in missing)}; nothing was written\n"
        )
    return data
