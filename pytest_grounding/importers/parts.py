"""Question, answer and passages of any recording, found by the names of its members at any depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.importers.draft import Draft, has_text
from pytest_grounding.importers.endings import why_unfinished
from pytest_grounding.importers.importer import Drafting
from pytest_grounding.importers.messages import text_of_content
from pytest_grounding.lexicon import member_fields, member_names
from pytest_grounding.model.chunks import read_chunk
from pytest_grounding.model.json_values import as_name, bounded_json, decoded
from pytest_grounding.model.listed import segments, snake_case, words_in
from pytest_grounding.model.members import as_list, as_map, first_text

_MAX_DEPTH = 6
_MAX_MEMBERS = 2_000
_MISSING = 100
#: Words of a member's name, by how surely it is the part; the first row is the surest.
_QUESTIONS = tuple(member_fields("questions").values())
_ANSWERS = tuple(member_fields("answers").values())
_PASSAGES = tuple(member_fields("passages").values())
_SPEAKERS = frozenset(member_names("speakers"))
_FOUND = frozenset(member_names("retrieved"))
_IDEAL = frozenset(member_names("ideal"))
_ASIDE = frozenset(member_names("aside"))  # words of a name beside which the others do not count
#: Members on the side of the question, and on that of the answer.
_ASKING = frozenset(("request", "input", "inputs", "query", "question"))
_SAYING = frozenset(("response", "output", "outputs", "answer"))
_NOT_ANSWERING = frozenset(("user", "question", "input", "context", "passage"))
_NOT_AROUND_ANSWERS = frozenset("context contexts source sources document metadata usage error".split())
_TEXTS = member_names("passage texts")  # names of a passage's text beside those that `read_chunk` knows
_INNER = member_names("passage parts")
_NUMBERED = lazy(r"(?i)(?:^|\n)[ \t]{0,8}(?:passage|document|source|context)[ ]?\d{1,3}:[ ]?")
_SHORTEST = 20
#: Members of the native format: a mistake in it is named, and not read as something else.
_NATIVE = frozenset(("id", "question", "chunks"))


@dataclass(frozen=True, slots=True, order=True)
class ReadPart:
    """A member of a recording: how unsure it is, how deep it lies, its name and value."""

    rank: int
    depth: int
    order: int
    path: tuple[str, ...]
    value: Any


def members_by_name(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The members of an object and of those within it with their paths, the outer ones first."""
    level: list[tuple[tuple[str, ...], Any]] = [((), value)]
    count = 0
    for _ in range(_MAX_DEPTH):
        inner: list[tuple[tuple[str, ...], Any]] = []
        for path, held in level:
            for key, item in as_map(held).items():
                count += 1
                if count > _MAX_MEMBERS:
                    return
                own = (*path, str(key))
                item = decoded(item) if isinstance(item, str) and item.lstrip().startswith("{") else item
                yield own, item
                if isinstance(item, Mapping):
                    inner.append((own, item))
        level = inner


def _ranked(names: Sequence[Sequence[str]], words: frozenset[str]) -> int | None:
    if words & _ASIDE:
        return None
    return next((rank for rank, known in enumerate(names) if words.intersection(known)), None)


def find_question(value: Any) -> ReadPart | None:
    """The question in an object."""
    found = []
    for order, (path, held) in enumerate(members_by_name(value)):
        words, around = words_in(path[-1]), {name.casefold() for name in path[:-1]}
        rank = _ranked(_QUESTIONS, words)
        if rank is None or not isinstance(held, str) or not held.strip():
            continue
        is_asked = bool(around & _ASKING)
        if (around & _SAYING and not is_asked) or _is_ideal(path) or words & frozenset(("bot", "assistant")):
            continue
        if (rank == len(_QUESTIONS) - 1 or path[-1].casefold() == "message") and not is_asked:
            continue
        if "user" in words:
            rank -= 1
        found.append(ReadPart(rank, len(path), order, path, held))
    return min(found, default=None)


def find_answer(value: Any) -> ReadPart | None:
    """The answer in an object: a text, or the joined texts of its parts."""
    found = []
    for order, (path, held) in enumerate(members_by_name(value)):
        words, around = words_in(path[-1]), {name.casefold() for name in path[:-1]}
        held = _spoken(held)
        rank = _ranked(_ANSWERS, words)
        if rank is None or not isinstance(held, str) or (around & _ASKING and not around & _SAYING):
            continue
        if words & _NOT_ANSWERING or around & _NOT_AROUND_ANSWERS:
            continue
        if "right" in words:
            rank = _MISSING
        elif _is_ideal(path):
            continue
        rank = rank - 1 if words & _SPEAKERS else rank
        found.append(ReadPart(rank + (0 if held.strip() else _MISSING), len(path), order, path, held))
    return min(found, default=None)


def _spoken(held: Any) -> Any:
    """The one text of a list, or the joined text of an answer in parts with their sources."""
    if not isinstance(held, list) or not held:
        return held
    if len(held) == 1 and isinstance(held[0], str):
        return held[0]
    parted = segments(held)
    return parted[0] if parted is not None and parted[1] else held


def find_passages(value: Any, answer: str = "") -> ReadPart | None:
    """The best list of passages in an object that repeats no answer; an ideal context comes last."""
    found = []
    for order, (path, held) in enumerate(members_by_name(value)):
        words = words_in(path[-1])
        rank = _ranked(_PASSAGES, words)
        if rank is None and not (words & _FOUND and isinstance(held, list)):
            continue
        items = passages_within(held, path[-1])
        if items is None or (answer.strip() and any(_text_of_item(item) == answer.strip() for item in items)):
            continue
        rank = -1 if rank is None or words & _FOUND else rank
        rank += 0 if items else _MISSING
        rank += _MISSING // 2 if _is_ideal(path) and not _lists_objects(path, items) else 0
        found.append(ReadPart(rank, len(path), order, path, items))
    return min(found, default=None)


def _text_of_item(item: Any) -> str:
    found = read_chunk(item)
    return (found["text"] or "").strip() if found is not None else ""


def _lists_objects(path: tuple[str, ...], items: Sequence[Any]) -> bool:
    """Whether it is the list of references of an answer, and not an ideal context."""
    is_plain = not any(words_in(name) & (_IDEAL - {"reference"}) for name in path)
    return is_plain and all(isinstance(item, Mapping) for item in items)


def _is_ideal(path: Sequence[str]) -> bool:
    return any(words_in(name) & _IDEAL for name in path)


def passages_within(held: Any, name: str = "") -> list[Any] | None:
    """The passages in a value, each for `read_chunk`; None if it has none in a known form."""
    if isinstance(held, str):
        if not held.strip() or len(held) < _SHORTEST or " " not in held.strip():
            return None
        decoded_list = decoded(held)
        if isinstance(decoded_list, list):
            return passages_within(decoded_list, name)
        parts = [part.strip() for part in _NUMBERED.split(held) if part.strip()]
        return parts if words_in(name) & {*_PASSAGES[0], "document", "documents"} else None
    if isinstance(held, Mapping):
        if held and all(str(key).isdecimal() for key in held):
            return passages_within([_keyed(str(key), item) for key, item in held.items()], name)
        single = passage_of(held)
        if single is not None and words_in(name) & {"context", "passage", "document"}:
            return [single]
        return None
    if not isinstance(held, (list, tuple)):
        return None
    found: list[Any] = []
    for item in held:
        if isinstance(item, str):
            if len(item) < _SHORTEST and " " not in item:
                return None  # names of files
            found.append(item)
        elif (columns := _named_columns(item)) is not None:
            found += columns
        elif (passage := passage_of(item)) is not None:
            found.append(passage)
        elif (inner := _listed_within(item)) is not None:
            found += inner
        else:
            return None
    return found


def _listed_within(item: Any) -> list[Any] | None:
    """The passages in the one list of objects that a search in a list of searches found."""
    lists = [held for held in as_map(item).values() if isinstance(held, list) and held]
    lists = [held for held in lists if all(map(as_map, held))]
    return passages_within(lists[0]) if len(lists) == 1 else None


def _keyed(key: str, item: Any) -> Any:
    return {"id": key, **item} if isinstance(item, Mapping) else item


def _named_columns(item: Any) -> list[Any] | None:
    """The passages of one file, whose texts and metadata are lists side by side (Open WebUI)."""
    members = as_map(item)
    texts = members.get("document") if isinstance(members.get("document"), list) else members.get("documents")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return None
    source, metadata = as_map(members.get("source")), as_list(members.get("metadata"))
    name = first_text(source, "name", "title", "id")
    found = []
    for number, text in enumerate(texts):
        own = as_map(metadata[number]) if number < len(metadata) else {}
        found.append({"text": text, "metadata": {**({"document": name} if name else {}), **own}})
    return found


def passage_of(item: Any, depth: int = 3) -> Any:
    """A passage in a form that `read_chunk` knows; None if it has no text."""
    if not isinstance(item, Mapping):
        return item if has_text(item) else None
    if has_text(item):
        return item
    members = {snake_case(str(key)): held for key, held in item.items()}
    if has_text(members):
        return members
    text = first_text(members, *_TEXTS)
    if text is None:
        held = next((members[key] for key in (*_TEXTS, "content") if members.get(key)), None)
        text = _joined_lists(held) if isinstance(held, (list, Mapping)) else None
    if text:
        return {**_scalars(item), "text": text}
    for key in _INNER if depth else ():
        inner = members.get(key)
        found = passage_of(inner, depth - 1) if isinstance(inner, Mapping) else None
        if found is not None:
            parts = (part for part in as_map(inner).values() if isinstance(part, Mapping))
            return {**_scalars(*parts, item), **as_map(found)}
    return None


def _joined_lists(held: Any) -> str:
    if isinstance(held, list) and held and all(isinstance(item, list) for item in held):
        return "\n".join(map(_joined_lists, held))
    return text_of_content(held)


def _scalars(*values: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for value in values:
        for name, held in value.items():
            if isinstance(held, (str, int, float)) and not isinstance(held, bool):
                found[name] = held
    return found


class ReadParts(Drafting):
    """Reads any object with a question, an answer and passages under usual names, at any depth."""

    name = "parts"

    def recognises(self, value: Any) -> bool:
        """Whether the value has the parts of an exchange, or rows with them."""
        whole = decoded(value)
        if not isinstance(whole, Mapping) or _NATIVE.issubset(whole):
            return False
        return is_exchange(whole) or bool(rows_in(whole))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcript of the object, or those of the rows within it."""
        whole = decoded(value)
        for row in [whole] if is_exchange(whole) else rows_in(whole):
            draft = self.draft()
            self._fill(as_map(row), draft)
            yield draft.finish()

    def _fill(self, row: Mapping[str, Any], draft: Draft) -> None:
        asked, said = find_question(row), find_answer(row)
        if said is None:
            draft.gap("answer", "the row contains no answer", "warning")
            said = ReadPart(0, 1, 0, ("",), "")
        found = find_passages(row, said.value)
        draft.id = as_name(row.get("id"))
        draft.question = asked.value if asked is not None else ""
        place: Any = row
        for step in said.path:
            place = as_map(decoded(place)).get(step)
        is_in_parts = isinstance(place, list) and len(place) > 0 and as_map(place[0])
        draft.say_value(place if is_in_parts else said.value)
        if found is not None:
            draft.chunks_of(found.value)
            draft.used |= set(found.path) if len(found.path) == 1 else set()
            if _is_ideal(found.path) and not _lists_objects(found.path, found.value):
                shown = ".".join(found.path)
                draft.lose(f"the chunks are those of {shown!r}: what was retrieved is not recorded", "info")
        self._rest(row, said, found, draft)

    def _rest(self, row: Mapping[str, Any], said: ReadPart, found: ReadPart | None, draft: Draft) -> None:
        """Expectations, listed citations and reports, beside the answer and around it."""
        places: list[Mapping[str, Any]] = [row]
        for step in said.path[:-1]:
            places.append(as_map(decoded(places[-1].get(step))))
        for depth, members in enumerate(places):
            used = {found.path[depth]} if found is not None and len(found.path) > depth else set()
            draft.cite_lists(members, *used, said.path[depth])
            draft.expect({key: held for key, held in members.items() if not isinstance(held, str)})
            draft.ended(why_unfinished(members))
        draft.metadata.update(as_map(bounded_json(as_map(row.get("metadata")))) if found is None else {})
        draft.need_chunks("the recording contains no passages")


def is_exchange(value: Any) -> bool:
    """Whether an object has an answer, passages and, beside them, a question."""
    if not isinstance(value, Mapping):
        return False
    said = find_answer(value)
    if said is None or find_question(value) is None:
        return False
    return find_passages(value, said.value) is not None


def rows_in(value: Any) -> list[Mapping[str, Any]]:
    """The rows of the first list in an object whose members are exchanges."""
    for _, held in members_by_name(value):
        rows = [item for item in as_list(held) if isinstance(item, Mapping)]
        if rows and len(rows) == len(as_list(held)) and any(map(is_exchange, rows[:3])):
            return rows
    return []
