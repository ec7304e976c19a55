"""Relevance and support by the cosine of embeddings: Cohere's, or those of any callable."""

from __future__ import annotations

import base64
import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pytest_grounding.errors import CassetteError, ScorerError, SettingsError
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.sentences import sentences_of
from pytest_grounding.scorers import RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.remote.cassette_file import Reply, Request, Tape
from pytest_grounding.scorers.remote.local_evidence import RankingScorer, with_score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

#: Texts to vectors, one per text, all of one length.
Embed = Callable[[list[str]], Sequence[Sequence[float]]]
QUERY, DOCUMENT = "search_query", "search_document"
#: Most texts passed to a callable at once.
BATCH = 96
_KEPT_EVIDENCE = 3


class EmbeddingScorer(RankingScorer):
    """Scores by cosine similarity, of which a negative one counts as 0.

    Conflicts are those of the built-in engine, because vectors of "30 days" and "45 days" are nearly equal.
    Without a tape the model is called in every run, which suits a local one.
    """

    def __init__(
        self,
        embed: Embed,
        local: Scorer,
        *,
        name: str = "embeddings",
        model: str = "",
        tape: Tape | None = None,
        embed_query: Embed | None = None,
    ) -> None:
        super().__init__(name, local)
        self._embed = {DOCUMENT: embed, QUERY: embed_query or embed}
        self._model = model or name
        self._tape = tape
        self._known: dict[tuple[str, str], Vector] = {}

    def _relevance(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        (asked,) = self._vectors([question], QUERY)
        return [_cosine(asked, vector) for vector in self._vectors(texts, DOCUMENT)]

    def _shown(self, value: float) -> RelevanceScore:
        return RelevanceScore(value, f"cosine {value:.2f} with the question ({self._model})")

    def _support(
        self, claims: Sequence[str], local: Sequence[SupportScore], chunks: Sequence[Chunk], language: str
    ) -> Sequence[SupportScore]:
        sentences = [item for chunk in chunks for item in _sentences_of(chunk, language)]
        if not sentences:
            return local
        try:
            wanted = self._vectors(claims, QUERY)
            held = self._vectors([item.text for item in sentences], DOCUMENT)
        except CassetteError as error:
            return [with_score(score, None, "semantic_similarity", str(error)) for score in local]
        pairs = zip(local, wanted, strict=True)
        return [self._score(score, vector, sentences, held) for score, vector in pairs]

    def _score(
        self, local: SupportScore, vector: Vector, sentences: Sequence[Evidence], held: Sequence[Vector]
    ) -> SupportScore:
        cosines = [_cosine(vector, other) for other in held]
        order = sorted(range(len(cosines)), key=lambda index: (-cosines[index], index))[:_KEPT_EVIDENCE]
        evidence = tuple(sentences[index].model_copy(update={"score": cosines[index]}) for index in order)
        best = cosines[order[0]]
        reason = f"cosine {best:.2f} with a sentence of chunk {evidence[0].chunk_id} ({self._model})"
        return with_score(local, best, "semantic_similarity", reason, evidence=evidence)

    def _vectors(self, texts: Sequence[str], kind: str) -> list[Vector]:
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self._known]
        # Cached vectors are looked up on the cassette too: a replay must use the same records.
        wanted = list(dict.fromkeys(texts)) if self._tape is not None else new
        given = f"{self.name}.embed", self._model, {"input_type": kind}
        requests = [Request(*given, {"text": text}) for text in wanted]
        replies: list[Reply] = []
        if requests:
            replies = self._tape.ask(requests, self._call) if self._tape is not None else self._call(requests)
        for text, reply in zip(wanted, replies, strict=True):
            if (kind, text) not in self._known:
                self._known[(kind, text)] = _decoded_vector(reply)
        found = [self._known[(kind, text)] for text in texts]
        if len(set(map(len, found))) > 1:
            raise ScorerError(f"{self.name}: the vectors are not all of one length")
        return found

    def _call(self, requests: Sequence[Request]) -> list[Reply]:
        replies: list[Reply] = []
        for start in range(0, len(requests), BATCH):
            batch = requests[start : start + BATCH]
            kind = str(batch[0].parameters["input_type"])
            try:
                vectors = self._embed[kind]([request.texts["text"] for request in batch])
                replies += [{"vector": _encoded_vector(vector)} for vector in vectors]
            except ScorerError:
                raise
            except Exception as error:  # a user's callable may raise anything
                raise ScorerError(f"{self.name}: {type(error).__name__}: {error}") from error
            if len(replies) != start + len(batch):
                raise ScorerError(f"{self.name}: gave {len(replies) - start} vectors for {len(batch)} texts")
        return replies


class Deferred:
    """A callable by name, imported at its first call: a replay needs none."""

    def __init__(self, name: str) -> None:
        _parts_of_name(name)
        self._name = name
        self._loaded: Embed | None = None

    def __call__(self, texts: list[str]) -> Sequence[Sequence[float]]:
        """The vectors of texts; ScorerError if the callable cannot be loaded."""
        if self._loaded is None:
            try:
                self._loaded = load_callable(self._name)
            except SettingsError as error:
                raise ScorerError(str(error)) from None
        return self._loaded(texts)


def _parts_of_name(name: str) -> tuple[str, str]:
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise SettingsError(f"embeddings = {name!r}: write package.module:function")
    return module, attribute


def load_callable(name: str) -> Embed:
    """The callable named by ``package.module:name``."""
    module, attribute = _parts_of_name(name)
    try:
        value: Any = importlib.import_module(module)
        for part in attribute.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"embeddings = {name!r} cannot be loaded: {error}") from None
    if not callable(value):
        raise SettingsError(f"embeddings = {name!r} is not callable; write package.module:function")
    found: Embed = value
    return found


def _sentences_of(chunk: Chunk, language: str) -> list[Evidence]:
    parts = sentences_of(chunk.text, language)
    return [
        Evidence(
            chunk_id=chunk.id,
            sentence_index=index,
            text=part.text,
            start=part.start,
            end=part.end,
            before=parts[index - 1].text if index else "",
            after=parts[index + 1].text if index + 1 < len(parts) else "",
        )
        for index, part in enumerate(parts)
    ]


def _cosine(one: Vector, other: Vector) -> float:
    # Summed in double precision and rounded, so that a machine's order of additions does not matter.
    value = float((one.astype("float64") * other.astype("float64")).sum())
    return round(min(1.0, max(0.0, value)), 6)


def _encoded_vector(vector: Sequence[float]) -> str:
    """A vector of length 1 as base64 of 32-bit floats, least significant byte first."""
    import numpy as np

    values = np.asarray(vector, dtype="float64")
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ScorerError("an embedding is not a list of finite numbers")
    length = float(np.sqrt((values * values).sum()))
    if not length or not np.isfinite(length):
        raise ScorerError("an embedding is all zeros")
    return base64.b64encode((values / length).astype("<f4").tobytes()).decode("ascii")


def _decoded_vector(reply: Reply) -> Vector:
    import numpy as np

    return np.frombuffer(base64.b64decode(reply["vector"], validate=True), dtype="<f4")
