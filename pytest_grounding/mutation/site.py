"""Where a fault can be planted: the sources, words and claims of an answer, and whether a fault is named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from pytest_grounding.model.finding import Cause, Span
from pytest_grounding.model.transcript import ProviderCitation, Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict

_ANY_WORD = re.compile(r"\d+(?:[.,:]\d+)+|\w+", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: Shorter words are not characteristic of a topic.
_TOPIC_LENGTH = 4
Aim = Literal["claim", "citation", "chunk", "order"]
#: Replaces each character of a claim that no fault may change.
BLANK = "\ufffc"
_COUNTER = re.compile(r"\s*(?:[-*•+]\s+|#+\s+)?(?:\(?\d{1,3}[.):]\s+)?")
_CODE = re.compile(r"`[^`\n]*`|https?://[^\s)\]]+|www\.[^\s)\]]+")
_WORD = re.compile(r"\w+", re.UNICODE)
_ARTICLE = re.compile(r"(?:^|(?<=\W))([Aa]n?) $")
#: What named a fault: the status of its claim, a finding on its citation, or another finding.
Means = Literal["contradicted", "unsupported", "abstained", "citation", "finding"]
_BAD: tuple[Means, ...] = ("contradicted", "unsupported", "abstained")


def folded_words(text: str) -> str:
    """The words of a text in lower case, with one blank before, between and after them."""
    words = " ".join(_ANY_WORD.findall(text.lower()))
    return f" {words} " if words else ""


def plain_number(text: str) -> str:
    """A number without separators and trailing zeros: "1,200.50" gives "1200.5"."""
    value = text.replace(",", "")
    return value.rstrip("0").rstrip(".") if "." in value else value


def topic_words(text: str) -> frozenset[str]:
    """The longer words of a text, in lower case, each cut to six letters."""
    return frozenset(
        word[:6]
        for word in _ANY_WORD.findall(text.lower())
        if len(word) >= _TOPIC_LENGTH and word[0].isalpha()
    )


class FoldedSources:
    """The chunks of one transcript, folded once for all faults."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts: tuple[str, ...] = tuple(texts)
        self.folded: tuple[str, ...] = tuple(folded_words(text) for text in texts)
        self.words: frozenset[str] = frozenset(word for text in self.folded for word in text.split())
        self.numbers: frozenset[str] = frozenset(
            plain_number(number) for text in texts for number in _NUMBER.findall(text)
        )
        self._topics = [topic_words(text) for text in texts]
        self._known = frozenset().union(*self._topics)

    def say(self, words: str) -> bool:
        """Whether some chunk contains these words, adjacent and in this order."""
        folded = folded_words(words)
        return bool(folded) and any(folded in text for text in self.folded)

    def share_of(self, claim: str, chunk: int) -> float:
        """Share of a claim's topic words in one chunk, in [0, 1]; 0 for a claim without any."""
        words = topic_words(claim)
        return len(words & self._topics[chunk]) / len(words) if words else 0.0

    def know(self, words: Iterable[str]) -> int:
        """How many of these topic words are in any chunk."""
        return sum(word in self._known for word in words)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A transcript with one planted fault."""

    transcript: Transcript
    aim: Aim
    span: Span
    claim_span: Span
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class Site:
    """One supported claim of a validated transcript, where a fault can be planted."""

    transcript: Transcript
    verdict: Verdict
    claim: ClaimVerdict
    sources: FoldedSources
    masked: str
    text: str = field(init=False)

    def __post_init__(self) -> None:
        text = self.masked[self.claim.start : self.claim.end]
        counter = _COUNTER.match(text)
        blanked = counter.end() if counter else 0
        object.__setattr__(self, "text", BLANK * blanked + text[blanked:])

    def edit(
        self, start: int, end: int, planted: str, *, aim: Aim = "claim", change: str = ""
    ) -> Mutant | None:
        """Replace a part of the claim; None if that changes nothing or a chunk supports the result."""
        old = self.claim.text[start:end]
        if old == planted or (aim == "claim" and self.is_said(start, end, planted)):
            return None
        words = change or f"{old!r} -> {planted!r}"
        if aim == "claim":
            start, planted = _with_article(self.claim.text, start, planted)
        return self.splice(start, end, planted, aim=aim, change=words)

    def splice(self, start: int, end: int, planted: str, *, aim: Aim, change: str) -> Mutant | None:
        """Like `edit`, but without comparing the result with the chunks."""
        at = self.claim.start
        changed = with_replaced(self.transcript, at + start, at + end, planted)
        if changed is None:
            return None
        span = (at + start, at + start + len(planted))
        claim_span = (at, max(self.claim.end + len(planted) - (end - start), span[1]))
        after = changed.answer[slice(*claim_span)]
        return Mutant(changed, aim, span, claim_span, self.claim.text, after, change)

    def is_said(self, start: int, end: int, planted: str) -> bool:
        """Whether a chunk states the whole changed claim, or the planted words with their neighbours."""
        if not _WORD.search(planted):
            # Signs are not words: "€" before "90".
            return any(f"{planted}{self.text[end : end + 4]}" in text for text in self.sources.texts)
        whole = f"{self.text[:start]} {planted} {self.text[end:]}"
        if self.sources.say(whole):
            return True
        before = _WORD.findall(self.text[max(0, start - 40) : start])
        after = _WORD.findall(self.text[end : end + 40])
        # One neighbour on each side, or two on one side: "by King Oskar" alone would match too much.
        left = 1 if after else 2
        right = 1 if before else 2
        return self.sources.say(" ".join([*before[-left:], planted, *after[:right]]))


def sites_of(transcript: Transcript, verdict: Verdict) -> list[Site]:
    """Every claim of a validated transcript as a place, whatever its status."""
    sources = FoldedSources([chunk.text for chunk in transcript.chunks])
    masked = masked_answer(transcript, verdict)
    return [Site(transcript, verdict, claim, sources, masked) for claim in verdict.claims]


def masked_answer(transcript: Transcript, verdict: Verdict) -> str:
    """The answer, of the same length, with citation markers, inline code and addresses blanked."""
    answer = transcript.answer
    spans = [match.span() for match in _CODE.finditer(answer)]
    spans += [(item.start, item.end) for item in verdict.citations if item.syntax != "provider"]
    characters = list(answer)
    for start, end in spans:
        characters[start:end] = BLANK * (end - start)
    return "".join(characters)


def with_replaced(transcript: Transcript, start: int, end: int, planted: str) -> Transcript | None:
    """The transcript with a stretch of its answer replaced; offsets of provider citations are shifted."""
    grown = len(planted) - (end - start)
    answer = transcript.answer[:start] + planted + transcript.answer[end:]
    spans: list[ProviderCitation] = []
    for span in transcript.citations:
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
    return transcript.model_copy(update={"answer": answer, "citations": tuple(spans)})


def _with_article(text: str, start: int, planted: str) -> tuple[int, str]:
    """Widen an edit so that "a" and "an" fit the new word: ("an easy", "difficult") gives "a difficult"."""
    article = _ARTICLE.search(text[max(0, start - 4) : start])
    if not article or not planted[:1].isalpha():
        return start, planted
    right = article[1][0] + ("n" if planted[0].lower() in "aeiou" else "")
    if right == article[1]:
        return start, planted
    return start - len(article[1]) - 1, f"{right} {planted}"


def named_by(before: Verdict, after: Verdict, mutant: Mutant) -> Means | None:
    """What in the verdict on a mutant names the fault, or None if the mutant survives."""
    claims = touched_claims(after, mutant)
    span = mutant.span if mutant.aim == "citation" else mutant.claim_span
    marks = [item for item in after.citations if _spans_meet((item.start, item.end), span)]
    old = _known_findings(before, mutant)
    is_cited_wrongly = _has_new(old, (item for citation in marks for item in citation.findings))
    if mutant.aim == "citation" and is_cited_wrongly:
        return "citation"
    statuses = {claim.status for claim in claims}
    if worst := next((status for status in _BAD if status in statuses), None):
        return worst
    if is_cited_wrongly:
        return "citation"
    indexes = {claim.index for claim in claims}
    if _has_new(old, (item for item in after.causes if item.claim in indexes)):
        return "finding"
    return None


def touched_claims(after: Verdict, mutant: Mutant) -> list[ClaimVerdict]:
    """The claims in a mutant's verdict that contain the change."""
    span = mutant.span if mutant.aim in ("claim", "order") else mutant.claim_span
    return [claim for claim in after.claims if _spans_meet((claim.start, claim.end), span)]


def _has_new(old: Set[tuple[str, str]], findings: Iterable[Cause]) -> bool:
    return any(
        item.severity in {"error", "warning"} and (item.rule, item.severity) not in old for item in findings
    )


def _known_findings(before: Verdict, mutant: Mutant) -> Set[tuple[str, str]]:
    start = mutant.claim_span[0]
    claims = {claim.index for claim in before.claims if claim.start == start}
    marks = {index for claim in before.claims if claim.index in claims for index in claim.citations}
    findings: list[Cause] = [item for item in before.causes if item.claim in claims or item.citation in marks]
    for index in marks:
        findings += before.citations[index].findings
    return {(item.rule, item.severity) for item in findings}


def _spans_meet(first: Span, second: Span) -> bool:
    """Whether two spans overlap; an empty one is widened by a character on both sides."""
    start, end = second if second[0] < second[1] else (max(0, second[0] - 1), second[1] + 1)
    return first[0] < end and start < first[1]
