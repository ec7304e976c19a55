"""A little English grammar without a tagger: finite verbs, subjects, subordinate clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern

_WORD = lazy(r"\w+(?:'\w+)?")
#: For ASCII: everything outside of words becomes a blank.
_BLANKED = "".join(char.lower() if char.isalnum() or char in "_'" else " " for char in map(chr, range(128)))
AUXILIARIES = words("grammar", "auxiliaries")
PLAIN_VERBS = words("grammar", "plain_verbs")
_POSSIBLE_VERBS = PLAIN_VERBS | words("grammar", "possible_verbs")
_FINITE = AUXILIARIES | _POSSIBLE_VERBS
_SURE = AUXILIARIES | PLAIN_VERBS
_SINGULAR = frozenset(("it", "he", "she"))
_PLURAL = frozenset(("they", "we", "you", "i"))
_DEMONSTRATIVE = frozenset(("this", "that", "these", "those"))
_NAME_VERB = lazy(r"(?<=\w )(?:May|Will|Mark|Grant|Drew|Chase)\b")
_CONTRACTED = lazy(r"(?:it|he|she|they|we|you|i|that|there)'(?:s|re|ve|d|ll|m)$")
_DETERMINERS = words("grammar", "determiners")
_ADVERBS = words("grammar", "adverbs")
_RELATIVES = words("grammar", "relatives")
_NOT_AFTER_SUBJECT = words("grammar", "not_after_subject")
FUNCTION_WORDS = words("grammar", "function_words")
_COMMA = lazy(r"[,;(]")
_BEFORE_AMOUNT = pattern("clauses", "before_amount")
_SUBJECT_REACH = 8  # distance in words from the determiner or name that opens a subject to its verb
_MOST_WORDS = 65536  # words of which is kept whether they are verbs


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, in lower case, with straight apostrophes."""
    text = text.replace("’", "'")
    if not text.isascii():
        return _WORD.findall(text.lower())
    # Several times as fast as the pattern, which handles words with an apostrophe.
    words = text.translate(_BLANKED).split()
    if "'" not in text:
        return words
    found: list[str] = []
    for word in words:
        if "'" in word:
            found += _WORD.findall(word)
        else:
            found.append(word)
    return found


def without_name_verbs(text: str) -> str:
    """The text with surnames that look like verbs ("Jonny May") changed."""
    return _NAME_VERB.sub("Name", text)


def has_finite_verb(words: Iterable[str]) -> bool:
    """Whether some word can be the finite verb of a clause."""
    return any(map(is_finite_verb, words))


@lru_cache(maxsize=_MOST_WORDS)
def is_finite_verb(word: str) -> bool:
    """Whether a word can be the finite verb of a clause."""
    if word in _FINITE or (len(word) > 4 and word.endswith("ed")):
        return True
    return "'" in word and _CONTRACTED.match(word) is not None


def has_plain_verb(words: Sequence[str]) -> bool:
    """Whether some word is certainly a finite verb."""
    return not _SURE.isdisjoint(words) or any("'" in word and _CONTRACTED.match(word) for word in words)


def opens_as_clause(text: str) -> bool:
    """Whether a text starts like an independent clause: its own subject, then its finite verb."""
    text = _BEFORE_AMOUNT.sub("contains ", without_name_verbs(text[:200]))
    words = words_of(text)
    while words and _is_adverb(words[0]):
        words = words[1:]
    if len(words) < 3:
        return False
    first = words[0]
    if _CONTRACTED.match(first):
        return True
    following = next((word for word in words[1:5] if not _is_adverb(word)), "")
    if first in _SINGULAR:
        return following in AUXILIARIES or following in _POSSIBLE_VERBS or following.endswith(("s", "ed"))
    if first in _PLURAL:
        return bool(following) and following not in _NOT_AFTER_SUBJECT
    if first == "there":
        return following in AUXILIARIES or following in ("exists", "exist", "remains", "remain")
    if first in _DEMONSTRATIVE and (following in AUXILIARIES or following in PLAIN_VERBS):
        return True
    named = text.lstrip()[:1].isupper()
    if first in _DETERMINERS or first in ("this", "these", "those") or named:
        # A comma before the verb means that a list continues ("Hindus, Muslims, and Sikhs after …, Vietnam").
        after = words_of(_COMMA.split(text, maxsplit=1)[0])[1 : _SUBJECT_REACH + 1]
        # The last word does not count: something follows a verb, but not a name ("Jonny May, …").
        for word in after[:-1]:
            if word in _RELATIVES or word in ("and", "or", "but"):
                return False
            if word in AUXILIARIES or word in PLAIN_VERBS:
                return True
    return False


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and len(word) > 4)
