"""A corpus look-up: texts for chunks that a recording names by id alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_grounding._jsonio import read_records
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.metadata import chunk_metadata
from pytest_grounding.importers.reading import as_map, as_name, first_of, first_text

_IDS = ("docid", "id", "_id", "doc_id", "pid")
_TEXTS = ("segment", "text", "contents", "content", "passage", "body")


def fill(drafts: Sequence[Draft], corpus: str) -> None:
    """Give the chunks without a text the text of the corpus, in one pass over it.

    Args:
        drafts: the transcripts in the making.
        corpus: JSON Lines file of passages, each with an id (``docid``, ``id`` or ``_id``) and a text
            (``segment``, ``text`` or ``contents``); "" for none.

    Raises:
        InputError: the corpus cannot be read; names file and line.
    """
    if not corpus:
        return
    wanted: dict[str, list[dict[str, Any]]] = {}
    for draft in drafts:
        for chunk in draft.chunks:
            if not chunk["text"].strip():
                wanted.setdefault(chunk["id"], []).append(chunk)
    for record in read_records(corpus) if wanted else ():
        passage = as_map(record.value)
        chunks = wanted.pop(as_name(first_of(passage, *_IDS)) or "", [])
        inner = as_map(passage.get("doc")) or passage
        text = first_text(inner, *_TEXTS)
        for chunk in chunks:
            chunk["text"] = text or ""
            known = {key: inner[key] for key in ("title", "url", "headings") if inner.get(key)}
            chunk["metadata"].update(chunk_metadata(known))
        if not wanted:
            break
