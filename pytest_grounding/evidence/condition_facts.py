"""Conditions and exceptions that a claim leaves out of the sentence that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, has_stem
from pytest_grounding.lexicon import words
from pytest_grounding.reading.words import Token

_RESTRICTING = words("conditions", "restricting")
_EXCEPTING = words("conditions", "excepting")
_SWEEPING = words("conditions", "sweeping")
_CONDITIONS = words("conditions", "cutting")
_EVEN = "even"
#: Share of a claim in the sentence whose condition it leaves out, and content words of a condition.
_HELD, _CONDITION = 0.6, 3
#: Content words of a claim at most: a longer one says more than one thing.
_LONGEST = 9


def left_out_of(grounds: Grounds, sources: LedgerSources, *, is_answer: bool) -> Iterator[Settled]:
    """A claim that says of every case, or in answer to yes or no, what its sentence says of one."""
    said = grounds.words
    is_open = is_answer or said.has(_SWEEPING)
    if said.is_denying or said.has(_RESTRICTING):
        return
    content = [token for token in grounds.tokens if not token.is_stop]
    if not 0 < len(content) <= _LONGEST or not grounds.statements:
        return
    best = grounds.statements[0]
    is_cut = _is_cut_before_condition(best, grounds)
    if not (is_open or is_cut) or best.held < _HELD or best.has(_SWEEPING):
        return
    for at, token in enumerate(best.tokens):
        if token.norm in _RESTRICTING and _is_left_out(at, best, grounds, sources):
            yield Settled(
                "operator", content[0].start, content[-1].end, best.outcome("denied", _told(at, best))
            )
            return


def _is_cut_before_condition(statement: Statement, grounds: Grounds) -> bool:
    """Whether a claim is a sentence word for word, cut before its condition: "delivery is free"."""
    own = [token.norm for token in grounds.tokens]
    norms = [token.norm for token in statement.tokens]
    return len(norms) > len(own) and norms[: len(own)] == own and norms[len(own)] in _CONDITIONS


def _is_left_out(at: int, statement: Statement, grounds: Grounds, sources: LedgerSources) -> bool:
    """Whether neither claim nor question has a word of the condition; of an exception the claim may not."""
    told = [token for token in statement.tokens[at + 1 :] if not token.is_stop][:_CONDITION]
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
