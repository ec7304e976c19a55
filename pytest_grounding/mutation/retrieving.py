"""A fault of retrieval: the chunk that supports the claim is not retrieved."""

from __future__ import annotations

import random

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.mutation.site import Mutant, Site, with_chunk
from pytest_grounding.mutation.sources import topic_words
from pytest_grounding.mutation.words import STAND_IN_PASSAGES

#: A chunk that holds more of the claim's words than this supports it.
_SUPPORTS = 0.5
#: Where another chunk holds more of them than this, the claim may live without the first.
_MAY_SUPPORT = 0.4


def plant_removed_chunk(site: Site, rng: random.Random) -> Mutant | None:
    """The chunk that supports the claim is taken out of the retrieved ones."""
    position = _only_support(site)
    if position is None:
        return None
    chunk = site.transcript.chunks[position]
    stand_in = None
    if _are_positions_cited_beyond(site, position):
        known = topic_words(site.transcript.question)
        passages = [
            text
            for text in STAND_IN_PASSAGES
            if not topic_words(text) & known and site.sources.know(topic_words(text)) == 0
        ]
        if not passages:
            return None
        stand_in = Chunk(id=f"{chunk.id}-other", text=rng.choice(passages), score=chunk.score)
    words = "taken out" if stand_in is None else "taken out, an unrelated passage in its place"
    return Mutant(
        transcript=with_chunk(site.transcript, position, stand_in),
        aim="chunk",
        span=(site.claim.start, site.claim.end),
        claim_span=(site.claim.start, site.claim.end),
        before=site.claim.text,
        after=site.claim.text,
        change=f"chunk {chunk.id!r} {words}",
    )


def _only_support(site: Site) -> int | None:
    """Position of the one chunk that holds the claim's words, or None."""
    shares = [site.sources.share_of(site.text, number) for number in range(len(site.transcript.chunks))]
    if not shares:
        return None
    best = max(range(len(shares)), key=shares.__getitem__)
    others = [share for number, share in enumerate(shares) if number != best]
    return best if shares[best] > _SUPPORTS and all(share <= _MAY_SUPPORT for share in others) else None


def _are_positions_cited_beyond(site: Site, position: int) -> bool:
    places = {chunk.id: number for number, chunk in enumerate(site.transcript.chunks)}
    return any(
        places.get(name, -1) > position
        for citation in site.verdict.citations
        if citation.syntax in {"index", "list"} or citation.text.isdecimal()
        for name in citation.chunk_ids
    ) or any(index - 1 > position for index in site.transcript.cited_indices or ())
