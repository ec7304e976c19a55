"""Build the scorers and judges that stand behind a cassette, each once a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.base import Scorer
from pytest_grounding.scorers.cassette import Tape, clear_usage
from pytest_grounding.scorers.cohere import CohereClient, RerankScorer
from pytest_grounding.scorers.detectors import Detector, DetectorScorer, opened
from pytest_grounding.scorers.embeddings import Deferred, EmbeddingScorer, load_callable
from pytest_grounding.scorers.guarded import GuardedJudge
from pytest_grounding.scorers.judge import BatchJudge, ChatJudge, Complete, Judge
from pytest_grounding.scorers.judge.asking import RequestLimit, workers
from pytest_grounding.scorers.judge.known import KNOWN, Choice, chosen, unknown
from pytest_grounding.scorers.judge.service import ChatService, Place
from pytest_grounding.settings import Settings

COHERE, COHERE_EMBED, EMBEDDINGS, LOCAL = "cohere", "cohere-embed", "embeddings", "local"
#: Names that the setting ``scorer`` knows besides the built-in one.
NAMES = (COHERE, COHERE_EMBED, EMBEDDINGS, LOCAL)
#: Models of Cohere's scorers where the setting names none.
RERANK_MODEL, EMBED_MODEL = "rerank-v3.5", "embed-v4.0"
#: Those of a service that may fail, so that the embeddings that are configured serve then.
COHERE_NAMES = frozenset({COHERE, COHERE_EMBED})
#: Names that the setting ``judge`` knows.
JUDGES = tuple(KNOWN)

#: Settings that a judge is made of.
_OF_A_JUDGE = (
    "judge",
    "judge_model",
    "judge_url",
    "judge_key_env",
    "judge_max_requests",
    "remote_deadline",
    "remote_retries",
)

Redactors = Sequence[Callable[[str], str]]

_tapes: dict[tuple[str, ...], Tape] = {}
_clients: dict[tuple[object, ...], CohereClient] = {}
_services: dict[tuple[object, ...], ChatService] = {}
_judges: dict[tuple[object, ...], ChatJudge] = {}
#: By the setting judge_max_requests: one count for the judges of a run.
_limits: dict[int, RequestLimit] = {}
_scorers: dict[tuple[str, ...], Scorer] = {}


def tape(settings: Settings, redactors: Redactors = ()) -> Tape:
    """The cassette of the settings; one object for a file and a mode, so that each is read once."""
    filters = [f"{id(redactor)}" for redactor in redactors]
    key = (os.path.abspath(settings.cassette), settings.record, *filters)  # noqa: PTH100
    if key not in _tapes:
        redact = _chained(redactors) if redactors else str
        _tapes[key] = Tape(settings.cassette, settings.record, redact=redact)
    return _tapes[key]


def _chained(redactors: Redactors) -> Callable[[str], str]:
    def redact(text: str) -> str:
        for redactor in redactors:
            text = redactor(text)
        return text

    return redact


def client(settings: Settings, place: Place | None = None) -> CohereClient:
    """The client of the settings; one a process."""
    place = place or Place()
    limits = (settings.remote_deadline, settings.remote_retries)
    key = (*limits, place)
    if key not in _clients:
        _clients[key] = CohereClient(
            call_seconds=limits[0],
            retries=limits[1],
            address=place.address,
            key_env=place.key_env,
        )
    return _clients[key]


def _service(settings: Settings, choice: Choice) -> ChatService:
    """The service of a judge; one a process, so that what it learned of an endpoint holds for the run."""
    dialect = KNOWN[choice.name].dialect
    assert dialect is not None
    limits = (settings.remote_deadline, settings.remote_retries)
    key = (choice, *limits)
    if key not in _services:
        _services[key] = ChatService(
            dialect,
            choice.model,
            choice.place,
            call_seconds=settings.remote_deadline,
            retries=settings.remote_retries,
        )
    return _services[key]


def family(name: str) -> str:
    """The name of a scorer without its model; a model is taken by Cohere's alone."""
    first, _, _ = name.partition(":")
    return first.strip() if first.strip() in COHERE_NAMES else name


def scorer(
    name: str, settings: Settings, local: Scorer, redactors: Redactors, *, is_fallback: bool = False
) -> Scorer:
    """One of `NAMES`."""
    recorded = tape(settings, redactors)
    if family(name) in (COHERE, COHERE_EMBED, LOCAL):
        # Asked at each validation, whether or not it needs a record: a look at the file's date and size.
        recorded.store.refresh()
    key = (
        name,
        settings.embeddings,
        settings.local_model,
        str(recorded.path.absolute()),
        recorded.mode,
        str(id(recorded)),
        str((settings.remote_deadline, settings.remote_retries)),
        str(is_fallback),
    )
    if key not in _scorers:
        _scorers[key] = _built(name, settings, local, recorded, is_fallback)
    return _scorers[key]


def _built(name: str, settings: Settings, local: Scorer, recorded: Tape, is_fallback: bool) -> Scorer:
    name, _, model = (part.strip() for part in name.partition(":"))
    if name == COHERE:
        return RerankScorer(client(settings), recorded, model or RERANK_MODEL, local)
    if name == COHERE_EMBED:
        asked, model = client(settings), model or EMBED_MODEL
        return EmbeddingScorer(
            lambda texts: asked.embed(model, "search_document", texts),
            local,
            name=COHERE_EMBED,
            model=model,
            tape=recorded,
            embed_query=lambda texts: asked.embed(model, "search_query", texts),
        )
    if name == EMBEDDINGS:
        if not settings.embeddings:
            raise SettingsError(
                "scorer = 'embeddings' needs the setting embeddings = 'package.module:function'"
            )
        embed = Deferred(settings.embeddings) if is_fallback else load_callable(settings.embeddings)
        return EmbeddingScorer(embed, local, model=settings.embeddings)
    if not settings.local_model:
        raise SettingsError("scorer = 'local' needs the setting local_model: the folder of a detector")
    return DetectorScorer(Detector(opened(settings.local_model)), recorded, local)


def limit(settings: Settings) -> RequestLimit:
    """What counts the requests of this run to judges."""
    most = settings.judge_max_requests
    if most not in _limits:
        _limits[most] = RequestLimit(most, workers())
    return _limits[most]


def judge_of(settings: Settings, others: Sequence[Judge], redactors: Redactors) -> BatchJudge:
    """The judge that the setting ``judge`` names."""
    for other in others:
        if other.name == settings.judge:
            return GuardedJudge(other)
    name, colon, _ = (part.strip() for part in settings.judge.partition(":"))
    if name in JUDGES:
        return judge(settings, redactors)
    if colon and any(other.name == name for other in others):
        problem = f"{name} is of an extension and takes no model; write {name}"
        raise SettingsError(f"judge = {settings.judge!r}: {problem}")
    raise SettingsError(unknown(settings.judge, tuple(other.name for other in others)))


def judge(settings: Settings, redactors: Redactors = ()) -> ChatJudge:
    """The judge of the setting ``judge``, which is one of `JUDGES`."""
    recorded = tape(settings, redactors)
    recorded.store.refresh()
    # Asked for each transcript: a replay of many must cost hardly more than the built-in engine.
    key = (id(recorded), *(getattr(settings, name) for name in _OF_A_JUDGE))
    if key not in _judges:
        choice = chosen(settings)
        complete = limit(settings).bound(_complete(settings, choice))
        _judges[key] = ChatJudge(complete, recorded, name=choice.name, model=choice.model)
    return _judges[key]


def _complete(settings: Settings, choice: Choice) -> Complete:
    if choice.name != COHERE:
        return _service(settings, choice).complete
    asked = client(settings, choice.place)
    return partial(asked.chat, choice.model)


def flush() -> None:
    """Merge what was recorded into the sorted files of the cassettes."""
    for recorded in _tapes.values():
        recorded.compact()


def reset() -> None:
    """Flush, and forget clients, tapes and counts: the next run begins anew."""
    try:
        flush()
    finally:
        _tapes.clear()
        _clients.clear()
        _services.clear()
        _judges.clear()
        _scorers.clear()
        _limits.clear()
        clear_usage()
