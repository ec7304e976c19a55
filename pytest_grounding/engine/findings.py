"""Findings that no check reports, and the order of findings in a verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from pytest_grounding._io.wording import counted, one_line
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.selfrag import is_small_talk
from pytest_grounding.engine import registry
from pytest_grounding.errors import MISS
from pytest_grounding.model.finding import Finding, finding_of
from pytest_grounding.model.transcript import REPORTED_CONFIDENCE, Transcript
from pytest_grounding.model.verdict import RetrievalVerdict, ScorerFailure
from pytest_grounding.reading.markdown import states
from pytest_grounding.rules import ORDER
from pytest_grounding.scorers import BUILT_IN_METHODS
from pytest_grounding.settings import Settings

_MOST_UNREAD = 0.5  # share of an answer, by length, that may remain unchecked without a note
#: Reasons for unchecked pieces that may make statements all the same.
_UNREAD = frozenset({"code", "comment", "front_matter", "heading", "opinion"})
MOST_DIFFERENCE = 0.3  # accepted difference between the reported and the computed confidence
_SHOWN = 200


def transcript_findings(context: CheckContext, failures: Sequence[ScorerFailure]) -> list[Finding]:
    """Findings that no check reports: an empty answer, nothing to check, notes, failed scorers."""
    transcript, settings = context.transcript, context.settings
    found = [Finding.model_validate(note.model_dump()) for note in transcript.notes]
    found += [failed_scorer(failure, settings) for failure in failures]
    if not settings.hallucination_detection:
        found.append(finding_of("switched_off", settings, "claims were not checked: the check is off"))
    if not transcript.answer.strip():
        advice = "find out why the model returned nothing; a refusal should be stated in words"
        found.append(finding_of("empty_answer", settings, "the answer is empty", advice))
    elif settings.hallucination_detection:
        found += _mostly_unchecked(context)
    return found + _uncalibrated(context)


def _mostly_unchecked(context: CheckContext) -> list[Finding]:
    """Report that the answer was not checked, or less of it than was left out (of code, only prose)."""
    if not context.declined and not any(claim.checked for claim in context.claims):
        if is_small_talk(context):
            problem = "small talk: the answer states nothing that could be checked"
            return [finding_of("nothing_checked", context.settings, problem, severity="info")]
        problem = "the answer contains no claim that can be checked, so there is no rate"
        advice = "set nothing_checked = pass where such answers are expected"
        return [finding_of("nothing_checked", context.settings, problem, advice)]
    said = sum(len(claim.bare) for claim in context.claims if claim.checked)
    unread: Counter[str] = Counter()
    for claim in context.claims:
        if claim.skip_reason in _UNREAD:
            lines = claim.text.splitlines() if claim.skip_reason == "code" else [claim.text]
            prose = claim.skip_reason != "code"
            unread[claim.skip_reason] += sum(len(line) for line in lines if prose or states(line))
    share = unread.total() / max(1, unread.total() + said)
    if context.declined or share <= _MOST_UNREAD:
        return []
    reasons = ", ".join(reason for reason, length in sorted(unread.items()) if length)
    message = f"{share:.0%} of what the answer says was not checked ({reasons})"
    advice = "let the answer state it in plain sentences, or set nothing_checked = pass"
    return [finding_of("nothing_checked", context.settings, message, advice)]


def _uncalibrated(context: CheckContext) -> list[Finding]:
    """Report that claims are in a language for which the built-in engine only estimates."""
    scores = [score for score in context.supports if score is not None and not score.calibrated]
    # Other scorers report this in the reasons of the claims.
    count = sum(score.method in BUILT_IN_METHODS for score in scores)
    what = f"the support of {counted(count, 'claim')} in another language is an estimate"
    said = f"the built-in engine is calibrated for English alone: {what}"
    labelled = "set the thresholds by labelled answers in this language"
    advice = f"{labelled}, or choose a judge or scorer that reads it"
    return [finding_of("not_calibrated", context.settings, said, advice)] if count else []


def relevance_findings(retrieval: RetrievalVerdict, settings: Settings) -> list[Finding]:
    """Findings on failed relevance scorers; a missing cassette entry must not let an answer pass."""
    served = bool(retrieval.scorer)
    return [failed_scorer(failure, settings, served=served) for failure in retrieval.scorer_failures]


def failed_scorer(failure: ScorerFailure, settings: Settings, *, served: bool = True) -> Finding:
    """The finding on one failure; the setting ``abstained`` is the severity of a missing recording."""
    details = {"failure": failure.model_dump()}
    if MISS in failure.message:
        advice = "record it where there is a key, and keep the cassette with the tests"
        return finding_of("not_recorded", settings, str(failure), advice, details=details)
    said = f"{failure}; {'the next' if served else 'no other'} scorer served"
    advice = "see why it failed, or choose another scorer"
    return finding_of("scorer_failed", settings, said, advice, details=details)


def further_findings(context: CheckContext) -> list[Finding]:
    """Findings of the extensions' checks; a check that crashes is an error finding."""
    found: list[Finding] = []
    for check in registry.checks(context.settings):
        try:
            found.extend(check.run(context))
        except Exception as error:  # an extension's check may raise anything
            said = f"the check {check.name} crashed: {type(error).__name__}: {error}"
            advice = "fix the check; the other checks were run"
            found.append(finding_of("check_crashed", context.settings, said, advice))
    return found


def ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Errors first, then by position in the answer; equal ones keep the order of the checks."""
    return tuple(sorted(findings, key=lambda item: (ORDER[item.severity], item.span or (-1, -1))))


def self_report_findings(
    context: CheckContext, retrieval: RetrievalVerdict, confidence: float | None
) -> list[Finding]:
    """Where the pipeline's own statements are wrong."""
    transcript, settings = context.transcript, context.settings
    if not settings.enabled:
        return []
    found = _unreadable(transcript, settings)
    if context.declined or not transcript.answer.strip():
        return found
    reported = transcript.reported_confidence
    if reported is not None and confidence is not None and math.isfinite(confidence):
        difference = round(reported - confidence, 9)
        if abs(difference) > MOST_DIFFERENCE:
            word = "more" if difference > 0 else "less"
            than = f"{abs(difference):.2f} {word} than the {confidence:.2f} that was computed"
            said = f"the pipeline reports a confidence of {reported:.2f}, {than}"
            advice = "do not show it to users as it is, or calibrate the pipeline's own figure"
            figures = {"reported": reported, "computed": confidence, "difference": difference}
            found.append(finding_of("self_report", settings, said, advice, details=figures))
    if transcript.reported_missing == () and retrieval.answer_present == "none":
        said = "the pipeline says that nothing is missing, but no chunk states what was asked"
        found.append(finding_of("self_report", settings, said, "let the prompt name what the sources lack"))
    return found


def _unreadable(transcript: Transcript, settings: Settings) -> list[Finding]:
    """Report an invalid confidence in the metadata, if there is no other."""
    given = [(name, transcript.metadata.get(name)) for name in REPORTED_CONFIDENCE]
    known = [(name, value) for name, value in given if value is not None]
    if transcript.reported_confidence is not None or not known:
        return []
    name, value = known[0]
    said = f"metadata.{name} is {one_line(repr(value), 40)}, which is not a number from 0 to 1"
    advice = "record it as a number from 0 to 1, best in the field confidence"
    return [finding_of("import_loss", settings, said, advice)]


def explained(
    diagnosis: str, missing: Sequence[str] | None, *, declined: bool, answer_present: str, status: str
) -> str:
    """The diagnosis with the pipeline's own statement of what is missing."""
    if not missing or (not declined and answer_present == "full" and status == "pass"):
        return diagnosis
    return f"{diagnosis} The pipeline says what is missing: “{one_line('; '.join(missing), _SHOWN)}”."


def deciding_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Those that hold an answer back: its errors, else its warnings; a note decides nothing."""
    errors = [finding for finding in findings if finding.severity == "error"]
    return errors or [finding for finding in findings if finding.severity == "warning"]
