"""Which claims each citation covers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.citations.base import PROVIDER
from pytest_grounding.citations.extract import marker_spans

#: One citation covers no more claims than this.
MAX_COVERED = 40


def covered_claims(context: CheckContext) -> list[tuple[int, ...]]:
    """For each citation the claims that it covers, in order; empty where it belongs to none.

    A marker at the end of a sentence covers all clauses of it that come after the marker before; one
    inside a sentence covers the clause that owns it. A provider's span covers the claims that it
    overlaps, and an insertion point the claim before it. Time is linear in all of them.
    """
    members: dict[int, list[int]] = {}
    for claim in context.claims:
        members.setdefault(claim.sentence, []).append(claim.index)
    last_words = _last_words(context, members)
    final: list[bool] = []
    inner: dict[int, int] = {}
    for citation, owner in zip(context.citations, context.owners, strict=True):
        is_final = False
        if owner is not None and citation.syntax != PROVIDER:
            sentence = context.claims[owner].sentence
            is_last = owner == members[sentence][-1]
            is_final = is_last and citation.end > last_words[sentence]
            if not is_last:
                inner[sentence] = max(inner.get(sentence, -1), owner)
        final.append(is_final)
    rest = {
        sentence: tuple(index for index in indexes if index > inner.get(sentence, -1))[-MAX_COVERED:]
        for sentence, indexes in members.items()
    }
    starts = [claim.start for claim in context.claims]
    covered: list[tuple[int, ...]] = []
    for citation, owner, is_final in zip(context.citations, context.owners, final, strict=True):
        if citation.syntax == PROVIDER and citation.start >= 0:
            covered.append(_overlapped(context, starts, citation.start, citation.end))
        elif owner is None:
            covered.append(())
        else:
            covered.append(rest[context.claims[owner].sentence] if is_final else (owner,))
    return covered


def _last_words(context: CheckContext, members: dict[int, list[int]]) -> dict[int, int]:
    """For each sentence with claims the offset behind its last letter or digit outside of a marker."""
    answer = context.transcript.answer
    markers = marker_spans(context.citations)
    ends = [end for _, end in markers]
    found: dict[int, int] = {}
    for number in members:
        sentence = context.sentences[number]
        position = sentence.end
        marker = bisect_right(ends, position) - 1
        while position > sentence.start:
            if marker >= 0 and markers[marker][1] >= position:
                position = min(position, markers[marker][0])
                marker -= 1
            elif answer[position - 1].isalnum():
                break
            else:
                position -= 1
        found[number] = position
    return found


def _overlapped(context: CheckContext, starts: list[int], start: int, end: int) -> tuple[int, ...]:
    """The claims of which a span of the answer holds at least one letter or digit."""
    answer, claims = context.transcript.answer, context.claims
    if start == end:
        index = bisect_left(starts, start) - 1
        return (index,) if index >= 0 else ()
    found: list[int] = []
    for index in range(max(bisect_right(starts, start) - 1, 0), len(claims)):
        claim = claims[index]
        if claim.start >= end or len(found) == MAX_COVERED:
            break
        words = answer[max(claim.start, start) : min(claim.end, end)]
        if any(char.isalnum() for char in words):
            found.append(index)
    return tuple(found)
