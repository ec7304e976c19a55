"""Ask a remote scorer through its cassette: replay what is recorded, record what is not."""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.errors import MISS, CassetteError, RefusedError, ScorerError, UnreadableCassetteError
from pytest_grounding.scorers.cassette.request import Record, Reply, Request
from pytest_grounding.scorers.cassette.store import Store

#: Asks the remote side: one reply a request, in their order, or the
#: ScorerError that is why there is none. Raises ScorerError when it can ask for none of them.
Ask = Callable[[Sequence[Request]], Sequence[Reply | ScorerError]]
#: Refuses a reply that is not of its form, by raising ScorerError.
Check = Callable[[Reply], None]

MODES = ("none", "new", "all")
_SHOWN = 120
#: How the name of a scorer ends that is a judge.
CHAT = ".chat"


@dataclass(frozen=True, slots=True)
class Use:
    """One judgement that this process relied on, or that it asked for."""

    cassette: str
    key: str
    scorer: str
    model: str
    recorded: str


@dataclass(frozen=True, slots=True)
class Pending:
    """Requests that a cassette lacks and nobody has asked for yet; see `Tape.collecting`."""

    requests: tuple[Request, ...]
    call: Ask
    check: Check | None


_USED: dict[tuple[str, str], Use] = {}


def usage() -> list[Use]:
    """The judgements that this process relied on, in the order of cassette and key."""
    return [_USED[key] for key in sorted(_USED)]


def clear_usage() -> None:
    """Forget which judgements were used; for runs inside of a run."""
    _USED.clear()


def today() -> str:
    """The current day in UTC."""
    return datetime.now(UTC).date().isoformat()


class Tape:
    """A cassette in one of its modes.

    Args:
        path: the cassette's file.
        mode: ``none`` replays alone, ``new`` records what is missing, ``all`` records everything anew,
            each request once a process.
        redact: what each text goes through before it is sent, hashed or recorded.

    Attributes:
        collecting: a list takes note of what judges are missing instead of asking them, which then counts
            as not recorded; None, as it is at first, asks.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        mode: str = "none",
        *,
        redact: Callable[[str], str] = str,
    ) -> None:
        self.path: Path = Path(path)
        self.mode = mode
        self.store: Store = Store(path)
        self.collecting: list[Pending] | None = None
        self._redact = redact
        self._renewed: set[str] = set()
        #: Scorer and model -> how they refuse all that is asked of them, as known since this run began.
        self._closed: dict[tuple[str, str], RefusedError] = {}
        #: Refusals that the cassette does not take, because it holds an answer of old.
        self._refused: dict[str, Record] = {}
        #: Failures of requests that were asked for ahead of their turn.
        self._failed: dict[str, ScorerError] = {}
        self._wrote = False

    def ask(self, requests: Sequence[Request], call: Ask, *, check: Check | None = None) -> list[Reply]:
        """The reply to each request, from the cassette or from the remote side."""
        sent = [self.sent(request) for request in requests]
        unique = {request.key: request for request in sent}
        held: dict[str, Record] = {}
        missing: list[Request] = []
        for key, request in unique.items():
            record = self._refused.get(key)
            if record is None and (self.mode != "all" or key in self._renewed):
                record = self.store.get(key, request)
            if record is None or self._is_to_ask_again(record):
                missing.append(request)
            else:
                held[key] = record
        for record in held.values():
            self._check_recorded(record, check)
        is_refused = any(record.refusal for record in held.values())
        if missing and not is_refused:
            if self.mode == "none" or self._collects(missing, call, check):
                raise CassetteError(self._miss(missing))
            for request in missing:
                if request.key in self._failed:
                    raise self._failed[request.key]
            held.update(self._record(missing, call, check))
        self._note_used(held.values())
        for record in held.values():
            if record.refusal is not None:
                raise record.refusal
        return [held[request.key].reply for request in sent]

    def sent(self, request: Request) -> Request:
        """A request as it is sent, hashed and recorded."""
        return request if self._redact is str else request.redacted(self._redact)

    def holds(self, request: Request) -> bool:
        """Whether a request is on the cassette, answered or refused, and need not be recorded anew."""
        key = self.sent(request).key
        return (self.mode != "all" or key in self._renewed) and (key in self._refused or key in self.store)

    def _collects(self, missing: Sequence[Request], call: Ask, check: Check | None) -> bool:
        """Whether judges are not to be asked now; what somebody wants to know of is noted."""
        if self.collecting is None or not missing[0].scorer.endswith(CHAT):
            return False
        self.collecting.append(Pending(tuple(missing), call, check))
        return True

    def _is_to_ask_again(self, record: Record) -> bool:
        """Whether who records asks once more: a key or a model that was refused may be the right one now."""
        refusal = record.refusal
        is_all = refusal is not None and refusal.of_all
        return is_all and self.mode != "none" and record.key not in self._renewed

    def _note_used(self, records: Iterable[Record]) -> None:
        for record in records:
            use = self._use(record)
            _USED[(use.cassette, use.key)] = use

    def _use(self, record: Record) -> Use:
        asked = record.request
        return Use(str(self.path), record.key, asked.scorer, asked.model, record.recorded)

    def fill(self, pending: Pending, replies: Sequence[Reply | ScorerError]) -> None:
        """Record replies to what was `collecting`; what failed is not asked for again in this run."""
        for request, reply in zip(pending.requests, replies, strict=True):
            try:
                self._keep([self._received(request, reply, pending.check)])
            except CassetteError:
                raise
            except ScorerError as error:
                self._failed[request.key] = error

    def _record(self, missing: Sequence[Request], call: Ask, check: Check | None) -> dict[str, Record]:
        whom = (missing[0].scorer, missing[0].model)
        try:
            if whom in self._closed:
                raise self._closed[whom]
            replies = call(missing)
        except RefusedError as error:
            if error.of_all:
                self._closed[whom] = error
            elif len(missing) > 1:
                # One of them was refused: who asks for each by itself learns which, and keeps the others.
                return {
                    key: record
                    for request in missing
                    for key, record in self._record([request], call, check).items()
                }
            return self._keep([Record.of_refusal(request, error, today()) for request in missing])
        records: list[Record] = []
        failures: list[ScorerError] = []
        for request, reply in zip(missing, replies, strict=True):
            try:
                records.append(self._received(request, reply, check))
            except ScorerError as error:
                failures.append(error)
        # What was answered has been paid for: it is kept, whatever became of the others.
        kept = self._keep(records)
        if failures:
            raise failures[0]
        return kept

    def _received(self, request: Request, reply: Reply | ScorerError, check: Check | None) -> Record:
        """The record of one reply."""
        if isinstance(reply, RefusedError):
            if reply.of_all:
                self._closed[request.scorer, request.model] = reply
            return Record.of_refusal(request, reply, today())
        if isinstance(reply, ScorerError):
            raise reply
        record = Record(request, _plain(reply), today())
        if check is not None:
            check(record.reply)
        return record

    def _keep(self, records: Sequence[Record]) -> dict[str, Record]:
        """Put records on the cassette; an answer that is there is never lost to a refusal."""
        if not records:
            return {}
        kept: list[Record] = []
        replaced: list[Record] = []
        added: list[Record] = []
        for record in records:
            held = self.store.get(record.key)
            if held is not None and held.refusal is None and record.refusal is not None:
                self._refused[record.key] = record
                kept.append(record)
            else:
                is_over = self.mode == "all" or (held is not None and held.refusal is not None)
                (replaced if is_over else added).append(record)
        kept += self.store.append(replaced, replace=True)
        kept += self.store.append(added, replace=False)
        if not self._wrote:
            self._wrote = True
            atexit.register(self.compact)
        self._renewed.update(record.key for record in kept)
        return {record.key: record for record in kept}

    def _check_recorded(self, record: Record, check: Check | None) -> None:
        """Look at a recorded reply like at a fresh one: somebody may have edited the file."""
        try:
            if check is not None and record.refusal is None:
                check(record.reply)
        except ScorerError as error:
            problem = f"the record {record.key[:12]} holds what {record.request.scorer} cannot have answered"
            raise UnreadableCassetteError(
                f"{problem}: {error}",
                path=str(self.path),
                hint="record it anew with: pytest --grounding-record=all",
            ) from None

    def compact(self) -> None:
        """Merge what this process recorded into the sorted file."""
        if self._wrote:
            self._wrote = False
            atexit.unregister(self.compact)
            self.store.compact()

    def _miss(self, missing: Sequence[Request]) -> str:
        first = missing[0]
        # A system prompt is the same for all; what is missing shows in the other texts.
        texts = ", ".join(
            f"{part} {_short(text)}" for part, text in sorted(first.texts.items()) if part != "system"
        )
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        return (
            f"the judgement of {first.scorer} {first.model} on {texts}{more} {MISS} {self.path}; "
            "record it with: pytest --grounding-record=new (or pytest-grounding check --set record=new)"
        )


def _plain(reply: Reply) -> Any:
    """The reply as it will be read back; a NaN in it is an error here, not in a file."""
    return json.loads(canonical_json(reply))


def _short(text: str) -> str:
    shown = " ".join(text.split())
    half = _SHOWN // 2
    # The end tells as much as the beginning: a judge's statement stands behind its passages.
    return repr(shown if len(shown) <= _SHOWN else f"{shown[:half]} ... {shown[-half:]}")
