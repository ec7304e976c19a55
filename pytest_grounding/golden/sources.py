"""What became of the retrieval: chunks by id and text, the rating, and whether it holds the answer."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.golden.changes import Change, change
from pytest_grounding.golden.match import folded
from pytest_grounding.golden.record import Golden
from pytest_grounding.model.transcript import Chunk

_RATINGS = {"poor": 0, "partial": 1, "good": 2}
_PRESENCE = {"none": 0, "partial": 1, "full": 2}


def compare_retrieval(before: Golden, after: Golden) -> Iterator[Change]:
    """What became of the rating and of the answer in the chunks."""
    old, new = before.verdict.retrieval, after.verdict.retrieval
    step = _RATINGS[new.rating] - _RATINGS[old.rating]
    if step:
        rule = "rating_raised" if step > 0 else "rating_dropped"
        yield change("retrieval", rule, f"rated {old.rating} -> {new.rating}: {new.reason}")
    was, now = _PRESENCE.get(old.answer_present), _PRESENCE.get(new.answer_present)
    if was is not None and now is not None and was != now:
        rule = "answer_found" if now > was else "answer_lost"
        text = f"holds the answer: {old.answer_present} -> {new.answer_present}"
        yield change("retrieval", rule, text, details=[new.presence_reason] if new.presence_reason else [])


def compare_chunks(before: Golden, after: Golden) -> Iterator[Change]:
    """Which chunks came, went, were edited, renamed, re-ranked or scored otherwise."""
    old, new = before.transcript.chunks, after.transcript.chunks
    names = partners(before, after)
    old_by_id = {chunk.id: chunk for chunk in old}
    same: list[tuple[Chunk, Chunk]] = []
    for chunk in new:
        name = names.get(chunk.id)
        if name is None:
            yield change("chunk", "chunk_new", f"chunk {chunk.id} is new", new=chunk.text)
            continue
        partner = old_by_id[name]
        same.append((partner, chunk))
        if name != chunk.id:
            yield change("chunk", "chunk_renamed", f"chunk {name} is called {chunk.id} now")
        elif partner.text != chunk.text:
            text = f"chunk {name} has another text"
            yield change("chunk", "chunk_edited", text, old=partner.text, new=chunk.text)
    kept = set(names.values())
    for chunk in old:
        if chunk.id not in kept:
            yield change("chunk", "chunk_gone", f"chunk {chunk.id} is gone", old=chunk.text)
    yield from _order_and_scores(same, old, new)


def partners(before: Golden, after: Golden) -> dict[str, str]:
    """Id of each new chunk that was there before -> its id then.

    The text tells first: many programs number their chunks by rank, so that an id alone says little. A
    text that is new is an edited chunk where its id was there before.
    """
    by_text: dict[str, list[str]] = {}
    for chunk in before.transcript.chunks:
        by_text.setdefault(folded(chunk.text), []).append(chunk.id)
    found: dict[str, str] = {}
    for chunk in after.transcript.chunks:
        same = by_text.get(folded(chunk.text), [])
        if same:
            found[chunk.id] = same.pop(same.index(chunk.id) if chunk.id in same else 0)
    taken = set(found.values())
    ids = {chunk.id for chunk in before.transcript.chunks}
    for chunk in after.transcript.chunks:
        if chunk.id not in found and chunk.id in ids - taken:
            found[chunk.id] = chunk.id
    return {chunk.id: found[chunk.id] for chunk in after.transcript.chunks if chunk.id in found}


def _order_and_scores(
    same: list[tuple[Chunk, Chunk]], old: tuple[Chunk, ...], new: tuple[Chunk, ...]
) -> Iterator[Change]:
    rank_before = {chunk.id: rank for rank, chunk in enumerate(old, start=1)}
    rank_after = {chunk.id: rank for rank, chunk in enumerate(new, start=1)}
    order = [rank_before[partner.id] for partner, _ in same]
    if order != sorted(order):
        moves = [
            f"{chunk.id} {rank_before[partner.id]} -> {rank_after[chunk.id]}"
            for partner, chunk in same
            if rank_before[partner.id] != rank_after[chunk.id]
        ]
        yield change("chunk", "chunks_reranked", f"another order: {', '.join(moves)}")
    scores = [
        f"{chunk.id} {_score(partner.score)} -> {_score(chunk.score)}"
        for partner, chunk in same
        if _score(partner.score) != _score(chunk.score)
    ]
    if scores:
        yield change("chunk", "chunks_rescored", f"other retrieval scores: {', '.join(scores)}")


def _score(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"
