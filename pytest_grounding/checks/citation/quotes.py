"""The rule "content match": quotations and code in an answer occur in the cited source."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.citation.resolution import Findings, Resolution
from pytest_grounding.citations.extract import marker_spans
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import masks_of, read_once
from pytest_grounding.reading.quotations import WORD, is_passage, is_quoted, is_term, is_term_of, quotations
from pytest_grounding.reading.visible_text import fold

_MAX_WORDS = 150  # words of a quotation and of a stretch of a source that are compared for a near miss
_SHOWN_CHANGE = 160
_MAX_DIFFERENCES = 20  # from this many wrong quotations on, differences are no longer computed
_MAX_BESIDE = 16  # citations on either side of a quotation that are tried
_SHOWN = 120
#: A marker alone in the paragraph after a block quotation.
_ALONE = lazy(r"\s{1,4}[—–-]?[ ]?(?:\[[^\]\r\n]{1,80}\]|\([^)\r\n]{1,80}\))(?=\s|\Z)")
_NEAR_MISS = 0.85  # similarity from which a wrong quote is a near miss


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The differences between a quotation and its source."""

    similarity: float  # share of equal characters, in [0, 1]
    difference: str  # the quotation with each change in brackets: ``within 30 [days → hours]``
    source: str  # the most similar words of the source


@read_once
def _words_with_places(text: str) -> tuple[tuple[str, str], ...]:
    folded = fold(text)
    found = WORD.finditer(folded.text)
    return tuple((text[slice(*folded.span(*match.span()))], match[0]) for match in found)


def nearest(quote: str, sources: Iterable[str]) -> NearMiss | None:
    """The stretch of the sources most similar to a quotation; None if they share nothing."""
    said = _words_with_places(quote)[:_MAX_WORDS]
    words, folded = [word for word, _ in said], [plain for _, plain in said]
    found = (_near(words, folded, _words_with_places(source)) for source in sources)
    return max(filter(None, found), key=lambda item: item.similarity, default=None)


def _near(words: list[str], folded: list[str], source: Sequence[tuple[str, str]]) -> NearMiss | None:
    from difflib import SequenceMatcher  # imported here for cost: most answers have no such quotation

    there, there_folded = [word for word, _ in source], [plain for _, plain in source]
    longest = SequenceMatcher(None, folded, there_folded, autojunk=False).find_longest_match()
    if not longest.size:
        return None
    start = max(0, longest.b - longest.a)
    margin = 4 + len(folded) // 4
    first = max(0, start - margin)
    window = there_folded[first : start + len(folded) + margin]
    matcher = SequenceMatcher(None, folded, window, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    # The window is wider than the quotation: text outside of the matched part is not a difference.
    low = max(0, blocks[0].b - blocks[0].a)
    high = min(len(window), blocks[-1].b + len(folded) - blocks[-1].a)
    matcher = SequenceMatcher(None, folded, window[low:high], autojunk=False)
    original = there[first + low : first + high]
    pieces: list[str] = []
    equal = 0.0
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        said, stands = " ".join(words[a1:a2]), " ".join(original[b1:b2])
        if tag == "equal":
            equal += sum(map(len, folded[a1:a2]))
            pieces.append(said)
        else:
            pieces.append(f"[{said} → {stands}]".replace("[ ", "[").replace(" ]", "]"))
            if tag == "replace":
                ratio = SequenceMatcher(None, said[:200].casefold(), stands[:200].casefold()).ratio()
                equal += ratio * min(len(said), len(stands))
    total = sum(map(len, folded)) + sum(map(len, window[low:high]))
    return NearMiss(round(2 * equal / total, 6), _cut_to_changes(" ".join(pieces)), " ".join(original))


def _cut_to_changes(text: str) -> str:
    if len(text) <= 2 * _SHOWN_CHANGE:
        return text
    first = max(0, text.find("[") - _SHOWN_CHANGE // 2)
    cut = text[first : first + 2 * _SHOWN_CHANGE]
    return ("… " if first else "") + cut + (" …" if first + 2 * _SHOWN_CHANGE < len(text) else "")


def content_findings(findings: Findings, resolutions: Sequence[Resolution]) -> None:
    """Apply the rule "content match" to quotes of providers and of the text, and to inline code."""
    work = _QuotableText(findings, resolutions)
    for index, citation in enumerate(findings.context.citations):
        quote = citation.target.quote
        if quote and quote.strip() and resolutions[index].is_valid:
            work.compare(quote.strip(), [index], index)
    work.quotations()
    work.code()


class _QuotableText:
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
        context = self._findings.context
        if not self._starts:
            return
        answer = context.transcript.answer
        for quotation in quotations(answer, marker_spans(context.citations)):
            alone = _ALONE.match(answer, quotation.end)
            members = self._beside(quotation.start, alone.end() if alone else quotation.end)
            if not members or is_quoted(quotation.text, context.transcript.question):
                continue
            if is_term(quotation.text) and self._is_known_term(quotation.text):
                continue
            after = [index for index in members if context.citations[index].start >= quotation.end - 1]
            self.compare(quotation.text, members, after[0] if after else members[-1])

    def code(self) -> None:
        context = self._findings.context
        answer, cited = context.transcript.answer, context.citations
        if "`" not in answer or all(item.target.path is None for item in cited):
            return
        for span in masks_of(answer):
            if span.kind != "inline_code":
                continue
            text = answer[span.inner_start : span.inner_end].strip()
            beside = self._beside(span.start, span.end)
            members = [index for index in beside if cited[index].target.path is not None]
            is_marker = any(cited[at].start < span.end and span.start < cited[at].end for at in members)
            if members and not is_marker and is_passage(text):
                self.compare(text, members, members[0])

    def _beside(self, start: int, end: int) -> list[int]:
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
        resolution = self._resolutions[index]
        lines = self._findings.context.citations[index].target.lines
        if resolution.file is not None and lines is not None:
            return [(f"{resolution.file.path}:{lines[0]}-{lines[1]}", resolution.file.slice(*lines))]
        return [(f"chunk {chunk.id}", chunk.text) for chunk in resolution.chunks if chunk.text.strip()]

    def compare(self, quote: str, members: Sequence[int], blamed: int) -> None:
        context = self._findings.context
        valid = [index for index in members if self._resolutions[index].is_valid]
        sources = list(dict.fromkeys(source for index in valid for source in self._sources(index)))
        if not sources or any(is_quoted(quote, text) for _, text in sources):
            return
        chunks = [chunk for index in valid for chunk in self._resolutions[index].chunks]
        if any(is_quoted(quote, title) for chunk in chunks for title in _titles_of(chunk)):
            return
        if blamed not in valid:
            blamed = valid[0]
        names = ", ".join(name for name, _ in sources)
        near, holding = None, []
        if self._left > 0:
            self._left -= 1
            near = nearest(quote, [text for _, text in sources])
            holding = [chunk.id for chunk in context.transcript.chunks if is_quoted(quote, chunk.text)][:1]
        details: dict[str, object] = {"quote": quote}
        if near is not None and near.similarity >= _NEAR_MISS:
            details |= {"similarity": near.similarity, "difference": near.difference, "source": near.source}
            message = f"the quotation differs from {names}: {near.difference}"
            suggestion = f"quote the source: {_shortened(near.source)!r}"
        else:
            message = f"the quoted words are not in {names}: {_shortened(quote)!r}"
            suggestion = "quote the source word by word, or drop the quotation marks"
        if holding:
            suggestion = f"chunk {holding[0]} contains these words: cite it"
        self._findings.on_citation(blamed, "content_match", message, suggestion, details=details)

    def _is_known_term(self, term: str) -> bool:
        """Whether any chunk contains a term, cited or not: a term is a word, not a statement."""
        chunks = self._findings.context.transcript.chunks
        return any(is_term_of(term, text) for chunk in chunks for text in (chunk.text, *_titles_of(chunk)))


def _titles_of(chunk: Chunk) -> list[str]:
    metadata = chunk.metadata
    return [title for title in (metadata.title, metadata.section_title, metadata.document) if title]


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
