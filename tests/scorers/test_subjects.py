"""A subject that a sentence takes over from the one before counts as said in it, in chunks and in claims."""

from __future__ import annotations

import pytest

from pytest_grounding import validate
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.scorers.lexical.subjects import carried_into
from pytest_grounding.scorers.lexical.tokens import tokenize


def carried(text: str) -> list[str]:
    return [" ".join(stems) for _, stems in sorted(index_of(text).carried.items())]


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("The H2 weighs 112 kg. It has no fans.", ["h 2"]),
        ("The Basic plan costs $5. This plan includes support. However, it ends in May.", ["basic plan"] * 2),
        ("In 1999, Ann Smith founded Acme. She left in 2004. Her house was sold.", ["ann smith"] * 2),
        ("Model H2\nIt weighs 30 kg.", ["model h 2"]),
        ("The edge of the table is sharp. It cuts.", ["edg tabl"]),
        ("Rats and mice eat seeds. They hide well.", ["rat mous"]),
        ("The oven weighs 30 kg. The door is red.", []),
        ("Acme was founded in 1999. This means that it is old.", []),
        ("Place the pan on the stove. It takes a while.", []),
        ("You can cook the rice. It is done soon.", []),
        ("It has no fans. It is quiet.", []),
        ("", []),
    ],
)
def test_the_subject_of_the_sentence_before_is_carried(text: str, stems: list[str]) -> None:
    assert carried(text) == stems


def test_no_subject_is_carried_in_other_languages() -> None:
    assert index_of("The H2 is new. It hums.", "de").carried == {}


@pytest.mark.parametrize(
    ("claim", "context", "stems"),
    [
        ("It has no fans.", "The H2 weighs 112 kg.", ("h", "2")),
        ("The plan is cheap.", "The H2 weighs 112 kg.", ()),
        ("It has no fans.", "", ()),
    ],
)
def test_a_claim_takes_its_subject_from_its_context(claim: str, context: str, stems: tuple[str, ...]) -> None:
    assert carried_into(tokenize(claim), context) == stems


def statuses(chunk: str, answer: str) -> list[str]:
    verdict = validate(
        {"id": "x", "question": "What is known?", "chunks": [{"id": "c", "text": chunk}], "answer": answer}
    )
    return [claim.status for claim in verdict.claims]


PLANS = (
    "The Basic plan costs $5. This plan does not include phone support. "
    "The Pro plan costs $9. It includes phone support."
)


@pytest.mark.parametrize(
    ("chunk", "answer", "last"),
    [
        ("The H2 weighs 112 kg. It has no fans.", "The H2 has fans.", "contradicted"),
        ("The H2 weighs 112 kg. It has no fans.", "The H2 has no fans.", "supported"),
        ("The H2 weighs 112 kg. It has no fans.", "The H2 weighs 112 kg. It has fans.", "contradicted"),
        ("The routers ship with a cable. They do not include a charger.", "The routers include a charger.",
         "contradicted"),
        (PLANS, "The Basic plan includes phone support.", "contradicted"),
        (PLANS, "The Pro plan includes phone support.", "supported"),
        (PLANS, "The Pro plan costs $9. It includes phone support.", "supported"),
    ],
)  # fmt: skip
def test_what_is_denied_of_the_subject_before_is_denied_of_it(chunk: str, answer: str, last: str) -> None:
    assert statuses(chunk, answer)[-1] == last
