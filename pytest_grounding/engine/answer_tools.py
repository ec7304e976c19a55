"""What is done with a verdict: clean the answer, show its sources, offer citations, warn its users."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NoReturn

from pytest_grounding._io.wording import a_kind
from pytest_grounding.citations.cleaning import clean_answer as cleaned
from pytest_grounding.citations.insert import Insertion, place_of, shifted, style_of, with_markers
from pytest_grounding.citations.naming import InlineCitation, source_line
from pytest_grounding.citations.naming import inline_citations as inlined
from pytest_grounding.engine import guard, registry
from pytest_grounding.engine.transcript_input import Given, GivenSettings, as_transcript
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError, UncheckedError
from pytest_grounding.model.transcript import Chunk, ChunkMetadata, Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.settings import Settings

NOTE = "Note: not every statement in this answer is backed by the sources it cites."


def clean_answer(transcript: Given, settings: GivenSettings = None) -> str:
    """The answer without its invalid citation markers; every other character as it was.

    Args:
        transcript: a Transcript or a mapping.
        settings: decides what is valid.

    Raises:
        UncheckedError: nothing of it could be checked, so that no marker is known to be valid.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    citations = checked(recorded, in_force).citations
    return guard.otherwise(
        lambda: cleaned(recorded, citations, settings=in_force, syntaxes=registry.syntaxes()), _refuse
    )


def checked(transcript: Transcript, settings: Settings) -> Verdict:
    """The verdict on a transcript that could be checked."""
    verdict = validate(transcript, settings)
    if guard.is_unchecked(verdict):
        _refuse(verdict.findings[0].message)
    return verdict


def _refuse(reason: str) -> NoReturn:
    raise UncheckedError(f"the answer could not be checked: {reason}")


def inline_citations(transcript: Given, settings: GivenSettings = None) -> list[InlineCitation]:
    """The valid citations with number, position, title and address, for a front end to show.

    Args:
        transcript: a Transcript or a mapping.
        settings: gives ``index_base`` and the bases of addresses.

    Raises:
        UncheckedError: nothing of it could be checked, so that no citation is known to be valid.
    """
    in_force = Settings.of(settings)
    recorded = as_transcript(transcript, in_force)
    citations = checked(recorded, in_force).citations
    return guard.otherwise(lambda: inlined(recorded, citations, in_force), _refuse)


def format_citations(verdict: Verdict, settings: GivenSettings = None) -> str:
    """The provenance of each checked claim for people: sources, their metadata, scores and the method.

    Args:
        verdict: what was found.
        settings: give the bases of the sources' addresses; a Settings, a mapping, or None for the defaults.
    """
    in_force = Settings.of(settings)
    _refuse_other(verdict)
    lines: list[str] = []
    for claim in verdict.claims:
        if claim.status == "unchecked":
            continue
        support = "not scored" if claim.support is None else f"{claim.support:.2f}"
        lines.append(f"{claim.status} ({support}, {claim.method}): {claim.text}")
        lines.extend(f"  {line}" for line in _source_lines(claim, in_force))
    return "\n".join(lines)


def _refuse_other(verdict: object) -> None:
    if not isinstance(verdict, Verdict):
        problem = f"a verdict is needed, and this is {a_kind(verdict)}"
        raise InputError(problem, hint="write validate(transcript)")


def _source_lines(claim: ClaimVerdict, settings: Settings) -> list[str]:
    lines = []
    for source in claim.sources:
        chunk = Chunk(id=source.chunk_id, text="", metadata=ChunkMetadata.model_validate(source.metadata))
        named = source_line(chunk, settings)
        facts = [f"chunk {source.chunk_id}", *([named] if named != source.chunk_id else [])]
        if source.retrieval_score is not None:
            facts.append(f"retrieved with {source.retrieval_score:.2f}")
        quote = next((item.text for item in claim.evidence if item.chunk_id == source.chunk_id), "")
        lines.append(f"{', '.join(facts)}: “{quote}”")
    return lines or ["no source"]


def suggest_citations(verdict: Verdict) -> dict[int, tuple[str, ...]]:
    """For each supported claim that cites nothing, the chunks that it could cite.

    Returns:
        Index of the claim -> chunk ids, best first.
    """
    _refuse_other(verdict)
    return {claim.index: claim.suggested_chunk_ids for claim in verdict.claims if claim.suggested_chunk_ids}


def annotate_uncertain(transcript: Given, verdict: Verdict, settings: GivenSettings = None) -> str:
    """The answer, with the note for users appended when its citations are not grounded.

    An answer that ends in the note already is left as it is.
    """
    answer = as_transcript(transcript, settings).answer
    if not verdict.uncertain or answer.rstrip().endswith(NOTE):
        return answer
    return f"{answer.rstrip()}\n\n{NOTE}"


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
