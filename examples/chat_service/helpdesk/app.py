"""The doors of the service: what is asked over HTTP, and in which form it is answered."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, Header, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

import pytest_grounding as pg
from helpdesk.config import Config
from helpdesk.desk import Desk, Event
from helpdesk.refusals import Refused, checked, on_http_error, on_invalid, on_refusal
from pytest_grounding.model.verdict import Rejection

Session = Annotated[str | None, Header(alias="X-Session-Id", max_length=100)]


def create_app(config: Config | None = None) -> FastAPI:
    desk = Desk(config or Config.of(os.environ))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        desk.warm_up()
        yield
        desk.close()

    app = FastAPI(title="Oriole help desk", lifespan=lifespan)
    app.add_exception_handler(Refused, on_refusal)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http_error)

    @app.post("/chat")
    async def chat(request: pg.ChatRequest, session: Session = None) -> pg.ChatResponse | Rejection:
        """The validated answer, or the payload that stands in for a rejected one."""
        async with aclosing(desk.exchange(accepted(request), session)) as events:
            *_, (_, reply) = [event async for event in events]
        return (pg.ChatResponse if "answer" in reply else Rejection).model_validate(reply)

    @app.post("/chat/stream")
    async def stream(request: pg.ChatRequest, session: Session = None) -> StreamingResponse:
        """Server-sent events: the text as it comes, then its citations, then the verdict."""
        events = desk.exchange(accepted(request), session)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(sent(events), media_type="text/event-stream", headers=headers)

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(desk.metrics.text(), media_type=desk.metrics.content_type)

    @app.get("/healthz")
    def healthz() -> dict[str, Any]:
        return {"status": "ok", "mode": desk.config.mode, "sections": len(desk.retriever.chunks)}

    def accepted(request: pg.ChatRequest) -> pg.ChatRequest:
        """Refuse before the first byte goes out: a stream that has begun cannot change its status."""
        try:
            return checked(request, desk.settings.question_max_length)
        except Refused as refusal:
            desk.replies.labels(refusal.body["error"]).inc()
            raise

    return app


async def sent(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    """Events in the form of the wire. A failure half-way is an event too."""
    async with aclosing(events) as open_events:
        try:
            async for name, data in open_events:
                yield wire(name, data)
        except Refused as refusal:
            yield wire("error", refusal.body)


def wire(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
