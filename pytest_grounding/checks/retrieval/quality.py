"""Quality of each chunk as a source: a score and the reasons for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pytest_grounding.checks.retrieval.conflicts import SourceConflict
from pytest_grounding.checks.retrieval.truncation import CUT_AT, LOOKS_CUT, common_lengths, cut_reasons
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.scorers.lexical.index import index_of

#: What each fault takes off a score of 1.
_EMPTY = 1.0
_TRUNCATED = 0.2
_DUPLICATE = 0.4
_BOILERPLATE = 0.5
_NO_ORIGIN = 0.1
_CONFLICT = 0.3
_ORDERS = 0.5
#: Share of common words (Jaccard) from which two chunks say the same.
_NEAR_DUPLICATE = 0.8
_MANY_CHUNKS = 200
#: Metadata of which one says where a chunk is from.
_ORIGINS = ("title", "document", "section_title", "url", "slug", "path", "payload_id")
_DIGITS = 9

_BOILERPLATE_WORDS = pattern("answers", "boilerplate")


@dataclass(frozen=True, slots=True)
class SourceQuality:
    """Quality of one chunk: a score in [0, 1] and what was found."""

    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Fault:
    """A fault of a chunk: what it takes off the score, and what it is, in words."""

    cost: float
    reason: str


def source_quality(
    chunks: Sequence[Chunk], conflicts: Sequence[SourceConflict] = (), ordering: Collection[str] = ()
) -> tuple[SourceQuality, ...]:
    """The quality of each chunk."""
    twins = _near_duplicates(chunks)
    disputed: dict[int, list[str]] = {}
    for item in conflicts:
        for own, other in ((item.first, item.second), (item.second, item.first)):
            reason = f"conflicts with chunk {chunks[other].id!r}: {item.conflict.message}"
            disputed.setdefault(own, []).append(reason)
    limited = common_lengths([chunk.text for chunk in chunks])
    results = []
    for number, chunk in enumerate(chunks):
        faults = _faults(chunk)
        if number in limited:
            reason = f"{CUT_AT} {limited[number]} characters, as others are"
            faults = [item for item in faults if item.cost != _TRUNCATED] + [_Fault(_TRUNCATED, reason)]
        if chunk.id in ordering:
            faults.append(_Fault(_ORDERS, "holds an order to the model, or hidden text"))
        if number in twins:
            faults.append(_Fault(_DUPLICATE, f"near-duplicate of chunk {chunks[twins[number]].id!r}"))
        for position, reason in enumerate(disputed.get(number, ())):
            faults.append(_Fault(0.0 if position else _CONFLICT, reason))
        score = max(0.0, 1.0 - sum(fault.cost for fault in faults))
        results.append(SourceQuality(round(score, _DIGITS), tuple(fault.reason for fault in faults)))
    return tuple(results)


def _faults_in(reading: Reading) -> tuple[_Fault, ...]:
    """The faults that the text of a chunk has by itself."""
    text = reading.text.strip()
    if not text:
        return (_Fault(_EMPTY, "empty text"),)
    faults = []
    reasons = cut_reasons(text)
    if reasons:
        faults.append(_Fault(_TRUNCATED, f"{LOOKS_CUT}: {'; '.join(reasons)}"))
    if is_boilerplate(text):
        faults.append(_Fault(_BOILERPLATE, "mostly boilerplate"))
    return tuple(faults)


def _faults(chunk: Chunk) -> list[_Fault]:
    faults = list(reading_of(chunk.text).part(_faults_in))
    is_empty = bool(faults) and faults[0].cost == _EMPTY
    if not is_empty and not any(getattr(chunk.metadata, name) for name in _ORIGINS):
        faults.append(_Fault(_NO_ORIGIN, "no title or url"))
    return faults


def is_boilerplate(text: str) -> bool:
    """Whether navigation, legal or cookie phrases make up most of a short text, or crowd a long one."""
    head = text[:20_000]
    found = sum(1 for _ in _BOILERPLATE_WORDS.finditer(head))
    if not found:
        return False
    words = len(head.split())
    return found * 12 >= words or (found >= 3 and found * 30 >= words)


def _near_duplicates(chunks: Sequence[Chunk]) -> dict[int, int]:
    """For each chunk that repeats an earlier one the position of that one."""
    twins: dict[int, int] = {}
    words = [index_of(chunk.text, "en").positions.keys() for chunk in chunks[:_MANY_CHUNKS]]
    for number, stems in enumerate(words):
        for other, others in enumerate(words[:number] if stems else ()):
            less, more = sorted((len(stems), len(others)))
            if less < _NEAR_DUPLICATE * more:
                continue
            common = len(stems & others)
            if common >= _NEAR_DUPLICATE * (less + more - common):
                twins[number] = other
                break
    return twins
