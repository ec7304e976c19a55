"""A claim in the words of its sources: each term replaced by one that the glossary lets a source say."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.glossary.terms import Place, Term

#: Readings of one text that are tried. With more, each term is read as the first that stands in the chunks.
_MOST = 8


@dataclass(frozen=True, slots=True)
class Swap:
    """One term replaced by another.

    Attributes:
        start: offset in the text as it was.
        end: one past the last character that was replaced.
        at: offset of the replacement in the reading.
        to: one past its last character.
    """

    start: int
    end: int
    at: int
    to: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, some of its terms replaced.

    Attributes:
        text: what it reads.
        source: the text as it was.
        swaps: what was replaced, from left to right; nothing where it is the text itself.
    """

    text: str
    source: str
    swaps: tuple[Swap, ...] = ()

    def back(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of the reading as one of the text; a part of a replacement is the whole term."""
        first, last = self._swap_at(start), self._swap_at(end - 1)
        low = first.start if first is not None else start - self._shift(start)
        high = last.end if last is not None else end - self._shift(end - 1)
        return low, max(low, high)

    def forth(self, offset: int) -> int:
        """Where an offset of the text lies in the reading; in a term, where its replacement begins."""
        number = bisect_right([swap.start for swap in self.swaps], offset) - 1
        if number < 0:
            return offset
        swap = self.swaps[number]
        return swap.at if offset < swap.end else offset - swap.end + swap.to

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """What was read as what, each once."""
        told = [(self.source[s.start : s.end], self.text[s.at : s.to]) for s in self.swaps]
        return tuple(dict.fromkeys(told))

    def _swap_at(self, offset: int) -> Swap | None:
        number = bisect_right([swap.at for swap in self.swaps], offset) - 1
        return self.swaps[number] if number >= 0 and offset < self.swaps[number].to else None

    def _shift(self, offset: int) -> int:
        """How much farther right an offset of the reading lies than in the text."""
        number = bisect_right([swap.at for swap in self.swaps], offset) - 1
        return self.swaps[number].to - self.swaps[number].end if number >= 0 else 0


def replaced(text: str, places: Sequence[Place], words: Mapping[int, str]) -> Reading:
    """A text with some terms replaced."""
    pieces: list[str] = []
    swaps: list[Swap] = []
    copied = length = 0
    for place in places:
        if place.term not in words:
            continue
        said = words[place.term]
        if text[place.start].isupper() and not text[: place.start].strip():
            said = said[:1].upper() + said[1:]
        kept = text[copied : place.start]
        at = length + len(kept)
        pieces += [kept, said]
        length = at + len(said)
        swaps.append(Swap(place.start, place.end, at, length))
        copied = place.end
    pieces.append(text[copied:])
    return Reading("".join(pieces), text, tuple(swaps))


def conflict_in(conflict: Conflict, reading: Reading) -> Conflict:
    """A conflict of a reading in the words of the text that was read."""
    start = conflict.claim_start
    if start is None:
        return conflict
    low, high = reading.back(start, start + max(1, len(conflict.claim_text)))
    ours = reading.source[low:high]
    message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
    return conflict.model_copy(update={"claim_text": ours, "claim_start": low, "message": message})


def readings_of(
    text: str,
    places: Sequence[Place],
    there: frozenset[int],
    sources_of: Mapping[int, Sequence[int]],
    terms: Sequence[Term],
) -> list[Reading]:
    """The ways to read a text against chunks."""
    options: dict[int, list[int]] = {}
    for term in dict.fromkeys(place.term for place in places):
        others = [other for other in sources_of[term] if other in there]
        if others:
            options[term] = [term, *others] if term in there else others
    if not options:
        return [Reading(text, text)]
    for length in (None, 2, 1):
        choices = [_cut(term, found, length) for term, found in options.items()]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count <= _MOST:
            break
    found = []
    for combination in product(*choices):
        words = {
            term: terms[other].text for term, other in zip(options, combination, strict=True) if other != term
        }
        found.append(replaced(text, places, words))
    return found


def _cut(term: int, options: list[int], length: int | None) -> list[int]:
    """The first options of a term; of one alone, what is not the term itself."""
    if length == 1 and options[0] == term:
        return options[1:2]
    return options[:length]
