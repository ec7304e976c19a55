"""The pieces of a chunk by what they say, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_values import kept_method, kept_with_owner, lazy_value
from pytest_grounding.evidence.pieces import Piece, Word, chunk_pieces, claim_pieces, forms_of_key
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.reading import read_once


@dataclass(slots=True)
class Slot:
    """What stands in one place of a piece that the other piece has otherwise."""

    words: Sequence[Word] = ()
    values: Sequence[Word] = ()


@dataclass(slots=True)
class Contrast:
    """Two pieces side by side."""

    joints: frozenset[str]  # keys of the words that both have, but verbs and prepositions
    has_joints: bool  # whether they have a word, a verb or a preposition in common
    slots: Sequence[tuple[Slot, Slot]]  # what differs, place by place between what they have in common


class PieceIndex:
    """The pieces of a chunk, found by their keys."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces

    @lazy_value
    def _by_key(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for number, piece in enumerate(self.pieces):
            for key in piece.keys:
                found.setdefault(key, []).append(number)
        return {key: tuple(numbers) for key, numbers in found.items()}

    def with_one_of(self, keys: Iterable[str]) -> frozenset[int]:
        """The pieces that have one of these keys."""
        return frozenset([number for key in keys for number in self._by_key.get(key, ())])

    @kept_method
    def holding(self, key: str) -> tuple[int, ...]:
        """The pieces that have a key or a synonym of it."""
        return tuple(self.with_one_of(forms_of_key(key)))

    @kept_method
    def contrast(self, first: int, second: int) -> Contrast:
        """Two pieces side by side; compared once, as claims and answers meet the same pieces."""
        return _contrast(self.pieces[first], self.pieces[second])


@kept_with_owner
def piece_index(index: ChunkIndex) -> PieceIndex:
    """The pieces of a chunk by their keys."""
    return PieceIndex(chunk_pieces(index))


def _contrast(first: Piece, second: Piece) -> Contrast:
    # Imported here for cost: few claims take words from two pieces.
    from difflib import SequenceMatcher

    shared = first.keys & second.keys
    is_one_sentence = first.sentence == second.sentence
    left, right = (_labels(piece, shared, with_joints=is_one_sentence) for piece in (first, second))
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    joints = [first.words[block.a + step] for block in blocks for step in range(block.size)]
    slots: list[tuple[Slot, Slot]] = []
    low = at = 0
    for block in blocks:
        if block.a > low or block.b > at:
            slots.append(
                (_slot(first.words[low : block.a], shared), _slot(second.words[at : block.b], shared))
            )
        low, at = block.a + block.size, block.b + block.size
        for step in range(block.size):
            ours, theirs = _verb_slot(first.words[block.a + step], second.words[block.b + step])
            if ours.words:
                slots.append((ours, theirs))
    keys = frozenset(joint.key for joint in joints if joint.kind not in ("joint", "verb"))
    return Contrast(keys, bool(joints), slots)


def _labels(piece: Piece, shared: frozenset[str], *, with_joints: bool) -> list[str]:
    """What a word of a piece may be matched by; a word of its own has its place."""
    labels: list[str] = []
    for number, word in enumerate(piece.words):
        label = f"{id(piece)} {number}"
        if word.kind == "verb":
            label = "verb"
        elif word.kind == "joint":
            label = f"joint {word.key}" if with_joints else label
        elif word.key in shared:
            label = word.key
        labels.append(label)
    return labels


def _slot(run: Sequence[Word], shared: frozenset[str]) -> Slot:
    own = [word for word in run if word.key and word.key not in shared and word.kind != "joint"]
    values = tuple([word for word in own if word.kind == "value"])
    return Slot(tuple([word for word in own if word.kind != "value"]), values)


def _verb_slot(first: Word, second: Word) -> tuple[Slot, Slot]:
    if first.kind != "verb" or first.key == second.key or not first.key or not second.key:
        return Slot(), Slot()
    return Slot((first,)), Slot((second,))


@read_once
def keys_in(text: str) -> frozenset[str]:
    """What a text says in all of its pieces, such as a question; English only."""
    return frozenset().union(*(piece.keys for piece in claim_pieces(text)))
