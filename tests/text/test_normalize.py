import unicodedata

import pytest
from every import each, table
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.visible_text import fold


@each(*table(__file__, "test_folded_form"))
def test_folded_form(text, folded):
    assert fold(text).text == folded


def test_words_that_differ_stay_different():
    assert fold("30 days").text != fold("45 days").text
    assert fold("resume").text != fold("résumé").text


@each(
    ("The “ﬁrst” offer", "first", "ﬁrst"),
    ("It is  well\u0002\r\nknown.", "wellknown", "well\u0002\r\nknown"),
    ("A co\u00adop is", "coop", "co\u00adop"),
    ("Caf\u0065\u0301 bar", "café", "Caf\u0065\u0301"),
    ("It costs   $20\na month", "costs $20 a", "costs   $20\na"),
    ("🙂 Straße 🙂", "strasse", "Straße"),
)
def test_a_match_maps_back_to_the_original(text, words, original):
    folded = fold(text)
    at = folded.text.index(words)
    start, end = folded.span(at, at + len(words))
    assert text[start:end] == original


def test_an_empty_span_is_empty_and_a_wrong_one_is_refused():
    folded = fold("  ab")
    assert folded.span(1, 1) == (3, 3)
    assert folded.span(2, 2) == (4, 4)
    for start, end in ((-1, 1), (0, 3), (2, 1)):
        with pytest.raises(ValueError, match="does not lie"):
            folded.span(start, end)


def test_position_finds_the_folded_offset():
    folded = fold("  Ab\u00adc d")
    assert folded.text == "abc d"
    assert [folded.position(offset) for offset in (0, 2, 3, 5, 7)] == [0, 0, 1, 2, 4]


ANY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(list("aB \n\u00ad\u0002\u200b\u0301ﬁß…`“—\ud800🙂ᄒ\u1161\u3099か½\r")),
    ),
    max_size=80,
)


@given(ANY)
def test_the_map_is_ordered_and_covers_every_visible_character(text):
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    covered = set()
    for number in range(len(folded.text)):
        start, end = folded.span(number, number + 1)
        assert 0 <= start < end <= len(text)
        covered.update(range(start, end))
    for place, char in enumerate(text):
        if char.isalnum() and place not in covered:
            # Only characters that have no visible form may go.
            assert not unicodedata.normalize("NFKC", char).casefold().strip()


@given(ANY)
def test_folding_ignores_case_and_spaces(text):
    folded = fold(text).text
    assert folded == fold(f" \n{text}\t ").text
    assert "  " not in folded
    assert folded == folded.strip()
    if text.isascii():
        assert folded == fold(text.upper()).text


def test_long_texts_fold_like_their_parts():
    text = "The “ﬁrst” plan costs $20 — really…\n" * 40
    once = fold("The “ﬁrst” plan costs $20 — really…").text
    assert fold(text).text == " ".join([once] * 40)
