"""Denials and universal words of a claim, settled against the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding.evidence.conflict_words import DENIES, TURNS, marks_of, negated_stems, opposites_of
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds, Statement, content_after
from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.words import Token, tokenize

_DENIERS = words("denials", "firm denials")
_IDLE_AFTER = words("denials", "idle after")
_OPEN_BEFORE = words("denials", "no firm denial")
_SELDOM_SAID = words("conflicts", "unsaid")
_UNIVERSAL = words("denials", "universal")
_EXCLUSIVE = words("denials", "exclusive")
_AMOUNTS = table("conflicts", "amounts") | table("conflicts", "frequencies")
#: Words before a denial that are searched for "if", and words of "may not" right before it.
_CASE_REACH = 6
#: Content words that a denial stands over, and the words within which they stand.
_DENIED, _DENIED_REACH = 3, 7
#: Words between a denial of a source and what it denies, after and before it.
_AFTER, _BEFORE = 8, 6
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
    for number, token in enumerate(tokens):
        if is_denier(token.norm):
            outcome = _settled_denial(number, grounds)
            if outcome is not None:
                yield Settled("polarity", token.start, token.end, outcome)
        elif _AMOUNTS.get(token.norm) == str(_ALL):
            outcome = _settled_amount(number, grounds)
            if outcome is not None:
                yield Settled("operator", token.start, token.end, outcome)


def is_denier(norm: str) -> bool:
    """Whether a folded word denies."""
    return norm in _DENIERS or norm.endswith("n't")


def _settled_denial(at: int, grounds: Grounds) -> Outcome | None:
    """A denial is found where a sentence that the claim rests on denies the same; None for an idle one."""
    tokens, text = grounds.tokens, grounds.text
    if _is_idle(text, tokens, at):
        return None
    denied = [
        token
        for token in content_after(text, tokens, at, _DENIED_REACH, _DENIED)
        if not is_denier(token.norm)
    ]
    if not denied or denied[0].norm in _SELDOM_SAID or not grounds.statements:
        return None
    stems = frozenset().union(*(grounds.forms(token.stem) for token in denied))
    holding = [item for item in grounds.statements if any(token.stem in stems for token in item.tokens)]
    for statement in grounds.statements:
        if _denies(statement, stems, is_holding=statement in holding):
            return Outcome("found", Place(statement.chunk, statement.start, statement.end))
    if not holding:
        return None
    best = holding[0]
    return Outcome("denied", Place(best.chunk, best.start, best.end))


def _is_idle(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a denial denies no statement: "not only", "no later than", "may not", "No, …"."""
    token = tokens[at]
    if at + 1 >= len(tokens) or tokens[at + 1].norm in _IDLE_AFTER:
        return True
    if "-" in (text[token.end : token.end + 1], text[token.start - 1 : token.start]):
        return True
    between = text[token.end : tokens[at + 1].start]
    if token.norm == "no" and (at == 0 or "," in between):
        return True
    if at and tokens[at - 1].norm in _OPEN_BEFORE:
        return True
    return any(word.norm in ("if", "unless", "whether") for word in tokens[max(0, at - _CASE_REACH) : at])


def _denies(statement: Statement, stems: frozenset[str], *, is_holding: bool) -> bool:
    """Whether a sentence denies one of these words, says its opposite, or denies something in their place."""
    places = [number for number, token in enumerate(statement.tokens) if token.stem in stems]
    for number, token in enumerate(statement.tokens):
        if any(stem in stems for stem in (*negated_stems(token.norm), *opposites_of(token.stem))):
            return True
        marks = marks_of(token.norm)
        if TURNS not in marks and DENIES not in marks:
            continue
        if not is_holding or any(-_BEFORE <= place - number <= _AFTER for place in places):
            return True
    return False


def _settled_amount(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "all X" is denied: it is where each sentence about X that counts it counts less."""
    before = grounds.tokens[max(0, at - _CASE_REACH) : at]
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


def _before(statement: Statement, stems: frozenset[str]) -> Iterator[Token]:
    """The words right before these in a sentence."""
    for number, token in enumerate(statement.tokens):
        if token.stem in stems:
            yield from statement.tokens[max(0, number - _COUNTED_REACH) : number]
