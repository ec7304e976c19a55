"""Faults of citations and chunks."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from pytest_grounding.model.finding import Span
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.mutation.site import Aim, Mutant, Site
from pytest_grounding.mutation.value_faults import first_planted

_DIGITS = re.compile(r"\d+")
#: A chunk with more than the second share of a claim's words may support it; one with the first does.
_HOLDS, _MAY_SUPPORT = 0.5, 0.34


def plant_repointed_citation(site: Site, rng: random.Random) -> Mutant | None:
    """Change the claim's only citation to another chunk that is not about the claim."""
    chunks = site.transcript.chunks
    shares = [site.sources.share_of(site.text, position) for position in range(len(chunks))]
    for citation in _sole_citations(site):
        cited = {position for position, chunk in enumerate(chunks) if chunk.id in citation.chunk_ids}
        # If the claim is not from its own chunk, another one is no worse source.
        if not any(shares[position] >= _HOLDS for position in cited):
            continue
        others = [
            position
            for position, chunk in enumerate(chunks)
            if position not in cited and shares[position] <= _MAY_SUPPORT and chunk.text.strip()
        ]
        rng.shuffle(others)
        return first_planted(_point(site, citation, chunks[position].id, position + 1) for position in others)
    return None


def plant_invented_citation(site: Site, rng: random.Random) -> Mutant | None:
    """Change the claim's only citation to a chunk that does not exist."""
    taken = {chunk.id for chunk in site.transcript.chunks}
    for citation in _sole_citations(site):
        number = len(taken) + rng.randint(1, 8)
        cited = citation.chunk_ids[0]
        name = str(number) if _DIGITS.fullmatch(cited) else f"{cited}{number}"
        if name not in taken and number < 1000:
            return _point(site, citation, name, number)
    return None


def _sole_citations(site: Site) -> Iterator[CitationVerdict]:
    """The claim's citation, if it has just one, without findings and with its own marker."""
    if len(site.claim.citations) != 1:
        return
    citation = site.verdict.citations[site.claim.citations[0]]
    place = (citation.start, citation.end)
    is_shared = sum((other.start, other.end) == place for other in site.verdict.citations) > 1
    is_inside = site.claim.start <= citation.start and citation.end <= site.claim.end
    has_finding = any(item.severity != "info" for item in citation.findings)
    if citation.valid and citation.chunk_ids and is_inside and not is_shared and not has_finding:
        yield citation


def _point(site: Site, citation: CitationVerdict, name: str, number: int) -> Mutant | None:
    """The mutant whose citation names this chunk, in the style of the original."""
    if citation.syntax == "provider":
        return _point_provider(site, citation, name)
    old, text = citation.chunk_ids[0], citation.text
    digits = _DIGITS.findall(text)
    start, end = citation.start - site.claim.start, citation.end - site.claim.start
    if old in text and (citation.syntax == "id" or old.isdecimal()):
        return site.edit(start, end, text.replace(old, name), aim="citation")
    if citation.syntax == "index" and digits == [citation.target] and not name.isdecimal():
        return site.edit(start, end, _DIGITS.sub(str(number), text), aim="citation")
    # The number of the marker is not its target: another base, or the definition of a footnote.
    return None


def _point_provider(site: Site, citation: CitationVerdict, name: str) -> Mutant | None:
    spans = site.transcript.citations
    for number, span in enumerate(spans):
        if (span.start, span.end) == (citation.start, citation.end):
            # A quote of the old chunk would be a second fault.
            changed = span.model_copy(update={"chunk_ids": (name,), "quote": None})
            held = (*spans[:number], changed, *spans[number + 1 :])
            transcript = site.transcript.model_copy(update={"citations": held})
            change = f"cites {citation.chunk_ids[0]!r} -> {name!r}"
            return _mutant_beside(site, transcript, "citation", (span.start, span.end), change)
    return None


def plant_removed_chunk(site: Site, rng: random.Random) -> Mutant | None:
    """Remove the only chunk that supports the claim."""
    chunks = site.transcript.chunks
    shares = [site.sources.share_of(site.text, number) for number in range(len(chunks))]
    best = max(range(len(shares)), key=shares.__getitem__, default=0)
    others = [share for number, share in enumerate(shares) if number != best]
    if not shares or shares[best] <= _HOLDS or any(share > _MAY_SUPPORT for share in others):
        return None
    if _are_positions_cited_beyond(site, best):
        return None
    kept = site.transcript.model_copy(update={"chunks": (*chunks[:best], *chunks[best + 1 :])})
    span = (site.claim.start, site.claim.end)
    return _mutant_beside(site, kept, "chunk", span, f"chunk {chunks[best].id!r} taken out")


def _are_positions_cited_beyond(site: Site, position: int) -> bool:
    """Whether later chunks are cited by number: without this chunk, the numbers would name others."""
    beyond = {chunk.id for chunk in site.transcript.chunks[position + 1 :]}
    return any(
        beyond.intersection(citation.chunk_ids)
        for citation in site.verdict.citations
        if citation.syntax in {"index", "list"} or citation.text.isdecimal()
    ) or any(index - 1 > position for index in site.transcript.cited_indices or ())


def _mutant_beside(site: Site, transcript: Transcript, aim: Aim, span: Span, change: str) -> Mutant:
    text = site.claim.text
    return Mutant(transcript, aim, span, (site.claim.start, site.claim.end), text, text, change)
