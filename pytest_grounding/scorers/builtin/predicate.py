"""A short claim with a noun, subject or predicate that no source contains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from pytest_grounding.evidence import token_index
from pytest_grounding.evidence.conflict_words import sided
from pytest_grounding.lexicon import ordered, words
from pytest_grounding.reading.grammar import AUXILIARIES
from pytest_grounding.reading.words import AFTER_VERBS, BEFORE_VERBS, KINDS, NEGATIONS, VERBS, Token
from pytest_grounding.scorers.builtin.align import Alignment

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
#: What may separate two words of one phrase.
_INSIDE_PHRASE = frozenset({"", "-", ' "', '" ', " '", " “", "” "})
_SHORT = 4  # up to this many content words, each noun matters
#: Up to this many, the last noun matters if it and other missing nouns have this share of the weight: longer
#: claims too often paraphrase. The coverage of the rest
#: and the length of the sources do not count: no evidence may count against a claim.
_LONGER = 8
_LEAST_SHARE = 0.2

#: A longer claim makes several statements, and its other words are informative.
_MOST_WORDS = 9
_MOST_CONTENT = 3
_MOST_IN_ALL = 4  # with more content words, a claim may well paraphrase its subject
#: A predicate is unknown where more than this share of it, by weight, is in no chunk.
_STRANGE = 0.6
_BEFORE_NOUNS = words("matching", "before_nouns")
_DENIALS = NEGATIONS | frozenset("lack lacks without non".split())
_PRICED = words("matching", "priced")
_MONEY = frozenset("$€£¥₹")
_SHORTEST_VERB = 4
_SAY_MORE = frozenset({"free"})  # framing only in "feel free to ask"


def lacks_noun(alignment: Alignment, *, parted: bool = False) -> bool:
    """Whether a short claim has a noun that no chunk contains."""
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
    """Informative nouns of a claim that no chunk contains."""
    if not alignment.missing or not alignment.has_content:
        return []
    light = token_index.light_stems()
    gone = {token.start for token in alignment.missing if token.stem not in light}
    return [
        token
        for number, token in enumerate(alignment.tokens)
        if token.start in gone and is_noun(alignment.claim, alignment.tokens, number, kinds=kinds)
    ]


def is_noun(text: str, tokens: Sequence[Token], number: int, *, kinds: bool = False) -> bool:
    """Whether a word of an English sentence is probably an informative noun."""
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
    return _is_noun_here(text, tokens, number)


def _is_noun_here(text: str, tokens: Sequence[Token], number: int) -> bool:
    norm = tokens[number].norm
    first = number
    while first and _joined(text, tokens, first - 1) and _is_informative(tokens[first - 1]):
        first -= 1
    begins = first == number
    before = tokens[first - 1].norm if first else ""
    follows = tokens[number + 1] if number + 1 < len(tokens) and _joined(text, tokens, number) else None
    if begins and before in BEFORE_VERBS and before != "to":
        return False
    if norm.endswith(_VERB_ENDINGS):
        last = follows is None or not _is_informative(follows)
        return norm.endswith("ing") and begins and last and before in _DETERMINERS
    if follows is not None and _is_informative(follows):
        # A word before a noun is often an adjective; a plural or a genitive is not.
        is_noun_form = norm.endswith("s") or "'" in tokens[number].text
        return number > 0 and len(norm) >= _SHORTEST_PLURAL and is_noun_form
    takes_object = follows is not None and (follows.norm in AFTER_VERBS or follows.is_number)
    if not begins:
        return not takes_object
    if before in _BE or (number == 0 and follows is not None and follows.norm == "of"):
        return norm.endswith("s") and len(norm) >= _SHORTEST_PLURAL
    if number == 0:
        return follows is not None and follows.norm in _AUXILIARIES
    return before != "to" or not takes_object


def _is_informative(token: Token) -> bool:
    return not token.is_stop and not token.is_number


def _joined(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a word and the next one may belong to one phrase."""
    between = text[tokens[number].end : tokens[number + 1].start]
    return between.isspace() or between in _INSIDE_PHRASE


def strange_part(alignment: Alignment) -> tuple[Token, ...] | None:
    """The unmatched words of a short claim's subject or predicate, if they are most of it."""
    tokens = alignment.tokens
    if not alignment.missing:
        return ()
    verb = first_verb(tokens) if len(tokens) <= _MOST_WORDS else None
    if verb is None:
        return None
    if any(token.stem in _framing() for token in tokens[:verb]):
        return ()
    is_helper = tokens[verb].norm in _AUXILIARIES
    predicate = _strange(alignment, tokens[verb + 1 :] if is_helper else tokens[verb:])
    if predicate or len(alignment.weights) > _MOST_IN_ALL:
        return predicate
    nouns = {token.start for token in missing_nouns(alignment)}
    subject = _strange(alignment, tokens[:verb])
    return subject if any(token.start in nouns for token in subject) else ()


@lru_cache(maxsize=1)
def _framing() -> frozenset[str]:
    return token_index.framing_stems() - _SAY_MORE


def _strange(alignment: Alignment, part: Sequence[Token]) -> tuple[Token, ...]:
    content = {token.start for token in alignment.content}
    gone = {token.start for token in alignment.missing}
    words = [token for token in part if token.start in content]
    light = [
        token for token in words if token.stem in token_index.generic_stems() or token.stem in _framing()
    ]
    telling = [token for token in words if token not in light or token.start not in gone]
    if not telling:
        # "Return shipping is included": an uninformative word is the claim if it is the only one.
        telling = [token for token in light if token.stem not in _framing() and token.norm not in VERBS]
    if not telling or len(telling) > _MOST_CONTENT:
        return ()
    lost = [token for token in telling if token.start in gone and not _is_paraphrased(alignment, token)]
    total = sum([token_index.rarity(token.stem) for token in telling])
    return tuple(lost) if sum([token_index.rarity(token.stem) for token in lost]) > _STRANGE * total else ()


def first_verb(tokens: Sequence[Token]) -> int | None:
    """Index of the first word that is probably a finite verb, or None."""
    maybe: int | None = None
    for number, token in enumerate(tokens):
        norm = token.norm
        if norm in _AUXILIARIES:
            return number
        if number == 0 or token.is_number or tokens[number - 1].norm in _BEFORE_NOUNS:
            continue
        if norm in VERBS:
            return number
        if token.is_name or token.is_stop or len(norm) < _SHORTEST_VERB:
            continue
        last = number + 1 == len(tokens)
        before = tokens[number - 1]
        plural = _ends_in_s(before) and not before.is_name
        if norm.endswith("ed") or (last and plural and not norm.endswith(("s", "ly"))):
            return number
        if _ends_in_s(token) and not plural:
            if last or tokens[number + 1].is_stop or tokens[number + 1].is_number:
                return number
            # "The squirrel stores nuts": or it is the noun of a phrase, and a plainer verb follows.
            maybe = number if maybe is None else maybe
    return maybe


def _ends_in_s(token: Token) -> bool:
    return token.norm.endswith("s") and not token.norm.endswith("ss")


def _is_paraphrased(alignment: Alignment, token: Token) -> bool:
    """Whether sentences about it contain a synonym, or the opposite of what the claim denies."""
    (same, opposed), sentences = sides_of(token.stem), alignment.context.sentences
    if alignment.is_covered_nearby(chain.from_iterable(map(sentences, same))):
        return True
    denied = not _DENIALS.isdisjoint([other.norm for other in alignment.tokens])
    if denied and alignment.is_covered_nearby(chain.from_iterable(map(sentences, opposed))):
        return True
    if token.norm in _PRICED or (token.norm == "free" and denied):
        text_of = alignment.context.text_of
        return any(not _MONEY.isdisjoint(text_of(sentence)) for sentence in sorted(alignment.held))
    return False


# Computed on demand: computing all takes an eighth of a first validation.
@lru_cache(maxsize=8192)
def sides_of(stem: str) -> tuple[Sequence[str], Sequence[str]]:
    """Near synonyms of a stem, without itself, and its opposites."""
    same: dict[str, None] = {}
    opposed: dict[str, None] = {}
    for kind, ours, theirs in sided().get(stem, ()):
        if kind != "antonym":
            continue
        same.update(dict.fromkeys(other for other in ours if other != stem))
        opposed.update(dict.fromkeys(theirs))
        for other in theirs:
            opposed.update(dict.fromkeys(token_index.synonyms_of(other)))
    return tuple(same), tuple(opposed)
