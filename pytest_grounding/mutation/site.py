"""A place for a fault, and the mutant that planting there gives."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from pytest_grounding.model.finding import Span
from pytest_grounding.model.transcript import Chunk, ProviderCitation, Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.mutation.sources import Sources

Aim = Literal["claim", "citation", "chunk", "order"]

#: Stands in a claim's text for each character that no fault of words may touch.
BLANK = "\ufffc"
_COUNTER = re.compile(r"\s*(?:[-*•+]\s+|#+\s+)?(?:\(?\d{1,3}[.):]\s+)?")
_CODE = re.compile(r"`[^`\n]*`|https?://[^\s)\]]+|www\.[^\s)\]]+")
_WORD = re.compile(r"\w+", re.UNICODE)
_ARTICLE = re.compile(r"(?:^|(?<=\W))([Aa]n?) $")


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
    """One supported claim of a validated transcript, ready to take a fault."""

    transcript: Transcript
    verdict: Verdict
    claim: ClaimVerdict
    sources: Sources
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
        """Replace a part of the claim; None where that changes nothing or cannot be told from the truth."""
        old = self.claim.text[start:end]
        if old == planted or (aim == "claim" and self.is_said(start, end, planted)):
            return None
        words = change or f"{old!r} -> {planted!r}"
        if aim == "claim":
            start, planted = _with_article(self.claim.text, start, planted)
        return self.splice(start, end, planted, aim=aim, change=words)

    def splice(self, start: int, end: int, planted: str, *, aim: Aim, change: str) -> Mutant | None:
        """As `edit`, but without a look at what the chunks say."""
        at = self.claim.start
        changed = replaced(self.transcript, at + start, at + end, planted)
        if changed is None:
            return None
        grown = len(planted) - (end - start)
        claim_span = (at, max(self.claim.end + grown, at + start + len(planted)))
        return Mutant(
            transcript=changed,
            aim=aim,
            span=(at + start, at + start + len(planted)),
            claim_span=claim_span,
            before=self.claim.text,
            after=changed.answer[slice(*claim_span)],
            change=change,
        )

    def is_said(self, start: int, end: int, planted: str) -> bool:
        """Whether a chunk says what the changed claim would say: in whole."""
        if not _WORD.search(planted):
            # Signs are no words: "€" before "90".
            return any(f"{planted}{self.text[end : end + 4]}" in text for text in self.sources.texts)
        whole = f"{self.text[:start]} {planted} {self.text[end:]}"
        if self.sources.say(whole):
            return True
        before = _WORD.findall(self.text[max(0, start - 40) : start])
        after = _WORD.findall(self.text[end : end + 40])
        # One neighbour on each side, or two on one: "by King Oskar" alone would be said of too much.
        left = 1 if after else 2
        right = 1 if before else 2
        return self.sources.say(" ".join([*before[-left:], planted, *after[:right]]))


def sites_of(transcript: Transcript, verdict: Verdict) -> list[Site]:
    """Every claim of a validated transcript as a place, whatever its status."""
    texts = [chunk.text for chunk in transcript.chunks]
    sources = Sources(texts, (transcript.question, transcript.answer))
    masked = masked_answer(transcript, verdict)
    return [Site(transcript, verdict, claim, sources, masked) for claim in verdict.claims]


def masked_answer(transcript: Transcript, verdict: Verdict) -> str:
    """The answer, of the same length, with citation markers, inline code and addresses blanked."""
    answer = transcript.answer
    spans = [match.span() for match in _CODE.finditer(answer)]
    spans += [(item.start, item.end) for item in verdict.citations if item.syntax != "provider"]
    parts: list[str] = []
    done = 0
    for start, end in sorted(span for span in spans if 0 <= span[0] < span[1]):
        if end > done:
            parts += [answer[done : max(done, start)], BLANK * (end - max(done, start))]
            done = end
    return "".join([*parts, answer[done:]])


def replaced(transcript: Transcript, start: int, end: int, planted: str) -> Transcript | None:
    """The transcript with a stretch of its answer replaced; provider spans move along."""
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


def with_chunk(transcript: Transcript, position: int, stand_in: Chunk | None) -> Transcript:
    """The transcript without one chunk, or with another one in its place."""
    middle = () if stand_in is None else (stand_in,)
    chunks = (*transcript.chunks[:position], *middle, *transcript.chunks[position + 1 :])
    return transcript.model_copy(update={"chunks": chunks})


def _with_article(text: str, start: int, planted: str) -> tuple[int, str]:
    """Widen an edit so that "a" and "an" fit the new word: ("an easy", "difficult") gives "a difficult"."""
    article = _ARTICLE.search(text[max(0, start - 4) : start])
    if not article or not planted[:1].isalpha():
        return start, planted
    right = article[1][0] + ("n" if planted[0].lower() in "aeiou" else "")
    if right == article[1]:
        return start, planted
    return start - len(article[1]) - 1, f"{right} {planted}"
