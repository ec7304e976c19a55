"""Words that an answer may use for those of its question: near synonyms, and words of one family."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.lexicon import lines

_LONGEST_ENDING = 3
SHORTEST_ROOT = 5  # common letters of two words of one family, at least


@lru_cache(maxsize=1)
def _table_of_synonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    # As stems: stemming here would take a twentieth of a first validation (`training.asked_synonyms`).
    for line in lines("asked_synonyms", "groups"):
        stems = line.split()
        for stem in stems:
            table.setdefault(stem, set()).update(stems)
    return {stem: frozenset(group - {stem}) for stem, group in table.items()}


def asked_synonyms(stem: str) -> frozenset[str]:
    """Stems of synonyms of a stem, without itself."""
    return _table_of_synonyms().get(stem, frozenset())


def same_family(a: str, b: str) -> bool:
    """Whether two stems are inflections that the stemmer did not unify: "deliver" and "deliveri"."""
    if len(a) > len(b):
        a, b = b, a
    return len(a) >= SHORTEST_ROOT and len(b) - len(a) <= _LONGEST_ENDING and b.startswith(a)
