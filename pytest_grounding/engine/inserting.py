"""Puts the citations that validation suggests into an answer, and keeps only those that then hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pytest_grounding.citations.insert import Insertion, place_of, shifted, style_of, with_markers
from pytest_grounding.engine.answers import checked
from pytest_grounding.engine.loading import Given, GivenSettings, as_transcript
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.settings import Settings

#: Sources that one claim is given at most.
_MOST_SOURCES = 3
#: How often what does not hold is changed or left out, before nothing is put in.
_MOST_TRIES = 5
#: How often the new answer is gone over again: one marker can make room for another.
_MOST_ROUNDS = 3


def insert_citations(transcript: Given, settings: GivenSettings = None) -> str:
    """The answer with a marker ``[n]`` behind each supported claim that cites nothing.

    A marker names the chunk that supports its claim, or several where only these do together (``[1][3]``).
    It stands before the full stop, or behind it where the answer's own markers do; never in code, and inside
    the last cell of a table's row. Only markers stay with which the answer validates without a new error or
    warning. No character of the answer is taken away, and doing it twice changes nothing.

    Args:
        transcript: a Transcript or a mapping.
        settings: thresholds; ``index_base`` is the number of the first chunk.

    Returns:
        The new answer; the answer itself where nothing is to be put in. The offsets of a provider's
        ``citations`` still count in the old one.

    Raises:
        UncheckedError: nothing of it could be checked.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    verdict = checked(recorded, in_force)
    for _ in range(_MOST_ROUNDS):
        found = _inserted(recorded, verdict, in_force)
        if found is None:
            break
        recorded, verdict = found
    return recorded.answer


@dataclass(frozen=True, slots=True)
class _Wish:
    """One claim that is to be cited: where, and the numbers of the sources that back it, best first."""

    claim: int
    place: int
    numbers: tuple[int, ...]


def _inserted(
    transcript: Transcript, verdict: Verdict, settings: Settings
) -> tuple[Transcript, Verdict] | None:
    """The transcript with markers that hold and the verdict on it, or None where there is none to add."""
    style = style_of(transcript.answer, verdict.citations)
    numbers = {chunk.id: number for number, chunk in enumerate(transcript.chunks, start=settings.index_base)}
    names = {number: name for name, number in numbers.items()}
    open_: dict[_Wish, int] = {}
    for claim in verdict.claims:
        if claim.status == "supported" and claim.suggested_chunk_ids:
            place = place_of(transcript.answer, claim.start, claim.end, style)
            backing = _backing(claim, numbers)
            if place is not None and backing:
                open_[_Wish(claim.index, place, backing)] = 1
    for _ in range(_MOST_TRIES):
        if not open_:
            return None
        wishes = list(open_)
        insertions = [
            Insertion(wish.place, "".join(f"[{number}]" for number in sorted(wish.numbers[: open_[wish]])))
            for wish in wishes
        ]
        answer, spans, moves = with_markers(transcript.answer, insertions, style)
        new = transcript.model_copy(
            update={"answer": answer, "citations": shifted(transcript.citations, moves)}
        )
        judged = checked(new, settings)
        wrong = [
            wish
            for wish, span in zip(wishes, spans, strict=True)
            if not _holds(judged, span, {names[number] for number in wish.numbers[: open_[wish]]})
            or not (len(judged.claims) == len(verdict.claims) and judged.claims[wish.claim].citations)
        ]
        if not wrong and not _is_worse(verdict, judged):
            return new, judged
        for wish in wrong or wishes:
            open_[wish] += 1
            if open_[wish] > len(wish.numbers) or not wrong:
                del open_[wish]
    return None


def _backing(claim: ClaimVerdict, numbers: dict[str, int]) -> tuple[int, ...]:
    """The numbers of the sources that a claim could cite, the suggested one first."""
    ids = [*claim.suggested_chunk_ids, *(source.chunk_id for source in claim.sources)]
    return tuple(numbers[name] for name in dict.fromkeys(ids) if name in numbers)[:_MOST_SOURCES]


def _holds(verdict: Verdict, span: tuple[int, int], wanted: set[str]) -> bool:
    """Whether the markers of a span are read as the wanted citations, and nothing is wrong with them."""
    inside = [item for item in verdict.citations if span[0] <= item.start < item.end <= span[1]]
    found = {name for item in inside for name in item.chunk_ids}
    is_clean = not any(
        part.severity != "info" for item in inside for finding in item.findings for part in finding.parts
    )
    return wanted <= found and is_clean and all(item.valid for item in inside)


def _is_worse(before: Verdict, after: Verdict) -> bool:
    """Whether a rule holds the new answer back more often than the old one."""
    old, new = (
        Counter((part.rule, part.severity) for part in verdict.causes if part.severity != "info")
        for verdict in (before, after)
    )
    return any(count > old[rule] for rule, count in new.items())
