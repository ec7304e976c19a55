from hypothesis import given, settings
from hypothesis import strategies as st
from marker_cases import CODE, GROUPS, PLAIN, SECTIONS, URLS

from pytest_grounding.citations import builtin_syntaxes, extract, make_context, marker_spans
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

CHUNKS = [
    {**chunk, "id": f"{chunk['id']}-{number}"}
    for number, chunk in enumerate([*PLAIN, *SECTIONS, *CODE, *URLS])
]
_MARKS = [answer for _, _, cases in GROUPS.values() for answer, _ in cases]
_BITS = "[|]|(|)|`|```|\n|^|:|†|【|】|#L|§|://|http|-|1|\\|\u0301".split("|")
ANSWERS = st.lists(
    st.one_of(st.sampled_from(_MARKS), st.sampled_from(_BITS), st.text(max_size=8)), max_size=20
).map("".join)


def extracted(answer, **fields):
    transcript = Transcript.model_validate(
        {"id": "t", "question": "Q?", "chunks": CHUNKS, "answer": answer, **fields}
    )
    context = make_context(transcript, Settings())
    assert len(context.masked) == len(context.answer)
    return transcript, extract(context, builtin_syntaxes())


@given(ANSWERS)
@settings(max_examples=200, deadline=None)
def test_offsets_slice_to_the_marker(answer):
    transcript, found = extracted(answer)
    known = {chunk["id"] for chunk in CHUNKS}
    end = 0
    for item in found:
        assert 0 <= item.start < item.end <= len(transcript.answer)
        assert transcript.answer[item.start : item.end] == item.text
        assert set(item.target.chunk_ids) <= known
    for first, last in marker_spans(found):
        assert end <= first < last
        end = last


@given(
    st.text(),
    st.lists(
        st.tuples(st.integers(-5, 60), st.integers(-5, 60), st.none() | st.text(max_size=4)), max_size=5
    ),
)
@settings(max_examples=150, deadline=None)
def test_provider_spans_slice_to_their_text_or_have_no_place(answer, spans):
    citations = [
        {"start": start, "end": end, "text": text, "chunk_ids": ["hr-1-0"]} for start, end, text in spans
    ]
    transcript, found = extracted(answer, citations=citations, cited_indices=[1, 99])
    for item in found:
        if item.start < 0:
            assert (item.start, item.end, item.text) == (-1, -1, "")
        else:
            assert transcript.answer[item.start : item.end] == item.text


@given(st.text(st.sampled_from("[]()`^:1-,# \n§†【】\\.a/")))
@settings(max_examples=200, deadline=None)
def test_extraction_never_raises_on_a_soup_of_brackets(answer):
    extracted(answer)
