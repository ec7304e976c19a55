"""The lead to a refusal, and refusals whose subject is a pronoun for the sources."""

from __future__ import annotations

from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.text.beside import is_bare
from pytest_grounding.text.grammar import has_finite_verb, words_of

_LONGEST = 200
# Verbs of which a text alone can be the subject: "it does not cover hail" may speak of an insurance.
_PRONOUN = pattern("lack_signs", "pronoun")
_NAMED = pattern("lack_signs", "named")
_LEAD = pattern("lack_signs", "lead")


def names_sources(text: str) -> bool:
    """Whether a text names the sources: as such, by their kind ("the handbook"), or a part of them."""
    return _NAMED.search(text) is not None


def with_sources_for_pronoun(sentence: str) -> str:
    """A sentence that tells what "it" or "they" leave unsaid, with "the sources" for the pronoun; else ""."""
    found = _PRONOUN.match(sentence)
    return f"{found['join']}the sources{sentence[found.end() :]}" if found is not None else ""


def is_lead(piece: str) -> bool:
    """Whether a piece only names the topics that are at hand."""
    if len(piece) > _LONGEST or not is_bare(piece):
        return False
    found = _LEAD.match(piece)
    return found is not None and not has_finite_verb(words_of(found["rest"]))
