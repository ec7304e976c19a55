"""A transcript under construction: collects the content of a recording, and notes what it lacks."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import counted
from pytest_grounding.errors import InputError
from pytest_grounding.importers.endings import CUT, INCOMPLETE, why_unfinished
from pytest_grounding.importers.messages import ANSWERS, answer_of
from pytest_grounding.lexicon import member_names
from pytest_grounding.model.chunks import chunk_metadata, free_name, read_chunk
from pytest_grounding.model.json_values import as_name, as_number, bounded_json, decoded, is_list_of
from pytest_grounding.model.listed import lists_in, segments
from pytest_grounding.model.members import as_map, first_of, first_text, maps_in

Severity = Literal["error", "warning", "info"]
#: What to do so that a recording of a format contains its question, texts, chunks or answer.
HOW_TO_RECORD = {(form, part): advice for form, part, advice in rows_beside(__file__, "how_to_record.tsv")}
# Rules of an importer's notes; they become findings of the verdict.
GAP = "recording_gap"
LOSS = "import_loss"
MISFIT = "offset_mismatch"
CUT_SHORT = "answer_cut_off"
_LISTS = member_names("passage lists")  # members beside a response with the retrieved passages, best first
_FIELDS = member_names("response fields")  # members beside a response that are fields of a transcript
#: Members of any row that say what its answer must state and be based on.
EXPECTATIONS = ("expected", "forbidden", "expected_sources")
_PRINTED = ("page_content=", "Document(", "NodeWithScore(", "TextNode(", "id_=", "<")  # printed objects
_HIDDEN = ("__REDACTED__", "[REDACTED]", "<redacted>")  # what instrumentation writes for a hidden text
_MAX_NESTED = 3  # how deep an answer's object may lie in others
_NO_ANSWER = "the service gave no answer"
_STOPPED = frozenset(member_names("stop reasons"))
CODE_POINTS = "code points"
UTF8 = "UTF-8 bytes"
UTF16 = "UTF-16 units"
UNITS = (CODE_POINTS, UTF8, UTF16)


@dataclass(frozen=True, slots=True)
class Options:
    """The question for a recording without one, and the column of a table for each field."""

    question: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


class Draft:
    """What is known of one exchange so far."""

    def __init__(self, name: str, options: Options) -> None:
        self.name = name
        self.options = options
        self.id: str | None = None
        self.made_id = ""  # an id that holds for every run, and gets a number where it occurs twice
        self.question: str = ""
        self.answer = ""
        self.chunks: list[dict[str, Any]] = []
        self.citations: list[dict[str, Any]] = []
        self.history: list[dict[str, str]] = []
        self.metadata: dict[str, Any] = {}
        self.fields: dict[str, Any] = {}
        self.notes: list[dict[str, str]] = []
        self.listed: list[Any] = []
        self.used: set[str] = set()
        self._names: dict[str, list[str]] = {}
        self._taken: set[str] = set()
        self._alike: dict[tuple[str, str], list[str]] = {}
        self._addresses: set[str] = set()
        self._outside: list[float] = []
        self._doubled: list[str] = []
        self._reason = ""

    def beside(self, beside: Mapping[str, Any]) -> None:
        """Add the members beside the response: question, id, chunks, history and metadata."""
        self.id = as_name(first_of(beside, "id"))
        self.question = first_text(beside, "question", "query", "user_input") or ""
        listed = next((key for key in _LISTS if _is_passages(key, beside.get(key))), "")
        self.used.add(listed)
        self.add(beside.get(listed), listed, may_lack_text=True)
        self.metadata.update(as_map(bounded_json(as_map(beside.get("metadata")))))
        for key in _FIELDS:
            if beside.get(key) is not None:
                self.fields[key] = bounded_json(beside[key])
        self.expect(beside)
        self.cite_lists(beside)

    def expect(self, members: Mapping[str, Any]) -> None:
        """Add what the answer must state, must not state, and should be based on."""
        for key in EXPECTATIONS:
            held = decoded(members.get(key))
            if held is not None and held not in ("", [], ()):
                listed = [held] if isinstance(held, (str, int, float)) else held
                self.fields.setdefault(key, bounded_json(listed))

    def cite_lists(self, members: Any, *used: str) -> None:
        """Add the citations that a response lists beside its words, under any name of their family."""
        self.listed += lists_in(as_map(members), {*self.used, *used}).values()

    def say_value(self, value: Any) -> None:
        """Set the answer to a text, or to the words of an object, which may list citations too."""
        parted = segments(value) if isinstance(value, (list, tuple)) else None
        if parted is not None and parted[1]:
            self.answer, cited = parted
            self.listed.append(cited)
            return
        level = [as_map(value)]
        for _ in range(_MAX_NESTED):
            for members in level:
                self.cite_lists(members)
            level = [as_map(members.get(name)) for members in level for name in (*ANSWERS, "parsed")]
        self.answer = value if isinstance(value, str) else answer_of(value)

    def called(self, calls: Sequence[Mapping[str, Any]]) -> None:
        """Add tool calls, if there are any."""
        if calls:
            self.fields["tool_calls"] = [*self.fields.get("tool_calls", ()), *calls]

    def reported(self, body: Mapping[str, Any]) -> None:
        """Add what the pipeline reports about itself among the members of a response."""
        self.expect(body)
        self.cite_lists(body)
        self.ended(why_unfinished(body))
        for members in (body, as_map(body.get("metadata"))):
            value = first_of(members, "confidence", "confidence_score")
            number = as_number(value)
            if number is not None and 0.0 <= number <= 1.0:
                self.fields.setdefault("confidence", number)
            elif isinstance(value, (str, int, float)):
                self.metadata.setdefault("confidence_score", value)
            if is_list_of(members.get("cited_indices"), int):
                self.fields.setdefault("cited_indices", members["cited_indices"])
            missing = members.get("missing_information")
            texts = missing if isinstance(missing, list) else [missing]
            if all(isinstance(text, str) for text in texts):
                self.fields.setdefault("missing_information", bounded_json(missing))

    def add(self, held: Any, field: str, ids: Sequence[Any] = (), *, may_lack_text: bool = False) -> None:
        """Add the passages in a member of a recording, in order; each is read or named."""
        for index, item in enumerate(_list_in(held, field)):
            given = as_name(ids[index]) if index < len(ids) else None
            if item is None:
                self.chunk(item, id=given)
            elif has_text(item) or (may_lack_text and as_map(item)):
                self.chunk_of(item, id=given)
            else:
                hint = 'write the passage as a text, or as {"text": "..."}'
                problem = f"is {_kind_of_value(item)}, and a passage is needed"
                raise InputError(problem, field=f"{field}[{index}]", hint=hint)

    def chunk_of(self, item: Any, id: str | None = None) -> str | None:
        """Add a passage of any shape that `read_chunk` knows."""
        found = read_chunk(self._unprinted(item) if isinstance(item, str) else item)
        if found is None or item == {}:
            return None
        return self.put({**found, "id": id} if id else found)

    def chunks_of(self, items: Iterable[Any]) -> None:
        """Add passages of any shape that `read_chunk` knows."""
        for item in items:
            self.chunk_of(item)

    def _unprinted(self, text: str) -> Any:
        """The object that was printed into a text, as ``json.dumps(default=str)`` does; else the text."""
        if not text.startswith(_PRINTED):
            return text
        from pytest_grounding.importers.printed import is_bare_object, printed_object

        if is_bare_object(text):
            said = f"a passage is the printed form of an object without its text ({text[:60]})"
            self.lose(f"{said}; write its fields")
            return ""
        found = printed_object(text)
        if found is None:
            return text
        how = "with model_dump() or langchain's dumps()"
        self.lose(f"a passage is a printed object; write its fields, {how}", "info")
        return found

    def put(self, found: Mapping[str, Any]) -> str:
        """Add the result of `read_chunk`."""
        given: dict[str, Any] = {key: found.get(key) for key in ("id", "score", "metadata")}
        name = self.chunk(found["text"], **given, shared_id="is_shared" in found)
        if (other := found["metadata"].get("other_id")) is not None:
            self._names.setdefault(other, []).append(name)
        return name

    def chunk(
        self,
        text: Any,
        *,
        id: str | None = None,
        score: Any = None,
        metadata: Mapping[str, Any] | None = None,
        shared_id: bool = False,
        is_address: bool = False,
    ) -> str:
        """Add a chunk."""
        text = "" if text in _HIDDEN else text
        wanted = id or f"chunk-{len(self.chunks) + 1}"
        name = wanted
        if name in self._taken:
            if id is not None and not shared_id:
                self._doubled.append(wanted)
            name = free_name(wanted, self._taken, len(self._names.get(wanted, [])) or 1)
        self._taken.add(name)
        self._names.setdefault(wanted, []).append(name)
        kept = chunk_metadata(metadata or {})
        if is_address:
            self._addresses.add(name)
        value = as_number(score)
        if value is not None and not 0.0 <= value <= 1.0:
            self._outside.append(value)
            kept.setdefault("retrieval_score", value)
            value = None
        chunk: dict[str, Any] = {"id": name, "text": text if isinstance(text, str) else "", "metadata": kept}
        if value is not None:
            chunk["score"] = value
        self.chunks.append(chunk)
        for key, shown in (("url", kept.get("url")), ("document", kept.get("document")), ("text", text)):
            if isinstance(shown, str) and shown:
                self._alike.setdefault((key, shown), []).append(name)
        return name

    def names(self, id: str) -> list[str]:
        """The ids given to the chunks of one recorded id; empty without any."""
        return self._names.get(id, [])

    def alike(self, key: Literal["url", "document", "text"], value: str) -> list[str]:
        """The ids of the chunks with this address, document or text; empty without any."""
        return self._alike.get((key, value), [])

    def cite(
        self,
        start: int,
        end: int,
        chunk_ids: Sequence[str],
        *,
        text: str | None = None,
        quote: str | None = "",
    ) -> None:
        """Add a provider's citation: a span of the answer in code points, and its target."""
        citation: dict[str, Any] = {"start": start, "end": end, "chunk_ids": list(dict.fromkeys(chunk_ids))}
        citation |= {} if text is None else {"text": text}
        citation |= {"quote": quote} if quote else {}
        if citation not in self.citations[-50:]:
            self.citations.append(citation)

    def say(self, blocks: Sequence[Any]) -> list[int | None]:
        """Add the text of each block to the answer; returns its position, or None if it is not text."""
        bases: list[int | None] = []
        for block in maps_in(blocks):
            text = block.get("text")
            is_text = block.get("type", "text") == "text" and not block.get("thought")
            said = text if is_text and isinstance(text, str) else None
            bases.append(None if said is None else len(self.answer))
            self.answer = f"{self.answer}{said or ''}"
        return bases

    def cite_all(self, spans: Sequence[Span], documented: str) -> None:
        """Add spans with their chunks and quoted words; note those that do not fit."""
        fit = fit_spans(self.answer, spans, documented)
        for span, (start, end) in zip(spans, fit.places, strict=True):
            text = "" if span.start == span.end else span.text
            self.cite(start, end, span.chunk_ids, text=text, quote=span.quote)
        if fit.misfits:
            shown = ", ".join(f"{spans[i].start} to {spans[i].end}" for i in fit.misfits[:3])
            problem = f"{len(fit.misfits)} of {len(spans)} recorded spans ({shown}) do not fit the answer in"
            units = "code points, UTF-8 bytes or UTF-16 units"
            self.note(MISFIT, f"{problem} {units}; they are kept as they came", "warning")
        if fit.unit != documented:
            fits = f"fit the answer only in {fit.unit}; read so"
            self.note(LOSS, f"the spans are documented in {documented} and {fits}")

    def answered(self, id: Any, model: Any, reason: Any) -> None:
        """Store the model of the answer, and the provider's finish reason; `finish` notes a bad one."""
        self.known("response_id", id)
        self.known("model_version", model)
        self._reason = reason if isinstance(reason, str) else ""

    def ended(self, problem: str) -> None:
        """Note why the run has no complete answer, if that is so."""
        if problem and not any(note["rule"] == INCOMPLETE for note in self.notes):
            said = f"the recorded run has no complete answer ({problem[:200]}); record a run that ended"
            self.note(INCOMPLETE, said, "error")

    def failed(self, reason: str) -> None:
        """Note that the service gave no answer, with its reason."""
        self.note(LOSS, f"{_NO_ANSWER}: {reason[:200]}", "warning")

    def ask(self, asked: tuple[str, list[dict[str, str]]]) -> None:
        """Store the question and the turns before it; a known question stays."""
        self.question, self.history = self.question or asked[0], asked[1]

    def need_chunks(self, problem: str) -> None:
        """Note that there are no chunks; an agent may have tool results only."""
        if not self.chunks and not self.fields.get("tool_calls"):
            self.gap("chunks", problem, "warning")

    def known(self, key: str, value: Any) -> None:
        """Store a fact of the response in the metadata: its id, its model. Text only; the first one stays."""
        if isinstance(value, str) and value:
            self.metadata.setdefault(key, value)

    def note(self, rule: str, message: str, severity: Severity = "info") -> None:
        """Leave a note, which becomes a finding of the verdict. The same note is left once."""
        note = {"rule": rule, "severity": severity, "message": message}
        if note not in self.notes:
            self.notes.append(note)

    def lose(self, message: str, severity: Severity = "warning") -> None:
        """Note that part of the recording could not be converted unchanged."""
        self.note(LOSS, message, severity)

    def gap(self, part: str, problem: str, severity: Severity = "info") -> None:
        """Note that the recording lacks something, and how to record it."""
        how = HOW_TO_RECORD.get((self.name, part))
        self.note(GAP, f"{problem}; {how}" if how else problem, severity)

    def finish(self) -> dict[str, Any]:
        """The transcript as a mapping in the native format."""
        question = "" if self.question.strip() in _HIDDEN else self.question
        question = question if question.strip() else self.options.question
        self._unhide()
        if not question.strip():
            hint = f"{HOW_TO_RECORD[self.name, 'question']}; or name it with the setting question"
            problem = f"this recording ({self.name}) does not contain the question"
            raise InputError(problem, field="question", hint=hint)
        reason = self._reason.lower().rpartition(".")[2]
        is_stopped = reason in _STOPPED
        if reason in CUT and self.answer.strip():
            self.ended(f"the service stopped it in the middle, {self._reason}")
        elif is_stopped and self.answer.strip():
            said = f"the service stopped the answer in the middle ({self._reason})"
            self.note(CUT_SHORT, f"{said}; what is missing was not judged", "warning")
        elif is_stopped and not any(_NO_ANSWER in note["message"] for note in self.notes):
            self.failed(self._reason)
        self._count_gaps()
        names = ("chunks", "answer", "citations", "history", "notes")
        found = {"question": question, **{name: getattr(self, name) for name in names}}
        found |= {"metadata": {"format": self.name, **self.metadata}, **self.fields}
        listed = [held for held in self.listed if not self._is_retrieved(held)]
        found |= {"listed": listed} if listed else {}
        if self.id is not None:
            return {**found, "id": self.id}
        return {**found, "made_id": self.made_id} if self.made_id else found

    def _unhide(self) -> None:
        """Treat a redacted answer as missing, and take the words of a printed message."""
        if self.answer.strip() in _HIDDEN:
            self.answer = ""
            self.gap("answer", "the answer is redacted in the recording", "warning")
        elif self.answer.startswith(("content=", "AIMessage(")):
            from pytest_grounding.importers.printed import printed_object

            found = printed_object(self.answer)
            if found is not None:
                self.answer = found["text"]
                self.lose("the answer is a printed message, of which its content was judged", "info")

    def _is_retrieved(self, listed: Any) -> bool:
        """Whether a list has the passages themselves, each with its whole text."""
        items = maps_in(decoded(listed))
        if not items or len(items) != len(self.chunks) or not all(items):
            return False
        pairs = zip(map(read_chunk, items), self.chunks, strict=True)
        return all(item is not None and item["text"] == chunk["text"] for item, chunk in pairs)

    def _count_gaps(self) -> None:
        total = counted(len(self.chunks), "chunk")
        without = [chunk["id"] for chunk in self.chunks if not chunk["text"].strip()]
        addresses = sum(name in self._addresses for name in without)
        if empty := len(without) - addresses:
            # A text that could have been recorded may have been the evidence.
            severity: Severity = "warning" if (self.name, "text") in HOW_TO_RECORD else "info"
            self.gap("text", f"{empty} of {total} {'has' if empty == 1 else 'have'} no text", severity)
        if addresses:
            named = "is an address" if addresses == 1 else "are addresses"
            self.note(GAP, f"{addresses} of {total} {named}; the provider does not give the text")
        if self._outside:
            beyond = f"{counted(len(self._outside), 'retrieval score')} (as {self._outside[0]:g})"
            lie = "lies" if len(self._outside) == 1 else "lie"
            kept = "kept in the chunks' metadata as retrieval_score"
            self.note(LOSS, f"{beyond} {lie} outside of 0 to 1; {kept}")
        for name in self._doubled[:3]:
            self.note(LOSS, f"several chunks share the id {name[:80]!r}; the later ones have a number added")


def _is_passages(name: str, held: Any) -> bool:
    """Whether a member beside a response has passages; sources may be the names of some."""
    if name != "sources":
        return held is not None
    items = maps_in(held)
    return bool(items) and all(items)


def _list_in(held: Any, field: str) -> Sequence[Any]:
    value = decoded(held)
    # A table has "not a number" for an empty cell.
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ()
    if isinstance(value, (list, tuple)):
        return value
    if has_text(value) or isinstance(held, str):
        return [value if has_text(value) else held]
    hint = 'write a list of texts, such as ["..."]'
    raise InputError(f"is {_kind_of_value(value)}, and a list is needed", field=field, hint=hint)


def has_text(item: Any) -> bool:
    """Whether it is a passage with a text, in any shape."""
    found = read_chunk(item)
    return found is not None and found["text"] is not None


def _kind_of_value(value: Any) -> str:
    if isinstance(value, Mapping):
        shown = ", ".join(repr(str(key)[:30]) for key in list(value)[:4])
        return f"an object without a text (its fields: {shown})" if shown else "an empty object"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "a switch" if isinstance(value, bool) else f"a number ({value!r})"[:60]


@dataclass(frozen=True, slots=True)
class Span:
    """A span as recorded, in the provider's unit, with exclusive end, and the chunks that it cites."""

    start: int
    end: int
    text: str | None = None
    contains: str | None = None
    bases: tuple[int, ...] = (0,)
    chunk_ids: Sequence[str] = ()
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """The spans in code points of the answer, and the indices of those that do not fit."""

    unit: str
    places: tuple[tuple[int, int], ...]
    misfits: tuple[int, ...]


def fit_spans(answer: str, spans: Sequence[Span], documented: str = CODE_POINTS) -> Fit:
    """Find the unit in which the spans count, and convert them to code points."""
    tried: list[Fit] = []
    for unit in dict.fromkeys((documented, *UNITS)):
        at = position_reader(answer, unit)
        found = [_span_at(answer, span, at) for span in spans]
        misfits = tuple(index for index, (_, fits) in enumerate(found) if not fits)
        tried.append(Fit(unit, tuple(place for place, _ in found), misfits))
        if not any(spans[index].text or spans[index].contains for index in misfits):
            return tried[-1]
    return min(tried, key=lambda found: len(found.misfits))


def _span_at(answer: str, span: Span, at: Callable[[int, int], int | None]) -> tuple[tuple[int, int], bool]:
    first: tuple[int, int] | None = None
    for base in span.bases:
        start, end = at(base, span.start), at(base, span.end)
        if start is None or end is None or end < start:
            continue
        first = first or (start, end)
        words = answer[start:end]
        if (not span.text or words == span.text) and (not span.contains or span.contains in words):
            return (start, end), True
    # Kept as recorded: validation reports that it is out of range, or has other words.
    return first or (span.start, span.end), False


def position_reader(answer: str, unit: str) -> Callable[[int, int], int | None]:
    """A function from a base (code points) and an offset (in the unit) to a code point, or None."""
    length = len(answer)
    if unit == CODE_POINTS or answer.isascii():
        return lambda base, offset: base + offset if 0 <= offset <= length - base else None
    encoding, size = ("utf-8", 1) if unit == UTF8 else ("utf-16-le", 2)
    widths = (len(char.encode(encoding, "surrogatepass")) // size for char in answer)
    sums = list(accumulate(widths, initial=0))

    def at(base: int, offset: int) -> int | None:
        if offset < 0 or not 0 <= base <= length:
            return None
        wanted = sums[base] + offset
        index = bisect_left(sums, wanted)
        return index if index <= length and sums[index] == wanted else None

    return at
