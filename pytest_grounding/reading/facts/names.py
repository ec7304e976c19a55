"""Read names (runs of capitalised words, acronyms) and negations."""

from __future__ import annotations

from pytest_grounding.lexicon import ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading.facts.numerals import SMALL, Read, Tokens

_LINKS = listed("names", "links") | {"&"}
_SENTENCE_END = frozenset('.!?:;\n•*"“‘#|>')
NOT_NAMES = listed("names", "not_names")
_ROMAN_AFTER = listed("names", "roman_after")
_ROMAN = {numeral: number for number, numeral in enumerate(ordered("names", "roman"), start=1)}
NEGATIONS = listed("names", "negations")
_NOT_DENIED = listed("names", "not_denied")
_NONE_DENIED = listed("names", "none_denied")
#: Signs after a "no" that is an answer, or short for "number".
_ANSWERED = frozenset(".:,;!?–—")
_LONGEST_NAME = 12


def roman(tokens: Tokens, index: int) -> int | None:
    """The value of a Roman numeral, if the word before it makes it certain ("World War II")."""
    raw = tokens.raw[index]
    number = _ROMAN.get(tokens.low[index])
    if number is None or not raw.isupper():
        return None
    if tokens.word(index - 1) in _ROMAN_AFTER:
        return number
    return number if len(raw) > 1 and index > 0 and tokens.raw[index - 1][0].isupper() else None


def is_initial(tokens: Tokens, index: int) -> bool:
    """Whether a token starts a sentence, a line or a quotation, where every word has a capital."""
    return index == 0 or tokens.raw[index - 1] in _SENTENCE_END


def _is_capitalised(tokens: Tokens, index: int) -> bool:
    raw = tokens.raw[index]
    return raw[0].isupper() and raw[0].isalpha()


def _is_acronym(tokens: Tokens, index: int) -> bool:
    """Whether a function word in capitals is an acronym ("WHO", "IT"), in a text that is not all capitals."""
    raw = tokens.raw[index]
    if len(raw) < 2 or not raw.isupper():
        return False
    around = tokens.raw[max(0, index - 2) : index] + tokens.raw[index + 1 : index + 3]
    return not any(word.isupper() and len(word) > 3 for word in around)


def read_name(tokens: Tokens, index: int) -> int | None:
    """The token after the name that starts at a token, or None."""
    if not _is_capitalised(tokens, index):
        return None
    low = tokens.low[index]
    if low in NOT_NAMES and not _is_acronym(tokens, index):
        return None
    if len(low) == 1 and tokens.word(index + 1) != ".":
        return None
    after = index + 1
    while after < len(tokens) and after - index < _LONGEST_NAME:
        at = after
        if tokens.raw[at] == "." and len(tokens.raw[at - 1]) == 1 and tokens.glued(at - 1):
            at += 1
        while at < len(tokens) and tokens.low[at] in _LINKS and at - after < 3:
            if tokens.low[at] == "the" and tokens.low[at - 1] != "of":
                break
            at += 1
        if at >= len(tokens) or not _is_capitalised(tokens, at) or tokens.low[at] in NOT_NAMES:
            break
        if tokens.source.count("\n", tokens.ends[after - 1], tokens.starts[at]):
            break
        after = at + 1
    if tokens.raw[index:after][-1] == "." and len(tokens.raw[after - 2]) > 1:
        after -= 1
    return after


def name_key(tokens: Tokens, index: int, after: int) -> str:
    """A name, folded: lower case, no dots, no "the", no possessive, Roman numerals as digits."""
    words = []
    for at in range(index, after):
        low = tokens.low[at]
        if low in _LINKS or not low[0].isalnum():
            continue
        number = roman(tokens, at) if at > index else None
        if number is None and at > index and low in SMALL:
            number = SMALL[low]
        if number is not None:
            words.append(str(number))
            continue
        low = low.replace(".", "")
        words.append(low.removesuffix("'s").removesuffix("'"))
    return " ".join(words)


def read_negation(tokens: Tokens, index: int) -> Read[str] | None:
    """The word that a negation stands for, or None."""
    word = tokens.low[index]
    if word.endswith("n't"):
        return Read("not", index + 1)
    if word not in NEGATIONS:
        return None
    following = tokens.word(index + 1)
    if word in {"not", "cannot"} and following in _NOT_DENIED:
        return None
    if word == "no" and (following in _NONE_DENIED or following in _ANSWERED):
        return None
    if word == "no" and following == "-" and not tokens.glued(index):
        return None
    if word == "no" and following == "longer":
        return Read("no longer", index + 2)
    if word.startswith("fail"):
        return Read("not", index + 2) if following == "to" else None
    return Read("no longer" if word == "not" and following == "anymore" else "not", index + 1)
