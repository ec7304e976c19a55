"""How relevant a chunk is to a question, from the words that they share."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import base_language
from pytest_grounding.scorers.base import RelevanceScore
from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.context import context_of
from pytest_grounding.scorers.lexical.features import best_window
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.scorers.lexical.wordlists import STOP_WORDS
from pytest_grounding.text.questions import looks_english

#: The best three sentences say more about a chunk than words that are strewn over it.
_WINDOW_SHARE = 0.7
_TITLE_SHARE = 0.8
#: A chunk that answers a question rarely repeats all of its words; this lifts most of them over 0.6.
_STRETCH = 0.8
_SAMPLE = 400
#: Words of another language cannot be missed: below this, a chunk in one that the question is not in has no
#: score. Names and numbers alone may lift it above.
_FOREIGN_LEAST = 0.3


def relevance_of(question: str, chunk: Chunk, language: str) -> RelevanceScore:
    """Weighted share of the question's content words that a chunk holds."""
    return _relevance(question, chunk.text, titles_of(chunk), language)


# Kept, because the answers to one question share its chunks.
@lru_cache(maxsize=1024)
def _relevance(question: str, text: str, titles: str, language: str) -> RelevanceScore:
    tokens = [token for token in tokenize(question, language) if not token.is_stop]
    if not tokens:
        return RelevanceScore(None, "the question has no content words")
    context = context_of((text,), language)
    alignment = Alignment(question, tokens, context, frozenset(), language)
    window = best_window(alignment).sentences
    title = {token.stem for token in tokenize(titles, language)}
    near = far = 0.0
    for stem, weight in alignment.weights.items():
        floor = _TITLE_SHARE if stem in title else 0.0
        quality = max(floor, alignment.quality.get(stem, 0.0))
        far += weight * quality
        is_inside = stem in alignment.places and not alignment.places[stem].isdisjoint(window)
        near += weight * (quality if is_inside else floor)
    value = (_WINDOW_SHARE * near + (1 - _WINDOW_SHARE) * far) / alignment.total
    score = round(min(1.0, value**_STRETCH), 6)
    if score < _FOREIGN_LEAST and _languages_differ(question, text):
        return RelevanceScore(None, "the question and the chunk are in different languages")
    if score < _FOREIGN_LEAST and base_language(language) not in STOP_WORDS:
        return RelevanceScore(None, f"few words are shared, which says little in {language!r}")
    return RelevanceScore(score, _reason(alignment, title))


def _languages_differ(question: str, text: str) -> bool:
    """Whether one of two texts is plainly English, and the other plainly not."""
    first, second = looks_english(question), looks_english(text)
    return first != second and _has_english_words(question if first else text)


def _has_english_words(text: str) -> bool:
    """Whether every eighth word or more is one that says little in English: names are no sign."""
    tokens = tokenize(text[:_SAMPLE], "en")
    return sum(token.is_stop for token in tokens) * 8 >= max(1, len(tokens))


def titles_of(chunk: Chunk) -> str:
    """The titles of a chunk's document and section: they say what every sentence of it is about."""
    metadata = chunk.metadata
    return " ".join(part for part in (metadata.title, metadata.section_title) if part)


def _reason(alignment: Alignment, title: set[str]) -> str:
    lost = [t.text for t in alignment.content if t.stem not in alignment.quality and t.stem not in title]
    held = len(alignment.weights) - len({t.stem for t in alignment.content if t.text in lost})
    text = f"holds {held} of {len(alignment.weights)} content words of the question"
    return f"{text}; not: {', '.join(dict.fromkeys(lost))}" if lost else text
