"""Which findings a waiver excuses, and waivers that are given as mappings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from pydantic import ValidationError

from pytest_grounding._wording import a_kind, one_line
from pytest_grounding.errors import InputError
from pytest_grounding.model.finding import Cause, Finding
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, ConfidenceBreakdown, Verdict
from pytest_grounding.text.normalize import fingerprint
from pytest_grounding.waivers.model import NEVER_WAIVED, Waiver, is_day

#: Markers of these syntaxes number what was retrieved: another order of it changes them and no word.
_NUMBERED = frozenset({"id", "index"})
_SHOWN = 300
#: What stands around the words of a claim, and says nothing of them.
_STOPS = " \t\n.,;:!?"
#: A confidence that holds an answer back is waived by this rule; no check finds it.
LOW_CONFIDENCE = "low_confidence"


class Judged(Protocol):
    """What a finding is part of: a verdict, or one in the making."""

    @property
    def id(self) -> str:
        """Id of the transcript."""
        ...

    @property
    def claims(self) -> Sequence[ClaimVerdict]:
        """The claims of the answer."""
        ...

    @property
    def citations(self) -> Sequence[CitationVerdict]:
        """The citations of the answer."""
        ...


def waiver_for(
    finding: Cause,
    verdict: Verdict,
    *,
    reason: str,
    by: str,
    anywhere: bool = False,
    expires: str = "",
    day: str = "",
) -> Waiver:
    """The waiver of a finding."""
    if finding.rule in NEVER_WAIVED:
        problem = f"{finding.rule} cannot be waived: it says that something was not checked at all"
        raise InputError(problem, hint="fix its cause, or leave the transcript out")
    if not reason.strip():
        raise InputError("a waiver needs a reason", hint="say why the finding is wrong or accepted")
    for date in (expires, day):
        if date and not is_day(date):
            raise InputError(f"{date!r} is no date", hint="write it as 2026-12-31")
    words = claim_words(finding, verdict)
    return Waiver(
        rule=finding.rule,
        transcript="" if anywhere else verdict.id,
        claim=one_line(words, _SHOWN),
        claim_hash=hash_of(words),
        evidence_hash=evidence_hash(finding, verdict),
        reason=" ".join(reason.split()),
        by=by,
        day=day or today(),
        expires=expires,
    )


def today() -> str:
    """The day as expiries are compared with it: an ISO date, in UTC."""
    return datetime.now(UTC).date().isoformat()


def hash_of(words: str) -> str:
    """Hash of the words of a claim, whatever full stop ends them."""
    return fingerprint(words.strip(_STOPS))


def low_confidence(breakdown: ConfidenceBreakdown, reason: str) -> Finding:
    """That a confidence alone holds an answer back, as something that a person can waive."""
    weak = [term.name for term in breakdown.terms if term.value is not None and term.value < 1.0]
    why = breakdown.ceiling_reason or ", ".join(weak)
    return Finding(rule=LOW_CONFIDENCE, severity="warning", message=reason, details={"why": why})


def overrulable(verdict: Verdict) -> tuple[Cause, ...]:
    """What holds a verdict back and can be waived: errors and warnings of each rule, else its confidence."""
    grave = [item for item in verdict.causes if item.severity != "info"]
    if not grave and verdict.status != "pass" and not verdict.skipped:
        return (low_confidence(verdict.confidence_breakdown, verdict.reason),)
    return tuple(item for item in grave if item.rule not in NEVER_WAIVED)


def held_by(verdict: Verdict, *, reason: str, by: str = "", day: str = "") -> tuple[Waiver, ...]:
    """Waivers of all that a verdict holds, its low confidence too: somebody accepted it as it is."""
    grave = [item for item in verdict.causes if item.severity != "info" and item.rule not in NEVER_WAIVED]
    found = [waiver_for(item, verdict, reason=reason, by=by, day=day) for item in grave]
    if verdict.status != "pass" and not verdict.skipped:
        low = low_confidence(verdict.confidence_breakdown, verdict.reason)
        # Without what is waived the confidence has other reasons: it is accepted whatever they are.
        accepted = waiver_for(low, verdict, reason=reason, by=by, day=day)
        found.append(accepted.model_copy(update={"evidence_hash": ""}))
    return tuple(found)


def is_about(waiver: Waiver, finding: Cause, verdict: Judged) -> bool:
    """Whether a waiver is about a finding, expired or not."""
    return (
        waiver.rule == finding.rule
        and waiver.transcript in ("", verdict.id)
        and waiver.claim_hash == hash_of(claim_words(finding, verdict))
        and waiver.evidence_hash in ("", evidence_hash(finding, verdict))
    )


def claim_words(finding: Cause, verdict: Judged) -> str:
    """The words of the answer that a finding is about, without the numbers of retrieved chunks."""
    if finding.claim is not None and 0 <= finding.claim < len(verdict.claims):
        claims = [verdict.claims[finding.claim]]
    else:
        claims = [item for item in verdict.claims if _touches(item, finding)] or list(verdict.claims)
    words = "\n".join(_bare(item, verdict) for item in claims)
    citation = _citation(finding, verdict)
    if citation is not None and not citation.source_hash:
        words = f"{words} [{citation.target or citation.text}]".lstrip()
    return words


def evidence_hash(finding: Cause, verdict: Judged) -> str:
    """Hash of the sentences that a finding quotes, else of what its citation resolved to, else of nothing."""
    if finding.rule == LOW_CONFIDENCE:
        return fingerprint(str(finding.details.get("why", "")))
    if finding.evidence:
        return fingerprint("\n".join(dict.fromkeys(item.text for item in finding.evidence)))
    citation = _citation(finding, verdict)
    return (citation.source_hash if citation is not None else "") or fingerprint("")


def _touches(claim: ClaimVerdict, finding: Cause) -> bool:
    return finding.span is not None and claim.start < finding.span[1] and finding.span[0] < claim.end


def _citation(finding: Cause, verdict: Judged) -> CitationVerdict | None:
    if finding.citation is None or not 0 <= finding.citation < len(verdict.citations):
        return None
    return verdict.citations[finding.citation]


def _bare(claim: ClaimVerdict, verdict: Judged) -> str:
    """The text of a claim without the markers that number chunks, and the blanks before them."""
    text, end = "", 0
    spans = {(item.start, item.end) for item in verdict.citations if item.syntax in _NUMBERED}
    for start, stop in sorted(spans):
        if claim.start + end <= start < stop <= claim.end:
            text += claim.text[end : start - claim.start].rstrip()
            end = stop - claim.start
    return (text + claim.text[end:]).strip()


class Waivers:
    """The waivers of a run, found by what they are about."""

    def __init__(self, waivers: Iterable[Waiver] = (), *, today: str = "") -> None:
        self.all: tuple[Waiver, ...] = tuple(waivers)
        self._today = today
        self._found = {item.key: item for item in self.all}
        self._rules = frozenset(item.rule for item in self.all)

    def __bool__(self) -> bool:
        return bool(self.all)

    def find(self, finding: Cause, verdict: Judged) -> Waiver | None:
        """The waiver of a finding that holds today, or None."""
        if finding.rule not in self._rules or finding.rule in NEVER_WAIVED:
            return None
        words = hash_of(claim_words(finding, verdict))
        # A mark in code may name no evidence, and holds whatever that is.
        for evidence in (evidence_hash(finding, verdict), ""):
            for transcript in (verdict.id, ""):
                found = self._found.get((transcript, finding.rule, words, evidence))
                if found is not None and not found.is_expired(self.today):
                    return found
        return None

    def of_confidence(self, verdict: Verdict) -> Waiver | None:
        """The waiver of a verdict's low confidence, or None."""
        return self.find(low_confidence(verdict.confidence_breakdown, verdict.reason), verdict)

    @property
    def today(self) -> str:
        """The day that expiries are compared with."""
        return self._today or today()


_TAKES = '{"rule": "contradicted", "claim": "WORDS", "reason": "WHY"}'
_NEEDED = ("rule", "claim", "reason")
_KNOWN = (*_NEEDED, "transcript", "evidence", "by", "day", "expires", "claim_hash", "evidence_hash")


def from_given(given: Any, wrong_rule: Callable[[str], str]) -> tuple[Waiver, ...]:
    """Waivers from a list of waivers and mappings."""
    if isinstance(given, (str, bytes, Mapping, Waiver)) or not isinstance(given, Iterable):
        raise InputError(f"is {a_kind(given)}, no list", field="waivers", hint=f"write [{_TAKES}]")
    return tuple(_waiver(item, f"waivers[{at}]", wrong_rule) for at, item in enumerate(given))


def _waiver(given: Any, place: str, wrong_rule: Callable[[str], str]) -> Waiver:
    if isinstance(given, Waiver):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"{a_kind(given)} is no waiver", field=place, hint=f"write {_TAKES}")
    for name, value in given.items():
        if name not in _KNOWN:
            raise InputError("is not known", field=f"{place}.{name}", hint=f"known are {', '.join(_KNOWN)}")
        if not isinstance(value, str):
            raise InputError(f"is {a_kind(value)}, no text", field=f"{place}.{name}")
    for name in _NEEDED:
        if not given.get(name, "").strip():
            raise InputError("is missing", field=f"{place}.{name}", hint=f"write {_TAKES}")
    if problem := wrong_rule(given["rule"]):
        raise InputError(problem, field=f"{place}.rule")
    return _built(dict(given), place)


def _built(given: dict[str, str], place: str) -> Waiver:
    evidence = given.pop("evidence", "")
    hashes = {
        "claim_hash": given.pop("claim_hash", "") or hash_of(given["claim"]),
        "evidence_hash": given.pop("evidence_hash", "") or (fingerprint(evidence) if evidence else ""),
    }
    values = {"transcript": "", "by": "", "day": "", "expires": "", **given, **hashes}
    # What is checked has a day and evidence, which code need not name.
    lent = {"day": values["day"] or "2000-01-01", "evidence_hash": values["evidence_hash"] or "0" * 16}
    try:
        checked = Waiver.model_validate({**values, **lent})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        problem, _, hint = str(first.get("ctx", {}).get("error", first["msg"])).partition("; ")
        raise InputError(problem, field=f"{place}.{first['loc'][0]}", hint=hint or None) from None
    return checked.model_copy(update={name: values[name] for name in lent})
