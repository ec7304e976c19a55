"""Who does what to whom: a claim that exchanges two sides of a verb, as "City beat Rovers"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, takewhile

from pytest_grounding._io.lazy_values import kept_with_owner, lazy_value
from pytest_grounding.evidence.exchanged_facts import Forms, Sides
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, SentenceWords, Statement, has_stem, has_word
from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.words import IRREGULAR_VERBS, Token

#: Verbs of which both sides do the same: "Rovers met City".
_MUTUAL = words("roles", "mutual verbs")
#: Prepositions behind which one side of a verb stands, and all that end a side.
_SIDES = words("roles", "sides")
_PREPOSITIONS = words("questions", "prepositions") | _SIDES
_PERSONS = words("roles", "persons")
_BEING = words("denials", "being")
_JOINING = words("roles", "next statement")
#: Words of comparison, with which "than" says the same or the reverse.
_COMPARING = words("roles", "comparing")
_RELATIVES = words("denials", "relative pronouns")
_DETERMINERS = words("grammar", "determiners") | words("matching", "slot_determiners")
_BEFORE_NOUNS = _DETERMINERS | _COMPARING
#: A verb of giving or of taking -> what is done: who teaches is the one from whom another learns.
_GIVING, _TAKING = table("roles", "giving"), table("roles", "taking")
_DEEDS = _GIVING | _TAKING
_AGENT, _OBJECT, _BY, _OF = "agent", "object", "by", "of"
_NAMED_SIDES = _SIDES | {_OBJECT}
_FROM, _TO, _GIVER, _TAKER = "from", "to", "giver", "taker"
_POSSESSIVES = ("'s", "’s", "s'", "s’")
_LATER, _ADVERB_END = frozenset({"also", "later", "then"}), "ly"
_VERB_ENDS = ("ed", "s", "ing", "en")
_CUTS = frozenset(",;:()")
#: Words of one side at most; words before a participle, or a noun with "of", that are searched.
_REACH, _BEFORE = 6, 3
_LONGEST = 150  # words of a sentence that is compared, at most
_LEAST_HELD = 0.5  # share of the claim in a sentence that settles its roles

Side = Mapping[str, Token]
_NOTHING: Side = {}


@dataclass(slots=True)
class _Frame:
    """A verb with what stands on its sides, by stem."""

    sides: Mapping[str, Side]  # who acts, the object, and what stands behind "to", "than", …
    has_person: bool  # whether a pronoun stands for the one who acts

    @property
    def agent(self) -> Side:
        """Who acts."""
        return self.sides.get(_AGENT, _NOTHING)

    def pair(self, first: str, second: str) -> Sides:
        """The words of two sides; of "Ben's sister owes Ben", Ben is on the second only."""
        one, other = self.sides.get(first, _NOTHING), self.sides.get(second, _NOTHING)
        if one.keys().isdisjoint(other):
            return Sides(frozenset(one), frozenset(other))
        return Sides(
            frozenset(one) - (_owners_in(one) & other.keys()),
            frozenset(other) - (_owners_in(other) & one.keys()),
        )


def _owners_in(side: Side) -> frozenset[str]:
    return frozenset([stem for stem, token in side.items() if token.text.endswith(_POSSESSIVES)])


def roles_of(grounds: Grounds) -> Iterator[Settled]:
    """The verbs of a claim of which two sides are exchanged in each sentence that has them."""
    near = [item for item in grounds.statements if item.held >= _LEAST_HELD and len(item.tokens) <= _LONGEST]
    if not near or grounds.words.is_denying:
        return
    for part in grounds.words.parts:
        for at in range(1, len(part) - 1):
            if not _may_relate(part, at):
                continue
            verbs = grounds.forms(part[at].stem) | _verbs_of_deed(_DEEDS.get(part[at].norm))
            with_verb = [item for item in near if item.words.has_stem(verbs) or item.has(verbs)]
            if not with_verb:
                continue
            own = _frame_at(part, at, grounds.text)
            if len(own.sides) < 2:
                continue
            turned = _turned_in(own, verbs, with_verb, grounds)
            if turned is not None:
                acting = list((own.agent or next(iter(own.sides.values()))).values())
                yield Settled("role", acting[0].start, acting[-1].end, turned.outcome("denied"))
                return


def _turned_in(
    own: _Frame, verbs: frozenset[str], statements: Sequence[Statement], grounds: Grounds
) -> Statement | None:
    """The sentence with two sides exchanged where most of the claim stands; None if they stay there."""
    forms, found, most, most_straight = grounds.forms, None, 0, 0
    for statement in statements:
        for verb in _relating_verbs(statement.words):
            if verb.token.stem not in verbs and verb.token.norm not in verbs:
                continue
            theirs = verb.frame
            is_turned = _are_turned(own, theirs, forms)
            is_straight = not is_turned and _are_straight(own, theirs, forms)
            if not (is_turned or is_straight or _is_acted_upon(own, theirs, forms)):
                continue
            held = sum(has_stem(verb.part, forms(stem)) for stem in grounds.content)
            if is_straight:
                most_straight = max(most_straight, held)
            elif held > most:
                found, most = statement, held
    return found if most > most_straight else None


@dataclass
class _Verb:
    """A verb in a part of a sentence."""

    token: Token
    at: int  # its place in the part
    part: Sequence[Token]
    before: Sequence[Token]  # the part before
    text: str

    @lazy_value
    def frame(self) -> _Frame:
        """What stands on its sides."""
        return _frame_at(self.part, self.at, self.text, self.before)


@kept_with_owner
def _relating_verbs(words: SentenceWords) -> list[_Verb]:
    """The verbs of a sentence that may have two sides, in order."""
    return [
        _Verb(part[at], at, part, before, words.text)
        for before, part in pairwise([(), *words.parts])
        for at in range(len(part))
        if _may_relate(part, at)
    ]


def _are_turned(own: _Frame, theirs: _Frame, forms: Forms) -> bool:
    """Whether two sides of the one are exchanged in the other."""
    for first, second in combinations([name for name in own.sides if name in theirs.sides], 2):
        if own.pair(first, second).exchanged_in(theirs.pair(first, second), forms):
            return True
    return False


def _are_straight(own: _Frame, theirs: _Frame, forms: Forms) -> bool:
    """Whether a side of both has something in common, and none has another thing in its place."""
    shared = own.sides.keys() & theirs.sides.keys()
    both = [_have_in_common(own.sides[name], theirs.sides[name], forms) for name in shared]
    return any(both) and all(both)


def _is_acted_upon(own: _Frame, theirs: _Frame, forms: Forms) -> bool:
    """Whether the one named as acting is acted upon by a person without a name."""
    if not theirs.has_person or not all(token.text[:1].isupper() for token in own.agent.values()):
        return False
    others = [theirs.sides.get(name, _NOTHING) for name in own.sides if name != _AGENT]
    return any(_have_in_common(own.agent, other, forms) for other in others)


def _may_relate(part: Sequence[Token], at: int) -> bool:
    """Whether a word may be a verb with two sides, or a noun such as "part of"."""
    token, norm = part[at], part[at].norm
    is_irregular = norm in IRREGULAR_VERBS
    if token.is_stop and not is_irregular:
        return False
    if token.is_number or token.text[0].isupper() or norm in _MUTUAL:
        return False
    is_verb = is_irregular or norm.endswith(_VERB_ENDS) or is_finite_verb(norm)
    if (is_verb or _takes_object(part, at)) and not _opens_noun(part, at - 1):
        return True
    if not 0 < at < len(part) - 1:
        return False
    if part[at + 1].norm == _OF:
        return has_word(part[max(0, at - _BEFORE) : at], _BEING)
    # "Rovers beat City"
    return all(part[other].text[0].isupper() for other in (at - 1, at + 1))


def _opens_noun(part: Sequence[Token], at: int) -> bool:
    """Whether a word stands before a noun: "the", "fewer", "210", but not the number of "line 4"."""
    if at < 0:
        return False
    return part[at].norm in _BEFORE_NOUNS or (part[at].is_number and not _says_who(part, at))


def _takes_object(part: Sequence[Token], at: int) -> bool:
    """Whether an object follows a word and a noun stands before it: "rats hunt the fox"."""
    if not 0 < at < len(part) - 1 or part[at + 1].norm not in _DETERMINERS:
        return False
    return not (part[at - 1].is_stop or part[at - 1].norm in _PREPOSITIONS)


@lru_cache(maxsize=256)
def _verbs_of_deed(deed: str | None) -> frozenset[str]:
    """The verbs of giving and of taking for one deed; none without one."""
    return frozenset([verb for verb, done in _DEEDS.items() if done == deed])


def _frame_at(part: Sequence[Token], at: int, text: str, before: Sequence[Token] = ()) -> _Frame:
    """The sides of a verb; one without a subject may have that of the part before."""
    subject = {token.stem: token for number, token in enumerate(part[:at]) if _says_who(part, number)}
    if not subject and before:
        subject = _subject_before(part, before)
    sides: dict[str, dict[str, Token]] = {}
    name, reached = _OBJECT, 0
    for number in range(at + 1, len(part)):
        token = part[number]
        between = text[part[number - 1].end : token.start]
        if token.norm in _JOINING or (between != " " and not _CUTS.isdisjoint(between)):
            break
        if token.norm in _PREPOSITIONS and not token.text[0].isupper():
            name, reached = token.norm, 0
            continue
        reached += 1
        if reached <= _REACH and name in _NAMED_SIDES and _says_who(part, number):
            sides.setdefault(name, {})[token.stem] = token
    agent = sides.pop(_BY, {})
    is_passive = part[at].norm.endswith(("ed", "en")) and has_word(part[max(0, at - _BEFORE) : at], _BEING)
    if is_passive or (agent and part[at].norm in IRREGULAR_VERBS):
        found = {_AGENT: agent, **sides, _OBJECT: subject}
    else:
        found = {_AGENT: subject, **sides}
    known: dict[str, Side] = {**found, **_handed(part[at].norm, found)}
    has_person = has_word(part[:at], _PERSONS) or (not subject and has_word(before[:1], _PERSONS))
    return _Frame({key: side for key, side in known.items() if side}, has_person)


def _handed(verb: str, sides: Mapping[str, Side]) -> dict[str, Side]:
    """Who gives and who takes, of a verb that tells it: one learns from the one who teaches."""
    if verb in _TAKING and (_FROM in sides or verb not in _GIVING):
        # "Lost to City"
        return {_TAKER: sides[_AGENT], _GIVER: sides.get(_FROM) or sides.get(_TO, _NOTHING)}
    if verb in _GIVING:
        given, receiving = sides.get(_OBJECT, _NOTHING), sides.get(_TO, _NOTHING)
        # "Taught Petra to carve"
        is_object = not receiving or (_has_name(given) and not _has_name(receiving))
        return {_GIVER: sides[_AGENT], _TAKER: given if is_object else receiving}
    return {}


def _has_name(side: Side) -> bool:
    return any(token.text[:1].isupper() for token in side.values())


def _subject_before(part: Sequence[Token], before: Sequence[Token]) -> dict[str, Token]:
    """The subject of a part that has none: the name before "who", or the subject of the part before."""
    if part[0].norm in _RELATIVES:
        names = list(takewhile(lambda token: token.text[0].isupper(), reversed(before)))
        return {token.stem: token for token in names or before[-1:] if not token.is_stop}
    verb = next((at for at, token in enumerate(before) if _may_relate(before, at)), 0)
    return {token.stem: token for number, token in enumerate(before[:verb]) if _says_who(before, number)}


def _says_who(part: Sequence[Token], at: int) -> bool:
    """Whether a word says who acts or is acted upon; the number of "line 4" does."""
    token = part[at]
    if token.is_number:
        return at > 0 and not part[at - 1].is_stop
    return not (token.is_stop or token.norm in _LATER or token.norm.endswith(_ADVERB_END))


def _have_in_common(own: Side, theirs: Side, forms: Forms) -> bool:
    return any(not forms(stem).isdisjoint(theirs) for stem in own)
