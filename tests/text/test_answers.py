"""Whole answers as people and models write them, with the claims that each must yield (``answers.jsonl``)."""

import json
from pathlib import Path
from typing import Any

from every import each

import pytest_grounding as pg
from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.engine.pipeline import extract_and_score
from pytest_grounding.engine.registry import builtin_scorer
from pytest_grounding.reading.markdown import label_links, mask_spans
from pytest_grounding.reading.sentences import segment
from pytest_grounding.reading.spans import Claim
from pytest_grounding.settings import Settings

LINES = Path(__file__).with_name("answers.jsonl").read_text(encoding="utf-8").splitlines()
ANSWERS = [json.loads(line) for line in LINES]


def claims_of(answer: str, question: str = "What?") -> tuple[Claim, ...]:
    chunks = [{"id": "c", "text": "x"}, {"id": "d", "text": "y"}]
    transcript = pg.Transcript.model_validate(
        {"id": "t", "question": question, "chunks": chunks, "answer": answer}
    )
    return extract_and_score(transcript, Settings(), [builtin_scorer()])[0].claims


@each(*ANSWERS)
def test_an_answer_yields_its_claims(row: dict[str, Any]) -> None:
    claims = claims_of(row["answer"], row.get("question", "What?"))
    assert [claim.bare for claim in claims if claim.checked] == row["claims"]
    assert [claim.skip_reason for claim in claims if not claim.checked] == row.get("left_out", [])
    assert all(row["answer"][claim.start : claim.end] == claim.text for claim in claims)


def test_nested_items_are_read_with_the_items_above_them() -> None:
    answer = (
        "The plans:\n\n- Basic\n  - 10 GB of storage\n  - It costs $5\n    - $4 in June\n- Pro\n"
        "\t- 100 GB of storage\n\nSupport is free."
    )
    found = {claim.bare: claim.context for claim in extract_claims(answer) if claim.checked}
    assert found == {
        "10 GB of storage": "The plans Basic",
        "It costs $5": "The plans Basic",
        "$4 in June": "The plans Basic It costs $5",
        "100 GB of storage": "The plans Pro",
        "Support is free.": "",
    }


@each("[1]", "[Handbook]", "[[1]]", "[the handbook of 2021]")
def test_a_link_behind_a_full_stop_is_a_label_however_long_its_address(label: str) -> None:
    for length in (1, 9, 10, 40, 400):
        link = f"{label}(https://x.org/{'a' * length})"
        first, second = claims_of(f"Refunds take 14 days. {link} They are free. {link}")
        assert (first.bare, first.text) == ("Refunds take 14 days.", f"Refunds take 14 days. {link}")
        assert (second.bare, second.text) == ("They are free.", f"They are free. {link}")


@each(1, 40, 400)
def test_a_bare_address_behind_a_full_stop_too(length: int) -> None:
    address = f"https://x.org/{'a' * length}"
    first, second = claims_of(f"Refunds take 14 days. {address} They are free.")
    assert (first.text, second.text) == (f"Refunds take 14 days. {address}", "They are free.")


@each(
    ("It is red. [A](u://x)", ["[A](u://x)"]),
    ("It is red. [A](u://x) says so.", []),
    ("It is red. [A](u://x), [B](u://y) and [C](u://z).", ["[A](u://x), [B](u://y) and [C](u://z)"]),
    ("It is red ([A](u://x)).", ["([A](u://x))"]),
    ("It is red (see [A](u://x) and [B](u://y)).", ["(see [A](u://x) and [B](u://y))"]),
    ("It is red (Source: [`a`](u://x)).", ["(Source: [`a`](u://x))"]),
    ("The [price list](u://x) says 5.", []),
    ("It costs 5 (the [price list](u://x) says so).", []),
    ("[A](u://x)", []),
    ("- [A](u://x)\n- [B](u://y)", []),
    ("It is red.\n\n[A](u://x)", ["[A](u://x)"]),
    ("It is red.\n- [A](u://x)", []),
    ("It is red. \x00 [A](u://x)", ["[A](u://x)"]),
)
def test_links_that_are_labels(text: str, labels: list[str]) -> None:
    assert [text[start:end] for start, end in label_links(text, mask_spans(text))] == labels


def test_the_link_that_opens_a_sentence_belongs_to_it() -> None:
    text = "It is red. [Apple](u://x) sells it."
    assert [piece.text for piece in segment(text, markers=[(11, 12), (17, 25)])] == [
        "It is red.",
        "[Apple](u://x) sells it.",
    ]
