"""One exchange, from the question to what goes out: retrieve, generate, validate, decide."""

from __future__ import annotations

import asyncio
import logging
import os
import time
import uuid
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram

import pytest_grounding as pg
from helpdesk.config import Config, load
from helpdesk.model import DECLINED, PROMPT
from helpdesk.refusals import Refused
from helpdesk.retriever import read_sections
from pytest_grounding.citations.naming import valid_inline_citations
from pytest_grounding.model.verdict import Rejection, Verdict

# Neither questions nor answers are logged here: what is kept of an exchange stands in the audit log.
log = logging.getLogger("helpdesk")

WORDS = {"pass": "PASS", "review": "REVIEW", "reject": "REJECT"}
Event = tuple[str, dict[str, Any]]


class Desk:
    """Everything that lives as long as the service."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.settings = pg.Settings.from_environment()
        self.retriever = load(config.retriever)(read_sections(config.documents))
        if not self.retriever.chunks:
            # It would decline every question, politely and for ever.
            raise SystemExit(f"{config.documents} contains no pages (*.md) to answer from")
        self.generate = load(config.model)
        self.registry = CollectorRegistry()
        self.metrics = pg.PrometheusMetrics(self.registry, settings=self.settings)
        self.replies = Counter(
            "helpdesk_replies", "Requests by how they ended.", ["outcome"], registry=self.registry
        )
        self.seconds = Histogram("helpdesk_reply_seconds", "Seconds to a reply.", registry=self.registry)
        required = config.audit_required
        self.audit = pg.AuditLog(config.audit, required=required) if config.audit else None
        # Threads, not processes: the work of one answer is a few milliseconds, so the event loop needs to be
        # kept free, and more than one core is had by running more workers of the service.
        self.pool = ThreadPoolExecutor(config.workers, thread_name_prefix="validation")

    def warm_up(self) -> None:
        """Load the engine before the first customer waits for it; this counts nowhere."""
        for chunk in self.retriever.chunks[:3]:
            question = f"What is said about {chunk.metadata.section_title}?"
            found = tuple(self.retriever.search(question))
            answer = " ".join(f"{part.text} [{number}]" for number, part in enumerate(found, start=1))
            pg.validate(
                pg.Transcript(id="warm-up", question=question, chunks=found, answer=answer), self.settings
            )

    def close(self) -> None:
        """Finish what is being validated, so that every answer that went out is in the log."""
        self.pool.shutdown(wait=True)

    async def exchange(self, request: pg.ChatRequest, session: str | None) -> AsyncIterator[Event]:
        """The events of one answer: ``delta`` for each piece, then ``citations``, then ``verdict``.

        The last event holds the whole reply; POST /chat returns just that.
        """
        began, outcome = time.perf_counter(), "abandoned"
        try:
            chunks = self.retriever.search(request.question, request.filters)
            pieces = []
            async with aclosing(self._pieces(request.question, chunks)) as coming:
                async for piece in coming:
                    pieces.append(piece)
                    yield "delta", {"text": piece}
            transcript = self._transcript(request, chunks, "".join(pieces), session)
            verdict = await self._judged(transcript)
            cited = valid_inline_citations(transcript, verdict.citations, self.settings)
            yield "citations", {"citations": [item.model_dump(mode="json") for item in cited]}
            reply = self._reply(transcript, verdict, time.perf_counter() - began)
            outcome = verdict.status
            yield "verdict", reply.model_dump(mode="json")
        except Refused as refusal:
            outcome = refusal.body["error"]
            raise
        finally:
            self.replies.labels(outcome).inc()
            self.seconds.observe(time.perf_counter() - began)

    async def _pieces(self, question: str, chunks: list[pg.Chunk]) -> AsyncIterator[str]:
        """What the model says; without anything to answer from it is not asked."""
        if not chunks:
            yield DECLINED
            return
        context = self.retriever.context(chunks)
        prompt = PROMPT.format(declined=DECLINED, context=context, question=question)
        async with aclosing(self.generate(prompt)) as coming:
            while (piece := await self._next(coming)) is not None:
                yield piece

    async def _next(self, coming: AsyncIterator[str]) -> str | None:
        """The next piece, or None at the end; a model that fails or hangs ends the exchange."""
        try:
            async with asyncio.timeout(self.config.model_timeout_s):
                return await anext(coming, None)
        except TimeoutError:
            log.warning("the model was silent for %g seconds", self.config.model_timeout_s)
            raise Refused(504, "model_timeout", "the answer took too long; ask again later") from None
        except Exception as error:
            # The message of a client's exception often repeats the prompt, so its type has to do.
            log.warning("the model failed: %s", type(error).__name__)
            raise Refused(502, "model_failed", "no answer could be generated; ask again later") from None

    def _transcript(
        self, request: pg.ChatRequest, chunks: list[pg.Chunk], answer: str, session: str | None
    ) -> pg.Transcript:
        name = str(uuid.uuid4())
        metadata = {
            "response_id": name,
            "session_id": session,
            "model_version": self.config.model,
            "recorded_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        return pg.Transcript(
            id=name,
            question=request.question,
            filters=request.filters,
            chunks=tuple(chunks),
            answer=answer,
            metadata={key: value for key, value in metadata.items() if value is not None},
        )

    async def _judged(self, transcript: pg.Transcript) -> Verdict:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.pool, self._judge, transcript)
        except Exception as error:
            # What was not judged is not sent. The message may repeat the answer, so its type has to do.
            log.error("validation failed: %s", type(error).__name__)
            raise Refused(
                503, "validation_failed", "the answer could not be checked; ask again later"
            ) from None

    def _judge(self, transcript: pg.Transcript) -> Verdict:
        """In a thread of the pool: the verdict, its line in the audit log, its count, its transcript."""
        citation_seconds = self.metrics.citation_seconds(transcript, self.settings)
        began = time.perf_counter()
        verdict = pg.validate(transcript, self.settings)
        seconds = time.perf_counter() - began
        if self.audit is not None:
            self.audit.append(verdict, transcript, processing_time_ms=seconds * 1000)
        self.metrics.observe(verdict, seconds=seconds, citation_seconds=citation_seconds)
        if self.config.transcripts is not None:
            keep(self.config.transcripts, transcript)
        return verdict

    def _reply(
        self, transcript: pg.Transcript, verdict: Verdict, seconds: float
    ) -> pg.ChatResponse | Rejection:
        """What the verdict makes of the answer, as far as the mode lets it reach."""
        mode = self.config.mode
        if mode == "reject" and verdict.status == "reject" and verdict.rejection is not None:
            return verdict.rejection
        answer = transcript.answer
        if mode != "shadow" and verdict.status != "pass" and not verdict.declined:
            # The verdict's own flag is about citations alone; here every doubt is worth the note. An answer
            # that declines states nothing that could be doubted.
            doubtful = verdict.model_copy(update={"uncertain": True})
            answer = pg.annotate_uncertain(transcript, doubtful, self.settings)
        return pg.ChatResponse(
            answer=answer,
            sources=[_source(chunk) for chunk in transcript.chunks],
            metadata=pg.RAGMetadata(
                **transcript.metadata,
                confidence_score=verdict.confidence,
                processing_time_ms=round(seconds * 1000, 3),
                status=WORDS[verdict.status],
                reason=verdict.reason,
                audit_id=verdict.audit_id,
            ),
        )


def _source(chunk: pg.Chunk) -> pg.Source:
    """A source as the contract lists it. All chunks are listed, in order: [n] is the n-th of them."""
    return pg.Source(
        chapter_id=chunk.metadata.chapter_id or "",
        section_number=chunk.metadata.section_number or "",
        section_title=chunk.metadata.section_title or "",
        excerpt=chunk.text,
        relevance_score=chunk.score,
    )


def keep(path: os.PathLike[str], transcript: pg.Transcript) -> None:
    """Append a transcript in one write, so that two of them never mix. Off unless a path is configured."""
    line = transcript.model_dump_json(exclude_defaults=True) + "\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line.encode())
    finally:
        os.close(descriptor)
