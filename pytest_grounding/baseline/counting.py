"""What a run notes of its transcripts, whoever runs it: what failed, was to fail, or could not be read."""

from __future__ import annotations

from pytest_grounding.gate.outcome import Outcome
from pytest_grounding.model.run import Problem, RunFacts


class Counting:
    """Takes the transcripts of a run one by one."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.failed: list[str] = []
        self.expected: list[str] = []

    def unreadable(self, place: str, message: str) -> None:
        """Take a row that could not be read."""
        self.problems.append(Problem(place=place, message=message))

    def add(self, outcome: Outcome) -> bool:
        """Take a transcript; whether its verdict counts for the figures."""
        return self.take(outcome.verdict.id, failed=outcome.is_failed, expected=outcome.is_expected)

    def take(self, identifier: str, *, failed: bool, expected: bool) -> bool:
        """Take a transcript of which no more is at hand; whether its verdict counts for the figures."""
        if failed:
            self.failed.append(identifier)
        if expected:
            self.expected.append(identifier)
        return not expected

    def facts(self) -> RunFacts:
        """What was noted."""
        return RunFacts(
            problems=tuple(self.problems), failed=tuple(self.failed), expected=tuple(self.expected)
        )
