"""Anthropic Messages with citations: the cited span is a text block, and positions refer to the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import GAP, Draft
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import split_turns, text_of_content, turns_of
from pytest_grounding.importers.tool_calls import read_tools
from pytest_grounding.model.json_values import as_int, as_text
from pytest_grounding.model.members import as_list, as_map, maps_in

_MAX_BLOCKS = 10_000
_KINDS = ("text", "thinking", "tool_use", "server_tool_use", "web_search_tool_result")


@dataclass
class _Document:
    """One source: its chunks by block, or only the words of it that citations quote."""

    key: str
    text: str | None = None
    blocks: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    quotes: dict[str, None] = field(default_factory=dict)
    chunk: dict[str, Any] | None = None
    is_web: bool = False


class AnthropicSources:
    """Finds the sources in requests and results, and resolves citations to their chunks."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._given = bool(draft.chunks)
        self._documents: list[_Document] = []
        self._results: list[_Document] = []
        self._web: dict[str, _Document] = {}
        self._loose: dict[str, _Document] = {}

    def collect(self, content: Any, depth: int = 0) -> None:
        """Collect the sources among the blocks of a message, also within tool results."""
        for block in maps_in(content):
            kind = block.get("type")
            if kind == "document":
                self._documents.append(self._document(block))
            elif kind == "search_result":
                self._results.append(self._result(block))
            elif kind == "web_search_result":
                self._web_source(as_text(block.get("url")) or "", block)
            elif kind in ("tool_result", "web_search_tool_result") and depth < 3:
                inner = block.get("content")
                self.collect(inner if isinstance(inner, list) else [inner], depth + 1)

    def resolve(self, note: Mapping[str, Any]) -> list[str]:
        """The chunks named by a citation; their text is completed by the quote if none was recorded."""
        kind = note.get("type")
        if kind == "search_result_location":
            source = self._counted(self._results, note.get("search_result_index"), note, "search result")
        elif kind == "web_search_result_location":
            source = self._web_source(as_text(note.get("url")) or "", note)
        else:
            source = self._counted(self._documents, note.get("document_index"), note, "document")
        if source is None:
            return [f"{kind} (not in the request)"]  # no chunk has this name, so the citation will be invalid
        quoted = self.quote(note)
        if source.blocks:
            return self._blocks(source, note)
        chunk = self._chunk(source)
        if source.text is None:
            source.quotes |= {quoted: None} if quoted else {}
            if (page := as_int(note.get("start_page_number"))) is not None:
                chunk["metadata"].setdefault("page", str(page))
        return [str(chunk["id"])]

    @staticmethod
    def quote(note: Mapping[str, Any]) -> str | None:
        """The cited words; PDF files have Windows line ends, and U+0002 for hyphens."""
        text = as_text(note.get("cited_text"))
        return text.replace("\r\n", "\n").replace("\u0002", "-").strip() or None if text else None

    def finish(self) -> None:
        """Give chunks known only from citations their words, with a note."""
        known = [*self._documents, *self._results, *self._web.values(), *self._loose.values()]
        quoted = [source for source in known if source.chunk is not None and source.text is None]
        for source in quoted:
            self._chunk(source)["text"] = "\n".join(source.quotes)
        unseen = [item for item in self._documents if not (item.text or item.chunk or item.blocks)]
        lacking = [source for source in quoted if source.quotes and not source.is_web]
        lacking += [] if self._given else unseen
        if lacking:
            problem = f"the text of {counted(len(lacking), 'source')} is not recorded"
            hint = "give PDF files as text beside the response, as chunks"
            self._draft.gap("text", f"{problem}; only its cited words are known; {hint}", "warning")
        if any(source.is_web for source in quoted):
            problem = "web results are encrypted in the recording"
            self._draft.note(GAP, f"{problem}; only the words that the answer cites are known")

    def _document(self, block: Mapping[str, Any]) -> _Document:
        source = as_map(block.get("source"))
        title = as_text(block.get("title"))
        made = _Document(f"doc-{len(self._documents)}", metadata=_titled(title, as_text(source.get("url"))))
        if source.get("type") == "text":
            made.text = as_text(source.get("data"))
        elif source.get("type") == "content":
            held = source.get("content")
            self._add_blocks(made, [held] if isinstance(held, str) else as_list(held))
        if made.text is not None:
            self._chunk(made)
        return made

    def _result(self, block: Mapping[str, Any]) -> _Document:
        title, place = as_text(block.get("title")), as_text(block.get("source"))
        made = _Document(f"result-{len(self._results)}", metadata=_titled(title, place))
        self._add_blocks(made, as_list(block.get("content")))
        return made

    def _add_blocks(self, source: _Document, blocks: Any) -> None:
        for number, block in enumerate(list(blocks)[:_MAX_BLOCKS]):
            text = block if isinstance(block, str) else text_of_content([block])
            metadata = {**source.metadata, "block": number}
            source.blocks.append(self._draft.chunk(text, id=f"{source.key}.{number}", metadata=metadata))

    def _web_source(self, url: str, block: Mapping[str, Any]) -> _Document:
        if url not in self._web:
            metadata = _titled(as_text(block.get("title")), url)
            self._web[url] = _Document(url or "web", metadata=metadata, is_web=True)
            self._chunk(self._web[url])
        return self._web[url]

    def _counted(
        self, known: list[_Document], index: Any, note: Mapping[str, Any], kind: str
    ) -> _Document | None:
        """The source of an index, or None if the recorded request has no such source."""
        number = as_int(index)
        if number is not None and 0 <= number < len(known):
            return known[number]
        title = as_text(note.get("document_title")) or as_text(note.get("title"))
        place = as_text(note.get("source"))
        if number is not None and known:
            self._draft.lose(f"a citation names {kind} {number}, and the request holds {len(known)}")
            return None
        key = f"{kind.split()[-1]}-{number}" if number is not None else title or place or kind
        if key not in self._loose:
            self._loose[key] = _Document(key, metadata=_titled(title, place))
        return self._loose[key]

    def _blocks(self, source: _Document, note: Mapping[str, Any]) -> list[str]:
        start = as_int(note.get("start_block_index"))
        end = as_int(note.get("end_block_index"))
        if start is None or end is None:
            return list(source.blocks)
        # Some recordings give the last block instead of the one after it.
        end = max(end, start + 1)
        if not 0 <= start < end <= len(source.blocks):
            count = len(source.blocks)
            self._draft.lose(f"a citation names blocks {start} to {end} of a source with {count}")
        return source.blocks[max(start, 0) : max(end, 0)] or [f"{source.key}.{start}"]

    def _chunk(self, source: _Document) -> dict[str, Any]:
        if source.chunk is None:
            given: dict[str, Any] = {"id": source.key, "metadata": source.metadata}
            self._draft.chunk(source.text or "", **given, is_address=source.is_web)
            source.chunk = self._draft.chunks[-1]
        return source.chunk


def _titled(title: str | None, place: str | None) -> dict[str, Any]:
    is_link = bool(place) and str(place).startswith(("http://", "https://"))
    found = {"title": title, "url": place} if is_link else {"title": title, "document": place or title}
    return {key: value for key, value in found.items() if value}


class AnthropicMessages(Format):
    """Reads a message with its request: documents and search results become chunks, in order."""

    name = "anthropic"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        blocks = as_list(body.get("content"))
        is_said = not body.get("object") and body.get("role", "assistant") == "assistant"
        if not is_said or not all(isinstance(block, Mapping) for block in blocks[:3]):
            return False
        if not blocks:
            # A model that refuses, or has nothing to add, sends no block.
            return body.get("type") == "message" and "stop_reason" in body
        if body.get("type") == "message" or "stop_reason" in body:
            return True
        notes = [note for block in maps_in(blocks) for note in maps_in(block.get("citations"))]
        is_known = all(block.get("type") in _KINDS for block in maps_in(blocks))
        return is_known and any(str(note.get("type", "")).endswith("_location") for note in notes)

    def _read(self, recording: Recording, draft: Draft) -> None:
        body, request = recording.body, recording.request
        draft.ask(split_turns(turns_of(request.get("messages") or [])))
        draft.answered(body.get("id"), body.get("model"), body.get("stop_reason"))
        sources = AnthropicSources(draft)
        for message in maps_in(request.get("messages")):
            sources.collect(message.get("content"))
        sources.collect(body.get("content"))
        cited: list[tuple[int, str, Mapping[str, Any]]] = []
        is_parted = False
        for block in maps_in(body.get("content")):
            text = as_text(block.get("text"))
            if block.get("type") != "text" or text is None:
                is_parted = bool(draft.answer)
                continue
            # Text before a tool call is a separate statement.
            draft.answer += "\n\n" if is_parted and not draft.answer.endswith("\n") else ""
            is_parted = False
            cited += [(len(draft.answer), text, note) for note in maps_in(block.get("citations"))]
            draft.answer += text
        # Collect all before resolving: a source known from citations only is one chunk with all their words.
        for start, text, note in cited:
            ids = sources.resolve(note)
            draft.cite(start, start + len(text), ids, text=text, quote=sources.quote(note))
        sources.finish()
        read_tools(request.get("messages"), draft)
        draft.need_chunks("the recording contains no documents")
