"""What is known of the language of questions: is a text English, and which words say the same."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, words
from pytest_grounding.reading import Reading, reading_of

#: Characters from the start of a text that are looked at.
_SAMPLE = 400
# Letters alone, unlike the words of `reading.grammar`: digits and "_" part words of code and tables.
_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: For ASCII: what is no part of a word becomes a blank.
_BLANKED = "".join(char.lower() if char.isalpha() or char == "'" else " " for char in map(chr, range(128)))
_ENGLISH = words("questions", "english_words")
_FOREIGN = words("questions", "foreign_words")
_IN_NAMES = words("questions", "foreign_in_names")
_ELISIONS = words("questions", "foreign_elisions")


def looks_english(text: str) -> bool:
    """Whether a text reads as English, judged by script and function words."""
    return reading_of(text).part(_looks_english)


def language_by_look(text: str) -> str:
    """The language of a text of which nobody said it: "en", or "und" (BCP 47) where it looks like another."""
    return "en" if looks_english(text) else "und"


def _looks_english(reading: Reading) -> bool:
    head = reading.text[:_SAMPLE]
    letters = latin = accented = 0
    if head.isascii():
        letters = latin = sum(map(str.isalpha, head))
    for char in () if head.isascii() else head:
        if char.isalpha():
            letters += 1
            if char < "\u0250":
                latin += 1
                accented += char > "\u00bf"
    if not letters:
        return True
    if latin < 0.6 * letters or "¿" in head or "¡" in head:
        return False
    words = _words(head)
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


def _words(text: str) -> list[str]:
    """The words of a text in lower case, with straight apostrophes."""
    if text.isascii():
        words = text.translate(_BLANKED).split()
        if "'" not in text:
            return words
        return [found for word in words for found in (_WORD.findall(word) if "'" in word else (word,))]
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    # Stems, as stemming the words anew takes a twentieth of a first validation: `training.asked_synonyms`.
    for line in lines("asked_synonyms", "groups"):
        stems = line.split()
        for stem in stems:
            table.setdefault(stem, set()).update(stems)
    return {stem: frozenset(group - {stem}) for stem, group in table.items()}


def synonyms_of(stem: str) -> frozenset[str]:
    """Stems of words that say the same as a stem, without itself."""
    return _table().get(stem, frozenset())


_LONGEST_ENDING = 3
#: Letters that two words of one family share at least.
SHORTEST_ROOT = 5


def same_family(a: str, b: str) -> bool:
    """Whether two stems are inflections that the stemmer left apart: "deliver" and "deliveri"."""
    if len(a) > len(b):
        a, b = b, a
    return len(a) >= SHORTEST_ROOT and len(b) - len(a) <= _LONGEST_ENDING and b.startswith(a)
