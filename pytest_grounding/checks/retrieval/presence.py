"""Is the answer stated in the chunks? Full, partial, none, or abstain, with the sentences that show it.

Word share: the content words of a question part have weights; the share of a piece of text is the weight
of the words that it holds (inflections and shipped synonyms count) divided by the weight of all. The names
of a question, its numbers and the word that says what is asked have fixed shares (`weighing` holds them),
each so large that a text without them cannot reach the 60 % that a stated answer needs; verbs that say little
("use", "make") weigh half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from pytest_grounding.checks.retrieval.answers import holds_answer, sentence_of
from pytest_grounding.checks.retrieval.asked import Asked, ask
from pytest_grounding.checks.retrieval.binding import BoundText, states
from pytest_grounding.checks.retrieval.rivals import holds_rival
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance, Presence
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.pages import in_own_words
from pytest_grounding.settings import Settings
from pytest_grounding.text.layout import as_laid_out
from pytest_grounding.text.questions import QuestionInfo, looks_english
from pytest_grounding.text.questions.answer_types import wanted_by

_DIGITS = 9
#: Pieces of evidence that a verdict carries at most.
_EVIDENCE_LIMIT = 6


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for one part of a question, or for all of it.

    Attributes:
        presence: full, partial, none or abstain.
        reason: why, in words.
        evidence: the sentences that show it, verbatim, best first.
    """

    presence: Presence
    reason: str
    evidence: tuple[Evidence, ...] = ()


class _Given(NamedTuple):
    """A chunk by what presence in it hangs on."""

    chunk_id: str
    text: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class _Source:
    """One chunk that presence is looked for in."""

    chunk_id: str
    index: ChunkIndex
    relevant: bool
    order: int


@dataclass(slots=True)
class _Hit:
    """A sentence (or two neighbours) with the share of the question's words that it holds."""

    source: _Source
    first: int
    last: int
    share: float
    rank: tuple[float, int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.rank = (-self.share, self.last - self.first, self.source.order, self.first)


def find_presence(
    info: QuestionInfo, chunks: Sequence[Chunk], relevance: Sequence[ChunkRelevance], settings: Settings
) -> Found:
    """Whether the chunks state the answer (section 4.3).

    Args:
        info: the analysed question.
        chunks: the retrieved chunks.
        relevance: their relevance, in the same order.
        settings: gives the share of words that a stated answer needs.
    """
    filled = [(chunk, judged) for chunk, judged in zip(chunks, relevance, strict=True) if chunk.text.strip()]
    if not filled:
        return Found("none", "nothing was retrieved that could hold the answer")
    if info.type == "other":
        if info.language != "en":
            return Found(
                "abstain", "the question is not in English, the only language whose answers are read"
            )
        return Found("abstain", "what kind of answer the question expects cannot be told")
    shown = {chunk.id: as_laid_out(chunk.text) for chunk, _ in filled}
    given = tuple([_Given(chunk.id, shown[chunk.id], judged.relevant) for chunk, judged in filled])
    found = _find(info, given, settings.presence_word_share)
    own = {chunk.id: chunk.text for chunk, _ in filled if chunk.text != shown[chunk.id]}
    if own:
        evidence = [
            in_own_words(piece, shown[piece.chunk_id], own[piece.chunk_id])
            if piece.chunk_id in own
            else piece
            for piece in found.evidence
        ]
        found = replace(found, evidence=tuple(evidence))
    if found.presence == "none":
        foreign = [chunk.id for chunk, _ in filled if not looks_english(chunk.text)]
        if foreign:
            return Found("abstain", f"chunk {foreign[0]!r} is not in English: what it states cannot be told")
        if all(judged.score is None for _, judged in filled):
            return Found("abstain", "no scorer could say which chunks are relevant")
    return found


# Kept, because the answers to one question share its chunks; of several texts, so by no reading of one.
@lru_cache(maxsize=256)
def _find(info: QuestionInfo, chunks: tuple[_Given, ...], needed: float) -> Found:
    """What was found in chunks."""
    sources = [
        _Source(chunk.chunk_id, index_of(chunk.text, "en"), chunk.relevant, order)
        for order, chunk in enumerate(chunks)
    ]
    return _joined([_find_part(ask(part, info), sources, needed) for part in info.parts])


def _joined(results: list[Found]) -> Found:
    """The presence of a question with several parts."""
    if len(results) == 1:
        return results[0]
    seen: dict[tuple[str, int], Evidence] = {}
    for result in results:
        for piece in result.evidence:
            seen.setdefault((piece.chunk_id, piece.sentence_index), piece)
    evidence = tuple(seen.values())[:_EVIDENCE_LIMIT]
    values = [result.presence for result in results]
    full = values.count("full")
    if full == len(values):
        return Found("full", f"all {len(values)} parts of the question are answered", evidence)
    if full or "partial" in values:
        missing = next(r.reason for r in results if r.presence != "full")
        return Found(
            "partial", f"{full} of {len(values)} parts of the question answered: {missing}", evidence
        )
    if "abstain" in values:
        return Found("abstain", results[values.index("abstain")].reason)
    return Found("none", f"no part of the question is answered: {results[0].reason}")


def _find_part(asked: Asked, sources: Sequence[_Source], needed: float) -> Found:
    if not asked.words:
        return Found("abstain", "the question has no content words to look for")
    best_missing: _Hit | None = None
    full: list[_Hit] = []
    partial: list[_Hit] = []
    texts = [BoundText(asked, source.index) for source in sources]
    wholes = [reduce(or_, text.masks, 0) for text in texts]
    named = reduce(or_, (whole for whole, source in zip(wholes, sources, strict=True) if source.relevant), 0)
    for source, text, whole in zip(sources, texts, wholes, strict=True):
        share = asked.share(whole)
        hits = _hits(source, text, needed) if share >= needed else []
        hits.sort(key=lambda hit: hit.rank)
        said = (hit for hit in hits if states(text, hit.first, hit.last, needed, named))
        stated = list(islice(said, 2))
        if stated and source.relevant:
            full.extend(stated)
        elif stated:
            partial.extend(stated)
        elif share >= needed and source.relevant and asked.is_topic(whole):
            elsewhere = _elsewhere(source, text)
            if elsewhere:
                partial.append(elsewhere)
            elif hits and (best_missing is None or hits[0].rank < best_missing.rank):
                best_missing = hits[0]
    expected = wanted_by(asked.part)
    if full:
        full.sort(key=lambda hit: hit.rank)
        reason = f"stated: {expected} stands with {full[0].share:.0%} of the question's content words"
        return Found("full", reason, _evidence(asked, full))
    if partial:
        partial.sort(key=lambda hit: hit.rank)
        reason = f"{expected} stands in a chunk on the topic, but not beside the question's content words"
        return Found("partial", reason, _evidence(asked, partial))
    if best_missing:
        return Found("none", f"the topic is there, but {expected} is not stated")
    return Found("none", f"no chunk states {expected} together with the question's content words")


def _hits(source: _Source, text: BoundText, needed: float) -> list[_Hit]:
    """The sentences, neighbours and entries with the line that opens their list that hold enough words."""
    asked, masks = text.asked, text.masks
    hits = []
    for number, mask in enumerate(masks):
        share = asked.share(mask)
        if share >= needed:
            hits.append(_Hit(source, number, number, share))
        if number + 1 < len(masks):
            joint = asked.share(mask | masks[number + 1])
            if joint >= needed:
                hits.append(_Hit(source, number, number + 1, joint))
        lead = text.lead(number)
        if lead is not None and lead < number - 1 and asked.share(mask | masks[lead]) >= needed:
            hits.append(_Hit(source, lead, number, asked.share(mask | masks[lead])))
    return hits


def _elsewhere(source: _Source, text: BoundText) -> _Hit | None:
    """The sentence of a chunk on the topic that holds the expected type, the richest in words first."""
    asked, masks = text.asked, text.masks
    order = sorted(range(len(masks)), key=lambda number: (-asked.share(masks[number]), number))
    for number in order[:40]:
        sentence = sentence_of(source.index, number)
        if not holds_rival(asked, sentence) and holds_answer(asked, sentence):
            return _Hit(source, number, number, asked.share(masks[number]))
    return None


def _evidence(asked: Asked, hits: Sequence[_Hit]) -> tuple[Evidence, ...]:
    pieces: dict[tuple[int, int], Evidence] = {}
    for hit in hits:
        for number in range(hit.first, hit.last + 1):
            key = (hit.source.order, number)
            if key not in pieces and len(pieces) < _EVIDENCE_LIMIT:
                pieces[key] = hit.source.index.evidence(
                    hit.source.chunk_id, number, round(hit.share, _DIGITS)
                )
    return tuple(pieces.values())
