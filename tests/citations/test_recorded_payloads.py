"""Spans of recorded provider responses slice to their words. Skipped where the recordings are absent."""

import json
from pathlib import Path
from typing import Any

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.citations import builtin_syntaxes, extract, make_context
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not beside this checkout")

Payload = tuple[str, str, list[dict[str, Any]], list[dict[str, Any]]]


def _texts(blocks):
    position = 0
    for block in blocks:
        text = block.get("text") or ""
        if block.get("type", "text") in ("text", "output_text") and text:
            yield position, text, block
            position += len(text)


def cohere(name, value):
    for number, entry in enumerate(value if isinstance(value, list) else [value]):
        response = entry.get("response", entry)
        message = response.get("body", response).get("message", {})
        spans = message.get("citations") or []
        if spans:
            answer = "".join(block["text"] for block in message["content"])
            citations = [
                {
                    "start": span["start"],
                    "end": span["end"],
                    "text": span["text"],
                    "chunk_ids": [source["id"] for source in span["sources"]],
                }
                for span in spans
            ]
            ids = {name for citation in citations for name in citation["chunk_ids"]}
            yield f"{name}-{number}", answer, citations, [{"id": item, "text": "x"} for item in sorted(ids)]


def anthropic(name, value):
    content = value.get("response", value).get("content")
    if not content:
        return
    blocks = list(_texts(content))
    answer = "".join(text for _, text, _ in blocks)
    citations, chunks = [], {}
    for start, text, block in blocks:
        for source in block.get("citations") or []:
            title = source.get("url") or source.get("document_title") or source.get("title") or "document"
            chunk = chunks.setdefault(title, {"id": title, "text": ""})
            chunk["text"] += source["cited_text"] + "\n"
            citations.append(
                {
                    "start": start,
                    "end": start + len(text),
                    "text": text,
                    "chunk_ids": [title],
                    "quote": source["cited_text"],
                }
            )
    yield name, answer, citations, list(chunks.values())


def openai(name, value):
    response = value.get("response", value)
    for item in response["output"]:
        for block in item.get("content") or []:
            answer, citations, chunks = block["text"], [], {}
            for note in block["annotations"]:
                if note["type"] == "url_citation":
                    place = {"start": note["start_index"], "end": note["end_index"]}
                    place["text"] = answer[note["start_index"] : note["end_index"]]
                    chunk = {"id": note["url"], "text": "", "metadata": {"url": note["url"]}}
                else:
                    place = {"start": note["index"], "end": note["index"], "text": ""}
                    chunk = {"id": note["file_id"], "text": "", "metadata": {"document": note["filename"]}}
                chunks[chunk["id"]] = chunk
                citations.append({**place, "chunk_ids": [chunk["id"]]})
            yield name, answer, citations, list(chunks.values())


def gemini(name, value):
    candidate = value.get("response", value)["candidates"][0]
    answer = "".join(part.get("text", "") for part in candidate["content"]["parts"])
    data = answer.encode()
    grounding = candidate["groundingMetadata"]
    citations = []
    for support in grounding["groundingSupports"]:
        segment = support["segment"]
        # Offsets are bytes of UTF-8, and a start of 0 is left out.
        start = len(data[: segment.get("startIndex", 0)].decode())
        end = len(data[: segment["endIndex"]].decode())
        ids = [f"g{number}" for number in support["groundingChunkIndices"]]
        citations.append({"start": start, "end": end, "text": segment.get("text"), "chunk_ids": ids})
    chunks = [{"id": f"g{number}", "text": ""} for number in range(len(grounding["groundingChunks"]))]
    yield name, answer, citations, chunks


ADAPTERS = {"cohere_v2": cohere, "anthropic": anthropic, "openai": openai, "gemini": gemini}


def payloads():
    found = []
    for file in sorted(SAMPLES.glob("*.json")):
        for prefix, adapt in ADAPTERS.items():
            if file.name.startswith(prefix):
                value = json.loads(file.read_text(encoding="utf-8"))
                found += [rest for _, *rest in adapt(file.stem, value)]
    return found


PAYLOADS = payloads()


def test_enough_payloads_carry_spans():
    assert sum(bool(case[1]) for case in PAYLOADS) >= 18


@each(*map(tuple, PAYLOADS))
def test_spans_slice_to_their_words(answer, spans, chunks):
    transcript = Transcript.model_validate(
        {"id": "t", "question": "Q?", "chunks": chunks, "answer": answer, "citations": spans}
    )
    found = extract(make_context(transcript, Settings()), builtin_syntaxes())
    assert len(found) >= len({(span["start"], span["end"]) for span in spans})
    assert all(item.target.chunk_ids for item in found), "every citation resolves to its own sources"
    for item in found:
        if item.start >= 0:
            assert answer[item.start : item.end] == item.text
    outside = [span for span in spans if span["end"] > len(answer)]
    assert [item.mismatch != "" for item in found] == [item.start < 0 for item in found]
    assert sum(item.start < 0 for item in found) == len(outside)
    placed = {(item.start, item.end) for item in found}
    for span in spans:
        if span not in outside and span["text"]:
            # A span that is the mark of a link is that link's annotation; any other keeps its place.
            assert any(
                (start, end) == (span["start"], span["end"])
                or (span["start"] <= start and end <= span["end"] and "](" in answer[start:end])
                for start, end in placed
            )


@each(*map(tuple, PAYLOADS))
def test_validation_reports_and_never_crashes(answer, spans, chunks):
    verdict = pg.validate(
        {"id": "t", "question": "Q?", "chunks": chunks, "answer": answer, "citations": spans}
    )
    outside = sum(span["end"] > len(answer) for span in spans)
    assert sum(finding.rule == "offset_mismatch" for finding in verdict.causes) == outside
    assert all(item.valid for item in verdict.citations)
    quoted = [finding.message for finding in verdict.causes if finding.rule == "content_match"]
    assert not quoted, "what a provider quotes stands in its source"
