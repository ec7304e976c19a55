"""Which language a text is in, as far as the engine needs to know."""

from __future__ import annotations

from pytest_grounding.reading import base_language
from pytest_grounding.scorers.lexical.tokens import script_language
from pytest_grounding.scorers.lexical.wordlists import STOP_WORDS

_SAMPLE = 1200
_EDGES = ".,;:!?()[]\"'“”‘’«»"
_FEWEST_WORDS = 6
_MARGIN = 2.0
#: "en" is also what is said where nobody thought of it; "und" is BCP 47 for undetermined.
_UNSURE = ("en", "und")


def language_in_force(sample: str, language: str) -> str:
    """First part of the BCP 47 tag to work with."""
    said = base_language(language)
    script = script_language(sample)
    if script:
        # Han and Cyrillic serve many languages: an argument knows better than the script which one.
        return script if said in _UNSURE else said
    if said not in _UNSURE:
        return said
    # Splitting at blanks is rough but enough, and an answer asks for it once more than for its words.
    words = sample[:_SAMPLE].lower().split()
    if len(words) < _FEWEST_WORDS:
        return said
    # Words without punctuation at their edges mostly settle it.
    if said == "en" and sum(map(STOP_WORDS["en"].__contains__, words)) >= len(words) / 5:
        return said
    words = [word.strip(_EDGES) for word in words]
    english = sum(word in STOP_WORDS["en"] for word in words)
    if said == "en" and english >= len(words) / 5:
        return said
    counts = {tongue: sum(word in stops for word in words) for tongue, stops in STOP_WORDS.items()}
    best = max(sorted(counts), key=lambda tongue: counts[tongue])
    if counts[best] >= _MARGIN * max(1, english) and counts[best] >= len(words) / 5:
        return best
    return said
