"""Gemini Interactions: steps with the results of searches and the output of the model."""

from __future__ import annotations

from typing import Any

from pytest_grounding.importers.draft import UTF8, Draft, Span
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import question_in
from pytest_grounding.importers.parts import passage_of
from pytest_grounding.model.json_values import as_int, as_text
from pytest_grounding.model.members import as_list, first_of, first_text, maps_in


class Interactions(Format):
    """Reads an interaction with its request; annotations count UTF-8 bytes under OpenAI's names."""

    name = "gemini-interactions"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        steps = maps_in(first_of(body, "steps", "outputs"))
        kinds = {as_text(step.get("type")) or "" for step in steps}
        is_ours = body.get("object") == "interaction" or "model_output" in kinds
        return bool(steps) and is_ours

    def _read(self, recording: Recording, draft: Draft) -> None:
        body, request = recording.body, recording.request
        asked = request.get("input") if request.get("input") is not None else body.get("input")
        draft.ask(question_in(asked))
        draft.answered(body.get("id"), body.get("model"), "")
        notes: list[tuple[int, Any]] = []
        for step in maps_in(first_of(body, "steps", "outputs")):
            kind = as_text(step.get("type")) or ""
            if kind.endswith("_result"):
                for item in as_list(first_of(step, "result", "results")):
                    passage = passage_of(item)
                    if passage is not None:
                        draft.chunk_of(passage)
            elif kind in ("model_output", "text"):
                for block in maps_in(step.get("content")) or [step]:
                    base = len(draft.answer)
                    draft.answer = f"{draft.answer}{as_text(block.get('text')) or ''}"
                    notes += [(base, note) for note in maps_in(block.get("annotations"))]
        self._cite(notes, draft)
        draft.need_chunks("the interaction contains no results of a search")

    def _cite(self, notes: list[tuple[int, Any]], draft: Draft) -> None:
        cited = []
        for base, note in notes:
            start, end = as_int(note.get("start_index")) or 0, as_int(note.get("end_index"))
            if end is None:
                draft.lose("an annotation without a place was left out")
                continue
            words = as_text(note.get("source"))
            name = first_text(note, "file_name", "title", "url", "document_uri", "uri") or "source"
            ids = (draft.alike("text", words) if words else []) or draft.names(name)
            ids = ids or draft.alike("document", name) or draft.alike("url", name)
            ids = ids or [draft.chunk(words or "", id=name)]
            cited.append(Span(start, end, bases=(base, 0), chunk_ids=ids))
        draft.cite_all(cited, UTF8)
