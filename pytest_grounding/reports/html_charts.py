"""Small charts of the HTML report as numbers: the template draws them as SVG."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from pytest_grounding.baseline.tally import BINS, bin_of
from pytest_grounding.model.run import Threshold
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.html_view import chunk_label
from pytest_grounding.reports.neutral import one_line

_SOURCES = 7


class Bar(NamedTuple):
    """One bar of a histogram: its range, how many, its height in [0, 1] and its tone."""

    low: float
    high: float
    size: int
    height: float
    tone: str


class Histogram(NamedTuple):
    """A chart of values in [0, 1]."""

    title: str
    text: str
    bars: list[Bar]
    total: int
    marks: list[float]


class Source(NamedTuple):
    """A source and how often the answers cite it."""

    label: str
    citations: int
    invalid: int
    answers: int
    share: float


def histogram(
    title: str, noun: str, values: Iterable[float | None], limits: tuple[float, float]
) -> Histogram:
    """Counts in `BINS` equal bins; a bar's tone says on which side of the two limits it lies."""
    counts = Counter(bin_of(value) for value in values if value is not None and math.isfinite(value))
    known = counts.total()
    highest = max(counts.values(), default=0)
    bars = []
    for index in range(BINS):
        low = index / BINS
        tone = "bad" if low + 1e-9 < limits[0] else "good" if low + 1e-9 >= limits[1] else "warn"
        height = counts[index] / highest if highest else 0.0
        bars.append(Bar(low, (index + 1) / BINS, counts[index], height, tone))
    groups = {name: sum(bar.size for bar in bars if bar.tone == name) for name in ("bad", "warn", "good")}
    between = f", {groups['warn']} between" if limits[0] != limits[1] else ""
    text = (
        f"{known} {noun}: {groups['bad']} below {limits[0]:g}{between}, "
        f"{groups['good']} from {limits[1]:g} on"
    )
    return Histogram(title, text, bars, known, sorted(set(limits)))


def sources_of(verdicts: Iterable[Verdict], context: Context) -> dict[str, Source]:
    """How often each source is cited, the most cited first; what points to nothing is no source."""
    citations: Counter[str] = Counter()
    invalid: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for verdict in verdicts:
        labels = labels_of(verdict.transcript_hash, context)
        cited = set()
        for citation in verdict.citations:
            for identifier in citation.chunk_ids or ((citation.chunk_id,) if citation.chunk_id else ()):
                label = labels.get(identifier) or one_line(identifier)
                citations[label] += 1
                invalid[label] += not citation.valid
                cited.add(label)
        answers.update(cited)
    highest = max(citations.values(), default=1)
    ordered = sorted(citations, key=lambda label: (-citations[label], label))
    return {
        label: Source(label, citations[label], invalid[label], answers[label], citations[label] / highest)
        for label in ordered
    }


def most_cited(sources: dict[str, Source]) -> list[Source]:
    """The sources at the top."""
    return list(sources.values())[:_SOURCES]


def labels_of(transcript_hash: str, context: Context) -> dict[str, str]:
    """Chunk id -> what its source is called, for one transcript."""
    transcript = context.transcripts.get(transcript_hash)
    if transcript is None:
        return {}
    return {chunk.id: one_line(chunk_label(chunk, context.settings), 80) for chunk in transcript.chunks}


def interval(item: Threshold) -> dict[str, Any]:
    """A figure, its interval and its limit as places on a line of 100 units."""
    places = {"value": item.value, "low": item.low, "high": item.high, "limit": item.limit}
    return {
        name: None if value is None or not math.isfinite(value) else round(min(max(value, 0.0), 1.0) * 100, 2)
        for name, value in places.items()
    }
