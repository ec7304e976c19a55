"""`check_citations`: the rules of section 3 without a scorer."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from counted_calls import calls_of
from every import each

import pytest_grounding as pg

CHUNKS = [
    {
        "id": "hr-1",
        "text": "Refunds are paid within 30 days of the purchase.",
        "metadata": {"path": "src/a.py", "line_start": 1, "line_end": 9, "url": "https://x.example/a"},
    },
    {"id": "hr-2", "text": "Leave is 25 days."},
]


@each(
    ("Refunds take 30 days [1].", "valid", 1.0, set()),
    ("Refunds take 30 days [1][9].", "invalid", 0.5, {"source_exists"}),
    ("Refunds take 30 days.", "missing", None, {"missing_citations"}),
    ("", "missing", None, set()),
    ("See src/a.py:20-30.", "invalid", 0.0, {"line_range"}),
    ("See https://y.example/b [hr-2].", "invalid", 0.5, {"source_exists"}),
    (
        "It says “Refunds are paid within 30 hours of the purchase” [1].",
        "valid",
        1.0,
        {"content_match"},
    ),
    ("Leave is 25 days [2]. 返金は30日です[1]。", "valid", 1.0, set()),
    # Whether the source supports the claim is for `validate` to say.
    ("The moon is green cheese [2].", "valid", 1.0, set()),
)
def test_the_rules_but_alignment(answer: str, status: str, accuracy: float | None, rules: set[str]) -> None:
    found = pg.check_citations(answer, CHUNKS)
    assert (found.status, found.citation_accuracy) == (status, accuracy)
    assert {finding.rule for finding in found.findings} == rules
    assert bool(found) is (status == "valid")
    assert not any(item.support is not None for item in found.citations)


@each("Refunds take 30 days [1][9]. See src/a.py:20.", "[3] x [hr-1] (hr-2)", "—")
def test_it_says_what_validation_says(answer: str) -> None:
    given = {"id": "t", "question": "How long?", "chunks": CHUNKS, "answer": answer}
    whole, alone = pg.validate(given), pg.check_citations(answer, CHUNKS, question="How long?")
    assert [item.valid for item in alone.citations] == [item.valid for item in whole.citations]
    assert alone.citation_accuracy == whole.citation_accuracy
    assert alone.cleaned == pg.clean_answer(given)


def test_texts_and_settings_and_lists_are_taken() -> None:
    assert pg.check_citations("One [0].", ["One.", "Two."], {"index_base": 0})
    found = pg.check_citations("One [1].", ["One.", "Two."], cited_indices=[1, 2, 7])
    assert [(item.target, item.valid) for item in found.citations] == [("1", True), ("2", True), ("7", False)]
    strict = pg.check_citations("One is one [1]. Two is two.", ["One."], {"require_citations": "error"})
    assert {item.rule for item in strict.findings} == {"cited_claim"}
    assert pg.check_citations("One [1].", ["One."], {"enabled": False}).status == "off"
    assert (
        pg.check_citations("One [1].", ["One."]).to_json()
        == pg.check_citations("One [1].", ["One."]).to_json()
    )


def test_code_is_looked_up_under_the_source_root(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("a\nb\n", encoding="utf-8")
    found = pg.check_citations("See b.py:1-2 and b.py:3-9.", [], {"source_root": str(tmp_path)})
    assert [item.valid for item in found.citations] == [True, False]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"answer": None}, "answer"),
    ({"answer": 7}, "answer"),
    ({"answer": b"x"}, "answer"),
    ({"chunks": "one text"}, "write it in brackets"),
    ({"chunks": {"id": "a", "text": "x"}}, "write it in brackets"),
    ({"chunks": None}, "a list is needed"),
    ({"chunks": 3}, "a list is needed"),
    ({"chunks": [None]}, "chunks[0]"),
    ({"chunks": [{"id": "a"}]}, "chunks[0].text"),
    ({"chunks": [{"id": "a", "text": "x", "scroe": 1}]}, "did you mean 'score'"),
    ({"settings": {"index_bas": 0}}, "did you mean 'index_base'"),
    ({"settings": {"source_root": "/nowhere/at/all"}}, "is not a folder"),
    ({"settings": 3}, "mapping"),
    ({"cited_indices": ["1"]}, "cited_indices"),
    ({"question": "x" * 2001}, "2001 characters"),
    ({"answer": "x" * 100_001}, "too large"),
]


@each(*map(tuple, WRONG))
def test_wrong_use_is_one_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(pg.GroundingError) as caught:
        pg.check_citations(**({"answer": "One [1].", "chunks": ["One."]} | wrong))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_takes_a_part_of_the_time_of_a_validation() -> None:
    # Calls, which are the same on every machine. The benchmark gives milliseconds.
    answer = "Refunds are paid within 30 days of the purchase [1]. Leave is 25 days [2][9]. " * 3
    chunks = [
        {**CHUNKS[0], "id": f"hr-{number}", "text": f"{CHUNKS[0]['text']} " * 9} for number in range(10)
    ]
    given = {"id": "t", "question": "How long?", "chunks": chunks, "answer": answer}
    works = (lambda: pg.check_citations(answer, chunks), lambda: pg.validate(given))
    # The first run of each imports and remembers.
    (_, alone), (_, whole) = ([calls_of(work) for _ in range(2)] for work in works)
    assert 0 < alone < 0.8 * whole


def test_no_scorer_comes_in() -> None:
    code = (
        "import sys, pytest_grounding as pg\n"
        "assert pg.check_citations('One [1].', ['One.'])\n"
        "print(*[n for n in sys.modules if n.startswith('pytest_grounding.scorers.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pytest_grounding.scorers.protocol"]
