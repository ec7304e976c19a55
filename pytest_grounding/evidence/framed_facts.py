"""What a source speaks of without stating it: "the myth that", "whether", "refused to", "instead of"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_grounding.evidence.denial_words import WITHOUT, says_otherwise
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, has_word, sign_behind
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
_ENDS, _JOINTS = frozenset(",;:.!?()"), words("conflicts", "joining statements")
#: Share of a claim in a sentence that speaks of it, and of its words that have to be turned there.
_CLOSE, _PART = 0.9, 0.25
_LONGEST = 3  # words of a frame
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


class _FramedClaim:
    """A claim, read for what a sentence may frame of it."""

    def __init__(self, grounds: Grounds) -> None:
        tokens, said = grounds.tokens, grounds.words
        self._is_told = said.has(_REPORTING)
        telling = [token for token in tokens if not (token.is_stop or token.norm in _REPORTING)]
        self._forms = list(map(grounds.forms, dict.fromkeys([token.stem for token in telling])))
        self._own_frames = {_opening_frame(tokens, at) for at in range(len(tokens))}
        # "At least three quarters of the cells" and "the form must be signed" tell a condition as one.
        is_statement = has_finite_verb([token.norm for token in tokens])
        self._tells_case = not is_statement or said.has(_OBLIGING)

    def is_framed_in(self, text: str, tokens: Sequence[Token]) -> bool:
        """Whether a sentence of a source only frames it."""
        for frame in _frames_in(text, tokens):
            has_own = not self._own_frames.isdisjoint(_OPENING if frame.opens else _TURNING)
            if has_own or (frame.is_case and self._tells_case):
                continue
            is_framed = self._is_left_open if frame.opens else self._is_turned
            if is_framed(frame, tokens):
                return True
        return False

    def _is_left_open(self, frame: _FramedWords, tokens: Sequence[Token]) -> bool:
        """Whether all that it says stands in the frame."""
        inside = _stems_of(tokens[frame.first : frame.after])
        # "The firm said that the factory will close" beside "the firm denied that …".
        told = inside | _stems_of(tokens[: frame.first]) if self._is_told else inside
        is_inside = any(not stems.isdisjoint(inside) for stems in self._forms)
        return is_inside and all(not stems.isdisjoint(told) for stems in self._forms)

    def _is_turned(self, frame: _FramedWords, tokens: Sequence[Token]) -> bool:
        """Whether a part of what it says stands in the frame alone."""
        before, inside, behind = (
            _stems_of(part)
            for part in (tokens[: frame.first], tokens[frame.first : frame.after], tokens[frame.after :])
        )
        if frame.is_verb and any(stems.isdisjoint(inside | before) for stems in self._forms):
            # "The pilot refused to fly the old machine, and landed the new one."
            return False
        turned = [stems for stems in self._forms if stems & inside and stems.isdisjoint(before | behind)]
        return bool(turned) and len(turned) >= _PART * len(self._forms)


def framed_of(grounds: Grounds) -> Iterator[Settled]:
    """A claim that states what each sentence that speaks of it does not state."""
    said = grounds.words
    if not grounds.content or said.is_denying or said.has({WITHOUT}) or says_otherwise(grounds.tokens):
        return
    claim: _FramedClaim | None = None
    framing: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _CLOSE:
            break
        is_framed = False
        if statement.has(_FIRST):
            claim = claim or _FramedClaim(grounds)
            is_framed = claim.is_framed_in(grounds.text_of(statement), statement.tokens)
        if not (is_framed or grounds.is_answered_with(statement, _NO)):
            return
        framing = framing or statement
    if framing is not None:
        yield Settled("operator", grounds.tokens[0].start, grounds.tokens[-1].end, framing.outcome("denied"))


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


def _stems_of(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset([token.stem for token in tokens])


def _opening_frame(tokens: Sequence[Token], at: int) -> str:
    """The frame that begins with a word, or ""."""
    norm = tokens[at].norm
    if at == 0 and norm in _WERE_IT_SO:
        return norm
    if norm not in _FIRST:
        return ""
    norms = [token.norm for token in tokens[at : at + _LONGEST]]
    starts = (" ".join(norms[:count]) for count in range(len(norms), 0, -1))
    return next((start for start in starts if start in _FRAMES), "")


def _end_of_clause(text: str, tokens: Sequence[Token], first: int) -> int:
    """Where the clause that begins with a word ends: at a sign, or where a statement of its own begins."""
    end = sign_behind(text, tokens, first, _ENDS)
    for number in range(first + 1, end - 1):
        if tokens[number].norm in _JOINTS and is_finite_verb(tokens[number + 1].norm):
            return number
    return end


def _end_of_thing(text: str, tokens: Sequence[Token], first: int) -> int:
    """Where the name of a thing ends: at a sign, a verb, or after some words."""
    end = sign_behind(text, tokens, first, _ENDS)
    content = 0
    for number in range(first, end):
        if (number > first and is_finite_verb(tokens[number].norm)) or content == _THING:
            return number
        content += not tokens[number].is_stop
    return end
