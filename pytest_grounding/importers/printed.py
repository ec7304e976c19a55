"""Objects of libraries that were printed into a recording, as ``json.dumps(..., default=str)`` does."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy

#: How objects with a text begin when they are printed, and objects without any.
_STARTS = ("page_content=", "Document(", "content=", "AIMessage(", "NodeWithScore(", "TextNode(", "id_=")
_BARE = lazy(r"<[\w.]{1,200}(?:\[[^\]]{0,80}\])? (?:object )?at 0x[0-9a-fA-F]{4,20}>")
_FIELD = lazy(r"(?:^|[ (,])(?P<name>page_content|content|text|metadata|id)=(?=['\"{])")
_LONGEST = 200_000


def is_bare_object(text: str) -> bool:
    """Whether a text is the printed form of an object without its content."""
    return text.startswith("<") and _BARE.fullmatch(text.strip()) is not None


def printed_object(text: str) -> Mapping[str, Any] | None:
    """The text, metadata and id of a printed object; None for any other text."""
    if not text.startswith(_STARTS) or len(text) > _LONGEST:
        return None
    found: dict[str, Any] = {}
    for match in _FIELD.finditer(text):
        value = _literal(text, match.end())
        if value is not None:
            found.setdefault(match["name"], value)
    words = next((found[name] for name in ("page_content", "content", "text") if name in found), None)
    if not isinstance(words, str):
        return None
    metadata = found.get("metadata")
    made = {"text": words, "metadata": metadata if isinstance(metadata, dict) else {}}
    return {**made, "id": found["id"]} if isinstance(found.get("id"), str) else made


def _literal(text: str, start: int) -> Any:
    """The Python literal that begins at an offset; None if it does not end."""
    quote = text[start]
    if quote == "{":
        ends = [match.end() for match in re.finditer(r"\}", text[start : start + 5_000])][:20]
    else:
        ends = [match.end() for match in re.finditer(re.escape(quote), text[start + 1 :])][:50]
        ends = [end + 1 for end in ends]
    for end in ends:
        try:
            return ast.literal_eval(text[start : start + end])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None
