"""Read chunks: texts, and passages of services, stores and libraries by their shape.

No library is imported for it. In a transcript written by hand, only fully known shapes are read: an
unknown member leaves the value unchanged, so that a mistake is named and not guessed at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import member_names
from pytest_grounding.model.json_values import as_int, as_name, as_number, bounded_json, decoded
from pytest_grounding.model.members import as_map, first_of, first_text

TEXTS = member_names("texts")  # members with the text of a passage, best first
_IDS = ("id", "id_", "chunkId", "chunk_id", "node_id", "doc_id", "docid", "_id")
_FILES = ("source", "file_name", "file_path", "filepath")  # metadata members that name a passage, or its file
_STABLE = ("chunk_id", "id", *_FILES)
_SCORES = ("score", "relevance_score")
_METADATA_SCORES = ("relevance_score", "score", "_score", "similarity_score", "similarity")
_METADATA = ("metadata", "meta", "extra_info")
_ORIGINS = member_names("origins")  # members for the origin of a passage; they belong to its metadata
#: Members that libraries and stores add by themselves.
_IGNORED = ("type", "class_name", "version", "vector", "shard_key", "order_value", "payload")
_KNOWN = frozenset((*TEXTS, *_IDS, *_SCORES, *_METADATA, *_ORIGINS, *_IGNORED))
_OWN = frozenset({"id", "text", "score", "metadata"})
_ATTRIBUTES = ("node", "payload", "text_resource", *TEXTS, *_IDS, *_SCORES, *_METADATA, *_ORIGINS)
_DOCUMENTS = member_names("documents")
_URLS = ("url", "uri", "link", "source_url", "source", "doc_uri")
_LABELS = ("document", "title", "chapter_id", "section_number", "section_title", "page", "payload_id")
_WORDS = ("url", "slug", "path", "domain", "chunk_type")
#: Members of a native citation; an object with none of them is one of a pipeline's list.
_SPAN_MEMBERS = frozenset({"start", "end", "chunk_ids"})
#: What an answer contains that has more than its words: tags of thinking, or a JSON object.
_WRAPPED = ("</", "<think", "<Think", "<reason", "[THINK]", "<|", "\u25c1", "{")
_LINES = ("line_start", "line_end")
_NUMBERED = lazy(r"\d{1,6}(?:\.\d{1,6}){0,8}\.?")
#: UUID version 4: random, often new in every run.
_RANDOM = lazy(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def read_chunk(item: Any, *, strictly: bool = False) -> dict[str, Any] | None:
    """A text, mapping, object or pair with a score as one passage under our own names; None for others."""
    if isinstance(item, str):
        return {"text": item, "metadata": {}}
    members = members_of(item)
    if members is None:
        return _pair(item) if isinstance(item, (list, tuple)) and len(item) == 2 else None
    whole = _without_wrapping(members)
    if whole is members and strictly:
        metadata = first_of(members, *_METADATA)
        is_odd = not _KNOWN.issuperset(members) or not isinstance(metadata, (Mapping, type(None)))
        if is_odd or (first_text(members, *TEXTS) is None and "" not in map(members.get, TEXTS)):
            return None
    text = first_text(whole, *TEXTS)
    if text is None:
        text = next((whole[name] for name in TEXTS if isinstance(whole.get(name), str)), None)
    if not isinstance(item, Mapping) and text is None:
        return None
    given: dict[str, Any] = {}
    for name in reversed(_METADATA):
        given.update(as_map(whole.get(name)))
    given |= {name: whole[name] for name in _ORIGINS if _is_scalar(whole.get(name))}
    if whole is members and "id_" not in members:
        rest = members.keys() - _KNOWN
        given |= {name: members[name] for name in members if name in rest and _is_scalar(members[name])}
    found: dict[str, Any] = {"text": text, **_name_of_member(whole, given)}
    found["metadata"] = chunk_metadata(given | found.pop("other"))
    score = first_of(whole, *_SCORES)
    found["score"] = first_of(given, *_METADATA_SCORES) if score is None else score
    found["is_plain"] = whole is item and score is not None
    return found


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float))


def members_of(item: Any) -> Mapping[str, Any] | None:
    """The members of a mapping, or those of a library's object that matter for a passage."""
    if isinstance(item, Mapping):
        return item
    if isinstance(item, type):
        return None
    found = {name: getattr(item, name, None) for name in _ATTRIBUTES}
    if any(isinstance(found[name], Mapping) for name in (*_METADATA, "payload")):
        return {name: value for name, value in found.items() if value is not None}
    if found["node"] is not None and (inner := members_of(found["node"])) is not None:
        return {"node": inner, "score": found["score"]}
    named = isinstance(found["excerpt"], str) and as_name(found["chapter_id"]) is not None
    return {name: value for name, value in found.items() if value is not None} if named else None


def _pair(item: Sequence[Any]) -> dict[str, Any] | None:
    score = as_number(item[1])
    if score is None or isinstance(item[0], (list, tuple)):
        return None
    inner = read_chunk(item[0])
    if inner is None or inner["text"] is None:
        return None
    return {**inner, "score": score, "is_plain": False}


def _without_wrapping(members: Mapping[str, Any], depth: int = 4) -> Mapping[str, Any]:
    """The members without the wrapping of a library or a store; an id and a score outside are kept."""
    inner: Any = None
    if members.get("lc"):
        inner = members.get("kwargs")
    # A passage with a text of its own may describe its document in an object.
    has_text = first_text(members, "text", "content", "page_content") is not None
    for name in ("node", "__data__", "payload", *(() if has_text else ("data", "document"))):
        inner = inner if isinstance(inner, Mapping) else members.get(name)
    if isinstance(inner, Mapping) and depth:
        outside = {key: value for key, value in members.items() if not isinstance(value, Mapping)}
        outside = {key: outside[key] for key in (*_SCORES, *_ORIGINS) if outside.get(key) is not None}
        if as_name(members.get("id")) is not None:
            outside["id"] = members["id"]  # of a point in a store; in LangChain's dump the path of its class
        if "payload" in members:
            held = {key: value for key, value in inner.items() if key not in TEXTS}
            inner = {**as_map(decoded(inner.get("_node_content"))), **inner}
            if first_text(inner, *TEXTS) is None and isinstance(inner.get("document"), str):
                inner = {**inner, "text": inner["document"], "document": None}
                held.pop("document", None)
            inner = {**inner, "metadata": {**held, **as_map(inner.get("metadata"))}}
        return _without_wrapping({**inner, **outside}, depth - 1)
    resource = members.get("text_resource")
    if isinstance(resource, Mapping) and members.get("text") is None:
        return {**members, "text": resource.get("text")}
    return members


def _name_of_member(members: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The id of a passage, and its alternative: a file name is more stable than a random id."""
    names = [name for key in _IDS if (name := as_name(members.get(key))) is not None]
    own = names[0] if names else None
    if own is not None and own.isdecimal() and first_of(members, "id", "id_") is None:
        # A number within its file, not a position among the passages.
        file = next((name for key in _FILES if (name := as_name({**given, **members}.get(key)))), None)
        own = f"{file}#{own}" if file else own
    found: dict[str, Any] = {"id": own, "other": {}}
    if own is None or _RANDOM.fullmatch(own):
        stable = (as_name(given.get(key)) for key in _STABLE)
        named = next((name for name in stable if name and not _RANDOM.fullmatch(name)), None)
        if named is not None:
            found |= {"id": named, "is_shared": True}
    other = next((name for name in names if name != found["id"] and not name.isdecimal()), None)
    if other is not None:
        found["other"] = {"other_id": other}
    return found


def read_chunks(chunks: Any) -> Any:
    """The chunks of a list, named by file or position (``chunk-1``) without an id; else unchanged."""
    if isinstance(chunks, Iterator):
        chunks = list(chunks)
    elif callable(getattr(chunks, "tolist", None)) and getattr(chunks, "shape", ()) != ():
        chunks = chunks.tolist()  # of an array library
    if not isinstance(chunks, (list, tuple)) or all(map(_is_own, chunks)):
        return chunks
    shaped = [item if _is_own(item) else _shaped(item, number) for number, item in enumerate(chunks, start=1)]
    taken = {str(item.get("id")) for item in map(as_map, shaped) if "is_shared" not in item}
    used: Counter[str] = Counter()
    for item in shaped:
        if isinstance(item, dict) and item.pop("is_shared", False):
            name = item["id"]
            used[name] += 1
            item["id"] = free_name(name, taken, used[name] - 1 or 1)
            taken.add(item["id"])
    return shaped


def free_name(name: str, taken: set[str], number: int = 1) -> str:
    """The name, or with the first number that makes it unique."""
    found = name
    while found in taken:
        number += 1
        found = f"{name}#{number}"
    return found


def _is_own(item: Any) -> bool:
    return isinstance(item, Mapping) and {"id", "text"}.issubset(item) and _OWN.issuperset(item)


def _shaped(item: Any, number: int) -> Any:
    found = read_chunk(item, strictly=True)
    if found is None or found["text"] is None:
        return item
    kept = {"id": found.get("id") or f"chunk-{number}", "text": found["text"], "metadata": found["metadata"]}
    if found.get("is_shared"):
        kept["is_shared"] = True
    score = found.get("score")
    if score is None:
        return kept
    if not found["is_plain"]:
        score = as_number(score)
    if not found["is_plain"] and score is not None and not 0.0 <= score <= 1.0:
        # Distances, and scores of rerankers, on other scales than ours.
        kept["metadata"].setdefault("retrieval_score", score)
        return kept
    return {**kept, "score": score}


def read_transcript(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A transcript under our own names: ``query``, ``sources`` of known shape, whole numbers as indices."""
    names = {}
    cited = value.get("citations")
    numbers = cited if isinstance(cited, (list, tuple)) else ()
    is_numbered = bool(numbers) and all(type(item) is int for item in numbers)
    if is_numbered and "cited_indices" not in value:
        names["citations"] = "cited_indices"
    if "query" in value and "question" not in value:
        names["query"] = "question"
    chunks = given = value.get("chunks")
    if "chunks" not in value and isinstance(value.get("sources"), (list, tuple)):
        given = value["sources"]
        # Texts in a list of sources may be names of files.
        is_named = any(isinstance(item, str) for item in given)
        chunks = [] if is_named else read_chunks(given)
        if not is_named and all(map(_is_own, chunks)):
            names["sources"] = "chunks"
    elif "chunks" in value:
        chunks = read_chunks(given)
    if names or chunks is not given:
        renamed = {names.get(key, key): item for key, item in value.items()}
        if "chunks" in renamed:
            renamed["chunks"] = chunks
        value = renamed
    return _plain_value(value)


def _plain_value(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A transcript with the words of its answer alone, and with the listed citations resolved."""
    answer = value.get("answer")
    if isinstance(answer, str) and any(mark in answer for mark in _WRAPPED):
        from pytest_grounding.model.answers import apply, text_of_answer

        if (plain := text_of_answer(answer)) is not None:
            value = apply(value, plain)
    cited = value.get("citations")
    if isinstance(cited, str) or _has_listed(cited) or "listed" in value:
        from pytest_grounding.model.listed import add_listed

        value = add_listed(value)
    return value


def is_span(item: Any) -> bool:
    """Whether an item of a list of citations has a place in the answer, as native ones have."""
    return isinstance(item, Mapping) and bool(_SPAN_MEMBERS & item.keys())


def _has_listed(cited: Any) -> bool:
    """Whether a list of citations has entries without a place in the answer, and nothing odd."""
    if not isinstance(cited, (list, tuple)):
        return False
    spans = sum(map(is_span, cited))
    return spans < len(cited) and all(map(_is_entry, cited))


def _is_entry(item: Any) -> bool:
    if isinstance(item, str):
        return bool(item.strip())
    return isinstance(item, Mapping) or type(item) is int


def section_of(section: Any) -> dict[str, str]:
    """The meaning of a member ``section``: the number of a section, or its title."""
    if isinstance(section, bool) or not isinstance(section, (str, int, float)) or not str(section).strip():
        return {}
    text = str(section).strip()
    numbered = _NUMBERED.fullmatch(text.removeprefix("§").strip())
    return {"section_number": numbered[0].rstrip(".")} if numbered else {"section_title": text}


def chunk_metadata(given: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a chunk under our own names; known members with unusable values go to ``original``."""
    kept: dict[str, Any] = {}
    aside: dict[str, Any] = {}
    for key, value in bounded_json(dict(given)).items():
        if value is None or value == "":
            continue
        checked = _checked_value(key, value)
        if checked is None:
            aside[key] = value
        else:
            kept[key] = checked
    if aside:
        kept["original"] = aside
    texts = {key: value for key, value in kept.items() if isinstance(value, str) and value.strip()}
    links = {key for key, value in texts.items() if value.startswith(("http://", "https://"))}
    for name, others in (("url", _URLS), ("document", _DOCUMENTS)):
        meant = (key for key in others if (key in links) == (name == "url"))
        found = next((texts[key] for key in meant if key in texts), None)
        if found is not None:
            kept.setdefault(name, found)
    for name, text in section_of(kept.get("section")).items():
        kept.setdefault(name, text)
    # PDF loaders count pages from 0 in "page" and store the printed number in "page_label".
    label = as_name(first_of(kept, "page_label", "page_number"))
    if label is not None:
        kept["page"] = label
    return kept


def _checked_value(key: str, value: Any) -> Any:
    if key in _LABELS:
        return as_name(value)
    if key in _WORDS:
        return value if isinstance(value, str) else None
    if key in _LINES:
        number = as_int(value)
        return number if number is not None and number >= 1 else None
    return value


def texts_of(chunks: Sequence[Any]) -> list[Any]:
    """The texts of chunks, given as texts, chunks or known shapes; anything else unchanged."""
    found = []
    for item in read_chunks(list(chunks)):
        found.append(item.get("text") if isinstance(item, Mapping) else getattr(item, "text", item))
    return found
