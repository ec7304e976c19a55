"""Finished parts as one run: sums of integers, and a list of where each verdict lies.

No verdict is read that nobody asks for, and none is held. Neither the number of workers nor the order in
which they finished can be seen in the result: it is what one process would have found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from pytest_grounding._spill import Spilling
from pytest_grounding.baseline import tally as suite
from pytest_grounding.baseline.counting import Counting
from pytest_grounding.baseline.shards import merge_shards, shard_of
from pytest_grounding.errors import InputError
from pytest_grounding.gate.outcome import Outcome, outcome_of
from pytest_grounding.importers.loading import KnownIds, Row
from pytest_grounding.model.run import Problem, RunFacts, RunReport
from pytest_grounding.model.shard import Shard
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.entry import Entry, entries
from pytest_grounding.scale.feed import checked_rows
from pytest_grounding.scale.folder import read_plan
from pytest_grounding.scale.ledger import Ledger
from pytest_grounding.scale.partfile import finished, lines_of
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
        shelf: takes sums and places.

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
            elif not shelf.refer(entry, ledger.plan.place / result.file):
                # Another run of the same content is on the shelf: a transcript counts once.
                twice.add(entry.number)
        shelf.tally.merge(_recounted(ledger, result, twice) if twice else tally_of(result))
    return RunFacts(
        problems=tuple(item.problem for item in sorted(bad, key=lambda item: item[:2])),
        failed=tuple(shelf.failed_ids()),
        expected=tuple(expected),
    )


def merged(folders: Sequence[Path], shards: Sequence[Shard], shelf: Shelf) -> Shard:
    """Runs in parts and shards as one shard, whose verdicts are on the shelf.

    As among shards, a transcript counts once, and the gate refuses different contents under one id.

    Args:
        folders: work folders of runs in parts; each is finished.
        shards: what jobs of pytest wrote.
        shelf: an empty one.

    Raises:
        InputError: a part is missing, or engine or settings differ.
    """
    bare = []
    for folder in folders:
        ledger = _finished(folder)
        facts = gather(ledger, shelf)
        facts = _read(ledger, shelf) if facts is None else facts
        sources = tuple(f"--source {name}" for name in ledger.plan.sources)
        judgements = tuple(use for result in ledger.results.values() for use in result.judgements)
        known = {"narrowed": sources, "promised": (str(folder),), "judgements": judgements}
        report = RunReport.of((), facts.model_copy(update=known))
        shard = shard_of(report, ledger.plan.settings[0], name=str(folder))
        bare.append(shard.model_copy(update={"engine_version": ledger.plan.ingredients["engine"]}))
    for shard in shards:
        failed = frozenset(shard.report.run.failed)
        for verdict in shard.report.transcripts:
            shelf.add(verdict, failed=verdict.id in failed)
        bare.append(shard.model_copy(update={"report": RunReport.of((), shard.report.run)}))
    return merge_shards(bare)


def _finished(folder: Path) -> Ledger:
    """A run in parts that is done.

    Raises:
        InputError: it is not.
    """
    plan = read_plan(folder)
    # A folder that was moved is where it is now.
    plan = plan.model_copy(update={"folder": str(folder.resolve())})
    results = [finished(folder, plan.hash, part.index, plan.compress) for part in plan.parts]
    found = [result for result in results if result is not None]
    if len(found) < len(plan.parts):
        hint = "give the command that made it again, which goes on with the others"
        problem = f"holds {len(found)} of {len(plan.parts)} parts of its plan"
        raise InputError(problem, path=str(folder), hint=hint)
    return Ledger(plan, found)


def _read(ledger: Ledger, shelf: Shelf) -> RunFacts:
    """The same as `gather`, row by row."""
    noted = Counting()
    for found in checked_rows(ledger):
        if found.verdict is None:
            noted.unreadable(f"{found.row.path}:{found.row.line}", str(found.row.error))
            continue
        outcome = outcome_of(found.verdict, ledger.plan.settings[0], wanted=found.wanted)
        if noted.add(outcome):
            shelf.add(found.verdict, failed=outcome.is_failed)
    return noted.facts()


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
        if verdict is not None and not Outcome(verdict, wanted=line.wanted).is_expected:
            tally.add(verdict, plan.settings[0], failed=line.failed)
    return tally
