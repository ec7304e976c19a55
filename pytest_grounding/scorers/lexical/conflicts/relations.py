"""Relations: what stands on which side of a word that relates two things.

"Larkfield acquired Pine Mill" relates by a verb, "before the rain" and "from staging to production" by small
words. Each has two sides. They are told by their order, but for three turns: a passive ("Pine Mill was
acquired by Larkfield"), a relation that opens its part of the sentence ("Before lunch, call Ann"), and a word
that says the same the other way round ("after" for "before"). No parser, no tagger: closed lists and signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pytest_grounding._named import NamedTuple
from pytest_grounding.lexicon import lines, ordered, table, words
from pytest_grounding.scorers.lexical.conflicts.lexicon import stem_of
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.grammar import AUXILIARIES

#: Content words of a side, nearest first; of a side that is a clause.
_REACH = 5
_CLAUSE_REACH = 8
_SIGNS = frozenset(",;:.!?()\n—–|")
_BE = words("matching", "be")
_ENDS = words("conflicts", "clause words")
_RELATIVES = frozenset(("which", "that", "who", "whom"))
_BEFORE_NOUNS = words("matching", "before_nouns") | words("grammar", "determiners")
_OPENING = words("conflicts", "sides")
_NOUN_ENDINGS = ordered("matching", "noun_endings")
_AGENT = "by"
_MORE = words("conflicts", "comparing")
_SHORTEST_MORE = 4
_CLAUSAL = frozenset(("order", "cause", "if", "instead"))
_PASSIVE_WITHIN = 3
_VERB = "verb"


class Relation(NamedTuple):
    """A relation in a text.

    Attributes:
        sort: "verb", or what a small word says ("order", "from").
        word: number of its word.
        stem: stem of that word.
        first: numbers of the content words of the one side: who does it, what comes before, nearest first.
        second: those of the other side.
        is_passive: whether a verb is passive.
        is_fronted: whether it opens its part of the sentence.
        is_turned: whether its word says the same the other way round.
    """

    sort: str
    word: int
    stem: str
    first: tuple[int, ...]
    second: tuple[int, ...]
    is_passive: bool = False
    is_fronted: bool = False
    is_turned: bool = False


def _phrases(section: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, sort in table("conflicts", section).items():
        said = tuple(phrase.split())
        found.setdefault(said[0], []).append((said, sort))
    return {first: sorted(phrases, key=lambda p: -len(p[0])) for first, phrases in found.items()}


_PLAIN, _TURNED = _phrases("relating"), _phrases("relating turned round")
_ANY = frozenset((*_PLAIN, *_TURNED))


@lru_cache(maxsize=1)
def _converses() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines("conflicts", "converses"):
        ours, theirs = (frozenset(map(stem_of, side.split())) for side in line.split("|"))
        for stem in ours:
            found.setdefault(stem, set()).update(theirs)
        for stem in theirs:
            found.setdefault(stem, set()).update(ours)
    return {stem: frozenset(others) for stem, others in found.items()}


def converses_of(stem: str) -> frozenset[str]:
    """Stems that say the same with the two things exchanged."""
    return _converses().get(stem, frozenset())


def is_telling(view: View, number: int) -> bool:
    """Whether a word may stand on a side: content words, and a capital that names ("Model A")."""
    token = view.tokens[number]
    if not token.is_stop:
        return True
    return number > 0 and token.end - token.start == 1 and view.text[token.start].isupper()


def relations_of(view: View, low: int, high: int) -> tuple[Relation, ...]:
    """The relations of a sentence.

    Args:
        view: the text.
        low: number of the first word of the sentence.
        high: number of the first word after it.
    """
    found: list[Relation] = []
    small = dict(_small(view, low, high))
    inside = {n for start, (end, _, _) in small.items() for n in range(start, end + 1)}
    for number in range(low, high):
        if number in small:
            relation = _of_small(view, low, high, number, *small[number])
        elif number not in inside and _may_be_verb(view, low, high, number):
            relation = _of_verb(view, low, high, number)
        else:
            continue
        if relation.first and relation.second:
            found.append(relation)
    found += _nouns(view, low, high)
    return tuple(found)


def _nouns(view: View, low: int, high: int) -> Iterator[Relation]:
    """What one thing is of another: "Vell is the capital of Orro"."""
    for at in range(low + 2, high - 1):
        if view.norms[at] != "of" or view.tokens[at - 1].is_stop:
            continue
        verb = next((n for n in range(at - 2, max(low, at - 7), -1) if view.norms[n] in _BE), None)
        if verb is not None:
            first = _ahead(view, low, verb, _REACH, crosses=False)
            second, _ = _behind(view, at + 1, high, _REACH, small=True)
            if first and second:
                yield Relation("noun", at - 1, view.stems[at - 1], tuple(first), tuple(second))


def _small(view: View, low: int, high: int) -> Iterator[tuple[int, tuple[int, str, bool]]]:
    """Small words that relate: number of the first word, and of the last, what they say, whether turned."""
    number = low
    while number < high:
        norm, step = view.norms[number], 1
        if norm in _ANY:
            for phrases, is_turned in ((_PLAIN, False), (_TURNED, True)):
                for said, sort in phrases.get(norm, ()):
                    if step == 1 and tuple(view.norms[number : number + len(said)]) == said:
                        step = len(said)
                        yield number, (number + step - 1, sort, is_turned)
                        break
                else:
                    continue
                break
        number += step


def _sign_before(view: View, number: int) -> bool:
    return not _SIGNS.isdisjoint(view.text[view.tokens[number - 1].end : view.tokens[number].start])


def _of_small(view: View, low: int, high: int, at: int, end: int, sort: str, is_turned: bool) -> Relation:
    reach = _CLAUSE_REACH if sort in _CLAUSAL else _REACH
    governed, stop = _behind(view, end + 1, high, reach, small=sort not in _CLAUSAL)
    opens = at == low or _sign_before(view, at) or view.norms[at - 1] in _ENDS
    opens = opens and " ".join(view.norms[at : end + 1]) in _OPENING
    is_fronted = bool(opens and governed and stop < high and "," in _between(view, stop))
    if is_fronted:
        host, _ = _behind(view, stop, high, _CLAUSE_REACH, small=False)
    else:
        host = _ahead(view, low, at, _CLAUSE_REACH, crosses=True)
    first, second = (governed, host) if is_turned else (host, governed)
    return Relation(sort, at, sort, tuple(first), tuple(second), False, is_fronted, is_turned)


def _between(view: View, number: int) -> str:
    return view.text[view.tokens[number - 1].end : view.tokens[number].start]


def _may_be_verb(view: View, low: int, high: int, number: int) -> bool:
    """Whether a content word may be a verb: no name or number, and nothing before it that opens a noun."""
    token = view.tokens[number]
    if token.is_stop or token.is_number or token.is_name or number in (low, high - 1):
        return False
    if token.norm.endswith(_NOUN_ENDINGS):
        return False
    before = view.norms[number - 1]
    if before == "to" or (token.norm.endswith("ing") and before not in _BE):
        # "Use a gun to heat the plastic", "by heating": who does it stands anywhere.
        return False
    if before in _BEFORE_NOUNS or view.tokens[number - 1].is_number or view.norms[number + 1] == "than":
        return False
    return not _sign_before(view, number + 1)


def is_more(norm: str) -> bool:
    """Whether a folded word compares: "more", "thicker"."""
    return norm in _MORE or (len(norm) > _SHORTEST_MORE and norm.endswith("er"))


def _of_verb(view: View, low: int, high: int, number: int) -> Relation:
    before = view.norms[max(low, number - _PASSIVE_WITHIN) : number]
    ending = view.norms[number].endswith("ing")
    by = _agent_behind(view, number, high)
    is_passive = (not _BE.isdisjoint(before) and not ending) or by == number + 1
    left = _ahead(view, low, number, _REACH, crosses=by is not None)
    right, stop = _behind(view, number + 1, high, _REACH, small=False)
    stem = view.stems[number]
    if not is_passive:
        return Relation(_VERB, number, stem, tuple(left), tuple(right))
    agent = [n for n in right if by is not None and n > by]
    rest = [n for n in right if n not in agent]
    return Relation(_VERB, number, stem, tuple(agent), (*left, *rest), True)


def _agent_behind(view: View, number: int, high: int) -> int | None:
    """Number of the "by" behind a verb, before the next sign."""
    for at in range(number + 1, min(high, number + 2 * _REACH)):
        if _sign_before(view, at):
            return None
        if view.norms[at] == _AGENT:
            return at
    return None


def _ahead(view: View, low: int, number: int, reach: int, *, crosses: bool) -> list[int]:
    """Content words before a word, nearest first, up to a sign or joint.

    Args:
        view: the text.
        low: number of the first word of the sentence.
        number: number of the word.
        reach: how many at most.
        crosses: whether a sign right before the word ends nothing.
    """
    found: list[int] = []
    for at in range(number - 1, low - 1, -1):
        after = view.norms[at + 1]
        # "Pine Mill, a paper maker, was sold" has its subject farther ahead.
        is_free = after in _RELATIVES or after in AUXILIARIES or (crosses and not found)
        if _sign_before(view, at + 1) and not is_free:
            break
        norm = view.norms[at]
        if found and norm in _ENDS and norm not in _RELATIVES:
            break
        if is_telling(view, at):
            found.append(at)
            if len(found) == reach:
                break
    return found


def _behind(view: View, first: int, high: int, reach: int, *, small: bool) -> tuple[list[int], int]:
    """Content words from a word on, up to a sign or joint, and the number of the word where that ends.

    Args:
        view: the text.
        first: number of the first word.
        high: number of the first word after the sentence.
        reach: how many at most.
        small: whether the next small word that relates, or a verb that helps, ends it.
    """
    found: list[int] = []
    for at in range(first, high):
        norm = view.norms[at]
        if at > first and _sign_before(view, at):
            return found, at
        if found and (norm in _ENDS or (small and (norm in _ANY or norm in AUXILIARIES))):
            return found, at
        if is_telling(view, at):
            found.append(at)
            if len(found) == reach:
                return found, at + 1
    return found, high


def stems_at(view: View, numbers: Sequence[int]) -> frozenset[str]:
    """The stems of words."""
    return frozenset(view.stems[number] for number in numbers)
