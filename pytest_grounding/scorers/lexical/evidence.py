"""Verbatim sentences that back a claim, best first."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.model.finding import Evidence
from pytest_grounding.scorers.lexical.align import Alignment

_LIMIT = 3


def evidence_for(alignment: Alignment, chunk_ids: Sequence[str], limit: int = _LIMIT) -> tuple[Evidence, ...]:
    """The sentence that holds most of a claim, then those that add most to it, from whichever chunk."""
    ranked, holds = alignment.ranked, alignment.holds
    if not ranked:
        return ()
    gains = list(alignment.gains.values())
    chosen = [ranked[0]]
    covered = set(holds[ranked[0][1]])
    while len(chosen) < limit and len(covered) < len(gains):
        best, most = ranked[0], 0.0
        for place in ranked:
            # No sentence adds more than it holds: the rest cannot win.
            if -place[0] <= most:
                break
            weight = 0.0
            for number in holds[place[1]]:
                if number not in covered:
                    weight += gains[number]
            if weight > most:
                best, most = place, weight
        if not most:
            break
        chosen.append(best)
        covered.update(holds[best[1]])
    chosen.sort()
    return tuple([_evidence(alignment, chunk_ids, sentence, -less) for less, sentence in chosen])


def _evidence(alignment: Alignment, chunk_ids: Sequence[str], sentence: int, weight: float) -> Evidence:
    context = alignment.context
    chunk = context.chunk_of[sentence]
    score = round(min(1.0, weight / alignment.total), 6)
    return context.indexes[chunk].evidence(chunk_ids[chunk], sentence - context.offset[chunk], score)
