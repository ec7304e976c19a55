"""Chunks without the passages that give orders, and evidence put back into their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.text.injected.letters import blanked
from pytest_grounding.text.injected.passages import Passage, passages_of

#: Kinds of passages that support nothing; what may be an order of the document to its people still does.
UNTRUSTED = frozenset({"order", "hidden"})


def without(chunks: Sequence[Chunk], passages: Sequence[Passage]) -> tuple[Chunk, ...]:
    """The chunks with blanks in place of passages; chunks that hold none are the same objects."""
    held: dict[str, list[Passage]] = {}
    for passage in passages:
        held.setdefault(passage.chunk_id, []).append(passage)
    return tuple(_without(chunk, held[chunk.id]) if chunk.id in held else chunk for chunk in chunks)


def _without(chunk: Chunk, passages: Sequence[Passage]) -> Chunk:
    spans: dict[str, list[tuple[int, int]]] = {}
    for passage in passages:
        spans.setdefault(passage.field, []).append((passage.start, passage.end))
    changes = {
        name: blanked(getattr(chunk.metadata, name), found).strip() or None
        for name, found in spans.items()
        if name != "text"
    }
    metadata = chunk.metadata.model_copy(update=changes) if changes else chunk.metadata
    return chunk.model_copy(update={"text": blanked(chunk.text, spans.get("text", ())), "metadata": metadata})


def screened(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """The chunks as they support: without orders to their reader and without hidden text."""
    passages = [item for item in passages_of(chunks) if item.kind in UNTRUSTED]
    return without(chunks, passages) if passages else tuple(chunks)


def restored(evidence: Evidence, originals: Mapping[str, Chunk]) -> Evidence:
    """Evidence from a screened chunk in the words of the chunk as it was retrieved."""
    chunk = originals.get(evidence.chunk_id)
    if chunk is None:
        return evidence
    text = chunk.text[evidence.start : evidence.end]
    return evidence if text == evidence.text else evidence.model_copy(update={"text": text})


__all__ = ["UNTRUSTED", "restored", "screened", "without"]
