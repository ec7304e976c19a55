"""Whether two recordings of one question agree: reordered, paraphrased, with a distractor, or asked again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_grounding._io.wording import wilson
from pytest_grounding.checks.expected import is_same_value, values_of
from pytest_grounding.errors import InputError
from pytest_grounding.model.baseline_values import question_of
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict

#: Key of the metadata that names the recording that one is a variant of, where its id is another.
VARIANT_OF = "variant_of"


class Answered(NamedTuple):
    """A recording with its verdict."""

    transcript: Transcript
    verdict: Verdict


class Relation(NamedTuple):
    """Two recordings of one question.

    Attributes:
        id: id of the first one.
        statuses: status of each verdict.
        lost: values of the first answer (numbers, dates, times) that the second does not state.
        added: values of the second answer that the first does not state; they break nothing by themselves.
    """

    id: str
    statuses: tuple[str, str]
    lost: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether both pass or neither does, and no value is lost."""
        return (self.statuses[0] == "pass") == (self.statuses[1] == "pass") and not self.lost

    def __str__(self) -> str:
        """What differs, for people; the statuses alone where nothing does."""
        first, second = self.statuses
        parts = [first if first == second else f"{first}, then {second}"]
        parts += [f"{', '.join(map(repr, self.lost))} is gone"] if self.lost else []
        parts += [f"{', '.join(map(repr, self.added))} is new"] if self.added else []
        return "; ".join(parts)


class Flakiness(NamedTuple):
    """Of questions asked more than once those not answered alike, with a 95 % Wilson interval."""

    flaky: tuple[str, ...]
    questions: int
    low: float | None
    high: float | None


def relate(first: Answered, second: Answered) -> Relation:
    """What two recordings of one question have in common, and what not."""
    ours, theirs = values_of(first.transcript.answer), values_of(second.transcript.answer)
    lost = [one.text for one in ours if not any(is_same_value(one, other) for other in theirs)]
    added = [one.text for one in theirs if not any(is_same_value(one, other) for other in ours)]
    statuses = (first.verdict.status, second.verdict.status)
    return Relation(first.verdict.id, statuses, tuple(dict.fromkeys(lost)), tuple(dict.fromkeys(added)))


def paired(first: Sequence[Answered], second: Sequence[Answered]) -> tuple[list[Relation], list[str]]:
    """The relations of recordings with one id, and the ids that only one side holds.

    Raises:
        InputError: the two sides have no recording in common.
    """
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
    flaky = [
        name for name, (first, *others) in repeated.items() if not all(_agree(first, item) for item in others)
    ]
    interval = wilson(len(flaky), len(repeated)) or (None, None)
    return Flakiness(tuple(sorted(flaky)), len(repeated), *interval)


def _agree(first: Answered, second: Answered) -> bool:
    relation = relate(first, second)
    return relation.holds and not relation.added


def as_plain(
    relations: Sequence[Relation], alone: Sequence[str], flaky: Sequence[Flakiness]
) -> Mapping[str, Any]:
    """All of it as plain data."""
    return {
        "pairs": [{**relation._asdict(), "holds": relation.holds} for relation in relations],
        "alone": list(alone),
        "flakiness": [item._asdict() for item in flaky],
    }
