"""A waiver survives unrelated changes, and ends with its claim, its evidence or its rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding import validate
from pytest_grounding.gate.waivers import waiver_for

SOURCES = [
    "Refunds are paid within 14 days of the return.",
    "The refund office opens at nine in the morning.",
    "A parcel may weigh 30 kilograms at most.",
]
RIGHT = [text.removesuffix(".") for text in SOURCES]
WRONG = [
    ("Refunds are paid within 45 days of the return", 0),
    ("The refund office opens at eleven in the morning", 1),
    ("A parcel may weigh 80 kilograms at most", 2),
]
UNRELATED = [
    "Penguins breed on the ice of the southern ocean.",
    "The orchestra rehearses a symphony by Sibelius.",
    "Granite forms where magma cools slowly underground.",
]


def verdict_on(sentences, chunks, waivers=None):
    number = {text: index for index, text in enumerate(chunks, start=1)}
    words = [
        f"{text} [{number[source]}]." if source in number else f"{text}."
        for text, source in map(_of, sentences)
    ]
    recorded = {
        "id": "t",
        "question": "What should I know about refunds and parcels?",
        "chunks": [{"id": f"c{index}", "text": text} for text, index in number.items()],
        "answer": " ".join(words),
    }
    return validate(recorded, waivers=waivers or ())


def _of(sentence):
    """A sentence, and the source that it cites."""
    for text, source in [*WRONG, *((text, index) for index, text in enumerate(RIGHT))]:
        if sentence == text:
            return sentence, SOURCES[source]
    return sentence, ""


def conflicts(verdict, wrong):
    index = next(claim.index for claim in verdict.claims if wrong in claim.text)
    return [item for item in verdict.findings if item.rule == "contradicted" and item.claim == index]


@settings(max_examples=25, deadline=None)
@given(
    which=st.integers(0, 2),
    others=st.permutations(range(3)),
    kept=st.integers(0, 2),
    extra=st.lists(st.sampled_from(UNRELATED), unique=True),
    turned=st.permutations(range(6)),
)
def test_other_claims_chunks_and_orders_do_not_end_a_waiver(which, others, kept, extra, turned):
    wrong, source = WRONG[which]
    before = verdict_on([wrong], SOURCES)
    said = [waiver_for(item, before, reason="accepted", by="Ada") for item in conflicts(before, wrong)]
    assert said
    chunks = [*SOURCES, *extra]
    chunks = [chunks[index] for index in turned if index < len(chunks)]
    sentences = [RIGHT[index] for index in others if index != source][:kept]
    sentences.insert(len(sentences) // 2, wrong)
    after = verdict_on(sentences, chunks, said)
    found = conflicts(after, wrong)
    assert found
    assert all(item.waived is not None for item in found)
    assert after.hallucination_rate in (None, 0.0)


@pytest.mark.row(63)
@settings(max_examples=25, deadline=None)
@given(
    which=st.integers(0, 2),
    change=st.sampled_from(["claim", "evidence", "rule", "transcript"]),
    days=st.data(),
)
def test_a_changed_claim_evidence_rule_or_transcript_ends_a_waiver(which, change, days):
    wrong, source = WRONG[which]
    before = verdict_on([wrong], SOURCES)
    said = [waiver_for(item, before, reason="accepted", by="Ada") for item in conflicts(before, wrong)]
    chunks, sentence = list(SOURCES), wrong
    number = days.draw(st.integers(101, 900))
    if change == "claim":
        sentence = wrong.replace("45", str(number)).replace("eleven", "ten").replace("80", str(number))
    elif change == "evidence":
        chunks[source] = (
            SOURCES[source].replace("14", str(number)).replace("nine", "ten").replace("30", str(number))
        )
    elif change == "rule":
        said = [item.model_copy(update={"rule": "unsupported_claim"}) for item in said]
    else:
        said = [item.model_copy(update={"transcript": "another"}) for item in said]
    after = verdict_on([sentence], chunks, said)
    assert not any(item.waived for item in after.findings)
    assert after.status == "reject"
