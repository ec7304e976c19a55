"""Labelled feedback: people's labels of answers and claims, and how far a judge agrees with them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._io.jsonio import JsonRecord, read_records
from pytest_grounding._io.wording import counted, wilson
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

#: The labels of a claim; "supported": true or false means the first two.
STATUSES = ("supported", "unsupported", "contradicted")
FOLDS = 5
SEED = 20261122
RESAMPLES = 2000
_DIGITS = 12


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
            if not _says_nothing(record.value, model):
                yield _label_of_claim(record, str(file), settings, model)


def _says_nothing(value: Any, model: str) -> bool:
    """Whether a record is a logged decision that no person took, or has no confidence."""
    if not isinstance(value, Mapping) or "decision" not in value:
        return False
    if "correct" not in value or "transcript" in value:
        return "correct" not in value
    known = value.get("confidences")
    return value.get("confidence") is None and isinstance(known, Mapping) and known.get(model) is None


def _label_of_claim(record: JsonRecord, path: str, settings: Settings, model: str) -> Label:
    value = record.value

    def wrong(field: str, problem: str, hint: str) -> InputError:
        return InputError(problem, path=path, line=record.line, field=field, hint=hint)

    if not isinstance(value, Mapping):
        raise wrong("", "a label is an object", 'write {"transcript": {...}, "correct": true}')
    correct = value.get("correct")
    has_claims = "transcript" in value and "claims" in value
    if not isinstance(correct, bool) and not (correct is None and has_claims):
        hint = "write true where the answer is right, else false"
        raise wrong("correct", "is missing, or neither true nor false", hint)
    group = value.get("group")
    if "transcript" in value:
        return _of_transcript(value, settings, model, wrong)
    confidence = value.get("confidence")
    if isinstance(value.get("confidences"), Mapping):
        confidence = value["confidences"].get(model)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        raise wrong("confidence", "is missing or no number from 0 to 1", "write it, or give the transcript")
    return Label(float(confidence), bool(correct), str(group) if group is not None else f"line {record.line}")


def _of_transcript(
    value: Mapping[str, Any], settings: Settings, model: str, wrong: Callable[[str, str, str], InputError]
) -> Label:
    try:
        transcript = as_transcript(value["transcript"], settings)
    except InputError as error:
        field = f"transcript.{error.field}" if error.field else "transcript"
        raise wrong(field, error.problem, error.hint or "fix it") from None
    verdict = validate(transcript, settings)
    if verdict.switched_off:
        problem = f"is not checked: {verdict.switched_off[0]} is switched off"
        raise wrong("transcript", problem, "switch it on: without it there is nothing to calibrate")
    claims = _claim_labels(value.get("claims", ()), transcript.answer, wrong)
    correct = value.get("correct")
    if correct is None:
        correct = all(claim.status == "supported" for claim in claims)
        if correct and not _cover_all_claims(claims, verdict):
            raise wrong("correct", "is missing, and a claim has no label", "write it, or label every claim")
    group = value.get("group")
    return Label(
        confidence=verdict.confidences.get(model, 0.0),
        scored=model in verdict.confidences,
        correct=correct,
        group=str(group) if group is not None else transcript.question,
        transcript=transcript,
        verdict=verdict,
        claims=claims,
    )


def _claim_labels(
    given: Any, answer: str, wrong: Callable[[str, str, str], InputError]
) -> tuple[ClaimLabel, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise wrong("claims", "is not a list", 'write [{"text": "...", "supported": true}]')
    found = []
    for number, item in enumerate(given):
        place = f"claims[{number}]"
        if not isinstance(item, Mapping):
            raise wrong(place, "is not an object", 'write {"text": "...", "supported": true}')
        start, end = _span_of_label(item, answer, place, wrong)
        status = item.get("status")
        if status is None and isinstance(item.get("supported"), bool):
            status = "supported" if item["supported"] else "unsupported"
        if status not in STATUSES:
            hint = f'write "supported": true or false, or "status": one of {", ".join(STATUSES)}'
            raise wrong(f"{place}.supported", "is missing, or neither true nor false", hint)
        found.append(ClaimLabel(start, end, status))
    return tuple(found)


def _span_of_label(
    item: Mapping[str, Any], answer: str, place: str, wrong: Callable[[str, str, str], InputError]
) -> tuple[int, int]:
    text = item.get("text")
    if isinstance(text, str) and text.strip():
        start = answer.find(text)
        if start < 0:
            raise wrong(f"{place}.text", "does not stand in the answer", "copy the claim's words from it")
        return start, start + len(text)
    edges = item.get("start"), item.get("end")
    match edges:
        case (int(first), int(last)) if 0 <= first < last <= len(answer):
            return first, last
    if edges != (None, None):
        problem = f"{edges[0]!r:.20} to {edges[1]!r:.20} is not a stretch of the answer"
        raise wrong(
            f"{place}.start", problem, f"write start and end from 0 to {len(answer)}, or the words as text"
        )
    raise wrong(f"{place}.text", "is missing", "write the claim's words, or its start and end")


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
    said = [
        item.status
        for item in label.claims
        if 2 * (min(item.end, end) - max(item.start, start)) >= min(end - start, item.end - item.start)
    ]
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
    cells = Counter((pair.is_bad, pair.is_rejected) for pair in given)
    both, missed = cells[True, True], cells[True, False]
    wrongly, kept = cells[False, True], cells[False, False]

    def share(count: int, total: int) -> Estimate:
        ends = wilson(count, total)
        return Estimate(None) if ends is None else Estimate(count / total, *ends)

    return Agreement(
        number=len(given),
        groups=len({pair.group for pair in given}),
        base_rate=share(both + missed, len(given)),
        kappa=_kappa(given, (both, missed, wrongly, kept)),
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


def _kappa(pairs: Sequence[JudgedPair], cells: tuple[int, int, int, int]) -> Estimate:
    import numpy as np

    value = kappa(*cells)
    if value is None:
        return Estimate(None)
    groups = dict.fromkeys(pair.group for pair in pairs)
    numbers = {group: number for number, group in enumerate(groups)}
    table = np.zeros((len(numbers), 4))
    for pair in pairs:
        table[numbers[pair.group], (0 if pair.is_bad else 2) + (0 if pair.is_rejected else 1)] += 1
    generator = np.random.Generator(np.random.PCG64(SEED))
    drawn = (table[generator.integers(0, len(table), size=len(table))].sum(axis=0) for _ in range(RESAMPLES))
    found = [one for cells in drawn if (one := kappa(*cells)) is not None]
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
