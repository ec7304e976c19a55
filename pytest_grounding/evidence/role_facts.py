"""Who does what to whom: a claim that exchanges the two sides of a verb, as "City beat Rovers"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, denies_something, has_word
from pytest_grounding.lexicon import words
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.words import IRREGULAR, Token

#: Verbs of which both sides do the same: "Rovers met City".
_MUTUAL = words("roles", "mutual verbs")
#: Prepositions behind which one side of a verb stands, and those that end it.
_SIDES = words("roles", "sides")
_PREPOSITIONS = words("questions", "prepositions")
_PERSONS = words("roles", "persons")
_BEING, _GOING_ON = words("denials", "being"), "ing"
_JOINING = frozenset({"and", "or", "but", "while", "when", "if", "because", "that", "who", "which"})
_BY, _THAN, _OBJECT = "by", "than", ""
_LATER, _ADVERB_END = frozenset({"also", "later", "then"}), "ly"
_VERB_ENDS = ("ed", "s", "ing", "en")
_CUTS = frozenset(",;:()")
#: Words from a verb to its object and of one side at most; words before a participle that are searched.
_REACH, _PASSIVE_REACH = 6, 3
#: Share of the claim in a sentence that settles its roles.
_LEAST_HELD = 0.5


@dataclass(frozen=True)
class _Frame:
    """A verb with what stands on its sides, by stem; "" is its object, "to" what stands behind "to"."""

    agent: Mapping[str, Token]
    sides: Mapping[str, Mapping[str, Token]]
    has_person: bool  # whether a pronoun stands for the one who acts
    measure: tuple[str, ...] = ()  # the words from the verb to "than": "far fewer problems"

    def is_straight(self, other: _Frame, forms: Mapping[str, frozenset[str]]) -> bool:
        """Whether one side of both frames has something in common."""
        if _meet(self.agent, other.agent, forms):
            return True
        sides = {_THAN: self.sides[_THAN]} if _THAN in self.sides else self.sides
        return any(_meet(own, other.sides.get(name, {}), forms) for name, own in sides.items())

    def is_turned(self, other: _Frame, forms: Mapping[str, frozenset[str]]) -> bool:
        """Whether who acts in the one is acted upon in the other, and the reverse."""
        if _meet(self.agent, other.agent, forms):
            return False
        for name, own in self.sides.items():
            theirs = other.sides.get(name, {})
            is_measured_alike = name != _THAN or self.measure == other.measure
            is_exchanged = _meet(self.agent, theirs, forms) and _meet(own, other.agent, forms)
            if is_measured_alike and is_exchanged and not _meet(own, theirs, forms):
                return True
        return False

    def is_person_turned(self, other: _Frame, forms: Mapping[str, frozenset[str]]) -> bool:
        """Whether the one named as acting is acted upon by a person without a name."""
        is_named = all(token.text[:1].isupper() for token in self.agent.values())
        return (
            other.has_person
            and is_named
            and any(_meet(self.agent, other.sides.get(name, {}), forms) for name in self.sides)
        )

    def without_shared(self) -> _Frame:
        """The frame without what stands on both sides of "than": the branch of two branches."""
        than = self.sides.get(_THAN, {})
        if not than:
            return self
        agent = {stem: token for stem, token in self.agent.items() if stem not in than}
        rest = {stem: token for stem, token in than.items() if stem not in self.agent}
        return replace(self, agent=agent, sides={**self.sides, _THAN: rest})


def roles_of(grounds: Grounds) -> Iterator[Settled]:
    """The verbs of a claim whose sides are exchanged in each sentence that has them."""
    if denies_something(grounds.tokens):
        return
    for part in grounds.words.parts:
        for at in range(1, len(part) - 1):
            if not _may_be_verb(part, at):
                continue
            own = _frame_of(part, at, grounds.text).without_shared()
            if not own.agent or not any(own.sides.values()):
                continue
            turned = _turned_in(own, grounds.forms(part[at].stem), grounds)
            if turned is not None:
                acting = list(own.agent.values())
                yield Settled("role", acting[0].start, acting[-1].end, turned.outcome("denied"))
                return


def _turned_in(own: _Frame, verbs: frozenset[str], grounds: Grounds) -> Statement | None:
    """The first sentence with the sides exchanged; None where a sentence has one of them in its place."""
    mine = [*own.agent, *(stem for side in own.sides.values() for stem in side)]
    forms = {stem: grounds.forms(stem) for stem in mine}
    found: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _LEAST_HELD or not statement.words.has_stem(verbs):
            continue
        for number, part in enumerate(statement.parts):
            for at, token in enumerate(part):
                if token.stem not in verbs or not _may_be_verb(part, at):
                    continue
                theirs = _frame_of(part, at, grounds.text_of(statement)).without_shared()
                if number and not theirs.agent and _opens_with_person(statement.parts[number - 1]):
                    theirs = replace(theirs, has_person=True)
                is_turned = own.is_turned(theirs, forms)
                if not is_turned and own.is_straight(theirs, forms):
                    return None
                if found is None and (is_turned or own.is_person_turned(theirs, forms)):
                    found = statement
    return found


def _opens_with_person(part: Sequence[Token]) -> bool:
    """Whether the part before has its subject in a pronoun: "she learned … and taught …"."""
    return part[0].norm in _PERSONS


def _may_be_verb(part: Sequence[Token], at: int) -> bool:
    token = part[at]
    if token.is_stop or token.is_number or token.text[0].isupper() or token.norm in _MUTUAL:
        return False
    if token.norm.endswith(_VERB_ENDS) or token.norm in IRREGULAR or is_finite_verb(token.norm):
        return True
    # "Rovers beat City"
    return 0 < at < len(part) - 1 and all(part[other].text[0].isupper() for other in (at - 1, at + 1))


def _frame_of(part: Sequence[Token], at: int, text: str) -> _Frame:
    before = {token.stem: token for number, token in enumerate(part[:at]) if _is_telling(part, number)}
    sides: dict[str, dict[str, Token]] = {_OBJECT: {}}
    name: str | None = _OBJECT
    reached = 0
    measure: list[str] = []
    for number in range(at + 1, len(part)):
        token = part[number]
        if not _CUTS.isdisjoint(text[part[number - 1].end : token.start]) or token.norm in _JOINING:
            break
        if token.norm in _PREPOSITIONS or token.norm in _SIDES:
            name = token.norm if token.norm in _SIDES else None
            reached = 0
            continue
        if name == _OBJECT:
            measure.append(token.norm)
        reached += 1
        if name is not None and reached <= _REACH and _is_telling(part, number):
            sides.setdefault(name, {})[token.stem] = token
    has_person = any(token.norm in _PERSONS for token in part[:at])
    is_passive = has_word(part[max(0, at - _PASSIVE_REACH) : at], _BEING)
    agent = sides.pop(_BY, {})
    if is_passive and not part[at].norm.endswith(_GOING_ON):
        return _Frame(agent, {**sides, _OBJECT: before}, has_person=False)
    return _Frame(before, sides, has_person, tuple(measure))


def _is_telling(part: Sequence[Token], at: int) -> bool:
    """Whether a word says who acts or is acted upon; the number of "line 4" does."""
    token = part[at]
    if token.is_number:
        return at > 0 and not part[at - 1].is_stop
    return not (token.is_stop or token.norm in _LATER or token.norm.endswith(_ADVERB_END))


def _meet(own: Mapping[str, Token], theirs: Mapping[str, Token], forms: Mapping[str, frozenset[str]]) -> bool:
    return any(not forms[stem].isdisjoint(theirs) for stem in own)
