"""Finished parts as one run: sums of integers, and a list of where each verdict lies.

No verdict is read that nobody asks for, and none is held. Neither the number of workers nor the order in
which they finished can be seen in the result: it is what one process would have found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from pytest_grounding._spill import Spilling
from pytest_grounding.baseline import tally as suite
from pytest_grounding.importers.loading import KnownIds, Row
from pytest_grounding.model.run import Problem, RunFacts
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.entry import Entry, entries
from pytest_grounding.scale.ledger import Ledger
from pytest_grounding.scale.partfile import lines_of
from pytest_grounding.scale.result import Line, PartResult
from pytest_grounding.scale.shelf import Shelf
from pytest_grounding.scale.tally import tally_of

_PROBLEM = b'{"problem":'


class _Bad(NamedTuple):
    """A row that counts for nothing: where it stands among all rows, and why."""

    part: int
    number: int
    problem: Problem


def gather(ledger: Ledger, shelf: Shelf) -> RunFacts | None:
    """Put what the parts found onto a shelf.

    Args:
        ledger: the parts; something became of each.
        shelf: an empty one; takes sums and places.

    Returns:
        The problems in the order of the inputs, and the transcripts that failed or were expected to; None
        where the parts must be read row by row, because ids that were made are numbered over the whole run.

    Raises:
        InputError: a part file has been changed.
    """
    results = [ledger.results[index] for index in sorted(ledger.results)]
    if any(result.made for result in results):
        return None
    known: Spilling[str] = Spilling()
    bad: list[_Bad] = []
    expected: list[str] = []
    for result in results:
        index, twice = result.place.index, set[int]()
        bad += _problems(ledger, result)
        for entry in _entries(ledger, result):
            place = f"{index}:{entry.number}"
            first = known.setdefault(entry.id, place)
            if first != place:
                twice.add(entry.number)
                bad += _refused(ledger, first, place)
            elif entry.expected:
                expected.append(entry.id)
            else:
                shelf.refer(entry, ledger.plan.place / result.file, index)
        shelf.tally.merge(_recounted(ledger, result, twice) if twice else tally_of(result))
    return RunFacts(
        problems=tuple(item.problem for item in sorted(bad, key=lambda item: item[:2])),
        failed=tuple(shelf.failed_ids()),
        expected=tuple(expected),
    )


def _entries(ledger: Ledger, result: PartResult) -> Iterator[Entry]:
    """The verdicts of a part by id; of those that share one, the first of the input comes first."""
    if not result.ids:
        return
    for _, same in groupby(entries(ledger.plan.place / result.ids), key=lambda entry: entry.id):
        yield from sorted(same, key=lambda entry: entry.number)


def _problems(ledger: Ledger, result: PartResult) -> Iterator[_Bad]:
    """The rows of a part that could not be read."""
    if not result.counts.get("problems"):
        return
    if result.failure:
        path = ledger.plan.parts[result.place.index].pieces[0].path
        yield _Bad(result.place.index, 0, Problem(place=path, message=result.failure))
        return
    for number, line in enumerate(lines_of(ledger.plan.place, result)):
        if line.startswith(_PROBLEM) and (problem := Line.model_validate_json(line).problem) is not None:
            yield _Bad(result.place.index, number, problem)


def _refused(ledger: Ledger, first: str, second: str) -> Iterator[_Bad]:
    """The error of a row whose id stands at another place before; none where both are one row, read twice."""
    known = KnownIds()
    rows = []
    for place in (first, second):
        verdict = _verdict(ledger, place)
        transcript = Transcript.model_construct(id=verdict.id, question="", chunks=(), answer="")
        rows.append(known.add(Row(verdict.source or "", verdict.line or 1, transcript)))
    error = rows[1].error
    if error is not None:
        part, _, number = second.partition(":")
        problem = Problem(place=f"{rows[1].path}:{rows[1].line}", message=str(error))
        yield _Bad(int(part), int(number), problem)


def _verdict(ledger: Ledger, place: str) -> Verdict:
    """The verdict of a line, read from the beginning of its part: ids that stand twice are rare."""
    part, _, number = place.partition(":")
    lines = lines_of(ledger.plan.place, ledger.results[int(part)])
    found = next(Line.model_validate_json(line) for at, line in enumerate(lines) if at == int(number))
    assert found.verdict is not None
    return found.verdict


def _recounted(ledger: Ledger, result: PartResult, without: set[int]) -> suite.Tally:
    """What a part adds to the suite without some of its lines."""
    plan = ledger.plan
    tally = suite.Tally()
    for number, text in enumerate(lines_of(plan.place, result)):
        if number in without or text.startswith(_PROBLEM):
            continue
        line = Line.model_validate_json(text)
        verdict = line.verdict
        if verdict is not None and not (line.wanted == verdict.status != "pass" and not verdict.skipped):
            tally.add(verdict, plan.settings[0], failed=line.failed)
    return tally
