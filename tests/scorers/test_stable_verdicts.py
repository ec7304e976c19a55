"""What does not change a verdict: layout, repeated chunks, unrelated chunks."""

import textwrap

from every import each
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from benchmarks.labelled import rows_of
from pytest_grounding.scorers.builtin.builtin_scorer import worst_of


def judged(question, answer, *chunks):
    texts = [{"id": f"c{number}", "text": text} for number, text in enumerate(chunks, start=1)]
    return pg.validate({"id": "a", "question": question, "answer": answer, "chunks": texts})


@each(
    (" not ", " not\n"),
    (". The", ".\nThe"),
    (" not ", " not\u00a0"),
    (" not ", " not&nbsp;"),
    ("Dogs", "<b>Dogs</b>"),
)
def test_layout_does_not_hide_a_contradiction(old, new):
    chunk = "Dogs are not allowed in the hall.".replace(old, new)
    verdict = judged("Are dogs allowed?", "Dogs are allowed in the hall.", chunk)
    assert [claim.status for claim in verdict.claims] == ["contradicted"]


def test_evidence_quotes_the_chunk_verbatim():
    chunk = "Tickets are sold here. Dogs are <b>not</b>\nallowed in the hall, and\u00a0cats are not. Come in."
    verdict = judged("Are dogs allowed?", "Dogs are allowed in the hall.", chunk)
    (claim,) = verdict.claims
    (conflict, *_) = claim.conflicts
    for piece in (*claim.evidence, conflict.evidence):
        assert piece.text == chunk[piece.start : piece.end]
        assert piece.before in chunk
        assert piece.after in chunk
    assert "<b>not</b>\nallowed" in conflict.evidence.text
    assert conflict.evidence_text in chunk


@each((50, 0), (72, 1))
def test_wrapping_lines_changes_few_verdicts(width, first):
    changed = total = 0
    for row in [row for row in rows_of("wrong_fact") if row["role"] == "train"][first:160:2]:
        wrapped = [textwrap.fill(text, width, break_on_hyphens=False) for text in row["chunks"]]
        before = judged(row["question"], row["answer"], *row["chunks"])
        after = judged(row["question"], row["answer"], *wrapped)
        changed += before.status != after.status
        total += any("\n" in text for text in wrapped)
    assert total > 50
    assert changed <= total * 0.02


def test_either_of_two_equal_chunks_can_be_cited():
    chunk = "Refunds are paid within 14 days."
    for number in (1, 2):
        verdict = judged("When?", f"Refunds are paid within 14 days [{number}].", chunk, chunk)
        assert (verdict.status, [item.valid for item in verdict.citations]) == ("pass", [True])
        assert not [item for item in verdict.causes if item.rule == "semantic_alignment"]


WORDS = (
    "manager manage managing report reporter reports plan plans plant free costs price $20 20 twenty month "
    "monthly WHO World Health not no never is the of which with because , museum opens open Sunday Sundays I "
    "we buy purchase bought large big Basic Team refund refunded"
).split(" ")
#: None of these shares a stem with a word above, means the same, or begins like one.
FOREIGN = "Otters swim quietly near yellow tulips . Zinc dissolves".split(" ")


def sentences(words):
    return st.lists(st.sampled_from(words), min_size=2, max_size=10).map(
        lambda found: " ".join(found).capitalize() + "."
    )


TEXTS = st.lists(sentences(WORDS), min_size=1, max_size=3).map(" ".join)
CLAIMS = sentences(WORDS)
PLACES = st.integers(min_value=0, max_value=3)


def conflicts_of(score):
    return [(found.kind, found.severity, found.claim_text) for found in score.conflicts]


@given(CLAIMS, st.lists(TEXTS, min_size=1, max_size=3), TEXTS, PLACES)
@example(
    "The manager reports the plan.", ["The manager reports."], "Plans of the managing team. Reporter.", 0
)
@example("The plan is not free.", ["The plan is not big, it costs $20."], "The plan costs 20.", 1)
def test_another_chunk_lowers_support_only_by_a_conflict(claim, chunks, added, place):
    before = pg.support(claim, chunks)
    after = pg.support(claim, [*chunks[:place], added, *chunks[place:]])
    assume(worst_of(after.conflicts) <= worst_of(before.conflicts))
    assert before.probability is not None
    assert after.probability >= before.probability - 1e-9


@given(CLAIMS, st.lists(TEXTS, min_size=1, max_size=3), sentences(FOREIGN), PLACES)
@example(
    "A refund takes five business days.",
    ["Refunds are paid within five business days."],
    "Otters swim quietly. " * 30,
    0,
)
def test_an_unrelated_chunk_changes_nothing(claim: str, chunks: list[str], added: str, place: int) -> None:
    before = pg.support(claim, chunks)
    after = pg.support(claim, [*chunks[:place], added, *chunks[place:]])
    assert (after.probability, after.missing, after.reason) == (
        before.probability,
        before.missing,
        before.reason,
    )
    assert conflicts_of(after) == conflicts_of(before)
    assert [found.text for found in after.evidence] == [found.text for found in before.evidence]


@settings(max_examples=50)
@given(st.lists(CLAIMS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=2), TEXTS, PLACES)
def test_other_chunks_affect_a_verdict_in_the_same_way(answer, chunks, added, place):
    def claims(texts):
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


def test_support_does_not_depend_on_the_length_of_the_sources():
    claim = "The courses begin in October at the campus in Rotterdam."
    source = "The courses begin in October at the campus in Delft."
    filler = "Otters swim quietly near yellow tulips. " * 60
    assert pg.support(claim, [source]).probability == pg.support(claim, [source, filler]).probability
