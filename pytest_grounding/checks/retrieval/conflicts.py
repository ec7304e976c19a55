"""Chunks that contradict each other: the same statement with another number, date or denial."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from pytest_grounding._frozen import frozen
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance, Conflict, Evidence, Finding
from pytest_grounding.scorers.lexical.conflicts import conflicts_between
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.text.facts import extract_facts
from pytest_grounding.text.questions.words import word_set

#: Two sentences speak of the same thing from this share of the shorter one's content words, and this many.
_SAME_TOPIC = 0.6
_FEWEST_WORDS = 3
#: Pairs of sentences that are compared at most, and sentences that are looked at.
_MOST_PAIRS = 8
_MOST_SENTENCES = 400
#: A denial counts only where two sentences say the same otherwise.
_SAME_STATEMENT = 0.75
_DENIALS = frozenset(["negation"])
#: Words that tell something that another source can tell otherwise; so does every number.
_TELLING = word_set(
    """
    not no never cannot can't isn't aren't wasn't don't doesn't didn't won't monday tuesday wednesday
    thursday friday saturday sunday january february march april may june july august september october
    november december
    """
)
_KINDS = frozenset(["number", "date", "unit", "negation"])


@frozen
class SourceConflict:
    """Two chunks that contradict each other.

    Attributes:
        first: position of the chunk that comes first.
        second: position of the other.
        conflict: what differs; its evidence is the sentence of the other chunk.
        evidence: the sentence of the first chunk.
    """

    first: int
    second: int
    conflict: Conflict
    evidence: Evidence


def conflicting_sources(
    chunks: Sequence[Chunk], relevance: Sequence[ChunkRelevance]
) -> tuple[SourceConflict, ...]:
    """Contradictions between the relevant chunks.

    Only sentences that share most of their content words are compared, at most 8 pairs of them, and only
    differences that the conflict finder is sure of count.
    """
    indexes = [(n, index_of(chunks[n].text, "en")) for n, judged in enumerate(relevance) if judged.relevant]
    if len(indexes) < 2:
        return ()
    found = []
    for first, second in _same_topic(indexes):
        conflict = _conflict(chunks, first, second)
        if conflict is not None:
            found.append(conflict)
    return tuple(sorted(found, key=lambda c: (c.first, c.second, c.evidence.start)))


_Place = tuple[int, ChunkIndex, int, frozenset[str], bool]


def _same_topic(indexes: Sequence[tuple[int, ChunkIndex]]) -> list[tuple[_Place, _Place]]:
    """Pairs of sentences of different chunks that speak of the same thing, the closest first."""
    places: list[_Place] = []
    by_stem: dict[str, list[int]] = defaultdict(list)
    for number, index in indexes:
        for sentence, stems, telling in _content_of(index.text):
            if len(stems) >= _FEWEST_WORDS and len(places) < _MOST_SENTENCES:
                for stem in stems:
                    by_stem[stem].append(len(places))
                places.append((number, index, sentence, stems, telling))
    common: Counter[tuple[int, int]] = Counter()
    for holders in by_stem.values():
        # A word that stands everywhere tells no topic, and would cost the square of the sentences.
        common.update(combinations(holders[:12], 2))
    pairs = []
    for (first, second), count in common.items():
        a, b = places[first], places[second]
        if count < _FEWEST_WORDS or a[0] == b[0]:
            continue
        share = count / min(len(a[3]), len(b[3]))
        if share >= _SAME_TOPIC and (a[4] or b[4]) and a[3:] != b[3:]:
            pairs.append((-share, -count, first, second))
    pairs.sort()
    return [(places[first], places[second]) for _, _, first, second in pairs[:_MOST_PAIRS]]


@lru_cache(maxsize=1024)
def _content_of(text: str) -> tuple[tuple[int, frozenset[str], bool], ...]:
    """For each sentence the stems of its content words, and whether it tells a number, a day or a denial."""
    index = index_of(text, "en")
    stems: dict[int, set[str]] = defaultdict(set)
    telling: set[int] = set()
    for token, sentence in zip(index.tokens, index.sentence_of, strict=True):
        if not token.is_stop:
            stems[sentence].add(token.stem)
        if token.is_number or token.norm in _TELLING:
            telling.add(sentence)
    return tuple((n, frozenset(words), n in telling) for n, words in sorted(stems.items()))


def _conflict(chunks: Sequence[Chunk], first: _Place, second: _Place) -> SourceConflict | None:
    ours = first[1].evidence(chunks[first[0]].id, first[2])
    theirs = second[1].evidence(chunks[second[0]].id, second[2])
    if _is_another_event(ours.text, theirs.text):
        return None
    close = len(first[3] & second[3]) >= _SAME_STATEMENT * max(len(first[3]), len(second[3]))
    for conflict in conflicts_between(ours.text, theirs.text):
        if conflict.kind in _DENIALS and not close:
            continue
        if conflict.kind not in _KINDS or conflict.severity != "error":
            continue
        message = (
            f"chunk {ours.chunk_id!r} says {conflict.claim_text!r}, "
            f"chunk {theirs.chunk_id!r} says {conflict.evidence_text!r}"
        )
        told = conflict.model_copy(update={"evidence": theirs, "message": message})
        return SourceConflict(first[0], second[0], told, ours)
    return None


def _is_another_event(ours: str, theirs: str) -> bool:
    """Whether each sentence has two facts or more that the other lacks: Monday's weather and Tuesday's."""
    facts = [{f.key for f in extract_facts(text) if f.kind != "negation"} for text in (ours, theirs)]
    return len(facts[0] - facts[1]) > 1 and len(facts[1] - facts[0]) > 1


def conflict_findings(conflicts: Sequence[SourceConflict]) -> tuple[Finding, ...]:
    """One finding a pair of sentences, with both quotes."""
    return tuple(
        Finding(
            rule="conflicting_sources",
            severity="info",
            message=f"Two sources contradict each other ({item.conflict.kind}): {item.conflict.message}.",
            suggestion="Remove the outdated source, or let the answer name both values.",
            evidence=(item.evidence, item.conflict.evidence),
            details={
                "kind": item.conflict.kind,
                "chunk_ids": [item.evidence.chunk_id, item.conflict.evidence.chunk_id],
                "quotes": [item.evidence.text, item.conflict.evidence.text],
            },
        )
        for item in conflicts
    )
