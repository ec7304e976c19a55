"""The subject that only the question names, for a statement without one: "Created in 2011"."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.evidence.identifier_matches import is_placing
from pytest_grounding.evidence.names import names_in
from pytest_grounding.evidence.token_index import capitalised_words, is_known
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.grammar import has_finite_verb, words_of
from pytest_grounding.reading.words import Token, tokenize
from pytest_grounding.scorers.builtin.align import Alignment

_NOTHING: frozenset[str] = frozenset()


def left_out_subject(alignment: Alignment, chunks: Sequence[Chunk], question: str) -> frozenset[str]:
    """Stems of the one name in the question if the nearest statement lacks just this subject, else none."""
    if not alignment.missing or not alignment.ranked or not question:
        return _NOTHING
    names = [name for name in names_in(question) if not name.opens]
    if len(names) != 1:
        return _NOTHING
    topic = frozenset(token.stem for token in names[0].words)
    if not topic.issuperset(token.stem for token in alignment.missing):
        return _NOTHING
    sentence = alignment.ranked[0][1]
    context = alignment.context
    number = context.chunk_of[sentence]
    is_first = sentence == context.offset[number]
    if not is_first or _names_another(chunks[number], topic):
        return _NOTHING
    statement = context.text_of(sentence)
    return topic if _is_predicate(statement, alignment.tokens, topic) else _NOTHING


def _is_predicate(statement: str, claim: Sequence[Token], topic: frozenset[str]) -> bool:
    """Whether a statement is what the claim says of the topic: it begins with the claim's own verb."""
    places = [number for number, token in enumerate(claim) if token.stem in topic]
    said = [token for token in claim[places[-1] + 1 :] if not token.is_stop] if places else []
    opening = tokenize(statement, "en")[:1]
    if not said or not opening or opening[0].stem != said[0].stem:
        return False
    return not has_finite_verb(words_of(statement)[1:])


def _names_another(chunk: Chunk, topic: frozenset[str]) -> bool:
    """Whether a title of the chunk has a name, or a word that may be one, beside the topic's."""
    metadata = chunk.metadata
    titles = " ".join(filter(None, (metadata.title, metadata.document, metadata.section_title)))
    words = [token for token in tokenize(titles, "en") if token.stem not in topic and not token.is_number]
    return any(word.norm in capitalised_words() or not is_known(word.stem) for word in words)


def placed_subject(text: str, language: str) -> str:
    """What a question or sentence asks or says the place of: "the delegation engine"."""
    words = [token for token in tokenize(text, language) if not token.is_stop]
    return " ".join(token.text for token in words if not is_placing(token.norm))
