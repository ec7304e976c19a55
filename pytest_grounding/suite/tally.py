"""Counts of a suite: totals over verdicts, waivers, and what the pipelines report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import counted, counted_list, if_known, measured, one_line
from pytest_grounding.gate.waivers import Waiver, Waivers
from pytest_grounding.model.baseline_values import is_overruled
from pytest_grounding.model.finding import SCORED
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

_FIGURES = rows_beside(__file__, "figures.tsv")
#: Labels of the suite's figures; a limit is filled in.
LABELS = {name: label for name, _, _, label in _FIGURES}
#: The shares among them: the counts whose quotient each is.
SHARES = {name: (part, whole) for name, part, whole, _ in _FIGURES if part}
_STATUSES = {
    "reject": "rejected",
    "review": "to review",
    "pass": "passed by the gate",
    "": "without a verdict",
}
WAIVERS_SHOWN = 3
_SHOWN = 60
#: Marks the text of a waiver from a pytest mark, which is in code and not in a file.
_OF_MARK = ": the mark grounding_waive "
#: Differences are summed in whole units of 1e-12, so that their order does not matter.
PICO = 1_000_000_000_000
#: How many of the most cited sources are named, and the metadata that names a source, the best first.
_MOST_CITED = 5
_NAMES_OF_A_SOURCE = ("document", "title", "path", "url")
_WARNS = "judge_warns"  # rule of the warnings of a judge that does not affect decisions
_UNRECORDED = "judge_unrecorded"  # rule of the note that a judge was not asked about supported claims


def status_words(statuses: Mapping[str, int]) -> str:
    """How many transcripts have each status: "15 rejected, 1 to review"; "" without any."""
    return ", ".join(f"{statuses[name]} {word}" for name, word in _STATUSES.items() if statuses.get(name))


def by_policy(policy: str, text: str, reasons: list[str], notes: list[str]) -> None:
    """Add a text to the reasons (``fail``) or the notes (``warn``), or drop it."""
    if text and policy in ("fail", "warn"):
        (reasons if policy == "fail" else notes).append(text)


def confidence_counts(counts: Mapping[str, int]) -> tuple[int, int]:
    """How many answers have a confidence, and of how many; 0 of 0 without any to count."""
    asked, without = counts["answers_asked_for_confidence"], counts["answers_without_confidence"]
    if counts["answers_reporting"]:
        # An answer that could not be scored, if the policy allows that, may still report a confidence.
        both = counts["answers_with_both"]
        return both, max(asked, both)
    return (asked - without, asked) if without else (0, 0)


def said_of(verdict: Verdict) -> Iterator[str]:
    """What is waived in one verdict, and why."""
    for finding in verdict.causes:
        if finding.waived is not None:
            by = if_known(", {}", one_line(finding.waived.by, _SHOWN))
            reason = one_line(finding.waived.reason, _SHOWN)
            yield f"{one_line(verdict.id, _SHOWN)} {finding.rule} ({reason}{by})"
    if verdict.waived is not None:
        yield f"{one_line(verdict.id, _SHOWN)} confidence ({one_line(verdict.waived.reason, _SHOWN)})"


def idle_in_words(report: RunReport) -> str:
    """A message on unused or expired waivers of a whole run; "" without any."""
    unused, expired = report.run.waivers_unused, report.run.waivers_expired
    parts = [counted_list("unused waiver", unused, most=WAIVERS_SHOWN)]
    parts.append(counted_list("expired waiver", expired, most=WAIVERS_SHOWN))
    of_marks = {_OF_MARK in name for name in (*unused, *expired)}
    if False in of_marks:
        parts.append("take them out with: pytest-grounding waive --prune")
    if True in of_marks:
        parts.append("remove the mark from the test")
    return "; ".join(filter(None, parts))


class IdleWaivers:
    """Finds the waivers that excuse nothing in the verdicts of a run."""

    def __init__(self, known: Waivers) -> None:
        self._known = known
        self._names = {item.transcript for item in known.all}
        self._used: set[tuple[str, ...]] = set()
        self._seen: set[str] = set()

    def add(self, verdict: Verdict) -> None:
        """Add a verdict, including those that no figure counts."""
        if verdict.id in self._names:
            self._seen.add(verdict.id)
        if verdict.waived_number:
            self._used |= used_by(verdict, self._known)

    def unused_and_expired(self, *, is_whole: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The unused and the expired waivers, in words."""
        told = [item for item in self._known.all if is_whole or item.transcript in self._seen]
        return idle_of(told, self._used, self._known.today)


def idle_of(
    held: Iterable[Waiver], used: Collection[tuple[str, ...]], today: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The unused and the expired ones of some waivers, in words."""
    told = list(held)
    expired = [shown_waiver(item, today=today) for item in told if item.is_expired(today)]
    unused = [shown_waiver(item) for item in told if item.key not in used and not item.is_expired(today)]
    return tuple(sorted(unused)), tuple(sorted(expired))


def used_by(verdict: Verdict, known: Waivers) -> set[tuple[str, ...]]:
    """Keys of the waivers that excuse a finding of a verdict."""
    found = (known.find(item, verdict) for item in verdict.causes if item.waived is not None)
    keys: set[tuple[str, ...]] = {item.key for item in found if item is not None}
    if verdict.waived is not None and (low := known.of_confidence(verdict)) is not None:
        keys.add(low.key)
    return keys


def shown_mark(waiver: Waiver, place: str) -> str:
    """A waiver from a pytest mark in a few words: its test, rule and claim."""
    return f'{place}{_OF_MARK}{waiver.rule} "{one_line(waiver.claim, _SHOWN)}"'


def shown_waiver(waiver: Waiver, *, today: str = "") -> str:
    """A waiver in a few words: its transcript, rule and claim; and since when it is expired."""
    where = one_line(waiver.transcript, _SHOWN) or "anywhere"
    on = if_known(' "{}"', one_line(waiver.claim, _SHOWN))
    expired = f" since {waiver.expires}" if today and waiver.is_expired(today) else ""
    return f"{where} {waiver.rule}{on}{expired}"


class Counting:
    """Collects the transcripts of a run one by one."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.failed: list[str] = []
        self.expected: list[str] = []
        self.times: list[float] = []

    def unreadable(self, place: str, message: str) -> None:
        """Add a row that could not be read."""
        self.problems.append(Problem(place=place, message=message))

    def take(self, identifier: str, *, failed: bool, expected: bool, elapsed_ms: float | None = None) -> bool:
        """Add a transcript; return whether its verdict counts for the figures."""
        if elapsed_ms is not None:
            self.times.append(elapsed_ms)
        if failed:
            self.failed.append(identifier)
        if expected:
            self.expected.append(identifier)
        return not expected

    def facts(self, settings: Settings) -> RunFacts:
        """The facts collected."""
        limit, mean = settings.suite_max_milliseconds, sum(self.times) / max(1, len(self.times))
        slow: tuple[str, ...] = ()
        if limit and mean > limit:
            times = counted(len(self.times), "validation")
            slow = (f"{mean:.1f} ms a validation ({times}), must be <= {limit:g} (suite_max_milliseconds)",)
        return RunFacts(
            problems=tuple(self.problems), failed=tuple(self.failed), expected=tuple(self.expected), slow=slow
        )


def is_asked(verdict: Verdict, settings: Settings) -> bool:
    """Whether an answer must have a confidence."""
    if verdict.switched_off:
        return False
    is_let_pass = settings.abstained != "fail" and not verdict.scored and verdict.status != "reject"
    return not (verdict.confidence is None and is_let_pass)


class Tally:
    """Sums over verdicts, and the messages of the first verdicts that need to be reported."""

    def __init__(self, verdicts: Iterable[Verdict], settings: Settings) -> None:
        self.counts: Counter[str] = Counter()
        self.cited: Counter[str] = Counter()
        self.fallbacks: list[tuple[str, str]] = []
        self.waived: list[str] = []
        self.judge_warned = ""
        for verdict in verdicts:
            self._add(verdict, settings)

    def _add(self, verdict: Verdict, settings: Settings) -> None:
        for name, number in _counts_of(verdict, settings):
            self.counts[name] += number
        self.cited.update(cited_sources(verdict))
        if verdict.fallbacks:
            self.fallbacks.append((verdict.id, str(verdict.fallbacks[0])))
        self.waived += said_of(verdict)
        warnings = (item.message for item in verdict.findings if item.rule == _WARNS and item.claim is None)
        self.judge_warned = self.judge_warned or next(warnings, "")

    def most_cited(self) -> tuple[tuple[str, int], ...]:
        """The sources that are cited most often, the most often cited first."""
        return tuple(sorted(self.cited.items(), key=lambda item: (-item[1], item[0]))[:_MOST_CITED])

    def with_prefix(self, prefix: str) -> dict[str, int]:
        """The counts whose names start with a prefix and a dot, by the rest of their names, sorted."""
        start = f"{prefix}."
        found = sorted(name for name, number in self.counts.items() if number and name.startswith(start))
        return {name.removeprefix(start): self.counts[name] for name in found}


def _counts_of(verdict: Verdict, settings: Settings) -> Iterator[tuple[str, int]]:
    yield "transcripts", 1
    yield f"status.{verdict.status}", 1
    yield "skipped", int(verdict.skipped)
    yield "declined", int(verdict.declined)
    yield from _citations(verdict)
    yield from _claim_counts(verdict)
    yield from _counts_of_confidence(verdict, settings)
    yield f"abstention.{verdict.abstention}", 1
    if verdict.completeness is not None and not is_overruled(verdict):
        yield "questions_in_parts", 1
        yield "answers_complete", int(verdict.completeness.complete)
    if (expected := verdict.expectations) is not None:
        yield "facts_expected", len(expected.facts)
        yield "facts_stated", sum(expected.facts)
        yield "sources_expected", len(expected.ranks)
        yield "sources_found", sum(rank is not None for rank in expected.ranks)
        yield "answers_with_sources", int(bool(expected.ranks))
        yield "answers_hit", int(any(rank is not None for rank in expected.ranks))
        yield "reciprocal_rank", round(expected.reciprocal_rank * PICO)
    gain = verdict.confidence_gain if len(verdict.attempts) > 1 else None
    if gain is not None and math.isfinite(gain):
        yield "corrected", 1
        yield "corrected_gained", int(gain > 0)
        yield "correction_gain", round(gain * PICO)
    for name, number in verdict.not_checked.items():
        yield f"not_checked.{name}", number
    for name in verdict.switched_off:
        yield f"switched_off.{name}", 1
    yield "waived", verdict.waived_number
    unasked = [finding for finding in verdict.findings if finding.rule == _UNRECORDED]
    yield "unrecorded", int(bool(unasked))
    yield "unrecorded_claims", sum(int(finding.details["claims"]) for finding in unasked)
    warned = [finding for finding in verdict.findings if finding.rule == _WARNS]
    yield "judge_warned", int(bool(warned))
    yield "judge_warned_claims", sum(finding.claim is not None for finding in warned)


def _citations(verdict: Verdict) -> Iterator[tuple[str, int]]:
    counting = [item for item in verdict.citations if item.counts]
    is_looked_at = "validation" not in verdict.switched_off
    yield "citations", len(counting)
    yield "citations_valid", sum(item.valid for item in counting)
    yield "looked_at", int(is_looked_at)
    has_to_cite = is_looked_at and any(claim.checked for claim in verdict.claims)
    yield "answers_without_citation", int(has_to_cite and not counting)
    # An answer with a citation that failed an error rule.
    yield "ungrounded", int(any(not item.valid for item in verdict.citations))


def cited_sources(verdict: Verdict) -> Iterator[str]:
    """The source of each valid citation: its document, title, path or address if known, else its chunk."""
    known: dict[str, str] = {}
    for claim in verdict.claims:
        for source in claim.sources:
            named = map(source.metadata.get, _NAMES_OF_A_SOURCE)
            known[source.chunk_id] = next((str(name) for name in named if name), source.chunk_id)
    for citation in verdict.citations:
        if citation.counts and citation.valid:
            for chunk_id in citation.chunk_ids or filter(None, (citation.chunk_id or citation.path,)):
                yield one_line(known.get(chunk_id, chunk_id), _SHOWN)


def _claim_counts(verdict: Verdict) -> Iterator[tuple[str, int]]:
    counting = [claim for claim in verdict.claims if claim.checked and claim.waived is None]
    yield "claims_abstained", sum(claim.status == "abstained" for claim in counting)
    yield "claims_scored", sum(claim.status in SCORED for claim in counting)
    yield "claims_hallucinated", len(verdict.hallucinated)
    ruled = [claim.opinions for claim in counting if claim.opinions is not None and claim.opinions.has_ruled]
    yield "claims_judged", len(ruled)
    yield "judge_overruled", sum(opinions.differ for opinions in ruled)


def _counts_of_confidence(verdict: Verdict, settings: Settings) -> Iterator[tuple[str, int]]:
    known = measured(verdict.confidence)
    if is_asked(verdict, settings):
        is_enough = known is not None and known >= settings.suite_confidence
        yield "answers_asked_for_confidence", 1
        yield "asked_confident", int(is_enough or verdict.waived is not None)
        yield "answers_without_confidence", int(known is None)
    if verdict.switched_off:
        return
    yield "answers_reporting", int(verdict.reported_confidence is not None)
    yield "missing_named", int(bool(verdict.reported_missing))
    reported = measured(verdict.reported_confidence)
    if known is not None and reported is not None:
        yield "answers_with_both", 1
        yield "answers_over_confident", int(verdict.is_over_confident)
        if not verdict.declined:
            yield "answers_compared", 1
            yield "difference", round((reported - known) * PICO)
