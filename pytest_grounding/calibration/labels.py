"""Labelled feedback: people's labels of answers and claims, and how far a judge agrees with them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._io.jsonio import read_records
from pytest_grounding._io.wording import counted, wilson
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

STATUSES = ("supported", "unsupported", "contradicted")  # "supported": true or false means the first two
FOLDS = 5
SEED = 20261122
RESAMPLES = 2000
_DIGITS = 12
#: Bad and rejected, bad and missed, good and rejected, good and kept.
_CELLS = ((True, True), (True, False), (False, True), (False, False))


@dataclass(frozen=True, slots=True)
class ClaimLabel:
    """One stretch of an answer, labelled by a person."""

    start: int
    end: int
    status: str


@dataclass(frozen=True, slots=True)
class Label:
    """One answer, labelled by a person."""

    confidence: float
    correct: bool
    group: str
    scored: bool = field(default=True, compare=False)
    transcript: Transcript | None = field(default=None, compare=False, repr=False)
    verdict: Verdict | None = field(default=None, compare=False, repr=False)
    claims: tuple[ClaimLabel, ...] = field(default=(), compare=False)


def read_labels(path: str | Path, settings: Settings, *, model: str = "learned") -> Iterator[Label]:
    """Read labels."""
    for file in sorted(Path(path).glob("*.jsonl")) if Path(path).is_dir() else [Path(path)]:
        for record in read_records(file):
            if _has_no_label(record.value, model):
                continue
            try:
                label = _label_of_value(record.value, record.line, settings, model)
            except InputError as error:
                if error.path:
                    raise
                place = {"path": str(file), "field": error.field, "hint": error.hint}
                raise InputError(error.problem, line=record.line, **place) from None
            yield label


def _has_no_label(value: Any, model: str) -> bool:
    """Whether a record is a logged decision that no person took, or has no confidence."""
    if not isinstance(value, Mapping) or "decision" not in value:
        return False
    if "correct" not in value or "transcript" in value:
        return "correct" not in value
    known = value.get("confidences")
    return value.get("confidence") is None and isinstance(known, Mapping) and known.get(model) is None


def _label_of_value(value: Any, line: int, settings: Settings, model: str) -> Label:
    if not isinstance(value, Mapping):
        raise InputError("a label is an object", hint='write {"transcript": {...}, "correct": true}')
    correct, confidence, group = value.get("correct"), value.get("confidence"), value.get("group")
    has_claims = "transcript" in value and "claims" in value
    if not isinstance(correct, bool) and not (correct is None and has_claims):
        hint = 'a label is {"transcript": {...}, "correct": true}, or false where the answer is wrong'
        raise InputError("is missing, or neither true nor false", field="correct", hint=hint)
    if "transcript" in value:
        return _of_transcript(value, settings, model)
    if isinstance(value.get("confidences"), Mapping):
        confidence = value["confidences"].get(model)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        hint = "write it, or give the transcript"
        raise InputError("is missing or no number from 0 to 1", field="confidence", hint=hint)
    return Label(float(confidence), bool(correct), f"line {line}" if group is None else str(group))


def _of_transcript(value: Mapping[str, Any], settings: Settings, model: str) -> Label:
    try:
        transcript = as_transcript(value["transcript"], settings)
    except InputError as error:
        field = f"transcript.{error.field}" if error.field else "transcript"
        raise InputError(error.problem, field=field, hint=error.hint or "fix it") from None
    verdict = validate(transcript, settings)
    if verdict.switched_off:
        problem = f"is not checked: {verdict.switched_off[0]} is switched off"
        hint = "switch it on: without it there is nothing to calibrate"
        raise InputError(problem, field="transcript", hint=hint)
    claims = _claim_labels(value.get("claims", ()), transcript.answer)
    correct, group = value.get("correct"), value.get("group")
    if correct is None:
        correct = all(claim.status == "supported" for claim in claims)
        if correct and not _cover_all_claims(claims, verdict):
            hint = "write it, or label every claim"
            raise InputError("is missing, and a claim has no label", field="correct", hint=hint)
    return Label(
        confidence=verdict.confidences.get(model, 0.0),
        scored=model in verdict.confidences,
        correct=correct,
        group=transcript.question if group is None else str(group),
        transcript=transcript,
        verdict=verdict,
        claims=claims,
    )


def _claim_labels(given: Any, answer: str) -> tuple[ClaimLabel, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise InputError("is not a list", field="claims", hint='write [{"text": "...", "supported": true}]')
    found = []
    for number, item in enumerate(given):
        place = f"claims[{number}]"
        if not isinstance(item, Mapping):
            hint = 'write {"text": "...", "supported": true}'
            raise InputError("is not an object", field=place, hint=hint)
        start, end = _span_of_label(item, answer, place)
        status = item.get("status")
        if status is None and isinstance(item.get("supported"), bool):
            status = "supported" if item["supported"] else "unsupported"
        if status not in STATUSES:
            hint = f'write "supported": true or false, or "status": one of {", ".join(STATUSES)}'
            problem = "is missing, or neither true nor false"
            raise InputError(problem, field=f"{place}.supported", hint=hint)
        found.append(ClaimLabel(start, end, status))
    return tuple(found)


def _span_of_label(item: Mapping[str, Any], answer: str, place: str) -> tuple[int, int]:
    text = item.get("text")
    if isinstance(text, str) and text.strip():
        start = answer.find(text)
        if start < 0:
            hint = "copy the claim's words from it"
            raise InputError("does not stand in the answer", field=f"{place}.text", hint=hint)
        return start, start + len(text)
    edges = item.get("start"), item.get("end")
    match edges:
        case (None, None):
            hint = "write the claim's words, or its start and end"
            raise InputError("is missing", field=f"{place}.text", hint=hint)
        case (int(first), int(last)) if 0 <= first < last <= len(answer):
            return first, last
    problem = f"{edges[0]!r:.20} to {edges[1]!r:.20} is not a stretch of the answer"
    hint = f"write start and end from 0 to {len(answer)}, or the words as text"
    raise InputError(problem, field=f"{place}.start", hint=hint)


def _cover_all_claims(claims: Sequence[ClaimLabel], verdict: Verdict) -> bool:
    for claim in verdict.claims:
        if claim.checked and not any(label.start < claim.end and claim.start < label.end for label in claims):
            return False
    return True


def refuse_thin(right: int, wrong: int, least: int, of_each: int, *, what: str = "", to: str) -> None:
    """Refuse labels that reflect chance more than the engine."""
    count = right + wrong
    if count < least:
        problem = f"{counted(count, 'label')}{what} {'is' if count == 1 else 'are'} too few to {to}"
        raise InputError(problem, hint=f"label at least {counted(least - count, 'more answer')}")
    for kind, number in (("right", right), ("wrong", wrong)):
        if number < of_each:
            problem = f"only {number} of {count} labelled answers are {kind}: too one-sided to {to}"
            raise InputError(problem, hint=f"label at least {of_each - number} more {kind} answers")


def fold_of(group: str) -> int:
    """Fold of a group, from its name alone."""
    return hashlib.sha256(group.encode("utf-8", "replace")).digest()[0] % FOLDS


def status_at(label: Label, start: int, end: int) -> str | None:
    """The label of a claim: the worst one that overlaps half of it or lies mostly in it; None without any."""
    said = []
    for item in label.claims:
        common = min(item.end, end) - max(item.start, start)
        if 2 * common >= min(end - start, item.end - item.start):
            said.append(item.status)
    if said:
        return max(said, key=STATUSES.index)
    return "supported" if label.correct and not label.claims else None


@dataclass(frozen=True, order=True, slots=True)
class JudgedPair:
    """Labels of people and a judge for a claim or answer; resampling keeps groups together."""

    group: str
    is_bad: bool
    is_rejected: bool


class Estimate(NamedTuple):
    """A figure with its 95 % interval; None without anything to measure."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge compared with people."""

    number: int
    groups: int
    base_rate: Estimate
    kappa: Estimate
    catch: Estimate
    false_rejection: Estimate


def agreement(pairs: Iterable[JudgedPair]) -> Agreement | None:
    """Measure a judge; shares have Wilson's interval, kappa that of a bootstrap over groups."""
    given = sorted(pairs)
    if not given:
        return None
    table = Counter((pair.is_bad, pair.is_rejected) for pair in given)
    both, missed, wrongly, kept = (table[cell] for cell in _CELLS)

    def share(count: int, total: int) -> Estimate:
        ends = wilson(count, total)
        return Estimate(None) if ends is None else Estimate(count / total, *ends)

    return Agreement(
        number=len(given),
        groups=len({pair.group for pair in given}),
        base_rate=share(both + missed, len(given)),
        kappa=_kappa(given, kappa(both, missed, wrongly, kept)),
        catch=share(both, both + missed),
        false_rejection=share(wrongly, wrongly + kept),
    )


def kappa(both: float, missed: float, wrongly: float, kept: float) -> float | None:
    """Cohen's kappa of a table of four cells; None if chance alone explains all of it."""
    total = both + missed + wrongly + kept
    if not total:
        return None
    seen = (both + kept) / total
    bad, rejected = (both + missed) / total, (both + wrongly) / total
    chance = bad * rejected + (1 - bad) * (1 - rejected)
    return None if chance >= 1 else (seen - chance) / (1 - chance)


def _kappa(pairs: Sequence[JudgedPair], value: float | None) -> Estimate:
    import numpy as np

    if value is None:
        return Estimate(None)
    cells: dict[str, list[int]] = defaultdict(lambda: [0] * len(_CELLS))
    for pair in pairs:
        cells[pair.group][_CELLS.index((pair.is_bad, pair.is_rejected))] += 1
    table = np.array(list(cells.values()), dtype=float)
    generator = np.random.Generator(np.random.PCG64(SEED))
    drawn = (table[generator.integers(0, len(table), size=len(table))].sum(axis=0) for _ in range(RESAMPLES))
    found = [one for sums in drawn if (one := kappa(*sums)) is not None]
    low, high = np.quantile(found, [0.025, 0.975])
    # Rounding errors would show 0 as "-0.00", which looks like disagreement.
    value, low, high = (round(float(number), _DIGITS) + 0.0 for number in (value, low, high))
    return Estimate(value, min(value, low), max(value, high))


@dataclass
class Opinion:
    """All comparisons with a judge: pairs for claims and for answers, and the claims without a ruling."""

    claims: list[JudgedPair] = field(default_factory=list)
    answers: list[JudgedPair] = field(default_factory=list)
    unknown: list[tuple[str, str, str]] = field(default_factory=list)


def opinion_of(labels: Iterable[Label]) -> Opinion:
    """Compare a judge with people, on labels whose verdicts contain its rulings on every checked claim."""
    found = Opinion()
    for label in labels:
        if label.verdict is None or label.transcript is None:
            continue
        values = []
        for claim in label.verdict.claims:
            if claim.opinions is None:
                continue
            ruling = claim.opinions.judge
            values.append(ruling.value)
            said = status_at(label, claim.start, claim.end)
            if ruling.value is None:
                found.unknown.append((label.transcript.id, claim.text, ruling.reason))
            elif said is not None:
                found.claims.append(JudgedPair(label.group, said != "supported", ruling.value != "full"))
        if values and None not in values:
            is_rejected = any(value != "full" for value in values)
            found.answers.append(JudgedPair(label.group, not label.correct, is_rejected))
    return found
