"""Markers that are put in: where they stand, that they hold, and that nothing else changes."""

import json
from pathlib import Path

import pytest
from every import each
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.testing import Example

REFUND = "Refunds are paid within 14 days of the return"
SHOP = "The shop opens at nine on Monday"
CHUNKS = [
    {"id": "a", "text": f"{REFUND}. A receipt is needed for every refund.", "score": 0.9},
    {"id": "b", "text": f"{SHOP}. Dogs are welcome in the garden. The café opens at 9 a.m.", "score": 0.8},
]


transcript = Example("How long do refunds take?", CHUNKS, id="t").answered


@each(
    (f"{REFUND}. {SHOP}.", f"{REFUND} [1]. {SHOP} [2]."),
    (f"{REFUND}, and the shop opens at nine on Monday.", None),
    (f"{REFUND}. [1] {SHOP}.", f"{REFUND}. [1] {SHOP} [2]."),
    (f"{REFUND}[1]. {SHOP}.", f"{REFUND}[1]. {SHOP} [2]."),
    (f"{REFUND} [1]. {SHOP}!", f"{REFUND} [1]. {SHOP} [2]!"),
    (f"- **{REFUND}.**\n- {SHOP}\n", f"- **{REFUND} [1].**\n- {SHOP} [2]\n"),
    (f"| a | {REFUND}. |\n|---|---|\n| b | {SHOP} | |\n", None),
    (f"## {REFUND} ##\n{SHOP}...", f"## {REFUND} [1] ##\n{SHOP} [2]..."),
    ("The café opens at 9 a.m.", "The café opens at 9 a.m. [2]"),
    (f"“{REFUND}.” {SHOP}.", f"“{REFUND}.” [1] {SHOP} [2]."),
    (f"```\n{REFUND}.\n```\n{SHOP}.", f"```\n{REFUND}.\n```\n{SHOP} [2]."),
    (f"{REFUND}.\r\n\r\n{SHOP}.", f"{REFUND} [1].\r\n\r\n{SHOP} [2]."),
    ("The moon is made of green cheese.", "The moon is made of green cheese."),
    ("I don't have that information.", "I don't have that information."),
    ("", ""),
)
def test_a_marker_stands_where_a_writer_would_put_it(answer: str, expected: str | None) -> None:
    found = pg.insert_citations(transcript(answer))
    if expected is not None:
        assert found == expected
    assert pg.insert_citations(transcript(found)) == found


def test_a_row_keeps_its_cells() -> None:
    table = f"| What | Says |\n|---|---|\n| Refunds | {REFUND}. |\n| Shop | {SHOP} | |\n"
    found = pg.insert_citations(transcript(table))
    assert f"| Refunds | {REFUND} [1]. |\n| Shop | {SHOP} [2] | |\n" in found
    assert [line.count("|") for line in found.splitlines()] == [
        line.count("|") for line in table.splitlines()
    ]


def test_numbers_count_as_the_setting_says() -> None:
    assert pg.insert_citations(transcript(f"{SHOP}."), {"index_base": 0}) == f"{SHOP} [1]."


def test_a_marker_that_would_name_another_chunk_is_not_put_in() -> None:
    # All ids are numbers, so that [2] names the chunk "2", which is the first.
    chunks = [{"id": "2", "text": f"{REFUND}."}, {"id": "1", "text": "Dogs are welcome."}]
    answer = f"Dogs are welcome [1]. {REFUND}."
    found = pg.insert_citations(transcript(answer, chunks=chunks))
    verdict = pg.validate(transcript(found, chunks=chunks))
    assert all(item.valid for item in verdict.citations)
    assert not [part for part in verdict.causes if part.rule == "semantic_alignment"]


def test_what_a_provider_cites_is_left_as_it_is() -> None:
    answer = f"{REFUND}. {SHOP}."
    span = {"start": 0, "end": len(REFUND), "text": REFUND, "chunk_ids": ["a"]}
    assert pg.insert_citations(transcript(answer, citations=[span])) == f"{REFUND}. {SHOP} [2]."
    late = {"start": len(REFUND) + 2, "end": len(answer) - 1, "text": SHOP, "chunk_ids": ["b"]}
    assert pg.insert_citations(transcript(answer, citations=[late])) == f"{REFUND} [1]. {SHOP}."


def test_an_answer_that_cannot_be_checked_is_refused() -> None:
    with pytest.raises(pg.GroundingError, match="too large"):
        pg.insert_citations(transcript("x" * 100_001))


PIECES = st.sampled_from(
    [
        f"{REFUND}.",
        f"{SHOP}!",
        "Dogs are welcome in the garden,",
        "A receipt is needed for every refund",
        "The moon is made of green cheese.",
        "**Dogs are welcome in the garden.**",
        "`x = 1`",
        "```\ncode\n```",
        "[site](https://x.example/a)",
        "[1]",
        "[9]",
        "[^1]: A receipt is needed for every refund.",
        f"| a | {SHOP} |",
        "|---|---|",
        "- ",
        "# ",
        "> ",
        "\n",
        "\n\n",
        " ",
        "(",
        ")",
        "”",
        "返金は14日以内に支払われます。",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=9).map(" ".join))
def test_the_new_answer_is_the_old_one_with_markers_and_no_worse(answer: str) -> None:
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


def test_the_command_puts_them_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
