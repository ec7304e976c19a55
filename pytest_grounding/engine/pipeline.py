"""The pipeline: split a transcript into claims and citations, score it once, judge it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pytest_grounding import questions
from pytest_grounding.checks import citation, completeness, hallucination, off_question, retrieval, selfrag
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.completeness import Lookup
from pytest_grounding.checks.retrieval import conflicts
from pytest_grounding.checks.retrieval.presence import contains_answer
from pytest_grounding.checks.selfrag import SelfRagOutcome
from pytest_grounding.engine import registry
from pytest_grounding.engine.findings import (
    deciding_findings,
    explained,
    further_findings,
    ordered,
    relevance_findings,
    self_report_findings,
    transcript_findings,
)
from pytest_grounding.engine.outcomes import Outcomes, breakdowns_of
from pytest_grounding.engine.screening import screening, trusted, unscored, with_known
from pytest_grounding.errors import ScorerError
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.gate import advice, diagnose, rejection
from pytest_grounding.gate import decide as decide_on
from pytest_grounding.model.finding import Completeness, Finding, Span
from pytest_grounding.model.transcript import Transcript, recorded_hash
from pytest_grounding.model.verdict import (
    ConfidenceBreakdown,
    Expectations,
    Judgement,
    Rejection,
    RetrievalVerdict,
    ScorerFailure,
    Status,
    Verdict,
    audit_id_of,
)
from pytest_grounding.questions import QuestionInfo, QuestionPart
from pytest_grounding.questions.word_families import asked_synonyms
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.scorers import ClaimText, Scorer, SupportScore
from pytest_grounding.scorers.builtin.denials import is_unread
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.engine.waiving import Overruling
    from pytest_grounding.gate.waivers import Waiver


_Key = tuple[str, int]  # what findings are about: a claim, a citation outside of the text, a span
ENGINE_VERSION = "3"  # increased with every change that can change a verdict; stored with verdicts


def joined(findings: Sequence[Finding], context: CheckContext) -> list[Finding]:
    """Merge findings about the same thing, in order of first occurrence."""
    places = _places(findings, context)
    groups: dict[_Key, list[Finding]] = {}
    for number, (finding, place) in enumerate(zip(findings, places, strict=True)):
        groups.setdefault(place or ("alone", number), []).append(finding)
    if len(groups) == len(findings):
        return list(findings)
    from pytest_grounding.model.finding import as_one

    merged = []
    for group in groups.values():
        parts = [part for finding in group for part in finding.parts]
        merged.append(group[0] if len(group) == 1 else as_one(parts))
    return merged


def _places(findings: Sequence[Finding], context: CheckContext) -> list[_Key | None]:
    """For each finding the thing it is about; None if it shares it with no other."""
    starts = [claim.start for claim in context.claims]
    places: list[_Key | None] = []
    free: list[tuple[Span, int]] = []
    for number, finding in enumerate(findings):
        place: _Key | None = None
        if finding.claim is not None:
            place = ("claim", finding.claim)
        elif finding.span is not None:
            held = _overlapping(context.claims, starts, *finding.span)
            if len(held) == 1 and held[0].start <= finding.span[0] and finding.span[1] <= held[0].end:
                place = ("claim", held[0].index)
            elif len(held) <= 1:
                free.append((finding.span, number))
        elif finding.citation is not None:
            place = ("citation", finding.citation)  # an entry of the response's list has no position
        places.append(place)
    end = first = -1
    for (start, stop), number in sorted(free):
        if start >= end:
            first = number
        end = max(end, stop)
        places[number] = ("words", first)
    return places


def _overlapping(claims: Sequence[Claim], starts: Sequence[int], start: int, end: int) -> Sequence[Claim]:
    """The claims that overlap a span, two at most, without a loop over all of them."""
    first = max(bisect_right(starts, start) - 1, 0)
    last = bisect_left(starts, max(end, start + 1))
    near = claims[first : min(last, first + 3)]
    return [claim for claim in near if claim.start < max(end, start + 1) and start < claim.end][:2]


def completed(
    context: CheckContext, info: QuestionInfo, retrieval: RetrievalVerdict, judged: SelfRagOutcome
) -> tuple[SelfRagOutcome, Completeness | None, tuple[Finding, ...]]:
    """Usefulness and completeness of the answer, with findings: one to less than half is not useful."""

    def holds(part: QuestionPart, text: str) -> bool:
        index = index_of(text, "en")
        return any(contains_answer(part, info.question, text[start:end]) for start, end in index.sentences)

    tools = Lookup(holds, asked_synonyms)
    value, found = completeness.check(context, info, retrieval.answer_present, tools)
    if value is None or value.complete:
        return judged, value, found
    given, total = len(value.parts) - len(value.left_out), len(value.parts)
    left = ", ".join(f'"{part.text}"' for part in value.left_out)
    was = judged.self_rag.usefulness
    useful = judged.useful and 2 * given >= total
    reason = f"{was.reason}; {given} of {total} parts of the question are answered, not {left}"
    usefulness = Judgement(value="useful" if useful else "not useful", reason=reason)
    self_rag = judged.self_rag.model_copy(update={"usefulness": usefulness})
    return judged._replace(self_rag=self_rag, useful=useful), value, found


def language_of(transcript: Transcript, settings: Settings) -> str:
    """The language in use: the transcript's, the setting's, else "en" or "und", detected from the text."""
    declared = transcript.effective_language or settings.language
    return declared or questions.language_by_look(f"{transcript.question} {transcript.answer}")


def extract_and_score(
    transcript: Transcript, settings: Settings, scorers: Sequence[Scorer]
) -> tuple[CheckContext, tuple[ScorerFailure, ...]]:
    """Sentences, claims, citations and scores of one transcript, and failures of scorers."""
    recorded = transcript
    if transcript.tool_calls:
        from pytest_grounding.checks.tool_use import with_actions, with_results

        transcript = with_results(transcript)
    language = language_of(transcript, settings)
    scorers = screening(scorers, transcript.chunks, trusted(transcript.chunks, settings))
    context = unscored(transcript, settings, language, transcript.question, scorers[0])
    supports, failures, scorer = _score(context, scorers)
    if recorded.tool_calls:
        supports = with_actions(transcript, context.claims, supports, language)
    return replace(context, supports=supports, scorer=scorer, given=recorded), failures


def _of_calls(context: CheckContext) -> list[Finding]:
    if context.recorded.tool_calls is None:
        return []
    from pytest_grounding.checks.tool_use import check

    return check(context)


def _expected(context: CheckContext) -> tuple[Expectations | None, list[Finding]]:
    recorded = context.recorded
    if not (recorded.expected or recorded.forbidden or recorded.expected_sources):
        return None, []
    from pytest_grounding.checks.expected import check

    return check(context)


def _score(
    context: CheckContext, scorers: Sequence[Scorer]
) -> tuple[tuple[SupportScore | None, ...], tuple[ScorerFailure, ...], Scorer]:
    """Support of each checked claim by the first working scorer, and the failures of those before it."""
    transcript, settings = context.transcript, context.settings
    checked = [claim for claim in context.claims if claim.checked]
    texts = [ClaimText(claim.bare, claim.context) for claim in checked]
    if not settings.enabled or not settings.hallucination_detection or not checked:
        return context.supports, (), scorers[0]
    asked = {"question": transcript.question, "language": context.language}
    chunks = with_known(transcript, settings)
    failures: list[ScorerFailure] = []
    for scorer in scorers:
        try:
            scores = scorer.support(texts, chunks, **asked)
            break
        except ScorerError as error:
            failures.append(ScorerFailure.of(scorer.name, error))
    else:
        scores = [SupportScore(None, reason="; ".join(map(str, failures)))] * len(checked)
    found = {claim.index: score for claim, score in zip(checked, scores, strict=True)}
    return tuple(found.get(claim.index) for claim in context.claims), tuple(failures), scorer


def overruling_of(context: CheckContext, waivers: Sequence[Waiver]) -> Overruling | None:
    """The waivers for this transcript's findings, or None without waivers."""
    settings = context.settings
    if settings.waivers == "off" or not settings.enabled or not (waivers or settings.waivers_file):
        return None
    from pytest_grounding.engine.waiving import Overruling

    return Overruling(context, waivers)


def run_without_logs(transcript: Transcript, settings: Settings) -> Verdict:
    """The pipeline without log events, to collect the judgements it needs."""
    scorers = registry.scorers(settings)
    context, failures = extract_and_score(transcript, settings, scorers)
    return judge(context, scorers, failures)


def judge(
    context: CheckContext,
    scorers: Sequence[Scorer],
    failures: Sequence[ScorerFailure],
    waivers: Sequence[Waiver] = (),
) -> Verdict:
    """From the context to the verdict: checks, waivers, confidence, gate."""
    settings = context.settings
    overruling = overruling_of(context, waivers)
    outcomes = _run_checks(context, scorers, failures, overruling)
    breakdowns = breakdowns_of(context, outcomes)
    deciding = breakdowns[settings.confidence_model]
    found = self_report_findings(context, outcomes.retrieved, deciding.value)
    if found:
        found = found if overruling is None else overruling.findings(found)
        outcomes = outcomes._replace(findings=ordered((*outcomes.findings, *found)))
    decide = partial(
        decide_on,
        hallucination_rate=outcomes.claimed.rate,
        support=outcomes.judged.support,
        findings=outcomes.findings,
        settings=settings,
        unread=_unread(context, outcomes),
    )
    waived = None
    status, reason = decide(confidence=deciding.value)
    if status != "pass" and overruling is not None and deciding.value is not None:
        waived = overruling.confidence(deciding)
        if waived is not None:
            status, reason = decide(confidence=max(deciding.value, settings.accept_confidence))
    verdict = _verdict(context, outcomes, breakdowns, status, reason)
    if verdict.skipped:
        return verdict.model_copy(update={"rejection": None, "diagnosis": f"Not checked: {reason}."})
    return verdict.model_copy(update={"waived": waived})


def _judged_claims(
    context: CheckContext,
) -> tuple[citation.CitationOutcome, hallucination.HallucinationOutcome]:
    """The citations and claims of an answer, with the rulings of a judge if one is set."""
    cited = citation.check(context)
    asked_judge = registry.judge(context.settings)
    if asked_judge is None:
        return cited, hallucination.check(context, claim_citations=cited.claim_citations)
    from pytest_grounding.engine.judge_step import freed, rulings_of, with_remedies

    said = rulings_of(context, asked_judge)
    claimed = hallucination.check(context, claim_citations=cited.claim_citations, rulings=said)
    claimed = with_remedies(claimed, said)
    return freed(cited, claimed.claims), claimed


def _run_checks(
    context: CheckContext,
    scorers: Sequence[Scorer],
    failures: Sequence[ScorerFailure],
    overruling: Overruling | None,
) -> Outcomes:
    settings = context.settings
    cited, claimed = _judged_claims(context)
    if settings.corpus:
        from pytest_grounding.checks.retrieval.root_cause import with_causes

        claimed = claimed._replace(findings=with_causes(context, claimed.claims, claimed.findings))
    if overruling is not None:
        cited, claimed = overruling.checks(cited, claimed)
    counting = [claim for claim in claimed.claims if claim.waived is None]
    # Tool results were not retrieved, if anything was.
    searched = replace(context, transcript=context.recorded) if context.recorded.chunks else context
    rated, disputes = retrieval.check(searched, scorers=scorers)
    asked = questions.analyse(context.transcript.question, context.language)
    judged = selfrag.check(
        context,
        question=asked,
        retrieval=rated,
        claims=counting,
        stated=claimed.claims,
        holds=contains_answer,
    )
    judged, complete, incomplete = completed(context, asked, rated, judged)
    expectations, missed = _expected(context)
    findings = [
        *transcript_findings(context, failures),
        *relevance_findings(rated, settings),
        *cited.findings,
        *claimed.findings,
        *disputes,
        *conflicts.outdated_sources(context, counting, conflicts.disputes(disputes)),
        *judged.findings,
        *off_question.check(context, claimed.claims),
        *selfrag.not_useful(context, judged),
        *incomplete,
        *missed,
        *_of_calls(context),
        *(item for check in registry.builtin_checks() for item in check(context)),
        *further_findings(context),
    ]
    if overruling is not None:
        findings = overruling.findings(findings)
    found = ordered(joined(findings, context))
    return Outcomes(cited, claimed, rated, judged, found, complete, expectations)


def _verdict(
    context: CheckContext,
    outcomes: Outcomes,
    breakdowns: Mapping[str, ConfidenceBreakdown],
    status: Status,
    reason: str,
) -> Verdict:
    transcript, settings = context.transcript, context.settings
    cited, claimed = outcomes.cited, outcomes.claimed
    deciding = breakdowns[settings.confidence_model]
    transcript_hash = recorded_hash(context.recorded)
    skipped = Counter(claim.skip_reason or "other" for claim in claimed.claims if claim.status == "unchecked")
    parts = questions.count_parts(transcript.question, context.language)
    audit_id = audit_id_of(transcript_hash, settings.fingerprint)
    return Verdict.built(
        id=transcript.id,
        transcript_hash=transcript_hash,
        settings_hash=settings.fingerprint,
        engine_version=ENGINE_VERSION,
        status=status,
        reason=reason,
        confidence=deciding.value,
        confidence_model=deciding.model,
        confidences={name: item.value for name, item in breakdowns.items() if item.value is not None},
        confidence_breakdown=deciding,
        breakdowns=breakdowns,
        hallucination_rate=claimed.rate,
        citation_accuracy=cited.accuracy,
        citation_precision=cited.precision,
        citation_recall=cited.recall,
        recommendation=advice(status, claimed.recommendation),
        declined=context.declined,
        uncertain=bool(cited.citations) and not all(item.valid for item in cited.citations),
        scored=not any(claim.status == "abstained" for claim in claimed.claims),
        claims=claimed.claims,
        citations=cited.citations,
        findings=outcomes.findings,
        retrieval=outcomes.retrieved,
        self_rag=outcomes.judged.self_rag,
        diagnosis=_diagnosis(context, outcomes, status),
        reported_confidence=transcript.reported_confidence,
        reported_missing=transcript.reported_missing,
        counts=dict(sorted(Counter(claim.status for claim in claimed.claims).items())),
        not_checked=dict(sorted(skipped.items())),
        switched_off=() if settings.hallucination_detection else ("hallucination detection",),
        recorded_on=transcript.recorded_on,
        completeness=outcomes.completeness,
        expectations=outcomes.expectations,
        abstention=completeness.cell_of(context, outcomes.retrieved, parts=parts),
        rejection=_rejected(context, outcomes, status, reason, audit_id),
    )


def _rejected(
    context: CheckContext, outcomes: Outcomes, status: Status, reason: str, audit_id: str
) -> Rejection | None:
    if status == "pass":
        return None
    from pytest_grounding.engine.partial import partial_response

    part = partial_response(context, outcomes.claimed.claims, outcomes.cited.citations, outcomes.findings)
    deciding = deciding_findings(outcomes.findings)
    return rejection(
        status=status, reason=reason, findings=deciding, partial_response=part, audit_id=audit_id
    )


def _diagnosis(context: CheckContext, outcomes: Outcomes, status: Status) -> str:
    transcript, present = context.transcript, outcomes.retrieved.answer_present
    found = diagnose(
        status=status,
        declined=context.declined,
        empty=not transcript.answer.strip(),
        claims=outcomes.claimed.claims,
        citations=outcomes.cited.citations,
        retrieval=outcomes.retrieved,
        findings=outcomes.findings,
    )
    missing = transcript.reported_missing
    return explained(found, missing, declined=context.declined, answer_present=present, status=status)


def _unread(context: CheckContext, outcomes: Outcomes) -> str:
    """Why the built-in engine alone must not let an answer pass: it cannot read its negations; or ""."""
    is_lexical = any(claim.method == "lexical" for claim in outcomes.claimed.claims)
    if not is_lexical or not is_unread(context.language, context.transcript.answer):
        return ""
    named = "" if context.language == "und" else f" ({context.language})"
    return f"no denial can be read in the language of the answer{named}; a judge or a person must decide"
