"""Recorded replies of remote scorers, replayed without key, network or SDK."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json, content_hash, write_atomic
from pytest_grounding._io.locks import is_torn, locked, write_all
from pytest_grounding.errors import MISS, CassetteError, RefusedError, ScorerError, UnreadableCassetteError

Reply = Any
_FIELDS: dict[str, type] = {
    **dict.fromkeys(("key", "model", "recorded", "reply_sha256", "scorer"), str),
    **{"parameters": dict, "texts": dict, "reply": object},
}
_MERGE_MARKS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_ANEW = "take the file from version control again, or the line out and record with --grounding-record=new"
_PREFIX = '{"key":"'
_KEY = slice(len(_PREFIX), len(_PREFIX) + 64)
_DIGITS = frozenset("0123456789abcdef")
_AGAIN = "take the file from version control again, or delete it and record with --grounding-record=new"
Signature = tuple[int, int, int] | None
#: Raises on a malformed reply.
Check = Callable[[Reply], None]
MODES = ("none", "new", "all")
_SHOWN = 120
#: Ending of the names of judges.
CHAT = ".chat"
_USED: dict[tuple[str, str], Use] = {}


@dataclass(frozen=True)
class Request:
    """A request to a remote scorer: the smallest unit with a reply of its own."""

    scorer: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical form, 64 hexadecimal digits: equal requests, equal keys."""
        return content_hash(self.as_data())

    def as_data(self) -> dict[str, Any]:
        """The fields as plain data."""
        sent = {"parameters": dict(self.parameters), "texts": dict(self.texts)}
        return {"scorer": self.scorer, "model": self.model, **sent}

    def redacted(self, redact: Callable[[str], str]) -> Request:
        """The request with each text redacted."""
        return replace(self, texts={part: redact(text) for part, text in self.texts.items()})


@dataclass(frozen=True, slots=True)
class CassetteRecord:
    """A request with its reply."""

    request: Request
    reply: Reply
    recorded: str

    @classmethod
    def of_refusal(cls, request: Request, error: RefusedError, day: str) -> CassetteRecord:
        """What is stored of a permanently refused request."""
        return cls(request, {"refused": error.problem, "status": error.status, "all": error.of_all}, day)

    @property
    def key(self) -> str:
        """The request's key."""
        return self.request.key

    @property
    def refusal(self) -> RefusedError | None:
        """The permanent refusal of the request, or None if it was answered."""
        reply = self.reply
        if not isinstance(reply, dict) or reply.keys() != {"refused", "status", "all"}:
            return None
        problem, status = reply["refused"], reply["status"]
        if not isinstance(problem, str) or not isinstance(status, int):
            return None
        return RefusedError(problem, status=status, of_all=reply["all"] is True)

    def line(self) -> str:
        """The record as one line of a cassette; it starts with its key."""
        replied = {"reply": self.reply, "reply_sha256": content_hash(self.reply), "recorded": self.recorded}
        return canonical_json({**self.request.as_data(), "key": self.key, **replied}) + "\n"


def parse_line(line: str, *, place: str = "", known: Request | None = None) -> CassetteRecord:
    """A record from its line."""
    if line.startswith(_MERGE_MARKS):
        problem = "contains a mark of a merge that is not settled"
        raise UnreadableCassetteError(problem, path=place, hint="keep the records of both sides")
    try:
        value = json.loads(line)
    except ValueError as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise _no_record(place, f" ({what})") from None
    is_record = isinstance(value, dict) and value.keys() == _FIELDS.keys()
    if not is_record or not all(isinstance(value[name], kind) for name, kind in _FIELDS.items()):
        raise _no_record(place)
    request = Request(value["scorer"], value["model"], value["parameters"], value["texts"])
    request = known if known is not None and known == request else request
    odd = "key does not fit its request" if request.key != value["key"] else ""
    if not odd and content_hash(value["reply"]) != value["reply_sha256"]:
        odd = "reply does not fit its reply_sha256"
    if odd:
        raise UnreadableCassetteError(f"its {odd}, so it was edited", path=place, hint=_ANEW)
    return CassetteRecord(request, value["reply"], value["recorded"])


def _no_record(place: str, why: str = "") -> UnreadableCassetteError:
    return UnreadableCassetteError(f"is not a record of a cassette{why}", path=place, hint=_ANEW)


class Store:
    """The records of one cassette file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = Path(path)
        self.journal: Path = self.path.with_name(f"{self.path.name}.journal")
        self._lines: dict[str, tuple[str, str]] = {}
        self._seen: tuple[Signature, Signature] | None = None

    def get(self, key: str, request: Request | None = None) -> CassetteRecord | None:
        """The record of a key, or None."""
        self.refresh()
        found = self._lines.get(key)
        return parse_line(found[0], place=found[1], known=request) if found else None

    def records(self) -> Iterator[CassetteRecord]:
        """All records in the order of their keys."""
        self.refresh()
        for key in sorted(self._lines):
            line, place = self._lines[key]
            yield parse_line(line, place=place)

    def __contains__(self, key: str) -> bool:
        self.refresh()
        return key in self._lines

    def __len__(self) -> int:
        self.refresh()
        return len(self._lines)

    def refresh(self) -> None:
        """Read the files again if they have changed."""
        now = self._signatures()
        if now != self._seen:
            self._seen = None
            self._lines = self._read_sorted() | self._read_journal()
            self._seen = now

    def _signatures(self) -> tuple[Signature, Signature]:
        return _signature(self.journal), _signature(self.path)

    def append(self, records: Iterable[CassetteRecord], *, replace: bool) -> list[CassetteRecord]:
        """Add records to the journal."""
        with self._locked() as handle:
            self.refresh()
            kept: list[CassetteRecord] = []
            text = ""
            for record in records:
                held = None if replace else self._lines.get(record.key)
                if held is None:
                    line = record.line()
                    text += line
                    self._lines[record.key] = (line, str(self.journal))
                    kept.append(record)
                else:
                    kept.append(parse_line(held[0], place=held[1]))
            if text:
                write_all(handle, (("\n" if is_torn(handle) else "") + text).encode("utf-8"))
                self._seen = self._signatures()
            elif not os.fstat(handle).st_size:
                _remove(self.journal, handle)
            return kept

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            with locked(self.journal) as handle:
                yield handle
        except OSError as error:
            raise CassetteError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def compact(self, *, without: Collection[str] = ()) -> None:
        """Merge the journal into the sorted file."""
        if not without and not self.journal.exists():
            return
        with self._locked() as handle:
            self._seen = None
            self.refresh()
            for key in without:
                self._lines.pop(key, None)
            text = "".join(self._lines[key][0] for key in sorted(self._lines))
            if text or self.path.exists():
                write_atomic(self.path, text)
            _remove(self.journal, handle)
            self._seen = None

    def _read_journal(self) -> dict[str, tuple[str, str]]:
        lines: dict[str, tuple[str, str]] = {}
        for raw in _bytes_of(self.journal).split(b"\n")[:-1]:
            # A line whose writer was killed is not a record, and nothing depends on it.
            with contextlib.suppress(UnreadableCassetteError, UnicodeDecodeError):
                line = raw.decode("utf-8")
                lines[parse_line(line).key] = (f"{line}\n", str(self.journal))
        return lines

    def _read_sorted(self) -> dict[str, tuple[str, str]]:
        """The lines of the sorted file by key; of two with one key, the later day wins."""
        data = _bytes_of(self.path)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            damaged = data.count(b"\n", 0, error.start) + 1
            problem = "is not text in UTF-8, as the lines of a cassette are"
            raise UnreadableCassetteError(problem, path=str(self.path), line=damaged, hint=_AGAIN) from None
        lines: dict[str, tuple[str, str]] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            place = f"{self.path}:{number}"
            key = _key_of(line) or parse_line(line, place=place).key
            entry = (line.rstrip("\r") + "\n", place)
            # Both sides of a merge may have recorded the same request.
            if key not in lines or _day_of(lines[key]) <= _day_of(entry):
                lines[key] = entry
        return lines


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
        raise UnreadableCassetteError(problem, path=str(path), hint=_AGAIN) from None


def _key_of(line: str) -> str | None:
    """The key of a canonical line without parsing it, or None."""
    key = line[_KEY]
    sound = line.startswith(_PREFIX) and len(key) == 64 and line.rstrip("\r").endswith("}")
    return key if sound and _DIGITS.issuperset(key) else None


def _day_of(entry: tuple[str, str]) -> str:
    return parse_line(entry[0], place=entry[1]).recorded


def _signature(path: Path) -> Signature:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _remove(path: Path, handle: int) -> None:
    try:
        path.unlink()
    except OSError:
        os.ftruncate(handle, 0)


#: Calls the remote side: one reply per request, in order, or the
#: ScorerError that replaces it. Raises ScorerError if it can call for none of them.
Ask = Callable[[Sequence[Request]], Sequence[Reply | ScorerError]]


@dataclass(frozen=True, slots=True)
class Use:
    """A judgement that this process used or requested."""

    cassette: str
    key: str
    scorer: str
    model: str
    recorded: str


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """Requests missing from a cassette and not yet made; see `Tape.collecting`."""

    requests: tuple[Request, ...]
    call: Ask
    check: Check | None


def usage() -> list[Use]:
    """The judgements used by this process, in the order of cassette and key."""
    return [_USED[key] for key in sorted(_USED)]


def clear_usage() -> None:
    """Forget the used judgements; for runs within a run."""
    _USED.clear()


def today_in_utc() -> str:
    """The current day in UTC."""
    return datetime.now(UTC).date().isoformat()


class Tape:
    """A cassette in a mode: ``none`` replays, ``new`` records what is missing, ``all`` everything once.

    ``redact`` is applied to each text before it is sent, hashed or recorded.
    """

    def __init__(
        self, path: str | os.PathLike[str], mode: str = "none", *, redact: Callable[[str], str] = str
    ) -> None:
        self.path: Path = Path(path)
        self.mode = mode
        self.store: Store = Store(path)
        #: Collects missing judgements instead of requesting them, which then count as not
        #: recorded; None (the default) requests them.
        self.collecting: list[PendingAnswer] | None = None
        self._redact = redact
        self._renewed: set[str] = set()
        #: (scorer, model) -> its refusal of all requests, as known in this run.
        self._closed: dict[tuple[str, str], RefusedError] = {}
        #: Refusals that the cassette does not store, because it has an earlier answer.
        self._refused: dict[str, CassetteRecord] = {}
        #: Failures of prefetched requests.
        self._failed: dict[str, ScorerError] = {}
        self._wrote = False

    def ask(self, requests: Sequence[Request], call: Ask, *, check: Check | None = None) -> list[Reply]:
        """The reply to each request, from the cassette or from the remote side."""
        sent = list(map(self.sent, requests))
        unique = {request.key: request for request in sent}
        held: dict[str, CassetteRecord] = {}
        missing: list[Request] = []
        for key, request in unique.items():
            record = self._refused.get(key)
            if record is None and (self.mode != "all" or key in self._renewed):
                record = self.store.get(key, request)
            if record is None or self._is_to_ask_again(record):
                missing.append(request)
            else:
                held[key] = record
        if missing and not any(record.refusal for record in held.values()):
            if self.mode == "none" or self._collects(missing, call, check):
                raise CassetteError(self._miss(missing))
            for request in missing:
                if request.key in self._failed:
                    raise self._failed[request.key]
            held.update(self._record(missing, call, check))
        for record in held.values():
            asked, place = record.request, str(self.path)
            _USED[(place, record.key)] = Use(place, record.key, asked.scorer, asked.model, record.recorded)
        for refusal in filter(None, (record.refusal for record in held.values())):
            raise refusal
        return [held[request.key].reply for request in sent]

    def sent(self, request: Request) -> Request:
        """A request as sent, hashed and recorded."""
        return request if self._redact is str else request.redacted(self._redact)

    def holds(self, request: Request) -> bool:
        """Whether a request is on the cassette, answered or refused, and is not to be recorded again."""
        key = self.sent(request).key
        return (self.mode != "all" or key in self._renewed) and (key in self._refused or key in self.store)

    def _collects(self, missing: Sequence[Request], call: Ask, check: Check | None) -> bool:
        is_chat = missing[0].scorer.endswith(CHAT)
        if self.collecting is None or not is_chat or self.is_closed(missing[0]):
            return False
        self.collecting.append(PendingAnswer(tuple(missing), call, check))
        return True

    def is_closed(self, request: Request) -> bool:
        """Whether the service has refused all requests for its model in this run."""
        return (request.scorer, request.model) in self._closed

    def _is_to_ask_again(self, record: CassetteRecord) -> bool:
        refusal = record.refusal
        is_all = refusal is not None and refusal.of_all
        return is_all and self.mode != "none" and record.key not in self._renewed

    def fill(self, pending: PendingAnswer, replies: Sequence[Reply | ScorerError]) -> None:
        """Record the replies to `collecting`; failures are not requested again in this run."""
        for request, reply in zip(pending.requests, replies, strict=True):
            try:
                self._keep([self._received(request, reply, pending.check)])
            except CassetteError:
                raise
            except ScorerError as error:
                self._failed[request.key] = error

    def _record(
        self, missing: Sequence[Request], call: Ask, check: Check | None
    ) -> dict[str, CassetteRecord]:
        whom = (missing[0].scorer, missing[0].model)
        try:
            if whom in self._closed:
                raise self._closed[whom]
            replies = call(missing)
        except RefusedError as error:
            if error.of_all:
                self._closed[whom] = error
            elif len(missing) > 1:
                # One of them was refused: single requests show which, and keep the others.
                kept = [self._record([request], call, check) for request in missing]
                return {key: record for records in kept for key, record in records.items()}
            day = today_in_utc()
            return self._keep([CassetteRecord.of_refusal(request, error, day) for request in missing])
        records: list[CassetteRecord] = []
        failures: list[ScorerError] = []
        for request, reply in zip(missing, replies, strict=True):
            try:
                records.append(self._received(request, reply, check))
            except ScorerError as error:
                failures.append(error)
        # Answers have been paid for: they are kept, whatever happened to the others.
        done = self._keep(records)
        if failures:
            raise failures[0]
        return done

    def _received(self, request: Request, reply: Reply | ScorerError, check: Check | None) -> CassetteRecord:
        if isinstance(reply, RefusedError):
            if reply.of_all:
                self._closed[request.scorer, request.model] = reply
            return CassetteRecord.of_refusal(request, reply, today_in_utc())
        if isinstance(reply, ScorerError):
            raise reply
        # As it will be read back; a NaN is an error here, not in a file.
        record = CassetteRecord(request, json.loads(canonical_json(reply)), today_in_utc())
        if check is not None:
            check(record.reply)
        return record

    def _keep(self, records: Sequence[CassetteRecord]) -> dict[str, CassetteRecord]:
        """Add records to the cassette; a refusal never replaces an answer."""
        if not records:
            return {}
        kept: list[CassetteRecord] = []
        replaced: list[CassetteRecord] = []
        added: list[CassetteRecord] = []
        for record in records:
            held = self.store.get(record.key)
            if held is not None and held.refusal is None and record.refusal is not None:
                self._refused[record.key] = record
                kept.append(record)
            else:
                is_over = self.mode == "all" or (held is not None and held.refusal is not None)
                (replaced if is_over else added).append(record)
        kept += [*self.store.append(replaced, replace=True), *self.store.append(added, replace=False)]
        if not self._wrote:
            self._wrote = True
            atexit.register(self.compact)
        self._renewed.update(record.key for record in kept)
        return {record.key: record for record in kept}

    def compact(self) -> None:
        """Merge this process's recordings into the sorted file."""
        if self._wrote:
            self._wrote = False
            atexit.unregister(self.compact)
            self.store.compact()

    def _miss(self, missing: Sequence[Request]) -> str:
        first = missing[0]
        # A system prompt is the same for all; the other texts show what is missing.
        named = sorted((part, text) for part, text in first.texts.items() if part != "system")
        texts = ", ".join(f"{part} {_shortened_text(text)}" for part, text in named)
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        advice = "pytest --grounding-record=new (or pytest-grounding check --set record=new)"
        problem = f"the judgement of {first.scorer} {first.model} on {texts}{more} {MISS} {self.path}"
        return f"{problem}; record it with: {advice}"


def _shortened_text(text: str) -> str:
    shown = " ".join(text.split())
    half = _SHOWN // 2
    # The end is as informative as the beginning: a judge's statement comes after its passages.
    return repr(shown if len(shown) <= _SHOWN else f"{shown[:half]} ... {shown[-half:]}")
