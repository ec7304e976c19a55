"""Verbatim sentences that back a claim, best first."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.model.finding import Evidence
from pytest_grounding.scorers.lexical.align import Alignment

_LIMIT = 3


def evidence_for(alignment: Alignment, chunk_ids: Sequence[str], limit: int = _LIMIT) -> tuple[Evidence, ...]:
    """The sentence that holds most of a claim, then those that add most to it, from whichever chunk.

    Args:
        alignment: the claim against the context.
        chunk_ids: ids of the chunks, in their order.
        limit: most sentences to return.

    Returns:
        Sentences with the share of the claim's content that each holds alone as score. Empty where no
        sentence holds a content word.
    """
    alone = alignment.held
    stems = list(alignment.places)
    chosen: list[int] = []
    covered: set[str] = set()
    remaining = alone
    while remaining and len(chosen) < limit:
        most = max(remaining.values())
        equals = [sentence for sentence, weight in remaining.items() if weight == most]
        best = min(equals, key=lambda sentence: (-alone[sentence], sentence))
        chosen.append(best)
        covered.update(stems[number] for number in alignment.holds[best])
        remaining = alignment.held_without(covered) if len(covered) < len(stems) else {}
    chosen.sort(key=lambda sentence: (-alone[sentence], sentence))
    return tuple(_evidence(alignment, chunk_ids, sentence, alone[sentence]) for sentence in chosen)


def _evidence(alignment: Alignment, chunk_ids: Sequence[str], sentence: int, weight: float) -> Evidence:
    context = alignment.context
    chunk = context.chunk_of[sentence]
    score = round(min(1.0, weight / alignment.total), 6)
    return context.indexes[chunk].evidence(chunk_ids[chunk], sentence - context.offset[chunk], score)
