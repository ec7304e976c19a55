"""Scorers and judges with a cassette: built once per process, and guarded against foreign errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from pytest_grounding.errors import GroundingError, ScorerError, SettingsError
from pytest_grounding.model.base import without_surrogates
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers import Claims, ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.remote.cassette_file import Tape, clear_usage
from pytest_grounding.scorers.remote.cohere_rerank import CohereClient, RerankScorer
from pytest_grounding.scorers.remote.embeddings import (
    DOCUMENT,
    QUERY,
    Deferred,
    EmbeddingScorer,
    load_callable,
)
from pytest_grounding.scorers.remote.judge import BatchJudge, ChatJudge, Complete, Judge, Ruling, one_by_one
from pytest_grounding.scorers.remote.judge.chat import RequestLimit, workers
from pytest_grounding.scorers.remote.judge.judge_service import (
    KNOWN,
    ChatService,
    Choice,
    ServicePlace,
    chosen,
    unknown,
)
from pytest_grounding.settings import Settings

_SUPPORT = ("full", "partial", "none")
COHERE, COHERE_EMBED, EMBEDDINGS = "cohere", "cohere-embed", "embeddings"
#: Names for the setting ``scorer`` besides the built-in one.
NAMES = (COHERE, COHERE_EMBED, EMBEDDINGS)
#: Default models of Cohere's scorers.
RERANK_MODEL, EMBED_MODEL = "rerank-v3.5", "embed-v4.0"
#: Scorers of a service that may fail, with embeddings as fallback.
COHERE_NAMES = frozenset({COHERE, COHERE_EMBED})
_OF_A_JUDGE = (
    *("judge", "judge_model", "judge_url", "judge_key_env"),
    *("judge_max_requests", "remote_deadline", "remote_retries"),
)
Redactors = Sequence[Callable[[str], str]]
T = TypeVar("T")
_kept: dict[tuple[object, ...], Any] = {}  # objects built once per process, by kind and configuration


class GuardedScorer:
    """A scorer that raises only errors of this package, and returns one usable score per claim."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.name = scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance as returned by the scorer."""
        return self._scorer.relevance(question, chunks, language=language)

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        """Support of each claim; one without a number in [0, 1] abstains, with the reason."""
        using = {"question": question, "language": language}
        scores: list[Any] = _called(lambda: list(self._scorer.support(claims, chunks, **using)))
        if len(scores) != len(claims):
            raise ScorerError(f"gave {len(scores)} scores for {len(claims)} claims")
        return list(map(_usable, scores))


def _called(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except GroundingError:
        raise
    except Exception as error:  # a user's scorer may raise anything
        raise ScorerError(f"{type(error).__name__}: {error}") from error


def _usable(score: Any) -> SupportScore:
    """The score, or an abstention: an invalid number must neither pass nor fail a threshold."""
    if not isinstance(score, SupportScore):
        return SupportScore(None, reason="the scorer gave no score")
    value = score.probability
    if value is None:
        return score
    try:
        # A number of another library is not a float for a verdict.
        number = float(value)
    except (TypeError, ValueError):
        problem = f"{value!r}, which is not a number"
    else:
        if 0.0 <= number <= 1.0:
            return replace(score, probability=number)
        problem = f"{number}, which is not in 0 to 1"
    return replace(score, probability=None, reason=f"the scorer gave {problem}")


class GuardedJudge:
    """A judge that raises only errors of this package, and returns only allowed words."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.name = judge.name
        model = getattr(judge, "model", "")
        self.model = model if isinstance(model, str) else ""

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim."""
        return _ruled(_called(lambda: self._judge.support(claim, chunks, question=question)))

    def supports(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Ruling | ScorerError]:
        """ISSUP of each claim in order; one by one if the judge has no batch method."""
        judge = self._judge
        if not isinstance(judge, BatchJudge):
            return one_by_one(self, claims, chunks, question=question)
        given: list[Any] = _called(lambda: list(judge.supports(claims, chunks, question=question)))
        if len(given) != len(claims):
            raise ScorerError(f"gave {len(given)} rulings for {len(claims)} claims")
        return list(map(_each, given))


def _each(ruling: Any) -> Ruling | ScorerError:
    if isinstance(ruling, ScorerError):
        return ruling
    try:
        return _ruled(ruling)
    except ScorerError as error:
        return error


def _ruled(ruling: Any) -> Ruling:
    if not isinstance(ruling, Ruling) or ruling.value not in _SUPPORT:
        said = repr(ruling.value) if isinstance(ruling, Ruling) else type(ruling).__name__
        raise ScorerError(f"said {said}, which is none of: {', '.join(_SUPPORT)}")
    # A foreign reason may be any value; it is stored as text.
    reason: str = without_surrogates(str(ruling.reason))[0]
    return Ruling.of_scores(ruling.scores, reason) if ruling.scores else Ruling(ruling.value, reason)


def _made_once(make: Callable[[], T], *key: object) -> T:
    if key not in _kept:
        _kept[key] = make()
    found: T = _kept[key]
    return found


def tape(settings: Settings, redactors: Redactors = ()) -> Tape:
    """The cassette of the settings; one object per file and mode, so that each is read once."""
    path, mode = os.path.abspath(settings.cassette), settings.record  # noqa: PTH100

    def redact(text: str) -> str:
        for redactor in redactors:
            text = redactor(text)
        return text

    make = partial(Tape, settings.cassette, mode, redact=redact if redactors else str)
    return _made_once(make, "tape", path, mode, *map(id, redactors))


def client(settings: Settings, place: ServicePlace | None = None) -> CohereClient:
    """The client of the settings; one per process."""
    place, seconds, retries = place or ServicePlace(), settings.remote_deadline, settings.remote_retries
    address, name = place.address, place.key_env
    make = partial(CohereClient, call_seconds=seconds, retries=retries, address=address, key_env=name)
    return _made_once(make, "client", seconds, retries, place)


def _service(settings: Settings, choice: Choice) -> ChatService:
    """The service of a judge; one per process, so that knowledge about an endpoint is kept for the run."""
    dialect = KNOWN[choice.name].dialect
    assert dialect is not None
    seconds, retries = settings.remote_deadline, settings.remote_retries
    make = partial(ChatService, dialect, choice.model, choice.place, call_seconds=seconds, retries=retries)
    return _made_once(make, "service", choice, seconds, retries)


def family(name: str) -> str:
    """The name of a scorer without its model; only Cohere's has a model."""
    first, _, _ = name.partition(":")
    return first.strip() if first.strip() in COHERE_NAMES else name


def fallback_of(names: Sequence[str], settings: Settings) -> str:
    """The scorer that serves when Cohere's fail: by embeddings, the user's before Cohere's; or ""."""
    families = set(map(family, names))
    if families.isdisjoint(COHERE_NAMES):
        return ""
    if settings.embeddings:
        return EMBEDDINGS
    return "" if COHERE_EMBED in families else COHERE_EMBED


def scorer(
    name: str, settings: Settings, local: Scorer, redactors: Redactors, *, is_fallback: bool = False
) -> Scorer:
    """One of `NAMES`."""
    recorded = tape(settings, redactors)
    if family(name) in COHERE_NAMES:
        # Called at each validation: checks the file's date and size only.
        recorded.store.refresh()
    key = (name, settings.embeddings, settings.remote_deadline, settings.remote_retries)
    make = partial(_built, name, settings, local, recorded, is_fallback)
    return _made_once(make, "scorer", *key, id(recorded), is_fallback)


def _built(name: str, settings: Settings, local: Scorer, recorded: Tape, is_fallback: bool) -> Scorer:
    name, _, model = (part.strip() for part in name.partition(":"))
    if name == COHERE:
        return RerankScorer(client(settings), recorded, model or RERANK_MODEL, local)
    if name == COHERE_EMBED:
        asked, model = client(settings), model or EMBED_MODEL
        return EmbeddingScorer(
            partial(asked.embed, model, DOCUMENT),
            local,
            name=COHERE_EMBED,
            model=model,
            tape=recorded,
            embed_query=partial(asked.embed, model, QUERY),
        )
    if not settings.embeddings:
        wanted = "embeddings = 'package.module:function'"
        raise SettingsError(f"scorer = 'embeddings' needs the setting {wanted}")
    embed = Deferred(settings.embeddings) if is_fallback else load_callable(settings.embeddings)
    return EmbeddingScorer(embed, local, model=settings.embeddings)


def limit(settings: Settings) -> RequestLimit:
    """The counter of this run's requests to judges."""
    most = settings.judge_max_requests
    return _made_once(lambda: RequestLimit(most, workers()), "limit", most)


def judge_of(settings: Settings, others: Sequence[Judge], redactors: Redactors) -> BatchJudge:
    """The judge named by the setting ``judge``."""
    for other in others:
        if other.name == settings.judge:
            return GuardedJudge(other)
    name, colon, _ = (part.strip() for part in settings.judge.partition(":"))
    if name in KNOWN:
        return judge(settings, redactors)
    if colon and any(other.name == name for other in others):
        problem = f"{name} is of an extension and takes no model; write {name}"
        raise SettingsError(f"judge = {settings.judge!r}: {problem}")
    raise SettingsError(unknown(settings.judge, tuple(other.name for other in others)))


def judge(settings: Settings, redactors: Redactors = ()) -> ChatJudge:
    """The judge of the setting ``judge``, which is one of `KNOWN`."""
    recorded = tape(settings, redactors)
    recorded.store.refresh()
    # Called for each transcript: a replay must cost hardly more than the built-in engine.
    key = [getattr(settings, name) for name in _OF_A_JUDGE]
    return _made_once(partial(_made_judge, settings, recorded), "judge", id(recorded), *key)


def _made_judge(settings: Settings, recorded: Tape) -> ChatJudge:
    choice = chosen(settings)
    complete: Complete
    if choice.name == COHERE:
        complete = partial(client(settings, choice.place).chat, choice.model)
    else:
        complete = _service(settings, choice).complete
    return ChatJudge(limit(settings).bound(complete), recorded, name=choice.name, model=choice.model)


def flush() -> None:
    """Merge recordings into the sorted cassette files."""
    for key, recorded in _kept.items():
        if key[0] == "tape":
            recorded.compact()


def reset() -> None:
    """Flush, and drop clients, tapes and counters: the next run starts fresh."""
    try:
        flush()
    finally:
        _kept.clear()
        clear_usage()
