"""Fenced code beside a code citation is compared with the lines that the citation names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from every import each
from hypothesis import example, given
from hypothesis import strategies as st

import pytest_grounding as pg

REFUND = """DAYS = 30
FEE = 4


def refund(order):
    if order.age > DAYS:
        raise TooLate(order)
    return order.price - FEE


def exchange(order):
    return refund(order), order.item
"""


def findings(answer: str, *, root: Path | None = None, **metadata: Any) -> list[pg.Finding]:
    chunk = {"id": "c", "text": REFUND, "metadata": {"path": "src/refund.py", "line_start": 1, **metadata}}
    chunks = [] if root is not None else [chunk]
    recorded = {"id": "t", "question": "Where are refunds made?", "chunks": chunks, "answer": answer}
    verdict = pg.validate(recorded, {"source_root": str(root)} if root is not None else None)
    return [finding for finding in verdict.causes if finding.rule == "content_match"]


def block(code: str, info: str = "python") -> str:
    return f"```{info}\n{code}\n```"


QUOTED = "def refund(order):\n    if order.age > DAYS:\n        raise TooLate(order)"


@each(
    [
        (case,)
        for case in [
            QUOTED,
            QUOTED.replace("    ", "\t"),
            "\n".join(f"    {line}  " for line in QUOTED.splitlines()),
            QUOTED.replace("\n", "\n\n"),
            "def refund(order):\n    ...\n    return order.price - FEE",
            "def refund(order):\n    # ... the age is checked\n    return order.price - FEE",
            "5: def refund(order):\n6:     if order.age > DAYS:",
            "FEE = 4\n\n\n" + QUOTED,
        ]
    ]
)
def test_code_that_stands_in_the_cited_lines_is_right(code: str) -> None:
    assert findings(f"See `src/refund.py:5-8`:\n\n{block(code)}\n") == []


@each(["See src/refund.py:5-8:\n{}", "{}\n\nSource: src/refund.py:5-8."])
def test_the_line_that_differs_is_said(answer: str) -> None:
    wrong = QUOTED.replace("> DAYS", ">= DAYS")
    [finding] = findings(answer.format(block(wrong)))
    assert finding.severity == "warning"
    assert "'if order.age >= DAYS:'" in finding.message
    assert "line 6 of the source is 'if order.age > DAYS:'" in finding.message
    assert finding.details["quote"].startswith("def refund(order):")
    assert finding.citation == 0


def test_a_file_under_the_source_root_is_what_counts(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "refund.py").write_text(REFUND, encoding="utf-8")
    assert findings(f"In src/refund.py:5-7:\n{block(QUOTED)}", root=tmp_path) == []
    [finding] = findings(f"In src/refund.py:5-7:\n{block(QUOTED.replace('TooLate', 'Late'))}", root=tmp_path)
    assert "line 7 of the source is 'raise TooLate(order)'" in finding.message


def test_lines_that_are_made_up_are_said() -> None:
    made_up = QUOTED + "\n    audit.write(order)"
    [finding] = findings(f"See src/refund.py:5-8:\n{block(made_up)}")
    assert "does not hold this line of the code beside it: 'audit.write(order)'" in finding.message


def test_code_of_other_lines_is_said_to_stand_there() -> None:
    [finding] = findings(f"See src/refund.py:1-2:\n{block('def exchange(order):')}")
    assert "stands in line 11" in finding.message


def test_a_citation_of_the_first_line_covers_what_begins_there() -> None:
    assert findings(f"It begins in src/refund.py:5:\n{block(QUOTED)}") == []


def test_a_chunk_without_line_numbers_is_compared_by_its_text() -> None:
    answer = "See src/refund.py:5-8:\n{}"
    assert findings(answer.format(block(QUOTED)), line_start=None) == []
    [finding] = findings(answer.format(block(QUOTED.replace("age", "days"))), line_start=None)
    assert "a line of the source is 'if order.age > DAYS:'" in finding.message


def test_code_of_something_else_is_wrong_only_where_the_citation_labels_it() -> None:
    other = block("import json\nprint(json.dumps({'refund': 1}))")
    assert len(findings(f"`src/refund.py:5-8`:\n{other}")) == 1
    assert findings(f"Refunds are made in src/refund.py:5-8. They are cheap.\n{other}") == []
    assert findings(f"Orders from src/refund.py:5-8 come as JSON too.\n{other}") == []


@each(
    [
        "Replace src/refund.py:5-8 with:",
        "A fixed form of src/refund.py:5-8:",
        "Call src/refund.py:5-8 like this:",
    ]
)
def test_proposed_code_is_no_quotation(lead: str) -> None:
    assert findings(f"{lead}\n\n{block(QUOTED.replace('> DAYS', '>= DAYS'))}") == []


@each(["console", "diff", "bash", "output"])
def test_what_is_no_code_is_not_compared(info: str) -> None:
    assert findings(f"`src/refund.py:5-8`:\n{block('$ pytest -q refund', info)}") == []


def test_an_invalid_citation_is_not_blamed_twice() -> None:
    assert findings(f"`src/nowhere.py:5-8`:\n{block(QUOTED)}") == []


def test_one_of_two_citations_is_enough() -> None:
    assert findings(f"It is in src/refund.py:1-2 and src/refund.py:5-8:\n{block(QUOTED)}") == []


@given(st.lists(st.sampled_from(["```", "~~~", "src/refund.py:5-8:", "DAYS = 30", "...", "1: x", "", "\t"])))
@example(["src/refund.py:5-8:", "```", "DAYS = 30", "1: x", "```"])
def test_any_mix_of_fences_and_citations_gives_a_verdict(lines: list[str]) -> None:
    for finding in findings("\n".join(["See src/refund.py:1-2.", *lines])):
        # What is blamed stands in a block. Numbers of lines are no part of it.
        assert {"```", "~~~"} & set(lines)
        given = {part for line in lines for part in (line.strip(), line.strip().removeprefix("1: "))}
        assert {line.strip() for line in finding.details["quote"].split("\n")} <= given
        assert finding.citation is not None


def test_a_mix_of_fences_and_citations_can_be_blamed() -> None:
    assert findings("See src/refund.py:1-2.\nsrc/refund.py:5-8:\n```\nDAYS = 30\n1: x\n```")


def test_many_long_blocks_of_equal_lines_end() -> None:
    same = "\n".join(["x = 1"] * 250)
    found = findings("".join(f"src/refund.py:{n % 9 + 1}:\n{block(same)}\n" for n in range(60)))
    assert 0 < len(found) <= 20
