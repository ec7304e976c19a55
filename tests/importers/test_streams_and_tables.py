"""Streams of events, whole and truncated; tables with other column names; the command that converts."""

import csv
import json

import pytest
from every import each
from every import table as cases_of
from payloads import HOURS, MARKED, PAYLOADS, PRICE, QUESTION

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.engine.transcript_input import as_transcript, iter_transcripts
from pytest_grounding.importers.streams import parse_events
from pytest_grounding.importers.table import parse_columns

STREAMS = cases_of(__file__, "streams")


def beginning_with(request, stream):
    return f"event: request\ndata: {json.dumps(request)}\n\n{stream}"


@pytest.mark.row(24)
@each(*STREAMS)
def test_a_stream_equals_the_whole_response(name, stream, tmp_path):
    path = tmp_path / "recorded.sse"
    path.write_text(beginning_with(PAYLOADS[name]["request"], stream), encoding="utf-8")
    (streamed,) = pg.load_transcripts(path)
    direct = as_transcript(PAYLOADS[name])
    assert (streamed.answer, streamed.citations, streamed.chunks) == (
        direct.answer,
        direct.citations,
        direct.chunks,
    )
    assert streamed.id == direct.id
    assert "incomplete_recording" not in {note.rule for note in streamed.notes}


@each(*[case for case in STREAMS if case[0] != "gemini"])
def test_a_truncated_stream_is_read_and_reported(name, stream):
    cut = stream[: stream.rindex("event: ") - 2]
    transcript = as_transcript({"request": PAYLOADS[name]["request"], "response": cut})
    assert transcript.answer.startswith(("😀 It is open", "Here is"))
    assert "incomplete_recording" in {finding.rule for finding in pg.validate(transcript).causes}


PIECES = [
    {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "The gate "}}]},
    {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "shuts at 6."}}]},
    {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
]
BLOCKS = [
    {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "The gate shuts at 6."},
    },
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
]
OWN = [
    {"status": "token", "text": "The gate shuts at 6."},
    {"status": "sources", "sources": [{"id": "hours", "content": "The gate shuts at 6."}]},
    {"status": "done"},
]


FACT = "The bar closes at midnight."


def lines_of(events, request):
    asked = [{"type": "request", **request}] if request else []
    return "".join(f"{json.dumps(event)}\n" for event in [*asked, *events])


def text_of(events, request):
    stream = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return beginning_with(request, stream) if request else stream


@each(
    *(("chat.sse", text_of, PIECES), ("chat.jsonl", lines_of, PIECES)),
    *(("blocks.sse", text_of, BLOCKS), ("blocks.jsonl", lines_of, BLOCKS), ("own.sse", text_of, OWN)),
)
def test_a_stream_without_its_request_asks_for_the_question(name, written, events, tmp_path):
    path = tmp_path / name
    path.write_text(written(events, None), encoding="utf-8")
    with pytest.raises(pg.InputError) as told:
        pg.load_transcripts(path)
    assert f"{name}:1: question: this stream" in str(told.value)
    assert "put the request first, as an event named request" in str(told.value)
    path.write_text(written(events, {"question": "When does the gate shut?"}), encoding="utf-8")
    (transcript,) = pg.load_transcripts(path)
    assert (transcript.question, transcript.answer) == ("When does the gate shut?", "The gate shuts at 6.")
    path.write_text(written(events, None), encoding="utf-8")
    (transcript,) = pg.load_transcripts(path, {"question": "When is it shut?"})
    assert (transcript.question, transcript.answer) == ("When is it shut?", "The gate shuts at 6.")


@pytest.mark.parametrize("source", [{"text": FACT}, {"content": FACT}, {"id": "kb-1", "text": FACT}])
def test_a_question_that_is_given_serves_a_stream_with_plain_sources(source, tmp_path):
    path = tmp_path / "own.sse"
    events = [{"type": "token", "text": FACT}, {"type": "sources", "sources": [source]}, {"type": "done"}]
    path.write_text(text_of(events, None), encoding="utf-8")
    (transcript,) = pg.load_transcripts(path, {"question": "When does the bar close?"})
    assert (transcript.question, transcript.chunks[0].text) == ("When does the bar close?", FACT)


@each(True, False)
def test_a_chat_completion_in_chunks_is_read_and_one_without_its_end_is_reported(is_whole):
    choices = [{"delta": {"content": piece}} for piece in (MARKED[:5], MARKED[5:])]
    choices += [{"delta": {}, "finish_reason": "stop"}] * is_whole
    text = "".join(f"data: {json.dumps({'id': 'c', 'choices': [choice]})}\n\n" for choice in choices)
    text += "data: [DONE]\n\n" * is_whole
    transcript = as_transcript({"question": QUESTION, "chunks": [HOURS, PRICE], "response": text})
    assert transcript.answer == MARKED
    assert ("incomplete_recording" in {note.rule for note in transcript.notes}) is not is_whole


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


@each(
    [
        {"type": "message_start", "message": {"id": "m", "role": "assistant"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "It opens "}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": None}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "on Mondays."}},
        {"type": "message_stop"},
    ],
    [
        {"type": "response.created", "response": {"id": "r", "object": "response", "model": "m"}},
        {"type": "response.output_text.delta", "delta": "It opens "},
        {"type": "response.output_text.delta"},
        {"type": "response.output_text.delta", "delta": "on Mondays."},
    ],
)
def test_a_piece_of_a_stream_without_text_is_a_warning(events):
    found = as_transcript(
        {"question": "When?", "chunks": ["It opens on Mondays."], "response": {"stream": events}}
    )
    assert found.answer == "It opens on Mondays."
    assert "1 piece of the stream without text" in " ".join(note.message for note in found.notes)


@each(
    [
        {"type": "message-start", "id": "r"},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"thinking": "Which day?"}}}},
        {"type": "content-delta", "index": 1, "delta": {"message": {"content": {"text": "It opens on "}}}},
        {"type": "content-delta", "index": 1, "delta": {"message": {"content": {"text": "Mondays."}}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    ],
    [
        {"type": "response.output_text.delta", "delta": "It opens "},
        {"type": "response.output_text.delta"},
        {
            "type": "response.completed",
            "response": {
                "id": "r",
                "object": "response",
                "output": [
                    {
                        "type": "message",
                        "role": "assistant",
                        "content": [
                            {"type": "output_text", "text": "It opens on Mondays.", "annotations": []}
                        ],
                    }
                ],
            },
        },
    ],
)
def test_thoughts_and_pieces_of_a_response_that_came_whole_are_no_lost_text(events):
    found = as_transcript(
        {"question": "When?", "chunks": ["It opens on Mondays."], "response": {"stream": events}}
    )
    assert found.answer == "It opens on Mondays."
    assert "import_loss" not in {note.rule for note in found.notes}
