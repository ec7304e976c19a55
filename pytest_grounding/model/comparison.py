"""A run held against its baseline: which transcripts changed, and how sure the difference is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from pytest_grounding.model._base import Model, Sparse
from pytest_grounding.model.finding import Severity
from pytest_grounding.model.verdict import Status

ComparisonOutcome = Literal["pass", "fail", "inconclusive", "undecided"]
FigureOutcome = Literal["same", "better", "worse", "inconclusive", "lost", "nothing"]


class Difference(Model):
    """One transcript that stands otherwise than in the baseline.

    Attributes:
        after: its status in this run; the same word where only its figures moved.
        why: what moved: the finding that made it flip, or the figure that fell.
    """

    id: str
    before: Status
    after: Status
    is_worse: bool
    why: str
    source: str | None = None
    line: int | None = None


class FigureChange(Model):
    """One figure of the suite before and after, over the transcripts that both sides hold.

    Where a question was recorded several times, the figure is the mean over the questions of the mean
    over their repeats. All are in [0, 1]; None: there was nothing to measure.

    Attributes:
        drop: by how much it got worse; below 0 where it got better.
        low: lower end of the 95 % bootstrap interval of ``drop``.
        p_value: how probable a drop of this size is by chance alone (one-sided), in (0, 1].
        test: how ``p_value`` was computed: mcnemar or bootstrap; "" where there was nothing to test.
        worse: pairs that got worse, of those that were compared.
        better: pairs that got better.
        pairs: questions that both sides hold.
        outcome: what the policy makes of it.
    """

    name: str
    label: str
    before: float | None
    after: float | None
    drop: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    test: Literal["", "mcnemar", "bootstrap"] = ""
    worse: int = 0
    better: int = 0
    pairs: int = 0
    outcome: FigureOutcome = "nothing"


class HeldFinding(Model):
    """A finding that holds a transcript back, on one side of a ratchet.

    Attributes:
        rule: the rule that found it, or ``low_confidence``.
        words: the words of the claim or citation, shortened.
        message: what is wrong; "" of what is gone.
        hash: what it is about, as 16 hexadecimal digits.
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
        about = f' "{self.words}"' if self.words else ""
        return f"{self.transcript}: {self.severity} {self.rule}{about}"


class Ratchet(Model):
    """The findings of a run against those that its baseline holds (``baseline_gate = new``).

    Attributes:
        known: findings of this run that the baseline holds.
        new: those that it does not hold.
        gone: what the baseline holds of the transcripts of this run, and the run no longer finds.
    """

    line: str
    known: int
    new: tuple[HeldFinding, ...] = ()
    gone: tuple[HeldFinding, ...] = ()


class Comparison(Sparse):
    """A run against a baseline.

    Attributes:
        outcome: pass, fail, inconclusive (worse, but chance could have done that), or undecided (the run
            is not a whole one).
        policy: the policy that decided: any, ``tolerance=x`` or ``significant=alpha``.
        drift: what changed between baseline and run besides the transcripts: engine or settings.
        pairs: transcripts that both sides hold.
        flipped: transcripts whose status changed, the worse ones first.
        moved: transcripts with the same status and other figures, the worse ones first.
        added: ids that the baseline lacks.
        changed: ids whose content is another one than in the baseline.
        vanished: ids of the baseline without a verdict in this run, with the reason.
        unscored: ids that were scored in the baseline and are no longer.
    """

    left_out: ClassVar[tuple[str, ...]] = ("more",)

    outcome: ComparisonOutcome
    policy: str
    drift: tuple[str, ...] = ()
    refresh: str = ""
    pairs: int = 0
    flipped: tuple[Difference, ...] = ()
    moved: tuple[Difference, ...] = ()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    vanished: Mapping[str, str] = Field(default_factory=dict)
    unscored: tuple[str, ...] = ()
    figures: tuple[FigureChange, ...] = ()
    ratchet: Ratchet | None = None
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
