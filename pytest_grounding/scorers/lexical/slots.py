"""What one wrong word or one added clause shows itself by: nouns and clauses that no source backs.

A weighted sum over a whole claim averages one wrong word away. These two questions look at the part alone.
Which words are nouns is guessed from the words around them and from their endings; English only.
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.background import light_stems
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.scorers.lexical.wordlists import (
    AFTER_VERBS,
    BEFORE_VERBS,
    KINDS,
    VERBS,
)

_DETERMINERS = frozenset("a an the its his her our their your my".split())
_BE = frozenset("is are was were be been being am isn't aren't wasn't weren't".split())
_AUXILIARIES = _BE | frozenset(
    "has have had can could may might must shall should will would do does did".split()
)
_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ship", "ance", "ence", "ism", "hood", "logy")
_SPANS = frozenset({"minute", "hour", "week", "month"})
_ADJECTIVE_ENDINGS = ("able", "ible", "ful", "less", "ous", "ive", "ical", "ional", "ental")
_NO_NOUN_ENDINGS = ("ly", *_ADJECTIVE_ENDINGS)
_VERB_ENDINGS = ("ed", "ing", "ize", "ise", "ify")
_SHORTEST_NOUN = 3
_SHORTEST_PLURAL = 5
#: What may stand between two words of one phrase.
_INSIDE_PHRASE = frozenset({"", "-", ' "', '" ', " '", " “", "” "})
_ENDS_CLAUSE = frozenset(",;:()—–")
_OPENS_CLAUSE = frozenset(
    "and but or which who that where when while because although after before if unless including so since "
    "whereas".split()
)
#: Up to so many content words each noun carries the claim. More are allowed where the sources are short, and
#: more still where all other words stand in one sentence: then it is another word in a known statement. In
#: longer sources the same is said in other words too often (measured on RAGTruth-QA: 78 % of the labelled
#: spans on which the rule fires are unsupported; with sources of up to 300 words 52 % were).
_SHORT = 4
_MIDDLING = 5
_LONGER = 8
_SHORT_SOURCES = 100
_ALL_ELSE = 0.999
#: A strange clause: its content words, the most of it that any source and that the best sentences may hold,
#: and the least of the other clauses that the best sentences must hold.
_CLAUSE_WORDS = 3
_KNOWN_ANYWHERE = 0.35
_KNOWN_HERE = 0.1
_REST_KNOWN = 0.6
_FROM_QUESTION = 0.8
#: Weight of what stands nowhere of a strange clause: about two rare words.
_LEAST_LOST = 10.0


def lacks_noun(alignment: Alignment) -> bool:
    """Whether a short claim has a noun that stands nowhere."""
    size = len(alignment.weights)
    if size > _LONGER or not missing_nouns(alignment, kinds=True):
        return False
    nouns = bool(missing_nouns(alignment))
    if nouns and size <= _SHORT:
        return True
    if sum(len(index.tokens) for index in alignment.context.indexes) > _SHORT_SOURCES:
        return False
    if nouns and size <= _MIDDLING:
        return True
    lost = sum(alignment.weights[stem] for stem in {token.stem for token in alignment.missing})
    rest = alignment.total - lost
    # Even a word for a kind of thing is another word where all others stand in one sentence.
    return rest > 0.0 and max(alignment.held.values(), default=0.0) >= _ALL_ELSE * rest


def missing_nouns(alignment: Alignment, *, kinds: bool = False) -> list[Token]:
    """Nouns of a claim that stand nowhere and tell something.

    Args:
        alignment: the claim against the context.
        kinds: whether words for kinds of things count.
    """
    if not alignment.missing or not alignment.has_content:
        return []
    light = light_stems()
    gone = {token.start for token in alignment.missing if token.stem not in light}
    return [
        token
        for number, token in enumerate(alignment.tokens)
        if token.start in gone and is_noun(alignment.claim, alignment.tokens, number, kinds=kinds)
    ]


def ends_in_strange_clause(alignment: Alignment, window: Sequence[int]) -> bool:
    """Whether the last clause of a claim is about something that no source holds, while the rest is held.

    Args:
        alignment: the claim against the context.
        window: numbers of the sentences that hold most of the claim.
    """
    if len(alignment.missing) < _CLAUSE_WORDS - 1:
        return False
    clauses = _clauses(alignment)
    if len(clauses) < 2:
        return False
    last = {token.stem for token in clauses[-1]}
    rest = {token.stem for clause in clauses[:-1] for token in clause} - last
    if len(last) < _CLAUSE_WORDS or len(rest) < 2:
        return False
    inside = frozenset(window)
    lost = sum(alignment.weights[stem] for stem in last if stem not in alignment.quality)
    return (
        lost >= _LEAST_LOST
        and _known(alignment, last) <= _KNOWN_ANYWHERE
        and _known(alignment, last, inside) <= _KNOWN_HERE
        and _known(alignment, rest, inside) >= _REST_KNOWN
        and any(token.stem in last for token in missing_nouns(alignment))
    )


def _known(alignment: Alignment, stems: set[str], inside: frozenset[int] | None = None) -> float:
    """Share of stems, by weight, that stand in some sentences (all, where not given); asked words count."""
    total = held = 0.0
    for stem in sorted(stems):
        weight = alignment.weights[stem]
        total += weight
        if stem in alignment.given:
            held += _FROM_QUESTION * weight
        elif stem in alignment.quality and (
            inside is None or not alignment.sentences(stem).isdisjoint(inside)
        ):
            held += alignment.quality[stem] * weight
    return held / total if total else 0.0


def _clauses(alignment: Alignment) -> list[list[Token]]:
    """Content words of each clause; a single word between commas stays with what comes before it."""
    content = {token.start for token in alignment.content}
    tokens = alignment.tokens
    parts: list[list[Token]] = [[]]
    for number, token in enumerate(tokens):
        between = alignment.claim[tokens[number - 1].end : token.start] if number else ""
        if token.norm in _OPENS_CLAUSE or not _ENDS_CLAUSE.isdisjoint(between):
            parts.append([])
        if token.start in content:
            parts[-1].append(token)
    clauses: list[list[Token]] = []
    for part in parts:
        if clauses and len(part) < 2:
            clauses[-1].extend(part)
        else:
            clauses.append(part)
    return [clause for clause in clauses if clause]


def is_noun(text: str, tokens: Sequence[Token], number: int, *, kinds: bool = False) -> bool:
    """Whether a word of an English sentence is probably a noun that names something of its own.

    Args:
        text: the sentence.
        tokens: its words.
        number: which of them.
        kinds: whether words for kinds of things count in the plural, and spans of time. In the singular
            ("the movie", "its length") they restate more than they claim.
    """
    token = tokens[number]
    norm = token.norm
    if token.is_stop or token.is_number or len(norm) < _SHORTEST_NOUN or norm.endswith(_NO_NOUN_ENDINGS):
        return False
    if norm in VERBS:
        return False
    if (norm in KINDS or norm.rstrip("s") in KINDS) and not (kinds and (norm[-1] == "s" or norm in _SPANS)):
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
