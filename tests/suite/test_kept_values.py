"""Long runs keep their verdicts in a file; nothing that is read of them may differ."""

import gc

import pytest

from pytest_grounding import Settings, Transcript, validate
from pytest_grounding.model.kept_values import IN_MEMORY, KeptTranscripts, KeptVerdicts
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.figure_lines import gravest, worst_first
from pytest_grounding.suite.suite_figures import decide_suite

COUNT = IN_MEMORY + 60


@pytest.fixture(scope="module")
def verdicts():
    """More verdicts than stay in memory: good and bad ones in turn, with the same id for two of them."""
    made = [
        validate(
            {
                "id": f"t{number}",
                "question": "How long is the “tour”?",
                "answer": f"The tour takes {90 + number % 3} minutes. 🚀 [c1]",
                "chunks": [{"id": "c1", "text": "The tour takes 90 minutes."}],
            }
        )
        for number in range(3)
    ]
    return [
        made[number % 3].model_copy(update={"id": "twice" if number in (3, COUNT - 3) else f"t{number:04}"})
        for number in range(COUNT)
    ]


def kept_of(values):
    found = KeptVerdicts()
    for value in values:
        found.append(value)
    return found


def test_values_come_back_in_order(verdicts):
    kept = kept_of(verdicts)
    assert len(kept) == COUNT
    assert [item.to_json() for item in kept] == [item.to_json() for item in verdicts]
    assert [item.id for item in kept[-3:]] == [item.id for item in verdicts[-3:]]
    assert kept[-1].id == verdicts[-1].id
    with pytest.raises(IndexError):
        kept[COUNT]


def test_some_of_them_are_shown_in_another_order(verdicts):
    kept = kept_of(verdicts)
    some = kept.chosen([COUNT - 1, 0])
    assert [item.id for item in some] == [verdicts[-1].id, verdicts[0].id]
    assert len(kept) == COUNT


def test_only_the_first_ones_stay_in_memory(verdicts):
    def alive():
        gc.collect()
        return sum(isinstance(item, Verdict) for item in gc.get_objects())

    before = alive()
    kept = kept_of(item.model_copy() for item in verdicts)
    assert alive() - before == IN_MEMORY
    assert len(kept) == COUNT


def test_a_value_that_json_would_change_stays_in_memory(verdicts):
    odd = verdicts[0].model_copy(update={"confidence": float("nan")})
    kept = kept_of([*verdicts, odd, verdicts[1]])
    assert kept[COUNT] is odd
    assert kept[COUNT + 1].to_json() == verdicts[1].to_json()


def test_a_report_does_not_depend_on_where_its_verdicts_are(verdicts):
    plain, long = (decide_suite(RunReport.of(given), Settings()) for given in (verdicts, kept_of(verdicts)))
    assert long.to_json() == plain.to_json()
    assert long.as_dict() == plain.as_dict()
    assert long.failed_statuses == plain.failed_statuses
    assert [item.id for item in worst_first(long)] == [item.id for item in worst_first(plain)]
    assert gravest(long, 5)[1] == gravest(plain, 5)[1] > 0
    assert RunReport.model_validate_json(long.to_json()).to_json() == plain.to_json()


def test_transcripts_are_found_by_their_content():
    kept = KeptTranscripts()
    longest = "why " * 2000
    for number in range(COUNT):
        given = {"id": str(number), "question": longest, "answer": "A.", "chunks": []}
        transcript = Transcript.model_validate(given, context={"question_max_length": len(longest)})
        kept.add(str(number), transcript)
    kept.add("0", transcript)
    assert kept["0"].id == "0"
    assert kept[str(COUNT - 1)].question == longest
    assert len(kept) == COUNT
    assert "none" not in kept
