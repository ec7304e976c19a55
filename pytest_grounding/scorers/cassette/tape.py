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

#: Asks the remote side: one reply a request, in their order. Raises ScorerError when it cannot.
Ask = Callable[[Sequence[Request]], Sequence[Reply]]
#: Refuses a reply that is not of its form, by raising ScorerError.
Check = Callable[[Reply], None]

MODES = ("none", "new", "all")
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Use:
    """One judgement that this process relied on."""

    cassette: str
    key: str
    scorer: str
    model: str
    recorded: str


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
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        mode: str = "none",
        *,
        redact: Callable[[str], str] = str,
    ) -> None:
        self.path = Path(path)
        self.mode = mode
        self.store = Store(path)
        self._redact = redact
        self._renewed: set[str] = set()
        #: Scorer and model -> how they refuse all that is asked of them, as known since this run began.
        self._closed: dict[tuple[str, str], RefusedError] = {}
        #: Refusals that the cassette does not take, because it holds an answer of old.
        self._refused: dict[str, Record] = {}
        self._wrote = False

    def ask(self, requests: Sequence[Request], call: Ask, *, check: Check | None = None) -> list[Reply]:
        """The reply to each request, from the cassette or from the remote side.

        Args:
            requests: the questions; equal ones are asked once.
            call: asks the remote side for those that need it, all at once.
            check: refuses a reply that is not of its form, recorded ones too.

        Returns:
            One reply a request, in their order, exactly as a later replay will give it.

        Raises:
            CassetteError: the mode is ``none`` and a reply is missing, or the file cannot be written.
            UnreadableCassetteError: the file cannot be read, or holds what cannot have been answered.
            RefusedError: the remote side refused for good, now or when it was recorded.
            ScorerError: the remote side failed, or a reply is not of its form.
        """
        sent = [request.redacted(self._redact) for request in requests]
        unique = {request.key: request for request in sent}
        held: dict[str, Record] = {}
        missing: list[Request] = []
        for key, request in unique.items():
            record = self._refused.get(key)
            if record is None and (self.mode != "all" or key in self._renewed):
                record = self.store.get(key)
            if record is None or self._is_to_ask_again(record):
                missing.append(request)
            else:
                held[key] = record
        for record in held.values():
            self._check_recorded(record, check)
        is_refused = any(record.refusal for record in held.values())
        if missing and not is_refused:
            if self.mode == "none":
                raise CassetteError(self._miss(missing))
            held.update(self._record(missing, call, check))
        self._note_used(held.values())
        for record in held.values():
            if record.refusal is not None:
                raise record.refusal
        return [held[request.key].reply for request in sent]

    def holds(self, request: Request) -> bool:
        """Whether a request is on the cassette, answered or refused, and need not be recorded anew."""
        key = request.redacted(self._redact).key
        return (self.mode != "all" or key in self._renewed) and (key in self._refused or key in self.store)

    def _is_to_ask_again(self, record: Record) -> bool:
        """Whether who records asks once more: a key or a model that was refused may be the right one now."""
        refusal = record.refusal
        is_all = refusal is not None and refusal.of_all
        return is_all and self.mode != "none" and record.key not in self._renewed

    def _note_used(self, records: Iterable[Record]) -> None:
        for record in records:
            use = Use(
                str(self.path), record.key, record.request.scorer, record.request.model, record.recorded
            )
            _USED[(use.cassette, use.key)] = use

    def _record(self, missing: Sequence[Request], call: Ask, check: Check | None) -> dict[str, Record]:
        asked = (missing[0].scorer, missing[0].model)
        try:
            if asked in self._closed:
                raise self._closed[asked]
            replies = call(missing)
        except RefusedError as error:
            if error.of_all:
                self._closed[asked] = error
            elif len(missing) > 1:
                # One of them was refused: who asks for each by itself learns which, and keeps the others.
                return {
                    key: record
                    for request in missing
                    for key, record in self._record([request], call, check).items()
                }
            return self._keep([Record.of_refusal(request, error, today()) for request in missing])
        day = today()
        records = [
            Record(request, _plain(reply), day) for request, reply in zip(missing, replies, strict=True)
        ]
        for record in records:
            if check is not None:
                check(record.reply)
        return self._keep(records)

    def _keep(self, records: Sequence[Record]) -> dict[str, Record]:
        """Put records on the cassette; an answer that is there is never lost to a refusal."""
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
