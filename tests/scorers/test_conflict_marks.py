"""Finders look only at words that have their mark: no word that they would act on lacks it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.lexicon import alternation, table
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import opposites as negation
from pytest_grounding.scorers.builtin.conflicts.conflict_words import (
    DENIES,
    NEGATIVE,
    QUANTIFIES,
    TURNING,
    marks_of,
    negated_stems,
)
from pytest_grounding.scorers.builtin.conflicts.sentence_view import view_of_claim

QUANTIFIERS = {
    word: step
    for section in ("amounts", "frequencies", "shares")
    for word, step in table("conflicts", section).items()
}
WORDS = st.sampled_from(
    (
        "The passages Source's context texts do not don't mention state no information about it unsafe "
        "useless forbids optional all without 7 never"
    ).split()
)


@given(st.lists(WORDS, min_size=1, max_size=12).map(" ".join))
def test_a_claim_about_the_sources_is_told_as_its_text_tells_it(text: str) -> None:
    claim = view_of_claim(text, tokenize(text))
    named = re.search(rf"\b(?:{alternation('conflicts', 'naming sources')})\b", text, re.IGNORECASE)
    plain = named is not None and negation._ABSENT.search(text) is not None
    assert negation.is_about_sources(claim) is plain


@given(st.one_of(WORDS.map(str.lower), st.text("unisledorabf'", min_size=1, max_size=9)))
def test_marks_are_those_of_the_lists_and_forms(norm: str) -> None:
    marks = marks_of(norm)
    assert (NEGATIVE in marks) == bool(negated_stems(norm))
    assert (QUANTIFIES in marks) == (norm in QUANTIFIERS)
    assert DENIES in marks or norm not in TURNING


def test_words_that_deny_by_their_form_have_the_mark() -> None:
    for norm in ("unsafe", "useless", "nonfatal"):
        assert DENIES in marks_of(norm), norm
    for norm in ("until", "unique", "nonsuch", "less"):
        assert (DENIES in marks_of(norm)) == (norm in TURNING or norm == "nonsuch"), norm
