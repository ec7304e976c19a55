"""A sentence that looks like a refusal and whose words stand in a source is a claim."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_grounding.claims.refusals import is_refusal
from pytest_grounding.lexicon import words
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.spans import Claim
from pytest_grounding.reading.visible_text import page_of

if TYPE_CHECKING:
    from pytest_grounding.scorers.builtin.token_index import ChunkIndex

_DENYING = words("denials", "denying")
#: A sentence of fewer content words may stand in a source by chance.
_LEAST = 2


def with_sourced(claims: Sequence[Claim], chunks: Sequence[Chunk], language: str) -> tuple[Claim, ...]:
    """The claims; those learned to be refusals are checked where a source speaks of all that they say."""
    if language != "en" or not any(claim.skip_reason == "refusal" for claim in claims):
        return tuple(claims)
    return tuple(
        dataclasses.replace(claim, checked=True, skip_reason="") if _is_sourced(claim, chunks) else claim
        for claim in claims
    )


def _is_sourced(claim: Claim, chunks: Sequence[Chunk]) -> bool:
    # What the patterns know is a refusal whatever the sources are about.
    if claim.skip_reason != "refusal" or is_refusal(claim.bare):
        return False
    # Most answers refuse nothing, and who has citations checked alone loads no scorer.
    from pytest_grounding.reading.words import tokenize
    from pytest_grounding.scorers.builtin.token_index import index_of

    tokens = tokenize(claim.bare, "en")
    said = {token.stem for token in tokens if not token.is_stop and token.norm not in _DENYING}
    return len(said) >= _LEAST and any(
        _holds_all(index_of(page_of(chunk.text).text, "en"), said) for chunk in chunks
    )


def _holds_all(index: ChunkIndex, stems: set[str]) -> bool:
    """Whether one sentence holds all of some stems."""
    places = (frozenset(map(index.sentence_of.__getitem__, index.positions.get(stem, ()))) for stem in stems)
    return bool(frozenset.intersection(*places))
