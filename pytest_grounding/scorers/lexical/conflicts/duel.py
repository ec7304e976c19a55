"""One duel for every kind: words of the claim, the places that say otherwise, and those that agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence

#: Offsets of a stretch of a text: of its first character, and of the one after its last.
Span = tuple[int, int]


class Candidate(NamedTuple):
    """What may be a conflict: words of the claim and their rival.

    Attributes:
        kind: name of its row in `kinds.KINDS`.
        start: offset of the claim's words.
        end: one past their last character.
        chunk: number of the chunk.
        word: number of the rival's first word.
        rival_start: offset of the rival in its chunk.
        rival_end: one past its last character.
        strength: how well it is bound, in [0, 1].
        cover: how much of the claim the rival's sentence holds, in [0, 1].
        doubts: reasons that the generator knows for which this may be none; `frames.DOUBTS` tells them.
    """

    kind: str
    start: int
    end: int
    chunk: int
    word: int
    rival_start: int
    rival_end: int
    strength: float
    cover: float
    doubts: tuple[str, ...] = ()


class Rival(NamedTuple):
    """A place that says otherwise.

    Attributes:
        strength: how well it is bound.
        place: where it stands.
        what: what the generator keeps of it.
        tie: decides between two that are bound as well; the greater wins.
    """

    strength: float
    place: Place
    what: Any = None
    tie: float = 0.0


class Duel:
    """Words of a claim between what says otherwise of them and what agrees.

    Attributes:
        ally: how well the best place that agrees is bound; 0 where none does.
        rival: the best bound place that says otherwise; of two that are bound as well the first.
    """

    __slots__ = ("_agreeing", "_contest", "_first", "_last", "_margin", "ally", "rival")

    def __init__(self, contest: Contest, first: int, last: int | None = None, *, margin: float = 0.0) -> None:
        """Name the anchor."""
        self._contest = contest
        self._first, self._last = first, first if last is None else last
        self._margin = margin
        self._agreeing: set[Sentence] = set()
        self.ally = 0.0
        self.rival: Rival | None = None

    def meet(self, place: Place, *, agrees: bool) -> None:
        """Bind a place as the anchor is bound, and hold it for an ally or a rival."""
        strength = self._contest.bind(self._first, self._last, place)
        if agrees:
            self.agree(strength)
        else:
            self.differ(strength, place)

    def agree(self, strength: float, sentence: Sentence | None = None) -> None:
        """Take note of an ally; a rival in its sentence is none, where one is named."""
        self.ally = max(self.ally, strength)
        if sentence is not None:
            self._agreeing.add(sentence)

    def differ(self, strength: float, place: Place, what: Any = None, tie: float = 0.0) -> None:
        """Take note of a rival."""
        if self.rival is None or (strength, tie) > (self.rival.strength, self.rival.tie):
            self.rival = Rival(strength, place, what, tie)

    def winner(self) -> Rival | None:
        """The rival, where it is bound better than all allies and has none of them beside it."""
        rival = self.rival
        if rival is None or rival.strength <= self.ally + self._margin:
            return None
        return None if self._contest.spot(rival.place) in self._agreeing else rival

    def candidates(self, kind: str, doubts: Iterable[str] = ()) -> Iterator[Candidate]:
        """The candidate that the anchor and the word of the winner make, or none."""
        rival = self.winner()
        if rival is not None:
            tokens = self._contest.claim.tokens
            ours = tokens[self._first].start, tokens[self._last].end
            yield candidate(self._contest, kind, ours, rival, doubts=doubts)


def candidate(
    contest: Contest,
    kind: str,
    ours: Span,
    rival: Rival,
    theirs: Span | None = None,
    doubts: Iterable[str] = (),
    cover: float | None = None,
) -> Candidate:
    """A candidate of a winner."""
    strength, place = rival.strength, rival.place
    if theirs is None:
        token = contest.chunks[place.chunk].tokens[place.word]
        theirs = token.start, token.end
    if cover is None:
        cover = contest.cover(*contest.spot(place))
    return Candidate(kind, *ours, *place, *theirs, strength, cover, tuple(doubts))


def reasons(**known: bool) -> tuple[str, ...]:
    """The names of the doubts that hold."""
    return tuple(name for name, holds in known.items() if holds)
