"""Combine the engine's and the judge's opinion on a claim into its status, with findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pytest_grounding._io.wording import counted
from pytest_grounding.checks.check_context import on_claim
from pytest_grounding.errors import MISS, RECORD_JUDGE, CassetteError, ScorerError
from pytest_grounding.model.base import without_surrogates
from pytest_grounding.model.finding import BACKED, EngineOpinion, Finding, JudgeOpinion, Opinions, finding_of
from pytest_grounding.model.verdict import ClaimStatus, ClaimVerdict, Method, ScorerFailure
from pytest_grounding.scorers.remote.judge.contract import Ruling
from pytest_grounding.settings import Settings

_UNRECORDED = "its answer is not recorded"


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of a judge on the claims it was asked about."""

    judge: str = ""
    model: str = ""  # its model, or ""
    #: Index of a claim -> its ruling, or the reason for none.
    by_claim: Mapping[int, Ruling | ScorerError] = field(default_factory=dict)

    def on(self, index: int, engine: EngineOpinion) -> Opinions:
        """Both opinions on a claim."""
        said = self.by_claim[index]
        judge = JudgeOpinion(
            value=said.value if isinstance(said, Ruling) else None,
            reason=_text_of_ruling(said.reason if isinstance(said, Ruling) else said),
            judge=self.judge,
            model=self.model,
            scores=(said.scores or None) if isinstance(said, Ruling) else None,
        )
        return Opinions(engine=engine, judge=judge)

    def decide(self, opinions: Opinions) -> Decided:
        """The status of a claim from both opinions."""
        engine, judge = opinions.engine, opinions.judge
        if judge.value == "full":
            return Decided("supported", "llm_judge", f"the judge answers: full: {judge.reason}")
        if opinions.has_ruled:
            status: ClaimStatus = "contradicted" if engine.status == "contradicted" else "unsupported"
            return Decided(status, "llm_judge", f"the judge answers: {judge.value}: {judge.reason}")
        if engine.status not in BACKED or _is_only_unrecorded(opinions):
            return Decided(engine.status, engine.method, engine.reason)
        return Decided("abstained", "llm_judge", f"the judge could not decide: {judge.reason}")

    def findings(self, claims: Sequence[ClaimVerdict], settings: Settings) -> list[Finding]:
        """Report overrides and failures of the judge, each once."""
        found: list[Finding] = []
        for claim in claims:
            found += [one for one in _findings_of(claim, self, settings) if one not in found]
        left = sum(claim.opinions is not None and _is_only_unrecorded(claim.opinions) for claim in claims)
        if left:
            said = f"no answer of the judge {self.judge} is recorded on {counted(left, 'supported claim')}"
            found += [finding_of("judge_unrecorded", settings, said, RECORD_JUDGE, details={"claims": left})]
        return found


@dataclass(frozen=True, slots=True)
class Decided:
    """Status, method and reason of a claim."""

    status: ClaimStatus
    method: Method | None
    reason: str


def _findings_of(claim: ClaimVerdict, rulings: Rulings, settings: Settings) -> list[Finding]:
    opinions = claim.opinions
    if opinions is None:
        return []
    if opinions.differ:
        return [on_claim(claim, "judge_overruled", settings, f"the judge overruled the engine: {opinions}")]
    if _is_only_unrecorded(opinions):
        return []
    error = rulings.by_claim.get(claim.index)
    # Else it is reported by the finding on the abstained claim.
    is_kept = claim.status != "abstained" or opinions.engine.status == "abstained"
    return [failed(rulings.judge, error, settings)] if is_kept and isinstance(error, ScorerError) else []


def failed(judge: str, error: ScorerError, settings: Settings) -> Finding:
    """Report that a judge failed, and that the engine's status was kept."""
    said = f"{_text_of_ruling(error)}; {RECORD_JUDGE}" if is_unrecorded(error) else ""
    message = f"the judge could not decide: {_text_of_ruling(error)}"
    advice = RECORD_JUDGE if is_unrecorded(error) else "see why it failed; the built-in value was kept"
    details = {"failure": ScorerFailure.of(judge, error, said).model_dump()}
    return finding_of("judge_failed", settings, message, advice, details=details)


def is_unrecorded(said: object) -> bool:
    """Whether the judge was not asked yet: a replay without an entry in the cassette."""
    return isinstance(said, CassetteError) and MISS in str(said)


def _is_only_unrecorded(opinions: Opinions) -> bool:
    return opinions.engine.status == "supported" and opinions.judge.reason == _UNRECORDED


def _text_of_ruling(said: object) -> str:
    if is_unrecorded(said):
        return _UNRECORDED
    text: str = without_surrogates(str(said))[0]
    return text
