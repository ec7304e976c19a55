"""Is the value of a sentence said of what the question asks about?

A sentence is read clause by clause, a table row cell by cell. The value has to stand in a clause that holds
the question's words itself, or that takes them over from what stands before it: by a pronoun ("It was opened
in 1932"), by a subject that the question names, by having no subject of its own, as an entry of a list from
the line that opens the list. A clause with a subject of its own takes nothing over, so that two neighbours
about two things never answer together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise, takewhile
from operator import or_
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.answers import holds_answer, sentence_of
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.rivals import holds_rival
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.subjects import leans, subject_of
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.grammar import has_finite_verb, opens_with_subject_and_verb, words_of
from pytest_grounding.text.tables import cells_of, is_table_rule

_JOINT = pattern("answers", "joint")
_POSSESSIVE = frozenset(["its", "his", "her", "their"])
_OBJECTS = frozenset(["it", "its", "them", "their"])
_POINTING = frozenset(["this", "these", "those", "such"])
_ANYBODY = words("questions", "anybody")
_SUMS_UP = words("questions", "sums_up")
_COPULAR = pattern("answers", "copular")
#: An item of a list begins with one of these, or with a digit.
_ITEM_SIGNS = frozenset("-*•–")
_ITEM = lazy(r"\s*(?:[-*•–]|\d{1,2}[.)])\s")
_NUMBERED = lazy(r"\s*\d{1,2}[.)]\s*\Z")
#: Of the share that a statement needs, what a clause says itself that takes the rest over without a pronoun.
_OWN_SHARE = 0.6


class Clause(NamedTuple):
    """A clause of a sentence, or a cell of a table row, and the words of the question said in it, as bits."""

    sentence: Sentence
    own: int


class BoundText:
    """One chunk as it is read for one part of a question.

    Args:
        asked: the question part.
        index: the chunk.

    Attributes:
        masks: for each sentence the words of the question that it holds, as bits.
    """

    def __init__(self, asked: Asked, index: ChunkIndex) -> None:
        self.asked = asked
        self.index = index
        self._places = asked.places(index)
        self.masks: list[int] = asked.masks(index, self._places)
        self._clauses: dict[int, list[Clause]] = {}

    def mask(self, tokens: Sequence[Token]) -> int:
        """The question's words among some words of the chunk, as bits."""
        places = self._places
        return reduce(or_, [places[token.stem] for token in tokens if token.stem in places], 0)

    def text(self, number: int) -> str:
        """A sentence of the chunk."""
        start, end = self.index.sentences[number]
        return self.index.text[start:end]

    def clauses(self, number: int) -> list[Clause]:
        """The clauses of a sentence, or the cells of a table row."""
        known = self._clauses.get(number)
        if known is None:
            text = self.text(number)
            known = self._cells(number) if text.lstrip().startswith("|") else self._split(number)
            self._clauses[number] = known
        return known

    def lead(self, number: int) -> int | None:
        """The line that opens the list in which a sentence is an entry; None outside of lists."""
        if not self._is_item(number):
            return None
        place = number - 1
        if self.text(number).lstrip().startswith("|"):
            while place >= 0 and self.text(place).lstrip().startswith("|"):
                place -= 1
            return place + 1 if place + 1 < number else None
        while place >= 0 and (self._is_item(place) or _NUMBERED.match(self.text(place))):
            place -= 1
        if place < 0 or self.text(place).rstrip()[-1:] in {".", "!", "?"}:
            return None
        return place

    def _is_item(self, number: int) -> bool:
        text = self.text(number)
        first = text.lstrip()[:1]
        if number and first == "|":
            return True
        if (first in _ITEM_SIGNS or first.isdecimal()) and _ITEM.match(text):
            return True
        return number > 0 and _NUMBERED.match(self.text(number - 1)) is not None

    def _split(self, number: int) -> list[Clause]:
        whole = sentence_of(self.index, number)
        cuts = [0]
        for match in _JOINT.finditer(whole.text):
            right = whole.text[match.end() : match.end() + 200]
            if match.group()[0] == ";" or opens_with_subject_and_verb(right):
                cuts.append(match.end())
        if len(cuts) == 1:
            return [Clause(whole, self.mask(whole.tokens))]
        found = []
        for start, end in zip(cuts, [*cuts[1:], len(whole.text)], strict=True):
            first, last = whole.start + start, whole.start + end
            tokens = [t for t in whole.tokens if first <= t.start < last]
            found.append(Clause(Sentence(whole.text[start:end], first, tokens), self.mask(tokens)))
        return found

    def _cells(self, number: int) -> list[Clause]:
        """The cells of a row as "Driver: Lena Ott", with what is asked about in the other cells."""
        row = self.text(number)
        top = number
        while top > 0 and self.text(top - 1).lstrip().startswith("|"):
            top -= 1
        header = cells_of(self.text(top))
        if top == number or is_table_rule(row):
            return []
        cells = cells_of(row)
        heads = [header[n] if n < len(header) else "" for n in range(len(cells))]
        asked = [self.mask(tokenize(cell, "en")) for cell in cells]
        titles = [self.mask(tokenize(head, "en")) for head in heads]
        found = []
        for place, cell in enumerate(cells):
            if not cell:
                continue
            said = titles[place] | reduce(
                or_,
                [a | t for n, (a, t) in enumerate(zip(asked, titles, strict=True)) if a and n != place],
                0,
            )
            text = f"{heads[place]}: {cell}" if heads[place] else cell
            found.append(Clause(Sentence(text, 0, tokenize(text, "en")), said | asked[place]))
        return found


def states(text: BoundText, first: int, last: int, needed: float, named: int) -> bool:
    """Whether a sentence, or two neighbours, say a value of the expected kind of what was asked.

    Args:
        text: the chunk.
        first: number of the first sentence.
        last: number of the last one: the same, the next one, or the entry of the list that ``first`` opens.
        needed: share of the question's words that a stated answer holds at least.
        named: the words that the relevant chunks hold among them all.
    """
    return any(
        _says(text, number, first, last, needed, named)
        for number in dict.fromkeys((first, last))
        if number == last or last == first + 1
    )


def _says(text: BoundText, number: int, first: int, last: int, needed: float, named: int) -> bool:
    """Whether a clause of one sentence of a hit says the value."""
    asked = text.asked
    before = 0
    followed = number < last and _speaks_of(text, last)
    for place, (clause, own) in enumerate(text.clauses(number)):
        scope = reach = own
        over = (place > 0 or number > 0) and takes_over(asked, clause, own)
        follows = number == 0 and number < last and place == 0 and asked.type.is_value
        if follows and takes_over(asked, clause, own):
            # Nothing stands before the first sentence of a chunk: the next one says what it is about.
            scope |= text.masks[last]
        deep = over and _is_deep(clause)
        if over:
            if place:
                scope |= before
            elif number > first or deep:
                scope |= _above(text, number, first)
            if deep:
                # "It is not given to infants": the subject stands further above.
                reach = scope | reduce(or_, text.masks[:number], 0)
        before |= own
        if followed and asked.type.may_precede:
            scope |= text.clauses(last)[0].own
        if asked.share(scope) < needed or not asked.holds_needed(scope | reach):
            continue
        if not followed and not _says_enough(text, number, clause, own, scope, needed):
            continue
        if _is_rivalled(text, number, place, over=over and (place > 0 or number > first or deep), deep=deep):
            continue
        if holds_answer(asked, clause) and _is_named(text, number, clause, scope, named):
            return True
    return False


def _is_rivalled(text: BoundText, number: int, place: int, *, over: bool, deep: bool) -> bool:
    """Whether a clause, or what it takes over, has another word where the question has its own."""
    asked, clauses = text.asked, text.clauses(number)
    looks_above = deep or (over and not place)
    above = sentence_of(text.index, number - 1) if number and looks_above else None
    said = frozenset(t.stem for t in above.tokens) if above is not None and deep else frozenset()
    if holds_rival(asked, clauses[place].sentence, said):
        return True
    if not over:
        return False
    if place:
        return any(holds_rival(asked, part) for part, _ in clauses[:place])
    return above is not None and holds_rival(asked, above)


def takes_over(asked: Asked, clause: Sentence, own: int = 0) -> bool:
    """Whether a clause goes on about what stands before it.

    Args:
        asked: the question part.
        clause: the clause.
        own: the words of the question that it holds itself, as bits.
    """
    tokens = clause.tokens
    if not tokens:
        return False
    if tokens[0].norm in _POSSESSIVE:
        # "Its mayor is ..." answers a question for the mayor, "Her brother ..." one for nobody else.
        owned = takewhile(
            lambda pair: not has_finite_verb([pair[1].norm]) and pair[1].start - pair[0].end == 1,
            pairwise(tokens[1:5]),
        )
        return any(t.stem in asked.known for t in [*tokens[1:2], *(after for _, after in owned)])
    if leans(tokens):
        return True
    subject = subject_of_clause(clause)
    if any(t.stem in asked.named for t in subject):
        return False
    if any(t.norm in _OBJECTS for t in tokens[1:]):
        return True
    if not subject:
        return bool(own) or asked.part.expected == "method" or not has_finite_verb(words_of(clause.text))
    if any(_looks_named(t, clause) and t.stem not in asked.known for t in subject):
        return asked.part.expected == "person" and bool(own & asked.predicate)
    if any(t.norm in _SUMS_UP for t in subject):
        return True
    if any(t.stem in asked.known or t.norm in _ANYBODY for t in subject):
        return asked.part.type != "yes_no"
    if asked.names_mask and tokens[0].norm == "the":
        # "The company" stands for a name; a common noun is said again, or stands as a pronoun.
        return True
    return tokens[0].norm in _POINTING or not has_finite_verb(words_of(clause.text))


def _looks_named(token: Token, clause: Sentence) -> bool:
    return token.is_name or (token.text[:1].isupper() and not _is_first(token, clause))


def _says_enough(text: BoundText, number: int, clause: Sentence, own: int, scope: int, needed: float) -> bool:
    """Whether a clause says the deed itself that is asked about, and enough to take the rest over."""
    asked = text.asked
    if _completes(text, number, clause):
        return not asked.predicate or bool(scope & asked.predicate)
    if asked.predicate and not own & asked.predicate:
        return False
    if asked.verb and all(token.stem != asked.verb for token in clause.tokens):
        return False
    return scope == own or _is_deep(clause) or asked.share(own) >= needed * _OWN_SHARE


def _completes(text: BoundText, number: int, clause: Sentence) -> bool:
    """Whether a clause adds a value to the verb before it: an entry, a fragment, "It is 5 euros"."""
    if text.lead(number) is not None or not has_finite_verb(words_of(clause.text)):
        return True
    return _COPULAR.match(clause.lower) is not None


def subject_of_clause(clause: Sentence) -> tuple[Token, ...]:
    """The words of the subject of a clause; empty where none is made out."""
    shift = clause.start
    if not shift:
        return subject_of(clause.text, clause.tokens)
    moved = [t._replace(start=t.start - shift, end=t.end - shift) for t in clause.tokens]
    return subject_of(clause.text, moved)


def _is_first(token: Token, clause: Sentence) -> bool:
    return bool(clause.tokens) and token.start + clause.start == clause.tokens[0].start


def _is_deep(clause: Sentence) -> bool:
    return leans(clause.tokens) and clause.tokens[0].norm not in _POSSESSIVE


def _above(text: BoundText, number: int, first: int) -> int:
    """What the sentence before says, or what it takes over in its turn where it leans too."""
    lead = text.lead(number)
    place = lead if lead is not None else number - 1
    found = 0
    while place >= 0:
        clauses = text.clauses(place)
        found |= reduce(or_, [own for _, own in clauses], 0)
        if place <= first and not (clauses and _is_deep(clauses[0].sentence)):
            break
        place -= 1
    return found


def _speaks_of(text: BoundText, number: int) -> bool:
    clauses = text.clauses(number)
    return bool(clauses) and _is_deep(clauses[0].sentence)


def _is_named(text: BoundText, number: int, clause: Sentence, scope: int, named: int) -> bool:
    """Whether the names of the question stand in the clause or in what it takes over, and no other's do."""
    asked = text.asked
    if not asked.names_mask or scope & asked.names_mask:
        return True
    if clause.tokens[0].norm in _POSSESSIVE and not takes_over(asked, clause):
        return False
    if not named & asked.names_mask or _own_names(asked, clause) > (asked.type.may_precede):
        return False
    for place in range(number - 1, -1, -1):
        above = text.clauses(place)
        if any(holds_rival(asked, part) for part, _ in above):
            return False
        if any(own & asked.names_mask for _, own in above):
            return True
        if any(_own_names(asked, part) for part, _ in above):
            return False
    # Named below it, and not above: what stands first is about something else.
    return takes_over(asked, clause) and not any(mask & asked.names_mask for mask in text.masks)


def _own_names(asked: Asked, clause: Sentence) -> int:
    """How many names a clause brings that the question does not know."""
    return sum(
        fact.kind == "name" and not fact.initial and not {t.stem for t in tokenize(fact.text)} <= asked.stems
        for fact in clause.facts
    )
