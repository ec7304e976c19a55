import pytest
from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.checks.citation.quotes import nearest
from pytest_grounding.reading.quotations import is_passage, is_quoted, quotations

SOURCE = "The deposit is returned within 14 business days, less the cost of any repairs that were needed."


def test_quotations_in_all_marks():
    passage = "one two three four"
    marks = ['"{}"', "“{}”", "„{}“", "„{}”", "«{}»", "»{}«", "「{}」", "『{}』"]
    for mark in marks:
        answer = f"He said {mark.format(passage)} then."
        [quotation] = quotations(answer)
        assert quotation.text == passage
        assert answer[quotation.start : quotation.end] == mark.format(passage)


def test_what_is_too_short_or_no_quotation():
    for answer in ('a "term" here', 'a 5" pipe and a 6" pipe in the house', '"open only'):
        assert quotations(answer) == []
    assert is_passage("三十日以内に返金されます")
    assert not is_passage("返金")


def test_markers_are_no_part_of_the_quoted_words():
    answer = "“one two [1] three four”"
    start = answer.index("[1]")
    assert quotations(answer, [(start, start + 3)])[0].text == "one two  three four"


def test_gaps_keep_their_order():
    assert is_quoted("deposit ... 14 business days […] repairs", SOURCE)
    assert not is_quoted("repairs ... deposit is returned", SOURCE)
    assert is_quoted("[The] deposit is returned", SOURCE)


def test_numbers_are_compared_as_a_whole():
    source = "It costs 1,500.50 euros, or 3:15 for members."
    assert is_quoted("costs 1,500.50 euros", source)
    assert not is_quoted("costs 1.500,50 euros", source)
    assert not is_quoted("or 3.15 for members", source)


def test_the_difference_is_found_in_a_long_source():
    source = " ".join(f"Sentence {n} has other words in it." for n in range(2_000)) + " " + SOURCE
    near = nearest("The deposit is returned within 40 business days", [source])
    assert near.difference == "The deposit is returned within [40 → 14] business days"
    assert near.source == "The deposit is returned within 14 business days"


def test_the_best_of_several_sources_is_taken_and_nothing_in_common_is_no_near_miss():
    near = nearest("returned within 15 business days", ["returned to the sender", SOURCE])
    assert near.difference == "returned within [15 → 14] business days"
    assert nearest("completely unrelated vocabulary everywhere", ["12 34 56"]) is None
    assert nearest("a b c d", [""]) is None


@pytest.mark.row(44)
@given(st.integers(0, len(SOURCE) - 40), st.integers(20, 40))
def test_every_slice_of_a_source_is_quoted(start, length):
    quote = SOURCE[start : start + length]
    assert is_quoted(quote, SOURCE)
    assert is_quoted(quote.upper(), SOURCE)


@given(st.text(max_size=80), st.text(max_size=200))
def test_no_text_makes_it_raise(quote, source):
    is_quoted(quote, source)
    near = nearest(quote, [source])
    assert near is None or 0 <= near.similarity <= 1


@each(*table(__file__, "terms"))
def test_quoted_terms_are_compared_with_all_sources_and_the_question(answer, mismatched):
    """One word, and what cites nothing, are not compared."""
    policy = "The policy grants “full refunds” within 30 days. Store credit is given later."
    chunks = [
        {"id": "hr-1", "text": policy, "metadata": {"title": "Refund policy"}},
        {"id": "hr-2", "text": "The grace period ends in March."},
    ]
    row = {"id": "t", "question": "Are there “free returns”?", "chunks": chunks, "answer": answer}
    causes = [cause for cause in pg.validate(row).causes if cause.rule == "content_match"]
    assert [cause.details["quote"] for cause in causes] == mismatched


@each(
    ("The deposit is returned within 30 calendar days, less the cost of any repairs", True),  # 0.87 alike
    ("The deposit is repaid within two weeks, less the cost of any repairs", False),  # 0.78 alike
)
def test_a_wrong_quotation_is_compared_with_the_source_where_most_of_it_is_right(quote, is_near):
    answer = f'The lease says: "{quote}" [1].'
    chunks = [{"id": "a", "text": SOURCE}]
    verdict = pg.validate({"id": "x", "question": "What of the deposit?", "chunks": chunks, "answer": answer})
    [finding] = [found for found in verdict.citations[0].findings if found.rule == "content_match"]
    assert ("the quotation differs from chunk a" in finding.message) == is_near
    assert ("the quoted words are not in chunk a" in finding.message) != is_near
    assert finding.suggestion.startswith("quote the source: " if is_near else "quote the source word by word")
