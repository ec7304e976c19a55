"""Quality of each chunk as a source: a score and the reasons for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pytest_grounding._frozen import frozen
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
_DIGITS = 9

_BOILERPLATE_WORDS = pattern("answers", "boilerplate")


@frozen
class SourceQuality:
    """Quality of one chunk: a score in [0, 1] and what was found."""

    score: float
    reasons: tuple[str, ...]


def source_quality(
    chunks: Sequence[Chunk],
    conflicts: Sequence[tuple[int, int, str]] = (),
    ordering: Collection[str] = (),
) -> tuple[SourceQuality, ...]:
    """The quality of each chunk.

    Args:
        chunks: the chunks.
        conflicts: pairs of positions whose chunks contradict each other, with the difference in words.
        ordering: ids of the chunks that hold orders to the model, or text that no reader sees.

    Returns:
        One value a chunk: 1 less what each fault takes off, at least 0.
    """
    twins = _near_duplicates(chunks)
    disputed: dict[int, list[str]] = {}
    for first, second, difference in conflicts:
        disputed.setdefault(first, []).append(_conflict_reason(chunks[second].id, difference))
        disputed.setdefault(second, []).append(_conflict_reason(chunks[first].id, difference))
    limited = common_lengths([chunk.text for chunk in chunks])
    results = []
    for number, chunk in enumerate(chunks):
        faults = _faults(chunk)
        if number in limited:
            reason = f"{CUT_AT} {limited[number]} characters, as others are"
            faults = [item for item in faults if item[0] != _TRUNCATED] + [(_TRUNCATED, reason)]
        if chunk.id in ordering:
            faults.append((_ORDERS, "holds an order to the model, or hidden text"))
        if number in twins:
            faults.append((_DUPLICATE, f"near-duplicate of chunk {chunks[twins[number]].id!r}"))
        for position, reason in enumerate(disputed.get(number, ())):
            faults.append((0.0 if position else _CONFLICT, reason))
        score = max(0.0, 1.0 - sum(cost for cost, _ in faults))
        results.append(SourceQuality(round(score, _DIGITS), tuple(reason for _, reason in faults)))
    return tuple(results)


def _conflict_reason(other: str, difference: str) -> str:
    return f"conflicts with chunk {other!r}" + (f": {difference}" if difference else "")


def _faults_of_text(text: str) -> tuple[tuple[float, str], ...]:
    return reading_of(text).part(_faults_in)


def _faults_in(reading: Reading) -> tuple[tuple[float, str], ...]:
    text = reading.text.strip()
    if not text:
        return ((_EMPTY, "empty text"),)
    faults = []
    reasons = cut_reasons(text)
    if reasons:
        faults.append((_TRUNCATED, f"{LOOKS_CUT}: {'; '.join(reasons)}"))
    if is_boilerplate(text):
        faults.append((_BOILERPLATE, "mostly boilerplate"))
    return tuple(faults)


def _faults(chunk: Chunk) -> list[tuple[float, str]]:
    faults = list(_faults_of_text(chunk.text))
    if faults and faults[0][0] == _EMPTY:
        return faults
    known = chunk.metadata
    origin = (
        known.title,
        known.document,
        known.section_title,
        known.url,
        known.slug,
        known.path,
        known.payload_id,
    )
    if not any(origin):
        faults.append((_NO_ORIGIN, "no title or url"))
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
    words: list[tuple[int, int, frozenset[str] | set[str]]] = []
    for number, chunk in enumerate(chunks[:_MANY_CHUNKS]):
        stems = index_of(chunk.text, "en").positions.keys()
        size = len(stems)
        if not size:
            continue
        for other, other_size, other_stems in words:
            if min(size, other_size) < _NEAR_DUPLICATE * max(size, other_size):
                continue
            common = len(stems & other_stems)
            if common >= _NEAR_DUPLICATE * (size + other_size - common):
                twins[number] = other
                break
        words.append((number, size, stems))  # type: ignore[arg-type]
    return twins
