"""What a claim says of several joined by "and", held against the sources for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pytest_grounding.evidence.crossed_facts import crossed_of
from pytest_grounding.evidence.entry_facts import placed_facts
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.misplaced import misplaced_of
from pytest_grounding.evidence.operator_facts import operators_of
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import SentenceWords, words_of_claim
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import UNSETTLED
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.visible_text import blanked
from pytest_grounding.reading.words import Token, content_stems

_AND, _BOTH, _COMMA = "and", "both", ","
_TOGETHER = words("denials", "in turn") | words("denials", "together")
_LONGEST, _MEMBER, _MOST = 24, 4, 4  # words of a claim and of a member, and members, at most

Span = tuple[int, int]
_Reader = Callable[[str, LedgerSources], Iterable[Settled]]
_READERS: Sequence[_Reader] = (
    placed_facts,
    lambda text, sources: crossed_of(text, sources, is_copy=False),
    lambda text, sources: misplaced_of(text, sources, is_copy=False),
    lambda text, sources: operators_of(text, sources),
)


def joined_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The facts that the sources have for one of several things, and a claim has for all; English only."""
    if sources.language != "en" or f" {_AND} " not in text:
        return
    said = words_of_claim(text)
    if len(said.tokens) > _LONGEST or said.has(_TOGETHER) or said.is_denying:
        return
    for members in (_subjects_in(said), _objects_in(said)):
        if not 1 < len(members) <= _MOST or _are_named_together(members, text, sources):
            continue
        for member in members:
            alone = blanked(text, [(members[0][0], member[0]), (member[1], members[-1][1])])
            unsettled = [item for item in _settled_in(alone, sources) if item.outcome.status in UNSETTLED]
            if unsettled:
                yield unsettled[0]
                return


def _settled_in(text: str, sources: LedgerSources) -> Iterator[Settled]:
    for reader in _READERS:
        yield from reader(text, sources)


def _subjects_in(said: SentenceWords) -> list[Span]:
    """The members of the subject of a claim."""
    verb = next((at for at, token in enumerate(said.tokens) if at and is_finite_verb(token.norm)), 0)
    return _joined_phrases(said.text, said.tokens[:verb])


def _objects_in(said: SentenceWords) -> list[Span]:
    """The members with which a claim ends, behind its verb."""
    verbs = [at for at, token in enumerate(said.tokens) if at and is_finite_verb(token.norm)]
    return _joined_phrases(said.text, said.tokens[verbs[0] + 1 :]) if len(verbs) == 1 else []


def _joined_phrases(text: str, tokens: Sequence[Token]) -> list[Span]:
    """Phrases joined by "and" and commas; none where one of them is long, or has no word of its own."""
    found: list[list[Token]] = [[]]
    for token in tokens:
        between = text[found[-1][-1].end : token.start] if found[-1] else ""
        if token.norm in (_AND, _BOTH):
            if found[-1]:
                found.append([])
            continue
        if _COMMA in between:
            found.append([])
        found[-1].append(token)
    if not all(map(_is_member, found)):
        return []
    return [(member[0].start, member[-1].end) for member in found]


def _are_named_together(members: Sequence[Span], text: str, sources: LedgerSources) -> bool:
    """Whether a sentence of the sources has all that tells the members apart: "bed and breakfast"."""
    stems = [content_stems(text[start:end]) for start, end in members]
    common = frozenset.intersection(*stems)
    telling = frozenset().union(*stems) - common
    places = [frozenset(sources.context.in_some_form(stem)) for stem in telling]
    return bool(places) and bool(frozenset.intersection(*places))


def _is_member(words: Sequence[Token]) -> bool:
    """Whether some words may be one of several: few, and not all of them function words."""
    return 0 < len(words) <= _MEMBER and not all(token.is_stop for token in words)
