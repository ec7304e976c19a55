"""Rows with a whole exchange: data sets, evaluations and responses of services."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import EXPECTATIONS, Draft, has_text
from pytest_grounding.importers.endings import error_text
from pytest_grounding.importers.importer import Format, Gathering, Recording
from pytest_grounding.importers.messages import QUESTIONS, split_turns, turns_of
from pytest_grounding.model.contracts import BROKEN_CONTRACT, ChatRequest, ChatResponse, StructuredRAGResponse
from pytest_grounding.model.json_values import as_int, as_name, as_text, bounded_json, decoded, is_list_of
from pytest_grounding.model.listed import lists_in, snake_case
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, maps_in

#: Where an output, its metadata or the variables of a test have the retrieved passages, in this order.
_CONTEXTS = ("context", "contexts", "chunks", "documents", "retrieved_contexts", "sources")
_BAR = re.compile(r"(?<=\S)\|(?=\S)")
#: Members of a test case that tell how it was measured, and not how it ended.
_MEASURED = frozenset(("success", "metrics_data", "metricsData", "metadata"))
_RESULT = frozenset({"testCase", "promptIdx", "testIdx", "gradingResult", "namedScores", "latencyMs"})
_SOURCE = ("chapter_id", "section_number")
#: Names of a service's question, answer and sources, and members stored under their own name.
_ASKED = ("question", "query")
_ANSWERS = ("answer", "response", "result")
_LISTS = ("sources", "source_documents", "documents", "contexts", "context", "passages", "retrieved_chunks")
_FIELDS = ("language", "filters", "confidence", "missing_information", "history", "cited_indices")


class Ragas(Format):
    """Reads a sample; ids of contexts are in a separate list. Of a conversation, the last turn counts."""

    name = "ragas"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        if isinstance(body.get("user_input"), (str, list)):
            return "response" in body or "retrieved_contexts" in body or isinstance(body["user_input"], list)
        if not {"question", "contexts", "answer"}.issubset(body):
            return False
        # RAGAS has texts; objects with a text are the sources of a service, which `Listed` reads.
        return not (body["contexts"] and are_sources(body["contexts"]))

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = recording.body
        asked = first_of(body, "user_input", "question")
        turns = turns_of(asked) if isinstance(asked, (list, tuple)) else [("user", as_text(asked) or "")]
        answer = as_text(first_of(body, "response", "answer"))
        if answer is None and turns and turns[-1][0] == "assistant":
            answer = turns.pop()[1]
        draft.question, draft.history = split_turns(turns)
        draft.answer = answer or ""
        listed = "contexts" if body.get("retrieved_contexts") is None else "retrieved_contexts"
        draft.add(body.get(listed), listed, as_list(decoded(body.get("retrieved_context_ids"))))
        draft.need_chunks("the sample contains no retrieved contexts")
        draft.known("reference", first_of(body, "reference", "ground_truth", "ground_truths"))
        draft.used.add(listed)


class DeepEval(Format):
    """Reads a test case. ``retrieval_context`` is the retrieved one; ``context`` is the ideal."""

    name = "deepeval"

    def _fits(self, recording: Recording) -> bool:
        return bool(_test_cases(recording.body))

    def _exchanges(self, recording: Recording) -> Iterator[Recording]:
        """One per test case, also of a test run or an evaluation's result."""
        for case in _test_cases(recording.body):
            members = {key: held for key, held in case.items() if key not in _MEASURED}
            yield Recording(members, recording.request, {} if case is recording.body else recording.beside)

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = {snake_case(str(key)): item for key, item in recording.body.items()}
        draft.question = as_text(body.get("input")) or ""
        draft.say_value(body.get("actual_output") or "")
        draft.made_id = as_name(body.get("name")) or ""
        held = body.get("retrieval_context")
        if isinstance(held, str) and not held.lstrip().startswith("["):
            # Deepeval's CSV and JSON lines join the passages.
            held = [part for part in _BAR.split(held) if part.strip()]
            if len(held) > 1:
                said = "the passages were joined by '|' and are split there; write them as JSON to be sure"
                draft.lose(said, "info")
        draft.add(held, "retrieval_context")
        draft.need_chunks("the test case contains no retrieval_context")
        draft.known("reference", body.get("expected_output"))


def _test_cases(members: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    if _is_test_case(members):
        return [members]
    for name in ("testCases", "test_cases", "test_results", "testResults"):
        held = maps_in(decoded(members.get(name)))
        if held and all(map(_is_test_case, held)):
            return held
    return []


def _is_test_case(members: Mapping[str, Any]) -> bool:
    return "input" in members and ("actual_output" in members or "actualOutput" in members)


class Promptfoo(Gathering):
    """Reads each result: question and context are variables of the test, or parts of the output."""

    name = "promptfoo"

    def belongs(self, value: Any) -> bool:
        """Whether the value is a result, or a file of results."""
        members = as_map(value)
        return _is_result(members) or any(map(_is_result, _results_of_run(members)[:3]))

    def _drafts(self, values: Sequence[Any]) -> Iterator[tuple[int, Draft]]:
        for index, value in enumerate(values):
            members = as_map(value)
            for result in [members] if _is_result(members) else _results_of_run(members):
                draft = self.draft()
                draft.known("recorded_at", as_map(members.get("results")).get("timestamp"))
                self._read(result, draft)
                yield index, draft

    def _read(self, result: Mapping[str, Any], draft: Draft) -> None:
        given = as_map(result.get("vars"))
        response = as_map(result.get("response"))
        output = decoded(response.get("output"))
        draft.question = first_text(given, *QUESTIONS) or ""
        draft.say_value(output)
        for place in map(as_map, (output, response.get("metadata"), result.get("metadata"), given)):
            name = next((key for key in _CONTEXTS if place.get(key) is not None), "")
            draft.expect(place)
            if name and not draft.chunks:
                draft.used.add(name)
                draft.add(place[name], name, may_lack_text=True)
        draft.known("provider", as_map(result.get("provider")).get("id"))
        draft.known("prompt", as_map(result.get("prompt")).get("label"))
        draft.made_id = _result_id(result)
        draft.ended(error_text(result.get("error")) if draft.answer else "")
        draft.need_chunks("the result contains no context")
        if not draft.answer:
            why = as_text(first_of(result, "error") or response.get("error")) or "it contains no output"
            draft.gap("answer", f"the result contains no answer: {why[:200]}", "warning")


def _result_id(result: Mapping[str, Any]) -> str:
    """The place of a result: its test, its prompt and its provider, which no run changes."""
    test, prompt = as_int(result.get("testIdx")), as_int(result.get("promptIdx"))
    if test is None:
        return ""
    provider = as_map(result.get("provider"))
    name = first_text(provider, "label", "id") or as_name(result.get("provider"))
    parts = [f"test-{test}", f"prompt-{prompt}" if prompt is not None else None, name]
    return "-".join(part for part in parts if part)


def _results_of_run(members: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The results in a file: an object of its own since release 0.20, a list in a list before."""
    return maps_in(as_map(members.get("results")).get("results"))


def _is_result(members: Mapping[str, Any]) -> bool:
    is_test = isinstance(members.get("vars"), Mapping) and "prompt" in members
    return is_test and len(_RESULT & set(members)) > 1


def are_sources(found: Any) -> bool:
    """Whether this is a list, possibly empty, of objects with a text."""
    is_list = isinstance(found, (list, tuple))
    return is_list and all(isinstance(item, Mapping) and has_text(item) for item in found)


class Listed(Format):
    """Reads ``{question or query, answer, sources}``; a source is a passage in any shape."""

    name = "sources"

    def _fits(self, recording: Recording) -> bool:
        body = as_map(recording.whole)
        is_said = all(isinstance(first_of(body, *names), str) for names in (_ASKED, _ANSWERS))
        return is_said and are_sources(first_of(body, *_LISTS))

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = as_map(recording.whole)
        draft.id = draft.id or as_name(body.get("id"))
        draft.question = str(first_of(body, *_ASKED))
        draft.answer = str(first_of(body, *_ANSWERS))
        draft.metadata.update(as_map(bounded_json(as_map(body.get("metadata")))))
        listed = next(key for key in _LISTS if body.get(key) is not None)
        draft.used.add(listed)
        draft.chunks_of(as_list(body[listed]))
        if not draft.chunks:
            draft.gap("chunks", "the list of sources is empty")
        # Members without a meaning here are kept.
        read = {"id", "metadata", *_ASKED, *_ANSWERS, *_LISTS, *EXPECTATIONS, *lists_in(body)}
        for key, value in body.items():
            if key not in read and (kept := bounded_json(value)) is not None:
                members = draft.fields if key in _FIELDS else draft.metadata
                members[key] = kept


class Contract(Format):
    """Reads a service's response with its question beside it or among its members."""

    name = "contract"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        is_either = _is_chat(body, recording) or _is_structured(body, recording)
        return isinstance(body.get("answer"), str) and is_either

    def _read(self, recording: Recording, draft: Draft) -> None:
        # Through the contract's own conversion, so that its findings are kept.
        body, request = recording.body, recording.request
        if not recording.beside and body is recording.whole:
            draft.beside({key: body[key] for key in ("id", "chunks", "question", "filters") if key in body})
        draft.question = draft.question or str(request.get("question") or self.options.question or "")
        if not draft.question.strip():
            return
        if not draft.chunks:
            draft.add(request.get("chunks"), "request.chunks", may_lack_text=True)
        try:
            is_structured = _is_structured(body, recording)
            made = _structured(recording, draft) if is_structured else _chat(body, request, draft)
        except ValidationError as error:
            raise _broken(error) from None
        known = ("filters", "confidence", "cited_indices", "missing_information")
        draft.fields |= {key: made[key] for key in known if made.get(key) is not None}
        draft.chunks, draft.answer = made["chunks"], made["answer"]
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
    is_sure = "confidence" in body and not numbers and recording.response is not recording.whole
    return is_sure or is_list_of(numbers, int)


def _structured(recording: Recording, draft: Draft) -> dict[str, Any]:
    body = recording.body
    known = {key: bounded_json(body[key]) for key in StructuredRAGResponse.model_fields if key in body}
    known.setdefault("citations", [])
    if "confidence" not in known:
        # A transcript without an id is not therefore a structured response.
        if body is not as_map(recording.whole) or "chunks" not in body or "missing_information" in body:
            problem = "the response contains no confidence; its contract asks for one from 0 to 1"
            draft.note(BROKEN_CONTRACT, problem, "error")
        known["confidence"] = 0.0
    response = StructuredRAGResponse.model_validate(known)
    made = response.to_transcript("?", draft.chunks, id="x").model_dump(mode="json")
    if "confidence" not in body:
        made["confidence"] = None
    draft.need_chunks("the recording contains no retrieved chunks, which its numbers count")
    return made


def _chat(body: Mapping[str, Any], request: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    known = {key: bounded_json(body[key]) for key in ChatResponse.model_fields if key in body}
    asked = {"question": "?", "filters": bounded_json(as_map(request.get("filters"))) or None}
    response = ChatResponse.model_validate(known)
    made = response.to_transcript(ChatRequest.model_validate(asked), chunks=draft.chunks or None, id="x")
    if not draft.chunks:
        draft.gap("chunks", "the excerpts of the listed sources replace the retrieved chunks")
    return made.model_dump(mode="json")


def _broken(error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    place = ".".join(["response", *map(str, first["loc"])])
    problem = f"breaks the contract of the service: {str(first['msg']).lower()}"
    return InputError(problem, field=place, hint="record the response as the contract models write it")
