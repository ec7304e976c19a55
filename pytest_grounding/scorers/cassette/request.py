"""One question to a remote scorer in canonical form, and its recorded reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pytest_grounding._jsonio import canonical_json, content_hash
from pytest_grounding.errors import RefusedError, UnreadableCassetteError

Reply = Any
_FIELDS = frozenset({"key", "model", "parameters", "recorded", "reply", "reply_sha256", "scorer", "texts"})
_KINDS = {
    "model": str,
    "parameters": dict,
    "recorded": str,
    "reply_sha256": str,
    "scorer": str,
    "texts": dict,
}
_MERGE_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_ANEW = "take the file from version control again, or the line out and record with --grounding-record=new"


@dataclass(frozen=True)
class Request:
    """What is asked of a remote scorer: the smallest thing that has an answer of its own."""

    scorer: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical form, 64 hexadecimal digits: equal requests, equal keys."""
        return content_hash(
            {
                "scorer": self.scorer,
                "model": self.model,
                "parameters": dict(self.parameters),
                "texts": dict(self.texts),
            }
        )

    def redacted(self, redact: Callable[[str], str]) -> Request:
        """The request with each text as the redactor leaves it."""
        return replace(self, texts={part: redact(text) for part, text in self.texts.items()})


@dataclass(frozen=True)
class Record:
    """A request with its reply."""

    request: Request
    reply: Reply
    recorded: str

    @classmethod
    def of_refusal(cls, request: Request, error: RefusedError, day: str) -> Record:
        """What is kept of a request that was refused for good."""
        return cls(request, {"refused": error.problem, "status": error.status, "all": error.of_all}, day)

    @property
    def key(self) -> str:
        """The request's key."""
        return self.request.key

    @property
    def refusal(self) -> RefusedError | None:
        """How the request was refused for good, or None where it was answered."""
        reply = self.reply
        if not isinstance(reply, dict) or reply.keys() != {"refused", "status", "all"}:
            return None
        problem, status = reply["refused"], reply["status"]
        if not isinstance(problem, str) or not isinstance(status, int):
            return None
        return RefusedError(problem, status=status, of_all=reply["all"] is True)

    def line(self) -> str:
        """The record as one line of a cassette; it begins with its key."""
        request = self.request
        value: dict[str, Any] = {
            "key": request.key,
            "model": request.model,
            "parameters": dict(request.parameters),
            "recorded": self.recorded,
            "reply": self.reply,
            "reply_sha256": content_hash(self.reply),
            "scorer": request.scorer,
            "texts": dict(request.texts),
        }
        return canonical_json(value) + "\n"


def parse_line(line: str, *, place: str = "", known: Request | None = None) -> Record:
    """A record from its line."""
    if line.startswith(_MERGE_MARKS):
        problem = "holds a mark of a merge that is not settled"
        raise UnreadableCassetteError(problem, path=place, hint="keep the records of both sides")
    try:
        value = json.loads(line)
    except ValueError as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise _no_record(place, f" ({what})") from None
    if not isinstance(value, dict) or value.keys() != _FIELDS:
        raise _no_record(place)
    if not all(isinstance(value[name], kind) for name, kind in _KINDS.items()):
        raise _no_record(place)
    request = Request(value["scorer"], value["model"], value["parameters"], value["texts"])
    if known == request:
        request = known
    if request.key != value["key"]:
        problem = "its key does not fit its request, so it was edited"
        raise UnreadableCassetteError(problem, path=place, hint=_ANEW)
    if content_hash(value["reply"]) != value["reply_sha256"]:
        problem = "its reply does not fit its reply_sha256, so it was edited"
        raise UnreadableCassetteError(problem, path=place, hint=_ANEW)
    return Record(request, value["reply"], value["recorded"])


def _no_record(place: str, why: str = "") -> UnreadableCassetteError:
    return UnreadableCassetteError(f"is no record of a cassette{why}", path=place, hint=_ANEW)
