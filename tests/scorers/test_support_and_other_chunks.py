"""Support depends on the chunks that share words with a claim, and more evidence never lowers it."""

from __future__ import annotations

from hypothesis import assume, example, given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.scorers.builtin.builtin_scorer import worst_of

WORDS = (
    "manager manage managing report reporter reports plan plans plant free costs price $20 20 twenty month "
    "monthly WHO World Health not no never is the of which with because , museum opens open Sunday Sundays I "
    "we buy purchase bought large big Basic Team refund refunded"
).split(" ")
#: None of these shares a stem with a word above, means the same, or begins like one.
FOREIGN = "Otters swim quietly near yellow tulips . Zinc dissolves".split(" ")


def sentences(words: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words), min_size=2, max_size=10).map(
        lambda found: " ".join(found).capitalize() + "."
    )


TEXTS = st.lists(sentences(WORDS), min_size=1, max_size=3).map(" ".join)
CLAIMS = sentences(WORDS)
PLACES = st.integers(min_value=0, max_value=3)


def conflicts_of(score: pg.SupportScore) -> list[tuple[str, str, str]]:
    return [(found.kind, found.severity, found.claim_text) for found in score.conflicts]


@given(CLAIMS, st.lists(TEXTS, min_size=1, max_size=3), TEXTS, PLACES)
@example(
    "The manager reports the plan.", ["The manager reports."], "Plans of the managing team. Reporter.", 0
)
@example("The plan is not free.", ["The plan is not big, it costs $20."], "The plan costs 20.", 1)
def test_another_chunk_never_lowers_support_unless_it_conflicts(
    claim: str, chunks: list[str], added: str, place: int
) -> None:
    before = pg.support(claim, chunks)
    after = pg.support(claim, [*chunks[:place], added, *chunks[place:]])
    assume(worst_of(after.conflicts) <= worst_of(before.conflicts))
    assert before.probability is not None
    assert after.probability is not None
    assert after.probability >= before.probability - 1e-9


@given(CLAIMS, st.lists(TEXTS, min_size=1, max_size=3), sentences(FOREIGN), PLACES)
@example(
    "A refund takes five business days.",
    ["Refunds are paid within five business days."],
    "Otters swim quietly. " * 30,
    0,
)
def test_a_chunk_without_a_shared_word_changes_nothing(
    claim: str, chunks: list[str], added: str, place: int
) -> None:
    before = pg.support(claim, chunks)
    after = pg.support(claim, [*chunks[:place], added, *chunks[place:]])
    assert (after.probability, after.missing, after.reason) == (
        before.probability,
        before.missing,
        before.reason,
    )
    assert conflicts_of(after) == conflicts_of(before)
    assert [found.text for found in after.evidence] == [found.text for found in before.evidence]


@given(st.lists(CLAIMS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=2), TEXTS, PLACES)
def test_both_hold_for_a_validation(answer: list[str], chunks: list[str], added: str, place: int) -> None:
    def claims(texts: list[str]) -> list[pg.ClaimVerdict]:
        found = [{"id": f"c{number}", "text": text} for number, text in enumerate(texts)]
        row = {"id": "a", "question": "What is known of it?", "chunks": found, "answer": " ".join(answer)}
        return [claim for claim in pg.validate(pg.Transcript.model_validate(row)).claims if claim.checked]

    plain = claims(chunks)
    more = claims([*chunks[:place], added, *chunks[place:]])
    other = claims([*chunks[:place], "Otters swim quietly near yellow tulips.", *chunks[place:]])
    for one, two, three in zip(plain, more, other, strict=True):
        assert (three.support, three.status, three.missing_words) == (
            one.support,
            one.status,
            one.missing_words,
        )
        if worst_of(two.conflicts) <= worst_of(one.conflicts):
            assert two.support is not None
            assert one.support is not None
            assert two.support >= one.support - 1e-9


def test_the_length_of_the_sources_decides_nothing() -> None:
    claim = "The courses begin in October at the campus in Rotterdam."
    source = "The courses begin in October at the campus in Delft."
    filler = "Otters swim quietly near yellow tulips. " * 60
    assert pg.support(claim, [source]).probability == pg.support(claim, [source, filler]).probability
