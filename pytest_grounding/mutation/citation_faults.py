"""Faults of citations: one that points to another chunk, and one that points to nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from pytest_grounding.model.transcript import Chunk, ProviderCitation, Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.mutation.site import Mutant, Site

_DIGITS = re.compile(r"\d+")
#: A chunk that holds more of a claim's words than this may well support it.
_MAY_SUPPORT = 0.34
#: A claim that its own chunk holds less of was not taken from there: another chunk is no worse a source.
_HOLDS = 0.5


def plant_repointed_citation(site: Site, rng: random.Random) -> Mutant | None:
    """The claim's one citation points to another chunk, one that does not speak of the claim."""
    chunks = site.transcript.chunks
    for citation in _sole_citations(site):
        own = [n for n, chunk in enumerate(chunks) if chunk.id in citation.chunk_ids]
        if not any(site.sources.share_of(site.text, position) >= _HOLDS for position in own):
            continue
        others = [
            position
            for position, chunk in enumerate(chunks)
            if chunk.id not in citation.chunk_ids
            and site.sources.share_of(site.text, position) <= _MAY_SUPPORT
            and chunk.text.strip()
        ]
        rng.shuffle(others)
        for position in others:
            if (mutant := _point(site, citation, chunks[position], position)) is not None:
                return mutant
    return None


def plant_invented_citation(site: Site, rng: random.Random) -> Mutant | None:
    """The claim's one citation points to a chunk that does not exist."""
    for citation in _sole_citations(site):
        if citation.syntax == "provider":
            made = f"{citation.chunk_ids[0]}-{rng.randint(700, 999)}"
            return _point_provider(site, citation, made)
        if (text := _invented(citation, site.transcript, rng)) is not None:
            return _rewrite(site, citation, text)
    return None


def _sole_citations(site: Site) -> Iterator[CitationVerdict]:
    """The claim's citation where it has just one, with no finding on it and a marker of its own."""
    if len(site.claim.citations) != 1:
        return
    citation = site.verdict.citations[site.claim.citations[0]]
    place = (citation.start, citation.end)
    sharing = [other for other in site.verdict.citations if (other.start, other.end) == place]
    if not citation.valid or not citation.chunk_ids or len(sharing) != 1:
        return
    if any(item.severity != "info" for item in citation.findings):
        return
    if citation.start < site.claim.start or citation.end > site.claim.end:
        return
    yield citation


def _point(site: Site, citation: CitationVerdict, chunk: Chunk, position: int) -> Mutant | None:
    """The mutant whose citation names this chunk, in the way that it named the old one."""
    if citation.syntax == "provider":
        return _point_provider(site, citation, chunk.id)
    writer = _WRITERS.get(citation.syntax)
    old = next((item for item in site.transcript.chunks if item.id == citation.chunk_ids[0]), None)
    if writer is None or old is None:
        return None
    text = writer(citation, old, chunk, position)
    return None if text is None else _rewrite(site, citation, text)


def _index(citation: CitationVerdict, old: Chunk, new: Chunk, position: int) -> str | None:
    numbers = _DIGITS.findall(citation.text)
    # A marker whose number is not its target (another base, a footnote's definition) is left alone.
    if len(numbers) != 1 or numbers[0] != citation.target:
        return None
    if old.id.isdecimal() or new.id.isdecimal():
        return _DIGITS.sub(new.id, citation.text) if old.id == numbers[0] and new.id.isdecimal() else None
    return _DIGITS.sub(str(position + 1), citation.text)


def _id(citation: CitationVerdict, old: Chunk, new: Chunk, position: int) -> str | None:
    return citation.text.replace(old.id, new.id) if old.id in citation.text else None


_WRITERS: dict[str, Callable[[CitationVerdict, Chunk, Chunk, int], str | None]] = {"index": _index, "id": _id}


def _invented(citation: CitationVerdict, transcript: Transcript, rng: random.Random) -> str | None:
    text = citation.text
    numbers = list(_DIGITS.finditer(text))
    if citation.syntax == "index" and len(numbers) == 1:
        taken = {chunk.id for chunk in transcript.chunks}
        count = len(transcript.chunks)
        free = [
            number for number in range(count + 1, count + 9) if str(number) not in taken and number < 1000
        ]
        return _DIGITS.sub(str(rng.choice(free)), text) if free else None
    if citation.syntax == "id" and numbers:
        last = numbers[-1]
        return f"{text[: last.start()]}{int(last[0]) + rng.randint(61, 97)}{text[last.end() :]}"
    return None


def _rewrite(site: Site, citation: CitationVerdict, text: str) -> Mutant | None:
    at = site.claim.start
    return site.edit(citation.start - at, citation.end - at, text, aim="citation")


def _point_provider(site: Site, citation: CitationVerdict, chunk_id: str) -> Mutant | None:
    for number, span in enumerate(site.transcript.citations):
        if (span.start, span.end) == (citation.start, citation.end) and set(citation.chunk_ids) & set(
            span.chunk_ids
        ):
            # A quote of the old chunk would be a second fault.
            changed = span.model_copy(update={"chunk_ids": (chunk_id,), "quote": None})
            return _with_span(site, number, changed, f"cites {span.chunk_ids[0]!r} -> {chunk_id!r}")
    return None


def _with_span(site: Site, number: int, span: ProviderCitation, change: str) -> Mutant:
    spans = site.transcript.citations
    changed = site.transcript.model_copy(update={"citations": (*spans[:number], span, *spans[number + 1 :])})
    return Mutant(
        transcript=changed,
        aim="citation",
        span=(span.start, span.end),
        claim_span=(site.claim.start, site.claim.end),
        before=site.claim.text,
        after=site.claim.text,
        change=change,
    )
