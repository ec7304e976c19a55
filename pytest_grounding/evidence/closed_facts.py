"""What a source closes and a claim opens: "photography is forbidden", "yes, you may take photographs"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from pytest_grounding.evidence.conflict_words import stem_of
from pytest_grounding.evidence.denial_words import count_of_deniers, is_deny_mark
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, clauses_with_verbs, has_word
from pytest_grounding.lexicon import lines, words
from pytest_grounding.reading.words import Token, tokenize

#: Words with which a part closes something in a case alone, or another thing than the claim speaks of.
_OPEN_CASES = (
    words("conditions", "excepting") | words("conditions", "cases") | words("denials", "closed in a case")
)
_GOING_BACK = words("denials", "going back") | frozenset({"yes"})
_MODALS, _PERSONS = frozenset({"can", "may"}), words("denials", "who may")
_JOINING, _OF = frozenset({"and", "or"}), "of"
#: Words of which both beginnings are equal are kin: "treated" and "treatment".
_KIN, _SHORT_KIN = 5, 4
#: Verbs by which something is done no more, and words by which a claim says that it was done once.
_STOPPING, _PAST = words("denials", "stopping"), words("denials", "done once")
_STOPPING_STEMS = frozenset(map(stem_of, _STOPPING))
_FEWEST = 2  # content words of what somebody stopped doing, at least
_REACH = 5  # words between a thing and the word that opens it
_MOST = 60  # sentences that are read for one claim
_LONGEST = 14  # words of a part that closes something, at most
#: Share of what is closed that a claim that opens it has; with so few words it has all.
_SHARE, _FEW = 0.75, 3


@lru_cache(maxsize=1)
def _opened_by() -> Mapping[str, frozenset[str]]:
    """Word that closes -> the words that open what it closes."""
    found: dict[str, frozenset[str]] = {}
    for line in lines("denials", "closed and opened"):
        closing, opening = line.split("|")
        for word in closing.split():
            found[word] = found.get(word, frozenset()) | frozenset(opening.split())
    return found


@lru_cache(maxsize=1)
def _closing_stems() -> frozenset[str]:
    return frozenset(map(stem_of, _opened_by()))


@dataclass(frozen=True)
class _Closed:
    """What a part of a sentence closes: what stands before the word for it, and behind it."""

    word: Token  # the word that closes it
    opening: frozenset[str]  # words that would open it
    things: Sequence[Token]  # several, if joined: each of them is closed
    rest: Sequence[Token]
    are_joined: bool


def closed_of(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """A claim that says of a thing that it is open or allowed, where a sentence says the reverse."""
    tokens = grounds.tokens
    if (
        grounds.words.is_denying
        or not any(map(grounds.words.has, _opened_by().values()))
        or any(map(is_deny_mark, tokens))
    ):
        return
    if grounds.words.has(_opened_by().keys()):
        return
    goes_back = has_word(tokens[:2], _GOING_BACK)
    asked = tokenize(sources.question, "en") if goes_back else []
    said = [token for token in (*tokens, *asked) if not token.is_stop]
    found: Settled | None = None
    for statement in islice(grounds.sentences_with(grounds.content, _closing_stems()), _MOST):
        for part in clauses_with_verbs(statement.parts):
            closed = _closed_in(part)
            opening = None if closed is None else _opening_near(tokens, closed)
            if closed is None or opening is None or not _is_spoken_of(closed, said):
                continue
            if _is_opened(closed, grounds):
                return
            outcome = statement.outcome("denied", closed.word.text)
            found = found or Settled("polarity", opening.start, opening.end, outcome)
    if found is not None:
        yield found


def stopped_of(grounds: Grounds) -> Iterator[Settled]:
    """A claim that still does what a sentence says somebody stopped doing: "stopped taking cash"."""
    if grounds.words.is_denying or grounds.words.has(_PAST | _STOPPING):
        return
    for statement in islice(grounds.sentences_with(grounds.content, _STOPPING_STEMS), _MOST):
        for part in statement.parts:
            at = next((number for number, token in enumerate(part) if token.norm in _STOPPING), None)
            if at is None or count_of_deniers(part) or has_word(part, _OPEN_CASES):
                continue
            ended = [token for token in part[at + 1 :] if not (token.is_stop or token.is_number)]
            others = {token.stem for token in part[:at]} | {token.stem for token in ended}
            is_same = len(ended) >= _FEWEST and all(_has_kin(token, grounds.tokens) for token in ended)
            if is_same and grounds.content.keys() <= others.union(*map(grounds.forms, others)):
                start, end = grounds.tokens[0].start, grounds.tokens[-1].end
                told = " ".join(token.text for token in part[at:])
                yield Settled("polarity", start, end, statement.outcome("denied", told))
                return


def _opening_near(tokens: Sequence[Token], closed: _Closed) -> Token | None:
    """The word that opens a thing near it; what "can" happen is allowed to nobody: "it can be harmful"."""
    things = [at for at, token in enumerate(tokens) if _has_kin(token, closed.things)]
    for at, (before, token) in enumerate(pairwise([tokens[0], *tokens])):
        is_modal = token.norm in _MODALS and before.norm not in _PERSONS
        if token.norm not in closed.opening or is_modal:
            continue
        # "Yes, it is open": the thing stands in the question.
        if not things or any(abs(at - place) <= _REACH for place in things):
            return token
    return None


def _is_opened(closed: _Closed, grounds: Grounds) -> bool:
    """Whether a sentence opens one of the things, as a claim does."""
    stems = frozenset(map(stem_of, closed.opening))
    for statement in islice(grounds.sentences_with(grounds.content, stems), _MOST):
        for part in statement.parts:
            is_closing = has_word(part, _opened_by().keys()) or count_of_deniers(part)
            has_thing = any(_has_kin(thing, part) for thing in closed.things)
            if has_thing and has_word(part, closed.opening) and not is_closing:
                return True
    return False


def _closed_in(part: Sequence[Token]) -> _Closed | None:
    at = next((number for number, token in enumerate(part) if token.norm in _opened_by()), None)
    if at is None or len(part) > _LONGEST or count_of_deniers(part) or has_word(part, _OPEN_CASES):
        return None
    before, behind = part[:at], part[at + 1 :]
    end = next((number for number, token in enumerate(before) if token.norm == _OF), len(before))
    things = [token for token in before[:end] if not token.is_stop]
    rest = [token for token in behind if not token.is_stop]
    are_joined = has_word(before[:end], _JOINING)
    return _Closed(part[at], _opened_by()[part[at].norm], things, rest, are_joined) if things else None


def _is_spoken_of(closed: _Closed, said: Sequence[Token]) -> bool:
    """Whether a claim speaks of what is closed, where it is closed."""
    things = [_has_kin(thing, said) for thing in closed.things]
    if closed.are_joined:
        return any(things) and all(_has_kin(token, said) for token in closed.rest)
    met = [*things, *(_has_kin(token, said) for token in closed.rest)]
    least = _SHARE if len(met) > _FEW else 1.0
    return things[-1] and sum(met) >= least * len(met)


def _has_kin(token: Token, others: Sequence[Token]) -> bool:
    return any(_are_kin(token, other) for other in others)


def _are_kin(token: Token, other: Token) -> bool:
    if token.stem == other.stem:
        return True
    length = min(len(token.norm), len(other.norm))
    shared = _KIN if length > _KIN else max(length, _SHORT_KIN)
    return token.norm[:shared] == other.norm[:shared]
