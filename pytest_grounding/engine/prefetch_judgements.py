"""Request judgements for many transcripts at once, before each of them is validated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_grounding.engine import guard, registry
from pytest_grounding.engine.judge_step import is_in_scope
from pytest_grounding.engine.pipeline import extract_and_score, run_without_logs
from pytest_grounding.engine.screening import trusted
from pytest_grounding.errors import InputError, ScorerError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.scorers import ClaimText
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.scorers.remote.cassette_file import PendingAnswer, Request, Tape
    from pytest_grounding.scorers.remote.judge import ChatJudge

T = TypeVar("T")
BATCH = 64  # transcripts per batch; a constant, so that no setting changes the order of requests
AT_ONCE = 4  # parallel requests; this changes neither a verdict nor the cassette
_DONE: dict[int, Transcript] = {}  # transcripts of the current batch, by identity


def is_of_use(settings: Settings) -> bool:
    """Whether a run with these settings records judgements."""
    return settings.enabled and bool(settings.judge) and settings.record != "none"


def prefetched(rows: Iterable[T], of_row: Callable[[T], tuple[Transcript, Settings] | None]) -> Iterator[T]:
    """The same rows; the judgements of a batch are requested before its first row is returned."""
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        found = [item for item in map(of_row, batch) if item is not None and is_of_use(item[1])]
        if found:
            ask(found)
            _DONE.update((id(transcript), transcript) for transcript, _ in found)
        yield from batch
        _DONE.clear()


def ask_for(transcript: Transcript, settings: Settings) -> None:
    """Request all judgements that one transcript needs, unless its batch was done."""
    if is_of_use(settings) and _DONE.get(id(transcript)) is not transcript:
        ask([(transcript, settings)])


def ask(items: Sequence[tuple[Transcript, Settings]]) -> None:
    """Request all judgements that the transcripts need and the cassettes lack."""
    from pytest_grounding.scorers.remote import scorer_factory as remote

    collected: list[tuple[Tape, PendingAnswer]] = []
    lefts: list[int] = []
    for transcript, settings in items:
        tape = remote.tape(settings, registry.redactors())
        tape.collecting = []
        try:
            guard.guarded(transcript, settings, run_without_logs)
            collected += [(tape, pending) for pending in tape.collecting]
            left = remote.limit(settings).left
            lefts += [] if left is None else [left]
        finally:
            tape.collecting = None
    _send(collected, min(lefts, default=None))


def _send(collected: Sequence[tuple[Tape, PendingAnswer]], left: int | None) -> None:
    """Request and record; beyond the limit of requests, one after the other."""
    from pytest_grounding.scorers.remote.cassette_file import PendingAnswer
    from pytest_grounding.scorers.remote.judge.chat import spread

    single: dict[tuple[int, str], tuple[Tape, PendingAnswer]] = {}
    for tape, pending in collected:
        for request in pending.requests:
            alone = PendingAnswer((request,), pending.call, pending.check)
            single.setdefault((id(tape), request.key), (tape, alone))
    items = list(single.values())
    most = len(items) if left is None else left
    first = min(1, most)
    # The first request runs alone: it shows whether the service answers at all, and in which form.
    for part, threads in ((items[:first], 1), (items[first:most], AT_ONCE), (items[most:], 1)):
        asked = [(tape, pending) for tape, pending in part if not tape.is_closed(pending.requests[0])]
        calls = [partial(_one, pending.call, pending.requests[0]) for _, pending in asked]
        for (tape, pending), reply in zip(asked, spread(calls, threads), strict=True):
            tape.fill(pending, [reply])


def _one(call: Callable[[Sequence[Request]], Sequence[Any]], request: Request) -> Any:
    (reply,) = call([request])
    if isinstance(reply, ScorerError):
        raise reply
    return reply


def questions_of(
    transcript: Transcript, settings: Settings, judge: ChatJudge, claim: int | None = None
) -> list[tuple[Request, Mapping[str, Any], bool]]:
    """The judge's questions about the claims of a transcript: request, schema, and whether it is recorded."""
    context, _ = extract_and_score(transcript, settings, registry.scorers(settings))
    chunks = trusted(transcript.chunks, settings)
    claims = [item for item in context.claims if is_in_scope(context, item)]
    if claim is not None:
        if not 1 <= claim <= len(context.claims):
            last = len(context.claims)
            hint = f"write a number from 1 to {last}" if last else "it contains no claim"
            raise InputError(f"{claim} is not a claim of {transcript.id!r}", field="--claim", hint=hint)
        claims = [context.claims[claim - 1]]
    texts = [ClaimText(item.bare, item.context) for item in claims]
    asked = judge.questions(texts, chunks, question=transcript.question)
    return [(request, schema, judge.is_recorded(request)) for request, schema in asked]
