"""What of a claim one of several citations stands behind: "It costs $12 online [1], $25 in a branch [2]"."""

from __future__ import annotations

from bisect import bisect_left

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.citations.extract import marker_spans
from pytest_grounding.text.bare import plain_text
from pytest_grounding.text.spans import Claim

_FEWEST_WORDS = 2


class Clauses:
    """The stretches of an answer between its markers."""

    def __init__(self, context: CheckContext) -> None:
        self._answer = context.transcript.answer
        self._citations = context.citations
        self._markers = marker_spans(context.citations)

    def before(self, index: int, claim: Claim) -> str:
        """The words of a claim from the marker before a citation up to it; "" where they are the whole claim.

        Markers without a word between them stand behind the same words.

        Args:
            index: the citation's number.
            claim: the claim that it belongs to.
        """
        at = bisect_left(self._markers, (self._citations[index].start, 0))
        if at == len(self._markers) or not claim.start <= self._markers[at][0] < claim.end:
            return ""
        end = self._markers[at][0]
        while at and not self._says(self._markers[at - 1][1], end):
            at -= 1
            end = self._markers[at][0]
        start = max(claim.start, self._markers[at - 1][1] if at else 0)
        is_whole = start == claim.start and not self._says_behind(at, claim.end)
        text = plain_text(self._answer, start, end, ())
        return "" if is_whole or len(text.split()) < _FEWEST_WORDS else text.strip(" ,;")

    def _says_behind(self, at: int, end: int) -> bool:
        """Whether a word of the claim stands behind a marker."""
        position = self._markers[at][1]
        for start, stop in self._markers[at + 1 :]:
            if start >= end:
                break
            if self._says(position, start):
                return True
            position = stop
        return self._says(position, end)

    def _says(self, start: int, end: int) -> bool:
        return any(char.isalnum() for char in self._answer[start:end])
