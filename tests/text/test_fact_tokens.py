"""The pattern for ASCII text cuts as the one for all scripts does, and offsets are those of the text."""

from hypothesis import example, given
from hypothesis import strategies as st

from pytest_grounding.reading.facts import numerals as cutting
from pytest_grounding.reading.facts.numerals import cut

PIECES = "a|It|'|.| |  |1|1,056|234| , |\n|_|-|$5|U.S.|don't|\t|\x1c".split("|")
ASCII = st.one_of(st.text(st.characters(max_codepoint=127)), st.lists(st.sampled_from(PIECES)).map("".join))
ANY = st.one_of(
    ASCII, st.text(), st.lists(st.sampled_from([*PIECES, "é", "’", "½", "١٢", "İ", "Σ", "一"])).map("".join)
)


@given(ASCII)
@example("1 , 056 people in the U.S. don't pay 'em $5.")
def test_ascii_is_cut_as_any_other_text(text: str) -> None:
    assert cutting._ASCII_TOKEN.split(text) == cutting._TOKEN.split(text)


@given(ANY)
def test_tokens_are_slices_of_the_text_with_their_lower_case(text: str) -> None:
    tokens = cut(text)
    assert [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)] == tokens.raw
    assert len(tokens.low) == len(tokens.raw)
    if text.isascii():
        assert tokens.low == [token.lower() for token in tokens.raw]
