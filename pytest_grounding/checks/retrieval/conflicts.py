"""Chunks that contradict each other: the same statement with another number, date or polarity."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from pytest_grounding.checks.retrieval.versions import ordered
from pytest_grounding.lexicon import words
from pytest_grounding.model.finding import Evidence, Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ChunkRelevance, Conflict
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.visible_text import page_of
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.token_index import ChunkIndex, index_of
from pytest_grounding.scorers.builtin.visible_chunks import in_own_words

#: Sentences are about the same thing from this share of the shorter one's content words, and this many.
_SAME_TOPIC = 0.6
_FEWEST_WORDS = 3
#: Pairs of sentences that are compared at most, and sentences that are read.
_MOST_PAIRS = 8
_MOST_SENTENCES = 400
_DENIALS = frozenset(["negation"])
#: Words that another source may contradict, as it may every number.
_TELLING = words("questions", "denying") | words("dates", "weekdays") | words("dates", "month_names")
_KINDS = frozenset(["number", "date", "unit", "negation"])


class SourceConflict(NamedTuple):
    """Two chunks that contradict each other."""

    first: int  # position of the earlier chunk
    second: int  # position of the later chunk
    conflict: Conflict  # the difference; its evidence is the sentence of the later chunk
    evidence: Evidence  # the sentence of the earlier chunk


def conflicting_sources(
    chunks: Sequence[Chunk], relevance: Sequence[ChunkRelevance]
) -> tuple[SourceConflict, ...]:
    """Contradictions between the relevant chunks."""
    relevant = [number for number, judged in enumerate(relevance) if judged.relevant]
    if len(relevant) < 2:
        return ()
    disputes = _disputes(tuple([chunks[number].text for number in relevant]))
    found = [_with_ids(chunks, relevant, dispute) for dispute in disputes]
    return tuple(sorted(found, key=lambda c: (c.first, c.second, c.evidence.start)))


class _Content(NamedTuple):
    """A sentence as stems of its content words, and whether it has a number, a day or a negation."""

    sentence: int
    stems: frozenset[str]
    telling: bool


class _Place(NamedTuple):
    """A sentence of one of several texts: the text's number, its index, the sentence."""

    number: int
    source: ChunkIndex
    content: _Content


class _Dispute(NamedTuple):
    """Two contradicting sentences of different texts, and the difference."""

    first: _Place
    second: _Place
    conflict: Conflict


# Cached, because the answers to one question share its chunks.
@lru_cache(maxsize=256)
def _disputes(texts: tuple[str, ...]) -> tuple[_Dispute, ...]:
    """The contradictions between texts."""
    pairs = ((first, second, _conflict(first, second)) for first, second in _same_topic(texts))
    return tuple(_Dispute(first, second, found) for first, second, found in pairs if found is not None)


def _same_topic(texts: Sequence[str]) -> list[tuple[_Place, _Place]]:
    """Pairs of sentences of different texts about the same thing, the most similar first."""
    places: list[_Place] = []
    by_stem: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        page = page_of(text)
        source = index_of(page.text, "en")
        for content in reading_of(page.text).part(_contents):
            if len(content.stems) >= _FEWEST_WORDS and len(places) < _MOST_SENTENCES:
                for stem in content.stems:
                    by_stem[stem].append(len(places))
                places.append(_Place(number, source, content))
    # A word in every sentence does not define a topic, and would cost quadratic time.
    shared = [combinations(holders[:12], 2) for holders in by_stem.values() if len(holders) > 1]
    common = Counter(chain.from_iterable(shared))
    pairs = []
    for (first, second), count in common.items():
        if count < _FEWEST_WORDS or places[first].number == places[second].number:
            continue
        a, b = places[first].content, places[second].content
        share = count / min(len(a.stems), len(b.stems))
        is_telling, differs = a.telling or b.telling, (a.stems, a.telling) != (b.stems, b.telling)
        if share >= _SAME_TOPIC and is_telling and differs:
            pairs.append((-share, -count, first, second))
    pairs.sort()
    return [(places[first], places[second]) for _, _, first, second in pairs[:_MOST_PAIRS]]


def _contents(reading: Reading) -> tuple[_Content, ...]:
    """The sentences of a text with content words."""
    index = index_of(reading.text, "en")
    stems: dict[int, set[str]] = defaultdict(set)
    telling: set[int] = set()
    for token, sentence in zip(index.tokens, index.sentence_of, strict=True):
        if not token.is_stop:
            stems[sentence].add(token.stem)
        if token.is_number or token.norm in _TELLING:
            telling.add(sentence)
    return tuple(_Content(n, frozenset(words), n in telling) for n, words in sorted(stems.items()))


def _conflict(first: _Place, second: _Place) -> Conflict | None:
    """The first certain difference of two sentences."""
    ours, theirs = _text_of(first), _text_of(second)
    if _is_another_event(ours, theirs):
        return None
    found = conflicts_between(ours, theirs)
    return next((one for one in found if one.kind in _KINDS and one.severity == "error"), None)


def _text_of(place: _Place) -> str:
    start, end = place.source.sentences[place.content.sentence]
    return place.source.text[start:end]


def _with_ids(chunks: Sequence[Chunk], relevant: Sequence[int], dispute: _Dispute) -> SourceConflict:
    """A contradiction with the ids of its chunks."""
    numbers = relevant[dispute.first.number], relevant[dispute.second.number]
    found = []
    for number, place in zip(numbers, (dispute.first, dispute.second), strict=True):
        piece = place.source.evidence(chunks[number].id, place.content.sentence)
        found.append(in_own_words(piece, page_of(chunks[number].text)))
    ours, theirs = found
    values = (dispute.conflict.claim_text, dispute.conflict.evidence_text)
    says = [f"chunk {one.chunk_id!r} says {value!r}" for one, value in zip(found, values, strict=True)]
    conflict = dispute.conflict.model_copy(update={"evidence": theirs, "message": ", ".join(says)})
    return SourceConflict(*numbers, conflict, ours)


def _is_another_event(ours: str, theirs: str) -> bool:
    """Whether each sentence has two or more facts that the other lacks: Monday's weather and Tuesday's."""
    facts = [{f.key for f in extract_facts(text) if f.kind != "negation"} for text in (ours, theirs)]
    return len(facts[0] - facts[1]) > 1 and len(facts[1] - facts[0]) > 1


def conflict_findings(
    conflicts: Sequence[SourceConflict], asked: Sequence[Evidence], transcript: Transcript
) -> tuple[Finding, ...]:
    """One finding per pair of sentences, the current one first; a warning if the answer had to choose."""
    stated, said = {(item.chunk_id, item.text) for item in asked}, transcript.answer.casefold()
    found = []
    for item in conflicts:
        first, second = item.evidence, item.conflict.evidence
        values = {first.chunk_id: item.conflict.claim_text, second.chunk_id: item.conflict.evidence_text}
        order = ordered(transcript, first.chunk_id, second.chunk_id)
        if order is not None and order[0] != first.chunk_id:
            first, second = second, first
        given = [name for name, value in values.items() if value.casefold() in said]
        is_asked = not stated.isdisjoint((one.chunk_id, one.text) for one in (first, second))
        is_chosen = is_asked and item.conflict.kind not in _DENIALS and len(given) == 1
        held = ", and the first one is current" if order is not None else ""
        says = ", ".join(f"chunk {one.chunk_id!r} says {values[one.chunk_id]!r}" for one in (first, second))
        details = {"chunk_ids": [first.chunk_id, second.chunk_id], "quotes": [first.text, second.text]}
        found.append(
            Finding(
                rule="conflicting_sources",
                severity="warning" if is_chosen and (order is None or given != [order[0]]) else "info",
                message=f"Two sources contradict each other ({item.conflict.kind}): {says}{held}.",
                suggestion="Remove the outdated source, or let the answer name both values.",
                evidence=(first, second),
                details={"kind": item.conflict.kind, **details},
            )
        )
    return tuple(found)
