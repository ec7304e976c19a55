"""A cross-encoder on this machine: an ONNX model and its tokenizer, loaded from a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_grounding._optional import require
from pytest_grounding.errors import ScorerError, SettingsError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.borrowed import BorrowingScorer, by_best_chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "local"
_BATCH = 32
_LONGEST = 512
_DIGITS = 6


class CrossEncoder:
    """Scores pairs of texts in [0, 1] with an ONNX model.

    The folder holds ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and, if the model has more
    than one output, ``config.json`` with ``id2label``. One output is a logit: its sigmoid is the score.
    Several are classes: the score is the softmax share of the one whose label is ``entailment``,
    ``relevant``, ``supported``, ``yes``, ``true`` or ``LABEL_1``.

    Args:
        folder: the folder.

    Raises:
        SettingsError: a file is missing, or it cannot be told which output is the score.
        MissingExtraError: onnxruntime or tokenizers is not installed.
    """

    def __init__(self, folder: str | Path) -> None:
        root = Path(folder)
        model = next(
            (file for file in (root / "model.onnx", root / "onnx" / "model.onnx") if file.is_file()), None
        )
        if model is None or not (root / "tokenizer.json").is_file():
            raise SettingsError(
                f"local_model = {str(folder)!r}: the folder must hold model.onnx and tokenizer.json"
            )
        runtime, tokenizers = require("onnxruntime", extra="local"), require("tokenizers", extra="local")
        options = runtime.SessionOptions()
        # One thread adds in one order: the same score on every run.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session = runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
            self._tokenizer = tokenizers.Tokenizer.from_file(str(root / "tokenizer.json"))
        except Exception as error:  # both libraries raise types of their own
            raise SettingsError(f"local_model = {str(folder)!r} cannot be loaded: {error}") from None
        config = _config(root / "config.json")
        longest = config.get("max_position_embeddings", _LONGEST)
        self._tokenizer.enable_truncation(min(longest if isinstance(longest, int) else _LONGEST, _LONGEST))
        self._tokenizer.enable_padding()
        self._inputs = [item.name for item in self._session.get_inputs()]
        self._label = _label_index(config)
        self.name = root.name

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The score of each pair of texts.

        Raises:
            ScorerError: the model gave something else than one row of numbers a pair.
        """
        found: list[float] = []
        for start in range(0, len(pairs), _BATCH):
            batch = list(pairs[start : start + _BATCH])
            found += self._run(batch)
        return found

    def _run(self, batch: list[tuple[str, str]]) -> list[float]:
        import numpy as np

        encoded = self._tokenizer.encode_batch(batch)
        columns = {
            "input_ids": [item.ids for item in encoded],
            "attention_mask": [item.attention_mask for item in encoded],
            "token_type_ids": [item.type_ids for item in encoded],
        }
        unknown = [name for name in self._inputs if name not in columns]
        if unknown:
            raise ScorerError(f"local: the model wants the input {unknown[0]!r}, which a text does not give")
        feed = {name: np.asarray(columns[name], dtype="int64") for name in self._inputs}
        try:
            (logits, *_) = self._session.run(None, feed)
        except Exception as error:  # onnxruntime raises types of its own
            raise ScorerError(f"local: the model failed: {error}") from None
        return self._read(np.asarray(logits, dtype="float64"), len(batch))

    def _read(self, logits: NDArray[np.float64], count: int) -> list[float]:
        import numpy as np

        rows = logits.reshape(count, -1) if logits.size and logits.shape[0] == count else None
        if rows is None or not np.isfinite(rows).all():
            raise ScorerError("local: the model gave no row of finite numbers for each pair")
        if rows.shape[1] == 1:
            shares = 1.0 / (1.0 + np.exp(-np.clip(rows[:, 0], -60.0, 60.0)))
        else:
            if self._label is None or self._label >= rows.shape[1]:
                raise SettingsError(
                    f"local_model: the model has {rows.shape[1]} outputs; name them in config.json as "
                    "id2label, one of them entailment, relevant, supported, yes or true"
                )
            powers = np.exp(rows - rows.max(axis=1, keepdims=True))
            shares = powers[:, self._label] / powers.sum(axis=1)
        return [round(float(value), _DIGITS) for value in shares]


class LocalScorer(BorrowingScorer):
    """Relevance and support by a cross-encoder: the question or claim with each chunk.

    Support is the best score of any chunk; evidence and conflicts are those of the built-in engine.
    """

    def __init__(self, model: CrossEncoder, local: Scorer) -> None:
        super().__init__(NAME, local)
        self._model = model

    def _relevance(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return self._model.scores([(question, text) for text in texts])

    def _shown(self, value: float) -> RelevanceScore:
        return RelevanceScore(value, f"{self._model.name} gives it {value:.2f}")

    def _support(
        self, claims: Sequence[str], local: Sequence[SupportScore], chunks: Sequence[Chunk], language: str
    ) -> Sequence[SupportScore]:
        # A passage is the premise and the claim the hypothesis, as in models of inference.
        found = self._model.scores([(chunk.text, claim) for claim in claims for chunk in chunks])
        return [
            by_best_chunk(
                score,
                found[place * len(chunks) : (place + 1) * len(chunks)],
                chunks,
                "semantic_similarity",
                self._model.name,
            )
            for place, score in enumerate(local)
        ]


def _config(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path}: cannot be read ({error})") from None
    return value if isinstance(value, dict) else {}


def _label_index(config: dict[str, Any]) -> int | None:
    """Which output says yes, or None."""
    labels = config.get("id2label")
    if not isinstance(labels, dict):
        return None
    by_name = {str(label).lower(): int(index) for index, label in labels.items() if str(index).isdigit()}
    for name in ("entailment", "relevant", "supported", "yes", "true", "label_1"):
        if name in by_name:
            return by_name[name]
    return None
