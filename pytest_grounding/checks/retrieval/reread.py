"""Answer presence in the terms of the sources: the question read with the user's glossary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.checks.retrieval.presence import Found, find_presence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance
from pytest_grounding.scorers.glossary import Glossary, Reading, glossary_of
from pytest_grounding.scorers.glossary.readings import replaced
from pytest_grounding.scorers.glossary.scorer import NOWHERE
from pytest_grounding.settings import Settings
from pytest_grounding.text.questions import ContextualQuestion, analyse_after

_RANK = {"full": 0, "partial": 1, "none": 2, "abstain": 2}


class Reread:
    """One question against its chunks, as it stands and in the terms of the glossary.

    Args:
        question: the question.
        asked: the question as it is to be read, after the turn that it leans on.
        chunks: the chunks.
        relevance: their relevance, in the same order.
        settings: the settings; they have a glossary.
        language: BCP 47 tag of the question.
    """

    def __init__(
        self,
        question: str,
        asked: ContextualQuestion,
        chunks: Sequence[Chunk],
        relevance: Sequence[ChunkRelevance],
        settings: Settings,
        language: str,
    ) -> None:
        self._asked = asked
        self._first = len(asked.text) - len(question)
        self._chunks = chunks
        self._relevance = relevance
        self._settings = settings
        self._language = language

    def presence(self, found: Found) -> Found:
        """Whether the chunks state the answer to the question in any of its readings.

        Args:
            found: what was found for the question as it stands.
        """
        glossary = glossary_of(self._settings)
        if glossary is None:
            return found
        there = glossary.terms_in((chunk.text for chunk in self._chunks), self._language)
        best = self._without_rivals(glossary, there, found)
        for reading in glossary.readings(self._asked.text, there, self._language):
            if reading.swaps and _RANK[best.presence] > 0:
                other = self._find(reading)
                if _RANK[other.presence] < _RANK[best.presence]:
                    told = ", ".join(f'"{old}" as "{new}"' for old, new in reading.pairs)
                    best = replace(other, reason=f"{other.reason}; the glossary reads {told}")
        return best

    def _without_rivals(self, glossary: Glossary, there: frozenset[int], found: Found) -> Found:
        """What was found, or what remains where its evidence has a term that the question's never means."""
        texts = [piece.text for piece in found.evidence]
        near = glossary.terms_in(texts, self._language) if glossary.never and texts else frozenset()
        places = glossary.find(self._asked.text, self._language) if near else ()
        lost = {
            place.term
            for place in places
            if place.term not in there and not near.isdisjoint(glossary.never.get(place.term, ()))
        }
        if not lost:
            return found
        bare = self._find(replaced(self._asked.text, places, dict.fromkeys(lost, NOWHERE)))
        if _RANK[bare.presence] <= _RANK[found.presence]:
            return found
        told = {
            glossary.never[term][rival]
            for term in lost
            for rival in near & glossary.never.get(term, {}).keys()
        }
        return Found(bare.presence, f"{bare.reason} (glossary: {', '.join(sorted(told))})")

    def _find(self, reading: Reading) -> Found:
        question = reading.text[reading.forth(self._first) :]
        info = analyse_after(replace(self._asked, text=reading.text), question, self._language)
        return find_presence(info, self._chunks, self._relevance, self._settings)
