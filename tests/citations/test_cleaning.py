"""Cleaning an answer of invalid citations, and inserting markers into one."""

import json
import re

import pytest
from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.citations import builtin_syntaxes, extract, make_context
from pytest_grounding.citations.editing import clean_markers
from pytest_grounding.citations.syntax import Marker, Target
from pytest_grounding.cli import main
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.settings import Settings
from pytest_grounding.testing import Example

CHUNKS = [
    {"id": "hr-1", "text": "A", "metadata": {"chapter_id": "3", "section_number": "2", "path": "src/a.py"}},
    {"id": "hr-2", "text": "B", "metadata": {"url": "https://example.com/b"}},
    {"id": "hr-3", "text": "C"},
]


def verdicts(transcript, *more):
    """Verdicts by resolution alone: what answers to no chunk, or runs backwards, is invalid."""
    found = extract(make_context(transcript, Settings()), [*builtin_syntaxes(), *more])
    return [
        CitationVerdict(
            index=index,
            text=item.text,
            start=item.start,
            end=item.end,
            syntax=item.syntax,
            target=item.target.label,
            valid=bool(item.target.chunk_ids) and not item.target.problem,
            chunk_ids=item.target.chunk_ids,
        )
        for index, item in enumerate(found)
    ]


def cleaned(answer, **fields):
    transcript = Transcript.model_validate(
        {"id": "t", "question": "Q?", "chunks": CHUNKS, "answer": answer, **fields}
    )
    return clean_markers(transcript, verdicts(transcript))


@pytest.mark.row(22)
@each(*table(__file__, "CASES"))
def test_cleaning(answer, expected):
    assert cleaned(answer) == expected
    assert cleaned(expected) == expected


def test_a_providers_span_is_text_and_stays():
    span = {"start": 0, "end": 6, "text": "Thirty", "chunk_ids": ["nowhere"]}
    assert cleaned("Thirty days [9].", citations=[span]) == "Thirty days."


def test_the_public_function_cleans_what_the_rules_reject():
    transcript = {
        "id": "t",
        "question": "Q?",
        "chunks": CHUNKS,
        "answer": "Thirty days [1, 7]. See src/a.py:9-3.",
    }
    assert pg.clean_answer(transcript) == "Thirty days [1]. See."


@each(None, Settings.of({"index_base": 0}))
def test_cleaning_knows_zero_based_numbers(given):
    in_force = {"index_base": 0}
    transcript = {"id": "t", "question": "Q?", "chunks": CHUNKS, "answer": "A [0, 1] b [9], c [2, 3]."}
    verdict = pg.validate(transcript, in_force)
    assert clean_markers(Transcript.model_validate(transcript), verdict.citations, settings=given) == (
        "A [0, 1] b, c [2]."
    )


class _Tickets:
    name = "ticket"
    priority = 90

    def find(self, context):
        for match in re.finditer(r"KB-\d+", context.masked):
            yield Marker(match.start(), match.end(), match[0], self.name, (Target(match[0]),))


@each(None, [*builtin_syntaxes(), _Tickets()])
def test_cleaning_knows_the_syntaxes_of_others(syntaxes):
    transcript = Transcript.model_validate(
        {"id": "t", "question": "Q?", "chunks": CHUNKS, "answer": "A (KB-7) [9]; b [1]."}
    )
    assert clean_markers(transcript, verdicts(transcript, _Tickets()), syntaxes=syntaxes) == "A; b [1]."


_WORDS = (
    "[1] [2] [9] [1, 9] [1-5] [3-1] [-1] [0] [hr-1] [hr-9] [hr-1,hr-9] [^9] 【4:9†s】 ¹ ( ) [ ] ( [9] ) "
    "Chapter|3,|Section|9 Chapter|3,|Section|2 b.py:3 `b.py:3` src/a.py:3 https://bad.example/x "
    "[t](https://bad.example/x) [t](https://example.com/b) `code|[9]` array word days. é 政策 🎉 1 9 , - ^ "
    "| # \\ ! * ~ : ``` [Source|9]"
)
_PIECES = st.sampled_from([word.replace("|", " ") if len(word) > 1 else word for word in _WORDS.split(" ")])
_BLANKS = st.sampled_from(["", "", " ", "  ", "\n", "\t", "\r\n", "\u00a0"])
ANSWERS = st.lists(st.tuples(_PIECES, _BLANKS), max_size=24).map(
    lambda parts: "".join(a + b for a, b in parts)
)


@pytest.mark.row(22)
@given(ANSWERS)
@settings(max_examples=150, deadline=None)
def test_cleaning_is_idempotent(answer):
    once = cleaned(answer)
    assert cleaned(once) == once


@given(ANSWERS)
@settings(max_examples=120, deadline=None)
def test_cleaning_takes_markers_their_blanks_and_emptied_brackets_only(answer):
    transcript = Transcript.model_validate({"id": "t", "question": "Q?", "chunks": CHUNKS, "answer": answer})
    found = verdicts(transcript)
    result = clean_markers(transcript, found)
    invalid = [(item.start, item.end) for item in found if not item.valid]
    if not invalid:
        assert result == answer
        return
    # What is not in a marker, a blank or a bracket stands in the result, in the same order.
    inside = {offset for start, end in invalid for offset in range(start, end)}
    rest = "".join(
        char
        for offset, char in enumerate(answer)
        if offset not in inside and char not in " \t\u00a0()[]`（）"
    )
    bare = re.sub("[ \t\u00a0()\\[\\]`（）]", "", result)
    position = 0
    for char in rest:
        position = bare.find(char, position)
        assert position >= 0
        position += 1
    # Nothing is added, but for the ends of ranges that were cut.
    letters = iter(re.sub(r"[\d,\s-]", "", answer))
    assert all(char in letters for char in re.sub(r"[\d,\s-]", "", result))
    assert result.count("\n") == answer.count("\n")


REFUND = "Refunds are paid within 14 days of the return"
SHOP = "The shop opens at nine on Monday"
CHUNKS_INSERTED = [
    {"id": "a", "text": f"{REFUND}. A receipt is needed for every refund.", "score": 0.9},
    {"id": "b", "text": f"{SHOP}. Dogs are welcome in the garden. The café opens at 9 a.m.", "score": 0.8},
]


transcript = Example("How long do refunds take?", CHUNKS_INSERTED, id="t").answered


@pytest.mark.row(26)
@each(*table(__file__, "test_a_marker_stands_where_a_writer_would_put_it"))
def test_a_marker_stands_where_a_writer_would_put_it(answer, expected):
    found = pg.insert_citations(transcript(answer))
    if expected is not None:
        assert found == expected
    assert pg.insert_citations(transcript(found)) == found


def test_a_row_keeps_its_cells():
    table = f"| What | Says |\n|---|---|\n| Refunds | {REFUND}. |\n| Shop | {SHOP} | |\n"
    found = pg.insert_citations(transcript(table))
    assert f"| Refunds | {REFUND} [1]. |\n| Shop | {SHOP} [2] | |\n" in found
    assert [line.count("|") for line in found.splitlines()] == [
        line.count("|") for line in table.splitlines()
    ]


def test_numbers_count_as_the_setting_says():
    assert pg.insert_citations(transcript(f"{SHOP}."), {"index_base": 0}) == f"{SHOP} [1]."


def test_a_marker_that_would_name_another_chunk_is_not_put_in():
    # All ids are numbers, so that [2] names the chunk "2", which is the first.
    chunks = [{"id": "2", "text": f"{REFUND}."}, {"id": "1", "text": "Dogs are welcome."}]
    answer = f"Dogs are welcome [1]. {REFUND}."
    found = pg.insert_citations(transcript(answer, chunks=chunks))
    verdict = pg.validate(transcript(found, chunks=chunks))
    assert all(item.valid for item in verdict.citations)
    assert not [part for part in verdict.causes if part.rule == "semantic_alignment"]


def test_what_a_provider_cites_is_left_as_it_is():
    answer = f"{REFUND}. {SHOP}."
    span = {"start": 0, "end": len(REFUND), "text": REFUND, "chunk_ids": ["a"]}
    assert pg.insert_citations(transcript(answer, citations=[span])) == f"{REFUND}. {SHOP} [2]."
    late = {"start": len(REFUND) + 2, "end": len(answer) - 1, "text": SHOP, "chunk_ids": ["b"]}
    assert pg.insert_citations(transcript(answer, citations=[late])) == f"{REFUND} [1]. {SHOP}."


def test_an_answer_that_cannot_be_checked_is_refused():
    with pytest.raises(pg.GroundingError, match="too large"):
        pg.insert_citations(transcript("x" * 100_001))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(table(__file__, "PIECES")), min_size=1, max_size=9).map(" ".join))
def test_the_new_answer_is_the_old_one_with_markers_and_no_worse(answer):
    given_ = transcript(answer)
    found = pg.insert_citations(given_)
    before, after = pg.validate(given_), pg.validate(transcript(found))
    letters = iter(found)
    assert all(char in letters for char in answer), "characters were taken away"
    for severity in ("error", "warning"):
        count = [sum(part.severity == severity for part in item.causes) for item in (before, after)]
        assert count[1] <= count[0]
    new = len(after.citations) - len(before.citations)
    assert new >= 0
    assert (new > 0) == (found != answer)
    assert pg.insert_citations(transcript(found)) == found


def test_the_command_puts_them_in(tmp_path, capsys):
    file = tmp_path / "a.transcripts.jsonl"
    file.write_text(json.dumps(transcript(f"{REFUND} [9]. {SHOP}.")) + "\n", encoding="utf-8")
    assert main(["show", "clean", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == f"{REFUND}. {SHOP}."
    assert main(["show", "clean", str(file), "--insert"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "id": "t",
        "answer": f"{REFUND} [1]. {SHOP} [2].",
        "changed": True,
    }
    assert main(["show", "clean", str(file), "--insert", "--text"]) == 0
    assert capsys.readouterr().out == f"{REFUND} [1]. {SHOP} [2].\n"
