"""Facts of a claim that the sources have with another subject: the neighbour's value, names exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.piece_index import PieceIndex, Slot, keys_in, piece_index
from pytest_grounding.evidence.pieces import (
    POINTS,
    RELATIVES,
    Piece,
    Word,
    claim_pieces,
    forms_of_key,
    with_synonyms,
)
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import words_of_claim
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactType

_IN_COMMON = 2  # words of two pieces that say the same of two things, at least
_NEAR = 2  # sentences between two pieces that are compared
_LONGEST = 100  # words of a claim that is compared, at most
_MOST_PIECES = 40  # pieces of one chunk that are compared with each other at most
#: Content words of an answer that has its subject from the question: "18 euros."
_FRAGMENT = 4
#: Words of a claim that takes but common words from two pieces, at least.
_FEWEST = 3
_MADE_OF = 0.9  # share of the words of a claim that two pieces have
_SLOT = 3  # words of one kind in a slot at most
#: Words of pieces that have but a verb or a preposition in common, at most.
_SHORT = 8
#: What a claim says of things in turn, or leaves out, is taken from two pieces rightly.
_APART = words("denials", "in turn") | words("conditions", "excepting")


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
    said = words_of_claim(text)
    content = [token.stem for token in said.tokens if not token.is_stop]
    is_short = len(content) <= _FRAGMENT
    is_copied = is_copy and (not is_short or said.has_finite_verb)
    if is_copied or len(said.tokens) > _LONGEST or said.has(_APART):
        return
    if not is_short and len([stem for stem in content if stem in sources.context.positions]) < 2:
        # Two words of the sources are needed.
        return
    pieces = claim_pieces(text)
    is_denied = said.is_denying
    is_fragment = is_short and len(pieces) == 1
    asked = keys_in(sources.question) if is_fragment and not pieces[0].has_verb else frozenset()
    for piece in pieces:
        crossing = _crossing_of(piece, asked, sources, is_denied=is_denied, is_alone=len(pieces) == 1)
        if crossing is not None:
            yield from _settled(piece, crossing)


def _crossing_of(
    claim: Piece, asked: frozenset[str], sources: LedgerSources, *, is_denied: bool, is_alone: bool
) -> _Crossing | None:
    """The first two pieces of the sources between which a claim takes one fact from each."""
    context = sources.context
    # Keys that count come first, a bit for each.
    own = sorted(claim.keys, key=claim.verbs.__contains__)
    counted = (1 << len(claim.keys - claim.verbs)) - 1
    chunks = _chunks_with_most(own[: counted.bit_length()], context)
    if not chunks:
        return None
    indexes = {chunk: piece_index(context.indexes[chunk]) for chunk in chunks}
    held = {chunk: _held(index, own) for chunk, index in indexes.items()}
    if not asked and any((1 << len(own)) - 1 in pieces.values() for pieces in held.values()):
        # One piece says all of it.
        return None
    keys = with_synonyms(claim.keys | asked)
    for chunk, index in indexes.items():
        pieces = held[chunk]
        useful = sorted(index.with_one_of(asked).union(pieces))[:_MOST_PIECES]
        for first, second in _pairs_with_most({at: pieces.get(at, 0) & counted for at in useful}, counted):
            ours, theirs = index.pieces[first], index.pieces[second]
            if not _are_near(ours, theirs):
                continue
            crossing = _between(index, first, second, keys, chunk)
            if crossing is None or _stand_together(crossing, ours, theirs, context):
                continue
            if _share_a_verb(crossing, ours, theirs):
                continue
            is_parallel = is_alone and _say_the_same_of_two(ours, theirs, claim)
            is_said = not is_denied and (claim.has_verb or bool(asked) or is_parallel)
            are_members = _are_short(ours, theirs) and (is_parallel or ours.sentence == theirs.sentence)
            is_whole = is_said and len(claim.keys | asked) >= _FEWEST and are_members
            if crossing.has_value or is_whole or (crossing.is_typed and not is_denied):
                return crossing
    return None


def _chunks_with_most(keys: Sequence[str], context: Context) -> list[int]:
    """The chunks that may have as many of these keys as two pieces need; values are not looked for."""
    most = len(keys) - _MADE_OF * len(keys)
    chunks = list(range(len(context.indexes)))
    lacking = [0] * len(chunks)
    for key in keys:
        if key[:1] == "=" or len(key) == 1:
            continue
        for chunk in context.chunks_without(key):
            lacking[chunk] += 1
            if lacking[chunk] > most and chunk in chunks:
                chunks.remove(chunk)
        if not chunks:
            break
    return chunks


def _held(index: PieceIndex, keys: Sequence[str]) -> dict[int, int]:
    """Piece -> the keys of a claim that it has, as they are or as synonyms: a bit for each."""
    found: dict[int, int] = {}
    for number, key in enumerate(keys):
        for piece in index.holding(key):
            found[piece] = found.get(piece, 0) | 1 << number
    return found


def _pairs_with_most(held: Mapping[int, int], counted: int) -> Iterator[tuple[int, int]]:
    """The pairs of pieces that have most of the counted keys together."""
    needed = _MADE_OF * counted.bit_count()
    most = max((keys.bit_count() for keys in held.values()), default=0)
    full = [(piece, keys) for piece, keys in held.items() if keys.bit_count() + most >= needed]
    for first, ours in full:
        for second, theirs in full:
            if first != second and (ours | theirs).bit_count() >= needed:
                yield first, second


def _are_near(first: Piece, second: Piece) -> bool:
    """Whether two pieces stand near each other, and neither has its subject elsewhere."""
    pronouns = {first.pronoun, second.pronoun}
    if first.sentence == second.sentence:
        # "She learned from one and taught another."
        return pronouns.isdisjoint(RELATIVES)
    return abs(first.sentence - second.sentence) <= _NEAR and pronouns == {""}


def _may_cross(first: Piece, second: Piece, keys: frozenset[str]) -> bool:
    """Whether a claim has a part of what only the first piece has, and of the second, and a joint."""
    ours, theirs = first.keys - second.keys | first.verbs, second.keys - first.keys | second.verbs
    if keys.isdisjoint(ours) or keys.isdisjoint(theirs) or ours <= keys or theirs <= keys:
        return False
    return _are_short(first, second) or not (first.keys & second.keys).isdisjoint(keys)


def _say_the_same_of_two(first: Piece, second: Piece, claim: Piece) -> bool:
    """Whether two pieces say something of two things by the same words, which a claim has as well."""
    if claim.has_verb and not first.verbs.isdisjoint(second.verbs):
        return True
    return len(first.keys & second.keys & claim.keys) >= _IN_COMMON


def _are_short(first: Piece, second: Piece) -> bool:
    return max(len(first.words), len(second.words)) <= _SHORT


def _between(
    index: PieceIndex, first: int, second: int, keys: frozenset[str], chunk: int
) -> _Crossing | None:
    """What a claim takes from the first piece in one place, and from the second in another."""
    one, other = index.pieces[first], index.pieces[second]
    if not _may_cross(one, other, keys):
        return None
    contrast = index.contrast(first, second)
    if contrast.joints.isdisjoint(keys) and not (contrast.has_joints and _are_short(one, other)):
        return None
    is_elliptic = not one.verbs or not other.verbs
    ours = [_taken(left, right, keys, is_elliptic=is_elliptic) for left, right in contrast.slots]
    if not any(ours):
        return None
    theirs = [_taken(right, left, keys, is_elliptic=is_elliptic) for left, right in contrast.slots]
    for (here, taken), (there, also) in product(enumerate(ours), enumerate(theirs)):
        if taken is None or also is None:
            continue
        if here != there or (taken[0].kind == "value") != (also[0].kind == "value"):
            return _Crossing(taken[0], also[0], taken[1], also[1], chunk)
    return None


def _taken(
    side: Slot, other: Slot, keys: frozenset[str], *, is_elliptic: bool
) -> tuple[Word, Sequence[Word]] | None:
    """A word of one side that a claim has, where it has none of the other side; with those."""
    for ours, theirs in ((side.values, other.values), (side.words, other.words)):
        rivals = [word for word in theirs if word.key not in keys]
        # A piece without a verb goes on with words of the other: "wool on Fridays".
        if not rivals or (len(rivals) < len(theirs) and not is_elliptic) or len(ours) > _SLOT < len(rivals):
            continue
        taken = next((word for word in ours if word.key in keys), None)
        if taken is not None and any(rival.unit in (taken.unit, "") or not taken.unit for rival in rivals):
            return taken, rivals
    return None


def _share_a_verb(crossing: _Crossing, first: Piece, second: Piece) -> bool:
    """Whether a claim joins a subject to the verb it shares: "a boy in boots and gloves is skating"."""
    if first.sentence != second.sentence or first.has_verb == second.has_verb:
        return False
    opening, rest = (second, first) if first.has_verb else (first, second)
    taken = (crossing.second, crossing.first) if first.has_verb else (crossing.first, crossing.second)
    verb = next(word for word in rest.words if word.kind == "verb")
    is_in_subject = opening.end < rest.start and taken[0].start >= opening.start
    return is_in_subject and taken[0].key == opening.words[0].key and taken[1].start > verb.start


def _stand_together(crossing: _Crossing, first: Piece, second: Piece, context: Context) -> bool:
    """Whether another piece, or another sentence, has both facts."""
    one, other = crossing.first.key, crossing.second.key
    for chunk, index in enumerate(context.indexes):
        pieces = piece_index(index)
        for number in set(pieces.holding(one)).intersection(pieces.holding(other)):
            if chunk != crossing.chunk or pieces.pieces[number] not in (first, second):
                return True
    own = {context.offset[crossing.chunk] + piece.sentence for piece in (first, second)}
    if not crossing.is_typed and first.sentence != second.sentence:
        # "The yellow tram serves the docks and the zoo": a longer sentence has both.
        own = set()
    places, others = (frozenset().union(*map(context.sentences, forms_of_key(key))) for key in (one, other))
    return bool(places & others - own)


def _settled(piece: Piece, crossing: _Crossing) -> Iterator[Settled]:
    """The fact of a claim that is another's, with what the sources say in its place."""
    pairs = ((crossing.second, crossing.second_rivals), (crossing.first, crossing.first_rivals))
    word, rivals = min(pairs, key=lambda pair: pair[0].kind != "value")
    keys = forms_of_key(word.key)
    own = next((mine for mine in piece.words if mine.key in keys), piece.words[0])
    right = " ".join(rival.text for rival in rivals)
    place = Place(crossing.chunk, rivals[0].start, rivals[0].end)
    yield Settled(_type_of(own), own.start, own.end, Outcome("elsewhere", place, nearest=right))


def _type_of(word: Word) -> FactType:
    if word.kind == "value":
        return "point_in_time" if word.unit in POINTS else "quantity"
    return "name" if word.is_named else "role"
