"""How large the review page grows: in step with its candidates, and less than what was recorded."""

from pathlib import Path

from pytest_grounding import Transcript, validate
from pytest_grounding.golden.diff import compare_recordings
from pytest_grounding.golden.golden_file import Golden, Pending, golden_text
from pytest_grounding.golden.golden_policy import Item
from pytest_grounding.golden.golden_store import GoldenStore
from pytest_grounding.reports.review_text import render_review

CHUNKS = [
    {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9},
    *(
        {"id": f"x-{number}", "text": "The canteen serves soup, bread and salad. " * 10, "score": 0.4}
        for number in range(9)
    ),
]


def judged(number, days):
    answer = f"Employees receive {days} vacation days per year [1]."
    row = {"id": f"t-{number:04}", "question": "How many vacation days?", "chunks": CHUNKS, "answer": answer}
    transcript = Transcript.model_validate(row)
    return Golden.of(transcript, validate(transcript))


def candidates(number):
    store = GoldenStore(Path("__golden__"))
    before, after = judged(0, 25), judged(0, 30)
    changes = compare_recordings(before, after)
    for index in range(number):
        named = {"id": f"t-{index:04}"}
        golden, new = before.model_copy(update=named), after.model_copy(update=named)
        yield Item(store, Pending(candidate=new, against=golden.hash, changes=changes), golden)


def test_the_page_grows_with_its_candidates_and_stays_smaller_than_the_recordings():
    empty, few, many = ([*candidates(number)] for number in (0, 20, 80))
    sizes = [len(render_review(items).encode()) for items in (empty, few, many)]
    growth = (sizes[2] - sizes[0]) / (sizes[1] - sizes[0])
    assert 3.9 < growth < 4.1
    recorded = sum(len(golden_text(item.golden)) + len(golden_text(item.record)) for item in many)
    assert sizes[2] - sizes[0] < 0.4 * recorded


def test_a_chunk_of_both_recordings_appears_once():
    (item,) = candidates(1)
    page = render_review([item])
    assert page.count("The canteen serves soup, bread and salad. " * 10) == 9
    assert page.count("the same text as accepted") == 10
