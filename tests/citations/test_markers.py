from itertools import groupby

import pytest
from every import each
from marker_cases import GROUPS, PLAIN

from pytest_grounding.citations import builtin_syntaxes, extract, make_context, marker_spans
from pytest_grounding.citations.syntax import Marker, Target
from pytest_grounding.errors import GroundingError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings


def extracted(answer, chunks=PLAIN, settings=None, **fields):
    transcript = Transcript.model_validate(
        {"id": "t", "question": "Q?", "chunks": chunks, "answer": answer, **fields}
    )
    return extract(make_context(transcript, Settings.of(settings)), builtin_syntaxes())


CASES = [
    pytest.param(chunks, settings, answer, expected, id=f"{group}-{answer[:40]!r}")
    for group, (chunks, settings, cases) in GROUPS.items()
    for answer, expected in cases
]


def test_the_table_is_as_long_as_promised():
    assert len(CASES) >= 150
    assert sum(not case.values[3] for case in CASES) >= 50, "false positives are half of the matter"


@each(*[tuple(case.values) for case in CASES])
def test_marker(chunks, settings, answer, expected):
    found = extracted(answer, chunks, settings)
    grouped = [
        (text, syntax, *((item.target.chunk_ids or ("",))[0] for item in items))
        for (_, _, text, syntax), items in groupby(found, lambda i: (i.start, i.end, i.text, i.syntax))
    ]
    assert grouped == expected
    assert all(answer[item.start : item.end] == item.text for item in found)


def test_zero_based_numbering_is_a_setting():
    settings = {"index_base": 0}
    assert [item.target.chunk_ids for item in extracted("[0] [4] [5]", settings=settings)] == [
        ("hr-1",),
        ("hr-5",),
        (),
    ]
    assert [item.target.label for item in extracted("[0, 1]", settings=settings)] == ["0", "1"]


def test_no_chunks_leave_every_citation_unresolved():
    found = extracted("[1] Chapter 3, Section 2, src/a.py:3, https://example.com/x", chunks=[])
    assert [item.syntax for item in found] == ["index", "section", "code", "url"]
    assert all(not item.target.chunk_ids for item in found)


def test_ranges_of_one_answer_are_bounded():
    found = extracted("[1-100]" * 1_000)
    assert len(found) < 20_000
    assert "too wide" in found[-1].target.problem


def test_list_entries_that_the_text_never_mentions_come_last():
    found = extracted("[1] and [hr-2].", cited_indices=[1, 2, 3, 9, -1, 3])
    assert [(item.syntax, item.start, item.target.label) for item in found if item.start < 0] == [
        ("list", -1, "3"),
        ("list", -1, "9"),
        ("list", -1, "-1"),
    ]
    assert found[0].text == "[1]"


def span(answer, words, ids, **fields):
    start = answer.index(words)
    return {"start": start, "end": start + len(words), "text": words, "chunk_ids": ids, **fields}


def test_a_providers_span_gives_one_citation_for_each_source():
    answer = "🎉 Refunds take 30 days."
    found = extracted(
        answer, citations=[span(answer, "30 days", ["hr-1", "hr-2", "nowhere"], quote="30 days")]
    )
    assert [(item.text, item.syntax, item.target.label, item.target.chunk_ids) for item in found] == [
        ("30 days", "provider", "hr-1", ("hr-1",)),
        ("30 days", "provider", "hr-2", ("hr-2",)),
        ("30 days", "provider", "nowhere", ()),
    ]
    assert found[0].target.quote == "30 days"
    assert found[0].mismatch == ""


def test_chunks_of_one_document_count_as_one_source_of_a_span():
    chunks = [{"id": f"p{n}", "text": "x", "metadata": {"document": "a.pdf"}} for n in range(3)]
    answer = "Thirty days."
    found = extracted(answer, chunks, citations=[span(answer, "Thirty", ["p0", "p2"])])
    assert [item.target.chunk_ids for item in found] == [("p0", "p2")]


def test_an_annotation_says_what_its_mark_means():
    answer = "Thirty days【4:0†source】."
    found = extracted(answer, citations=[span(answer, "【4:0†source】", ["hr-3"], quote="q")])
    assert [(item.syntax, item.target.chunk_ids, item.target.quote) for item in found] == [
        ("openai", ("hr-3",), "q")
    ]
    answer = "Thirty days ([site](https://example.com/x))."
    found = extracted(answer, citations=[span(answer, "([site](https://example.com/x))", ["hr-2"])])
    assert [(item.syntax, item.text, item.target.chunk_ids) for item in found] == [
        ("url", "[site](https://example.com/x)", ("hr-2",))
    ]


def test_a_span_of_words_with_a_mark_stays_a_citation_of_its_own():
    answer = "Refunds take 30 days [1]."
    found = extracted(answer, citations=[span(answer, "Refunds take 30 days [1]", ["hr-2"])])
    assert [(item.syntax, item.target.chunk_ids) for item in found] == [
        ("provider", ("hr-2",)),
        ("index", ("hr-1",)),
    ]


def test_a_misplaced_span_is_found_by_its_words():
    answer = "🎉🎉 Refunds take 30 days."
    [item] = extracted(answer, citations=[{"start": 18, "end": 25, "text": "30 days", "chunk_ids": ["hr-1"]}])
    assert (item.text, answer[item.start : item.end]) == ("30 days", "30 days")
    assert "does not contain the cited words" in item.mismatch


@each((5, 900), (-3, 4), (9, 3), (900, 901))
def test_a_span_outside_of_the_answer_has_no_place(start, end):
    [item] = extracted("Short answer.", citations=[{"start": start, "end": end, "chunk_ids": ["hr-1"]}])
    assert (item.start, item.end, item.text) == (-1, -1, "")
    assert "lies outside" in item.mismatch


def test_an_insertion_point_is_a_span_without_length():
    [item] = extracted("Paris.", citations=[{"start": 5, "end": 5, "text": "", "chunk_ids": ["hr-1"]}])
    assert (item.start, item.end, item.mismatch) == (5, 5, "")


def test_marker_spans_leave_the_words_of_a_link_to_the_sentence():
    answer = "See the [leave policy](https://example.com/p) and [1](https://example.com/q) [2]."
    found = extracted(answer, citations=[span(answer, "See the", ["hr-1"])])
    assert [answer[start:end] for start, end in marker_spans(found)] == [
        "[",
        "](https://example.com/p)",
        "[1](https://example.com/q)",
        "[2]",
    ]


class _House:
    name = "house"
    priority = 95

    def __init__(self, markers):
        self._markers = markers

    def find(self, context):
        return self._markers


def with_house(answer, markers):
    transcript = Transcript.model_validate({"id": "t", "question": "Q?", "chunks": PLAIN, "answer": answer})
    return extract(make_context(transcript, Settings()), [*builtin_syntaxes(), _House(markers)])


def test_the_higher_priority_stays_where_markers_overlap():
    target = Target("x", ("hr-5",))
    found = with_house("See [1] now.", [Marker(0, 7, "See [1]", "house", (target,))])
    assert [(item.text, item.syntax) for item in found] == [("See [1]", "house")]


@each(
    Marker(0, 3, "abc", "house", ()),
    Marker(3, 3, "", "house", ()),
    Marker(-1, 3, "See", "house", ()),
    Marker(0, 99, "See", "house", ()),
)
def test_a_syntax_whose_markers_are_untrue_is_named(marker):
    with pytest.raises(GroundingError, match="'house'"):
        with_house("See [1].", [marker])
