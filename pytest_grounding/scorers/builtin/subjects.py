"""The subject that a sentence carries over from the one before: "The H2 is new. It has no fans."."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.lexicon import words
from pytest_grounding.reading.grammar import AUXILIARIES, PLAIN_VERBS, has_finite_verb
from pytest_grounding.reading.words import Token, tokenize

_PRONOUNS = words("matching", "subject_pronouns")
_POINTING = frozenset("this these that those such".split())
#: Words that may precede the pronoun.
_OPENERS = words("matching", "before_pronouns")
_DETERMINERS = words("matching", "subject_determiners")
#: A subject ends here. "Of" continues it ("the edge of the table"), and so does "and".
_ENDS = words("matching", "subject_ends")
_NOBODY = frozenset("i we you there one".split())
_ENDING_SIGNS = frozenset(",;:()—–|")
#: Possible verbs, if an amount or an article follows.
_VERB_ENDINGS = ("s", "ed", "t")
_LONGEST = 6
_LONGEST_TITLE = 6
_LONGEST_OPENING = 12
_LOOKED_AT = 24


def leans(tokens: Sequence[Token]) -> bool:
    """Whether a sentence, given by its words, carries over its subject."""
    return _taken(tokens) is not None


def _taken(tokens: Sequence[Token]) -> Token | None:
    """The pronoun that carries a subject over, or the noun after "this"; None if there is none."""
    first = 0
    while first < len(tokens) and first < 2 and tokens[first].norm in _OPENERS:
        first += 1
    if first >= len(tokens):
        return None
    norm = tokens[first].norm
    if norm in _PRONOUNS:
        return tokens[first]
    if norm in _POINTING and first + 1 < len(tokens):
        following = tokens[first + 1]
        if not following.is_stop and not following.is_number and following.norm not in PLAIN_VERBS:
            return following
    return None


def subject_of(text: str, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words of the subject of a sentence, without articles; empty where none is found."""
    head = tokens[:_LOOKED_AT]
    if _is_title(text, tokens):
        return tuple(token for token in tokens if token.norm not in _DETERMINERS)
    first = _behind_opening(text, head)
    found: list[Token] = []
    for number in range(first, len(head)):
        token = head[number]
        norm = token.norm
        if found and not _ENDING_SIGNS.isdisjoint(text[found[-1].end : token.start]):
            break
        if norm in _DETERMINERS:
            if not found or head[number - 1].norm in {"of", "and", "or"}:
                continue
            # "Place the pan …": an imperative has no subject.
            return tuple(_without_verb(found)) if len(found) > 1 else ()
        if (
            norm in AUXILIARIES
            or norm in _ENDS
            or norm in _NOBODY
            or (found and not token.text[0].isupper() and has_finite_verb([norm]))
        ):
            break
        if found and token.text[0].isdigit() and text[found[-1].end : token.start]:
            return tuple(_without_verb(found))
        if norm in _PRONOUNS:
            break
        found.append(token)
        if len(found) > _LONGEST:
            break
    return tuple(token for token in found if token.norm not in {"of", "and", "or"})


def _behind_opening(text: str, tokens: Sequence[Token]) -> int:
    """The index of the word after "In 1999, …"; 0 without such an opening."""
    if not tokens or tokens[0].norm not in _ENDS | _OPENERS:
        return 0
    for number in range(1, min(len(tokens), _LONGEST_OPENING)):
        if "," in text[tokens[number - 1].end : tokens[number].start]:
            return number
    return 0


def _is_title(text: str, tokens: Sequence[Token]) -> bool:
    """Whether a line is a title ("Model H2"): a few words, no verb, no full stop."""
    if (
        not tokens
        or len(tokens) > _LONGEST_TITLE
        or text[tokens[-1].end : tokens[-1].end + 1] in {".", "!", "?"}
    ):
        return False
    return not has_finite_verb([token.norm for token in tokens])


def _without_verb(found: list[Token]) -> list[Token]:
    """The words without the probable verb: the last one before an article or an amount."""
    is_verb = len(found) > 1 and not found[-1].text[0].isupper() and found[-1].norm.endswith(_VERB_ENDINGS)
    return found[:-1] if is_verb else found


def carried(text: str, tokens: Sequence[Token], sentence_of: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Sentence -> stems of the subject it carries over, in order."""
    found: dict[int, tuple[str, ...]] = {}
    subject: tuple[Token, ...] = ()
    before = -2
    low = 0
    count = len(tokens)
    while low < count:
        sentence = sentence_of[low]
        high = low + 1
        while high < count and sentence_of[high] == sentence:
            high += 1
        words = tokens[low : min(high, low + _LOOKED_AT)]
        taken = _taken(words)
        if taken is None:
            subject = subject_of(text, words)
        elif subject and sentence == before + 1:
            found[sentence] = tuple(dict.fromkeys(token.stem for token in subject))
        else:
            subject = ()
        before = sentence
        low = high
    return found


def carried_into(tokens: Sequence[Token], context: str, language: str = "en") -> tuple[str, ...]:
    """Stems of the subject that a claim carries over from the sentence before it, in order."""
    if not context or language != "en" or not leans(tokens):
        return ()
    before = tokenize(context, language)
    return tuple(dict.fromkeys(token.stem for token in subject_of(context, before)))
