"""What one wrong word shows itself by: a noun that no source has."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.lexicon import ordered, words
from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.background import light_stems
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.scorers.lexical.wordlists import AFTER_VERBS, BEFORE_VERBS, KINDS, VERBS
from pytest_grounding.text.grammar import AUXILIARIES

_DETERMINERS = words("matching", "slot_determiners")
_BE = words("matching", "be")
_AUXILIARIES = AUXILIARIES | _BE
_NOUN_ENDINGS = ordered("matching", "noun_endings")
_SPANS = frozenset({"minute", "hour", "week", "month"})
_ADJECTIVE_ENDINGS = ordered("matching", "adjective_endings")
_NO_NOUN_ENDINGS = ("ly", *_ADJECTIVE_ENDINGS)
_VERB_ENDINGS = ("ed", "ing", "ize", "ise", "ify")
_SHORTEST_NOUN = 3
_SHORTEST_PLURAL = 5
#: What may stand between two words of one phrase.
_INSIDE_PHRASE = frozenset({"", "-", ' "', '" ', " '", " “", "” "})
#: Up to so many content words each noun carries the claim.
_SHORT = 4
#: Up to so many the last noun does, where it and other missing nouns weigh this share of the claim: a longer
#: claim says the same in other words too often. How much of
#: the rest is held and how long the sources are does not count: no evidence may speak against a claim.
_LONGER = 8
_LEAST_SHARE = 0.2


def lacks_noun(alignment: Alignment, *, parted: bool = False) -> bool:
    """Whether a short claim has a noun that stands nowhere."""
    size = len(alignment.weights)
    if size > _LONGER or (parted and size <= _SHORT):
        return False
    nouns = missing_nouns(alignment)
    if not nouns or size <= _SHORT:
        return bool(nouns)
    if nouns[-1].start != alignment.content[-1].start:
        return False
    stems = {token.stem for token in missing_nouns(alignment, kinds=True)}
    lost = sum([alignment.weights[stem] for stem in sorted(stems)])
    return lost >= _LEAST_SHARE * alignment.total


def missing_nouns(alignment: Alignment, *, kinds: bool = False) -> list[Token]:
    """Nouns of a claim that stand nowhere and tell something."""
    if not alignment.missing or not alignment.has_content:
        return []
    light = light_stems()
    gone = {token.start for token in alignment.missing if token.stem not in light}
    return [
        token
        for number, token in enumerate(alignment.tokens)
        if token.start in gone and is_noun(alignment.claim, alignment.tokens, number, kinds=kinds)
    ]


def is_noun(text: str, tokens: Sequence[Token], number: int, *, kinds: bool = False) -> bool:
    """Whether a word of an English sentence is probably a noun that names something of its own."""
    token = tokens[number]
    norm = token.norm
    if token.is_stop or token.is_number or len(norm) < _SHORTEST_NOUN or norm.endswith(_NO_NOUN_ENDINGS):
        return False
    is_kind = norm in KINDS or norm.rstrip("s") in KINDS
    counts = kinds and (norm[-1] == "s" or norm in _SPANS)
    if norm in VERBS or (is_kind and not counts):
        return False
    if token.is_name or norm.endswith(_NOUN_ENDINGS):
        return True
    return _stands_as_noun(text, tokens, number)


def _stands_as_noun(text: str, tokens: Sequence[Token], number: int) -> bool:
    norm = tokens[number].norm
    first = number
    while first and _joined(text, tokens, first - 1) and _tells(tokens[first - 1]):
        first -= 1
    begins = first == number
    before = tokens[first - 1].norm if first else ""
    follows = tokens[number + 1] if number + 1 < len(tokens) and _joined(text, tokens, number) else None
    if begins and before in BEFORE_VERBS and before != "to":
        return False
    if norm.endswith(_VERB_ENDINGS):
        last = follows is None or not _tells(follows)
        return norm.endswith("ing") and begins and last and before in _DETERMINERS
    if follows is not None and _tells(follows):
        # What comes before a noun is an adjective as often as not; a plural or a genitive is none.
        is_noun_form = norm.endswith("s") or "'" in tokens[number].text
        return number > 0 and len(norm) >= _SHORTEST_PLURAL and is_noun_form
    takes_object = follows is not None and (follows.norm in AFTER_VERBS or follows.is_number)
    if not begins:
        return not takes_object
    if before in _BE:
        return norm.endswith("s") and len(norm) >= _SHORTEST_PLURAL
    if number == 0:
        if follows is not None and follows.norm == "of":
            return norm.endswith("s") and len(norm) >= _SHORTEST_PLURAL
        return follows is not None and follows.norm in _AUXILIARIES
    return before != "to" or not takes_object


def _tells(token: Token) -> bool:
    return not token.is_stop and not token.is_number


def _joined(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a word and the next one may belong to one phrase."""
    between = text[tokens[number].end : tokens[number + 1].start]
    return between.isspace() or between in _INSIDE_PHRASE
