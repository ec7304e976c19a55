"""Citations that a pipeline lists beside its answer: numbers, ids, names, addresses and objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import member_names
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.chunks import is_span
from pytest_grounding.model.json_values import as_int, as_name, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, list_or_one, maps_in

_FAMILY = frozenset(member_names("citation words"))
_REFERENCES = frozenset(("references", "refs"))
_QUOTE_WORDS = frozenset(("quotes", "quotations"))
_PLACES = frozenset(member_names("source words"))  # pairs of words that do: "used documents", "source ids"
_USED = frozenset(("used", "supporting"))
_OTHER = frozenset(member_names("figure words"))
_IDEAL = frozenset(member_names("ideal answer words"))
#: Names without such a word; and those of the ideal answer, and of a list that is read by itself.
_MORE = frozenset(("sources", "source_ids", "reference_ids", "ref_ids"))
_NEVER = frozenset(("cited_indices",))
_WORD = lazy(r"[A-Z]{1,30}(?![a-z])|[A-Z]?[a-z]{1,60}+|\d{1,9}+")
_IDS = member_names("source ids")  # members of an object that name its source for sure, best first
_NAMES = member_names("source names")
_NUMBERS = member_names("citation numbers")
_QUOTES = member_names("quotes")
_PARTS = member_names("answer parts")
_CLAIMS = member_names("cited words")
_STARTS = member_names("starts")
_ENDS = member_names("ends")
_INNER = ("source", "document", "metadata", "chunk", "node", "doc", "file")  # with its source
_CALLED = member_names("chunk names")
_SEPARATOR = lazy(r"[,;\n]")
_EDGES = " \t\r\n[](){}<>\"'`【】"
_NUMBER = plain("recorded", "source_number")
_EMPTY = frozenset(("", "none", "n/a", "null", "-", "no sources", "nothing"))
_MOST = 1_000
_MIN_QUOTE = 8  # a shorter text is not searched for in the chunks


def is_cited_list(name: str) -> bool:
    """Whether a member's name is one of the family under which pipelines list their citations."""
    words = words_in(name)
    if name in _NEVER or words & _OTHER or (words & _REFERENCES and words & _IDEAL):
        return False
    return bool(words & _FAMILY) or bool(words & _PLACES and words & _USED)


def words_in(name: str) -> frozenset[str]:
    """The words and numbers of a member's name in lower case."""
    return frozenset(word.casefold() for word in _WORD.findall(name))


@dataclass(slots=True)
class Cited:
    """One listed citation: the values by which it names its source, and the words it quotes."""

    ids: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    number: int | None = None
    quote: str | None = None
    text: str | None = None  # words of the source or of the answer
    claim: str | None = None
    span: tuple[int, int] | None = None
    is_object: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether it has nothing but a number."""
        return not (self.ids or self.names or self.quote or self.text or self.span or self.claim)


@dataclass(slots=True)
class Listing:
    """The citations of a list, resolved."""

    #: Native citations, those without a place in the answer at ``start`` -1.
    citations: list[dict[str, Any]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # positions of chunks that are only numbers
    lost: int = 0  # how many entries name no source in any known form
    counts_from_zero: bool = False  # numbers of its objects count from 0


class KnownChunks:
    """Finds the chunks that a name, an id or an address means."""

    def __init__(self, chunks: Sequence[Any]) -> None:
        self._chunks = [chunk if isinstance(chunk, Mapping) else _dumped(chunk) for chunk in chunks]

    def at(self, position: int) -> list[str]:
        """The chunk at a 0-based position."""
        return [str(self._chunks[position].get("id"))] if 0 <= position < len(self._chunks) else []

    def called(self, name: str) -> list[str]:
        """The chunks with this id, or else of this document or address."""
        wanted = _folded_name(name)
        return self._ids.get(wanted) or self._names.get(wanted) or self._names.get(_last(wanted)) or []

    def numbered(self, name: str, base: int) -> list[str]:
        """The chunk that a name such as "Source 2" counts; none if ids of chunks have this form."""
        match = _NUMBER.fullmatch(name.strip(_EDGES))
        if match is None:
            return []
        for chunk in self._chunks if match["word"] else ():
            form = _NUMBER.fullmatch(str(chunk.get("id")))
            if form is not None and (form["word"] or "").casefold() == match["word"].casefold():
                return []
        return self.at(int(match["number"]) - base)

    def holding(self, quote: str) -> list[str]:
        """The chunks whose text has these words."""
        wanted = " ".join(quote.split())
        if len(wanted) < _MIN_QUOTE:
            return []
        texts = ((chunk, " ".join((as_text(chunk.get("text")) or "").split())) for chunk in self._chunks)
        return [str(chunk.get("id")) for chunk, text in texts if wanted in text]

    @cached_property
    def _ids(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for chunk in self._chunks:
            name = as_name(chunk.get("id"))
            if name is not None:
                found.setdefault(_folded_name(name), []).append(name)
        for chunk in self._chunks:
            # A file's name is the id of its first chunk, and means all of them.
            name = as_name(chunk.get("id"))
            own = _folded_name(name or "")
            for label in self._labels(chunk):
                if label in found and own != label and str(name) not in found[label]:
                    found[label].append(str(name))
        return found

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for chunk in self._chunks:
            labels = self._labels(chunk)
            for key in dict.fromkeys((*labels, *map(_last, labels))):
                found.setdefault(key, []).append(str(chunk.get("id")))
        return found

    @staticmethod
    def _labels(chunk: Mapping[str, Any]) -> list[str]:
        metadata = as_map(chunk.get("metadata"))
        names = (as_name(metadata.get(key)) for key in _CALLED)
        return list(dict.fromkeys(_folded_name(name) for name in names if name))


def _dumped(chunk: Any) -> Mapping[str, Any]:
    dump = getattr(chunk, "model_dump", None)
    return as_map(dump()) if callable(dump) else {}


def _folded_name(name: str) -> str:
    text = " ".join(name.split()).casefold().strip("/").replace("\\", "/")
    if "://" in text:
        text = text.partition("#")[0].partition("://")[2].removeprefix("www.").rstrip("/")
    return text


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def lists_in(members: Mapping[str, Any], used: Iterable[str] = ()) -> dict[str, Any]:
    """The members of a recording that list citations, without those that were read as something else."""
    found = {}
    for key, value in members.items():
        # A number under such a name may count the citations.
        is_empty = value in (None, "", [], {}) or isinstance(value, (int, float))
        if key not in used and not is_empty and (key in _MORE or is_cited_list(key)):
            found[key] = _quoted_words(value) if words_in(key) & _QUOTE_WORDS else value
    return found


def _quoted_words(value: Any) -> Any:
    """Bare texts of a list of quotations as objects."""
    items = as_list(decoded(value)) or ([value] if isinstance(value, str) else [])
    return [{"quote": item} if isinstance(item, str) else item for item in items] or value


def resolve_listed(lists: Iterable[Any], chunks: Sequence[Any], answer: str = "") -> Listing:
    """The citations of some lists, each resolved to the chunks it names; unknown ones keep their name."""
    found = Listing()
    known = KnownChunks(chunks)
    entries = [entry for value in lists for entry in _entries(value, found)][:_MOST]
    names = [name for entry in entries if entry.is_object for name in (*entry.ids, *entry.names)]
    numbers = [entry.number for entry in entries if entry.is_object]
    found.counts_from_zero = 0 in numbers or ("0" in names and not known.called("0"))
    for entry in entries:
        _add(entry, known, answer, found)
    return found


def _add(entry: Cited, known: KnownChunks, answer: str, found: Listing) -> None:
    base = 0 if found.counts_from_zero and entry.is_object else 1
    if entry.number is not None and entry.is_bare and base:
        found.numbers.append(entry.number)
        return
    ids = _chunks_of(entry, known, base)
    labels = [*entry.ids, *entry.names]
    if entry.number is not None:
        labels.append(str(entry.number))
    if not ids and not labels and not entry.quote:
        found.lost += 1
        return
    citation: dict[str, Any] = {"chunk_ids": ids or [*labels, "the quoted words"][:1]}
    words, quote = entry.claim, entry.quote
    is_spanned = entry.span is not None and answer[slice(*entry.span)] == entry.text
    if entry.text and (is_spanned or (entry.text in answer and not known.holding(entry.text))):
        words = words or entry.text
    else:
        quote = quote or entry.text
    citation |= _place_in_answer(entry.span, words, answer)
    if quote:
        citation["quote"] = quote
    if citation not in found.citations:
        found.citations.append(citation)


def _place_in_answer(span: tuple[int, int] | None, words: str | None, answer: str) -> dict[str, int]:
    if span is not None and span[1] <= len(answer):
        return {"start": span[0], "end": span[1]}
    if not words or words not in answer:
        return {"start": -1, "end": -1}
    start = answer.find(words)
    return {"start": start, "end": start + len(words)}


def _chunks_of(entry: Cited, known: KnownChunks, base: int) -> list[str]:
    named = [known.called(name) or known.numbered(name, base) for name in entry.ids]
    if any(named):
        # An unknown one among several ids stays in the list.
        pairs = zip(entry.ids, named, strict=True)
        return list(dict.fromkeys(name for label, ids in pairs for name in ids or [label]))
    for name in entry.names:
        if ids := known.called(name) or known.numbered(name, base):
            return ids
    if entry.ids:
        return []
    if entry.number is not None:
        return known.at(entry.number - base)
    quote = entry.quote or entry.text
    return known.holding(quote) if quote and not entry.names else []


def _entries(value: Any, found: Listing, depth: int = 3) -> Iterator[Cited]:
    held = decoded(value)
    if held is None or isinstance(held, bool) or depth < 0:
        return
    if isinstance(held, str):
        for part in _SEPARATOR.split(held):
            yield from _of_text(part)
    elif (number := as_int(held)) is not None:
        yield Cited(number=number)
    elif isinstance(held, Mapping):
        yield from _of_mapping(held, found, depth)
    elif isinstance(held, (list, tuple)):
        for item in held:
            if isinstance(item, str):
                yield from _of_text(item)
            elif depth:
                yield from _entries(item, found, depth - 1)
            else:
                found.lost += 1
    else:
        found.lost += 1


def _of_text(text: str) -> Iterator[Cited]:
    name = text.strip(_EDGES)
    if name.casefold() in _EMPTY:
        return
    yield Cited(number=int(name)) if name.isdecimal() and len(name) < 4 else Cited(ids=[name])


def _of_mapping(held: Mapping[str, Any], found: Listing, depth: int) -> Iterator[Cited]:
    entry = _from_object(held)
    if entry is not None:
        yield entry
        return
    keys = [str(key).strip(_EDGES) for key in held]
    if held and all(key.isdecimal() for key in keys):
        # A table from the number in the answer to the source.
        for item in held.values():
            yield from _entries(item, found, depth - 1)
        return
    lists = [item for item in held.values() if isinstance(item, (list, tuple)) and item]
    for item in lists:
        yield from _entries(item, found, depth - 1)
    if held and not lists:
        found.lost += 1


def _from_object(held: Mapping[str, Any], depth: int = 2) -> Cited | None:
    """The citation in an object; None if it names no source, or lies too deep."""
    if depth < 0:
        return None
    members = {snake_case(str(key)): item for key, item in held.items()}
    entry = Cited(is_object=True)
    for key in _IDS:
        for item in list_or_one(members.get(key)):
            if (name := as_name(item)) is not None:
                entry.ids.append(name)
    entry.names = [name for key in _NAMES if (name := as_name(members.get(key))) is not None]
    numbers = (_number_in(members.get(key)) for key in _NUMBERS)
    entry.number = next((number for number in numbers if number is not None), None)
    entry.quote = first_text(members, *_QUOTES)
    entry.text = first_text(members, "text")
    entry.claim = first_text(members, *_CLAIMS)
    start, end = (_offset(first_of(members, *keys)) for keys in (_STARTS, _ENDS))
    if start is not None and end is not None and 0 <= start < end:
        entry.span = (start, end)
    for key in _INNER:
        inner = _from_object(as_map(members.get(key)), depth - 1)
        if inner is not None:
            entry.ids += inner.ids
            entry.names += inner.names
            entry.quote = entry.quote or inner.quote or inner.text
    for key in ("sources", "references"):
        for item in maps_in(members.get(key)):
            inner = _from_object(item, depth - 1)
            if inner is not None:
                entry.ids += inner.ids
                entry.names += inner.names
    is_known = entry.ids or entry.names or entry.number is not None or entry.quote or entry.text
    return entry if is_known else None


def _offset(value: Any) -> int | None:
    """An offset, which some services write as text."""
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 9 else as_int(value)


def _number_in(value: Any) -> int | None:
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.strip(_EDGES))
        return int(match["number"]) if match is not None else None
    return as_int(value)


def snake_case(name: str) -> str:
    """A member's name with underscores, in lower case: "chunkId" becomes "chunk_id"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[- ]", "_", name).lower()


def add_listed(value: Mapping[str, Any]) -> dict[str, Any]:
    """A native transcript with the ``citations`` without a place and those in ``listed`` resolved."""
    given = value.get("citations")
    items = as_list(decoded(given)) or ([given] if isinstance(given, str) else [])
    spans = [item for item in items if is_span(item)]
    lists = [[item for item in items if not is_span(item)], *as_list(value.get("listed"))]
    answer = as_text(value.get("answer")) or ""
    found = resolve_listed(lists, as_list(value.get("chunks")), answer)
    made = {key: item for key, item in value.items() if key != "listed"}
    made["citations"] = [*spans, *found.citations]
    if found.numbers:
        numbers = [*as_list(value.get("cited_indices")), *found.numbers]
        made["cited_indices"] = list(dict.fromkeys(numbers))
    notes = list(as_list(value.get("notes")))
    if found.lost:
        said = f"{found.lost} of the listed citations name no source by id, number, name, address or quote"
        notes.append({"rule": "import_loss", "severity": "warning", "message": said})
    if found.counts_from_zero:
        said = "the listed citations count the chunks from 0: one of them names source 0"
        notes.append({"rule": "import_loss", "severity": "info", "message": said})
    if notes:
        made["notes"] = notes
    return made


def segments(held: Any) -> tuple[str, list[dict[str, Any]]] | None:
    """The text and the citations of an answer in parts, each with its own sources; None if it is none."""
    items = maps_in(held)
    if not items or not all(items):
        return None
    text = ""
    cited: list[dict[str, Any]] = []
    for item in items:
        words = first_text(item, *_PARTS)
        if words is None:
            return None
        if text and not text[-1].isspace():
            text += " "
        place = {"start": len(text), "end": len(text) + len(words)}
        text += words
        for value in lists_in(item).values():
            for note in as_list(decoded(value)) or [value]:
                key = "index" if type(note) is int else "source_id"
                named = note if isinstance(note, Mapping) else {key: note}
                cited.append({**named, **place})
    return text, cited
