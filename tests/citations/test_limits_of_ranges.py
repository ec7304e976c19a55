"""A range of citations is read up to a limit: one behind it must not become thousands of citations."""

import pytest

import pytest_grounding as pg

ANSWER = "The rules of the house apply to every guest"


def targets_of(mark, place):
    """The targets of a mark in an answer, where each of sixty chunks has the place with its number."""
    chunks = [
        {
            "id": f"c{number}",
            "text": f"Rule {number}: the rules apply to every guest.",
            "metadata": place(number),
        }
        for number in range(1, 61)
    ]
    question = "Which rules apply to guests?"
    verdict = pg.validate({"id": "x", "question": question, "chunks": chunks, "answer": f"{ANSWER} {mark}."})
    return [(item.target, item.valid) for item in verdict.citations]


def section(number):
    return {"chapter_id": "3", "section_number": str(number)}


@pytest.mark.parametrize(("last", "read"), [(3, 2), (51, 50), (52, 51), (53, 1), (9_000, 1)])
def test_a_range_of_sections_is_read_up_to_fifty_further_ones(last, read):
    expected = [(f"ch 3, sec {number}", True) for number in range(2, 2 + read)]
    assert targets_of(f"(chapter 3, sections 2-{last})", section) == expected


def test_a_list_of_sections_ends_after_fifty():
    numbers = ", ".join(map(str, range(1, 61)))
    assert len(targets_of(f"(chapter 3, sections {numbers})", section)) == 50


def page(number):
    return {"page": number, "document": "manual.pdf"}


@pytest.mark.parametrize("mark", ["(manual.pdf, p. 2-{})", "[manual.pdf, p. 2-{}]", "(pp. 2-{})"])
@pytest.mark.parametrize(("last", "valid"), [(3, True), (51, True), (52, False), (5_000, False)])
def test_a_range_of_more_than_fifty_pages_names_no_source(mark, last, valid):
    assert any(is_valid for _, is_valid in targets_of(mark.format(last), page)) is valid
