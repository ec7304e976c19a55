"""Compare a new recording with the accepted one: every change in meaning, graded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding._io.wording import decimals, measured
from pytest_grounding.engine.pipeline import language_of
from pytest_grounding.golden.golden_file import (
    RULES,
    Golden,
    Side,
    backing_of,
    change,
    folded,
    ordered_changes,
    pair,
    sides,
    without_nulls,
)
from pytest_grounding.golden.rewording import Meaning, Rewording, rewording
from pytest_grounding.model.comparison import Change
from pytest_grounding.model.finding import BACKED, Cause
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import STATUS_RANK, CitationVerdict, Verdict
from pytest_grounding.settings import Settings

#: Share of the words of a claim without a partner that a claim of the other answer has, as part of more.
_PART = 0.5

Pairs = list[tuple[Side, Side]]
_OF_STATUS = (
    *("claim_contradicted", "claim_lost_support", "claim_gained_support"),
    *("claim_support_shifted", "claim_rests_the_same"),
)
_RATINGS = {"poor": 0, "partial": 1, "good": 2}
_PRESENCE = {"none": 0, "partial": 1, "full": 2}
#: Metadata keys that differ between any two recordings, and do not depend on the program.
VOLATILE = frozenset(
    "created_at date duration_ms latency_ms processing_time_ms recorded_at request_id response_id session_id "
    "timestamp trace_id".split()
)
_ELSEWHERE = frozenset({"schema_version", "id", "question", "answer", "chunks", "citations", "notes"})
_LONGEST = 80
#: Smallest change of confidence that is reported if the decision changes, and if it does not: a
#: probability changes a little with every word.
CONFIDENCE_TOLERANCE = 0.1
_TOLERANCE_OF_ONE_DECISION = 0.25
#: Neutral changes of claims whose findings are nothing new.
_SAID_BEFORE = ("claim_restates_accepted", "claim_rests_the_same")


@dataclass(frozen=True)
class Group:
    """Claims of both answers that say one thing, in as many sentences as each answer has for it."""

    old: list[Side]
    new: list[Side]


def compare_claims(
    old: Sequence[Side], new: Sequence[Side], before: Golden, after: Golden, language: str
) -> tuple[list[Change], Pairs, list[Group]]:
    """The changes of the claims, the pairs of claims, and those with the claims they are split into."""
    matched = pair(old, new)
    groups = [Group([old[left]], [new[right]]) for left, right in matched]
    lefts, rights = {left for left, _ in matched}, {right for _, right in matched}
    gone = [side for index, side in enumerate(old) if index not in lefts]
    come = [side for index, side in enumerate(new) if index not in rights]
    gone = [side for side in gone if not _join(side, groups, "old")]
    come = [side for side in come if not _join(side, groups, "new")]
    compared = (_compare_sides(group, before, after, language) for group in groups)
    changes = [found for found in compared if found is not None]
    declines = after.verdict.declined and not before.verdict.declined
    changes += [*_vanished(gone, declines=declines), *_added(come)]
    return changes, [(old[left], new[right]) for left, right in matched], groups


def _join(side: Side, groups: Sequence[Group], name: Literal["old", "new"]) -> bool:
    """Join a claim to the group whose claim on the other side has most of its words beside others."""
    if not side.is_supported or not side.stems:
        return False

    def share(group: Group) -> float:
        theirs, ours = (group.new, group.old) if name == "old" else (group.old, group.new)
        said = frozenset().union(*(one.stems for one in theirs)) - ours[0].stems
        return len(side.stems & said) / len(side.stems)

    best = max(groups, key=share, default=None)
    if best is None or share(best) < _PART:
        return False
    joined = best.old if name == "old" else best.new
    joined.append(side)
    joined.sort(key=lambda one: one.claim.index)
    return True


def _as_one(sides: Sequence[Side]) -> Side:
    worst = min(sides, key=lambda side: side.is_supported)
    text = "\n".join(side.text for side in sides)
    return replace(worst, text=text, evidence=tuple(item for side in sides for item in side.evidence))


def _compare_sides(group: Group, before: Golden, after: Golden, language: str) -> Change | None:
    old, new = _as_one(group.old), _as_one(group.new)
    leads = (_unchecked_text(before), _unchecked_text(after))
    is_same = folded(old.text) == folded(new.text)
    said = Rewording("same") if is_same else rewording(old.text, new.text, language, leads)
    rule = _rule_of_change(old, new, before, after, said.meaning)
    if rule is None:
        return None
    notes = list(said.differences)
    if rule in _OF_STATUS:
        notes.insert(0, f"{old.claim.status} -> {new.claim.status}")
    if rule == "claim_contradicted" and not said.differences:
        notes += [conflict.message for conflict in new.claim.conflicts][:2]
    text = RULES[rule].message.format(old=old.claim.status, new=new.claim.status)
    claims, source, once = (old.claim.index, new.claim.index), backing_of(new.claim), dict.fromkeys(notes)
    return change("claim", rule, text, old=old.text, new=new.text, claims=claims, details=once, source=source)


def _rule_of_change(old: Side, new: Side, before: Golden, after: Golden, meaning: Meaning) -> str | None:
    status = new.claim.status
    same_words = folded(old.text) == folded(new.text)
    if new.is_waived and status not in BACKED:
        return None if old.is_waived and same_words else "claim_waived"
    if old.is_supported and not new.is_supported:
        if status == "abstained":
            return "claim_not_scored"
        if status == "contradicted":
            return "claim_contradicted"
        # A chunk that was removed or added does not affect the claim.
        if same_words and old.evidence == new.evidence != ():
            return "claim_rests_the_same"
        is_backed = old.evidence and _side_holds(after.transcript, old.evidence[0])
        if meaning == "same" and not same_words and is_backed:
            return "claim_restates_accepted"
        return "claim_lost_support"
    if new.is_supported and not old.is_supported:
        return "claim_gained_support"
    if status == "contradicted" != old.claim.status:
        return "claim_contradicted"
    if meaning == "regression":
        return "claim_follows_source" if _follows_source(old, new, before, after) else "claim_changed_meaning"
    if meaning == "reworded":
        return "claim_reworded"
    if status != old.claim.status:
        return "claim_support_shifted"
    return None if same_words else "claim_same_meaning"


def _follows_source(old: Side, new: Side, before: Golden, after: Golden) -> bool:
    if not (new.is_supported and old.evidence and new.evidence):
        return False
    is_new = not _side_holds(before.transcript, new.evidence[0])
    return is_new and not _side_holds(after.transcript, old.evidence[0])


def _side_holds(transcript: Transcript, sentence: str) -> bool:
    return any(sentence in folded(chunk.text) for chunk in transcript.chunks)


def _vanished(gone: Sequence[Side], *, declines: bool) -> Iterator[Change]:
    for side in gone:
        claims = (side.claim.index, None)
        text, source = f"was {side.claim.status}, and is not said any more", backing_of(side.claim)
        if not side.is_supported:
            yield change("claim", "hallucination_gone", text, old=side.text, claims=claims)
        elif not declines:
            yield change("claim", "claim_vanished", text, old=side.text, claims=claims, source=source)


def _added(come: Sequence[Side]) -> Iterator[Change]:
    for side in come:
        rule, text, why = "claim_added", "is new, and supported", []
        if not side.is_supported:
            rule, text = "claim_added_unsupported", f"is new, and {side.claim.status}"
            why = [item.message for item in side.claim.conflicts][:2]
        elif side.is_waived and side.claim.status not in BACKED:
            rule, text = "claim_waived", f"is new, and {side.claim.status}, which a person waived"
        claims, source = (None, side.claim.index), backing_of(side.claim)
        yield change("claim", rule, text, new=side.text, claims=claims, details=why, source=source)


def compare_retrieval(before: Golden, after: Golden) -> Iterator[Change]:
    """Changes of the retrieval rating, and of whether the chunks contain the answer."""
    old, new = before.verdict.retrieval, after.verdict.retrieval
    if step := _RATINGS[new.rating] - _RATINGS[old.rating]:
        rule = "rating_raised" if step > 0 else "rating_dropped"
        yield change("retrieval", rule, f"rated {old.rating} -> {new.rating}: {new.reason}")
    was, now = _PRESENCE.get(old.answer_present), _PRESENCE.get(new.answer_present)
    if was is not None and now is not None and was != now:
        rule = "answer_found" if now > was else "answer_lost"
        text = f"holds the answer: {old.answer_present} -> {new.answer_present}"
        yield change("retrieval", rule, text, details=[new.presence_reason] if new.presence_reason else [])


def compare_chunks(before: Golden, after: Golden) -> Iterator[Change]:
    """Chunks that were added, removed, edited, renamed, re-ranked or rescored."""
    old, new = before.transcript.chunks, after.transcript.chunks
    names = partners(before, after)
    old_by_id = {chunk.id: chunk for chunk in old}
    same: list[tuple[Chunk, Chunk]] = []
    for chunk in new:
        name = names.get(chunk.id)
        if name is None:
            yield change("chunk", "chunk_new", f"chunk {chunk.id} is new", new=chunk.text)
            continue
        partner = old_by_id[name]
        same.append((partner, chunk))
        if name != chunk.id:
            yield change("chunk", "chunk_renamed", f"chunk {name} is called {chunk.id} now")
        elif partner.text != chunk.text:
            text = f"chunk {name} has another text"
            yield change("chunk", "chunk_edited", text, old=partner.text, new=chunk.text)
    kept = set(names.values())
    for chunk in old:
        if chunk.id not in kept:
            yield change("chunk", "chunk_gone", f"chunk {chunk.id} is gone", old=chunk.text)
    yield from _order_and_scores(same, old, new)


def partners(before: Golden, after: Golden) -> dict[str, str]:
    """Id of each new chunk that existed before -> its previous id."""
    by_text: dict[str, list[str]] = {}
    for chunk in before.transcript.chunks:
        by_text.setdefault(folded(chunk.text), []).append(chunk.id)
    found: dict[str, str] = {}
    for chunk in after.transcript.chunks:
        if same := by_text.get(folded(chunk.text), []):
            found[chunk.id] = same.pop(same.index(chunk.id) if chunk.id in same else 0)
    free = {chunk.id for chunk in before.transcript.chunks} - set(found.values())
    found = {name: name for name in free} | found
    return {chunk.id: found[chunk.id] for chunk in after.transcript.chunks if chunk.id in found}


def _order_and_scores(
    same: list[tuple[Chunk, Chunk]], old: tuple[Chunk, ...], new: tuple[Chunk, ...]
) -> Iterator[Change]:
    rank_before = {chunk.id: rank for rank, chunk in enumerate(old, start=1)}
    rank_after = {chunk.id: rank for rank, chunk in enumerate(new, start=1)}
    order = [rank_before[partner.id] for partner, _ in same]
    if order != sorted(order):
        moves = [
            f"{chunk.id} {rank_before[partner.id]} -> {rank_after[chunk.id]}"
            for partner, chunk in same
            if rank_before[partner.id] != rank_after[chunk.id]
        ]
        yield change("chunk", "chunks_reranked", f"another order: {', '.join(moves)}")
    scores = [
        f"{chunk.id} {decimals(partner.score)} -> {decimals(chunk.score)}"
        for partner, chunk in same
        if decimals(partner.score) != decimals(chunk.score)
    ]
    if scores:
        yield change("chunk", "chunks_rescored", f"other retrieval scores: {', '.join(scores)}")


def compare_citations(groups: Sequence[Group], before: Golden, after: Golden) -> Iterator[Change]:
    """Changes of the citations, claim by claim, and of the invalid citations."""
    old_sources = {chunk.id: chunk.id for chunk in before.transcript.chunks}
    names = partners(before, after)
    # A new chunk gets an id that did not occur before.
    new_sources = {chunk.id: names.get(chunk.id, f"new {chunk.id}") for chunk in after.transcript.chunks}
    cited_now = {
        key for item in after.verdict.citations if item.valid for key in _keys_of_citation(item, new_sources)
    }
    yield from _validity(before, after)
    for group in groups:
        old, new = _as_one(group.old), _as_one(group.new)
        if old.is_supported and not new.is_supported:
            continue
        had = _cited_chunks(group.old, before, old_sources)
        has = _cited_chunks(group.new, after, new_sources)
        lost, gained = set(had) - set(has), set(has) - set(had)
        # A marker can be gone while another one in the paragraph stands for the claim too.
        lost |= _marked(group.old, before, old_sources) - _marked(group.new, after, new_sources)

        def found(rule: str, message: str, old: Side = old, new: Side = new, group: Group = group) -> Change:
            before, after = _with_markers(group.old), _with_markers(group.new)
            indexes = (old.claim.index, new.claim.index)
            return change("citation", rule, message, old=before, new=after, claims=indexes)

        if lost and gained:
            targets = f"{_named_targets(had, lost)} -> {_named_targets(has, gained)}"
            was_wrong = any(had[key].supports is False for key in lost)
            away = any(has[key].supports is False for key in gained) and not was_wrong
            rule = "citation_points_away" if away else "citation_repointed"
            yield found(rule, f"cites another source: {targets}")
        elif lost:
            where = "only at other claims" if lost <= cited_now else "nowhere"
            gone = _named_targets(had, lost)
            yield found("citation_lost", f"does not cite {gone} any more; cited {where} now")
        elif gained:
            rule, when = ("citation_repointed", "too") if had else ("citation_gained", "now")
            yield found(rule, f"cites {_named_targets(has, gained)} {when}")


def _keys_of_citation(citation: CitationVerdict, sources: Mapping[str, str]) -> list[str]:
    """Keys for what a citation refers to, equal in both recordings: its chunks, or its target."""
    ids = citation.chunk_ids or ((citation.chunk_id,) if citation.chunk_id else ())
    found = [sources[item] for item in ids if item in sources]
    return found or [f"{citation.syntax} {citation.target}"]


def _cited_chunks(
    sides: Sequence[Side], record: Golden, sources: Mapping[str, str]
) -> dict[str, CitationVerdict]:
    citations = [record.verdict.citations[index] for side in sides for index in side.claim.citations]
    return {key: item for item in citations if item.valid for key in _keys_of_citation(item, sources)}


def _marked(sides: Sequence[Side], record: Golden, sources: Mapping[str, str]) -> set[str]:
    spans = [(side.claim.start, side.claim.end) for side in sides]
    found: set[str] = set()
    for item in record.verdict.citations:
        if item.valid and any(start <= item.start < end for start, end in spans):
            found.update(_keys_of_citation(item, sources))
    return found


def _with_markers(sides: Sequence[Side]) -> str:
    return "\n".join(side.claim.text for side in sides)


def _named_targets(cited: Mapping[str, CitationVerdict], keys: set[str]) -> str:
    return ", ".join(sorted({cited[key].chunk_id or cited[key].target for key in keys}))


def _validity(before: Golden, after: Golden) -> Iterator[Change]:
    old, new = _invalid(before), _invalid(after)
    for (text, target), items in sorted(new.items()):
        errors = (item.message for item in items[0].findings if item.severity == "error")
        message = f"{target}: {next(errors, 'it does not hold')}"
        for _ in items[len(old[text, target]) :]:
            yield change("citation", "citation_broken", message, new=text)
    for (text, target), items in sorted(old.items()):
        for _ in items[len(new[text, target]) :]:
            yield change("citation", "citation_repaired", f"{target} is not cited any more", old=text)


def _invalid(record: Golden) -> dict[tuple[str, str], list[CitationVerdict]]:
    found: dict[tuple[str, str], list[CitationVerdict]] = defaultdict(list)
    for item in record.verdict.citations:
        if not item.valid:
            found[item.text, item.target].append(item)
    return found


def compare_recording(before: Golden, after: Golden) -> Iterator[Change]:
    """Changes of the question, of text without claims, and of every other field of the recording."""
    old, new = before.transcript, after.transcript
    if old.question != new.question:
        text = "another question under the same id"
        yield change("recording", "question_changed", text, old=old.question, new=new.question)
    said, says = _unchecked_text(before), _unchecked_text(after)
    if said.casefold() != says.casefold():
        yield change("answer", "text_changed", "the text around the claims changed", old=said, new=says)
    left, right = _others(before), _others(after)
    if left == right:
        return
    from deepdiff import DeepDiff  # imported here for cost: 88 ms, and most recordings differ in nothing else

    found = DeepDiff(left, right, verbose_level=2, view="tree", threshold_to_diff_deeper=0)
    lines = []
    for item in chain.from_iterable(found.values()):
        place = ".".join(map(str, item.path(output_format="list")))
        lines.append(f"{place}: {_short_text(item.t1)} -> {_short_text(item.t2)}")
    text, details = (lines[0], []) if len(lines) == 1 else ("something else was recorded", sorted(lines))
    yield change("recording", "recording_changed", text, details=details)


def _others(record: Golden) -> dict[str, Any]:
    value = record.transcript.model_dump(mode="json")
    kept = {name: item for name, item in value.items() if name not in _ELSEWHERE}
    kept["metadata"] = {key: item for key, item in value["metadata"].items() if key not in VOLATILE}
    kept["chunks"] = {chunk["id"]: chunk["metadata"] for chunk in value["chunks"]}
    # A golden file contains no nulls: null and missing mean the same.
    found: dict[str, Any] = without_nulls(kept)
    return found


def _unchecked_text(record: Golden) -> str:
    return "\n".join(" ".join(claim.text.split()) for claim in record.verdict.claims if not claim.checked)


def _short_text(value: Any) -> str:
    """A value on one line; the marker of deepdiff for a missing value becomes "nothing"."""
    try:
        text = canonical_json(value)
    except (TypeError, ValueError):
        return "nothing"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def compare_recordings(before: Golden, after: Golden) -> tuple[Change, ...]:
    """The changes in meaning between two recordings judged by the same engine and settings."""
    language = language_of(after.transcript, Settings.of())
    old, new = sides(before, language), sides(after, language)
    claims, pairs, groups = compare_claims(old, new, before, after, language)
    found = [*_answer(before, after), *claims, *compare_citations(groups, before, after)]
    found += compare_retrieval(before, after)
    found += _compare_findings(found, pairs, before.verdict, after.verdict)
    found += _compare_figures(found, before.verdict, after.verdict)
    found += compare_chunks(before, after)
    found += compare_recording(before, after)
    return ordered_changes(found)


def _answer(before: Golden, after: Golden) -> Iterator[Change]:
    old, new = before.verdict, after.verdict
    if new.declined and not old.declined:
        # If sentences that supported the accepted answer are still retrieved, an answer is still possible.
        texts = [folded(chunk.text) for chunk in after.transcript.chunks]
        rests = [claim.evidence[0] for claim in old.claims if claim.status in BACKED and claim.evidence]
        kept = any(folded(item.text) in text for item in rests for text in texts)
        rule, text = "answer_declines_rightly", "declines, and the answer is no longer retrieved"
        if kept or new.retrieval.answer_present in ("full", "partial"):
            rule, text = "answer_declined", "declines, though the answer was retrieved"
        yield change("answer", rule, text)
    elif old.declined and not new.declined:
        yield change("answer", "answer_given", "answers, where it declined before")
    was, now = old.self_rag.usefulness, new.self_rag.usefulness
    if was.value != now.value and old.declined == new.declined:
        rule = "usefulness_gained" if now.value == "useful" else "usefulness_lost"
        yield change("answer", rule, f"{was.value} -> {now.value}: {now.reason}")


def _compare_figures(found: Sequence[Change], old: Verdict, new: Verdict) -> Iterator[Change]:
    """Changes of confidence and decision; left out where a change of the same grade explains them."""
    was, now = measured(old.confidence), measured(new.confidence)
    # No confidence counts as the lowest: what could be scored before no longer can.
    step = round((-1.0 if now is None else now) - (-1.0 if was is None else was), 9)
    rank = STATUS_RANK[new.status] - STATUS_RANK[old.status]
    rule = "verdict_better" if rank > 0 else "verdict_worse"
    if rank and not _is_explained(rule, found):
        yield change("verdict", rule, f"{old.status} -> {new.status}: {new.reason}")
    rule = "confidence_raised" if step > 0 else "confidence_dropped"
    tolerance = CONFIDENCE_TOLERANCE if rank else _TOLERANCE_OF_ONE_DECISION
    if abs(step) >= tolerance and not _is_explained(rule, found):
        yield change("confidence", rule, f"{decimals(was)} -> {decimals(now)}")


def _is_explained(rule: str, found: Sequence[Change]) -> bool:
    return any(item.grade == RULES[rule].grade for item in found)


def _compare_findings(found: Sequence[Change], pairs: Pairs, old: Verdict, new: Verdict) -> Iterator[Change]:
    was_of = {right.claim.index: left.claim.index for left, right in pairs}
    now_of = {before: after for after, before in was_of.items()}
    worse = any(item.grade == "regression" for item in found)
    for item in _unexplained(new, old, was_of, found, "regression"):
        # A finding on the whole answer or retrieval follows from findings on its parts.
        if worse and item.claim is None and item.citation is None:
            continue
        yield change("finding", "finding_new", f"{item.rule}: {item.message}", claims=(None, item.claim))
    for item in _unexplained(old, new, now_of, found, "improvement"):
        yield change("finding", "finding_gone", f"{item.rule}: {item.message}", claims=(item.claim, None))


def _unexplained(
    mine: Verdict, other: Verdict, partner: Mapping[int, int], found: Sequence[Change], grade: str
) -> Iterator[Cause]:
    is_new = grade == "regression"
    explaining = (item for item in found if item.grade == grade or item.rule in _SAID_BEFORE)
    graded = {item.new_claim if is_new else item.old_claim for item in explaining}
    invalid = any(item.rule == ("citation_broken" if is_new else "citation_repaired") for item in found)
    known = Counter((item.rule, claim) for item in other.causes for claim in _claims_of(item, other))
    for item in mine.causes:
        about = _claims_of(item, mine)
        broken = item.citation is not None and not mine.citations[item.citation].valid
        if item.severity == "info" or about & graded - {None} or (invalid and broken):
            continue
        keys = [(item.rule, None if claim is None else partner.get(claim)) for claim in about]
        # Findings on paired claims are the same finding; findings without a claim are counted.
        if same := [key for key in keys if known[key] > 0 and (key[1] is not None or None in about)]:
            known[same[0]] -= 1
        else:
            yield item


def _claims_of(item: Cause, verdict: Verdict) -> set[int | None]:
    about: set[int | None] = {item.claim, item.details.get("other_claim")}
    if item.citation is not None and item.citation < len(verdict.citations):
        about.add(verdict.citations[item.citation].claim)
    elif item.span is not None:
        start, end = item.span
        about |= {claim.index for claim in verdict.claims if claim.start < end and start < claim.end}
    return about - {None} or {None}
