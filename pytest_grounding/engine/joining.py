"""One fault, one finding: what several rules found on the same words of an answer is joined."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.finding import Finding, Span
from pytest_grounding.text.spans import Claim

#: What findings share that are about one thing: a claim, a citation outside of the text, a stretch of words.
_Key = tuple[str, int]


def joined(findings: Sequence[Finding], context: CheckContext) -> list[Finding]:
    """The findings with those of one place as one, in the order in which the places were first found.

    Findings on one claim, or on a citation of it, are one. So are others whose spans overlap. A finding on
    the whole answer or the retrieval stays alone, and so does one whose words hold more than one claim.

    Args:
        findings: one for each thing that a rule found.
        context: the transcript taken apart.
    """
    places = _places(findings, context)
    groups: dict[_Key, list[Finding]] = {}
    for number, (finding, place) in enumerate(zip(findings, places, strict=True)):
        groups.setdefault(place or ("alone", number), []).append(finding)
    if len(groups) == len(findings):
        return list(findings)
    # Most answers have nothing to join, and load nothing for it.
    from pytest_grounding.model.joining import as_one

    return [
        group[0] if len(group) == 1 else as_one([part for finding in group for part in finding.parts])
        for group in groups.values()
    ]


def _places(findings: Sequence[Finding], context: CheckContext) -> list[_Key | None]:
    """For each finding what it is about; None where it shares that with no other."""
    claims = _Claims(context.claims)
    places: list[_Key | None] = []
    free: list[tuple[Span, int]] = []
    for number, finding in enumerate(findings):
        place: _Key | None = None
        if finding.claim is not None:
            place = ("claim", finding.claim)
        elif finding.span is not None:
            held = claims.over(*finding.span)
            if len(held) == 1 and held[0].start <= finding.span[0] and finding.span[1] <= held[0].end:
                place = ("claim", held[0].index)
            elif len(held) <= 1:
                free.append((finding.span, number))
        elif finding.citation is not None:
            place = ("citation", finding.citation)  # an entry of the response's list stands nowhere
        places.append(place)
    end = first = -1
    for (start, stop), number in sorted(free):
        if start >= end:
            first = number
        end = max(end, stop)
        places[number] = ("words", first)
    return places


class _Claims:
    """Finds the claims that a stretch of the answer touches, without a walk over all of them."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._claims = claims
        self._starts = [claim.start for claim in claims]

    def over(self, start: int, end: int) -> Sequence[Claim]:
        """The claims that share a character with a span, two at most."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = bisect_left(self._starts, max(end, start + 1))
        near = self._claims[first : min(last, first + 3)]
        return [claim for claim in near if claim.start < max(end, start + 1) and start < claim.end][:2]
