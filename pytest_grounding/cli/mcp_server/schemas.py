"""JSON Schema of what the tools take and give, made of the models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from pytest_grounding.cli.mcp_server.request_limits import CALLER_SETTINGS, Limits
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.settings import FIELDS

Schema = dict[str, Any]

#: What a caller has to know of a transcript's fields; the models describe them for programmers.
_FIELDS = {
    "id": 'Name of the transcript; "answer" where it is left out.',
    "question": "The question that was asked.",
    "chunks": "The retrieved passages in the order in which the model saw them; [] for none.",
    "answer": "The answer, verbatim, with its citation markers.",
    "language": 'BCP 47 tag of the answer, such as "en"; detected where it is left out.',
    "citations": "Citations as a provider reports them, as spans of the answer.",
    "cited_indices": "The 1-based chunk numbers that a structured response lists.",
    "history": "Earlier turns of the conversation.",
    "confidence": "The confidence that the pipeline reported of itself, 0 to 1.",
    "metadata": "Anything else that is known of the answer.",
}

_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def transcript_schema(limits: Limits) -> Schema:
    """Schema of a transcript with its limits."""
    document = plain(Transcript.model_json_schema())
    definitions: Schema = document.pop("$defs")
    document["description"] = "One recorded RAG exchange."
    document["required"] = [name for name in document["required"] if name != "id"]
    for unknown in ("notes", "schema_version"):
        document["properties"].pop(unknown)
    for name, text in _FIELDS.items():
        document["properties"][name]["description"] = text
    document["properties"]["answer"]["maxLength"] = limits.answer
    document["properties"]["chunks"]["maxItems"] = limits.chunks
    definitions["Chunk"]["properties"]["text"]["maxLength"] = limits.chunk
    found: Schema = _whole(document, definitions)
    return found


def chunks_schema(limits: Limits) -> Schema:
    """Schema of a list of chunks, each an object or its text alone."""
    chunk = plain(Chunk.model_json_schema())
    definitions: Schema = chunk.pop("$defs")
    chunk["properties"]["text"]["maxLength"] = limits.chunk
    either = [_whole(chunk, definitions), {"type": "string", "maxLength": limits.chunk}]
    return {
        "type": "array",
        "description": "The retrieved passages, as objects or as their text alone; [] for none.",
        "items": {"anyOf": either},
        "maxItems": limits.chunks,
    }


def _whole(schema: Any, definitions: Schema) -> Any:
    """A schema with its references resolved: models that call tools often do not follow them."""
    if isinstance(schema, list):
        return [_whole(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {key: _whole(value, definitions) for key, value in schema.items() if key != "$ref"}
    if "$ref" not in schema:
        return rest
    return {**_whole(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions), **rest}


def settings_schema() -> Schema:
    """Schema of the settings that a call may change."""
    return {
        "type": "object",
        "description": "Thresholds and policies for this call; the server's own where left out.",
        "properties": {name: _setting(name) for name in CALLER_SETTINGS},
        "additionalProperties": False,
    }


def _setting(name: str) -> Schema:
    facts = FIELDS[name]
    found: Schema = {"type": _TYPES[type(facts.default)], "description": facts.metadata["help"]}
    for key, keyword in (("low", "minimum"), ("high", "maximum"), ("choices", "enum")):
        value = facts.metadata[key]
        if value is not None:
            found[keyword] = list(value) if key == "choices" else value
    return found


def object_schema(properties: Mapping[str, Schema], required: list[str]) -> Schema:
    """Schema of a closed object."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def output_schema(model: type[BaseModel]) -> Schema:
    """Schema of what a tool gives; what has a default may be left out of a brief answer."""
    found: Schema = plain(model.model_json_schema())
    return found


def plain(schema: Any) -> Any:
    """A schema in fewer words: without the titles that pydantic makes of names."""
    if isinstance(schema, list):
        return [plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        key: plain(value)
        for key, value in schema.items()
        # In "properties" a title is a property, and its value is a schema.
        if not (key == "title" and isinstance(value, str)) and not (key == "default" and _is_nothing(value))
    }
    either = found.get("anyOf")
    if isinstance(either, list) and len(either) == 2 and either[1] == {"type": "null"}:
        only = either[0]
        if isinstance(only.get("type"), str) and "enum" not in only:
            found.pop("anyOf")
            found |= {**only, "type": [only["type"], "null"]}
    return found


def _is_nothing(default: Any) -> bool:
    return default is None or (isinstance(default, dict) and all(value is None for value in default.values()))
