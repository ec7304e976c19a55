"""Whether two recordings of a question agree: reordered, paraphrased, with a distractor, or repeated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pytest_grounding._io.wording import wilson
from pytest_grounding.checks.expected import expected_values, is_among
from pytest_grounding.errors import InputError
from pytest_grounding.model.baseline_values import question_of
from pytest_grounding.model.finding import BACKED
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict

#: Metadata key with the id of the recording that this one is a variant of, if the ids differ.
VARIANT_OF = "variant_of"


@dataclass(frozen=True, slots=True)
class Answered:
    """A recording with its verdict."""

    transcript: Transcript
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Relation:
    """Two recordings of one question."""

    id: str  # id of the first one
    statuses: tuple[str, str]  # status of each verdict
    lost: tuple[str, ...]  # values of the first answer (numbers, dates, times) that are not in the second
    #: Values of the second answer that are not in the first; these alone are no failure.
    added: tuple[str, ...]
    #: Chunks that the first answer cites, and the second does not although it has them.
    no_longer_cited: tuple[str, ...] = ()
    question: str = ""
    old: str = ""  # the first claim that only the first answer has, as it stands there; "" without one
    new: str = ""  # the same of the second answer; one that no source supports comes first
    source: str = ""  # the sentence nearest to it, or to the old one

    @property
    def holds(self) -> bool:
        """Whether both pass or neither does, and no value and no cited chunk is lost."""
        first, second = self.statuses
        return (first == "pass") == (second == "pass") and not self.lost and not self.no_longer_cited

    def __str__(self) -> str:
        """The differences, for people; only the statuses if there are none."""
        first, second = self.statuses
        parts = [first if first == second else f"{first}, then {second}"]
        parts += [f"{', '.join(map(repr, self.lost))} is gone"] if self.lost else []
        parts += [f"{', '.join(map(repr, self.added))} is new"] if self.added else []
        parts += [f"no longer cites {', '.join(self.no_longer_cited)}"] if self.no_longer_cited else []
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Flakiness:
    """Of questions asked more than once those not answered alike, with a 95 % Wilson interval."""

    flaky: tuple[str, ...]
    questions: int
    low: float | None
    high: float | None


def relate(first: Answered, second: Answered) -> Relation:
    """Compare two recordings of one question."""
    texts = _without_markers(first), _without_markers(second)
    ours, theirs = map(expected_values, texts)
    # With the words of a bound: "up to six", "at least six".
    lost = [texts[0][one.lead : max(one.tail, one.end)] for one in ours if not is_among(one, theirs)]
    added = [texts[1][one.lead : max(one.tail, one.end)] for one in theirs if not is_among(one, ours)]
    statuses = (first.verdict.status, second.verdict.status)
    cited, held = _cited_texts(second), {_one_blank(chunk.text) for chunk in second.transcript.chunks}
    gone = (name for text, name in _cited_texts(first).items() if text in held and text not in cited)
    kept = tuple(dict.fromkeys(lost)), tuple(dict.fromkeys(added)), tuple(gone)
    old, new = _claim_of_one(first, second), _claim_of_one(second, first)
    near = [piece.text for claim in (new, old) if claim is not None for piece in claim.evidence]
    before, after = ("" if claim is None else _one_blank(claim.text) for claim in (old, new))
    shown = first.transcript.question, before, after, "".join(near[:1])
    return Relation(first.verdict.id, statuses, *kept, *shown)


def _claim_of_one(mine: Answered, other: Answered) -> ClaimVerdict | None:
    said = {_one_blank(claim.text) for claim in other.verdict.claims}
    own = [claim for claim in mine.verdict.claims if claim.checked and _one_blank(claim.text) not in said]
    return min(own, key=lambda claim: claim.status in BACKED, default=None)


def _without_markers(answered: Answered) -> str:
    """The answer without its citation markers: their numbers follow the order of the chunks."""
    answer, kept, end = answered.transcript.answer, [], 0
    markers = (item for item in answered.verdict.citations if item.start >= 0 and item.syntax != "provider")
    for marker in sorted(markers, key=lambda item: (item.start, item.end)):
        kept.append(answer[end : marker.start])
        end = max(end, marker.end)
    return " ".join([*kept, answer[end:]])


def _cited_texts(answered: Answered) -> dict[str, str]:
    """The cited chunks: text -> id. Ids may follow the order of the chunks, their texts do not."""
    valid = [item for item in answered.verdict.citations if item.valid]
    ids = {identifier for item in valid for identifier in (*item.chunk_ids, item.chunk_id)}
    return {_one_blank(chunk.text): chunk.id for chunk in answered.transcript.chunks if chunk.id in ids}


def _one_blank(text: str) -> str:
    return " ".join(text.split())


def paired(first: Sequence[Answered], second: Sequence[Answered]) -> tuple[list[Relation], list[str]]:
    """Compare the recordings with equal ids; also the ids of one side alone. InputError without a pair."""
    variants = {str(item.transcript.metadata.get(VARIANT_OF, item.verdict.id)): item for item in second}
    found = [relate(item, variants[item.verdict.id]) for item in first if item.verdict.id in variants]
    if not found:
        hint = f"give variants the id of the original, or name it in metadata.{VARIANT_OF}"
        raise InputError("the two sides have no recording in common", hint=hint)
    shared = {relation.id for relation in found}
    alone = {item.verdict.id for item in first} ^ set(variants) - shared
    return found, sorted(alone - shared)


def flakiness(answered: Iterable[Answered]) -> Flakiness:
    """How often repeats of one question (ids with ``#1``, ``#2``, ...) do not agree with the first one."""
    groups: dict[str, list[Answered]] = {}
    for item in answered:
        groups.setdefault(question_of(item.verdict.id), []).append(item)
    repeated = {name: items for name, items in groups.items() if len(items) > 1}
    flaky = [name for name, (first, *others) in repeated.items() if not _agree(first, others)]
    interval = wilson(len(flaky), len(repeated)) or (None, None)
    return Flakiness(tuple(sorted(flaky)), len(repeated), *interval)


def _agree(first: Answered, others: Iterable[Answered]) -> bool:
    relations = (relate(first, item) for item in others)
    return all(relation.holds and not relation.added for relation in relations)


def as_plain(
    relations: Sequence[Relation], alone: Sequence[str], flaky: Sequence[Flakiness]
) -> Mapping[str, Any]:
    """All of it as plain data."""
    return {
        "pairs": [{**asdict(relation), "holds": relation.holds} for relation in relations],
        "alone": list(alone),
        "flakiness": list(map(asdict, flaky)),
    }
