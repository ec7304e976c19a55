"""Numbers and dates that only a language tells, written so that every reader knows them, and the way back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding._patterns import lazy
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.base import ClaimText, SupportScore
from pytest_grounding.text.facts.numberwords import with_digits
from pytest_grounding.text.facts.spelling import with_plain_dates


def _whole_words(text: str, start: int, end: int) -> tuple[int, str]:
    """A stretch of a text with the rest of the words that it cuts, and where it starts."""
    while start > 0 and text[start - 1].isalpha() and text[start].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha() and text[end - 1].isalpha():
        end += 1
    return start, text[start:end]


#: Several numbers in brackets.
_SEVERAL = lazy(r"\[\d{1,6}(?:\s?,\s?\d{1,6}){1,20}\]")
_NUMBER = lazy(r"\d+")


class LocalNumbers:
    """Chunks and claims with dates and number words as every reader knows them, of the same lengths.

    Args:
        language: that is in force.
        tag: BCP 47 tag that was asked for: its region tells the order of dates.
    """

    def __init__(self, language: str, tag: str) -> None:
        self._language = language
        self._tag = tag if tag.lower().startswith(language) else language
        self._own: dict[str, str] = {}
        self._count = 0

    def _rewritten(self, text: str) -> str:
        return with_plain_dates(with_digits(text, self._language), self._tag)

    def chunks(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with such texts."""
        found = []
        self._count = len(chunks)
        for chunk in chunks:
            text = self._rewritten(chunk.text)
            if text != chunk.text:
                self._own[chunk.id] = chunk.text
                chunk = chunk.model_copy(update={"text": text})
            found.append(chunk)
        return found

    def claim(self, claim: ClaimText) -> ClaimText:
        """The claim with such a text; what no marker can be stands in parentheses, and is read."""
        text = self._rewritten(claim.text)
        if "[" in text:
            text = _SEVERAL.sub(self._as_content, text)
        return claim if text == claim.text else replace(claim, text=text)

    def _as_content(self, found: re.Match[str]) -> str:
        numbers = [int(number) for number in _NUMBER.findall(found[0])]
        is_marker = len(numbers) > 1 and min(numbers) > 0 and max(numbers) <= self._count
        return found[0] if is_marker else f"({found[0][1:-1]})"

    def quoted(self, score: SupportScore, claim: ClaimText) -> SupportScore:
        """A score that quotes the claim and the chunks as they are written."""
        if not self._own and self.claim(claim).text == claim.text:
            return score
        conflicts = tuple(self._conflict(item, claim.text) for item in score.conflicts)
        reason = score.reason
        for before, after in zip(score.conflicts, conflicts, strict=True):
            if before.message:
                reason = reason.replace(before.message, after.message)
        evidence = tuple(map(self._evidence, score.evidence))
        return replace(score, evidence=evidence, conflicts=conflicts, reason=reason)

    def _evidence(self, found: Evidence) -> Evidence:
        own = self._own.get(found.chunk_id)
        return found if own is None else found.model_copy(update={"text": own[found.start : found.end]})

    def _conflict(self, conflict: Conflict, claim: str) -> Conflict:
        found = self._evidence(conflict.evidence)
        start, theirs = conflict.claim_start or 0, conflict.evidence_text
        start, ours = _whole_words(claim, start, start + len(conflict.claim_text))
        at = conflict.evidence.text.find(theirs)
        if at >= 0:
            _, theirs = _whole_words(found.text, at, at + len(theirs))
        message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
        message = message.replace(f'"{conflict.evidence_text}"', f'"{theirs}"')
        changes = {
            "evidence": found,
            "claim_text": ours,
            "claim_start": start,
            "evidence_text": theirs,
            "message": message,
        }
        return conflict.model_copy(update=changes)
