"""The known traps of each format, one test each."""

import copy
import json

import pytest
from every import each, table
from payloads import MARKED, PAYLOADS, QUESTION

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript


def notes(transcript, rule):
    return [note.message for note in transcript.notes if note.rule == rule]


def changed(name, changes=()):
    """A recording with other values at some paths; a path without a value is taken out."""
    value = copy.deepcopy(PAYLOADS[name])
    for (*path, last), *new in changes:
        inner = value
        for step in path:
            inner = inner[step]
        if not new:
            del inner[last]
        elif isinstance(inner, list) and last == len(inner):
            inner.append(new[0])
        else:
            inner[last] = new[0]
    return value


@pytest.mark.parametrize(("trap", "name", "changes", "expected", "said"), table(__file__, "recordings"))
def test_a_recording_of_a_service_is_read(trap, name, changes, expected, said):
    transcript = as_transcript(changed(name, changes) if name else changes)
    chunks, citations, verdict = transcript.chunks, transcript.citations, pg.validate(transcript)
    found = {
        "question": transcript.question,
        "answer": transcript.answer,
        "chunks": [chunk.id for chunk in chunks],
        "texts": [chunk.text for chunk in chunks],
        "scores": [chunk.score for chunk in chunks],
        "metadata": [chunk.metadata.model_dump(mode="json", exclude_none=True) for chunk in chunks],
        "citations": [[item.start, item.text, list(item.chunk_ids)] for item in citations],
        "quotes": [item.quote for item in citations],
        "history": [turn.content for turn in transcript.history],
        "notes": sorted({note.rule for note in transcript.notes}),
        "model": transcript.metadata.get("model_version"),
        "status": verdict.status,
    }
    assert {key: found[key] for key in expected} == expected, trap
    assert said in " ".join(finding.message for finding in verdict.findings)
    assert {note.message for note in transcript.notes} <= {finding.message for finding in verdict.findings}


def test_openai_links_lie_in_their_own_part_of_the_text():
    transcript = as_transcript(changed("openai-responses"))
    link = transcript.citations[1]
    assert transcript.answer[link.start : link.end] == "([museum.example](https://museum.example/hours))"


def test_spans_one_a_line_are_gathered_by_trace(tmp_path):
    other = json.loads(
        json.dumps(changed("openinference"), ensure_ascii=False)
        .replace("0x01", "0x02")
        .replace(MARKED, "Another answer.")
    )
    lines = [json.dumps(span) for pair in zip(changed("openinference"), other, strict=True) for span in pair]
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    found = pg.load_transcripts(tmp_path / "spans.jsonl")
    assert [transcript.answer for transcript in found] == [MARKED, "Another answer."]


def test_mlflow_attributes_are_encoded_twice_and_the_argument_is_found():
    value = changed("mlflow")
    transcript = as_transcript(value)
    assert transcript.question == QUESTION, "not the preview, which is cut off"
    assert transcript.answer == MARKED
    value["data"]["spans"][0]["attributes"]["mlflow.spanInputs"] = json.dumps({"k": 3, "whatever": QUESTION})
    assert as_transcript(value).question == QUESTION
    value["data"]["spans"][0]["attributes"]["mlflow.spanInputs"] = json.dumps({"one": "a", "two": "b"})
    with pytest.raises(pg.InputError, match="name the argument"):
        as_transcript(value)


def test_a_broken_contract_is_an_error_that_names_the_field():
    value = changed("contract")
    value["response"]["sources"][0]["relevance_score"] = 7
    with pytest.raises(pg.InputError, match=r"response\.sources\.0\.relevance_score"):
        as_transcript(value)


@each(
    ("cohere", {"finish_reason": "MAX_TOKENS"}, "MAX_TOKENS"),
    ("anthropic", {"stop_reason": "max_tokens"}, "max_tokens"),
    ("openai-chat", {"choices": {"finish_reason": "length"}}, "length"),
    ("openai-chat", {"choices": {"finish_reason": "content_filter"}}, "content_filter"),
    (
        "openai-responses",
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        "max_output_tokens",
    ),
    ("gemini", {"candidates": {"finishReason": "MAX_TOKENS"}}, "MAX_TOKENS"),
)
def test_a_truncated_answer_is_reported(name, members, reason):
    value = changed(name)
    rule = "answer_cut_off" if reason == "content_filter" else "incomplete_recording"
    assert notes(as_transcript(value), rule) == []
    body = value["response"]
    for key, member in members.items():
        if isinstance(body.get(key), list):
            body[key][0].update(member)
        else:
            body[key] = member
    transcript = as_transcript(value)
    (said,) = notes(transcript, rule)
    assert reason in said
    (finding,) = (item for item in pg.validate(transcript).causes if item.rule == rule)
    assert finding.severity == ("warning" if rule == "answer_cut_off" else "error")


@pytest.mark.parametrize("place", ["document_index", "search_result_index"])
@pytest.mark.parametrize("number", [3, -1])
def test_a_citation_of_a_source_outside_the_request_is_invalid(place, number):
    value = changed("anthropic")
    blocks = [block for block in value["response"]["content"] if block.get("citations")]
    [note] = [item for block in blocks for item in block["citations"] if place in item][:1]
    note[place] = number
    verdict = pg.validate(value)
    assert [citation.valid for citation in verdict.citations].count(False) == 1
    assert verdict.status == "reject"
    assert "source_exists" in {item.rule for item in verdict.findings}
    assert len(as_transcript(value).chunks) == len(as_transcript(changed("anthropic")).chunks)
    with pytest.raises(AssertionError, match="source_exists"):
        pg.assert_citations_valid(value)


def test_without_the_request_the_cited_words_are_the_source():
    value = changed("anthropic")
    for block in value["response"]["content"]:
        for note in block.get("citations", ()):
            if "document_index" in note:
                note["document_index"] += 3
    alone = {"question": QUESTION, "response": value["response"]}
    assert all(citation.valid for citation in pg.validate(alone).citations)
