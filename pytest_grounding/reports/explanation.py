"""Explain a verdict in plain words: what decided it, the evidence, what to do, what would make it pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_grounding._io.wording import a_kind, counted, if_known
from pytest_grounding.errors import InputError
from pytest_grounding.model.base import Model
from pytest_grounding.model.finding import BACKED, SCORED, Cause, Evidence, Finding, Severity
from pytest_grounding.model.verdict import ClaimVerdict, Status, Verdict
from pytest_grounding.reports.figure_lines import ADVICE, least_sure, overruled
from pytest_grounding.reports.issues import claim_of, words
from pytest_grounding.reports.terminal import quoted, text_of
from pytest_grounding.rules import RULES
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.settings.mapping import SettingsDict

_EVIDENCE = 2
_SHOWN = 20  # most findings in the text; the value contains all


class Deciding(Model):
    """One finding that keeps an answer from passing."""

    rule: str  # the rule that found it
    title: str  # what the rule checks, in a few words
    severity: Severity  # error: the answer is rejected; warning: the answer needs review
    problem: str  # what is wrong here
    words: str = ""  # the words of the answer concerned, verbatim; "" for the whole answer
    claim: int | None = None  # index of its claim, or None
    citation: int | None = None  # index of its citation, or None
    evidence: tuple[Evidence, ...] = ()  # sentences of the sources that show it, most similar first
    also: tuple[str, ...] = ()  # findings of other rules on the same words
    do: str = ""  # what to do about it
    page: str = ""  # where the rule is documented, or ""


class Explanation(Model):
    """Why a verdict has its status. ``str()`` gives the text for a terminal.

    Attributes:
        where: the stage that failed: retrieval, generation or citation.
        deciding: the findings that keep the answer from passing, most severe first.
        to_pass: conditions for passing that are not met; empty if it passes.
        next_step: what to do first; "" if there is nothing to do.
        notes: how many findings do not affect the decision, and how many are waived, in words.
    """

    id: str
    status: Status
    why: str
    where: str
    deciding: tuple[Deciding, ...] = ()
    to_pass: tuple[str, ...] = ()
    next_step: str = ""
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The explanation as plain JSON data."""
        return self.model_dump(mode="json")

    def __str__(self) -> str:
        return text_of("explanation", self, _SHOWN)


def explain(
    verdict: Verdict | Mapping[str, Any],
    settings: Settings | SettingsDict | Mapping[str, Any] | None = None,
    *,
    claim: int | None = None,
) -> Explanation:
    """Explain a verdict: the reason for its status, the evidence, what to do, and what would make it pass.

    Args:
        verdict: a Verdict, or one as plain data, as ``check --json`` lists them.
        settings: those the verdict was made with; they contain its limits.
        claim: index of one claim, from 0; only its findings are explained then.

    Raises:
        InputError: it is not a verdict, or it has no such claim.
        SettingsError: a setting is unknown or out of range.
    """
    judged, in_force = _verdict_in(verdict), Settings.of(settings)
    findings = [item for item in judged.findings if item.severity != "info"]
    if claim is not None:
        chosen = _claim_explained(judged, claim)
        findings = [item for item in findings if is_on(item, chosen)]
    deciding = tuple(_deciding(item, judged) for item in findings)
    needed = () if judged.status == "pass" else tuple(_needed(judged, in_force))
    first = next((item.do for item in deciding if item.do), "")
    return Explanation(
        id=judged.id,
        status=judged.status,
        why=judged.reason,
        where=judged.diagnosis,
        deciding=deciding,
        to_pass=needed,
        next_step=first or (_first_step(judged, needed) if claim is None else ""),
        notes=tuple(_notes(judged)) if claim is None else (_claim_note(_claim_explained(judged, claim)),),
    )


def _first_step(verdict: Verdict, needed: Sequence[str]) -> str:
    claim = least_sure(verdict) if needed and verdict.status != "pass" else None
    return "".join(needed[:1]) if claim is None else f"{quoted(claim.text)}: {ADVICE}"


def _verdict_in(given: Any) -> Verdict:
    if isinstance(given, Verdict):
        return given
    if not isinstance(given, Mapping) or "status" not in given:
        kind = "a mapping" if isinstance(given, Mapping) else a_kind(given)
        hint = "write explain(validate(transcript))"
        raise InputError(f"explain takes a verdict, and this is {kind}", hint=hint)
    try:
        return Verdict.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"is not a verdict ({str(first['msg']).lower()})", field=place) from None


def _claim_explained(verdict: Verdict, index: int) -> ClaimVerdict:
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(verdict.claims):
        return verdict.claims[index]
    last = len(verdict.claims) - 1
    hint = f"write an index from 0 to {last}"
    if last <= 0:
        hint = "write 0" if last == 0 else "it has no claim"
    raise InputError(f"{index!r} is not a claim of {verdict.id!r}", field="claim", hint=hint)


def is_on(finding: Finding, claim: ClaimVerdict) -> bool:
    """Whether a finding is on a claim or on one of its citations."""
    return any(
        part.claim == claim.index or (part.citation is not None and part.citation in claim.citations)
        for part in finding.parts
    )


def _deciding(finding: Finding, verdict: Verdict) -> Deciding:
    rule = RULES.get(finding.rule)
    claim = claim_of(finding, verdict)
    return Deciding(
        rule=finding.rule,
        title=rule.title if rule is not None else "a rule of an extension",
        severity=finding.severity,
        problem=finding.message,
        words=words(verdict, finding),
        claim=finding.claim,
        citation=finding.citation,
        evidence=tuple(_evidence_explained(finding, claim)),
        also=tuple(f"{cause.rule}: {cause.message}" for cause in finding.causes),
        do=finding.suggestion or (rule.advice if rule is not None else ""),
        page=f"docs/{rule.page}" if rule is not None and rule.page else "",
    )


def _evidence_explained(finding: Cause, claim: ClaimVerdict | None) -> Iterable[Evidence]:
    found = list(finding.evidence)
    if claim is not None:
        found = found or [conflict.evidence for conflict in claim.conflicts]
        found = found or list(claim.evidence)
    seen = {(item.chunk_id, item.start): item for item in reversed(found)}
    return list(reversed(seen.values()))[:_EVIDENCE]


def _needed(verdict: Verdict, settings: Settings) -> Iterable[str]:
    if verdict.switched_off:
        yield f"{' and '.join(verdict.switched_off)} switched on: without it nothing is decided"
        return
    for severity in ("error", "warning"):
        if found := [item for item in verdict.findings if item.severity == severity]:
            rules = ", ".join(dict.fromkeys(item.rule for item in found))
            yield f"no {severity}: it has {len(found)} ({rules})"
    scored = [claim for claim in verdict.claims if claim.status in SCORED and claim.waived is None]
    backed = sum(claim.status in BACKED for claim in scored)
    limit, rate = settings.max_hallucination_rate, verdict.hallucination_rate
    if rate is not None and not rate <= limit:
        yield f"a hallucination rate of at most {limit:g}: it is {rate:.2f}"
    if backed < len(scored):
        yield f"every checked claim supported: {backed} of {len(scored)} are"
    yield from _confidence_explained(verdict, settings)


def _confidence_explained(verdict: Verdict, settings: Settings) -> Iterable[str]:
    value: float | None = verdict.confidence
    if value is not None and value >= settings.accept_confidence:
        return
    breakdown = verdict.confidence_breakdown
    why = "" if breakdown.ceiling is None else if_known(" ({})", breakdown.ceiling_reason)
    now = if_known("it is {:.2f}", value) or "there is none"
    yield f"a confidence of at least {settings.accept_confidence:g}: {now}{why}"


def _notes(verdict: Verdict) -> Iterable[str]:
    if notes := [item for item in verdict.findings if item.severity == "info" and item.waived is None]:
        rules = ", ".join(dict.fromkeys(item.rule for item in notes))
        decide = "decides" if len(notes) == 1 else "decide"
        yield f"{counted(len(notes), 'note')} that {decide} nothing: {rules}"
    for index, told in overruled(verdict)[:_SHOWN]:
        yield f"claim {index + 1}, the judge overruled the engine: {told}"
    if verdict.waived_number:
        yield f"{counted(verdict.waived_number, 'finding')} waived"


def _claim_note(claim: ClaimVerdict) -> str:
    head = f"claim {claim.index}: {claim.status}{if_known(' (support {:.2f})', claim.support)}"
    why = if_known(": {}", claim.reason or claim.skip_reason)
    return "\n  ".join((f"{head}{why}{if_known(' ({})', claim.opinions)}", *fact_lines(claim)))


def fact_lines(claim: ClaimVerdict) -> list[str]:
    """One line for each fact of a claim: its type, words, status and where the sources have it."""
    lines = []
    for fact in claim.facts:
        where = if_known(" in {}", fact.chunk_id) + if_known("; the sources have {}", fact.nearest)
        what = f"{fact.type.replace('_', ' ')} {fact.text}: {fact.status}"
        lines.append(f"{what}{where}{if_known(': {}', fact.formula)}")
    return lines
