"""Streams of events, whole and truncated; tables with other column names; the command that converts."""

import csv
import json
from typing import Any

import pytest
from every import each
from payloads import (
    ANSWER,
    ANTHROPIC,
    COHERE,
    FIRST,
    GEMINI,
    HOURS,
    MARKED,
    OPENAI_RESPONSES,
    PAYLOADS,
    PRICE,
    QUESTION,
)

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.engine.transcript_input import as_transcript, iter_transcripts
from pytest_grounding.importers.streams import parse_events
from pytest_grounding.importers.table import parse_columns

Events = list[tuple[str, Any]]


def sse(events):
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)


def cohere_events():
    message = COHERE["response"]["message"]
    pieces = [ANSWER[:9], ANSWER[9:20], ANSWER[20:]]
    found = [("message-start", {"type": "message-start", "id": "r-1"})]
    found += [
        ("content-delta", {"index": 0, "delta": {"message": {"content": {"text": piece}}}})
        for piece in pieces
    ]
    found += [
        ("citation-start", {"index": number, "delta": {"message": {"citations": citation}}})
        for number, citation in enumerate(message["citations"])
    ]
    return [*found, ("message-end", {"delta": {"finish_reason": "COMPLETE"}})]


def anthropic_events():
    found = [("message_start", {"message": {"id": "msg_1", "model": "claude-test"}})]
    for index, block in enumerate(ANTHROPIC["response"]["content"]):
        found.append(
            ("content_block_start", {"index": index, "content_block": {"type": block["type"], "text": ""}})
        )
        if block["type"] == "text":
            for piece in (block["text"][:3], block["text"][3:]):
                found.append(
                    ("content_block_delta", {"index": index, "delta": {"type": "text_delta", "text": piece}})
                )
            for citation in block.get("citations", []):
                delta = {"type": "citations_delta", "citation": citation}
                found.append(("content_block_delta", {"index": index, "delta": delta}))
    return [*found, ("message_stop", {"type": "message_stop"})]


def openai_events():
    return [
        (
            "response.created",
            {"type": "response.created", "response": {"id": "resp_1", "object": "response"}},
        ),
        ("response.output_text.delta", {"delta": FIRST}),
        ("response.completed", {"response": OPENAI_RESPONSES["response"]}),
    ]


def gemini_events():
    candidate = GEMINI["response"]["candidates"][0]
    first = {"candidates": [{"content": {"parts": [{"text": ANSWER[:7]}]}}]}
    last = {"candidates": [{**candidate, "content": {"parts": [{"text": ANSWER[7:]}]}}]}
    return [("", first), ("", last)]


WHOLE = {
    "cohere": (cohere_events, COHERE),
    "anthropic": (anthropic_events, ANTHROPIC),
    "openai-responses": (openai_events, OPENAI_RESPONSES),
    "gemini": (gemini_events, GEMINI),
}


@each(*WHOLE)
def test_a_stream_equals_the_whole_response(name, tmp_path):
    events, value = WHOLE[name]
    path = tmp_path / "recorded.sse"
    path.write_text(sse([("request", value["request"]), *events()]), encoding="utf-8")
    (streamed,) = pg.load_transcripts(path)
    direct = as_transcript(value)
    assert (streamed.answer, streamed.citations, streamed.chunks) == (
        direct.answer,
        direct.citations,
        direct.chunks,
    )
    assert streamed.id == direct.id
    assert "answer_cut_off" not in {note.rule for note in streamed.notes}


@each("cohere", "anthropic", "openai-responses")
def test_a_truncated_stream_is_read_and_reported(name):
    events, value = WHOLE[name]
    text = sse(events()[:-1])
    transcript = as_transcript({"request": value["request"], "response": text[: len(text) - 2]})
    assert transcript.answer.startswith(("😀 It is open", "Here is"))
    assert "answer_cut_off" in {finding.rule for finding in pg.validate(transcript).causes}


def test_a_chat_completion_in_chunks_is_read():
    chunks = [
        {"id": "c", "choices": [{"delta": {"content": piece}, "finish_reason": None}]}
        for piece in (MARKED[:5], MARKED[5:])
    ]
    end = {"id": "c", "choices": [{"delta": {}, "finish_reason": "stop"}]}
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in [*chunks, end]) + "data: [DONE]\n\n"
    transcript = as_transcript({"question": QUESTION, "chunks": [HOURS, PRICE], "response": text})
    assert transcript.answer == MARKED
    assert not [note for note in transcript.notes if note.rule == "answer_cut_off"]


def test_a_chat_completion_without_its_end_is_reported():
    chunks = [{"choices": [{"delta": {"content": piece}}]} for piece in (MARKED[:5], MARKED[5:])]
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    transcript = as_transcript({"question": QUESTION, "chunks": [HOURS, PRICE], "response": text})
    assert transcript.answer == MARKED
    assert "answer_cut_off" in {note.rule for note in transcript.notes}


def test_events_are_parsed_as_the_standard_says():
    text = "\ufeff: comment\r\nevent: a\r\ndata: 1\r\ndata:  2\r\nid: 7\r\n\r\ndata: cut"
    assert parse_events(text) == [{"event": "a", "data": "1\n 2"}, {"event": "", "data": "cut"}]


def test_events_of_an_unknown_service_are_an_error():
    with pytest.raises(pg.InputError, match="of no known service"):
        as_transcript({"question": QUESTION, "response": {"stream": [{"event": "ping", "data": "{}"}]}})


# -- tables


def table(path, rows, **options):
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.DictWriter(stream, rows[0], **options)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_table_with_usual_column_names_needs_no_mapping(tmp_path):
    row = {
        "question": QUESTION,
        "answer": "Line one.\nIt is open.",
        "contexts": json.dumps([HOURS, PRICE]),
        "owner": "ann",
    }
    (transcript,) = pg.load_transcripts(table(tmp_path / "runs.csv", [row]))
    assert [chunk.text for chunk in transcript.chunks] == [HOURS, PRICE]
    assert transcript.answer == row["answer"]
    assert transcript.metadata["owner"] == "ann"


def test_columns_of_other_names_are_mapped_by_a_setting(tmp_path):
    row = {"Frage": QUESTION, "Antwort": MARKED, "Kontext": str([HOURS, "it's"]), "Nr": "7"}
    path = table(tmp_path / "laeufe.csv", [row], delimiter=";")
    columns = "question=Frage, answer=Antwort, chunks=Kontext, id=Nr"
    (transcript,) = pg.load_transcripts(path, {"columns": columns})
    assert (transcript.id, [chunk.text for chunk in transcript.chunks]) == ("7", [HOURS, "it's"])
    with pytest.raises(
        pg.InputError, match=r"laeufe\.csv:2: question: no column holds the question; columns are 'Frage'"
    ):
        pg.load_transcripts(path)
    with pytest.raises(pg.InputError, match="there is no column 'Farge'"):
        pg.load_transcripts(path, {"columns": "question=Farge, answer=Antwort"})
    assert as_transcript(row, {"columns": columns}).question == QUESTION, "the same for objects"


def test_a_row_with_too_few_cells_does_not_hide_the_others(tmp_path):
    path = tmp_path / "runs.tsv"
    path.write_text(f"question\tanswer\tcontext\nonly one\n{QUESTION}\tYes.\t{HOURS}\n", encoding="utf-8")
    rows = list(iter_transcripts(path))
    assert [row.line for row in rows] == [2, 3]
    assert "has 1 cells, and the first line names 3 columns" in str(rows[0].error)
    assert rows[1].transcript is not None


def test_long_cells_are_read_without_changing_the_csv_limit(tmp_path):
    before = csv.field_size_limit()
    row = {"question": QUESTION, "answer": "Yes.", "context": "word " * 60_000}
    (transcript,) = pg.load_transcripts(table(tmp_path / "long.csv", [row]))
    assert len(transcript.chunks[0].text) > before
    assert csv.field_size_limit() == before


def test_a_mapping_that_names_no_field_is_an_error():
    with pytest.raises(pg.InputError, match="fields are id, question"):
        parse_columns("frage=x")


# -- the command


def test_convert_writes_transcripts_that_check_reads(tmp_path, capsys):
    for name in ("cohere", "langchain", "mlflow"):
        (tmp_path / f"{name}.json").write_text(json.dumps(PAYLOADS[name]))
    out = tmp_path / "out" / "all.transcripts.jsonl"
    assert main(["show", "transcripts", str(tmp_path), "-o", str(out)]) == 0
    assert "3 transcripts were written to " in capsys.readouterr().out
    assert pg.load_transcripts(out) == pg.load_transcripts(tmp_path / "*.json")


def test_convert_writes_the_good_rows_and_never_an_empty_file(tmp_path, capsys):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(PAYLOADS["langchain"]) + "\n{}\n")
    assert main(["show", "transcripts", str(source), "-o", str(out)]) == 2
    assert "in.jsonl:2" in capsys.readouterr().err
    kept = out.read_bytes()
    assert kept.count(b"\n") == 1
    source.write_text("{}\n")
    assert main(["show", "transcripts", str(source), "-o", str(out)]) == 2
    assert out.read_bytes() == kept


def test_convert_takes_columns_and_a_question(tmp_path):
    path = table(tmp_path / "runs.csv", [{"Frage": QUESTION, "Antwort": MARKED, "Kontext": HOURS}])
    out = tmp_path / "one.transcript.json"
    columns = ["--set", "columns=question=Frage, answer=Antwort, chunks=Kontext"]
    assert main(["show", "transcripts", str(path), "-o", str(out), *columns]) == 0
    assert pg.load_transcripts(out)[0].question == QUESTION
    alone = tmp_path / "alone.json"
    alone.write_text(json.dumps(PAYLOADS["llamaindex"]["response"]))
    assert main(["show", "transcripts", str(alone), "-o", str(out), "--set", "question=Asked?"]) == 0
    assert pg.load_transcripts(out)[0].question == "Asked?"
