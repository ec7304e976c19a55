"""Set a new recording against the accepted one: every change in meaning, graded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pytest_grounding._wording import decimals, measured
from pytest_grounding.engine.road import language_of
from pytest_grounding.golden.changes import Change, change, ordered
from pytest_grounding.golden.citing import compare_citations
from pytest_grounding.golden.claims import Pairs, compare_claims
from pytest_grounding.golden.match import SUPPORTED, folded, sides
from pytest_grounding.golden.record import Golden
from pytest_grounding.golden.rest import compare_recording
from pytest_grounding.golden.sources import compare_chunks, compare_retrieval
from pytest_grounding.model.finding import Cause
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

#: Difference of the confidence that is worth a word.
CONFIDENCE_TOLERANCE = 0.1
#: Neutral changes that pull figures down all the same.
_SAID_BEFORE = ("claim_restates_accepted", "claim_rests_the_same")
_EXPLAINING = (*_SAID_BEFORE, "answer_declines_rightly")
_STATUS = {"reject": 0, "review": 1, "pass": 2}


def compare(before: Golden, after: Golden) -> tuple[Change, ...]:
    """What changed in meaning between two recordings that were judged by the same engine and settings.

    Args:
        before: the accepted recording.
        after: the new one.

    Returns:
        The changes, regressions first; empty where nothing changed in meaning.
    """
    language = language_of(after.transcript, Settings.of())
    old, new = sides(before, language), sides(after, language)
    claims, pairs = compare_claims(old, new, before, after, language)
    found = [
        *_answer(before, after),
        *claims,
        *compare_citations(pairs, before, after),
        *compare_retrieval(before, after),
    ]
    found += _findings(found, pairs, before.verdict, after.verdict)
    found += _figures(found, before.verdict, after.verdict)
    found += compare_chunks(before, after)
    found += compare_recording(before, after)
    return ordered(found)


def _answer(before: Golden, after: Golden) -> Iterator[Change]:
    old, new = before.verdict, after.verdict
    if new.declined and not old.declined:
        # The accepted answer rested on sentences; where these are still retrieved, so is an answer.
        texts = [folded(chunk.text) for chunk in after.transcript.chunks]
        rests = [claim.evidence[0] for claim in old.claims if claim.status in SUPPORTED and claim.evidence]
        kept = any(folded(item.text) in text for item in rests for text in texts)
        if kept or new.retrieval.answer_present in ("full", "partial"):
            yield change("answer", "answer_declined", "declines, though the retrieval holds the answer")
        else:
            text = "declines, and the retrieval does not hold the answer any more"
            yield change("answer", "answer_declines_rightly", text)
    elif old.declined and not new.declined:
        yield change("answer", "answer_given", "answers, where it declined before")
    was, now = old.self_rag.usefulness, new.self_rag.usefulness
    if was.value != now.value and old.declined == new.declined:
        rule = "usefulness_gained" if now.value == "useful" else "usefulness_lost"
        yield change("answer", rule, f"{was.value} -> {now.value}: {now.reason}")


def _figures(found: Sequence[Change], old: Verdict, new: Verdict) -> Iterator[Change]:
    """Confidence and decision; they follow from a change that was graded already, where there is one."""
    was, now = measured(old.confidence), measured(new.confidence)
    # A confidence that is none is the lowest: what could be scored before cannot any more.
    step = round((-1.0 if now is None else now) - (-1.0 if was is None else was), 9)
    if abs(step) >= CONFIDENCE_TOLERANCE:
        text = f"{decimals(was)} -> {decimals(now)}"
        rule = "confidence_raised" if step > 0 else "confidence_dropped"
        yield change("confidence", _or_follows(rule, found), text)
    rank = _STATUS[new.status] - _STATUS[old.status]
    if rank:
        rule = "verdict_better" if rank > 0 else "verdict_worse"
        text = f"{old.status} -> {new.status}: {new.reason}"
        yield change("verdict", _or_follows(rule, found), text)


def _or_follows(rule: str, found: Sequence[Change]) -> str:
    grade = "improvement" if rule.endswith(("raised", "better")) else "regression"
    explained = grade == "regression" and any(item.rule in _EXPLAINING for item in found)
    return "follows" if explained or any(item.grade == grade for item in found) else rule


def _findings(found: Sequence[Change], pairs: Pairs, old: Verdict, new: Verdict) -> Iterator[Change]:
    """Errors and warnings that no change listed so far explains."""
    was_of = {right.claim.index: left.claim.index for left, right in pairs}
    now_of = {before: after for after, before in was_of.items()}
    worse = any(item.grade == "regression" for item in found)
    for item in _unexplained(new, old, was_of, found, "regression"):
        # A finding on the whole answer or retrieval follows from what was found in its parts.
        if worse and item.claim is None and item.citation is None:
            continue
        text = f"{item.rule}: {item.message}"
        yield change("finding", "finding_new", text, claims=(None, item.claim))
    for item in _unexplained(old, new, now_of, found, "improvement"):
        text = f"{item.rule}: {item.message}"
        yield change("finding", "finding_gone", text, claims=(item.claim, None))


def _unexplained(
    mine: Verdict, other: Verdict, partner: Mapping[int, int], found: Sequence[Change], grade: str
) -> Iterator[Cause]:
    """Errors and warnings of one verdict that the other has not, and that no graded change explains."""
    is_new = grade == "regression"
    graded = {item.new_claim if is_new else item.old_claim for item in found if _explains(item, grade)}
    invalid = any(item.rule == ("citation_broken" if is_new else "citation_repaired") for item in found)
    known = Counter((item.rule, claim) for item in other.causes for claim in _claims_of(item, other))
    for item in mine.causes:
        about = _claims_of(item, mine)
        broken = item.citation is not None and not mine.citations[item.citation].valid
        if item.severity == "info" or about & graded - {None} or (invalid and broken):
            continue
        keys = [(item.rule, None if claim is None else partner.get(claim)) for claim in about]
        # A finding on a claim that was paired is the same finding; one without a claim is counted.
        same = [key for key in keys if known[key] > 0 and (key[1] is not None or None in about)]
        if same:
            known[same[0]] -= 1
        else:
            yield item


def _explains(item: Change, grade: str) -> bool:
    return item.grade == grade or item.rule in _SAID_BEFORE


def _claims_of(item: Cause, verdict: Verdict) -> set[int | None]:
    """The claims that a finding is about: its own, that of its citation, those that it lies in."""
    about: set[int | None] = {item.claim, item.details.get("other_claim")}
    if item.citation is not None and item.citation < len(verdict.citations):
        about.add(verdict.citations[item.citation].claim)
    elif item.span is not None:
        start, end = item.span
        about |= {claim.index for claim in verdict.claims if claim.start < end and start < claim.end}
    return about - {None} or {None}
