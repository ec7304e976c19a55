"""Passages as libraries hand them over: documents, nodes, pairs with a score, by their shape alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def unwrapped(item: Any) -> Mapping[str, Any] | None:
    """A passage out of what a library puts around it; no library is imported for it.

    Known are LangChain's and Haystack's ``Document``, LlamaIndex's ``NodeWithScore`` and ``TextNode``, the
    dumps of these, and pairs of any of them, or of a text, with a score.

    Returns:
        ``content``, ``metadata`` and, as far as they are known, ``id`` and ``score``; None for anything else.
    """
    found = _dumped(item) if isinstance(item, Mapping) else _document(item) or _node(item)
    if found is not None or not isinstance(item, (list, tuple)) or len(item) != 2:
        return found
    score = number(item[1])
    inner = None if score is None else _paired(item[0])
    return None if inner is None else {**inner, "score": score}


def number(value: Any) -> float | None:
    """A finite number, also one of an array library, as Python has it; None for anything else."""
    if isinstance(value, (bool, list, tuple, Mapping, str)):
        return None
    if not isinstance(value, (int, float)):
        if getattr(value, "shape", None) != () or not callable(getattr(value, "item", None)):
            return None
        value = value.item()
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and abs(value) < 1e300 and math.isfinite(value) else None


def _paired(item: Any) -> Mapping[str, Any] | None:
    """The passage of a pair: a text, a document, or a mapping with ``page_content`` or ``text``."""
    if isinstance(item, str):
        return {"content": item, "metadata": {}}
    if isinstance(item, (list, tuple)):
        return None
    found = unwrapped(item)
    if found is None and isinstance(item, Mapping):
        return _members(item, item.get("page_content", item.get("text")), ("id",))
    return found


def _dumped(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The passage of a dump: LangChain's constructor, LlamaIndex's node, alone or with a score."""
    held = item.get("kwargs")
    if item.get("lc") and isinstance(held, Mapping):
        return _members(held, held.get("page_content"), ("id",))
    node = item.get("node")
    if not isinstance(node, Mapping):
        return _node_members(item) if "id_" in item else None
    found = _node_members(node.get("__data__", node))
    score = number(item.get("score"))
    return found if found is None or score is None else {**found, "score": score}


def _node_members(node: Any) -> Mapping[str, Any] | None:
    if not isinstance(node, Mapping):
        return None
    resource = node.get("text_resource")
    text = node.get("text", resource.get("text") if isinstance(resource, Mapping) else None)
    return _members(node, text, ("id_", "node_id", "doc_id"), ("metadata", "extra_info"))


def _members(
    value: Mapping[str, Any],
    text: Any,
    names: tuple[str, ...],
    origins: tuple[str, ...] = ("metadata",),
) -> Mapping[str, Any] | None:
    metadata: Any = next((value[key] for key in origins if value.get(key)), {})
    if not isinstance(text, str) or not isinstance(metadata, Mapping):
        return None
    name = next((value[key] for key in names if isinstance(value.get(key), str) and value[key]), None)
    return {"content": text, "metadata": metadata, **({} if name is None else {"id": name})}


def _document(item: Any) -> Mapping[str, Any] | None:
    """The members of LangChain's document, or of Haystack's."""
    if isinstance(item, type):
        return None
    for text_name, origin in (("page_content", "metadata"), ("content", "meta")):
        text, metadata = getattr(item, text_name, None), getattr(item, origin, None)
        if isinstance(text, str) and isinstance(metadata, Mapping):
            return _named(text, metadata, getattr(item, "id", None), getattr(item, "score", None))
    return None


def _node(item: Any) -> Mapping[str, Any] | None:
    """The members of LlamaIndex's node, alone or within a ``NodeWithScore``."""
    if isinstance(item, type):
        return None
    inner = getattr(item, "node", None)
    node = item if inner is None else inner
    name, metadata = getattr(node, "node_id", None), getattr(node, "metadata", None)
    text = getattr(node, "text", None)
    if text is None:
        text = getattr(getattr(node, "text_resource", None), "text", None)
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(metadata, Mapping):
        return None
    return _named(text, metadata, name, getattr(item, "score", None))


def _named(text: str, metadata: Mapping[str, Any], name: Any, score: Any) -> Mapping[str, Any]:
    found: dict[str, Any] = {"content": text, "metadata": metadata}
    if isinstance(name, str) and name:
        found["id"] = name
    if number(score) is not None:
        found["score"] = number(score)
    return found
