"""Find the importer of a value, and read the project's own format, with advice on mistakes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from pytest_grounding._io.jsonio import content_hash, line_of_field
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.lexicon import member_values
from pytest_grounding.model import transcript as model
from pytest_grounding.model.json_values import bounded_json, is_list_of
from pytest_grounding.model.members import as_list, as_map
from pytest_grounding.model.transcript import DEFAULT_QUESTION_MAX_LENGTH, Transcript

if TYPE_CHECKING:
    from pytest_grounding.importers.draft import Options
    from pytest_grounding.importers.importer import Importer

Loc = tuple[str | int, ...]
_MODELS: dict[str, type[BaseModel]] = {
    "chunks": model.Chunk,
    "citations": model.ProviderCitation,
    "history": model.Turn,
    "notes": model.Note,
}
_OTHER_NAMES = member_values("other names")
#: Members of a recorded call that our own format lacks.
_FOREIGN_CALL = set("type function jsonrpc args functionCall function_call tool_call_id role".split())
#: What to write for a field, or for a member of a list by its place; and problems in words by their kind.
_ADVICE = {(kind, name): advice for kind, name, advice in rows_beside(__file__, "what_to_write.tsv")}


def to_transcript(
    value: Any,
    *,
    path: str | None = None,
    line: int | None = None,
    source: str | None = None,
    question_max_length: int = DEFAULT_QUESTION_MAX_LENGTH,
) -> Transcript:
    """Build a transcript from a JSON value."""
    if not isinstance(value, Mapping):
        kind = {list: "a list", str: "a string", type(None): "null"}.get(type(value), "a number or switch")
        kind = "an empty list" if value == [] else kind
        hint = 'write {"id": ..., "question": ..., "chunks": [...], "answer": ...}'
        problem = f"a transcript is an object, and this is {kind}"
        raise InputError(problem, path=path, line=line, hint=hint)
    calls = value.get("tool_calls")
    if isinstance(calls, (list, tuple)) and any(_FOREIGN_CALL & as_map(call).keys() for call in calls):
        from pytest_grounding.importers.tool_calls import calls_in

        value = {**value, "tool_calls": calls_in(calls)}
    try:
        return Transcript.model_validate(value, context={"question_max_length": question_max_length})
    except ValidationError as error:
        raise _explained(error, path, line, source) from None
    except RecursionError:
        raise InputError("is nested too deeply to be read", path=path, line=line) from None


def _explained(error: ValidationError, path: str | None, line: int | None, source: str | None) -> InputError:
    # A field with another tool's name is both missing and unknown: its name decides the advice.
    problems = sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden")
    first = problems[0]
    loc: Loc = tuple(first["loc"])
    if source is not None and line is not None:
        line = line_of_field(source, loc, first_line=line)
    problem, hint = _sentence_for(first["type"], loc, first)
    if len(problems) > 1:
        others = ", ".join(dict.fromkeys(_dotted(tuple(item["loc"])) for item in problems[1:6]))
        problem += f" (also fix: {others or 'the whole'})"
    return InputError(problem, path=path, line=line, field=_dotted(loc) or None, hint=hint)


def _sentence_for(kind: str, loc: Loc, detail: Mapping[str, Any]) -> tuple[str, str | None]:
    name = str(loc[-1]) if loc else ""
    if kind == "extra_forbidden":
        return "is not a known field", _nearest_field(loc)
    if kind == "value_error":
        message = str(detail["ctx"]["error"])
        problem, _, hint = message.partition("; ")
        return problem, hint or None
    problem = _ADVICE.get(("problem", kind), str(detail["msg"]).lower())
    if kind == "literal_error":
        return problem, f"write {detail['ctx']['expected']}"
    if kind not in {"missing"} and isinstance(detail.get("input"), (str, int, float, bool, type(None))):
        problem += f" ({_shown_value(detail.get('input'))})"
    within = tuple(step for step in loc if isinstance(step, str))
    is_member = name == "metadata" or len(within) < len(loc)
    advice = _ADVICE.get(("member", ".".join(within))) if is_member else None
    return problem, advice or _ADVICE.get(("field", name))


def _shown_value(value: Any) -> str:
    """A value as in the file: ``null`` and ``true`` instead of Python's ``None`` and ``True``."""
    text = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _nearest_field(loc: Loc) -> str:
    name = str(loc[-1])
    held = _MODELS.get(str(loc[0]), Transcript) if len(loc) > 1 else Transcript
    known = [field for field in held.model_fields if field not in {"schema_version", "notes"}]
    other = _OTHER_NAMES.get(name)
    if other in known:
        return f"write it as {other!r}"
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known here: {', '.join(known)}; what is your own belongs under 'metadata'"


def _dotted(loc: Sequence[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc).removeprefix(".")


def is_native(value: Any) -> bool:
    """Whether a value is in the project's own format, complete or with a mistake."""
    members = as_map(value)
    if "chunks" not in members or not {"answer", "question"} & set(members) or "response" in members:
        return False
    if "id" not in members and _has_foreign_chunks(members["chunks"]):
        return False
    if not is_list_of(members.get("citations"), int):
        return True
    # A structured response lists numbers where a transcript lists spans, and has a confidence.
    is_sure = bool({"confidence", "missing_information"} & set(members))
    return {"id", "question", "answer"} <= set(members) and not is_sure


def _has_foreign_chunks(chunks: Any) -> bool:
    """Whether the chunks are all points of a store, or nodes, as their library gives them."""
    items = as_list(chunks)
    wrapped = (as_map(item).get("payload") or as_map(item).get("node") for item in items)
    return bool(items) and all(isinstance(inner, Mapping) for inner in wrapped)


class Importers:
    """The importers of a run: those of extensions, then the built-in ones."""

    def __init__(self, extensions: Sequence[Importer] = (), options: Options | None = None) -> None:
        self._extensions, self._options = extensions, options

    @cached_property
    def all(self) -> Sequence[Importer]:
        """All importers in the order in which they are tried."""
        from pytest_grounding.importers.builtin import builtin_importers

        return [*self._extensions, *builtin_importers(self._options)]

    def of(self, value: Any) -> Importer | None:
        """The first importer that recognises the value; None for the native format and for unknown values."""
        # An extension's importer may want a native value too.
        for importer in self._extensions if is_native(value) else self.all:
            with _failing(importer):
                if importer.recognises(value):
                    return importer
        return None

    def refuse(self, value: Any) -> None:
        """Raise the error on a value that no importer recognises, unless it looks like a transcript."""
        if self._options is not None and self._options.columns and not is_native(value):
            from pytest_grounding.importers.table import missing_path

            if (error := missing_path(value, self._options.columns)) is not None:
                raise error
        refuse_unknown_format(value)


def convert(importer: Importer, value: Any) -> Iterator[Mapping[str, Any]]:
    """The native mappings that an importer makes of a value."""
    with _failing(importer):
        yield from importer.convert(value)


@contextmanager
def _failing(importer: Importer) -> Iterator[None]:
    """Say which importer failed; an extension's may raise anything."""
    try:
        yield
    except GroundingError:
        raise
    except RecursionError:
        raise InputError("is nested too deeply to be read") from None
    except Exception as error:
        name = getattr(importer, "name", type(importer).__name__)
        problem = f"the importer {name!r} failed: {type(error).__name__}: {str(error)[:200]}"
        raise InputError(problem) from error


def only(importer: Importer, value: Any) -> Mapping[str, Any]:
    """The one native mapping in a value."""
    mappings = list(convert(importer, value))
    if len(mappings) != 1:
        raise InputError(f"a {importer.name} value with {len(mappings)} transcripts, expected one")
    return mappings[0]


def named_value(mapping: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], bool]:
    """The mapping with an id, and whether the id was generated."""
    if mapping.get("id") is not None:
        return mapping, False
    if mapping.get("made_id"):
        rest = {key: value for key, value in mapping.items() if key != "made_id"}
        return {**rest, "id": mapping["made_id"]}, True
    asked = [mapping.get("question"), bounded_json(mapping.get("history") or [])]
    form = as_map(mapping.get("metadata")).get("format", name)
    message = "the recording has no id; this one is made of its question"
    note = {"rule": "recording_gap", "severity": "info", "message": message}
    notes = [*as_list(mapping.get("notes")), note]
    return {**mapping, "id": f"{form}-{content_hash(asked)[:12]}", "notes": notes}, True


def refuse_unknown_format(value: Any) -> None:
    """Report that an object has no known format, if nothing in it looks like a transcript."""
    members = as_map(value)
    response = as_map(members.get("response"))
    if response and "answer" not in members:
        problem = f"is of no format that is known (its fields: {_names_of_fields(response)})"
        hint = "record one of the formats of docs/formats.md, whole, or write id, question, chunks, answer"
        raise InputError(problem, field="response", hint=hint)
    if members and not {"id", "question", "chunks", "answer"} & set(members):
        problem = "is neither a transcript nor a recording of a format that is known"
        hint = "write id, question, chunks and answer, record a format of docs/formats.md, or name the "
        hint += "members with the setting columns, such as columns = question=Q, answer=A, chunks=Text"
        raise InputError(f"{problem} (its fields: {_names_of_fields(members)})", hint=hint)


def _names_of_fields(members: Mapping[str, Any]) -> str:
    return ", ".join(repr(str(key)[:30]) for key in list(members)[:6])
