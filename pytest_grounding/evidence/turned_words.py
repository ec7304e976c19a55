"""Words of a claim in whose place a sentence that it rests on has the opposite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from pytest_grounding.evidence.conflict_words import kin_words, negated_stems, opposites_of
from pytest_grounding.evidence.exchanged_facts import Sides
from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds, Statement, denies_something
from pytest_grounding.evidence.token_index import synonyms_of
from pytest_grounding.lexicon import lines, words
from pytest_grounding.reading.facts import compatible
from pytest_grounding.reading.words import Token

_UNTIL = words("limits", "before the end of a period")
_TURNING = words("denials", "ending") | words("conflicts", "soft denials")
_PREFIX, _HYPHEN = "non-", "-"
_PARTICLE_REACH = 3
_JOINING = frozenset({"and", "but", "or"})
_PARTICLES, _PREPOSITIONS = "opposed particles", "opposed prepositions"
_BACK = frozenset({"it", "that", "them", "this"})
_KINDS = frozenset({"antonym", "comparison"})  # kinds of opposites that a word may be turned into
_POINTS = frozenset({"date", "time"})
#: Share of a claim in a sentence in which the opposite of a word counts, and that of a preposition.
_NEARLY, _NEAR = 0.65, 0.5
#: Content words on each side of a word, of which its opposite must have one beside it too, and all near it.
_NEIGHBOURS, _AROUND = 2, 6
#: Words from a preposition to its noun, and words before it that are searched for a denial.
_OBJECT_REACH, _DENIED_REACH = 4, 6


def turned_words_of(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The words and prepositions of a claim that are turned."""
    if not grounds.words.is_denying:
        yield from _opposed_words(grounds, sources)
    yield from _turned_prepositions(grounds)
    yield from _turned_particles(grounds)


def _turned_particles(grounds: Grounds) -> Iterator[Settled]:
    """The particles behind a verb that stands with the opposite one alone: "switched on"."""
    if grounds.words.is_denying or not grounds.words.has(_opposed(_PARTICLES).keys()):
        return
    for number, verb in enumerate(grounds.tokens):
        particle = next(_particles_behind(grounds.tokens, number), None)
        if particle is None or verb.is_stop or verb.is_number:
            continue
        forms, opposite = grounds.forms(verb.stem), _opposed(_PARTICLES)[particle.norm]
        turned: Statement | None = None
        for statement in grounds.statements:
            behind = {
                other.norm
                for at, first in enumerate(statement.tokens)
                if first.stem in forms
                for other in _particles_behind(statement.tokens, at)
            }
            if particle.norm in behind:
                return
            if opposite in behind and not statement.words.is_denying:
                turned = turned or statement
        if turned is not None:
            yield Settled("operator", verb.start, particle.end, turned.outcome("denied", opposite))


def _particles_behind(tokens: Sequence[Token], at: int) -> Iterator[Token]:
    """The particles that may belong to a verb: "switch them on", "switch the wipers off"."""
    for token in tokens[at + 1 : at + 1 + _PARTICLE_REACH]:
        if token.norm in _JOINING:
            return
        if token.norm in _opposed(_PARTICLES):
            yield token


@lru_cache(maxsize=2)
def _opposed(section: str) -> Mapping[str, str]:
    """Preposition or particle -> its opposite."""
    found: dict[str, str] = {}
    for line in lines("denials", section):
        first, second = line.split()
        found[first], found[second] = second, first
    return found


def _turned_prepositions(grounds: Grounds) -> Iterator[Settled]:
    """The prepositions whose noun has the opposite one in the best sentence that has the noun with either."""
    tokens = grounds.tokens
    if not grounds.words.has(_opposed(_PREPOSITIONS).keys()):
        return
    for number, token in enumerate(tokens):
        if token.norm not in _opposed(_PREPOSITIONS) or _is_denied_before(tokens, number):
            continue
        noun = _noun_after(tokens, number)
        is_either_way = grounds.words.has({_opposed(_PREPOSITIONS)[token.norm]})
        if noun is None or is_either_way:
            # "With food or without".
            continue
        statement = _turning_statement(token.norm, grounds.forms(noun.stem), grounds)
        if statement is not None:
            outcome = statement.outcome("denied", f"{_opposed(_PREPOSITIONS)[token.norm]} {noun.text}")
            yield Settled("operator", token.start, noun.end, outcome)


def _turning_statement(word: str, nouns: frozenset[str], grounds: Grounds) -> Statement | None:
    opposite = _opposed(_PREPOSITIONS)[word]
    turned: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _NEAR:
            break
        said = {token.norm for token in _before_nouns(statement.tokens, nouns)}
        if word in said or _is_said_again(word, statement.tokens):
            return None
        if turned is None and opposite in said:
            turned = statement
    return turned


def _is_said_again(word: str, tokens: Sequence[Token]) -> bool:
    """Whether a preposition stands before a word for what was named: "before noon and after that"."""
    return any(first.norm == word and second.norm in _BACK for first, second in pairwise(tokens))


def _before_nouns(tokens: Sequence[Token], nouns: frozenset[str]) -> Iterator[Token]:
    for number, token in enumerate(tokens):
        if token.norm in _opposed(_PREPOSITIONS) and not _is_denied_before(tokens, number):
            noun = _noun_after(tokens, number)
            if noun is not None and noun.stem in nouns:
                yield token


def _noun_after(tokens: Sequence[Token], at: int) -> Token | None:
    """The last word of the noun behind a preposition: "after the due date"."""
    noun: Token | None = None
    for token in tokens[at + 1 : at + 1 + _OBJECT_REACH]:
        if token.norm in _opposed(_PREPOSITIONS) or (noun is not None and token.is_stop):
            break
        if noun is not None and noun.is_number and token.is_number:
            # "From 2004-2007"
            break
        if not token.is_stop:
            noun = token
    return noun


def _is_denied_before(tokens: Sequence[Token], at: int) -> bool:
    return denies_something(tokens[max(0, at - _DENIED_REACH) : at])


def _opposed_words(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """Words that no source has, where a sentence that the claim rests on has their opposite instead."""
    said = grounds.words.stems
    for token in grounds.tokens:
        if token.is_number or token.stem in sources.context.positions:
            continue
        denied = _denied_by_negative(token, grounds, sources)
        if denied is None and not token.is_stop and not _is_said(token.stem, sources):
            denied = _denied_by_opposite(token, grounds, said, sources)
        if denied is not None:
            yield Settled("polarity", token.start, token.end, denied)


def _is_said(stem: str, sources: LedgerSources) -> bool:
    """Whether the sources have a synonym of a word."""
    return any(other in sources.context.positions for other in synonyms_of(stem))


def _denied_by_negative(token: Token, grounds: Grounds, sources: LedgerSources) -> Outcome | None:
    """Whether a sentence about the claim has the negative of a word: "unused" for "used"."""
    if token.norm not in sources.negatives:
        return None
    if grounds.text[max(0, token.start - len(_PREFIX)) : token.start].lower() == _PREFIX:
        # "Non-toxic".
        return None
    chunk, negative = sources.negatives[token.norm]
    if not negative.norm.endswith(token.norm):
        # "Equal access" beside "inequality".
        return None
    index = sources.context.indexes[chunk]
    sentence = next(
        (start, end) for start, end in index.sentences if start <= negative.start and negative.end <= end
    )
    around = [other for other in index.tokens if sentence[0] <= other.start < sentence[1]]
    if not any(other.stem in grounds.content and other.stem != token.stem for other in around):
        return None
    if any(other.norm in _TURNING and other is not negative for other in around):
        return None
    return Outcome("denied", Place(chunk, *sentence), nearest=negative.text)


def _denied_by_opposite(
    token: Token, grounds: Grounds, said: Set[str], sources: LedgerSources
) -> Outcome | None:
    """Whether a sentence that holds most of the claim has the opposite of a word, and denies nothing."""
    rivals, negated = opposites_of(token.stem), negated_stems(token.norm)
    if not rivals and not negated:
        return None
    # "Worse than the rye loaf" may be said of the other side.
    kinds = {"antonym"} if "than" in grounds.words.norms else _KINDS
    opposites = {stem for stem, kind in rivals.items() if kind in kinds}.union(negated) - said
    if not opposites:
        return None
    for statement in grounds.statements:
        if statement.held < _NEARLY:
            break
        if not statement.words.has_stem(opposites):
            continue
        opposite = next(other for other in statement.tokens if other.stem in opposites)
        if grounds.text_of(statement)[opposite.start - 1 : opposite.start] == _HYPHEN:
            # "The 52-year-old"
            continue
        if opposite.norm in kin_words().get(token.norm, ()):
            # "Her father is Noé" beside "the daughter of Noé".
            continue
        if _is_other_way(statement, grounds, sources) or _is_converse(token, grounds, opposite, statement):
            continue
        if are_in_one_place(token, grounds, opposite, statement):
            return statement.outcome("denied", opposite.text)
    return None


def _is_other_way(statement: Statement, grounds: Grounds, sources: LedgerSources) -> bool:
    """Whether a sentence denies or ends something ("ended the ban"), or has the end of a period."""
    if statement.words.is_denying or statement.has(_TURNING):
        return True
    return _turns_at_the_end(grounds.text, statement, sources)


def _is_converse(token: Token, grounds: Grounds, opposite: Token, statement: Statement) -> bool:
    """Whether the sides of a word are those of its opposite, exchanged: "north of", "south of"."""
    own, theirs = Sides.around(token, grounds.tokens), Sides.around(opposite, statement.tokens)
    return own.exchanged_in(theirs, grounds.forms)


def are_in_one_place(token: Token, grounds: Grounds, opposite: Token, statement: Statement) -> bool:
    """Whether a word of a claim and its opposite in a sentence have a content word beside them in common."""
    beside = [grounds.forms(stem) for stem in _beside(token, grounds.tokens)]
    theirs = _beside(opposite, statement.tokens)
    if all(forms.isdisjoint(theirs) for forms in beside):
        return False
    around = _beside(opposite, statement.tokens, _AROUND)
    if any(statement.words.has_stem(forms) and forms.isdisjoint(around) for forms in beside):
        # "Attracts new guests" beside "keeps old guests and attracts future ones".
        return False
    clause = _part_with(token, grounds.words.parts)
    place = {other.stem for other in _part_with(opposite, statement.parts)}
    content = {other.stem for other in clause if not other.is_stop and other is not token}
    return 2 * sum(not place.isdisjoint(grounds.forms(stem)) for stem in content) >= len(content)


def _part_with(word: Token, parts: Sequence[Sequence[Token]]) -> Sequence[Token]:
    return next(part for part in parts if part[0].start <= word.start <= part[-1].start)


def _beside(word: Token, tokens: Sequence[Token], reach: int = _NEIGHBOURS) -> frozenset[str]:
    """Stems of the content words right before and after a word."""
    content = [token for token in tokens if not token.is_stop or token is word]
    at = content.index(word)
    around = content[max(0, at - reach) : at + reach + 1]
    return frozenset(token.stem for token in around if token is not word)


def _turns_at_the_end(text: str, statement: Statement, sources: LedgerSources) -> bool:
    """Whether a claim has the end of a period: what is open from ten to six closes at six."""
    points = [fact for fact in typed_values(text) if fact.kind in _POINTS]
    ends = [
        other
        for other in sources.values_in(statement.chunk)
        if other.kind in _POINTS
        and statement.start <= other.start < statement.end
        and _ends_period(sources.context.indexes[statement.chunk].text[: other.start])
    ]
    return any(compatible(fact, end) for fact in points for end in ends)


def _ends_period(before: str) -> bool:
    """Whether the words before a point in time make it the end of a period."""
    last = before.rsplit(maxsplit=1)[-1:] if before[-1:].isspace() else [before[-1:]]
    return bool(last) and last[0].lower() in _UNTIL
