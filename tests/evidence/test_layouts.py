"""Rows, lists and definitions over several chunks, and how long they take to read."""

import time

import pytest

import pytest_grounding as pg

FEE, NIGHT = "The fee is 5 euros a night.", "The fee is 3 euros a night."
HEADED = [
    {"id": "c1", "text": FEE, "metadata": {"Header 1": "Harbour", "Header 2": "Guests"}},
    {"id": "c2", "text": NIGHT, "metadata": {"Header 1": "Harbour", "Header 2": "Members"}},
]
PATHS = [
    {"id": "c1", "text": FEE, "metadata": {"header_path": "/Harbour/Guests/"}},
    {"id": "c2", "text": NIGHT, "metadata": {"header_path": "/Harbour/Members/"}},
]
CUT = [
    {"id": "c1", "text": "| Pass | Day | Week |\n|---|---|---|\n| Solo | 5 euros |"},
    {"id": "c2", "text": "25 euros |\n| Duo | 8 euros | 41 euros |\n| Trio | 11 euros | 56 euros |"},
]
REFERS = "| Plan | Support |\n|---|---|\n| Plus | by letter and phone |\n| Max | as Plus |"
OARS = "| Oar | Price |\n|---|---|\n| Ash | 40 euros |\n| Fir | 25 euros |"
SPEAKERS = "Agent: We offer health cover.\nClient: I look for a cheap plan.\nAgent: Our plan covers teeth."


def verdict_on(chunks, answer, question="What does it cost?"):
    if isinstance(chunks, str):
        chunks = [{"id": "c1", "text": chunks}]
    return pg.validate({"id": "t", "question": question, "answer": answer, "chunks": chunks})


@pytest.mark.parametrize("chunks", [HEADED, PATHS], ids=["headers", "path"])
def test_headings_in_metadata_are_what_the_chunk_is_about(chunks):
    question = "What do guests pay?"
    assert verdict_on(chunks, "Guests pay a fee of 5 euros a night.", question).status == "pass"
    verdict = verdict_on(chunks, "Guests pay a fee of 3 euros a night.", question)
    assert verdict.status != "pass"
    (fact,) = [fact for fact in verdict.claims[0].facts if fact.is_unsettled]
    assert (fact.status, fact.chunk_id) == ("elsewhere", "c1")


def test_a_table_goes_on_in_the_next_chunk_under_its_header():
    assert verdict_on(CUT, "The Duo pass costs 41 euros a week.").status == "pass"
    assert verdict_on(CUT, "The Duo pass costs 56 euros a week.").status != "pass"
    assert verdict_on(CUT, "The Duo pass costs 8 euros a week.").status != "pass"


def test_a_cell_that_refers_to_a_row_has_what_stands_there():
    question = "What support has Max?"
    assert verdict_on(REFERS, "Max has support by letter and phone.", question).status == "pass"


def test_what_several_lines_begin_with_is_who_speaks():
    answer = "The agent offers the client health cover."
    assert verdict_on(SPEAKERS, answer, "What does the agent offer?").claims[0].facts == ()


def test_a_value_of_another_row_contradicts_and_both_are_shown():
    verdict = verdict_on(OARS, "Ash costs 25 euros.")
    (conflict,) = verdict.claims[0].conflicts
    assert (verdict.claims[0].status, conflict.claim_text, conflict.evidence_text) == (
        "contradicted",
        "25 euros",
        "40 euros",
    )


def rows_as(kind, count):
    names = ["Pier" + "".join(chr(97 + int(digit)) for digit in str(number)) for number in range(count)]
    lines = {
        "bars": [f"| {name} | {number} euros | yes |" for number, name in enumerate(names)],
        "cells": [cell for number, name in enumerate(names) for cell in (name, f"{number} euros")],
        "terms": [line for name in names for line in (name, ":   Where boats wait.", "")],
        "minus": [line for number in range(count) for line in (f"-{number}", "a mooring of the pier")],
    }[kind]
    return "\n".join(["| Pier | Fee | Open |\n|---|---|---|", *lines] if kind == "bars" else lines)


@pytest.mark.parametrize("kind", ["bars", "cells", "terms", "minus"])
def test_reading_grows_with_the_text(kind):
    def seconds(count):
        text = rows_as(kind, count)
        start = time.process_time()
        verdict_on(text, "Pierbb costs 12 euros. Pierc is open. It costs 7 euros.")
        return time.process_time() - start

    seconds(20)
    for _ in range(4):
        short, long = seconds(250), seconds(1000)
        if long <= 6 * max(short, 0.03):
            return
    pytest.fail(f"{kind}: {short:.2f} s for 250 rows, {long:.2f} s for 1,000")
