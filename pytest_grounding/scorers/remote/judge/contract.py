"""The protocol of judges and chat models, and measured agreement with people."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pytest_grounding._io.jsonio import write_json
from pytest_grounding.errors import ScorerError, SettingsError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers import ClaimText
from pytest_grounding.settings import Settings

#: ``complete(system, user, schema)`` asks a model for a JSON object of a schema; raises ScorerError if it
#: fails.
Complete = Callable[[str, str, Mapping[str, Any]], Mapping[str, Any]]
#: What a judge may answer with probabilities.
OUTCOMES = ("supported", "contradicted", "not found")
_ROUNDED = 0.02  # by how much the sum of rounded scores may differ from 1
_HINT = "write it with: pytest-grounding calibrate --judge LABELS -o FILE"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A judge's ruling."""

    value: str  # one of the allowed words, such as ``full``, ``partial``, ``none``
    reason: str  # why, in the judge's words
    #: Probabilities of `OUTCOMES`, or their shares of several rulings; {} if the judge gives none.
    scores: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_scores(cls, scores: Any, reason: str = "") -> Ruling:
        """The ruling of a distribution over `OUTCOMES`: ``full`` where more than half is *supported*."""
        is_known = isinstance(scores, Mapping) and set(scores) == set(OUTCOMES)
        values = list(scores.values()) if is_known else []
        are_shares = all(type(value) in (int, float) and 0 <= value <= 1 for value in values)
        if not values or not are_shares or abs(sum(values) - 1) > _ROUNDED:
            raise ScorerError(f"the judge's scores are {scores!r:.200}; they must be shares of {OUTCOMES}")
        shares = {name: scores[name] for name in OUTCOMES}
        return cls("full" if shares["supported"] > 0.5 else "none", reason, shares)


@runtime_checkable
class Judge(Protocol):
    """Decides where a scorer is uncertain. A judge that cannot decide raises `ScorerError`."""

    @property
    def name(self) -> str:
        """Name for the setting ``judge``."""
        ...

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim: ``full``, ``partial`` or ``none``."""
        ...


@runtime_checkable
class BatchJudge(Judge, Protocol):
    """A judge that handles all claims of an answer at once; `Judge` alone is enough."""

    def supports(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Ruling | ScorerError]:
        """ISSUP of each claim in order, or why the judge could not decide."""
        ...


def one_by_one(
    judge: Judge, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
) -> list[Ruling | ScorerError]:
    """ISSUP of each claim by single requests; a failure does not stop the others."""
    found: list[Ruling | ScorerError] = []
    for claim in claims:
        try:
            found.append(judge.support(claim, chunks, question=question))
        except ScorerError as error:
            found.append(error)
    return found


class Identity(NamedTuple):
    """Identifies the judge of a measurement."""

    judge: str
    model: str
    prompt: str

    def __str__(self) -> str:
        return " ".join(part for part in (self.judge, self.model) if part)


def identity_of(judge: Judge) -> Identity:
    """The identity of a judge."""
    return Identity(judge.name, getattr(judge, "model", ""), getattr(judge, "prompt_hash", ""))


def read_measured(path: str) -> dict[Identity, Mapping[str, Any]]:
    """The measurements by judge; {} if the file is missing."""
    if not Path(path).exists():
        return {}
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["measured"]
        found = {Identity(row["judge"], row["model"], row["prompt"]): row for row in rows}
        known = all(row["kappa"] is None or -1 <= row["kappa"] <= 1 for row in found.values())
    except OSError as error:
        raise SettingsError(f"judge_measured = {path!r} cannot be read ({error.strerror}); {_HINT}") from None
    except (ValueError, KeyError, TypeError):
        known, found = False, {}
    if not known:
        raise SettingsError(f"judge_measured = {path!r} contains no agreement of judges; {_HINT}")
    return found


def write_measured(path: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add measurements to the file; others stay."""
    held = dict(read_measured(path))
    held.update({Identity(row["judge"], row["model"], row["prompt"]): row for row in rows})
    write_json(path, {"measured": [held[key] for key in sorted(held)]})


def only_warns(settings: Settings, judge: Judge) -> str:
    """Why a judge only warns and does not decide, in words; "" if it decides."""
    least = settings.judge_min_agreement
    if not least:
        return ""
    who = identity_of(judge)
    found = read_measured(settings.judge_measured).get(who) if settings.judge_measured else None
    if found is None:
        where = f" in {settings.judge_measured}" if settings.judge_measured else " (judge_measured is empty)"
        return f"its agreement with people is not measured{where}, and judge_min_agreement = {least:g}"
    if found["kappa"] is None:
        return f"its labels tell no agreement (kappa), and judge_min_agreement = {least:g}"
    if found["kappa"] < least:
        agreed = f"{found['kappa']:.2f} (kappa)"
        return f"its agreement with people is {agreed}, below judge_min_agreement = {least:g}"
    return ""
