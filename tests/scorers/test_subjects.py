"""A subject that a sentence takes over from the one before counts as said in it, in chunks and in claims."""

from __future__ import annotations

import pytest
from every import examples

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.opposites import negation_conflicts
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim
from pytest_grounding.scorers.builtin.subjects import carried_into
from pytest_grounding.scorers.builtin.token_index import index_of
from pytest_grounding.scorers.protocol import ClaimText


def carried(text: str) -> list[str]:
    return [" ".join(stems) for _, stems in sorted(index_of(text).carried.items())]


@examples(
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


@examples(
    ("claim", "context", "stems"),
    [
        ("It has no fans.", "The H2 weighs 112 kg.", ("h", "2")),
        ("The plan is cheap.", "The H2 weighs 112 kg.", ()),
        ("It has no fans.", "", ()),
    ],
)
def test_a_claim_takes_its_subject_from_its_context(claim: str, context: str, stems: tuple[str, ...]) -> None:
    assert carried_into(tokenize(claim), context) == stems


PLANS = (
    "The Basic plan costs $5. This plan does not include phone support. "
    "The Pro plan costs $9. It includes phone support."
)
H2 = "The H2 weighs 112 kg. It has no fans."
ROUTERS = "The routers ship with a cable. They do not include a charger."


def denials(chunk: str, claim: str, context: str = "") -> list[tuple[float, float]]:
    """How well each denial of a chunk is bound to a claim, and how much of it the sentence holds."""
    tokens = tokenize(claim)
    contest = Contest(view_of_claim(claim, tokens), sources_of(chunk), carried=carried_into(tokens, context))
    return [(found.strength, found.cover) for found in negation_conflicts(contest)]


@examples(
    ("chunk", "claim", "context"),
    [
        (H2, "The H2 has fans.", ""),
        (H2, "It has fans.", "The H2 weighs 112 kg."),
        (ROUTERS, "The routers include a charger.", ""),
        (PLANS, "The Basic plan includes phone support.", ""),
        (PLANS, "It includes phone support.", "The Basic plan costs $5."),
    ],
)
def test_what_is_denied_of_the_subject_before_is_denied_of_it(chunk: str, claim: str, context: str) -> None:
    ((strength, cover),) = denials(chunk, claim, context)
    assert strength > 0.9
    assert cover == pytest.approx(1.0)


@examples(
    ("chunk", "claim", "context"),
    [
        (H2, "The H2 has no fans.", ""),
        (PLANS, "The Pro plan includes phone support.", ""),
        (PLANS, "It includes phone support.", "The Pro plan costs $9."),
    ],
)
def test_what_is_said_of_the_subject_before_is_not_denied_of_it(chunk: str, claim: str, context: str) -> None:
    assert denials(chunk, claim, context) == []


def test_evidence_is_the_sentence_that_takes_the_subject_over() -> None:
    chunk = Chunk(id="c", text="The Nordic oven weighs 30 kg. It bakes bread in silence. The table is red.")
    (score,) = LexicalScorer().support([ClaimText("The Nordic oven bakes bread in silence.")], [chunk])
    assert score.evidence[0].text == "It bakes bread in silence."
    assert score.evidence[0].score == pytest.approx(1.0)
