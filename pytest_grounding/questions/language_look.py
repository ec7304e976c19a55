"""The language of a text, judged by its script and function words."""

from __future__ import annotations

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.reading import read_once

_SAMPLE = 400  # characters at the start of a text that are read
# Letters only, unlike the words of `reading.grammar`: digits and "_" separate words of code and tables.
_PLAIN_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: For ASCII: everything outside of words becomes a blank.
_BLANKED = "".join(char.lower() if char.isalpha() or char == "'" else " " for char in map(chr, range(128)))
_ENGLISH = words("questions", "english_words")
_FOREIGN = words("questions", "foreign_words")
_IN_NAMES = words("questions", "foreign_in_names")
_ELISIONS = words("questions", "foreign_elisions")


def language_by_look(text: str) -> str:
    """The language of a text without a language tag: "en", or "und" (BCP 47) if it looks like another."""
    return "en" if looks_english(text) else "und"


@read_once
def looks_english(text: str) -> bool:
    """Whether a text is English, judged by script and function words."""
    head = text[:_SAMPLE]
    letters = latin = accented = 0
    if head.isascii():
        letters = latin = sum(map(str.isalpha, head))
    for char in () if head.isascii() else head:
        if char.isalpha():
            letters += 1
            if char < "\u0250":
                latin += 1
                if char > "\u00bf":
                    accented += 1
    if not letters:
        return True
    if latin < 0.6 * letters or "¿" in head or "¡" in head:
        return False
    words = _plain_words_of(head)
    others = [word for word in words if word not in _ENGLISH]
    english = len(words) - len(others)
    foreign = weak = 0
    for word in others:
        if word in _FOREIGN or ("'" in word and word.split("'")[0] in _ELISIONS):
            if word in _IN_NAMES:
                weak += 1
            else:
                foreign += 1
    if english:
        return english >= foreign + 0.5 * weak
    is_foreign = foreign > 0 or weak > 1 or (weak == 1 and accented > 0)
    return not is_foreign and accented * 12 <= max(letters, 12)


def _plain_words_of(text: str) -> list[str]:
    if text.isascii():
        words = text.translate(_BLANKED).split()
        if "'" not in text:
            return words
        found: list[str] = []
        for word in words:
            found += _PLAIN_WORD.findall(word) if "'" in word else (word,)
        return found
    return [word.lower().replace("’", "'") for word in _PLAIN_WORD.findall(text)]
