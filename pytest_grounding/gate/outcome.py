"""Whether a transcript fails on its own, and whether it counts in the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_grounding.model.transcript import EXPECTED_STATUS, Transcript
from pytest_grounding.model.verdict import Status, Verdict
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.suite.known_findings import KnownFindings

#: ``fail_on`` -> the statuses that fail.
_FAILING: dict[str, frozenset[Status]] = {
    "reject": frozenset({"reject"}),
    "review": frozenset({"reject", "review"}),
}


class Outcome(NamedTuple):
    """The outcome of one transcript."""

    verdict: Verdict
    transcript: Transcript | None = None
    wanted: Status | None = None
    failure: Literal["", "known", "failed"] = ""
    elapsed_ms: float | None = None

    @property
    def is_failed(self) -> bool:
        """It fails, for other reasons than known findings of the baseline."""
        return self.failure == "failed"

    @property
    def is_expected(self) -> bool:
        """It is bad as its author expects, so it counts in no figure."""
        return self.wanted == self.verdict.status != "pass" and not self.verdict.skipped


def failing_statuses(settings: Settings) -> frozenset[Status]:
    """The statuses that fail on their own, per ``fail_on``."""
    return _FAILING[settings.fail_on]


def fails(verdict: Verdict, settings: Settings) -> bool:
    """Whether a transcript fails on its own, whatever its author expects."""
    return not verdict.skipped and verdict.status in failing_statuses(settings)


def wanted_status(transcript: Transcript) -> Status | None:
    """The status expected by the author of a transcript: its metadata's ``expected_status``, or None."""
    wanted = transcript.metadata.get(EXPECTED_STATUS)
    return wanted if wanted in ("pass", "review", "reject") else None


def outcome_of(
    verdict: Verdict,
    settings: Settings,
    *,
    transcript: Transcript | None = None,
    wanted: Status | None = None,
    known: KnownFindings | None = None,
    elapsed_ms: float | None = None,
) -> Outcome:
    """The outcome of a transcript with this verdict."""
    wanted = wanted if transcript is None else wanted_status(transcript)
    failure: Literal["", "known", "failed"] = ""
    is_wrong = fails(verdict, settings) if wanted is None else verdict.status != wanted
    if is_wrong and not verdict.skipped:
        # If another verdict was expected, no known finding of the baseline excuses this one.
        is_known = wanted in (None, "pass") and known is not None and known.excuses(verdict)
        failure = "known" if is_known else "failed"
    return Outcome(verdict, transcript, wanted, failure, elapsed_ms)
