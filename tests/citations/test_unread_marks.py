"""A mark that is not read costs a claim nothing: all forms at the end of right sentences."""

import json
import re
from pathlib import Path

import pytest
from every import each, table

import pytest_grounding as pg

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FILES = ("factcheckgpt.jsonl", "attribution_dev.jsonl", "wice_dev.jsonl", "ragtruth_qa.jsonl")
#: Right sentences of each file, and the longest sources that they have in all.
SENTENCES, LONGEST = 4, 3_000
PLAIN = re.compile(r"[A-Z][^.!?\[\]()]{25,160}\.")
MARKS = table(__file__, "unread")
TEXT = "Refunds are paid within 14 days of the return."


def claim_of(row, answer):
    """The one claim of an answer that is checked; None if there are several or none."""
    claims = [claim for claim in pg.validate({**row, "answer": answer}).claims if claim.checked]
    return claims[0] if len(claims) == 1 else None


def right_sentences():
    """Supported sentences without a mark: a row, and its claim."""
    for name in FILES:
        count = 0
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            said = next((claim["text"].strip() for claim in row["claims"] if claim["supported"]), "")
            if not PLAIN.fullmatch(said) or sum(map(len, row["chunks"])) > LONGEST:
                continue
            chunks = [{"id": f"c{n}", "text": text} for n, text in enumerate(row["chunks"])]
            made = {"id": "t", "question": row["question"] or "What is known?", "chunks": chunks}
            claim = claim_of(made, said)
            if claim is not None and claim.status == "supported":
                yield made, said, claim
                count += 1
            if count == SENTENCES:
                break


@pytest.mark.skipif(not DATA.is_dir(), reason="the labelled answers are not beside this checkout")
def test_no_form_of_a_mark_costs_a_right_sentence_anything():
    rows = list(right_sentences())
    assert len(rows) > len(FILES)
    lost = {
        mark
        for mark in MARKS
        for row, said, before in rows
        if (after := claim_of(row, f"{said[:-1]}{mark}.")) is None
        or after.status != before.status
        or after.support < before.support - 0.005
    }
    assert lost == set()


@each(*MARKS)
def test_a_mark_is_no_part_of_a_claim_and_saves_none(mark):
    row = {"id": "t", "question": "How long do refunds take?", "chunks": [{"id": "c", "text": TEXT}]}
    right, wrong = (
        claim_of(row, f"Refunds are paid within {days} days of the return{mark}.") for days in (14, 41)
    )
    assert (right.status, right.facts) == ("supported", claim_of(row, TEXT).facts)
    assert wrong.status != "supported"


@each(*table(__file__, "content"))
def test_what_states_something_is_no_mark(said):
    row = {"id": "t", "question": "How long do refunds take?", "chunks": [{"id": "c", "text": TEXT}]}
    assert claim_of(row, said).status != "supported"
