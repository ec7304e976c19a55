"""Where a fault can be planted: the sources, words and claims of an answer, and whether a fault is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pytest_grounding.model.finding import Cause, Span
from pytest_grounding.model.transcript import ProviderCitation, Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict

_ANY_WORD = re.compile(r"\d+(?:[.,:]\d+)+|\w+", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
Aim = Literal["claim", "citation", "chunk", "order"]
BLANK = "\ufffc"  # replaces each character of a claim that no fault may change
_COUNTER = re.compile(r"\s*(?:[-*•+]\s+|#+\s+)?(?:\(?\d{1,3}[.):]\s+)?")
_CODE = re.compile(r"`[^`\n]*`|https?://[^\s)\]]+|www\.[^\s)\]]+")
_WORD = re.compile(r"\w+", re.UNICODE)
_ARTICLE = re.compile(r"(?:^|(?<=\W))([Aa]n?) $")
#: What named a fault: the status of its claim, a finding on its citation, or another finding.
Means = Literal["contradicted", "unsupported", "abstained", "citation", "finding"]
REJECTED: tuple[Means, ...] = ("contradicted", "unsupported", "abstained")


def folded_words(text: str) -> str:
    """The words of a text in lower case, with one blank before, between and after them."""
    words = " ".join(_ANY_WORD.findall(text.lower()))
    return f" {words} " if words else ""


def plain_number(text: str) -> str:
    """A number without separators and trailing zeros: "1,200.50" gives "1200.5"."""
    value = text.replace(",", "")
    return value.rstrip("0").rstrip(".") if "." in value else value


def topic_words(text: str) -> frozenset[str]:
    """The words of a text that show its topic, so none below four letters, each cut to six."""
    words = _ANY_WORD.findall(text.lower())
    return frozenset(word[:6] for word in words if len(word) >= 4 and word[0].isalpha())


class FoldedSources:
    """The chunks of one transcript, folded once for all faults."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        self.numbers = frozenset(plain_number(number) for text in texts for number in _NUMBER.findall(text))
        self._folded = tuple(map(folded_words, texts))
        self.words = frozenset("".join(self._folded).split())
        self._topics_by_chunk = tuple(map(topic_words, texts))
        self.topics = frozenset[str]().union(*self._topics_by_chunk)

    def say(self, words: str) -> bool:
        """Whether some chunk contains these words, adjacent and in this order."""
        folded = folded_words(words)
        return bool(folded) and any(folded in text for text in self._folded)

    def shares_of(self, claim: str) -> list[float]:
        """Share of a claim's topic words in each chunk, in [0, 1]; 0 for a claim without any."""
        words = topic_words(claim)
        return [len(words & topics) / max(1, len(words)) for topics in self._topics_by_chunk]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A transcript with one planted fault."""

    transcript: Transcript
    span: Span
    claim_span: Span
    before: str
    after: str
    change: str
    aim: Aim = "claim"


@dataclass(frozen=True)
class Site:
    """One supported claim of a validated transcript, where a fault can be planted."""

    transcript: Transcript
    verdict: Verdict
    claim: ClaimVerdict
    sources: FoldedSources
    masked: str

    @cached_property
    def text(self) -> str:
        """The claim, of the same length, with a list counter and what is masked blanked."""
        text = self.masked[self.claim.start : self.claim.end]
        return _COUNTER.sub(lambda counter: BLANK * len(counter[0]), text, count=1)

    def edit(self, start: int, end: int, planted: str) -> Mutant | None:
        """Replace words of the claim; None if that changes nothing or a chunk supports the result."""
        old = self.claim.text[start:end]
        if old == planted or self._is_said(start, end, planted):
            return None
        change = f"{old!r} -> {planted!r}"
        article = _ARTICLE.search(self.claim.text[max(0, start - 4) : start])
        if article and planted[:1].isalpha():
            # "an easy" becomes "a difficult".
            right = article[1][0] + ("n" if planted[0].lower() in "aeiou" else "")
            if right != article[1]:
                start, planted = start - len(article[1]) - 1, f"{right} {planted}"
        return self.splice(start, end, planted, change)

    def splice(self, start: int, end: int, planted: str, change: str, **more: object) -> Mutant | None:
        """Replace a part of the claim, whatever the chunks say; None if that cuts a provider's citation."""
        grown = len(planted) - (end - start)
        start, end = self.claim.start + start, self.claim.start + end
        answer = self.transcript.answer[:start] + planted + self.transcript.answer[end:]
        spans: list[ProviderCitation] = []
        for span in self.transcript.citations:
            if span.end <= start:
                spans.append(span)
                continue
            if span.start >= end:
                moved = (span.start + grown, span.end + grown)
            elif span.start <= start and end <= span.end:
                moved = (span.start, span.end + grown)
            else:
                return None
            text = None if span.text is None else answer[slice(*moved)]
            spans.append(span.model_copy(update={"start": moved[0], "end": moved[1], "text": text}))
        new = {"answer": answer, "citations": tuple(spans), **more}
        return self.mutant(new, (start, start + len(planted)), change, grown)

    def mutant(self, new: Mapping[str, object], span: Span, change: str, grown: int = 0) -> Mutant:
        """The transcript with new fields, its claim grown by so many characters."""
        changed = self.transcript.model_copy(update=new)
        claim_span = (self.claim.start, max(self.claim.end + grown, span[1]))
        after = changed.answer[slice(*claim_span)]
        return Mutant(changed, span, claim_span, self.claim.text, after, change)

    def _is_said(self, start: int, end: int, planted: str) -> bool:
        """Whether a chunk states the whole changed claim, or the planted words with their neighbours."""
        if not _WORD.search(planted):
            # Signs are not words: "€" before "90".
            return any(f"{planted}{self.text[end : end + 4]}" in text for text in self.sources.texts)
        before = _WORD.findall(self.text[max(0, start - 40) : start])
        after = _WORD.findall(self.text[end : end + 40])
        # One neighbour on each side, or two on one side: "by King Oskar" alone would match too much.
        left = 1 if after else 2
        right = 1 if before else 2
        near = " ".join([*before[-left:], planted, *after[:right]])
        whole = f"{self.text[:start]} {planted} {self.text[end:]}"
        return self.sources.say(whole) or self.sources.say(near)


def sites_of(transcript: Transcript, verdict: Verdict) -> list[Site]:
    """Every claim of a validated transcript as a place, whatever its status."""
    sources = FoldedSources([chunk.text for chunk in transcript.chunks])
    masked = transcript.answer
    markers = [(item.start, item.end) for item in verdict.citations if item.syntax != "provider"]
    for start, end in [*markers, *(match.span() for match in _CODE.finditer(transcript.answer))]:
        masked = f"{masked[:start]}{BLANK * (end - start)}{masked[end:]}"
    return [Site(transcript, verdict, claim, sources, masked) for claim in verdict.claims]


def named_by(before: Verdict, after: Verdict, mutant: Mutant) -> Means | None:
    """What in the verdict on a mutant names the fault, or None if the mutant survives."""
    own = {claim.index for claim in before.claims if claim.start == mutant.claim_span[0]}
    marks = {mark for claim in before.claims if claim.index in own for mark in claim.citations}
    old = _alarms(item for item in before.causes if item.claim in own or item.citation in marks)
    old |= _alarms(item for mark in marks for item in before.citations[mark].findings)
    span = mutant.span if mutant.aim == "citation" else mutant.claim_span
    cited = [item for item in after.citations if _spans_meet((item.start, item.end), span)]
    is_cited_wrongly = not old >= _alarms(item for citation in cited for item in citation.findings)
    claims = {claim.index: claim.status for claim in touched_claims(after, mutant)}
    statuses = [status for status in REJECTED if status in claims.values()]
    if is_cited_wrongly and (mutant.aim == "citation" or not statuses):
        return "citation"
    if statuses:
        return statuses[0]
    return None if old >= _alarms(item for item in after.causes if item.claim in claims) else "finding"


def touched_claims(after: Verdict, mutant: Mutant) -> list[ClaimVerdict]:
    """The claims in a mutant's verdict that contain the change."""
    span = mutant.span if mutant.aim in ("claim", "order") else mutant.claim_span
    return [claim for claim in after.claims if _spans_meet((claim.start, claim.end), span)]


def _alarms(findings: Iterable[Cause]) -> set[tuple[str, str]]:
    return {(item.rule, item.severity) for item in findings if item.severity in {"error", "warning"}}


def _spans_meet(first: Span, second: Span) -> bool:
    """Whether two spans overlap; an empty one is widened by a character on both sides."""
    start, end = second if second[0] < second[1] else (max(0, second[0] - 1), second[1] + 1)
    return first[0] < end and start < first[1]
