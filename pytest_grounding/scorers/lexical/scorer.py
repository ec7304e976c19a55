"""The built-in scorer: no network, no download, the same answer on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Evidence
from pytest_grounding.scorers.base import ClaimText, RelevanceScore, SupportScore
from pytest_grounding.scorers.lexical.conflicts import find_conflicts
from pytest_grounding.scorers.lexical.index import ChunkIndex, fold_words, index_of
from pytest_grounding.scorers.lexical.tokens import Token, base_language, script_language, tokenize


def _weight(token: Token) -> float:
    return 2.0 if token.is_number or token.is_name else 1.0


class LexicalScorer:
    """Scores claims by how well the words of the chunks cover them."""

    @property
    def name(self) -> str:
        """Name under which settings choose it."""
        return "builtin"

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Weighted share of the question's content words that the best three sentences of a chunk hold."""
        words = {t.stem: _weight(t) for t in tokenize(question, language) if not t.is_stop}
        if not words:
            return [RelevanceScore(None, "the question has no content words")] * len(chunks)
        scores = []
        for chunk in chunks:
            index = index_of(chunk.text, language)
            best = max((s for s, _ in _by_sentence(words, index)), default=0.0)
            found = sum(w for stem, w in words.items() if stem in index.positions)
            total = sum(words.values())
            value = (0.6 * best + 0.4 * found) / total
            scores.append(
                RelevanceScore(round(value, 6), f"{found / total:.0%} of the question's content words")
            )
        return scores

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim by all chunks together."""
        sample = " ".join(claim.text for claim in claims)[:2000]
        language = base_language(script_language(sample) or language)
        indexes = [index_of(chunk.text, language) for chunk in chunks]
        return [self._support(claim, chunks, indexes, language) for claim in claims]

    def _support(
        self, claim: ClaimText, chunks: Sequence[Chunk], indexes: list[ChunkIndex], language: str
    ) -> SupportScore:
        tokens = tokenize(claim.text, language)
        if not tokens:
            return SupportScore(None, reason="the claim has no words to look for")
        content = [t for t in tokens if not t.is_stop] or tokens
        words = {t.stem: _weight(t) for t in content}
        missing = [t for t in content if not any(t.stem in i.positions for i in indexes)]
        total = sum(words.values())
        covered = 1.0 - sum(words[stem] for stem in {t.stem for t in missing}) / total
        evidence = _evidence(words, chunks, indexes, total)
        best = evidence[0].score if evidence and evidence[0].score is not None else 0.0
        calibrated = language == "en"
        reason = "" if calibrated else f"the engine is not calibrated for language {language!r}"
        folded = fold_words(claim.text)
        if len(folded) > 12 and any(folded in index.folded for index in indexes):
            return SupportScore(
                0.99,
                evidence,
                method="exact_match",
                reason=reason or "stands verbatim in a source",
                calibrated=calibrated,
            )
        number_penalty = 2.0 * sum(t.is_number for t in missing)
        probability = 1 / (1 + math.exp(-(8 * (0.5 * covered + 0.5 * best) - 4 - number_penalty)))
        if not reason:
            reason = (
                "no source says: " + ", ".join(t.text for t in missing)
                if missing
                else "covered by the sources"
            )
        return SupportScore(
            round(probability, 6),
            evidence,
            find_conflicts(claim.text, tokens, indexes, [chunk.id for chunk in chunks], language),
            reason=reason,
            calibrated=calibrated,
            missing=tuple(t.text for t in missing),
        )


def _by_sentence(words: dict[str, float], index: ChunkIndex) -> list[tuple[float, int]]:
    """Weight of the words that each sentence of a text holds, for the sentences that hold any."""
    found: dict[int, float] = {}
    for stem, weight in words.items():
        for sentence in {index.sentence_of[p] for p in index.positions.get(stem, ())}:
            found[sentence] = found.get(sentence, 0.0) + weight
    return [(weight, sentence) for sentence, weight in found.items()]


def _evidence(
    words: dict[str, float], chunks: Sequence[Chunk], indexes: list[ChunkIndex], total: float, limit: int = 3
) -> tuple[Evidence, ...]:
    ranked = [
        (-weight, number, sentence)
        for number, index in enumerate(indexes)
        for weight, sentence in _by_sentence(words, index)
    ]
    ranked.sort()
    return tuple(
        indexes[number].evidence(chunks[number].id, sentence, round(-weight / total, 6))
        for weight, number, sentence in ranked[:limit]
    )
