"""Offsets: the documented unit is tried first, then the others."""

from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.importers.draft import CODE_POINTS, UNITS, UTF8, UTF16, Span, fit_spans, position_reader

TEXTS = st.text(alphabet="ab é€漢😀\ud83d.", max_size=30)
WIDTHS = {
    CODE_POINTS: len,
    UTF8: lambda text: len(text.encode("utf-8", "surrogatepass")),
    UTF16: lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
}


@given(TEXTS, st.sampled_from(UNITS), st.integers(0, 30))
def test_offsets_match_the_encoded_length(text, unit, index):
    index = min(index, len(text))
    at = position_reader(text, unit)
    assert at(0, WIDTHS[unit](text[:index])) == index
    assert at(0, WIDTHS[unit](text) + 1) is None
    assert at(0, -1) is None


@given(TEXTS, st.sampled_from(UNITS))
def test_an_offset_inside_a_character_is_none(text, unit):
    at = position_reader(text, unit)
    found = [at(0, offset) for offset in range(WIDTHS[unit](text) + 1)]
    assert [index for index in found if index is not None] == list(range(len(text) + 1))


@given(
    TEXTS.filter(lambda text: not text.isascii()), st.sampled_from(UNITS), st.sampled_from(UNITS), st.data()
)
def test_spans_with_text_are_found_in_any_unit(text, unit, documented, data):
    pairs = data.draw(
        st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, len(text))), min_size=1, max_size=3)
    )
    places = [(min(pair), max(pair)) for pair in pairs]
    width = WIDTHS[unit]
    spans = [Span(width(text[:start]), width(text[:end]), text[start:end]) for start, end in places]
    found = fit_spans(text, spans, documented)
    assert not any(spans[index].text for index in found.misfits)
    for (start, end), span in zip(found.places, spans, strict=True):
        assert not span.text or text[start:end] == span.text


def test_the_documented_unit_is_used_without_texts():
    assert fit_spans("é é é", [Span(0, 2)], UTF8).places == ((0, 1),)
    assert fit_spans("é é é", [Span(0, 2)], CODE_POINTS).places == ((0, 2),)


def test_one_unit_holds_for_all_spans():
    text = "é one é one"
    # As bytes the first span fits and the second does not; as characters both do.
    spans = [Span(2, 5, "one"), Span(8, 11, "one")]
    assert fit_spans(text, spans, UTF8).unit == CODE_POINTS
    assert fit_spans(text, spans, UTF8).places == ((2, 5), (8, 11))


def test_spans_that_fit_nowhere_are_kept_and_listed():
    found = fit_spans("short é", [Span(0, 5, "short"), Span(90, 95, "gone"), Span(3, 1, "x")], CODE_POINTS)
    assert found.places == ((0, 5), (90, 95), (3, 1))
    assert found.misfits == (1, 2)


@each(*UNITS)
def test_a_base_moves_the_origin(unit):
    text = "ä😀 ab"
    width = WIDTHS[unit](text[1:3])
    assert fit_spans(text, [Span(width, width + 2, "ab", bases=(1, 0))], unit).places == ((3, 5),)
