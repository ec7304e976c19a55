"""Denials and universal words of a claim, settled against the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from pytest_grounding.evidence.conflict_words import negated_stems, opposites_of
from pytest_grounding.evidence.denial_facts import denials_of
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds, Statement, content_after
from pytest_grounding.evidence.token_index import synonyms_of
from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.facts import compatible
from pytest_grounding.reading.words import Token, tokenize

_UNIVERSAL = words("denials", "universal")
_SWEEPING = words("denials", "sweeping")
_PREFIX = "non-"
_POINTS = frozenset({"date", "time"})
_UNTIL = words("limits", "before the end of a period")
_TURNING = words("denials", "ending") | words("conflicts", "soft denials")
_AMOUNTS = table("conflicts", "amounts") | table("conflicts", "frequencies")
#: Words before an amount that are searched for a denial.
_BEFORE = 6
#: Share of a claim in the best sentence from which its "anyone" must be there too.
_NEAR = 0.5
#: The same for a word whose opposite it has.
_NEARLY = 0.65
#: Content words on each side of a word, of which its opposite must have one beside it too.
_NEIGHBOURS = 2
#: Words between an amount and what it counts.
_COUNTED_REACH = 3
#: From this step on an amount leaves no exception; up to the other one it leaves many.
_ALL, _MANY = 5, 4


def operators_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The denials and universal words of a claim; English only."""
    if sources.language != "en":
        return
    tokens = tokenize(text, "en")
    grounds = Grounds(text, tokens, sources.context, "en")
    denials = list(denials_of(grounds))
    if not any(is_denier(token.norm) for token in tokens):
        yield from _opposed_words(grounds, sources)
    yield from denials
    for number, token in enumerate(tokens):
        if _AMOUNTS.get(token.norm) == str(_ALL):
            outcome = _settled_amount(number, grounds)
        elif token.norm in _SWEEPING:
            outcome = None if denials else _settled_scope(grounds)
        else:
            continue
        if outcome is not None:
            yield Settled("operator", token.start, token.end, outcome)


def _opposed_words(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """Words that no source has, where a sentence that the claim rests on has their opposite instead."""
    said = {token.stem for token in grounds.tokens}
    for token in grounds.tokens:
        if token.is_number or token.stem in sources.context.positions:
            continue
        denied = _denied_by_negative(token, grounds, sources)
        is_said = any(stem in sources.context.positions for stem in synonyms_of(token.stem))
        if denied is None and not token.is_stop and not is_said:
            denied = _denied_by_opposite(token, grounds, said, sources)
        if denied is not None:
            yield Settled("polarity", token.start, token.end, denied)


def _denied_by_negative(token: Token, grounds: Grounds, sources: LedgerSources) -> Outcome | None:
    """Whether a sentence about the claim has the negative of a word: "unused" for "used"."""
    if token.norm not in sources.negatives or _is_negated_by_prefix(token, grounds.text):
        return None
    chunk, negative = sources.negatives[token.norm]
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


def _is_negated_by_prefix(token: Token, text: str) -> bool:
    """Whether a prefix with a hyphen stands before a word: "non-toxic"."""
    return text[max(0, token.start - len(_PREFIX)) : token.start].lower() == _PREFIX


def _denied_by_opposite(
    token: Token, grounds: Grounds, said: Set[str], sources: LedgerSources
) -> Outcome | None:
    """Whether a sentence that holds most of the claim has the opposite of a word, and denies nothing."""
    kinds = opposites_of(token.stem).items()
    opposites = {stem for stem, kind in kinds if kind == "antonym"}.union(negated_stems(token.norm)) - said
    if not opposites:
        return None
    for statement in grounds.statements:
        if statement.held < _NEARLY:
            break
        opposite = next((other for other in statement.tokens if other.stem in opposites), None)
        if opposite is None or _is_other_way(statement, grounds, sources):
            continue
        if _are_in_one_place(token, grounds, opposite, statement):
            place = Place(statement.chunk, statement.start, statement.end)
            return Outcome("denied", place, nearest=opposite.text)
    return None


def _is_other_way(statement: Statement, grounds: Grounds, sources: LedgerSources) -> bool:
    """Whether a sentence denies or ends something ("ended the ban"), or has the end of a period."""
    if any(is_denier(other.norm) or other.norm in _TURNING for other in statement.tokens):
        return True
    return _turns_at_the_end(grounds.text, statement, sources)


def _are_in_one_place(token: Token, grounds: Grounds, opposite: Token, statement: Statement) -> bool:
    """Whether a word of a claim and its opposite in a sentence have a content word beside them in common."""
    own = frozenset().union(*(grounds.forms(stem) for stem in _beside(token, grounds.tokens)))
    return not own.isdisjoint(_beside(opposite, statement.tokens))


def _beside(word: Token, tokens: Sequence[Token]) -> frozenset[str]:
    """Stems of the content words right before and after a word."""
    content = [token for token in tokens if not token.is_stop or token is word]
    at = content.index(word)
    around = content[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS + 1]
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


def _settled_amount(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "all X" is denied: it is where each sentence about X that counts it counts less."""
    before = grounds.tokens[max(0, at - _BEFORE) : at]
    if any(is_denier(token.norm) for token in before):
        return None
    counted = next(content_after(grounds.text, grounds.tokens, at, _COUNTED_REACH, 1), None)
    if counted is None:
        return None
    stems = grounds.forms(counted.stem)
    less: Statement | None = None
    for statement in grounds.statements:
        steps = [_AMOUNTS[token.norm] for token in _before(statement, stems) if token.norm in _AMOUNTS]
        if str(_ALL) in steps or any(token.norm in _UNIVERSAL for token in _before(statement, stems)):
            return Outcome("found", Place(statement.chunk, statement.start, statement.end))
        if less is None and any(0 < int(step) <= _MANY for step in steps):
            less = statement
    if less is None:
        return None
    return Outcome("denied", Place(less.chunk, less.start, less.end))


def _settled_scope(grounds: Grounds) -> Outcome | None:
    """Whether a sentence that the claim rests on leaves no exception, as "anyone" does."""
    if not grounds.statements:
        return None
    for statement in grounds.statements:
        if any(token.norm in _UNIVERSAL for token in statement.tokens):
            return Outcome("found", Place(statement.chunk, statement.start, statement.end))
    best = grounds.statements[0]
    return Outcome("denied", Place(best.chunk, best.start, best.end)) if best.held >= _NEAR else None


def _before(statement: Statement, stems: frozenset[str]) -> Iterator[Token]:
    """The words right before these in a sentence."""
    for number, token in enumerate(statement.tokens):
        if token.stem in stems:
            yield from statement.tokens[max(0, number - _COUNTED_REACH) : number]
