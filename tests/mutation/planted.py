"""Hand-written transcripts as places for faults, and what every mutant must keep."""

from __future__ import annotations

from typing import Any

from pytest_grounding import Transcript, validate
from pytest_grounding.mutation.faults import FAULTS, Plant
from pytest_grounding.mutation.run import dice
from pytest_grounding.mutation.site import Mutant, Site
from pytest_grounding.mutation.sources import Sources

PLANT: dict[str, Plant] = {fault.name: fault.plant for fault in FAULTS}


def made(
    answer: str, *chunks: str | dict[str, Any], question: str = "What is said?", **more: Any
) -> Transcript:
    listed = [
        {"id": f"c{number}", "text": chunk} if isinstance(chunk, str) else {"id": f"c{number}", **chunk}
        for number, chunk in enumerate(chunks, start=1)
    ]
    return Transcript.model_validate(
        {"id": "t", "question": question, "chunks": listed, "answer": answer, **more}
    )


def sites_of(transcript: Transcript) -> list[Site]:
    """Every claim as a place, whatever the engine thinks of its support."""
    verdict = validate(transcript)
    texts = [chunk.text for chunk in transcript.chunks]
    sources = Sources(texts, (transcript.question, transcript.answer))
    return [Site(transcript, verdict, claim, sources) for claim in verdict.claims]


def planted(fault: str, transcript: Transcript, claim: int = 0, seed: int = 0) -> Mutant | None:
    """The mutant of one claim, its invariants checked."""
    return planted_at(fault, sites_of(transcript)[claim], seed)


def planted_at(fault: str, site: Site, seed: int) -> Mutant | None:
    """The same for a place."""
    mutant = PLANT[fault](site, dice(seed, fault, site.transcript.id, site.claim.index))
    if mutant is not None:
        check_one_fault(site, mutant)
    return mutant


def afters(fault: str, transcript: Transcript, claim: int = 0, seeds: int = 25) -> set[str]:
    """What the claim becomes over many seeds; empty when the fault has no place."""
    site = sites_of(transcript)[claim]
    found = (planted_at(fault, site, seed) for seed in range(seeds))
    return {mutant.after for mutant in found if mutant is not None}


def check_one_fault(site: Site, mutant: Mutant) -> None:
    """Nothing but the one fault differs, and the mutant's spans are true."""
    old, new = site.transcript, mutant.transcript
    assert mutant.before == site.claim.text == old.answer[site.claim.start : site.claim.end]
    assert mutant.after == new.answer[slice(*mutant.claim_span)]
    assert mutant.change
    assert (new.id, new.question, new.metadata) == (old.id, old.question, old.metadata)
    start, end = mutant.span
    rest = len(new.answer) - end
    # Behind the last sentence a new one brings the blank that parts them.
    assert new.answer[:start] in (old.answer[:start], old.answer[: start - 1] + " ")
    assert new.answer[end:] == old.answer[len(old.answer) - rest :]
    assert [span.text for span in new.citations] == [
        None if span.text is None else new.answer[span.start : span.end] for span in new.citations
    ]
    differing = {
        "answer": new.answer != old.answer,
        "chunks": new.chunks != old.chunks,
        "targets": [c.chunk_ids for c in new.citations] != [c.chunk_ids for c in old.citations],
        "quotes": [c.quote for c in new.citations] != [c.quote for c in old.citations],
    }
    # A provider's quote of the chunk that is no longer cited goes with the citation.
    if differing["targets"]:
        differing.pop("quotes")
    assert sum(differing.values()) == 1, differing
    assert (mutant.aim == "chunk") == differing["chunks"]
    # The mutant is still a transcript that can be read.
    Transcript.model_validate(new.model_dump(mode="json"))
