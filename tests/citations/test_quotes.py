import string

from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.checks.citation.quotes import is_passage, is_quoted, nearest, quotations

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


def test_nothing_in_common_is_no_near_miss():
    assert nearest("completely unrelated vocabulary everywhere", ["12 34 56"]) is None
    assert nearest("a b c d", [""]) is None


def test_the_best_of_several_sources_is_taken():
    near = nearest("returned within 15 business days", ["returned to the sender", SOURCE])
    assert near.difference == "returned within [15 → 14] business days"


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


@given(st.lists(st.sampled_from(string.ascii_lowercase[:3]), min_size=4, max_size=60))
def test_few_words_many_times(words):
    text = " ".join(words)
    near = nearest(text, [text])
    assert near.similarity > 0


POLICY = {
    "id": "hr-1",
    "text": "The policy grants “full refunds” within 30 days. Store credit is given later.",
    "metadata": {"title": "Refund policy"},
}
OTHER = {"id": "hr-2", "text": "The grace period ends in March."}


def mismatched(answer):
    chunks = [POLICY, OTHER]
    verdict = pg.validate(
        {"id": "t", "question": "Are there “free returns”?", "chunks": chunks, "answer": answer}
    )
    return [str(cause.details["quote"]) for cause in verdict.causes if cause.rule == "content_match"]


@each(
    "The policy grants “full refunds” within 30 days [1].",
    "The policy grants a “full refund” within 30 days [1].",
    "Later one gets “Store Credit” [1].",
    "The “Refund Policy” grants full refunds within 30 days [1].",
    # In another chunk, or in the question; one word, and what cites nothing, are not compared.
    "The “grace period” is 30 days [1].",
    "There are no “free returns”, but full refunds [1].",
    "The policy grants “partial” refunds within 30 days [1].",
    "The policy grants “partial refunds” within 30 days.",
)
def test_terms_that_the_sources_know(answer):
    assert mismatched(answer) == []


@each(
    ("The policy grants “partial refunds” within 30 days [1].", "partial refunds"),
    ('The policy grants "no refunds" within 30 days [1].', "no refunds"),
    ("Later one gets „cash back“ [1].", "cash back"),
    ("Later one gets “store money instead” [1].", "store money instead"),
)
def test_two_and_three_quoted_words_are_compared(answer, quote):
    assert mismatched(answer) == [quote]
