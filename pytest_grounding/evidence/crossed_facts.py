"""Facts of a claim that the sources have with another subject: the neighbour's value, names exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.pieces import RELATIVES, Piece, Word, chunk_pieces, pieces_in, with_synonyms
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import denies_something
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactType
from pytest_grounding.reading import read_once
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import tokenize

#: Sentences between two pieces that are compared.
_NEAR = 2
#: Words of a claim that is compared, at most.
_LONGEST = 100
#: Pieces of one chunk that are compared with each other at most.
_MOST_PIECES = 40
#: Content words of an answer that has its subject from the question: "18 euros."
_FRAGMENT = 4
#: Words of a claim that takes but common words from two pieces, at least.
_FEWEST = 3
#: Share of the words of a claim that two pieces have.
_MADE_OF = 0.9
#: Words of one kind in a slot at most.
_SLOT = 3
#: Words of pieces that have but a verb or a preposition in common, at most.
_SHORT = 8
_IN_TURN = words("denials", "in turn")


@dataclass
class _Slot:
    """What stands in one place of a piece that the other piece has otherwise."""

    words: list[Word] = field(default_factory=list)
    values: list[Word] = field(default_factory=list)


@dataclass(frozen=True)
class _Crossing:
    """A word that one piece has and another one in another piece, which a claim has together."""

    first: Word
    second: Word
    first_rivals: Sequence[Word]  # in the place of the first, in the piece of the second
    second_rivals: Sequence[Word]
    chunk: int

    @property
    def has_value(self) -> bool:
        """Whether one of the two is a value."""
        return "value" in (self.first.kind, self.second.kind)

    @property
    def is_typed(self) -> bool:
        """Whether one of the two is a value or a name, with one of its kind in its place."""
        pairs = ((self.first, self.first_rivals), (self.second, self.second_rivals))
        return any(word.kind == "value" or (word.is_named and rivals[0].is_named) for word, rivals in pairs)


def crossed_of(text: str, sources: LedgerSources, *, is_copy: bool) -> Iterator[Settled]:
    """The facts of a claim that stand with another subject in the sources; English only."""
    if sources.language != "en":
        return
    tokens = tokenize(text, "en")
    is_short = sum(not token.is_stop for token in tokens) <= _FRAGMENT
    is_copied = is_copy and (not is_short or has_finite_verb([token.norm for token in tokens]))
    if is_copied or len(tokens) > _LONGEST or any(token.norm in _IN_TURN for token in tokens):
        return
    known = sum(token.stem in sources.context.positions for token in tokens if not token.is_stop)
    if known < 2 and not is_short:
        # Two words of the sources are needed.
        return
    pieces = list(pieces_in(text, tokens, typed_values(text)))
    is_denied = denies_something(tokens)
    is_fragment = is_short and len(pieces) == 1
    question = sources.given.question[0] if sources.given.question else ""
    asked = _asked_keys(question) if is_fragment and not _has_verb(pieces[0]) else frozenset()
    for piece in pieces:
        crossing = _crossing_of(piece, asked, sources, is_denied=is_denied)
        if crossing is not None:
            yield from _settled(piece, crossing)


def _has_verb(piece: Piece) -> bool:
    return any(word.kind == "verb" for word in piece.words)


@read_once
def _asked_keys(question: str) -> frozenset[str]:
    """What a question asks about."""
    tokens = tokenize(question, "en")
    return frozenset(
        key for piece in pieces_in(question, tokens, typed_values(question)) for key in piece.keys
    )


def _crossing_of(
    claim: Piece, asked: frozenset[str], sources: LedgerSources, *, is_denied: bool
) -> _Crossing | None:
    """The first two pieces of the sources between which a claim takes one fact from each."""
    forms = {key: with_synonyms(frozenset({key})) for key in claim.keys}
    held = [
        [(piece, _held(piece, forms)) for piece in chunk_pieces(index)] for index in sources.context.indexes
    ]
    if not asked and any(len(own) == len(forms) for pieces in held for _, own in pieces):
        # One piece says all of it.
        return None
    keys = with_synonyms(claim.keys | asked)
    needed = _MADE_OF * len(claim.keys - claim.verbs)
    for chunk, pieces in enumerate(held):
        useful = [(piece, own) for piece, own in pieces if own or not piece.keys.isdisjoint(asked)]
        for (first, ours), (second, theirs) in permutations(useful[:_MOST_PIECES], 2):
            if len((ours | theirs) - claim.verbs) < needed or not _are_near(first, second):
                continue
            crossing = _between(first, second, keys, chunk)
            if crossing is None or _stand_together(crossing, first, second, sources.context):
                continue
            is_said = not is_denied and (_has_verb(claim) or bool(asked))
            is_whole = is_said and len(claim.keys | asked) >= _FEWEST and _are_members(first, second)
            if crossing.has_value or is_whole or (crossing.is_typed and not is_denied):
                return crossing
    return None


def _held(piece: Piece, forms: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The keys of a claim that a piece has, as they are or as synonyms."""
    return frozenset(key for key, some in forms.items() if not piece.keys.isdisjoint(some))


def _are_near(first: Piece, second: Piece) -> bool:
    """Whether two pieces stand near each other, and neither has its subject elsewhere."""
    pronouns = {first.pronoun, second.pronoun}
    if first.sentence == second.sentence:
        # "She learned from one and taught another."
        return pronouns.isdisjoint(RELATIVES)
    return abs(first.sentence - second.sentence) <= _NEAR and pronouns == {""}


def _are_members(first: Piece, second: Piece) -> bool:
    """Whether two pieces are short members of one sentence."""
    is_short = max(len(first.words), len(second.words)) <= _SHORT
    return is_short and first.sentence == second.sentence


def _between(first: Piece, second: Piece, keys: frozenset[str], chunk: int) -> _Crossing | None:
    """What a claim takes from the first piece in one place, and from the second in another."""
    slots = _slots(first, second, keys)
    is_elliptic = not first.verbs or not second.verbs
    for here, there in product(range(len(slots)), repeat=2):
        ours, theirs = slots[here]
        own, other = slots[there]
        taken = _taken(ours, theirs, keys, is_elliptic=is_elliptic)
        also = _taken(other, own, keys, is_elliptic=is_elliptic)
        if taken is None or also is None:
            continue
        if here != there or (taken[0].kind == "value") != (also[0].kind == "value"):
            return _Crossing(taken[0], also[0], taken[1], also[1], chunk)
    return None


def _taken(
    side: _Slot, other: _Slot, keys: frozenset[str], *, is_elliptic: bool
) -> tuple[Word, Sequence[Word]] | None:
    """A word of one side that a claim has, where it has none of the other side; with those."""
    for ours, theirs in ((side.values, other.values), (side.words, other.words)):
        rivals = [word for word in theirs if word.key not in keys]
        # A piece without a verb goes on with words of the other: "wool on Fridays".
        if not rivals or (len(rivals) < len(theirs) and not is_elliptic) or len(ours) > _SLOT < len(rivals):
            continue
        taken = next((word for word in ours if word.key in keys), None)
        if taken is not None and any(_are_alike(taken, rival) for rival in rivals):
            return taken, rivals
    return None


def _are_alike(word: Word, rival: Word) -> bool:
    """Whether two words may stand for each other: values of one unit, or of none."""
    return word.unit == rival.unit or "" in (word.unit, rival.unit)


def _slots(first: Piece, second: Piece, keys: frozenset[str]) -> list[tuple[_Slot, _Slot]]:
    """What differs between two pieces, place by place between what they have in common."""
    shared = first.keys & second.keys
    is_one_sentence = first.sentence == second.sentence
    left, right = (_labels(piece, shared, with_joints=is_one_sentence) for piece in (first, second))
    # Imported here for cost: few claims take words from two pieces.
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    joints = [first.words[block.a + step] for block in blocks for step in range(block.size)]
    is_alike = any(joint.key in keys for joint in joints if joint.kind not in ("joint", "verb"))
    if not is_alike and not (joints and max(len(first.words), len(second.words)) <= _SHORT):
        return []
    slots: list[tuple[_Slot, _Slot]] = []
    low = at = 0
    for block in blocks:
        if block.a > low or block.b > at:
            slots.append(
                (_slot(first.words[low : block.a], shared), _slot(second.words[at : block.b], shared))
            )
        low, at = block.a + block.size, block.b + block.size
        slots += [
            _verb_slot(first.words[block.a + step], second.words[block.b + step])
            for step in range(block.size)
        ]
    return slots


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


def _slot(run: Sequence[Word], shared: frozenset[str]) -> _Slot:
    slot = _Slot()
    for word in run:
        if word.kind == "value" and word.key not in shared:
            slot.values.append(word)
        elif word.kind in ("word", "verb") and word.key and word.key not in shared:
            slot.words.append(word)
    return slot


def _verb_slot(first: Word, second: Word) -> tuple[_Slot, _Slot]:
    """Two verbs in the place of each other."""
    if first.kind != "verb" or first.key == second.key or not first.key or not second.key:
        return _Slot(), _Slot()
    return _Slot(words=[first]), _Slot(words=[second])


def _stand_together(crossing: _Crossing, first: Piece, second: Piece, context: Context) -> bool:
    """Whether another piece, or another sentence, has both facts."""
    keys = [with_synonyms(frozenset({word.key})) for word in (crossing.first, crossing.second)]
    for chunk, index in enumerate(context.indexes):
        for piece in chunk_pieces(index):
            is_other = chunk != crossing.chunk or piece not in (first, second)
            if is_other and all(not piece.keys.isdisjoint(some) for some in keys):
                return True
    own = {context.offset[crossing.chunk] + piece.sentence for piece in (first, second)}
    places = [
        set().union(*(context.sentences(key) for key in some if not key.startswith("="))) for some in keys
    ]
    return bool(places[0] & places[1] - own)


def _settled(piece: Piece, crossing: _Crossing) -> Iterator[Settled]:
    """The fact of a claim that is another's, with what the sources say in its place."""
    pairs = ((crossing.second, crossing.second_rivals), (crossing.first, crossing.first_rivals))
    word, rivals = min(pairs, key=lambda pair: pair[0].kind != "value")
    keys = with_synonyms(frozenset({word.key}))
    own = next((mine for mine in piece.words if mine.key in keys), piece.words[0])
    right = " ".join(rival.text for rival in rivals)
    place = Place(crossing.chunk, rivals[0].start, rivals[0].end)
    yield Settled(_type_of(own), own.start, own.end, Outcome("elsewhere", place, nearest=right))


def _type_of(word: Word) -> FactType:
    if word.kind == "value":
        return "quantity"
    return "name" if word.is_named else "role"
