"""A run compared with its baseline: which transcripts changed, and how certain the difference is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from pytest_grounding._io.wording import if_known
from pytest_grounding.model.base import Model, Sparse
from pytest_grounding.model.finding import Severity
from pytest_grounding.model.verdict import Status

Grade = Literal["regression", "reworded", "improvement", "neutral"]
ComparisonOutcome = Literal["pass", "fail", "inconclusive", "undecided"]
FigureOutcome = Literal["same", "better", "worse", "inconclusive", "lost", "nothing"]


class TranscriptChange(Model):
    """One transcript that differs from the baseline.

    Attributes:
        after: its status in this run; the same word if only its figures changed.
        why: what changed: the finding that flipped it, or the figure that fell.
    """

    id: str
    before: Status
    after: Status
    is_worse: bool
    why: str
    source: str | None = None
    line: int | None = None


class FigureChange(Model):
    """One figure of the suite before and after, over the transcripts of both sides.

    If a question was recorded several times, the figure is the mean over the questions of the mean
    over their repeats. All are in [0, 1]; None: there was nothing to measure.

    Attributes:
        drop: how much it got worse; negative if it got better.
        low: lower end of the 95 % bootstrap interval of ``drop``.
        p_value: probability of a drop of this size by chance alone, in (0, 1]: a one-sided permutation test.
        worse: pairs that got worse, of those compared.
        better: pairs that got better.
        pairs: questions on both sides.
    """

    name: str
    label: str
    before: float | None
    after: float | None
    drop: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    worse: int = 0
    better: int = 0
    pairs: int = 0
    outcome: FigureOutcome = "nothing"


class HeldFinding(Model):
    """A finding that holds a transcript back, on one side of a ratchet.

    Attributes:
        rule: its rule, or ``low_confidence``.
        words: the words of the claim or citation, shortened.
        message: the problem; "" for a finding that is gone.
        hash: identifies its subject, as 16 hexadecimal digits.
    """

    transcript: str
    rule: str
    severity: Severity
    words: str = ""
    message: str = ""
    hash: str = ""

    @property
    def said(self) -> str:
        """The transcript and what is wrong with it, in one sentence."""
        return f"{self.transcript}: {self.severity} {self.rule}" + if_known(' "{}"', self.words)


class Change(Model):
    """One difference in meaning between an accepted and a new recording."""

    about: str
    rule: str
    grade: Grade
    message: str
    old: str = ""
    new: str = ""
    old_claim: int | None = None
    new_claim: int | None = None
    details: tuple[str, ...] = ()
    source: str = ""  # the chunk and the sentence that the claim rests on or contradicts


class Ratchet(Model):
    """The findings of a run compared with those of its baseline (``baseline_gate = new``).

    Attributes:
        known: findings of this run that are in the baseline.
        new: those that are not.
        gone: the baseline's findings on transcripts of this run that the run no longer has.
    """

    line: str
    known: int
    new: tuple[HeldFinding, ...] = ()
    gone: tuple[HeldFinding, ...] = ()


class Comparison(Sparse):
    """A run compared with a baseline.

    Attributes:
        outcome: pass, fail, inconclusive (worse, but possibly by chance), or undecided (a partial run).
        policy: the policy that decided: any, ``tolerance=x`` or ``significant=alpha``.
        drift: what else changed between baseline and run: engine or settings.
        pairs: transcripts on both sides.
        flipped: transcripts whose status changed, worse ones first.
        moved: transcripts with the same status and other figures, worse ones first.
        added: ids that the baseline lacks.
        changed: ids whose content differs from the baseline.
        replaced: for each id that does not pass, the sentences of the baseline's answer that are gone.
        vanished: ids of the baseline without a verdict in this run, with the reason.
        unscored: ids that were scored in the baseline and are no longer.
    """

    left_out: ClassVar[tuple[str, ...]] = ("more",)

    outcome: ComparisonOutcome
    policy: str
    drift: tuple[str, ...] = ()
    refresh: str = ""
    pairs: int = 0
    flipped: tuple[TranscriptChange, ...] = ()
    moved: tuple[TranscriptChange, ...] = ()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    replaced: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    vanished: Mapping[str, str] = Field(default_factory=dict)
    unscored: tuple[str, ...] = ()
    figures: tuple[FigureChange, ...] = ()
    ratchet: Ratchet | None = None
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
