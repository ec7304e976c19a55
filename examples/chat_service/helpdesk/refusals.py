"""What a client is told when there is no answer: a status, a word for programs, a sentence for people."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import pytest_grounding as pg

#: Kind of a fault as pydantic names it -> the word for it, and the sentence. {field} is where it stands.
WORDS = {
    "missing": ("field_missing", "the request contains no {field}"),
    "string_too_short": ("question_empty", "the question is empty; write 1 to 2000 characters"),
    "string_too_long": ("question_too_long", "the question has {length} characters; write at most {limit}"),
    "extra_forbidden": (
        "unknown_field",
        "{field} is not a field of the request; it has question and filters",
    ),
    "json_invalid": ("no_json", "the body is not JSON"),
}


class Refused(Exception):  # noqa: N818 - a refusal is an outcome, not an error of the program
    """The exchange ends without an answer."""

    def __init__(self, status: int, error: str, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": error, "message": message, **facts}


def checked(request: pg.ChatRequest, limit: int) -> pg.ChatRequest:
    """The request, if it keeps what the contract leaves to the service: length and filters."""
    length = len(request.question)
    if not request.question.strip():
        raise Refused(400, "question_empty", f"the question is empty; write 1 to {limit} characters")
    if length > limit:
        message = f"the question has {length} characters; write at most {limit}"
        raise Refused(400, "question_too_long", message, limit=limit, length=length)
    if unknown := sorted((request.filters or {}).keys() - {"chapter"}):
        raise Refused(400, "unknown_filter", f"there is no filter {unknown[0]!r}; the only one is chapter")
    return request


async def on_refusal(_: Request, refusal: Refused) -> JSONResponse:
    return JSONResponse(refusal.body, refusal.status)


async def on_http_error(_: Request, error: HTTPException) -> JSONResponse:
    """No such door, or a body that cannot be read at all: in the form of all refusals."""
    word = {400: "no_json", 404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    return JSONResponse({"error": word, "message": str(error.detail)}, error.status_code)


async def on_invalid(_: Request, error: RequestValidationError) -> JSONResponse:
    """A broken contract. FastAPI's own body repeats the input; a question has no place in a log of errors."""
    fault = error.errors()[0]
    field = ".".join(str(part) for part in fault["loc"][1:]) or "request"
    word, sentence = WORDS.get(fault["type"], ("invalid_request", "{field}: " + fault["msg"]))
    known = fault.get("ctx", {})
    facts = {name: known[name] for name in ("limit", "length") if name in known}
    return JSONResponse({"error": word, "message": sentence.format(field=field, **facts), **facts}, 400)
