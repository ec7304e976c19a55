"""Who or what belongs to a group that a sentence lists in full: "one of the members", "among the exports"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement
from pytest_grounding.lexicon import words
from pytest_grounding.reading.words import Token

_BELONGING, _NOT_ALL = words("limits", "belonging"), words("limits", "some of them")
_LISTING = lazy(r",[^,.;:]{1,60}(?:,|\b(?:and|or)\b)|\b(?:are|of) [^,.;:]{1,40} and ")
_MOST = 4  # sentences that are looked at


def group_members_of(grounds: Grounds) -> Iterator[Settled]:
    """What a claim counts among a group whose list does not have it."""
    if grounds.words.is_denying or not grounds.words.has(_BELONGING):
        return
    tokens = grounds.tokens
    at = next(at for at, token in enumerate(tokens) if token.norm in _BELONGING)
    subject = [token for token in tokens[:at] if not token.is_stop]
    group = [token.stem for token in tokens[at + 1 :] if not token.is_stop]
    if not subject or not group:
        return
    for statement in grounds.sentences_with(group, grounds.forms(group[-1])):
        if _lists_others(statement, subject, group, grounds):
            first, last = subject[0], subject[-1]
            yield Settled(
                "role", first.start, last.end, statement.outcome("elsewhere", _listing_text(statement))
            )
            return


def _lists_others(
    statement: Statement, subject: Sequence[Token], group: Sequence[str], grounds: Grounds
) -> bool:
    """Whether a sentence lists a group in full without the subject, of which the sources speak elsewhere."""
    text = _listing_text(statement)
    if statement.has(_NOT_ALL) or statement.words.is_denying or _LISTING.search(text) is None:
        return False
    if any(not statement.words.has_stem(grounds.forms(stem)) for stem in group if stem not in _BELONGING):
        return False
    names = [grounds.forms(token.stem) for token in subject]
    return all(map(grounds.is_known_as, names)) and not any(map(statement.words.has_stem, names))


def _listing_text(statement: Statement) -> str:
    return statement.words.text[statement.start : statement.end]
