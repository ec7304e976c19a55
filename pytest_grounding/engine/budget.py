"""How much one transcript may ask for: counts, not clocks, so that every machine says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.model.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound.

    Attributes:
        counts: what is counted.
        most: the largest count that is still validated.
    """

    counts: str
    most: int


#: The bounds by name. An ordinary transcript has 20 chunks of 1,000 characters and an answer of 2,000.
BOUNDS = {
    "answer": Bound("characters of the answer", 100_000),
    "chunks": Bound("chunks", 5_000),
    "chunk_characters": Bound("characters of all chunks", 3_000_000),
    "history": Bound("characters of the earlier turns", 1_000_000),
    "citations": Bound("recorded citations", 20_000),
    "pairs": Bound("pairs of a character of the answer and one of the answer or the chunks", 12_000_000_000),
}


#: Longest claim that is asked about by itself; on the road the sentences of an answer are cut before.
MOST_CLAIM = 5_000


def excess(transcript: Transcript) -> str:
    """Which bound a transcript passes, in words with both numbers; "" where it passes none."""
    answer = len(transcript.answer)
    chunks = sum([len(chunk.text) for chunk in transcript.chunks])
    counts = {
        "answer": answer,
        "chunks": len(transcript.chunks),
        "chunk_characters": chunks,
        "history": sum(len(turn.content) for turn in transcript.history),
        "citations": len(transcript.citations) + len(transcript.cited_indices or ()),
        "pairs": answer * (answer + chunks),
    }
    for name, count in counts.items():
        bound = BOUNDS[name]
        if count > bound.most:
            return f"{count:,} {bound.counts}, and {bound.most:,} are the most that are checked"
    return ""


def excess_of_claim(claim: str, chunks: Sequence[str]) -> str:
    """The same for one claim against chunks."""
    if len(claim) > MOST_CLAIM:
        return f"{len(claim):,} characters of one claim, and {MOST_CLAIM:,} are the most that are checked"
    total, most = sum(map(len, chunks)), BOUNDS["chunk_characters"]
    return (
        f"{total:,} {most.counts}, and {most.most:,} are the most that are checked"
        if total > most.most
        else ""
    )
