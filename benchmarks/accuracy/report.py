"""The page ``docs/accuracy.md`` from scored rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.accuracy.figures import (
    Figure,
    Measure,
    Scored,
    auroc,
    balanced_accuracy,
    f1,
    false_rejection,
    interval,
    nested_reports,
    precision_recall_f1,
    recall_at,
)
from benchmarks.accuracy.predict import Rate, Sets, score_answers, score_spans, score_whole_spans
from pytest_grounding.settings import Settings
from training.examples import Seen
from training.rows import TRAINABLE
from training.train import fold_of

THRESHOLD = Settings().borderline_threshold
_REJECT_RATE = Settings().max_hallucination_rate
_SURE = 0.99
TITLES = {
    "ragtruth_qa": "RAGTruth-QA sentences",
    "mtrag": "mtRAG answers",
    "wice_dev": "WiCE claims",
    "begin_dev": "BEGIN responses",
    "summedits": "SummEdits sentences",
    "bump": "BUMP sentences",
    "dialfact": "DialFact responses",
    "factcheckgpt": "FactCheckGPT claims",
    "attribution_dev": "AttributionBench statements",
    "qags_cnndm": "QAGS sentences",
    "faithbench": "FaithBench sentences",
}
#: Sets whose labelled spans are statements, which can also be scored whole.
_STATEMENTS = ("wice_dev", "begin_dev", "attribution_dev", "qags_cnndm", "faithbench")
#: Answers of RAGTruth's whole QA test part, as published: precision, recall, F1.
_PUBLISHED = (
    ("RAGAS faithfulness", "35.7"),
    ("GPT-4-turbo, prompted", "45.6"),
    ("Luna (0.44 B encoder)", "51.3"),
    ("LettuceDetect base (0.15 B encoder, trained on RAGTruth)", "65.5"),
    ("Llama-2-13B, fine-tuned on RAGTruth", "68.2"),
    ("LettuceDetect large (0.4 B encoder, trained on RAGTruth)", "70.2"),
    ("RAG-HAT (8 B, trained on RAGTruth)", "74.8"),
)
_SPAN_MEASURES: tuple[tuple[str, Measure], ...] = (
    ("AUROC", auroc),
    ("balanced accuracy", balanced_accuracy(THRESHOLD)),
    ("recall at 5 %", recall_at(0.05)),
    ("recall at 10 %", recall_at(0.10)),
    ("false rejection", false_rejection(THRESHOLD)),
)


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean."""
    return sum(values) / len(values)


def two_weakest(values: Sequence[float]) -> float:
    """Log odds of the weakest claim plus half of those of the second weakest.

    Claims of an answer fail together: the second says less that is new than the first. An answer of one
    claim is taken as if a second one were sure (0.99).
    """
    first, second = sorted([*values, max(_SURE, *values)])[:2]
    return log_odds(first) + log_odds(second) / 2


def log_odds(probability: float) -> float:
    """Natural log of p over 1 - p; of coverage, which reaches 0 and 1, a little inside."""
    held = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(held / (1 - held))


def percent(figure: Figure) -> str:
    """A figure in per cent with its interval."""
    if np.isnan(figure.value):
        return "–"
    return f"{100 * figure.value:.1f} ({100 * figure.low:.0f}–{100 * figure.high:.0f})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def span_table(sets: Sets, rate: Rate, names: Sequence[str]) -> str:
    """One row a set of labelled spans."""
    rows = []
    for name in names:
        scored = score_spans(sets[name], rate)
        figures = [percent(interval(scored, measure)) for _, measure in _SPAN_MEASURES]
        whole = percent(interval(score_whole_spans(sets[name], rate), auroc)) if name in _STATEMENTS else "–"
        rows.append([TITLES[name], str(len(scored.scores)), *figures, whole])
    return table(["set", "spans", *(name for name, _ in _SPAN_MEASURES), "AUROC, span as one claim"], rows)


def answer_table(sets: Sets, rates: Sequence[tuple[str, Rate]]) -> str:
    """AUROC of whole answers by the weakest claim, the two weakest, and the mean of the claims."""
    rows = []
    for name in ("ragtruth_qa", "mtrag", "qags_cnndm", "faithbench"):
        for label, rate in rates:
            if name in sets:
                weakest = score_answers(sets[name], rate, min)
                rows.append(
                    [
                        TITLES[name].replace("sentences", "answers"),
                        label,
                        str(len(weakest.scores)),
                        percent(interval(weakest, auroc)),
                        percent(interval(score_answers(sets[name], rate, two_weakest), auroc)),
                        percent(interval(score_answers(sets[name], rate, mean), auroc)),
                    ]
                )
    head = ["set", "detector", "answers", "AUROC, weakest claim", "two weakest", "mean of claims"]
    return table(head, rows)


def detection_table(rows: Sequence[Seen], rates: Sequence[tuple[str, Rate]]) -> str:
    """Precision, recall and F1 of hallucinated answers beside published detectors."""
    folds = [fold_of(row.row.group) for row in rows if row.row.supported is not None]
    lines = []
    for label, rate in rates:
        scored = score_answers(rows, rate, min)
        kinds = [(f"{label}, threshold of the other folds", _decided(scored, folds), 0.5)]
        if label == "built-in":
            kinds.append((f"{label}, shipped threshold {THRESHOLD}", scored, THRESHOLD))
        for kind, judged, threshold in kinds:
            precision, recall, _ = precision_recall_f1(judged, threshold)
            whole = interval(judged, lambda s, t=threshold: f1(s.supported, s.scores < t))  # type: ignore[misc]
            lines.append([kind, f"{100 * precision:.1f}", f"{100 * recall:.1f}", percent(whole)])
    lines.extend([name, "", "", value] for name, value in _PUBLISHED)
    return table(["detector", "precision", "recall", "F1"], lines)


def _decided(scored: Scored, folds: Sequence[int]) -> Scored:
    """What each fold reports by the threshold of the others; an interval redraws whole questions of it."""
    found = nested_reports(scored, folds)
    return Scored(np.where(found, 0.0, 1.0), scored.supported, scored.groups)


def faithful_sentence(rows: Sequence[Seen], rate: Rate) -> str:
    """What happens to mtRAG's fully faithful answers."""
    rejected = [
        [rate(row, claim) < THRESHOLD for claim in row.claims if claim is not None]
        for row in rows
        if row.row.supported
    ]
    judged = [claims for claims in rejected if claims]
    claims = sum(map(sum, judged)) / sum(map(len, judged))
    flagged = sum(any(claims) for claims in judged) / len(judged)
    refused = sum(mean(claims) > _REJECT_RATE for claims in judged) / len(judged)
    return (
        f"Of the {len(judged)} answers of mtRAG that all judges called fully faithful, "
        f"{100 * flagged:.1f} % get at least\none unsupported claim and {100 * refused:.1f} % a "
        f"hallucination rate above {_REJECT_RATE} (rejection);\n"
        f"{100 * claims:.1f} % of their claims are refused."
    )


def reliability_table(rows: Sequence[Seen], rate: Rate) -> str:
    """How often claims are supported that got a probability in a range."""
    scored = score_spans(rows, rate)
    edges = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
    lines = []
    for low, high in pairwise(edges):
        inside = (scored.scores >= low) & (scored.scores < high)
        if inside.any():
            lines.append(
                [
                    f"{low}–{high}",
                    str(int(inside.sum())),
                    f"{scored.scores[inside].mean():.2f}",
                    f"{scored.supported[inside].mean():.2f}",
                ]
            )
    return table(["probability", "spans", "mean probability", "share supported"], lines)


def page(sets: Sets, crossed: Rate, left: Rate, baseline: Rate) -> str:
    """The whole page."""
    names = [name for name in TITLES if name in sets and name != "mtrag"]
    absent = [title for name, title in TITLES.items() if name not in sets]
    trained = [name for name in names if name in TRAINABLE]
    parts = [
        _HEAD,
        f"Not present in this run, so not measured: {', '.join(absent)}.\n" if absent else "",
        _CROSSED,
        span_table(sets, crossed, trained),
        "\n## Whole answers\n",
        answer_table(
            sets, [("built-in", crossed), ("built-in, set left out", left), ("IDF coverage", baseline)]
        ),
    ]
    if "ragtruth_qa" in sets:
        parts += [
            _ANSWERS,
            detection_table(sets["ragtruth_qa"], [("built-in", crossed), ("IDF coverage", baseline)]),
            "\n## What a probability means\n\nRAGTruth-QA sentences, cross-validated.\n",
            reliability_table(sets["ragtruth_qa"], crossed),
        ]
    if "mtrag" in sets:
        parts += ["\n## Fully faithful answers\n", faithful_sentence(sets["mtrag"], crossed)]
    return "\n".join(part for part in parts if part) + "\n"


_CROSSED = """## Labelled spans, cross-validated

These sets train the shipped weights. Each row is scored by weights that saw no row of its group.
"""

_HEAD = f"""# Accuracy of the built-in engine

See how often the engine is right, measured on answers that people labelled.
`pytest-grounding show settings --prices` prints the short form: what each profile passes and stops. Here,
`make bench-verdicts` writes the first tables, and `python -m benchmarks.accuracy` the others.

## Verdicts on labelled answers

Whole answers, validated as a user would. We looked at *tune* rows while making the engine. *Locked* rows
were only counted (`benchmarks/roles.json`; all of LFQA is locked), so the gap between the two shows
over-fitting. All figures are per cent, with 95 % intervals by bootstrap over groups. Few of the labelled
answers cite anything, so no citations are required. *Own answers* are 311 right and 178 wrong ones of a
made-up service (`benchmarks/answers`), written before the engine was tuned on them.

<!-- verdicts: begin -->
<!-- verdicts: end -->

## Wrong answers of our own

Labelled sets hold few answers that contradict their sources in one plain point. We wrote 5,525 of our own,
half of them wrong in one way and half right, of which half look wrong; a third of the groups is locked. The
first set holds what a person tries first, the others were written to be hard. Per cent of the rows that
were seen / of the locked ones:

<!-- apart: begin -->
<!-- apart: end -->

Most of the hard ones are missed, those of the last two sets nearly all: words do not tell them. If your
answers lie in these ways, add a [local detector](detectors.md) or a [judge](judges.md).
[Conflicts](conflicts.md#kinds) says what is looked for.

## Judges and local detectors on the same answers

Rows of this table are measured and written with
`python -m benchmarks.verdicts.judged --write --cassette FILE` and `--judge NAME` or `--local-model FOLDER`:
RAGTruth's questions, mtRAG and LFQA, with each claim put before the judge. None has been measured yet.
Kappa is agreement with people beyond chance ([how a judge is
measured](judges.md#measure-a-judge-before-it-gates)).

<!-- judges: begin -->
<!-- judges: end -->

## Labelled spans: how they were measured

Measured by `python -m benchmarks.accuracy`, which writes this page. The data comes from third parties and
is not part of this repository; the run skips what is absent. [The built-in engine](engine.md) says how it
works.

How to read the figures:

- The engine splits an answer into claims. Labels belong to spans that the makers of a set chose; a span
  is scored as its weakest claim. Spans without a claim to check (greetings, questions, headings) are left
  out.
- The engine looks for *unsupported* spans. *Recall at 5 %* is the share of them below the score that
  rejects 5 % of the supported ones. *False rejection* and *balanced accuracy* are at the shipped
  threshold {THRESHOLD}. All figures are per cent, with 95 % intervals by bootstrap over groups (rows that
  share a question or a source are drawn together).
- No row is scored by weights that it trained. Only the rarity of words is shared: it was counted in the
  chunks (not the answers or labels) of all sets that may train.
"""

_ANSWERS = """
## Hallucinated answers of RAGTruth-QA

An answer is reported when its weakest claim is below the threshold. The published figures are for the
whole QA test part; this copy lacks some clean answers, which raises precision a little. Trained detectors
saw the training part of RAGTruth (5,034 QA answers); the built-in engine did not.
"""
