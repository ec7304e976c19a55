"""TREC RAG runs: sentences with citations into a list of references, whose texts lie in a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pytest_grounding._wording import counted
from pytest_grounding.importers.corpus import fill
from pytest_grounding.importers.draft import LOSS, Draft
from pytest_grounding.importers.gathering import Found, Gathering, finished
from pytest_grounding.importers.reading import as_int, as_list, as_map, as_name, as_text, first_of, first_text


class TrecRag(Gathering):
    """Reads a run of the answer track, and the requests that hold a query and candidates.

    A gatherer: the texts of a whole run are looked up in one pass over the corpus.

    Args:
        options: ``corpus`` names the file with the texts.
    """

    name = "trec-rag"
    how: ClassVar[Mapping[str, str]] = {
        "question": "write the topic's text as topic",
        "text": "name the corpus with the setting corpus (JSON Lines with docid and segment)",
    }

    def belongs(self, value: Any) -> bool:
        """Whether the value is an answer of a run, or a query with candidates."""
        row = as_map(value)
        if isinstance(row.get("references"), (list, tuple)) and isinstance(row.get("answer"), (list, tuple)):
            return True
        return "query" in row and isinstance(row.get("candidates"), (list, tuple))

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """One transcript a row."""
        drafts = [self._draft(as_map(value)) for value in values]
        fill(drafts, self.options.corpus)
        yield from finished(enumerate(drafts))

    def _draft(self, row: Mapping[str, Any]) -> Draft:
        draft = self.draft()
        if "candidates" in row:
            _read_request(row, draft)
            return draft
        topic = as_name(first_of(row, "topic_id", "narrative_id", "qid"))
        run = as_name(row.get("run_id"))
        draft.id = "-".join(part for part in (run, topic) if part) or None
        draft.question = first_text(row, "topic", "narrative", "question") or ""
        draft.metadata.update(
            {key: row[key] for key in ("team_id", "run_id") if isinstance(row.get(key), str)}
        )
        references = as_list(row.get("references"))
        ids = [draft.chunk("", id=as_name(reference)) for reference in references]
        if len({str(reference) for reference in references}) < len(references):
            draft.note(
                LOSS,
                "the references name a passage twice; citations are counted in the list as it came",
                "warning",
            )
        _answer(as_list(row.get("answer")), ids, draft)
        return draft


def _answer(sentences: Any, ids: list[str], draft: Draft) -> None:
    """Join the sentences with blanks; what a sentence cites counts from 0, or is the id of a reference."""
    outside = 0
    for item in sentences:
        sentence = as_map(item)
        text = as_text(sentence.get("text")) or ""
        if draft.answer and text:
            draft.answer += " "
        start = len(draft.answer)
        draft.answer += text
        named: list[str] = []
        for reference in as_list(sentence.get("citations")):
            number = as_int(reference)
            if number is None:
                named += draft.names(as_name(reference) or "") or [as_name(reference) or "unnamed"]
            elif 0 <= number < len(ids):
                named.append(ids[number])
            else:
                outside += 1
                named.append(f"references[{number}]" if abs(number) < 10**9 else "references[...]")
        if named and text:
            draft.cite(start, len(draft.answer), named, text=text)
    if outside:
        what = f"{counted(outside, 'citation')} {'counts' if outside == 1 else 'count'}"
        draft.note(
            LOSS,
            f"{what} beyond the {len(ids)} references; they count from 0, and tools that remove doubled "
            "references do not count anew",
            "warning",
        )


def _read_request(row: Mapping[str, Any], draft: Draft) -> None:
    """A query with its candidates: a retrieval without an answer."""
    query = row.get("query")
    draft.question = as_text(query) or first_text(as_map(query), "text", "query", "title") or ""
    draft.id = as_name(as_map(query).get("qid"))
    for item in as_list(row.get("candidates")):
        candidate = as_map(item)
        inner = as_map(candidate.get("doc"))
        if inner:
            text = first_text(inner, "segment", "text", "contents")
            known = {key: inner[key] for key in ("title", "url") if inner.get(key)}
            draft.chunk(
                text, id=as_name(candidate.get("docid")), score=candidate.get("score"), metadata=known
            )
        else:
            draft.chunk_of(item)
    draft.gap(
        "answer", "the row holds a query and its candidates and no answer: only the retrieval can be judged"
    )
