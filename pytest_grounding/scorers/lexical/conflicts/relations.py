"""Relations: what stands on which side of a word that relates two things.

"Larkfield acquired Pine Mill" relates by a verb, "before the rain" and "from staging to production" by small
words. Each has two sides, told by their order but for three turns: a passive ("Pine Mill was acquired by
Larkfield"), a relation that opens its part of the sentence ("Before lunch, call Ann"), and a word that says
the same the other way round ("after" for "before"). No parser and no tagger: closed lists and signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding.lexicon import lines, ordered, table, words
from pytest_grounding.scorers.lexical.conflicts.lexicon import stem_of
from pytest_grounding.scorers.lexical.conflicts.view import View, within
from pytest_grounding.text.grammar import AUXILIARIES, has_finite_verb

#: Content words of a side, and of a side that is a clause.
_REACH = 5
_CLAUSE_REACH = 8
#: Words before a verb in which a form of "to be" makes it passive, and in which a word helps it.
_PASSIVE_WITHIN = 3
_HELPED_WITHIN = 2
#: Words between a form of "to be" and "of": "is the only capital of".
_NOUN_WITHIN = 6
#: Words in which a comparison stands before "than".
_BEFORE_THAN = 4
_SHORTEST_MORE = 4
_LONGEST = 80
_SIGNS = frozenset(",;:.!?()\n—–|")
_BE = words("matching", "be")
_ENDS = words("conflicts", "clause words")
_RELATIVES = frozenset(("which", "that", "who", "whom"))
_DETERMINERS = words("grammar", "determiners")
_BEFORE_NOUNS = words("matching", "before_nouns") | _DETERMINERS
_HELPING = AUXILIARIES | {"to"}
_OPENING = words("conflicts", "sides")
_NOUN_ENDINGS = ordered("matching", "noun_endings")
_PARTICLES = words("conflicts", "particles")
_MORE = words("conflicts", "comparing")
_AGENT = "by"
VERB, NOUN, COMPARED = "verb", "noun", "compared"
#: Sorts of small words behind which a clause stands.
_CLAUSAL = frozenset(("order", "cause", "if", "instead"))

Phrase = tuple[str, ...]


class Relation(NamedTuple):
    """A relation in a text.

    Attributes:
        sort: "verb", "noun" ("is the capital of"), or what a small word says ("order", "from").
        word: number of its word.
        stem: stem of that word.
        first: numbers of the content words of the one side: who does it, what comes before; nearest first.
        second: those of the other side.
        is_passive: whether a verb is passive.
        is_fronted: whether it opens its part of the sentence.
        is_turned: whether its word says the same the other way round.
        firsts: stems of the first side.
        seconds: stems of the second side.
    """

    sort: str
    word: int
    stem: str
    first: tuple[int, ...]
    second: tuple[int, ...]
    is_passive: bool = False
    is_fronted: bool = False
    is_turned: bool = False
    firsts: frozenset[str] = frozenset()
    seconds: frozenset[str] = frozenset()


class _Small(NamedTuple):
    """A small word that relates, or several in a row: its last word, what it says, whether it is turned."""

    last: int
    sort: str
    is_turned: bool


def _phrases() -> dict[str, list[tuple[Phrase, str, bool]]]:
    found: dict[str, list[tuple[Phrase, str, bool]]] = {}
    for section, is_turned in (("relating", False), ("relating turned round", True)):
        for phrase, sort in table("conflicts", section).items():
            said = tuple(phrase.split())
            found.setdefault(said[0], []).append((said, sort, is_turned))
    return {first: sorted(phrases, key=lambda one: -len(one[0])) for first, phrases in found.items()}


_SMALL = _phrases()
#: What relates two things: verbs, nouns, and what small words say.
SORTS = (VERB, NOUN, *dict.fromkeys(sort for phrases in _SMALL.values() for _, sort, _ in phrases))
#: Words that begin what is related to all before them, and not to the verb alone.
_GOVERNING = frozenset(
    first for first, phrases in _SMALL.items() if any(sort in {*_CLAUSAL, COMPARED} for _, sort, _ in phrases)
)
#: Words that may turn a relation round, the order of the words kept.
TURNING_ROUND = frozenset(
    (_AGENT, *(first for first, phrases in _SMALL.items() if any(turned for _, _, turned in phrases)))
)


@lru_cache(maxsize=1)
def _converses() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines("conflicts", "converses"):
        ours, theirs = (frozenset(map(stem_of, side.split())) for side in line.split("|"))
        for side, other in ((ours, theirs), (theirs, ours)):
            for stem in side:
                found.setdefault(stem, set()).update(other)
    return {stem: frozenset(others) for stem, others in found.items()}


def converses_of(stem: str) -> frozenset[str]:
    """Stems of verbs that say the same with the two things exchanged: "lose" for "beat"."""
    return _converses().get(stem, frozenset())


@lru_cache(maxsize=1)
def _verb_sorts() -> dict[str, tuple[str, bool]]:
    """For stems of some verbs the sort of small word that says the same, and whether the other way round."""
    return {
        stem_of(verb): (sort.rstrip("-"), sort.endswith("-"))
        for verb, sort in table("conflicts", "relating verbs").items()
    }


def is_telling(view: View, number: int) -> bool:
    """Whether a word may stand on a side: content words, and a capital that names ("Model A")."""
    token = view.tokens[number]
    if not token.is_stop:
        return True
    return number > 0 and token.end - token.start == 1 and view.text[token.start].isupper()


def relations_of(
    view: View, low: int, high: int, sought: Callable[[str], bool] | None = None
) -> tuple[Relation, ...]:
    """The relations of a sentence; none of one that is too long to be one.

    Args:
        view: the text.
        low: number of the first word of the sentence.
        high: number of the first word after it.
        sought: whether verbs of a stem are looked for; None: those of all stems.
    """
    return tuple(_Reader(view, low, high, sought).relations()) if high - low <= _LONGEST else ()


def comparing(view: View, than: int) -> str:
    """Stem of the word before a "than" that compares, or ""."""
    reach = range(than - 1, max(-1, than - _BEFORE_THAN - 1), -1)
    # "More water than": not everything in "er" compares.
    more = next((view.stems[n] for n in reach if view.norms[n] in _MORE), "")
    return more or next((view.stems[n] for n in reach if _compares(view.norms[n])), "")


def has_particle(view: View, relation: Relation) -> bool:
    """Whether a verb is another one by the word behind it: "give up"."""
    return relation.word + 1 < len(view.norms) and view.norms[relation.word + 1] in _PARTICLES


def is_verb(view: View, relation: Relation) -> bool:
    """Whether a word has a form of a verb, a word before it that helps one, or a noun phrase behind it."""
    word = relation.word
    before = view.norms[max(0, word - _HELPED_WITHIN) : word]
    if has_finite_verb([view.norms[word]]) or not _HELPING.isdisjoint(before):
        return True
    if word + 1 == len(view.norms):
        return False
    names = view.tokens[word + 1].is_name and not view.tokens[word].is_name
    return names or view.norms[word + 1] in _DETERMINERS


def stems_at(view: View, numbers: Sequence[int]) -> frozenset[str]:
    """The stems of words."""
    stems = view.stems
    return frozenset([stems[number] for number in numbers])


def _compares(norm: str) -> bool:
    return len(norm) > _SHORTEST_MORE and norm.endswith("er")


class _Reader:
    """A sentence whose relations are read.

    Attributes:
        view: its text.
        low: number of its first word.
        high: number of the first word after it.
        sought: whether verbs of a stem are looked for; None: those of all stems.
        signs: numbers of the words that a sign stands before.
        commas: numbers of those that a comma stands before.
        tells: numbers of the words that may stand on a side.
    """

    def __init__(self, view: View, low: int, high: int, sought: Callable[[str], bool] | None = None) -> None:
        self.view, self.low, self.high = view, low, high
        self.sought = sought
        self.signs: set[int] = set()
        self.commas: set[int] = set()
        for number in within(view.apart, low + 1, high - 1):
            between = view.gap(number)
            if not _SIGNS.isdisjoint(between):
                self.signs.add(number)
                if "," in between:
                    self.commas.add(number)
        self.tells = {number for number in range(low, high) if is_telling(view, number)}

    def relations(self) -> list[Relation]:
        """The relations that have two sides, in the order of their words."""
        norms, stems, sought = self.view.norms, self.view.stems, self.sought
        sorts = _verb_sorts()
        found: list[Relation | None] = []
        number = self.low
        while number < self.high:
            norm, stem = norms[number], stems[number]
            small = self._small_at(number) if norm in _SMALL else None
            if small is not None:
                found.append(self._of_small(number, small))
                number = small.last
            elif self._may_be_verb(number):
                if sought is None or stem in sorts or sought(stem):
                    found += self._of_verb(number)
            elif norm == "of":
                found.append(self._of_noun(number))
            number += 1
        return [one for one in found if one is not None]

    def _related(
        self,
        sort: str,
        word: int,
        sides: tuple[tuple[int, ...], tuple[int, ...]],
        *,
        stem: str = "",
        is_passive: bool = False,
        is_fronted: bool = False,
        is_turned: bool = False,
    ) -> Relation | None:
        """A relation by the numbers of the words on its sides; None where one is empty."""
        first, second = sides
        if not first or not second:
            return None
        firsts, seconds = stems_at(self.view, first), stems_at(self.view, second)
        return Relation(
            sort, word, stem or sort, first, second, is_passive, is_fronted, is_turned, firsts, seconds
        )

    def _small_at(self, number: int) -> _Small | None:
        for said, sort, is_turned in _SMALL.get(self.view.norms[number], ()):
            end = number + len(said)
            if end <= self.high and self.view.norms[number:end] == said:
                return _Small(end - 1, sort, is_turned)
        return None

    def _of_small(self, at: int, small: _Small) -> Relation | None:
        """The sides of a small word: what it governs, and what stands before it or behind the comma."""
        is_clausal = small.sort in _CLAUSAL
        reach = _CLAUSE_REACH if is_clausal else _REACH
        governed, stop = self._behind(small.last + 1, reach, small=not is_clausal)
        opens = at == self.low or at in self.signs or self.view.norms[at - 1] in _ENDS
        opens = opens and " ".join(self.view.norms[at : small.last + 1]) in _OPENING
        is_fronted = opens and bool(governed) and stop < self.high and stop in self.commas
        if is_fronted:
            host, _ = self._behind(stop, _CLAUSE_REACH, small=False)
        else:
            host = self._ahead(at, _CLAUSE_REACH, crosses=True)
        sides = (governed, host) if small.is_turned else (host, governed)
        return self._related(small.sort, at, sides, is_fronted=is_fronted, is_turned=small.is_turned)

    def _of_noun(self, of: int) -> Relation | None:
        """What one thing is of another: "Vell is the capital of Orro"."""
        noun = of - 1
        if noun <= self.low or of + 1 >= self.high or self.view.tokens[noun].is_stop:
            return None
        ahead = range(noun - 1, max(self.low, of - _NOUN_WITHIN), -1)
        verb = next((n for n in ahead if self.view.norms[n] in _BE), None)
        if verb is None:
            return None
        sides = self._ahead(verb, _REACH, crosses=False), self._behind(of + 1, _REACH, small=True)[0]
        return self._related(NOUN, noun, sides, stem=self.view.stems[noun])

    def _may_be_verb(self, number: int) -> bool:
        """Whether a content word may be a verb that says who does it: nothing before it opens a noun."""
        token = self.view.tokens[number]
        if token.is_stop or token.is_number or token.is_name or number in {self.low, self.high - 1}:
            return False
        before, norm = self.view.norms[number - 1], token.norm
        if before == "to" or norm.endswith(_NOUN_ENDINGS) or (norm.endswith("ing") and before not in _BE):
            # "Use a gun to heat the plastic", "by heating": who does it stands anywhere.
            return False
        if (
            before in _BEFORE_NOUNS
            or self.view.tokens[number - 1].is_number
            or self.view.norms[number + 1] == "than"
        ):
            return False
        return number + 1 not in self.signs

    def _of_verb(self, number: int) -> tuple[Relation | None, ...]:
        """The sides of a verb; some verbs say what a small word says, too: "A precedes B", "A before B"."""
        norm, stem = self.view.norms[number], self.view.stems[number]
        before = self.view.norms[max(self.low, number - _PASSIVE_WITHIN) : number]
        by = self._agent_behind(number)
        is_passive = (not _BE.isdisjoint(before) and not norm.endswith("ing")) or by == number + 1
        first = self._ahead(number, _REACH, crosses=by is not None)
        second, _ = self._behind(number + 1, _REACH, small=False, clausal=False)
        if is_passive:
            agent = tuple(n for n in second if by is not None and n > by)
            first, second = agent, (*first, *(n for n in second if n not in agent))
        verb = self._related(VERB, number, (first, second), stem=stem, is_passive=is_passive)
        sort, is_turned = _verb_sorts().get(stem, ("", False))
        if not sort:
            return (verb,)
        sides = (second, first) if is_turned else (first, second)
        return verb, self._related(sort, number, sides, is_passive=is_passive, is_turned=is_turned)

    def _agent_behind(self, number: int) -> int | None:
        """Number of the "by" behind a verb, before the next sign."""
        for at in range(number + 1, min(self.high, number + 2 * _REACH)):
            if at in self.signs:
                return None
            if self.view.norms[at] == _AGENT:
                return at
        return None

    def _ahead(self, number: int, reach: int, *, crosses: bool) -> tuple[int, ...]:
        """Content words before a word, nearest first, up to a sign or joint.

        Args:
            number: number of the word.
            reach: how many at most.
            crosses: whether a sign right before the word ends nothing.
        """
        found: list[int] = []
        for at in range(number - 1, self.low - 1, -1):
            after, norm = self.view.norms[at + 1], self.view.norms[at]
            # "Pine Mill, a paper maker, was sold" has its subject farther ahead.
            is_free = after in _RELATIVES or after in AUXILIARIES or (crosses and not found)
            if at + 1 in self.signs and not is_free:
                break
            if found and norm in _ENDS and norm not in _RELATIVES:
                break
            if at in self.tells:
                found.append(at)
                if len(found) == reach:
                    break
        return tuple(found)

    def _behind(
        self, first: int, reach: int, *, small: bool, clausal: bool = True
    ) -> tuple[tuple[int, ...], int]:
        """Content words from a word on, up to a sign or joint, and the number of the word where that ends.

        Args:
            first: number of the first word.
            reach: how many at most.
            small: whether the next small word that relates, or a verb that helps, ends it.
            clausal: whether it goes on behind "before", "because" and "than": what they govern is theirs.
        """
        found: list[int] = []
        for at in range(first, self.high):
            norm = self.view.norms[at]
            if at > first and at in self.signs:
                return tuple(found), at
            if found and (norm in _ENDS or (small and (norm in _SMALL or norm in AUXILIARIES))):
                return tuple(found), at
            if norm in _GOVERNING and not clausal:
                return tuple(found), at
            if at in self.tells:
                found.append(at)
                if len(found) == reach:
                    return tuple(found), at + 1
        return tuple(found), self.high
