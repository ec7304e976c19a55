"""Hand-written transcripts as places for faults, and what every mutant must keep."""

from pytest_grounding import Transcript, validate
from pytest_grounding.mutation import site
from pytest_grounding.mutation.faults import FAULTS
from pytest_grounding.mutation.mutate_files import dice

PLANT = {fault.name: fault.plant for fault in FAULTS}


def made(answer, *chunks, question="What is said?", **more):
    listed = [
        {"id": f"c{number}", "text": chunk} if isinstance(chunk, str) else {"id": f"c{number}", **chunk}
        for number, chunk in enumerate(chunks, start=1)
    ]
    return Transcript.model_validate(
        {"id": "t", "question": question, "chunks": listed, "answer": answer, **more}
    )


def sites_of(transcript):
    """Every claim as a place, whatever the engine thinks of its support."""
    return site.sites_of(transcript, validate(transcript))


def planted(fault, transcript, claim=0, seed=0):
    """The mutant of one claim, its invariants checked."""
    return planted_at(fault, sites_of(transcript)[claim], seed)


def planted_at(fault, place, seed):
    """The same for a place."""
    mutant = PLANT[fault](place, dice(seed, fault, place.transcript.id, place.claim.index))
    if mutant is not None:
        check_one_fault(place, mutant)
    return mutant


def afters(fault, transcript, claim=0, seeds=25):
    """What the claim becomes over many seeds; empty when the fault has no place."""
    place = sites_of(transcript)[claim]
    found = (planted_at(fault, place, seed) for seed in range(seeds))
    return {mutant.after for mutant in found if mutant is not None}


def check_one_fault(place, mutant):
    """Nothing but the one fault differs, and the mutant's spans are true."""
    old, new = place.transcript, mutant.transcript
    assert mutant.before == place.claim.text == old.answer[place.claim.start : place.claim.end]
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
    # An order stands in a chunk, and what follows it in the answer.
    assert sum(differing.values()) == (2 if mutant.aim == "order" else 1), differing
    assert (mutant.aim in ("chunk", "order")) == differing["chunks"]
    # The mutant is still a transcript that can be read.
    Transcript.model_validate(new.model_dump(mode="json"))
