"""Another thing in the place of the one that the question names: version 3 for 4, "the Gold plan" for Pro."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.checks.retrieval.slots import ORDINALS, PREFIXES, Slot
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.text.grammar import has_finite_verb

_LINKS = frozenset({"of", "the", "a", "an"})


def holds_rival(asked: Asked, sentence: Sentence, said: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence has another word where the question has its own, and lacks the question's.

    Args:
        asked: the question part.
        sentence: the sentence or clause.
        said: stems of what it goes on about, which it need not say again.
    """
    stems = {token.stem for token in sentence.tokens} | said
    if any(_is_rivalled(asked, slot, sentence, stems) for slot in asked.slots):
        return True
    if _is_part_of_another(asked, sentence):
        return True
    years = {token.stem for token in sentence.tokens if _is_year(token)}
    wanted = asked.years
    return bool(wanted and years) and wanted.isdisjoint(stems)


def _is_year(token: Token) -> bool:
    return token.is_number and len(token.norm) == 4 and token.norm[:2] in {"18", "19", "20", "21"}


def _is_rivalled(asked: Asked, slot: Slot, sentence: Sentence, stems: set[str]) -> bool:
    if not stems.isdisjoint(slot.stems) or slot.neighbour not in stems:
        return False
    seen = False
    for place, token in enumerate(sentence.tokens):
        if token.stem != slot.neighbour or (place and token.is_name and slot.neighbour not in asked.named):
            continue
        rival = _beside(sentence, place, slot)
        if rival is None or rival.is_stop or rival.stem in asked.known:
            return False
        is_named = rival.is_number or rival.text[0].isupper()
        is_verb = has_finite_verb([rival.norm]) and not rival.norm.endswith("ed")
        is_no_thing = slot.named_only or rival.norm.endswith(("ly", "est")) or is_verb
        if is_no_thing and not is_named:
            return False
        if slot.ordinal and rival.norm not in ORDINALS:
            return False
        seen = True
    return seen


def _is_part_of_another(asked: Asked, sentence: Sentence) -> bool:
    """Whether "final" stands only in "semi-final", or the other way round."""
    prefixed: dict[str, bool] = {}
    for place, token in enumerate(sentence.tokens):
        if token.stem not in asked.content:
            continue
        before = sentence.tokens[place - 1].norm if place else ""
        joined = before in PREFIXES and sentence.text[token.start - sentence.start - 1] == "-"
        prefixed[token.stem] = prefixed.get(token.stem, True) and joined
    wanted = asked.prefixed
    if any(joined and stem not in wanted for stem, joined in prefixed.items()):
        return True
    return any(not joined for stem, joined in prefixed.items() if stem in wanted)


def _beside(sentence: Sentence, place: int, slot: Slot) -> Token | None:
    """The word on that side of a word, with nothing but a blank (or "of the") between."""
    tokens: Sequence[Token] = sentence.tokens
    at = place - slot.side
    linked = False
    while slot.linked and 0 <= at < len(tokens) and tokens[at].norm in _LINKS:
        linked = linked or tokens[at].norm == "of"
        at -= slot.side
    if not 0 <= at < len(tokens) or slot.linked is not linked:
        return None
    first, last = sorted((at, place))
    between = sentence.text[tokens[first].end - sentence.start : tokens[last].start - sentence.start]
    return None if any(sign in between for sign in ",;:()|/") else tokens[at]
