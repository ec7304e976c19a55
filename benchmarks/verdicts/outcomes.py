"""Validate labelled answers, and count the outcomes by group."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.roles import Role, role_of
from pytest_grounding import Transcript, Verdict, validate
from pytest_grounding.mutation import FAULTS
from pytest_grounding.mutation.mutate_files import dice
from pytest_grounding.mutation.site import sites_of
from pytest_grounding.settings import Settings
from training.cases import CONFLICTING, THREE_WAY, label_of, transcript_of

HERE = Path(__file__).resolve().parent
ANSWERS = HERE.parent / "answers"
CASES = HERE.parents[1] / "tests" / "verdicts"
SERVICES = ("handbook", "hr_policy", "api_reference")
#: Rows with the role "train" count as seen, like those with the role "tune".
Side = str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts of one answer.

    Attributes:
        dataset: its set.
        group: its group.
        side: "tune" (train and tune rows) or "locked".
        counts: name of a count -> how often.
    """

    dataset: str
    group: str
    side: Side
    counts: Counter[str]


def rows_of(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a file with an answer and a chunk, and their line numbers; none without the file."""
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                row = json.loads(line)
                if row["answer"].strip() and row["chunks"]:
                    yield number, row


def side_of(role: Role) -> Side:
    """The side of the tables for a role."""
    return "locked" if role == "locked" else "tune"


def outcomes(file: Path, settings: Settings) -> Iterator[Outcome]:
    """The outcome for each answer of a file of labelled rows."""
    name = file.stem
    for number, row in rows_of(file):
        verdict = validate(transcript_of(row, f"{name}-{number}"), settings)
        dataset = row["dataset"] if file.parent == ANSWERS else name
        counts = Counter(_claims(name, row, verdict))
        counts.update(_answer(row, verdict))
        yield Outcome(name, str(row["group"]), side_of(role_of(dataset, row["group"], number)), counts)


def _claims(name: str, row: dict[str, Any], verdict: Verdict) -> Iterator[str]:
    """Counts of the labelled claims: a span gets the worst status of the engine's claims in it."""
    for span in row["claims"]:
        told = label_told(name, row, span)
        if told is None:
            continue
        own = {
            c.status for c in verdict.claims if c.start < span["end"] and c.end > span["start"] and c.checked
        }
        if not own:
            continue
        yield told
        if "contradicted" in own:
            yield f"{told}:contradicted"
            if name in THREE_WAY:
                yield f"three:{told}"
        if own & {"contradicted", "unsupported"}:
            yield f"{told}:bad"


def label_told(name: str, row: dict[str, Any], span: dict[str, Any]) -> str | None:
    """The label of a stretch of an answer: supported or another word; None without a label."""
    if name == "mtrag":
        told = label_of(name, row, span["start"], span["end"])
        return told[0] if told else None
    if "label" in span and name in THREE_WAY:
        return {"entailment": "supported", "contradiction": "contradiction", "neutral": "neutral"}.get(
            span["label"]
        )
    return {True: "supported", False: "unsupported"}.get(span["supported"])


def _answer(row: dict[str, Any], verdict: Verdict) -> Iterator[str]:
    if row["response_supported"] is None:
        return
    who = "right" if row["response_supported"] else "wrong"
    yield who
    yield f"{who}:{verdict.status}"
    if verdict.hallucinated:
        yield f"{who}:flagged"
    if any(claim.status == "contradicted" for claim in verdict.claims):
        yield f"{who}:contradicted"


def planted(file: Path, settings: Settings, share: float = 0.35) -> Iterator[Outcome]:
    """Faults planted into claims that people and the engine call supported: how many are called contradicted.

    The unchanged claims are counted too: those that people call supported, and those of them that the engine
    does not support.
    """
    import random

    name = file.stem
    for number, row in rows_of(file):
        if row["response_supported"] is not True:
            continue
        transcript = transcript_of(row, f"{name}-{number}")
        verdict = validate(transcript, settings)
        counts: Counter[str] = Counter()
        for site in sites_of(transcript, verdict):
            told = label_of(name, row, site.claim.start, site.claim.end)
            if not site.claim.checked or told is None or told[0] != "supported" or len(site.text.split()) < 4:
                continue
            counts["untouched"] += 1
            counts["untouched:contradicted"] += site.claim.status == "contradicted"
            counts["untouched:bad"] += site.claim.status in {"contradicted", "unsupported"}
            if site.claim.status != "supported":
                continue
            for fault in FAULTS:
                lot = random.Random(f"{transcript.id}/{site.claim.index}/{fault.name}/verdicts").random()
                if fault.name in CONFLICTING and lot <= share:
                    mutant = fault.plant(site, dice(1, fault.name, transcript.id, site.claim.index))
                    if mutant is not None:
                        counts.update(
                            _planted(fault.name, validate(mutant.transcript, settings), mutant.span)
                        )
        yield Outcome(name, str(row["group"]), side_of(role_of(name, row["group"], number)), counts)


def _planted(fault: str, verdict: Verdict, span: tuple[int, int]) -> Iterator[str]:
    own = {c.status for c in verdict.claims if c.start < span[1] and c.end > span[0] and c.checked}
    for name in (fault, "planted"):
        yield name
        if "contradicted" in own:
            yield f"{name}:contradicted"
        if own & {"contradicted", "unsupported"}:
            yield f"{name}:bad"


def cases(file: Path, settings: Settings) -> Iterator[tuple[dict[str, Any], Verdict]]:
    """The cases of a file of `tests/verdicts` with their verdicts."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            transcript = Transcript(
                id=case["id"],
                question=case["question"] or "What do the sources say?",
                chunks=tuple({"id": f"c{n}", "text": text} for n, text in enumerate(case["chunks"])),  # type: ignore[arg-type]
                answer=case["answer"],
            )
            yield case, validate(transcript, settings)


Pick = Callable[[Outcome], bool]


def by_group(found: Sequence[Outcome], pick: Pick) -> list[Counter[str]]:
    """The counts of the selected outcomes, summed by group."""
    groups: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for item in found:
        if pick(item):
            groups[item.dataset, item.group].update(item.counts)
    return list(groups.values())
