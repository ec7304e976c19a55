"""Conditions and exceptions that a claim leaves out of the sentence that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import (
    Grounds,
    Statement,
    content_after,
    denies_something,
    has_stem,
    has_word,
)
from pytest_grounding.lexicon import words
from pytest_grounding.reading.words import Token

_RESTRICTING = words("conditions", "restricting")
_EXCEPTING = words("conditions", "excepting")
_SWEEPING = words("conditions", "sweeping")
_CONDITIONS = words("conditions", "cutting")
_CASES, _LIMITS = words("conditions", "cases"), words("conditions", "limits")
_ALONE = words("denials", "alone")
_ANY, _EVEN, _WITHOUT, _WITH_OR_WITHOUT = "any", "even", "without", "with or without"
_RESULT = "to"
_LIMIT_REACH, _ONLY_OF = 2, 2  # words from a limit to its number, and content words before "only"
_ASKING = words("denials", "needing") | words("conditions", "asking")
#: Words from "without" to what is away, and from a condition to what it asks for.
_AWAY_REACH, _ASKED_REACH = 4, 8
#: Share of a claim in the sentence whose condition it leaves out, and content words of a condition.
_HELD, _HELD_BY_SWEEPING, _CONDITION = 0.6, 0.5, 3
#: Content words of a claim at most: a longer one says more than one thing.
_LONGEST = 9


def left_out_of(grounds: Grounds, sources: LedgerSources, *, is_answer: bool) -> Iterator[Settled]:
    """A claim that says of every case, or in answer to yes or no, what its sentence says of one."""
    said = grounds.words
    is_either_way = said.has({_WITHOUT}) and _WITH_OR_WITHOUT in " ".join(
        [token.norm for token in grounds.tokens]
    )
    is_sweeping = is_either_way or said.has(_SWEEPING)
    content = [token for token in grounds.tokens if not token.is_stop]
    if not 0 < len(content) <= _LONGEST or not grounds.statements:
        return
    best = grounds.statements[0]
    is_cut = _is_cut_before_condition(best, grounds)
    if not (is_answer or is_sweeping or is_cut) or (best.has(_SWEEPING) and not is_cut):
        return
    is_denying = said.is_denying or said.has({_WITHOUT})
    if (is_denying and not is_either_way and not is_cut) or said.has(_RESTRICTING):
        return
    telling = {token.stem for token in content if token.norm not in _SWEEPING}
    least = _HELD_BY_SWEEPING if is_sweeping else _HELD
    if grounds.share_of(telling, best) < least:
        return
    for at, token in enumerate(best.tokens):
        is_limit = is_sweeping and _is_limit(at, best, has_any=said.has({_ANY}))
        if (is_limit or token.norm in _RESTRICTING) and _is_left_out(at, best, grounds, sources):
            yield Settled(
                "operator", content[0].start, content[-1].end, best.outcome("denied", _told(at, best))
            )
            return


def taken_away_of(grounds: Grounds) -> Iterator[Settled]:
    """What a claim is "without", where each sentence that has it makes it a condition."""
    tokens = grounds.tokens
    for number, token in enumerate(tokens):
        if token.norm != _WITHOUT:
            continue
        away = next(content_after(grounds.text, tokens, number, _AWAY_REACH, 1), None)
        if away is None or denies_something(tokens[max(0, number - _AWAY_REACH) : number]):
            continue
        stems = grounds.forms(away.stem)
        asking = [statement for statement in grounds.statements if statement.words.has_stem(stems)]
        if asking and all(_is_asked_for(stems, statement) for statement in asking):
            yield Settled("operator", token.start, away.end, asking[0].outcome("denied"))


def _is_asked_for(stems: frozenset[str], statement: Statement) -> bool:
    """Whether a sentence makes something a condition: "only if they are on a lead", "with a permit"."""
    tokens = statement.tokens
    if statement.has({_WITHOUT}) or denies_something(tokens):
        return False
    places = [number for number, token in enumerate(tokens) if token.stem in stems]
    return all(has_word(tokens[max(0, place - _ASKED_REACH) : place], _ASKING) for place in places)


def _is_limit(at: int, statement: Statement, *, has_any: bool) -> bool:
    """Whether a case begins here, or a limit of what a claim says of any value: "up to two litres"."""
    norm, following = statement.tokens[at].norm, statement.tokens[at + 1 : at + 1 + _LIMIT_REACH]
    return norm in _CASES or (has_any and norm in _LIMITS and any(token.is_number for token in following))


def _is_cut_before_condition(statement: Statement, grounds: Grounds) -> bool:
    """Whether a claim is a sentence word for word, cut before its condition: "delivery is free"."""
    own, theirs = grounds.tokens, statement.tokens
    if len(theirs) <= len(own) or theirs[len(own)].norm not in _CONDITIONS:
        return False
    return all(token.norm == other.norm for token, other in zip(own, theirs, strict=False))


def _tells_result(at: int, statement: Statement, grounds: Grounds) -> bool:
    """Whether "only to" behind a sign tells what came of it: "…, only to find out", not "only to members"."""
    tokens = statement.tokens
    if not at or tokens[at].norm not in _ALONE or not has_word(tokens[at + 1 : at + 2], {_RESULT}):
        return False
    return grounds.text_of(statement)[tokens[at - 1].end : tokens[at].start] != " "


def _is_left_out(at: int, statement: Statement, grounds: Grounds, sources: LedgerSources) -> bool:
    """Whether neither claim nor question has a word of the condition; of an exception the claim may not."""
    if _tells_result(at, statement, grounds):
        return False
    told = [token for token in statement.tokens[at + 1 :] if not token.is_stop][:_CONDITION]
    if not told and statement.tokens[at].norm in _ALONE:
        # "At the deep end only"
        told = [token for token in statement.tokens[:at] if not token.is_stop][-_ONLY_OF:]
    if not told:
        return False
    said = {token.stem for token in grounds.tokens}
    is_said = has_stem(told, said)
    if statement.tokens[at].norm in _EXCEPTING or any(token.norm == _EVEN for token in grounds.tokens):
        return is_said or not _is_asked(told, sources)
    return not is_said and not _is_asked(told, sources)


def _is_asked(told: Sequence[Token], sources: LedgerSources) -> bool:
    return all(token.stem in sources.question_stems for token in told)


def _told(at: int, statement: Statement) -> str:
    behind = [token.text for token in statement.tokens[at : at + 1 + 2 * _CONDITION]]
    return " ".join(behind)
