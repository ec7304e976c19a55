"""`assert_citations_valid` and `check` say the same of a citation that shows something else."""

import itertools
import json

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT
from pytest_grounding.testing import Example

pytestmark = pytest.mark.grounding(suite="off")

CHUNKS = [
    {"id": "pay", "text": "Refunds are paid within 14 days of the return.", "score": 0.9},
    {"id": "gift", "text": "Gift cards are valid for two years after they were bought.", "score": 0.8},
]
RIGHT = "Refunds are paid within 14 days of the return [1]."
WRONG_CHUNK = "Refunds are paid within 14 days of the return [2]."
ONE_TOO_MANY = "Refunds are paid within 14 days of the return [1][2]."
SWAPPED = "Refunds are paid within 14 days of the return [2]. Gift cards are valid for two years [1]."
WRONG_QUOTE = "Refunds are paid within 14 days of the return: “gift cards are valid for two years” [1]."
NOTHING_THERE = "Refunds are paid within 14 days of the return [7]."


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


transcript = Example("How long do refunds take?", CHUNKS, id="t").answered


#: A failed assertion is an answer here, and no fault of the test that asks.
pytestmark = pytest.mark.grounding(suite="off")


def holds(answer, **more):
    try:
        pg.assert_citations_valid(transcript(answer), **more)
    except AssertionError:
        return False
    return True


@each(
    *itertools.product(
        ["review", "reject"], [RIGHT, WRONG_CHUNK, ONE_TOO_MANY, SWAPPED, WRONG_QUOTE, NOTHING_THERE]
    )
)
def test_check_and_the_assertion_agree(fail_on, answer, tmp_path, capsys, monkeypatch):
    """Where nothing but a citation is at fault, both fail or both pass, by the same setting."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.transcript.json").write_text(json.dumps(transcript(answer)), encoding="utf-8")
    status = main(["check", "a.transcript.json", "--set", f"fail_on={fail_on}", "--set", "suite=off"])
    capsys.readouterr()
    is_right = answer == RIGHT or (fail_on == "reject" and answer != NOTHING_THERE)
    assert (status == 0) is is_right
    assert holds(answer, settings={"fail_on": fail_on}) is is_right


def test_the_failure_names_citation_claim_and_the_chunk_to_cite():
    with pytest.raises(AssertionError) as caught:
        pg.assert_citations_valid(transcript(WRONG_CHUNK))
    text = str(caught.value)
    assert "citations not valid: 1 finding of semantic_alignment" in text
    assert "chunk gift does not support the claim that cites it" in text
    assert "cite [1]" in text


def test_a_claim_that_no_chunk_backs_is_no_fault_of_its_citation():
    answer = "Refunds are paid within 45 days of the return [1]."
    assert pg.validate(transcript(answer)).status == "reject"
    assert holds(answer)


def test_a_figure_in_place_of_each_citation():
    assert not holds(ONE_TOO_MANY)
    assert holds(ONE_TOO_MANY, min_precision=0.5)
    assert not holds(ONE_TOO_MANY, min_precision=0.6)
    assert not holds(WRONG_QUOTE, min_precision=0.1)
    assert holds(WRONG_CHUNK, min_accuracy=1.0)


def test_a_grounding_failure_names_what_the_other_assertion_would_add():
    wrong = "Refunds are paid within 30 days of the return [1]."
    other = "Gift cards are valid for two years after they were bought"
    for marker, added in (
        ("[1]", "chunk pay does not support"),
        ("[9]", "no source 9"),
        ("[2]", ""),
    ):
        with pytest.raises(AssertionError) as told:
            pg.assert_grounded(transcript(f"{wrong} {other} {marker}."))
        lines = [line for line in str(told.value).splitlines() if "assert_citations_valid" in line]
        assert len(lines) == bool(added), lines
        assert all(added in line for line in lines)
