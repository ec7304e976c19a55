"""Build the scorers and judges that stand behind a cassette, each once a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers import bounds
from pytest_grounding.scorers.base import Scorer
from pytest_grounding.scorers.cassette import Tape, clear_usage, prices_of
from pytest_grounding.scorers.cohere import CohereClient, RerankScorer
from pytest_grounding.scorers.deadline import Budget, Purse
from pytest_grounding.scorers.detectors import Detector, DetectorScorer, opened
from pytest_grounding.scorers.embeddings import Deferred, EmbeddingScorer, load_callable
from pytest_grounding.scorers.judge import ChatJudge, Complete
from pytest_grounding.scorers.judge.known import KNOWN, Choice, chosen
from pytest_grounding.scorers.judge.service import ChatService, Place
from pytest_grounding.settings import Settings

COHERE, COHERE_EMBED, EMBEDDINGS, LOCAL = "cohere", "cohere-embed", "embeddings", "local"
#: Names that the setting ``scorer`` knows besides the built-in one.
NAMES = (COHERE, COHERE_EMBED, EMBEDDINGS, LOCAL)
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
    "judge_form",
    "judge_budget",
    "judge_per_minute",
    "remote_deadline",
    "remote_run_deadline",
    "remote_retries",
)

Redactors = Sequence[Callable[[str], str]]

_tapes: dict[tuple[str, ...], Tape] = {}
_clients: dict[tuple[object, ...], CohereClient] = {}
_services: dict[tuple[object, ...], ChatService] = {}
_judges: dict[tuple[object, ...], ChatJudge] = {}
#: What all of them have spent of the run's time.
_purse = Purse()
_scorers: dict[tuple[str, ...], Scorer] = {}


def tape(settings: Settings, redactors: Redactors = ()) -> Tape:
    """The cassette of the settings; one object for a file and a mode, so that each is read once.

    Args:
        settings: name the file and the mode.
        redactors: what each text goes through before it is sent or recorded, in this order.
    """
    filters = [f"{id(redactor)}" for redactor in redactors]
    key = (os.path.abspath(settings.cassette), settings.record, settings.judge_prices, *filters)  # noqa: PTH100
    if key not in _tapes:
        prices = prices_of(settings.judge_prices)
        _tapes[key] = Tape(
            settings.cassette,
            settings.record,
            redact=_chained(redactors) if redactors else str,
            prices=prices,
        )
    return _tapes[key]


def _chained(redactors: Redactors) -> Callable[[str], str]:
    def redact(text: str) -> str:
        for redactor in redactors:
            text = redactor(text)
        return text

    return redact


def client(settings: Settings, place: Place | None = None) -> CohereClient:
    """The client of the settings' deadlines; one a process, so that its run's deadline holds for all.

    Args:
        settings: its deadlines and retries.
        place: where the service is; None leaves that to its variables.
    """
    place = place or Place()
    limits = (settings.remote_deadline, settings.remote_run_deadline, settings.remote_retries)
    key = (*limits, place)
    if key not in _clients:
        _clients[key] = CohereClient(
            call_seconds=limits[0],
            run_seconds=limits[1],
            retries=limits[2],
            address=place.address,
            key_env=place.key_env,
            purse=_purse,
        )
    return _clients[key]


def _service(settings: Settings, choice: Choice) -> ChatService:
    """The service of a judge; one a process, so that what it learned of an endpoint holds for the run."""
    dialect = KNOWN[choice.name].dialect
    assert dialect is not None
    limits = (settings.remote_deadline, settings.remote_run_deadline, settings.remote_retries)
    key = (choice, settings.judge_form, *limits)
    if key not in _services:
        _services[key] = ChatService(
            dialect,
            choice.model,
            choice.place,
            Budget(settings.remote_run_deadline, purse=_purse),
            call_seconds=settings.remote_deadline,
            retries=settings.remote_retries,
            form=settings.judge_form,
        )
    return _services[key]


def scorer(
    name: str, settings: Settings, local: Scorer, redactors: Redactors, *, is_fallback: bool = False
) -> Scorer:
    """One of `NAMES`.

    Args:
        name: which.
        settings: what it needs.
        local: the built-in engine.
        redactors: what each text goes through before it is sent or recorded.
        is_fallback: it may never be asked, so a callable is imported when it is.

    Raises:
        SettingsError: a setting that it needs is empty or wrong.
        UnreadableCassetteError: its recorded judgements cannot be read.
    """
    recorded = tape(settings, redactors)
    if name in (COHERE, COHERE_EMBED, LOCAL) or (name == EMBEDDINGS and settings.embeddings_recorded):
        # Asked at each validation, whether or not it needs a record: a look at the file's date and size.
        recorded.store.refresh()
    key = (
        name,
        settings.rerank_model,
        settings.embed_model,
        settings.embeddings,
        str(settings.embeddings_recorded),
        settings.local_model,
        settings.local_profile,
        str(recorded.path.absolute()),
        recorded.mode,
        str(id(recorded)),
        str((settings.remote_deadline, settings.remote_run_deadline, settings.remote_retries)),
        str(is_fallback),
    )
    if key not in _scorers:
        _scorers[key] = _built(name, settings, local, recorded, is_fallback)
    return _scorers[key]


def _built(name: str, settings: Settings, local: Scorer, recorded: Tape, is_fallback: bool) -> Scorer:
    if name == COHERE:
        return RerankScorer(client(settings), recorded, settings.rerank_model, local)
    if name == COHERE_EMBED:
        asked, model = client(settings), settings.embed_model
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
        kept = recorded if settings.embeddings_recorded else None
        if is_fallback or (kept is not None and recorded.mode != "all"):
            # Where all is recorded the callable is never asked, and its module may be missing, as in CI.
            embed = Deferred(settings.embeddings)
            return EmbeddingScorer(embed, local, model=settings.embeddings, tape=kept)
        loaded = load_callable(settings.embeddings)
        return EmbeddingScorer(loaded, local, model=settings.embeddings, tape=kept)
    if not settings.local_model:
        raise SettingsError("scorer = 'local' needs the setting local_model: the folder of a detector")
    return DetectorScorer(Detector(opened(settings.local_model, settings.local_profile)), recorded, local)


def judge(settings: Settings, redactors: Redactors = (), entry: str = "") -> ChatJudge:
    """One judge of `JUDGES`.

    Args:
        settings: what it needs.
        redactors: what each text goes through before it is sent or recorded.
        entry: its name, or ``NAME:MODEL``; empty takes the setting ``judge``.

    Raises:
        SettingsError: the name is not known, or an address is set without a model.
        UnreadableCassetteError: its recorded judgements cannot be read.
    """
    recorded = tape(settings, redactors)
    recorded.store.refresh()
    system = bounds.prompt_of(settings)
    # Asked for each transcript: a replay of many must cost hardly more than the built-in engine.
    key = (entry, system, id(recorded), *(getattr(settings, name) for name in _OF_A_JUDGE))
    if key not in _judges:
        choice = chosen(settings, entry)
        complete = bounds.limits(settings).bound(_complete(settings, choice), choice.model)
        _judges[key] = ChatJudge(complete, recorded, name=choice.name, model=choice.model, system=system)
    return _judges[key]


def _complete(settings: Settings, choice: Choice) -> Complete:
    if choice.name != COHERE:
        return _service(settings, choice).complete
    asked = client(settings, choice.place)
    return partial(asked.chat, choice.model)


def flush() -> None:
    """Merge what was recorded into the sorted files of the cassettes.

    Raises:
        CassetteError: a file cannot be written.
    """
    for recorded in _tapes.values():
        recorded.compact()


def reset() -> None:
    """Flush, and forget clients, tapes and their budgets: the next run begins anew."""
    global _purse
    try:
        flush()
    finally:
        _purse = Purse()
        _tapes.clear()
        _clients.clear()
        _services.clear()
        _judges.clear()
        _scorers.clear()
        bounds.reset()
        clear_usage()
