"""What became of each claim: reworded, moved, added, removed, and what happened to its support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding.engine import support
from pytest_grounding.golden.changes import Change, change
from pytest_grounding.golden.match import SUPPORTED, Side, folded, outside_order, pair
from pytest_grounding.golden.record import Golden
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.scorers.lexical.conflicts import conflicts_between

#: Support of one claim by another from which they say the same.
_RESTATED = 0.8
# Claims that are left over on both sides are compared with the other answer; this many, not all.
_MOST_LOOKED_UP = 40

Pairs = list[tuple[Side, Side]]


def compare_claims(
    old: Sequence[Side], new: Sequence[Side], before: Golden, after: Golden, language: str
) -> tuple[list[Change], Pairs]:
    """What became of the claims."""
    matched = pair(old, new)
    moved = outside_order(matched)
    changes = []
    for left, right in matched:
        found = _compare(old[left], new[right], before, after, language, moved=right in moved)
        if found is not None:
            changes.append(found)
    lefts, rights = {left for left, _ in matched}, {right for _, right in matched}
    declines = after.verdict.declined and not before.verdict.declined
    gone = [side for index, side in enumerate(old) if index not in lefts]
    come = [side for index, side in enumerate(new) if index not in rights]
    changes += _vanished(gone, new, language, declines=declines)
    changes += _added(come, old, language)
    return changes, [(old[left], new[right]) for left, right in matched]


def _compare(
    old: Side, new: Side, before: Golden, after: Golden, language: str, *, moved: bool
) -> Change | None:
    """The one change of a pair of claims, or None where nothing changed."""
    same_words = folded(old.text) == folded(new.text)
    kinds = () if same_words else differences(old, new, language)
    rule = _rule(old, new, before, after, language, kinds=kinds, same_words=same_words)
    if rule is None and not moved:
        return None
    notes = [*kinds, *(["it stands in another place"] if moved else [])]
    if rule in _OF_STATUS:
        notes.insert(0, f"{old.claim.status} -> {new.claim.status}")
    if rule == "claim_contradicted" and not kinds:
        notes += [conflict.message for conflict in new.claim.conflicts][:2]
    rule = rule or "claim_moved"
    return change(
        "claim",
        rule,
        _MESSAGES[rule].format(old=old.claim.status, new=new.claim.status),
        old=old.text,
        new=new.text,
        claims=(old.claim.index, new.claim.index),
        details=dict.fromkeys(notes),
    )


_OF_STATUS = (
    "claim_contradicted",
    "claim_lost_support",
    "claim_gained_support",
    "claim_support_shifted",
    "claim_rests_the_same",
)
_MESSAGES = {
    "claim_contradicted": "was {old}, and a source now says otherwise",
    "claim_lost_support": "was {old}, and is {new} now",
    "claim_not_scored": "was {old}, and could not be scored now",
    "claim_changed_meaning": "says something else, and no source changed with it",
    "claim_gained_support": "was {old}, and is {new} now",
    "claim_follows_source": "says something else, as its changed source does",
    "claim_restates_accepted": "is scored as {new}, but says the same as the accepted claim",
    "claim_waived": "is {new}, which a person waived",
    "claim_rests_the_same": "is scored as {new}, but its words and its whole evidence are the same",
    "claim_reworded": "says the same in other words",
    "claim_moved": "stands in another place",
    "claim_support_shifted": "was {old}, and is {new} now",
}


def _rule(
    old: Side,
    new: Side,
    before: Golden,
    after: Golden,
    language: str,
    *,
    kinds: Sequence[str],
    same_words: bool,
) -> str | None:
    status = new.claim.status
    if new.is_waived and status not in SUPPORTED:
        return None if old.is_waived and same_words else "claim_waived"
    if old.is_supported and not new.is_supported:
        if status == "abstained":
            return "claim_not_scored"
        if status == "contradicted":
            return "claim_contradicted"
        # A chunk that left or came beside the claim says nothing about it.
        if same_words and old.evidence == new.evidence != ():
            return "claim_rests_the_same"
        if not kinds and not same_words and _restates(old, new, after.transcript, language):
            return "claim_restates_accepted"
        return "claim_lost_support"
    if new.is_supported and not old.is_supported:
        return "claim_gained_support"
    if status == "contradicted" != old.claim.status:
        return "claim_contradicted"
    if kinds:
        follows = new.is_supported and new.evidence and not _holds(before.transcript, new.evidence[0])
        return "claim_follows_source" if follows else "claim_changed_meaning"
    if status != old.claim.status:
        return "claim_support_shifted"
    return None if same_words else "claim_reworded"


def differences(old: Side, new: Side, language: str) -> tuple[str, ...]:
    """What one claim says otherwise than the other, in words; nothing where they may be paraphrases."""
    found = [
        f'{item.kind}: "{item.evidence_text}" -> "{item.claim_text}"'
        for item in conflicts_between(new.text, old.text, language=language)
        if item.severity == "error"
    ]
    lost, gained = sorted(old.numbers - new.numbers), sorted(new.numbers - old.numbers)
    if lost and gained and not any(text.startswith(("number", "date", "unit")) for text in found):
        found.append(f"number: {', '.join(lost)} -> {', '.join(gained)}")
    return tuple(found)


def _restates(old: Side, new: Side, after: Transcript, language: str) -> bool:
    """Does a claim that scored as unsupported say what the accepted one says, from a source still there."""
    if old.numbers != new.numbers or not old.evidence or not _holds(after, old.evidence[0]):
        return False
    there = support(new.text, [old.text], language=language)
    back = support(old.text, [new.text], language=language)
    return all(
        score.probability is not None and score.probability >= _RESTATED and not score.conflicts
        for score in (there, back)
    )


def _holds(transcript: Transcript, sentence: str) -> bool:
    return any(sentence in folded(chunk.text) for chunk in transcript.chunks)


def _is_said(side: Side, others: Sequence[Side], language: str) -> bool:
    """Is the claim still said by the other answer, as part of other claims."""
    near = [other.text for other in others if side.stems & other.stems][:_MOST_LOOKED_UP]
    if not near:
        return False
    score = support(side.text, near, language=language)
    clash = any(conflict.severity == "error" for conflict in score.conflicts)
    said = frozenset().union(*(other.numbers for other in others))
    return (
        score.probability is not None
        and score.probability >= _RESTATED
        and not clash
        and side.numbers <= said
    )


def _vanished(
    gone: Sequence[Side], new: Sequence[Side], language: str, *, declines: bool
) -> Iterator[Change]:
    for number, side in enumerate(gone):
        claims = (side.claim.index, None)
        if not side.is_supported:
            text = f"was {side.claim.status}, and is not said any more"
            yield change("claim", "hallucination_gone", text, old=side.text, claims=claims)
        elif declines:
            yield change("claim", "follows", "the answer declines", old=side.text, claims=claims)
        elif number < _MOST_LOOKED_UP and _is_said(side, new, language):
            yield change("claim", "claim_merged", "is part of other claims", old=side.text, claims=claims)
        else:
            text = f"was {side.claim.status}, and is not said any more"
            yield change("claim", "claim_vanished", text, old=side.text, claims=claims)


def _added(come: Sequence[Side], old: Sequence[Side], language: str) -> Iterator[Change]:
    for number, side in enumerate(come):
        claims = (None, side.claim.index)
        if not side.is_supported:
            text = f"is new, and {side.claim.status}"
            why = [item.message for item in side.claim.conflicts][:2]
            yield change("claim", "claim_added_unsupported", text, new=side.text, claims=claims, details=why)
        elif number < _MOST_LOOKED_UP and _is_said(side, old, language):
            yield change("claim", "claim_split", "was part of another claim", new=side.text, claims=claims)
        elif side.is_waived and side.claim.status not in SUPPORTED:
            text = f"is new, and {side.claim.status}, which a person waived"
            yield change("claim", "claim_waived", text, new=side.text, claims=claims)
        else:
            yield change("claim", "claim_added", "is new, and supported", new=side.text, claims=claims)
