"""A chat model with JSON replies as a judge, within the request limit of a run; each reply is recorded."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.errors import BudgetError, CassetteError, RefusedError, ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.remote.cassette_file import Reply, Request, Tape
from pytest_grounding.scorers.remote.judge.contract import Complete, Ruling, one_by_one
from pytest_grounding.scorers.remote.local_evidence import text_of_claim

T = TypeVar("T")
_SYSTEM: dict[str, str] = dict(rows_beside(__file__, "prompts.tsv"))
#: Most statements per request: their rulings with reasons fit into one reply.
BATCH = 16
_TRIES = 2  # claims requested one by one before a service counts as failing
_REASON_LENGTH = 300


def spread(calls: Sequence[Callable[[], T]], threads: int) -> list[T | ScorerError]:
    """Make calls in parallel; returns results or errors, in order."""
    if threads <= 1 or len(calls) <= 1:
        return list(map(_answer_or_error, calls))
    from concurrent.futures import ThreadPoolExecutor  # imported here for cost: a replay makes no call

    with ThreadPoolExecutor(min(threads, len(calls)), thread_name_prefix="grounding-judge") as pool:
        return list(pool.map(_answer_or_error, calls))


def _answer_or_error(call: Callable[[], T]) -> T | ScorerError:
    try:
        return call()
    except ScorerError as error:
        return error


def workers(environ: Mapping[str, str] = os.environ) -> int:
    """Number of processes that share the limit of this run: pytest-xdist workers, or jobs of a check."""
    told = environ.get("PYTEST_XDIST_WORKER_COUNT", "") or environ.get("GROUNDING_RUN_PROCESSES", "")
    return max(1, int(told)) if told.isascii() and told.isdigit() else 1


class RequestLimit:
    """Counts the requests of a run to its judges; each of several processes may use an equal part."""

    def __init__(self, most: int, processes: int = 1) -> None:
        self._most = most
        self._processes = processes
        self._made = 0
        self._lock = threading.Lock()

    @property
    def left(self) -> int | None:
        """The remaining number of requests; None without a limit."""
        return self._most // self._processes - self._made if self._most else None

    def bound(self, complete: Complete) -> Complete:
        """The same function, which raises `BudgetError` at the limit."""

        def asked(system: str, user: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
            with self._lock:
                if self.left is not None and self.left <= 0:
                    share = f", shared by {self._processes} processes" if self._processes > 1 else ""
                    problem = f"not asked: the run has made {self._made} requests to judges"
                    raise BudgetError(f"{problem} (judge_max_requests = {self._most}{share})")
                self._made += 1
            return complete(system, user, schema)

        return asked


@dataclass(frozen=True, slots=True)
class Prompt:
    """One kind of question."""

    name: str
    system: str
    values: tuple[str, ...]
    is_list: bool = False

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the reply."""
        ruling: dict[str, Any] = {
            "type": "object",
            "properties": {
                "value": {"type": "string", "enum": list(self.values)},
                "reason": {"type": "string"},
            },
            "required": ["value", "reason"],
        }
        if not self.is_list:
            return ruling
        ruling["properties"] = {"number": {"type": "integer"}, **ruling["properties"]}
        ruling["required"] = ["number", "value", "reason"]
        rulings = {"type": "array", "items": ruling}
        return {"type": "object", "properties": {"rulings": rulings}, "required": ["rulings"]}


SUPPORT = Prompt("support", _SYSTEM["support"], ("full", "partial", "none"))
SUPPORTS = Prompt("supports", _SYSTEM["supports"], ("full", "partial", "none"), is_list=True)


def fenced(name: str, text: str) -> str:
    """A text between marks that it cannot contain, because they are removed from it."""
    inner = text.replace("<<<", "‹‹‹").replace(">>>", "›››")
    return f"<<<{name}>>>\n{inner}\n<<<end of {name}>>>"


def passages(chunks: Sequence[Chunk]) -> str:
    """The texts of the chunks, numbered from 1."""
    return "\n".join(fenced(f"passage {number}", chunk.text) for number, chunk in enumerate(chunks, start=1))


class ChatJudge:
    """Calls a chat model, and accepts only replies of the requested form."""

    def __init__(self, complete: Complete, tape: Tape, *, name: str, model: str) -> None:
        self._complete = complete
        self._tape = tape
        self.name = name
        self.model = model

    @property
    def prompt_hash(self) -> str:
        """Hash of its instructions on support, as 16 hexadecimal digits."""
        return content_hash([SUPPORT.system, SUPPORTS.system])[:16]

    def questions(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[tuple[Request, Mapping[str, Any]]]:
        """The first requests of `supports` for claims: each as sent, with the reply's schema."""
        found = []
        for start in range(0, len(claims), BATCH):
            part = claims[start : start + BATCH]
            if len(part) == 1:
                prompt, user = SUPPORT, _support_text(part[0], chunks, question)
            else:
                prompt, user = SUPPORTS, _supports_text(part, chunks, question)
            found.append((self._tape.sent(self._request(prompt, user)), prompt.schema))
        return found

    def is_recorded(self, request: Request) -> bool:
        """Whether the cassette has an already redacted request."""
        return request.key in self._tape.store

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim by all chunks: ``full``, ``partial`` or ``none``."""
        return _ruling(self._ask(SUPPORT, _support_text(claim, chunks, question)))

    def supports(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Ruling | ScorerError]:
        """ISSUP of each claim in order, or why the judge could not decide."""
        found: list[Ruling | ScorerError] = []
        for start in range(0, len(claims), BATCH):
            found += self._together(claims[start : start + BATCH], chunks, question)
        return found

    def _together(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], question: str
    ) -> list[Ruling | ScorerError]:
        if len(claims) == 1:
            return one_by_one(self, claims, chunks, question=question)
        user = _supports_text(claims, chunks, question)
        if not self._tape.holds(self._request(SUPPORTS, user)):
            # Depends only on the cassette's entries for these claims, so that a replay takes the same path as
            # its recording did, whatever was recorded since.
            texts = (_support_text(claim, chunks, question) for claim in claims)
            known = (self._tape.holds(self._request(SUPPORT, text)) for text in texts)
            if any(known) if self._tape.mode == "none" else all(known):
                return one_by_one(self, claims, chunks, question=question)
        try:
            reply = self._ask(SUPPORTS, user, len(claims))
        except ScorerError as error:
            is_closed = isinstance(error, RefusedError) and error.of_all
            is_final = is_closed or isinstance(error, (BudgetError, CassetteError))
            return [error] * len(claims) if is_final else self._singly(claims, chunks, question)
        return list(map(_ruling, sorted(reply["rulings"], key=lambda item: item["number"])))

    def _singly(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], question: str
    ) -> list[Ruling | ScorerError]:
        """The rulings by one request per claim; a service that fails at once is not called again."""
        found: list[Ruling | ScorerError] = []
        for claim in claims:
            # A refusal is about the text; any other failure is about the service.
            is_down = len(found) >= _TRIES and all(
                isinstance(one, ScorerError) and not isinstance(one, RefusedError) for one in found
            )
            found += found[-1:] if is_down else one_by_one(self, [claim], chunks, question=question)
        return found

    def _request(self, prompt: Prompt, user: str) -> Request:
        texts = {"system": prompt.system, "user": user}
        return Request(f"{self.name}.chat", self.model, {"prompt": prompt.name}, texts)

    def _ask(self, prompt: Prompt, user: str, count: int = 0) -> Mapping[str, Any]:
        (reply,) = self._tape.ask(
            [self._request(prompt, user)],
            lambda requests: [self._call(prompt, item) for item in requests],
            check=lambda reply: _check(prompt, reply, count),
        )
        found: Mapping[str, Any] = reply
        return found

    def _call(self, prompt: Prompt, request: Request) -> Reply:
        reply = self._complete(request.texts["system"], request.texts["user"], prompt.schema)
        if not prompt.is_list:
            return _requested(reply, "value", "reason", "scores")
        rulings = reply.get("rulings") if isinstance(reply, Mapping) else None
        if not isinstance(rulings, list):
            return {}
        return {"rulings": [_requested(item, "number", "value", "reason", "scores") for item in rulings]}


def _ruling(reply: Mapping[str, Any]) -> Ruling:
    if "scores" in reply:
        return Ruling.of_scores(reply["scores"], str(reply.get("reason", ""))[:_REASON_LENGTH])
    return Ruling(reply["value"], reply["reason"][:_REASON_LENGTH])


def _requested(reply: Any, *names: str) -> Reply:
    return {name: reply[name] for name in names if name in reply} if isinstance(reply, Mapping) else reply


def _support_text(claim: ClaimText, chunks: Sequence[Chunk], question: str) -> str:
    return _text_of_request({"statement": claim}, chunks, question)


def _supports_text(claims: Sequence[ClaimText], chunks: Sequence[Chunk], question: str) -> str:
    numbered = enumerate(claims, start=1)
    return _text_of_request({f"statement {number}": claim for number, claim in numbered}, chunks, question)


def _text_of_request(claims: Mapping[str, ClaimText], chunks: Sequence[Chunk], question: str) -> str:
    asked = [fenced("question", question)] if question else []
    told = (fenced(name, text_of_claim(claim)) for name, claim in claims.items())
    return "\n".join([*asked, passages(chunks), *told])


def _check(prompt: Prompt, reply: Reply, count: int) -> None:
    if not isinstance(reply, Mapping):
        raise ScorerError(f"the judge's reply on {prompt.name} is not an object")
    rulings: Any = [reply]
    if prompt.is_list:
        rulings = reply.get("rulings")
        if not isinstance(rulings, list) or not all(isinstance(item, Mapping) for item in rulings):
            raise ScorerError("the judge's reply contains no list of rulings")
        numbers = [item.get("number") for item in rulings]
        if any(type(number) is not int for number in numbers) or sorted(numbers) != [*range(1, count + 1)]:
            shown = ", ".join(map(repr, numbers[: 2 * BATCH]))
            raise ScorerError(f"the judge was asked about statements 1 to {count} and ruled on: {shown}")
    for item in rulings:
        if "scores" in item:
            _ruling(item)
            continue
        value, allowed = item.get("value"), ", ".join(prompt.values)
        if value not in prompt.values:
            raise ScorerError(f"the judge's value is {value!r}; it was asked for one of: {allowed}")
        if not isinstance(item.get("reason"), str):
            raise ScorerError("the judge's reply contains no reason")
