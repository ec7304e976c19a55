"""The result of a whole run: all verdicts, their figures, and the decision.

Reports of shards and workers add up: `RunReport.merge` is associative, does not depend on the order,
and leaves the figures and the decision to be computed anew from the merged verdicts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import indent
from typing import Any, ClassVar, Literal

from pydantic import Field

from pytest_grounding._io.jsonio import canonical_document, canonical_json
from pytest_grounding._io.wording import measured
from pytest_grounding.model.base import Model, Sparse
from pytest_grounding.model.comparison import Change, Comparison
from pytest_grounding.model.kept_values import KeptVerdicts, VerdictHead
from pytest_grounding.model.verdict import STATUS_RANK, Verdict

Decision = Literal["pass", "fail", "undecided", "off"]
Outcome = Literal["pass", "fail", "nothing", "off"]
_INDENT, _CLOSING = "    ", "\n  "  # before the lines of a verdict in a report, and behind the last one
#: Fields of `RunFacts` that are sets of words.
_SETS = "narrowed interrupted promised failed expected waivers_unused waivers_expired slow".split()


class Summary(Sparse):
    """The figures over all verdicts that count.

    Shares are in [0, 1]; None: there was nothing to measure. Rates are sums over the claims, citations or
    answers of the suite, not means of means.

    Attributes:
        expected_failures: transcripts that are expected to fail; they count in no other figure.
        confident_share: share of the answers whose confidence reaches ``suite_confidence``.
        skipped: transcripts with a check switched off and no other problem, which neither
            passed nor are to review.
        answers_asked_for_confidence: the total of the two shares of answers by confidence.
        correction_gain: mean gain in confidence of the corrected answers, in [-1, 1].
        confidence_difference: mean of the reported less the computed confidence, in [-1, 1].
        answers_over_confident: answers that report more than the limit allows.
        most_cited: the sources that valid citations lead to most often, with their numbers, the first first.
        reciprocal_rank: mean of 1 / rank of the first one retrieved (MRR), in [0, 1].
    """

    left_out: ClassVar[tuple[str, ...]] = (
        *("claims_judged", "judge_overruled", "facts_expected", "facts_stated"),
        *("sources_expected", "sources_found", "answers_with_sources", "answers_hit", "reciprocal_rank"),
    )

    transcripts: int
    passed: int
    review: int
    rejected: int
    declined: int
    expected_failures: int
    answers_without_confidence: int
    citation_accuracy: float | None
    ungrounded_answers: float | None
    hallucination_rate: float | None
    confident_share: float | None
    with_confidence: float | None
    citations: int
    citations_valid: int
    answers_without_citation: int
    claims_scored: int
    claims_hallucinated: int
    claims_abstained: int
    not_checked: Mapping[str, int]
    switched_off: Mapping[str, int]
    waived: int = 0
    skipped: int = 0
    answers_asked_for_confidence: int = 0
    corrected: int = 0
    corrected_gained: int = 0
    correction_gain: float | None = None
    questions_in_parts: int = 0
    answers_complete: int = 0
    completeness: float | None = None
    abstention: Mapping[str, int] = Field(default_factory=dict)
    answers_reporting: int = 0
    answers_with_both: int = 0
    answers_compared: int = 0
    confidence_difference: float | None = None
    answers_over_confident: int = 0
    over_confident: float | None = None
    missing_named: int = 0
    claims_judged: int = 0
    judge_overruled: int = 0
    facts_expected: int = 0
    facts_stated: int = 0
    sources_expected: int = 0
    sources_found: int = 0
    answers_with_sources: int = 0
    answers_hit: int = 0
    reciprocal_rank: float | None = None
    most_cited: tuple[tuple[str, int], ...] = ()


class Problem(Model):
    """Something that could not be read as a transcript."""

    place: str
    message: str


class RecordedJudgements(Model):
    """The judgements of one remote model used by a run."""

    scorer: str
    model: str
    oldest: str
    youngest: str

    @classmethod
    def of(cls, uses: Iterable[tuple[str, str, str]]) -> tuple[RecordedJudgements, ...]:
        """One value per scorer and model, from the scorer, model and day of each judgement."""
        days: dict[tuple[str, str], list[str]] = {}
        for scorer, model, day in uses:
            days.setdefault((scorer, model), []).append(day)
        return tuple(
            cls(scorer=scorer, model=model, oldest=min(found), youngest=max(found))
            for (scorer, model), found in sorted(days.items())
        )


class RunFacts(Model):
    """Facts of a run besides its verdicts. Every field is a set or a mapping, in sorted order.

    Attributes:
        narrowed: why the run is partial, in words; empty for a complete run.
        interrupted: why the run did not finish, in words: it was stopped, or a worker died.
        whole: the run finished and saw everything; false with ``narrowed`` or ``interrupted``.
        promised: what requires transcripts, in words.
        expected: ids of the transcripts that are expected to fail; they count in no figure.
        left_out: ids of the transcripts excluded from all figures by xfail or skip, with the reason.
        missing: ids of collected transcripts that were not validated, with the reason.
        goldens: ids of the transcripts that fail against their goldens, with the changes.
    """

    narrowed: tuple[str, ...] = ()
    interrupted: tuple[str, ...] = ()
    whole: bool = True
    promised: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    failed: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    left_out: Mapping[str, str] = Field(default_factory=dict)
    missing: Mapping[str, str] = Field(default_factory=dict)
    judgements: tuple[RecordedJudgements, ...] = ()
    waivers_unused: tuple[str, ...] = ()
    waivers_expired: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()
    goldens: Mapping[str, tuple[Change, ...]] = Field(default_factory=dict)


class Threshold(Model):
    """One figure of the suite and its limit.

    Attributes:
        name: name of the figure, as in `Summary`.
        low: lower end of its 95 % Wilson interval, or None.
        outcome: pass, fail, nothing (there was nothing to measure) or off.
        known: how many bad ones are excluded from ``count`` and ``total``, because they are in the baseline.
    """

    name: str
    label: str
    value: float | None
    comparison: Literal[">=", ">", "<=", "<"]
    limit: float
    count: int
    total: int
    low: float | None
    high: float | None
    outcome: Outcome
    known: int = 0


class Gate(Model):
    """The decision on a run.

    Attributes:
        status: fail if a transcript or the suite failed; else the suite's decision.
        suite: the decision on the thresholds and the completeness of the suite alone.
    """

    status: Decision
    suite: Decision
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    failed: tuple[str, ...] = ()
    baseline: Comparison | None = None


class RunReport(Model):
    """The verdicts of a run, its figures and its decision.

    Attributes:
        transcripts: the verdicts; those of a long run are read from a file one by one (`KeptVerdicts`).
        summary: the figures over the verdicts that count, or None until ``suite_figures.decide`` sets it.
    """

    schema_version: Literal[1] = 1
    transcripts: tuple[Verdict, ...] = ()
    run: RunFacts = RunFacts()
    summary: Summary | None = None
    gate: Gate | None = None

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], run: RunFacts | None = None) -> RunReport:
        """A report that is not decided yet.

        A transcript counts once: of several verdicts on the same content, the worst one.
        """
        listed: Sequence[Verdict] = verdicts if isinstance(verdicts, KeptVerdicts) else tuple(verdicts)
        kept: dict[tuple[str, str], int] = {}
        for place, head in enumerate(_heads_of(listed)):
            other = kept.setdefault((head.id, head.transcript_hash), place)
            if other != place and badness(listed[place]) < badness(listed[other]):
                kept[head.id, head.transcript_hash] = place
        places = [kept[key] for key in sorted(kept)]
        facts = _tidy(run or RunFacts(), {identifier for identifier, _ in kept})
        chosen = isinstance(listed, KeptVerdicts) and listed.chosen(places)
        return cls.built(transcripts=chosen or tuple(listed[place] for place in places), run=facts)

    def merge(self, *others: RunReport) -> RunReport:
        """Merge this report and others into one that is not decided yet: verdicts and facts are united."""
        reports = (self, *others)
        runs = [report.run for report in reports]
        listed = {}
        for name in (*_SETS, "problems", "judgements"):
            listed[name] = tuple(chain.from_iterable(getattr(run, name) for run in runs))
        united = RunFacts(
            **listed,
            whole=all(run.whole for run in runs),
            left_out=_united(run.left_out for run in runs),
            missing=_united(run.missing for run in runs),
            goldens=dict(sorted(chain.from_iterable(run.goldens.items() for run in runs), key=str)),
        )
        return RunReport.of((verdict for report in reports for verdict in report.transcripts), united)

    @property
    def heads(self) -> Sequence[VerdictHead]:
        """What is often asked of the verdicts, in their order, without reading those of a long run."""
        return _heads_of(self.transcripts)

    @property
    def comparison(self) -> Comparison | None:
        """How the run compares with its baseline; None without one."""
        return None if self.gate is None else self.gate.baseline

    @property
    def thresholds(self) -> tuple[Threshold, ...]:
        """The figures of the suite with their limits; none before the run is decided."""
        return () if self.gate is None else self.gate.thresholds

    @property
    def failed_statuses(self) -> dict[str, int]:
        """Transcripts that failed on their own, by the status of their worst verdict; "" without one.

        ``fail_on``, a golden or an assertion decides which verdict fails a test, so that the summary differs.
        """
        worst: dict[str, str] = {}
        for head in sorted(self.heads, key=lambda item: -STATUS_RANK[item.status]):
            worst[head.id] = head.status
        return dict(Counter(worst.get(identifier, "") for identifier in self.run.failed))

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON data; NaN and infinity become null."""
        verdicts = [verdict.model_dump(mode="json") for verdict in self.transcripts]
        plain: dict[str, Any] = finite(self._without_verdicts.model_dump(mode="json"))
        return plain | {"transcripts": finite(verdicts)}

    def to_json(self) -> str:
        """The report as a canonical document: equal input gives equal bytes."""
        return "".join(self.json_pieces())

    def json_pieces(self) -> Iterator[str]:
        """The same piece by piece, so that no more than one verdict is in memory."""
        start, _, end = _document_of_model(self._without_verdicts).rpartition("[]")
        yield f"{start}["
        between = "\n"
        for verdict in self.transcripts:
            text = _document_of_model(verdict).rstrip("\n")
            yield between + indent(text, _INDENT)
            between = ",\n"
        yield f"{_CLOSING}]{end}" if self.transcripts else f"]{end}"

    @property
    def _without_verdicts(self) -> RunReport:
        return self.model_copy(update={"transcripts": ()})


def _heads_of(verdicts: Sequence[Verdict]) -> Sequence[VerdictHead]:
    return verdicts.heads if isinstance(verdicts, KeptVerdicts) else list(map(VerdictHead.of, verdicts))


def _document_of_model(value: Model) -> str:
    plain = value.model_dump(mode="json")
    try:
        return canonical_document(plain)
    except ValueError:  # rare: it contains a NaN
        return canonical_document(finite(plain))


def badness(verdict: Verdict) -> tuple[int, float, str]:
    """Sorts the worst verdict first; a confidence that is not a number is the worst of its status."""
    known = measured(verdict.confidence)
    text = canonical_json(finite(verdict.as_dict()))
    return STATUS_RANK[verdict.status], -1.0 if known is None else known, text


def _united(mappings: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """All keys with their reasons; of several reasons the first in order."""
    united: dict[str, str] = {}
    for mapping in mappings:
        for identifier, reason in mapping.items():
            united[identifier] = min(reason, united.get(identifier, reason))
    return united


def _tidy(run: RunFacts, present: set[str]) -> RunFacts:
    problems = {(item.place, item.message): item for item in run.problems}
    known = present | set(run.expected)
    sets = {name: tuple(sorted(set(getattr(run, name)))) for name in _SETS}
    return RunFacts(
        **sets,
        whole=run.whole and not (run.narrowed or run.interrupted),
        problems=tuple(problems[key] for key in sorted(problems)),
        goldens={key: run.goldens[key] for key in sorted(run.goldens)},
        left_out={key: run.left_out[key] for key in sorted(run.left_out) if key not in present},
        missing={key: run.missing[key] for key in sorted(run.missing) if key not in known},
        judgements=RecordedJudgements.of(
            (item.scorer, item.model, day) for item in run.judgements for day in (item.oldest, item.youngest)
        ),
    )


def finite(value: Any, instead: str | None = None) -> Any:
    """The same JSON value with something else in place of NaN and the infinities."""
    if isinstance(value, float):
        return value if math.isfinite(value) else instead
    if isinstance(value, dict):
        return {key: finite(item, instead) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item, instead) for item in value]
    return value


class Shard(Model):
    """The part of a suite that one job ran, or several such parts merged."""

    schema_version: Literal[1] = 1
    engine_version: str
    settings_hash: str
    settings: Mapping[str, Any]
    parts: Mapping[str, str]
    tests: tuple[str, ...]
    deselected: tuple[str, ...] = ()
    ran: tuple[str, ...] = ()
    report: RunReport
