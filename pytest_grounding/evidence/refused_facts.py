"""What a source refuses in the words of a claim: "do not stir", "cycling is not allowed", "no coins"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence import lost_denials
from pytest_grounding.evidence.conflict_words import negated_stems, stem_of
from pytest_grounding.evidence.denial_words import (
    OUT_OF_WHAT,
    WITHOUT,
    count_of_deniers,
    denies_need,
    has_contrast,
    is_out_of,
    says_otherwise,
    says_out_of,
    sets_apart,
)
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, SentenceWords, has_word
from pytest_grounding.lexicon import words
from pytest_grounding.reading.words import Token

_LIGHTEST = frozenset(stem_of(word) for word in words("denials", "granting in any words"))
_GRANTING = frozenset(stem_of(word) for word in words("denials", "granting")) | _LIGHTEST
_IDLE = words("denials", "polite words") | words("denials", "needed")
_OBLIGING = words("denials", "obliging") | words("denials", "needing")
_MAYBE, _CASES = words("denials", "permitting"), words("framed", "cases")
_NO, _NON, _LONGER, _ABLE = "no", "non", "longer", "ble"
_MAY, _NEED = "may", "need"
_BEFORE_VERBS = words("denials", "before a verb")
#: Words from a denial to the one that it denies: "must not be used".
_REACH = 4


@dataclass(slots=True)
class _Saying:
    """What a part of a text says, but for who grants it and how it is denied."""

    content: frozenset[str]
    granting: frozenset[str]
    denials: Sequence[int]  # places of the words that deny


def refused_of(grounds: Grounds) -> Iterator[Settled]:
    """A claim that affirms what a part of a sentence denies in the same words, and no part affirms."""
    if not any(statement.words.may_refuse for statement in grounds.statements):
        return
    own = _said_in(grounds.tokens)
    if own.denials or not own.content or grounds.words.has({WITHOUT}) or _is_set_apart(grounds.tokens):
        return
    refusing, forms = None, {stem: grounds.forms(stem) for stem in own.content}
    for statement in grounds.statements:
        for part, theirs in zip(statement.words.wordings, _said_in_wordings(statement.words), strict=True):
            beside = _affirmed_beside(part, statement.words)
            if not _are_alike(own, theirs, forms, grounds, beside):
                continue
            if not theirs.denials:
                return
            if refusing is None and _is_refused(part, theirs, own, grounds):
                refusing = statement
    if refusing is not None:
        yield Settled("polarity", grounds.tokens[0].start, grounds.tokens[-1].end, refusing.outcome("denied"))


def _affirmed_beside(part: Sequence[Token], words: SentenceWords) -> frozenset[str]:
    """The words of the other parts of a sentence, but for those that deny something."""
    others = [other for other in words.parts if other is not part and not count_of_deniers(other)]
    return frozenset([token.stem for other in others for token in other])


def _is_set_apart(tokens: Sequence[Token]) -> bool:
    is_otherwise = says_otherwise(tokens) and not says_out_of(tokens)
    return is_otherwise or has_contrast(tokens) or sets_apart(tokens)


@kept_with_owner
def _said_in_wordings(words: SentenceWords) -> list[_Saying]:
    """What each wording of a sentence says."""
    return list(map(_said_in, words.wordings))


def _said_in(tokens: Sequence[Token]) -> _Saying:
    content: set[str] = set()
    granting: set[str] = set()
    denials: list[int] = []
    for number, token in enumerate(tokens):
        if _is_denial(tokens, number):
            denials.append(number)
        elif _says_nothing(tokens, number):
            continue
        elif token.stem in _GRANTING:
            granting.add(token.stem)
        elif token.norm.endswith(_ABLE) and negated_stems(token.norm):
            # "Irreversible" denies that it is reversed.
            denials.append(number)
            content.add(negated_stems(token.norm)[-1])
        else:
            content.add(token.stem)
    return _Saying(frozenset(content), frozenset(granting), denials)


def _is_denial(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word denies: "not", "non-", "out of order", but not the "no" of "no, I rent it"."""
    norm = tokens[at].norm
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if is_out_of(tokens, at):
        return True
    if norm == _NO and following is not None and following.start - tokens[at].end > 1:
        return False
    return norm == _NON or is_denier(norm)


def _says_nothing(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word tells nothing of what is denied: "please", the "longer" of "no longer"."""
    norm, before = tokens[at].norm, tokens[at - 1].norm if at else ""
    if tokens[at].is_stop or norm in _IDLE:
        return True
    return (is_denier(before) and norm == _LONGER) or (norm in OUT_OF_WHAT and is_out_of(tokens, at - 1))


def _are_alike(
    own: _Saying,
    theirs: _Saying,
    forms: Mapping[str, frozenset[str]],
    grounds: Grounds,
    beside: frozenset[str],
) -> bool:
    """Whether a claim says the same of the same as a part of a sentence, or as it and what is ``beside``."""
    left = {stem for stem in own.content if theirs.content.isdisjoint(forms[stem])}
    is_of_whole = bool(theirs.granting and theirs.denials) and all(
        not forms[stem].isdisjoint(beside) for stem in left
    )
    if left == own.content or not (left <= _agents(grounds) or is_of_whole):
        return False
    if theirs.content - frozenset().union(*forms.values()):
        return False
    mine = own.granting - _LIGHTEST
    return not mine or not theirs.granting or not mine.isdisjoint(theirs.granting | _LIGHTEST)


def _is_refused(part: Sequence[Token], theirs: _Saying, own: _Saying, grounds: Grounds) -> bool:
    """Whether a part denies once and firmly, and the claim says of the same verb that it may or has to be."""
    at = theirs.denials[0]
    if len(theirs.denials) > 1 or _is_set_apart(part) or has_word(part, {WITHOUT}):
        return False
    following = part[at + 1].norm if at + 1 < len(part) else ""
    is_idle = following in lost_denials.IDLE_AFTER and following != _LONGER
    if is_idle or (lost_denials.is_in_a_case(part, at) and not grounds.words.has(_CASES)):
        return False
    before = part[at - 1].norm if at else ""
    if (before == _NEED or denies_need(part, at)) and not grounds.words.has(_OBLIGING):
        return False
    if before == _MAY and not grounds.words.has(_MAYBE):
        return False
    # "It must not be used": what says so little has the verb that is denied.
    behind = [token for token in part[at + 1 : at + 1 + _REACH] if token.norm not in _BEFORE_VERBS]
    return len(own.content) > 1 or has_word(behind[:1], grounds.words.norms)


def _agents(grounds: Grounds) -> frozenset[str]:
    """The words before "can" and "may", of which no source speaks: who may do what nobody may."""
    modal = next((at for at, token in enumerate(grounds.tokens) if token.norm in _MAYBE), 0)
    before = [token.stem for token in grounds.tokens[:modal] if not token.is_stop]
    return frozenset([stem for stem in before if not grounds.is_known(stem)])
