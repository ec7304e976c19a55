"""The known traps of each format, one test each."""

import copy
import json

import pytest
from every import each
from payloads import ANSWER, FIRST, HOURS, MARKED, PAYLOADS, PRICE, QUESTION, SECOND, START, utf8, utf16

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript


def changed(name):
    return copy.deepcopy(PAYLOADS[name])


def notes(transcript, rule):
    return [note.message for note in transcript.notes if note.rule == rule]


def findings(transcript):
    return {finding.message for finding in pg.validate(transcript).findings}


# -- offsets


@each(utf8, utf16)
def test_spans_in_an_undocumented_unit_are_read_in_the_one_that_fits(unit):
    value = changed("cohere")
    for span in value["response"]["message"]["citations"]:
        span["start"], span["end"] = unit(ANSWER, span["start"]), unit(ANSWER, span["end"])
    transcript = as_transcript(value)
    assert [citation.text for citation in transcript.citations] == [FIRST, SECOND]
    assert transcript.citations[1].start == START
    assert "fit the answer only in" in notes(transcript, "import_loss")[0]


def test_spans_that_fit_no_unit_are_kept_and_become_findings():
    value = changed("cohere")
    value["response"]["message"]["citations"][1]["text"] = "words that stand nowhere"
    transcript = as_transcript(value)
    assert len(transcript.citations) == 2
    (message,) = notes(transcript, "offset_mismatch")
    assert message in findings(transcript)


def test_gemini_counts_bytes_and_leaves_zeros_out():
    for support in changed("gemini")["response"]["candidates"][0]["groundingMetadata"]["groundingSupports"][
        :1
    ]:
        assert "startIndex" not in support["segment"]
    transcript = as_transcript(changed("gemini"))
    assert [(citation.start, citation.text) for citation in transcript.citations] == [
        (0, FIRST),
        (START, SECOND),
    ]
    assert not notes(transcript, "import_loss")


def test_gemini_segments_without_text_are_bytes():
    value = changed("gemini")
    for support in value["response"]["candidates"][0]["groundingMetadata"]["groundingSupports"]:
        del support["segment"]["text"]
    assert as_transcript(value).citations[1].start == START


def test_gemini_in_the_snake_case_of_its_library():
    candidate = {
        "content": {"parts": [{"text": "Open.", "thought": None}]},
        "grounding_metadata": {
            "grounding_chunks": [{"web": {"uri": "https://museum.example", "title": "museum.example"}}],
            "grounding_supports": [
                {
                    "segment": {"start_index": None, "end_index": 5, "text": "Open."},
                    "grounding_chunk_indices": [0],
                }
            ],
        },
    }
    transcript = as_transcript({"question": QUESTION, "response": {"candidates": [candidate]}})
    assert transcript.citations[0].chunk_ids == ("g0",)
    assert transcript.chunks[0].metadata.url == "https://museum.example"
    assert "1 of 1 chunk is an address; the provider does not give the text" in " ".join(findings(transcript))


def test_gemini_part_index_counts_from_the_part_or_from_the_whole():
    parts = [{"text": "One é. "}, {"text": "Two."}]
    for start, end, index in ((0, 4, 1), (8, 12, 0), (8, 12, 1)):
        segment = {"startIndex": start, "endIndex": end, "partIndex": index, "text": "Two."}
        grounding = {
            "groundingChunks": [{"retrievedContext": {"text": "Two."}}],
            "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}],
        }
        body = {"candidates": [{"content": {"parts": parts}, "groundingMetadata": grounding}]}
        (citation,) = as_transcript({"question": QUESTION, "response": body}).citations
        assert (citation.start, citation.end) == (7, 11)


# -- OpenAI


def test_openai_file_citation_is_a_point_in_the_text_and_names_all_results_of_a_file():
    transcript = as_transcript(changed("openai-responses"))
    first = transcript.citations[0]
    assert (first.start, first.end) == (len(FIRST) - 1, len(FIRST) - 1)
    assert first.chunk_ids == ("file-a", "file-a#2")
    assert not notes(transcript, "import_loss"), "several results of a file are no loss"
    assert transcript.chunks[0].score == 0.93


def test_openai_links_lie_in_their_own_part_of_the_text():
    transcript = as_transcript(changed("openai-responses"))
    link = transcript.citations[1]
    assert transcript.answer[link.start : link.end] == "([museum.example](https://museum.example/hours))"


def test_openai_missing_search_results_are_reported():
    value = changed("openai-responses")
    value["response"]["output"][0]["results"] = None
    transcript = as_transcript(value)
    assert 'include=["file_search_call.results"]' in " ".join(findings(transcript))
    assert transcript.citations[0].chunk_ids == ("file-a",), "the cited file stands in, without text"


def test_openai_positions_beyond_the_text_are_findings():
    value = changed("openai-responses")
    value["response"]["output"][1]["content"][0]["annotations"][0]["index"] = 5000
    transcript = as_transcript(value)
    assert notes(transcript, "offset_mismatch")
    assert "offset_mismatch" in {finding.rule for finding in pg.validate(transcript).causes}


def test_openai_unknown_annotations_are_reported():
    value = changed("openai-responses")
    value["response"]["output"][1]["content"][0]["annotations"].append({"type": "hologram", "index": 1})
    assert "1 annotation of an unknown kind" in notes(as_transcript(value), "import_loss")[0]


# -- Anthropic


def test_anthropic_cites_the_whole_block_and_points_into_the_source():
    transcript = as_transcript(changed("anthropic"))
    assert [citation.text for citation in transcript.citations] == [
        "it is open from Tuesday to Sunday",
        "a ticket costs 12 €",
        "a ticket costs 12 €",
    ]
    assert [citation.chunk_ids for citation in transcript.citations] == [
        ("doc-0",),
        ("doc-1.1",),
        ("result-0.1",),
    ]
    assert transcript.citations[0].quote == HOURS, "the blank at the end is not a difference"
    assert not transcript.notes[:-1]


def test_anthropic_block_ranges_of_length_zero_are_read_as_one_block():
    value = changed("anthropic")
    value["response"]["content"][4]["citations"][0].update(start_block_index=0, end_block_index=0)
    transcript = as_transcript(value)
    assert transcript.citations[1].chunk_ids == ("doc-1.0",)


def test_anthropic_without_its_request_knows_the_cited_words_only():
    transcript = as_transcript({"question": QUESTION, "response": changed("anthropic")["response"]})
    assert [chunk.text for chunk in transcript.chunks] == [HOURS, PRICE, PRICE]
    assert any("only its cited words are known" in message for message in findings(transcript))


def test_anthropic_pages_end_exclusive_and_pdf_text_is_repaired():
    note = {
        "type": "page_location",
        "cited_text": "self\u0002guided tours\r\nstart hourly. ",
        "document_index": 0,
        "document_title": "Tours",
        "start_page_number": 5,
        "end_page_number": 6,
    }
    body = {
        "type": "message",
        "content": [{"type": "text", "text": "Tours start hourly.", "citations": [note]}],
    }
    transcript = as_transcript({"question": QUESTION, "response": body})
    assert transcript.chunks[0].metadata.page == "5"
    assert transcript.chunks[0].text == "self-guided tours\nstart hourly."
    assert transcript.citations[0].quote == transcript.chunks[0].text


def test_anthropic_counts_documents_over_all_messages():
    value = changed("anthropic")
    blocks = value["request"]["messages"][0]["content"]
    value["request"]["messages"] = [
        {"role": "user", "content": [blocks[0], {"type": "text", "text": "Hello?"}]},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": blocks[1:]},
    ]
    transcript = as_transcript(value)
    assert transcript.citations[1].chunk_ids == ("doc-1.1",)
    assert [turn.content for turn in transcript.history] == ["Hello?", "Yes."]


# -- Cohere


def test_cohere_citations_of_thinking_are_dropped_with_a_note():
    value = changed("cohere")
    value["response"]["message"]["citations"].append(
        {**value["response"]["message"]["citations"][0], "type": "PLAN"}
    )
    transcript = as_transcript(value)
    assert len(transcript.citations) == 2
    assert "1 citation of the model's thinking" in notes(transcript, "import_loss")[0]


def test_cohere_content_index_chooses_the_block():
    body = {
        "finish_reason": "COMPLETE",
        "message": {
            "content": [
                {"type": "thinking", "thinking": "Hm."},
                {"type": "text", "text": "A é. "},
                {"type": "text", "text": "B."},
            ],
            "citations": [
                {"start": 0, "end": 2, "text": "B.", "content_index": 2, "sources": [{"id": "doc:0:0"}]}
            ],
        },
    }
    transcript = as_transcript(
        {"request": {"messages": [{"role": "user", "content": "Q?"}], "documents": ["B."]}, "response": body}
    )
    assert (transcript.citations[0].start, transcript.citations[0].chunk_ids) == (5, ("doc:0",))


def test_cohere_without_its_request_takes_documents_from_the_citations():
    value = changed("cohere")["response"]
    for citation, text in zip(value["message"]["citations"], (HOURS, PRICE), strict=True):
        citation["sources"][0]["document"] = {"snippet": text}
    transcript = as_transcript({"question": QUESTION, "response": value})
    assert [chunk.text for chunk in transcript.chunks] == [HOURS, PRICE]


# -- frameworks


def test_langchain_in_its_three_serial_forms_and_with_a_message_as_answer():
    plain = changed("langchain")
    path = ["langchain", "schema", "document", "Document"]
    wrapped = {**plain, "context": [
        {"lc": 1, "type": "constructor", "id": path, "kwargs": document} for document in plain["context"]
    ]}  # fmt: skip
    oldest = {**plain, "context": [
        {key: document[key] for key in ("page_content", "metadata")} for document in plain["context"]
    ]}  # fmt: skip
    texts = [[chunk.text for chunk in as_transcript(value).chunks] for value in (plain, wrapped, oldest)]
    assert texts == [[HOURS, PRICE]] * 3
    for answer in (
        {"content": MARKED, "type": "ai"},
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", "AIMessage"],
            "kwargs": {"content": MARKED},
        },
        {"content": [{"type": "text", "text": MARKED}]},
    ):
        assert as_transcript({**plain, "answer": answer}).answer == MARKED


def test_langchain_older_chains_and_pairs_with_scores():
    old = {"query": QUESTION, "result": MARKED, "source_documents": [[{"page_content": HOURS}, 0.5]]}
    transcript = as_transcript(old)
    assert (transcript.question, transcript.answer, transcript.chunks[0].score) == (QUESTION, MARKED, 0.5)


def test_llamaindex_prefixes_go_and_names_stay_the_same_in_every_run():
    transcript = as_transcript(changed("llamaindex"))
    assert [chunk.id for chunk in transcript.chunks] == ["hours.md", "price.md"]
    assert transcript.chunks[0].text == f"{HOURS}\n"
    value = changed("llamaindex")
    value["response"]["source_nodes"].reverse()
    turned = as_transcript(value)
    assert [chunk.id for chunk in turned.chunks] == ["hours.md", "price.md"]


def test_haystack_markers_count_what_the_builder_got():
    value = changed("haystack")
    value["documents"][1]["meta"]["source_index"] = 3
    value["data"] = "A ticket costs 12 € [3]."
    transcript = as_transcript(value)
    assert [chunk.id for chunk in transcript.chunks] == ["h1", "not-recorded-2", "h2"]
    assert pg.validate(transcript).citations[0].chunk_id == "h2"
    assert any("return_only_referenced_documents=False" in message for message in findings(transcript))


def test_haystack_release_2_wraps_its_members_and_pipelines_hold_answers():
    value = changed("haystack")
    for document in value["documents"]:
        meta = document.pop("meta")
        document.update(meta)
    wrapped = {"type": "haystack.dataclasses.answer.GeneratedAnswer", "init_parameters": value}
    assert [chunk.metadata.document for chunk in as_transcript(wrapped).chunks] == ["hours.md", "price.md"]
    assert as_transcript({"answer_builder": {"answers": [changed("haystack")]}}).question == QUESTION


def test_ragas_older_names_and_conversations():
    old = {"question": QUESTION, "answer": MARKED, "contexts": [HOURS], "ground_truth": "x"}
    assert as_transcript(old).chunks[0].text == HOURS
    turns = [
        {"content": "Hello", "type": "human"},
        {"content": "Welcome.", "type": "ai"},
        {"content": QUESTION, "type": "human"},
        {"content": MARKED, "type": "ai"},
    ]
    transcript = as_transcript({"user_input": turns, "retrieved_contexts": [HOURS]})
    assert (transcript.question, transcript.answer, len(transcript.history)) == (QUESTION, MARKED, 2)


def test_deepeval_reads_what_was_retrieved_and_not_the_ideal():
    transcript = as_transcript(changed("deepeval"))
    assert [chunk.text for chunk in transcript.chunks] == [HOURS, PRICE]
    saved = {
        "input": QUESTION,
        "actual_output": MARKED,
        "retrieval_context": None,
        "context": [HOURS],
        "name": None,
    }
    assert as_transcript(saved).chunks == ()
    assert "retrieval_context" in " ".join(findings(as_transcript(saved)))


# -- traces


def spans():
    return changed("openinference")


def test_openinference_documents_are_ordered_by_number_and_not_by_text():
    value = spans()
    attributes = value[0]["attributes"]
    for number in range(12):
        attributes[f"retrieval.documents.{number}.document.content"] = f"passage {number}"
        attributes[f"retrieval.documents.{number}.document.id"] = f"p{number}"
    assert [chunk.id for chunk in as_transcript(value).chunks] == [f"p{number}" for number in range(12)]


def test_openinference_metadata_that_is_not_json_is_kept_as_text():
    value = spans()
    value[0]["attributes"]["retrieval.documents.0.document.metadata"] = "{'file': 'hours.md'}"
    transcript = as_transcript(value)
    assert transcript.chunks[0].metadata.model_extra == {"document_metadata": "{'file': 'hours.md'}"}


def test_openinference_prefers_what_the_reranker_put_out():
    value = spans()
    reranked = {
        "openinference.span.kind": "RERANKER",
        "reranker.output_documents.0.document.id": "price",
        "reranker.output_documents.0.document.content": PRICE,
    }
    value.append({**value[0], "context": {"trace_id": "0x01", "span_id": "0x0c"}, "attributes": reranked})
    transcript = as_transcript(value)
    assert [chunk.id for chunk in transcript.chunks] == ["price"]
    assert "the reranker kept" in notes(transcript, "import_loss")[0]


def test_openinference_nested_as_phoenix_exports_it():
    value = spans()
    value[0]["attributes"] = {
        "openinference": {"span": {"kind": "RETRIEVER"}},
        "retrieval": {
            "documents": [{"document": {"id": "hours", "content": HOURS, "metadata": {"file": "h.md"}}}]
        },
    }
    (chunk,) = as_transcript(value).chunks
    assert (chunk.id, chunk.text, chunk.metadata.document) == ("hours", HOURS, "h.md")


def test_spans_one_a_line_are_gathered_by_trace(tmp_path):
    other = json.loads(
        json.dumps(spans(), ensure_ascii=False).replace("0x01", "0x02").replace(MARKED, "Another answer.")
    )
    lines = [json.dumps(span) for pair in zip(spans(), other, strict=True) for span in pair]
    (tmp_path / "spans.jsonl").write_text("\n".join(lines))
    found = pg.load_transcripts(tmp_path / "spans.jsonl")
    assert [transcript.answer for transcript in found] == [MARKED, "Another answer."]


def test_genai_documents_without_text_are_a_gap():
    value = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": QUESTION,
        "gen_ai.retrieval.documents": json.dumps([{"id": "doc_1", "score": 0.95}]),
    }
    assert "add the text to gen_ai.retrieval.documents" in " ".join(findings(as_transcript(value)))
    assert as_transcript(value).chunks[0].score == 0.95


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


# -- data sets


# -- what all share


def test_scores_beyond_0_to_1_are_moved_with_a_note():
    value = changed("llamaindex")
    value["response"]["source_nodes"][0]["score"] = 17.5
    transcript = as_transcript(value)
    assert transcript.chunks[0].score is None
    assert transcript.chunks[0].metadata.model_extra["retrieval_score"] == 17.5
    assert "lies outside of 0 to 1" in notes(transcript, "import_loss")[0]


def test_chunks_that_share_an_id_keep_their_positions():
    value = changed("ragas")
    value["retrieved_context_ids"] = ["same", "same"]
    transcript = as_transcript(value)
    assert [chunk.id for chunk in transcript.chunks] == ["same", "same#2"]
    assert "share the id 'same'" in notes(transcript, "import_loss")[0]


def test_metadata_of_a_wrong_type_is_kept_aside():
    value = changed("langchain")
    value["context"][0]["metadata"] = {
        "page": ["1"],
        "line_start": "x",
        "url": 5,
        "page_label": "iv",
        "mine": 1,
    }
    metadata = as_transcript(value).chunks[0].metadata
    assert metadata.page == "iv"
    assert metadata.model_extra["original"] == {"page": ["1"], "line_start": "x", "url": 5}


def test_a_contract_without_a_confidence_is_a_finding():
    for name in ("contract", "structured"):
        value = changed(name)
        response = value["response"] if name == "contract" else json.loads(value["response"])
        response.get("metadata", response).pop("confidence")
        value["response"] = response
        assert "broken_contract" in {note.rule for note in as_transcript(value).notes}


def test_a_broken_contract_is_an_error_that_names_the_field():
    value = changed("contract")
    value["response"]["sources"][0]["relevance_score"] = 7
    with pytest.raises(pg.InputError, match=r"response\.sources\.0\.relevance_score"):
        as_transcript(value)


def test_lone_surrogates_keep_offsets_true():
    value = changed("cohere")
    broken = "\ud83d It is open."
    value["response"]["message"]["content"][0]["text"] = broken
    value["response"]["message"]["citations"] = [
        {"start": 2, "end": 13, "text": "It is open.", "sources": [{"id": "hours"}]}
    ]
    transcript = as_transcript(value)
    assert transcript.answer == "\ufffd It is open."
    assert transcript.answer[transcript.citations[0].start :] == "It is open."


# -- answers that the service stopped


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
    assert notes(as_transcript(value), "answer_cut_off") == []
    body = value["response"]
    for key, member in members.items():
        if isinstance(body.get(key), list):
            body[key][0].update(member)
        else:
            body[key] = member
    transcript = as_transcript(value)
    (said,) = notes(transcript, "answer_cut_off")
    assert f"({reason})" in said
    (finding,) = (item for item in pg.validate(transcript).causes if item.rule == "answer_cut_off")
    assert finding.severity == "warning"


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
