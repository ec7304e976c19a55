"""Structured text is read as records, laid-out text as a reader sees it, and both lead back to the chunk."""

import json
import re
from collections import defaultdict
from pathlib import Path

from every import each, table
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.labelled import judged
from pytest_grounding import Transcript, validate
from pytest_grounding.reading.records import laid_of, records_of

ROOT = Path(__file__).resolve().parents[2]
PUMP = "Part pump: price 17 euros; weight 4 kg."


def _rows(name):
    lines = (ROOT / "benchmarks" / "own" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@each(("records", 0.9), ("layout", 0.75))
def test_wrong_answers_are_stopped_and_right_ones_pass(name, least):
    right = defaultdict(list)
    wrong = defaultdict(list)
    for number, row in enumerate(_rows(name)):
        passes = judged(row, number).status == "pass"
        (right if row["label"] == "supported" else wrong)[row["kind"]].append(passes)
    shares = {
        kind: f"{sum(right[kind])}/{len(right[kind])} right pass, {sum(wrong[kind])}/{len(wrong[kind])} wrong"
        for kind in right
    }
    passed = [item for items in right.values() for item in items]
    stopped = [not item for items in wrong.values() for item in items]
    assert sum(passed) >= 0.92 * len(passed), shares
    assert sum(stopped) >= least * len(stopped), shares


@each(*table(__file__, "test_each_format_gives_the_same_record"))
def test_each_format_gives_the_same_record(text):
    laid = records_of(text)
    assert laid.text.splitlines()[1] == PUMP
    record = laid.records[1]
    low, high = laid.span(record.start, record.end)
    assert {"pump", "17"} <= set(re.findall(r"\w+", text[low:high]))
    price = record.cells[1]
    assert text[slice(*laid.span(price.start, price.end))].removesuffix(" euros") == "17"


@each(
    ("[pump]\nprice = 17 euros\nweight_kg = 4\n", "price: 17 euros; weight: 4 kg.\n"),
    ("Prices by part:\n- lamp – 10 euros\n- pump – 17 euros", "pump: prices 17 euros."),
    ("Order No: 90311\nCarrier: Norpost", "Order number: 90311; carrier: Norpost.\n"),
    ("id,part,stock\n1,lamp,5\n2,pump,8\n3,hose,9", "Part pump: stock 8; id 2."),
    ("| | Sales (EUR m) |\n|---|---|\n| North | 12 |", "North: sales 12 million euros.\n"),
    ("Field | Value\n--- | ---\nPort | 80\nHost | a", "Port: 80; host: a.\n"),
    ('{"a": {"b": {"port": 80, "host": "x"}}}', "port: 80; host: x."),
    ("In thousands of dollars: loan 70,000.", "loan 70,000 thousand dollars."),
)
def test_labels_units_and_names(text, said):
    laid = laid_of(text)
    assert said in laid.text


@each(*table(__file__, "test_what_a_reader_sees"))
def test_what_a_reader_sees(text, shown):
    laid = laid_of(text)
    assert (laid.text if laid is not None and laid.text != text else None) == shown


_PROSE = st.lists(
    st.sampled_from(
        [
            "The tenant pays the deposit to Anna Berg, who manages the house, before 1 March.",
            "Note: the office is closed on Mondays, Tuesdays and Fridays, as it was in 2019.",
            "He asked whether it was paid; nobody knew - not even the bank.",
            "Alice: I do not know why it is so, but it was late. Nobody came.",
            "It costs 14 euros (see page 4), or 12 for members: children enter free.",
            "Red, white and blue, they said, are the colours of the flag, the coat and the seal.",
        ]
    ),
    min_size=1,
    max_size=6,
)


@given(_PROSE, st.sampled_from([" ", "\n", "\n\n"]))
def test_prose_is_no_record(sentences, between):
    assert records_of(between.join(sentences)) is None


@each(
    (
        "Roses are red, violets are blue\nSugar is sweet, and so are you\n"
        "Honey is gold, apples are green\nRivers are long, winters are keen",
    ),
    ("Dear Anna, dear Ben\nthanks for the map, the hut was open\nwe stayed two nights, then it snowed",),
    ("First we walk, then we eat\nAfter that we rest, if it rains\nAt six we leave, all of us",),
)
def test_lines_of_prose_with_equally_many_commas_are_no_table(text):
    assert records_of(text) is None


def test_lines_of_values_with_equally_many_commas_are_a_table():
    text = "Day,Who,Sport\nMonday,Anna,swimming\nTuesday,Ben,rowing\nWednesday,Carl,running"
    assert "Day Tuesday: who Ben; sport rowing." in records_of(text).text


@given(st.lists(st.sampled_from(
    ["a", "pump", "17", "|", ",", ";", "\n", "\n", ": ", " = ", "- ", '{"', '"}', "[", "]", "<a>", "</a>",
     "<td>", "<tr>", "<table>", "</table>", "  ", "\t", "&nbsp;", "\u00ad", "-\n", "<!--", "-->", "Page 1\n",
     "---|---", '"', "\r\n", "1. "]
), max_size=50).map("".join))  # fmt: skip
def test_every_span_lies_in_the_text(text):
    laid = laid_of(text)
    if laid is None:
        return
    for start in range(0, len(laid.text), 3):
        low, high = laid.span(start, min(len(laid.text), start + 5))
        assert 0 <= low <= high <= len(text)
    for record in laid.records:
        for cell in record.cells:
            assert record.start <= cell.start <= cell.end <= record.end


def test_evidence_is_quoted_from_the_chunk():
    text = "part,price in euros,weight in kg\nlamp,10,1\npump,17,4\nvalve,24,7"
    chunks = [{"id": "kb", "text": text}]
    given = {"id": "t", "question": "What does the pump cost?", "chunks": chunks}
    wrong = validate(Transcript.model_validate(given | {"answer": "The pump costs 24 euros."}))
    (conflict,) = [item for claim in wrong.claims for item in claim.conflicts]
    assert conflict.evidence.text == "pump,17,4" == text[conflict.evidence.start : conflict.evidence.end]
    assert conflict.evidence_text == "17"
    assert conflict.message == 'number: the claim says "24 euros", its row says "17 euros"'


def test_a_table_without_a_word_in_its_header_is_read():
    chunk = {"id": "c1", "text": "|  |  |\n|---|---|\n|  | 12 |"}
    verdict = validate({"id": "bare", "question": "How many?", "answer": "There are 14.", "chunks": [chunk]})
    assert verdict.status != "pass"
