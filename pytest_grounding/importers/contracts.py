"""The contract models of services: `ChatResponse` and `StructuredRAGResponse`, with their requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import ValidationError

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.passages import add_passages
from pytest_grounding.importers.reading import as_map, bounded, is_list_of
from pytest_grounding.importers.recording import Recording
from pytest_grounding.model.contracts import BROKEN_CONTRACT, ChatRequest, ChatResponse, StructuredRAGResponse

_SOURCE = ("chapter_id", "section_number")


class Contract(Format):
    """Reads a service's response beside its question, or with the question among its members."""

    name = "contract"
    how: ClassVar[Mapping[str, str]] = {
        "question": 'write {"request": {"question": ...}, "response": ...}',
        "chunks": 'write what you retrieved as "chunks" beside "response"',
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there is an answer with sources by chapter and section, or with numbers as citations."""
        body = recording.body
        return isinstance(body.get("answer"), str) and (
            _is_chat(body, recording) or _is_structured(body, recording)
        )

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft through the contract's own conversion, so that its findings are kept."""
        body, request = recording.body, recording.request
        whole = as_map(recording.whole)
        if not recording.beside and body is whole:
            draft.beside({key: whole[key] for key in ("id", "chunks", "question", "filters") if key in whole})
        draft.question = draft.question or str(request.get("question") or self.options.question or "")
        if not draft.question.strip():
            return
        if not draft.chunks:
            add_passages(draft, request.get("chunks"), "request.chunks", may_lack_text=True)
        if _is_structured(body, recording):
            made = _structured(body, draft, claims=_claims_contract(recording))
        else:
            made = _chat(body, request, draft)
        for key in ("filters", "confidence", "cited_indices", "missing_information"):
            if made.get(key) is not None:
                draft.fields[key] = made[key]
        draft.chunks = made["chunks"]
        draft.answer = made["answer"]
        draft.metadata.update(made["metadata"])
        draft.notes += made["notes"]


def _is_chat(body: Mapping[str, Any], recording: Recording) -> bool:
    sources = body.get("sources")
    if not isinstance(sources, (list, tuple)):
        return False
    if sources:
        return all(name in as_map(sources[0]) for name in _SOURCE)
    return "metadata" in body or "question" in recording.request


def _is_structured(body: Mapping[str, Any], recording: Recording) -> bool:
    if "sources" in body or "references" in body:
        return False
    numbers = body.get("citations")
    if is_list_of(numbers, int):
        return True
    return "confidence" in body and not numbers and recording.response is not recording.whole


def _claims_contract(recording: Recording) -> bool:
    """Whether it says that it is a structured response; a transcript that lacks its id says no such thing."""
    body = recording.body
    return body is not as_map(recording.whole) or "chunks" not in body or "missing_information" in body


def _structured(body: Mapping[str, Any], draft: Draft, *, claims: bool) -> dict[str, Any]:
    known = {key: bounded(body[key]) for key in StructuredRAGResponse.model_fields if key in body}
    if "confidence" not in known:
        if claims:
            draft.note(
                BROKEN_CONTRACT,
                "the response holds no confidence; its contract asks for one from 0 to 1",
                "error",
            )
        known["confidence"] = 0.0
    try:
        response = StructuredRAGResponse.model_validate(known)
        made = response.to_transcript("?", draft.chunks, id="x").model_dump(mode="json")
    except ValidationError as error:
        raise _broken(error) from None
    if "confidence" not in body:
        made["confidence"] = None
    if not draft.chunks:
        draft.gap("chunks", "the recording holds no retrieved chunks, which its numbers count", "warning")
    return made


def _chat(body: Mapping[str, Any], request: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    known = {key: bounded(body[key]) for key in ChatResponse.model_fields if key in body}
    asked = {"question": "?", "filters": bounded(as_map(request.get("filters"))) or None}
    try:
        response = ChatResponse.model_validate(known)
        made = response.to_transcript(
            ChatRequest.model_validate(asked), chunks=draft.chunks or None, id="x"
        ).model_dump(mode="json")
    except ValidationError as error:
        raise _broken(error) from None
    if not draft.chunks:
        draft.gap("chunks", "the excerpts of the listed sources stand for what was retrieved")
    return made


def _broken(error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(step) for step in first["loc"])
    return InputError(
        f"breaks the contract of the service: {str(first['msg']).lower()}",
        field=f"response.{place}" if place else "response",
        hint="record the response as the contract models write it",
    )
