"""Compares what an answer quotes with the sources that it cites for it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.citation.filing import Findings
from pytest_grounding.checks.citation.listings import listing_findings
from pytest_grounding.checks.citation.quotes import (
    is_passage,
    is_quoted,
    is_term,
    is_term_of,
    nearest,
    quotations,
)
from pytest_grounding.checks.citation.resolution import Resolution
from pytest_grounding.citations.extract import marker_spans
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import masks_of

RULE = "content_match"
#: From this many wrong quotations on, the differences of one answer are no longer worked out.
_MAX_DIFFERENCES = 20
#: How many citations on each side of a quotation are looked at.
_MAX_BESIDE = 16
_SHOWN = 120
#: A marker that stands alone in the paragraph behind a block quotation.
_ALONE = lazy(r"\s{1,4}[—–-]?[ ]?(?:\[[^\]\r\n]{1,80}\]|\([^)\r\n]{1,80}\))(?=\s|\Z)")

#: Similarity from which a wrong quote is a near miss.
_NEAR_MISS = 0.85


def content_findings(findings: Findings, resolutions: Sequence[Resolution]) -> None:
    """File the findings of the rule "content match": providers' quotes, quotations of the text, code."""
    work = _Content(findings, resolutions)
    for index, citation in enumerate(findings.context.citations):
        quote = citation.target.quote
        if quote and quote.strip() and resolutions[index].is_valid:
            work.compare(quote.strip(), [index], index)
    work.quotations()
    work.code()
    listing_findings(findings, resolutions)


class _Content:
    def __init__(self, findings: Findings, resolutions: Sequence[Resolution]) -> None:
        self._findings = findings
        self._resolutions = resolutions
        self._left = _MAX_DIFFERENCES
        context = findings.context
        placed = [(item.start, index) for index, item in enumerate(context.citations) if item.start >= 0]
        placed.sort()
        self._starts = [start for start, _ in placed]
        self._indexes = [index for _, index in placed]
        self._sentence_starts = [sentence.start for sentence in context.sentences]

    def quotations(self) -> None:
        """Quotations in the text, each against what its sentence cites."""
        context = self._findings.context
        if not self._starts:
            return
        answer = context.transcript.answer
        for quotation in quotations(answer, marker_spans(context.citations)):
            members = self._beside(quotation.start, _with_marker(answer, quotation.end))
            if not members or is_quoted(quotation.text, context.transcript.question):
                continue
            if is_term(quotation.text) and self._is_known_term(quotation.text):
                continue
            after = [index for index in members if context.citations[index].start >= quotation.end - 1]
            self.compare(quotation.text, members, after[0] if after else members[-1])

    def code(self) -> None:
        """Code in backticks beside a code citation."""
        context = self._findings.context
        if "`" not in context.transcript.answer:
            return
        cited = [index for index, item in enumerate(context.citations) if item.target.path is not None]
        if not cited:
            return
        answer = context.transcript.answer
        for span in masks_of(answer):
            if span.kind != "inline_code":
                continue
            text = answer[span.inner_start : span.inner_end].strip()
            members = [
                index
                for index in self._beside(span.start, span.end)
                if context.citations[index].target.path is not None
            ]
            is_marker = any(
                context.citations[index].start < span.end and span.start < context.citations[index].end
                for index in members
            )
            if members and not is_marker and is_passage(text):
                self.compare(text, members, members[0])

    def _beside(self, start: int, end: int) -> list[int]:
        """The citations of the sentences that a stretch of the answer stands in."""
        sentences = self._findings.context.sentences
        first = max(bisect_right(self._sentence_starts, start) - 1, 0)
        last = bisect_left(self._sentence_starts, end)
        if not sentences or last <= first:
            return []
        low = bisect_left(self._starts, sentences[first].start)
        high = bisect_left(self._starts, max(sentences[last - 1].end, end))
        near = bisect_left(self._starts, start)
        return self._indexes[max(low, near - _MAX_BESIDE) : min(high, near + _MAX_BESIDE)]

    def _sources(self, index: int) -> list[tuple[str, str]]:
        """Name and text of what a citation resolved to."""
        resolution = self._resolutions[index]
        lines = self._findings.context.citations[index].target.lines
        if resolution.file is not None and lines is not None:
            return [(f"{resolution.file.path}:{lines[0]}-{lines[1]}", resolution.file.slice(*lines))]
        return [(f"chunk {chunk.id}", chunk.text) for chunk in resolution.chunks if chunk.text.strip()]

    def compare(self, quote: str, members: Sequence[int], blamed: int) -> None:
        """File a finding when no source of these citations holds a quotation."""
        context = self._findings.context
        valid = [index for index in members if self._resolutions[index].is_valid]
        sources = list(dict.fromkeys(source for index in valid for source in self._sources(index)))
        if not sources or any(is_quoted(quote, text) for _, text in sources):
            return
        if any(is_quoted(quote, title) for index in valid for title in self._titles(index)):
            return
        if blamed not in valid:
            blamed = valid[0]
        names = ", ".join(name for name, _ in sources)
        near = None
        elsewhere = ""
        if self._left > 0:
            self._left -= 1
            near = nearest(quote, [text for _, text in sources])
            elsewhere = next(
                (chunk.id for chunk in context.transcript.chunks if is_quoted(quote, chunk.text)), ""
            )
        details: dict[str, object] = {"quote": quote}
        if near is not None and near.similarity >= _NEAR_MISS:
            details |= {"similarity": near.similarity, "difference": near.difference, "source": near.source}
            message = f"the quotation differs from {names}: {near.difference}"
            suggestion = f"quote what the source says: {_short(near.source)!r}"
        else:
            message = f"the quoted words are not in {names}: {_short(quote)!r}"
            suggestion = "quote the source word by word, or drop the quotation marks"
        if elsewhere:
            suggestion = f"chunk {elsewhere} holds these words: cite it"
        self._findings.on_citation(blamed, RULE, "warning", message, suggestion=suggestion, details=details)

    def _titles(self, index: int) -> list[str]:
        return [title for chunk in self._resolutions[index].chunks for title in _titles_of(chunk)]

    def _is_known_term(self, term: str) -> bool:
        """Whether any chunk holds a term, cited or not: what is quoted is a word, and no statement."""
        chunks = self._findings.context.transcript.chunks
        return any(is_term_of(term, text) for chunk in chunks for text in (chunk.text, *_titles_of(chunk)))


def _with_marker(answer: str, end: int) -> int:
    """Where a quotation ends together with a marker that stands alone on the line behind it."""
    match = _ALONE.match(answer, end)
    return match.end() if match is not None else end


def _titles_of(chunk: Chunk) -> list[str]:
    metadata = chunk.metadata
    return [title for title in (metadata.title, metadata.section_title, metadata.document) if title]


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
