"""Words that say the same in questions and sources: the shipped synonyms of answer presence."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.lexicon import lines


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
