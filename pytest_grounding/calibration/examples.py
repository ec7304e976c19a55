"""From labelled answers to what the engine's small models see of their claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.calibration.labels import Label, status_at
from pytest_grounding.engine.road import extract_and_score
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.base import ClaimText, SupportScore
from pytest_grounding.scorers.lexical.conflicts.verifier import Verifier, shipped_verifier
from pytest_grounding.scorers.lexical.scorer import Given, LexicalScorer, worst_of
from pytest_grounding.settings import Settings

#: Kind and features of a candidate for a conflict.
Candidate = tuple[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled claim.

    Attributes:
        answer: number of its label.
        group: group of its label.
        status: what people said: supported, unsupported or contradicted.
        features: what the model of support sees; () where it has no say, as of a verbatim claim.
        conflict: log odds of the worst conflict, at least 0.
        candidates: what the finders of conflicts propose.
    """

    answer: int
    group: str
    status: str
    features: tuple[float, ...]
    conflict: float
    candidates: tuple[Candidate, ...]

    @property
    def is_supported(self) -> bool:
        """Whether people found the claim supported."""
        return self.status == "supported"


class _Noting(LexicalScorer):
    """The engine as it ships, which keeps what its models are shown of each claim."""

    def __init__(self) -> None:
        self.features: dict[ClaimText, tuple[float, ...]] = {}
        self.conflicts: dict[ClaimText, float] = {}
        self.candidates: dict[ClaimText, list[Candidate]] = {}
        self._now = ClaimText("")
        super().__init__(None, _listening(self))

    def note(self, kind: str, features: Sequence[float]) -> None:
        self.candidates.setdefault(self._now, []).append((kind, tuple(features)))

    def _support(self, claim: ClaimText, given: Given) -> SupportScore:
        self._now = claim
        return super()._support(claim, given)

    def _probability(self, features: Sequence[float], conflicts: Sequence[Conflict]) -> float:
        self.features[self._now] = tuple(features)
        self.conflicts[self._now] = worst_of(conflicts)
        return super()._probability(features, conflicts)


def _listening(scorer: _Noting) -> Verifier:
    """The verifier that ships; it tells the scorer of each candidate that it is asked about."""

    class Listening(Verifier):
        def log_odds(self, kind: str, features: Sequence[float]) -> float:
            scorer.note(kind, features)
            return super().log_odds(kind, features)

    held = shipped_verifier()
    return Listening(held.lines, held.contradicted, held.possible)


def examples_of(labels: Sequence[Label], settings: Settings) -> list[Example]:
    """The labelled claims of all answers, in their order; those in other languages than English are left out.

    Args:
        labels: what people said.
        settings: the settings in force; what the engine was tuned by does not matter.
    """
    found: list[Example] = []
    for number, label in enumerate(labels):
        if label.transcript is not None and (label.correct or label.claims):
            found.extend(_of_answer(number, label, label.transcript, settings))
    return found


def _of_answer(number: int, label: Label, transcript: Transcript, settings: Settings) -> list[Example]:
    scorer = _Noting()
    context, _ = extract_and_score(transcript, settings, [scorer])
    found = []
    for claim, score in zip(context.claims, context.supports, strict=True):
        status = status_at(label, claim.start, claim.end) if score is not None else None
        if score is None or status is None or not score.calibrated:
            continue
        key = ClaimText(claim.bare, claim.context)
        found.append(
            Example(
                answer=number,
                group=label.group,
                status=status,
                features=scorer.features.get(key, ()),
                conflict=scorer.conflicts.get(key, 0.0),
                candidates=tuple(scorer.candidates.get(key, ())),
            )
        )
    return found
