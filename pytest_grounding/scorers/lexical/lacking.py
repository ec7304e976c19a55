"""Claims that one source lacks something: "Passage 3 does not provide the fee" is checked against passage 3.

Such a claim is true unless that source clearly says it; what the other sources say has nothing to do with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.lexicon import words
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.base import SupportScore
from pytest_grounding.scorers.lexical.background import weight_of
from pytest_grounding.scorers.lexical.context import Context
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.scorers.lexical.wordlists import FRAMING, NEGATIONS
from pytest_grounding.text.beside import Lack, lack_of

#: Share of what is said to be missing, by weight, that one sentence must hold to say it clearly.
_CLEARLY = 0.95
#: A claim that holds, and how much of that goes with what the source half says.
_HOLDS = 0.97
_HALF_SAID = 0.25
_FALSE = 0.02
#: Words of these claims that are not what is missing.
_OWN = FRAMING | words("matching", "about_lacks")


def support_of_lack(claim: str, context: Context, chunk_ids: Sequence[str]) -> SupportScore | None:
    """Support of a claim that a numbered source lacks something; None for every other claim.

    Args:
        claim: the claim, English.
        context: the chunks; the first one is number 1.
        chunk_ids: their ids, in the same order.
    """
    lack = lack_of(claim)
    if lack is None:
        return None
    if not 1 <= lack.number <= len(context.indexes):
        return SupportScore(_FALSE, reason=f"there is no source number {lack.number}")
    topic = [
        token
        for token in tokenize(claim)
        if token.start >= lack.start and not token.is_stop and token.norm not in _OWN
    ]
    index = context.indexes[lack.number - 1]
    nearest = _nearest(index, topic)
    share, sentence = nearest.share, nearest.sentence
    source = f"source {lack.number}"
    if share < _CLEARLY or not _says(index, sentence, topic, lack):
        evidence = (index.evidence(chunk_ids[lack.number - 1], sentence, round(share, 6)),) if share else ()
        return SupportScore(_HOLDS - _HALF_SAID * share, evidence, reason=f"{source} does not say it")
    found = index.evidence(chunk_ids[lack.number - 1], sentence, round(share, 6))
    text = claim[lack.start :].strip().rstrip(".!")
    conflict = Conflict(
        kind="absence",
        severity="error",
        claim_text=text,
        evidence_text=found.text,
        evidence=found,
        claim_start=claim.index(text),
        message=f'absence: the claim says that {source} lacks "{text}", it says "{found.text}"',
    )
    return SupportScore(_FALSE, (found,), (conflict,), reason=conflict.message)


@dataclass(frozen=True, slots=True)
class _Nearest:
    """The share of a topic that a sentence holds, and the number of the sentence."""

    share: float
    sentence: int


def _nearest(index: ChunkIndex, topic: Sequence[Token]) -> _Nearest:
    """The first of the sentences that hold most of a topic."""
    weights = {token.stem: weight_of(token.norm, token.stem, token.is_number, "en") for token in topic}
    held: dict[int, set[str]] = {}
    for stem in weights:
        for place in index.positions.get(stem, ()):
            held.setdefault(index.sentence_of[place], set()).add(stem)
    for sentence, stems in index.carried.items():
        if sentence in held:
            held[sentence].update(stem for stem in stems if stem in weights)
    total = sum(weights.values()) or 1.0
    shares = {at: sum(weights[stem] for stem in sorted(stems)) / total for at, stems in held.items()}
    best = max(sorted(shares), key=shares.__getitem__, default=0)
    return _Nearest(shares.get(best, 0.0), best)


def _says(index: ChunkIndex, sentence: int, topic: Sequence[Token], lack: Lack) -> bool:
    """Whether a sentence that holds the topic says it: a mention, a figure, or two words of it are enough."""
    words = [token for token, at in zip(index.tokens, index.sentence_of, strict=True) if at == sentence]
    if not NEGATIONS.isdisjoint([token.norm for token in words]):
        return False
    stems = {token.stem for token in topic}
    return (
        lack.mentions or len(stems) > 1 or any(token.is_number and token.stem not in stems for token in words)
    )
