"""What a source speaks of without stating it: "the myth that", "whether", "refused to", "instead of"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from pytest_grounding.evidence.conflict_words import stem_of
from pytest_grounding.evidence.denial_words import WITHOUT, says_otherwise
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, has_word
from pytest_grounding.lexicon import words
from pytest_grounding.reading.grammar import has_finite_verb, is_finite_verb
from pytest_grounding.reading.words import Token

_CLAUSES = words("framed", "clauses") | words("framed", "pairs of clauses")
_TURNED = words("framed", "turned")
_IN_THEIR_PLACE = words("framed", "in their place")
_NEARLY, _AMOUNTS = words("framed", "nearly"), words("framed", "amounts")
_THINKING, _SETTING_RIGHT = words("framed", "thinking"), words("framed", "setting right")
_CASES = words("framed", "cases")
_WERE_IT_SO = words("framed", "were it so")
_OBLIGING = words("denials", "obliging") | words("denials", "needing")
_OPENING = _CLAUSES | _THINKING | _CASES
_TURNING = _TURNED | _IN_THEIR_PLACE | _NEARLY
_FRAMES = _OPENING | _TURNING
#: The first words of all frames, for a quick look.
_FIRST = frozenset(frame.partition(" ")[0] for frame in _FRAMES) | _WERE_IT_SO
_NO = words("framed", "answering no")
_TO = " to"
_REPORTING = words("denials", "reporting") | words("denials", "attribution")
_REPORTING_STEMS = frozenset(map(stem_of, _REPORTING))
_ENDS, _JOINTS = frozenset(",;:.!?()"), words("conflicts", "joining statements")
#: Share of a claim in a sentence that speaks of it, and of its words that have to be turned there.
_CLOSE, _PART = 0.9, 0.25
#: Content words at most of what stands in the place of another thing.
_THING = 3


@dataclass(frozen=True)
class _FramedWords:
    """The words of a sentence that are not stated."""

    first: int
    after: int
    opens: bool  # whether it leaves them open, or turns them: then a word of a claim is enough
    is_case: bool = False  # whether it opens what holds in one case
    is_verb: bool = False  # whether it is a verb whose subject stands before it

    def stems_in(self, tokens: Sequence[Token]) -> list[frozenset[str]]:
        """The stems before it, in it and behind it."""
        parts = (tokens[: self.first], tokens[self.first : self.after], tokens[self.after :])
        return [frozenset(token_stems(part)) for part in parts]


def framed_of(grounds: Grounds) -> Iterator[Settled]:
    """A claim that states what each sentence that speaks of it does not state."""
    said = grounds.words
    own = frozenset(token.stem for token in grounds.tokens if not token.is_stop)
    if not own or said.is_denying or said.has({WITHOUT}) or says_otherwise(grounds.tokens):
        return
    framing: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _CLOSE:
            break
        if not (_is_framed(statement, own, grounds) or grounds.is_answered_with(statement, _NO)):
            return
        framing = framing or statement
    if framing is not None:
        yield Settled("operator", grounds.tokens[0].start, grounds.tokens[-1].end, framing.outcome("denied"))


def _is_framed(statement: Statement, own: Set[str], grounds: Grounds) -> bool:
    if not statement.has(_FIRST):
        return False
    tokens = statement.tokens
    forms = [grounds.forms(stem) for stem in own]
    of_claim = {_opening_frame(grounds.tokens, at) for at in range(len(grounds.tokens))}
    # "At least three quarters of the cells" and "the form must be signed" tell a condition as one.
    is_statement = has_finite_verb([token.norm for token in grounds.tokens])
    is_told = grounds.words.has(_REPORTING)
    forms = [some for some in forms if some.isdisjoint(_REPORTING_STEMS)] if is_told else forms
    is_of_case = not is_statement or grounds.words.has(_OBLIGING)
    for frame in _frames_in(grounds.text_of(statement), tokens):
        if not of_claim.isdisjoint(_OPENING if frame.opens else _TURNING) or (frame.is_case and is_of_case):
            continue
        before, inside, behind = frame.stems_in(tokens)
        taken = [some for some in forms if not some.isdisjoint(inside)]
        # "The firm said that the factory will close" beside "the firm denied that …".
        told = inside | before if is_told else inside
        if frame.opens and taken and all(not some.isdisjoint(told) for some in forms):
            return True
        # "The pilot refused to fly the old machine, and landed the new one."
        is_about_the_rest = frame.is_verb and any(some.isdisjoint(inside | before) for some in forms)
        only_inside = [some for some in taken if some.isdisjoint(before | behind)]
        is_only_inside = bool(only_inside) and len(only_inside) >= _PART * len(forms)
        if not frame.opens and is_only_inside and not is_about_the_rest:
            return True
    return False


def _frames_in(text: str, tokens: Sequence[Token]) -> Iterator[_FramedWords]:
    for at in range(len(tokens)):
        frame = _opening_frame(tokens, at)
        first = at + 1 + frame.count(" ")
        is_denied = at > 0 and is_denier(tokens[at - 1].norm)
        if not frame or is_denied or first >= len(tokens):
            continue
        if frame in _TURNED:
            is_verb = frame.endswith(_TO)
            yield _FramedWords(first, _end_of_clause(text, tokens, first), opens=False, is_verb=is_verb)
        elif frame in _IN_THEIR_PLACE:
            yield _FramedWords(first, _end_of_thing(text, tokens, first), opens=False)
        elif frame in _NEARLY:
            if not (tokens[first].is_number or tokens[first].norm in _AMOUNTS):
                yield _FramedWords(first, first + 1, opens=False)
        elif frame not in _THINKING or has_word(tokens, _SETTING_RIGHT):
            is_case = frame in _CASES or frame in _WERE_IT_SO
            yield _FramedWords(first, _end_of_clause(text, tokens, first), opens=True, is_case=is_case)


def token_stems(tokens: Sequence[Token]) -> list[str]:
    """The stems of some words."""
    return [token.stem for token in tokens]


def _opening_frame(tokens: Sequence[Token], at: int) -> str:
    """The frame that begins with a word, or ""."""
    norm = tokens[at].norm
    if at == 0 and norm in _WERE_IT_SO:
        return norm
    if norm not in _FIRST:
        return ""
    pair = f"{norm} {tokens[at + 1].norm}" if at + 1 < len(tokens) else ""
    return next((frame for frame in (pair, norm) if frame in _FRAMES), "")


def _end_of_clause(text: str, tokens: Sequence[Token], first: int) -> int:
    """Where the clause that begins with a word ends: at a sign, or where a statement of its own begins."""
    for number in range(first + 1, len(tokens)):
        if not _ENDS.isdisjoint(text[tokens[number - 1].end : tokens[number].start]):
            return number
        following = tokens[number + 1].norm if number + 1 < len(tokens) else ""
        if tokens[number].norm in _JOINTS and is_finite_verb(following):
            return number
    return len(tokens)


def _end_of_thing(text: str, tokens: Sequence[Token], first: int) -> int:
    """Where the name of a thing ends: at a sign, a verb, or after some words."""
    content = 0
    for number in range(first, len(tokens)):
        is_cut = number > first and not _ENDS.isdisjoint(text[tokens[number - 1].end : tokens[number].start])
        if is_cut or (number > first and is_finite_verb(tokens[number].norm)) or content == _THING:
            return number
        content += not tokens[number].is_stop
    return len(tokens)
