"""Train the recognition of sentences that say that the answer is not known: write ``untold.json``.

Run: python -m training.denials [DATA]

Rows are the sentences of ``denials.txt``, those of the answers of the abstention benchmark that are not
locked, and sentences of real answers with a denial that are not refusals by their wording. Prints, out of
fold by question, how many denials are found and how many statements are mistaken for one; the threshold is
the lowest with at most `FALSE` of the written statements and `FALSE_REAL` of the real ones.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.labelled import rows_of
from benchmarks.roles import role_of
from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.claims import sentence_type
from pytest_grounding.claims.sentence_type import is_refusal
from pytest_grounding.questions import looks_english
from pytest_grounding.reading.grammar import words_of
from pytest_grounding.reading.sentences import segment
from training.rows import DATA, data_of
from training.train import fold_of
from training.verifier import fit

SOURCE = Path(__file__).with_name("denials.txt")
TARGET = Path(sentence_type.__file__).with_name("untold.json")
#: Sets of real answers to questions.
REAL = ("ragtruth_qa", "mtrag", "factcheckgpt")
#: Real statements are many and similar.
REAL_WEIGHT = 0.15
RIDGE = 2.0
FOLDS = 5
FALSE = 0.05
FALSE_REAL = 0.002
_DIGITS = 4
_MARKER = re.compile(r"\s*\[\d+\]")
#: Real sentences that may be refusals unknown to `is_refusal`: nobody labelled them.
_UNSURE = re.compile(
    r"(?:passage|document|context|source|text|article|information|\bit\b)[^.]{0,60}"
    r"(?:\bnot?\b|n't)[^.]{0,30}(?:provide|mention|specif|contain|stat|information|answer|give|include)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with a denial, its question, and whether it declines to answer it."""

    group: str
    question: str
    sentence: str
    label: bool
    real: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the model is used for it at all."""
        return sentence_type.may_be_learned_refusal(self.sentence, words_of(self.sentence), self.question)

    @property
    def features(self) -> tuple[float, ...]:
        """The features."""
        return sentence_type.refusal_features(self.sentence, words_of(self.sentence), self.question)


def written() -> Iterator[Example]:
    """The sentences of ``denials.txt``."""
    question = ""
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        sign, text = line[:2], line[2:]
        if sign == "? ":
            question = text
        elif sign in ("- ", "+ "):
            yield Example(question, question, text, sign == "- ")


def answered() -> Iterator[Example]:
    """Sentences of the abstention benchmark: one-sentence answers that decline, and all that do not."""
    for row in rows_of("abstention"):
        sentences = _sentences(row["answer"])
        declines = row["label"] in ("over_refusal", "rightly_declined")
        if row["role"] == "locked" or row["label"] == "half_declined" or (declines and len(sentences) > 1):
            continue
        for sentence in filter(looks_english, sentences):
            yield Example(row["group"], row["question"], sentence, declines)


def real(data: Path = DATA) -> Iterator[Example]:
    """Sentences of real answers that are not refusals, without those that may be."""
    for name in REAL:
        file = data / f"{name}.jsonl"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            question, group = row["question"], str(row["group"])
            if not question or role_of(name, group, number) == "locked":
                continue
            for sentence in _sentences(row["answer"]):
                if not is_refusal(sentence) and _UNSURE.search(sentence) is None:
                    yield Example(f"{name} {group}", question, sentence, label=False, real=True)


def _sentences(answer: str) -> list[str]:
    return [_MARKER.sub("", sentence.text) for sentence in segment(answer, language="en")]


def main() -> None:
    data = data_of("denials", REAL)
    everything = [*written(), *answered(), *real(data)]
    statements = [sum(not e.label and e.real is real_ for e in everything) for real_ in (False, True)]
    examples = [example for example in everything if example.is_open]
    features = np.array([example.features for example in examples])
    labels = np.array([example.label for example in examples], dtype=np.float64)
    weights = np.array([REAL_WEIGHT if example.real else 1.0 for example in examples])
    folds = np.array([fold_of(example.group) for example in examples])
    odds = np.zeros(len(examples))
    for fold in range(FOLDS):
        kept = folds != fold
        intercept, line = fit(features[kept], labels[kept], weights[kept], RIDGE)
        odds[~kept] = intercept + features[~kept] @ line
    least = _threshold(odds, examples, *statements)
    intercept, line = fit(features, labels, weights, RIDGE)
    content = {
        "about": "Does a sentence deny telling what was asked; written by training/denials.py",
        "least": least,
        "intercept": round(float(intercept), _DIGITS),
        "weights": {
            name: round(float(weight), _DIGITS)
            for name, weight in zip(sentence_type.FEATURES, line, strict=True)
        },
    }
    write_atomic(TARGET, json.dumps(content, indent=2) + "\n")
    print(json.dumps(content, indent=2))


def _threshold(odds: NDArray[np.float64], examples: list[Example], own_all: int, real_all: int) -> float:
    """The lowest threshold within the limits of false denials; prints the results."""
    own = np.array([not example.real for example in examples])
    denials = np.array([example.label for example in examples])
    for least in np.arange(0.0, 5.0, 0.1):
        called = odds >= least
        false, false_real = called[own & ~denials].sum() / own_all, called[~own].sum() / real_all
        if false <= FALSE and false_real <= FALSE_REAL:
            print(
                f"{len(examples)} rows, {denials.sum()} denials; from {least:.1f}: found "
                f"{called[denials].mean():.1%}, statements {false:.1%}, real ones {false_real:.1%}"
            )
            return round(float(least), 1)
    sys.exit("no threshold keeps to the shares")


if __name__ == "__main__":
    main()
