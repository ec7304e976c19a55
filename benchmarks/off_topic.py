"""How often an answer is held back as off topic, for its own question and for another one.

All answers are supported by their sources, so only the question can hold them back: for their own question
that is a false alarm; for the question of another answer it is what the rules are for.

    python -m benchmarks.off_topic [DATA]

Answers with an unsupported claim are left out. Locked rows are scored and never printed.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.labelled import ROLES, rows_of, side_by_side
from benchmarks.roles import role_of, rule
from pytest_grounding import Verdict, validate
from training.rows import DATA

ANSWERS = Path(__file__).with_name("answers")
#: Sets of real answers to questions, and our own.
ASKED = ("ragtruth_qa", "mtrag", "lfqa", "attribution_dev", "factcheckgpt")
SERVICES = ("handbook", "hr_policy", "api_reference")
#: Answers of each set and role, and the distances to the other questions.
_MOST = 300
_STEPS = (37, 111)
_BACKED = frozenset({"supported", "borderline", "unchecked"})


class Answer(NamedTuple):
    """An answer with its question, its chunks and its role."""

    dataset: str
    role: str
    group: str
    question: str
    chunks: tuple[str, ...]
    text: str


class Pair(NamedTuple):
    """An answer with a question, its own or another one."""

    answer: Answer
    question: str
    is_own: bool

    def judged(self) -> Verdict:
        """The verdict under the default settings."""
        chunks = [{"id": f"c{n}", "text": text} for n, text in enumerate(self.answer.chunks, start=1)]
        return validate(
            {"id": "row", "question": self.question, "chunks": chunks, "answer": self.answer.text}
        )


def answers(data: Path = DATA) -> Iterator[Answer]:
    """All answers to questions: from the labelled sets that are present, and our own."""
    files = [data / f"{name}.jsonl" for name in ASKED] + [ANSWERS / f"{name}.jsonl" for name in SERVICES]
    for file in (file for file in files if file.exists()):
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines()):
            row = json.loads(text)
            name, group = file.stem, str(row["group"])
            if row["question"]:
                role = role_of(name, group, number)
                yield Answer(name, role, group, row["question"], tuple(row["chunks"]), row["answer"])
    for folder in rule()["trainable_own"]:
        for row in rows_of(folder):
            own = (row["group"], row["question"], tuple(row["chunks"]), row["answer"])
            yield Answer(folder, row["role"], *own)


def pairs(rows: Iterable[Answer]) -> Iterator[Pair]:
    """Each answer with its own question and with two others of its set and role."""
    sides: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for row in rows:
        sides[row.dataset, row.role].append(row)
    for side in sides.values():
        kept = side[:: max(1, len(side) // _MOST)]
        for place, answer in enumerate(kept):
            yield Pair(answer, answer.question, is_own=True)
            for step in _STEPS:
                start = (place + step) % len(kept)
                for other in (*kept[start:], *kept[:start]):
                    if other.group != answer.group and other.question != answer.question:
                        yield Pair(answer, other.question, is_own=False)
                        break


def is_backed(verdict: Verdict) -> bool:
    """Whether every claim of an answer is supported."""
    checked = [claim.status for claim in verdict.claims if claim.status != "unchecked"]
    return bool(checked) and _BACKED.issuperset(checked)


def is_held(pair: Pair) -> bool | None:
    """Whether the question holds an answer back; None if something else does."""
    verdict = pair.judged()
    if not is_backed(verdict):
        return None
    rules = {finding.rule for finding in verdict.findings}
    return verdict.self_rag.relevance.value == "irrelevant" or "not_useful" in rules


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.off_topic", description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=DATA, help="folder of the labelled sets")
    asked = list(pairs(answers(parser.parse_args().data)))
    with ProcessPoolExecutor() as pool:
        found = [
            (pair, held)
            for pair, held in zip(asked, pool.map(is_held, asked, chunksize=40), strict=True)
            if held is not None
        ]
    print(f"{'answers held back':<44} " + "  ".join(f"{role:<30}" for role in ROLES))
    for dataset in ("", *dict.fromkeys(pair.answer.dataset for pair, _ in found)):
        for is_own in (True, False):

            def share(role: str, dataset: str = dataset, is_own: bool = is_own) -> tuple[int, int]:
                # Rows that may train count as tune rows: they were seen.
                hits = [
                    held
                    for pair, held in found
                    if (pair.answer.role == "locked") == (role == "locked")
                    and pair.is_own is is_own
                    and dataset in ("", pair.answer.dataset)
                ]
                return sum(hits), len(hits)

            print(side_by_side(f"{dataset or 'all'}: {'own question' if is_own else 'another'}", share))


if __name__ == "__main__":
    main()
