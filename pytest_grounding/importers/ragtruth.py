"""RAGTruth: responses and their sources, two kinds of rows that are joined on ``source_id``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pytest_grounding._jsonio import read_records
from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import LOSS, Draft
from pytest_grounding.importers.gathering import Found, Gathering
from pytest_grounding.importers.lettucedetect import asked_by
from pytest_grounding.importers.offsets import CODE_POINTS, Span, fit
from pytest_grounding.importers.reading import as_int, as_list, as_map, as_name, as_text, bounded, first_text

_PASSAGE = re.compile(r"(?m)^passage (\d{1,3}):")
_SOURCES = "source_info.jsonl"


class RagTruth(Gathering):
    """Reads responses with the sources of the same file, or of ``source_info.jsonl`` beside it.

    The labels mark unsupported spans; they are kept as metadata, and are no citations.

    Args:
        options: what is said beside the recordings.
    """

    name = "ragtruth"
    how: ClassVar[Mapping[str, str]] = {
        "question": "keep source_info.jsonl beside response.jsonl",
        "chunks": "keep source_info.jsonl beside response.jsonl",
    }

    def belongs(self, value: Any) -> bool:
        """Whether the value is a response or a source."""
        row = as_map(value)
        return "source_id" in row and ("source_info" in row or ("response" in row and "labels" in row))

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """One transcript for each response."""
        rows = [as_map(value) for value in values]
        sources = {as_name(row["source_id"]): row for row in rows if "source_info" in row}
        responses = [(index, row) for index, row in enumerate(rows) if "response" in row]
        wanted = {as_name(row["source_id"]) for _, row in responses} - set(sources)
        beside = Path(folder) / _SOURCES if folder is not None else None
        if wanted and beside is not None and beside.is_file():
            for record in read_records(beside):
                row = as_map(record.value)
                if as_name(row.get("source_id")) in wanted:
                    sources[as_name(row["source_id"])] = row
        for index, row in responses:
            try:
                yield index, self._transcript(row, sources.get(as_name(row["source_id"])))
            except InputError as error:
                yield index, error
        if not responses and folder is None:
            yield (
                0,
                InputError("a source without a response is no exchange", hint="read it with response.jsonl"),
            )

    def _transcript(self, row: Mapping[str, Any], source: Mapping[str, Any] | None) -> Mapping[str, Any]:
        draft = self.draft()
        if source is None:
            raise InputError(
                f"the source {as_name(row['source_id'])!r} of this response is not there",
                field="source_id",
                hint="keep source_info.jsonl beside response.jsonl, or both kinds of rows in one file",
            )
        name = as_name(row.get("id"))
        draft.id = f"ragtruth-{name}" if name else None
        draft.answer = as_text(row.get("response")) or ""
        _read_source(source, draft)
        labels = [as_map(label) for label in as_list(row.get("labels"))]
        _check_labels(labels, draft)
        draft.metadata.update({"labels": bounded(labels)})
        for key in ("model", "split", "quality"):
            if isinstance(row.get(key), str):
                draft.metadata["model_version" if key == "model" else key] = row[key]
        return draft.finish()


def _read_source(source: Mapping[str, Any], draft: Draft) -> None:
    info = source.get("source_info")
    prompt = as_text(source.get("prompt")) or ""
    if isinstance(source.get("task_type"), str):
        draft.metadata["task_type"] = source["task_type"]
    if isinstance(info, Mapping) and isinstance(info.get("passages"), str):
        draft.question = first_text(info, "question") or ""
        for name, text in _passages(info["passages"]):
            draft.chunk(text, id=name)
        return
    text = info if isinstance(info, str) else _as_lines(info)
    draft.chunk(text, id="source")
    draft.question = (
        asked_by(prompt, [info]) if isinstance(info, str) else prompt.partition("\n")[2].split("\n")[0]
    )
    draft.question = draft.question or prompt.partition("\n")[0]


def _passages(text: str) -> list[tuple[str, str]]:
    """The passages of one text that names each with ``passage N:``; 1-based numbers."""
    marks = list(_PASSAGE.finditer(text))
    if not marks:
        return [("passage-1", text)]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        (f"passage-{mark[1]}", text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)
    ]


def _as_lines(value: Any, depth: int = 4) -> str:
    """Structured data as lines of text, one a member."""
    if not isinstance(value, Mapping) or depth <= 0:
        return (
            value
            if isinstance(value, str)
            else json.dumps(bounded(value), ensure_ascii=False, sort_keys=True)
        )
    return "\n".join(f"{key}: {_as_lines(item, depth - 1)}" for key, item in value.items())


def _check_labels(labels: Sequence[Mapping[str, Any]], draft: Draft) -> None:
    spans = []
    for label in labels:
        start, end = as_int(label.get("start")), as_int(label.get("end"))
        if start is not None and end is not None:
            spans.append(Span(start, end, as_text(label.get("text"))))
    wrong = len(fit(draft.answer, spans, CODE_POINTS).misfits)
    if wrong:
        draft.note(LOSS, f"{wrong} of {len(labels)} labels do not fit the response in any unit of offsets")
