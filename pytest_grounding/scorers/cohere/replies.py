"""What a reply of Cohere must look like; the SDK itself validates none of it."""

from __future__ import annotations

import math
from typing import Any

from pytest_grounding.scorers.wire import json_object


def rerank_scores(reply: Any, count: int) -> list[float]:
    """Relevance of each document in the order of the request."""
    results = getattr(reply, "results", None)
    if not isinstance(results, (list, tuple)):
        raise ValueError(f"holds no list of results ({type(results).__name__})")
    scores: list[float | None] = [None] * count
    for item in results:
        index, score = getattr(item, "index", None), getattr(item, "relevance_score", None)
        if isinstance(index, bool) or not isinstance(index, int):
            raise ValueError(f"names a document by {index!r}, which is no number")
        if not 0 <= index < count:
            raise ValueError(f"names document {index}, and {count} were sent")
        if scores[index] is not None:
            raise ValueError(f"names document {index} twice")
        scores[index] = share(score, f"the score of document {index}")
    missing = [index for index, score in enumerate(scores) if score is None]
    if missing:
        raise ValueError(
            f"scores {count - len(missing)} of {count} documents; document {missing[0]} is missing"
        )
    return [score for score in scores if score is not None]


def share(value: Any, name: str) -> float:
    """A number in [0, 1]."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{name} is {value!r}, which is no number")
    if not math.isfinite(value) or not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} is {value!r}, which is not between 0 and 1")
    return float(value)


def vectors(reply: Any, count: int) -> list[list[float]]:
    """The float embeddings in the order of the request."""
    found = getattr(getattr(reply, "embeddings", None), "float_", None)
    if not isinstance(found, (list, tuple)):
        raise ValueError("holds no float embeddings")
    if len(found) != count:
        raise ValueError(f"holds {len(found)} embeddings for {count} texts")
    return [vector(item, number) for number, item in enumerate(found)]


def vector(value: Any, number: int = 0) -> list[float]:
    """One embedding: finite numbers, not all 0."""
    if not isinstance(value, (list, tuple)) or not value:
        raise ValueError(f"embedding {number} is no list of numbers")
    for item in value:
        if isinstance(item, bool) or not isinstance(item, (int, float)) or not math.isfinite(item):
            raise ValueError(f"embedding {number} holds {item!r}, which is no number")
    if not any(value):
        raise ValueError(f"embedding {number} is all zeros")
    return [float(item) for item in value]


def chat_object(reply: Any) -> dict[str, Any]:
    """The JSON object that a chat was asked for."""
    finish = str(getattr(reply, "finish_reason", ""))
    if finish.upper() != "COMPLETE":
        raise ValueError(f"was not completed (finish_reason {finish or 'missing'})")
    content = getattr(getattr(reply, "message", None), "content", None)
    if not isinstance(content, (list, tuple)):
        raise ValueError("holds no message")
    texts = [getattr(item, "text", None) for item in content if getattr(item, "type", "text") == "text"]
    text = "".join(item for item in texts if isinstance(item, str))
    return json_object(text)
