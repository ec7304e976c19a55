"""The supported part of a rejected answer."""

from every import each, table
from hypothesis import given
from hypothesis import settings as hs
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.gate.waivers import waiver_for
from pytest_grounding.testing import Example

CHUNKS = [
    {"id": "refunds", "text": "Customers can return any item within 30 days of purchase.", "score": 0.9},
    {"id": "shipping", "text": "Shipping is free from 50 euros. Parcels arrive within 3 days.", "score": 0.8},
    {
        "id": "code",
        "text": "def wait(seconds):\n    time.sleep(seconds)\n    return True\n",
        "score": 0.7,
        "metadata": {"path": "src/wait.py", "line_start": 1, "line_end": 3},
    },
    {"id": "kettle", "text": "The Zenith kettle has a warranty of 24 months. It holds 2 litres."},
]


transcript = Example("How long do customers have to return an item?", CHUNKS, id="a").answered


def left_of(answer, settings=None, **more):
    verdict = pg.validate(transcript(answer, **more), settings)
    assert verdict.rejection is not None, verdict.reason
    return verdict.rejection.partial_response


def test_leaves_out_a_claim_with_a_wrong_provider_span():
    said = "Customers can return any item within 30 days."
    span = {"start": 0, "end": len(said), "text": said, "chunk_ids": ["nowhere"]}
    assert (
        left_of(f"{said} Shipping is free from 50 euros.", citations=[span])
        == "Shipping is free from 50 euros."
    )


@each(*table(__file__, "rest"))
def test_the_rest_reads_as_before(answer, left):
    """A clause that stays is a sentence of its own; what leans on a sentence that goes is left out."""
    chunks = [*CHUNKS, {"id": "page", "text": "", "metadata": {"url": "https://shop.example/shipping"}}]
    assert left_of(answer, chunks=chunks) == left


def test_leaves_out_a_claim_that_a_setting_makes_an_error():
    answer = "Shipping is free from 50 euros.\n\nParcels arrive within 3 days [2]."
    assert left_of(answer, {"require_citations": "error"}) == "Parcels arrive within 3 days [2]."


def test_keeps_a_waived_claim():
    said = transcript("The Zenith kettle has a warranty of 24 months [9]. Gold costs 99 euros in Vienna [4].")
    verdict = pg.validate(said)
    wrong = [item for item in verdict.causes if item.rule in ("unsupported_claim", "semantic_alignment")]
    waivers = [
        waiver_for(item, verdict, reason="read", by="Ada", day="2026-11-22")
        for item in wrong
        if item.claim == 1
    ]
    after = pg.validate(said, waivers=waivers)
    assert after.status == "reject"
    assert after.rejection.partial_response == "Gold costs 99 euros in Vienna [4]."


CLAIMS = [
    "Customers can return any item within 30 days of purchase",
    "Customers can return any item within 45 days of purchase",
    "Shipping is free from 50 euros",
    "It holds 2 litres",
    "The Zenith kettle has a warranty of 24 months",
    "Gold costs 99 euros",
    "I think this is great",
    "**Parcels arrive within 3 days",
    "The code waits and returns `True`",
]
MARKERS = "| [1]| [2]| [4]| [9]| [1, 9]| [^1]| `../secret.py:1`| src/wait.py:1-3| [code]| [0]".split("|")
JOINTS = ". ¦.\n¦.\n\n¦, and ¦.\n- ¦.\n  - ¦.\n> ¦.\n\n## ¦.\n| a | b |\n|---|---|\n| ¦ | ¦.** ".split("¦")
TAILS = [".", "", ".\n\n[^1]: https://evil.example", ".\n\n```python\nreturn True\n```\n", ".\n\n```\n"]


@hs(max_examples=100)
@given(
    st.lists(
        st.tuples(st.sampled_from(CLAIMS), st.sampled_from(MARKERS), st.sampled_from(JOINTS)),
        min_size=1,
        max_size=7,
    ),
    st.sampled_from(TAILS),
)
def test_the_rest_validates_without_an_error(parts, tail):
    answer = "".join(f"{claim}{marker}{joint}" for claim, marker, joint in parts) + tail
    verdict = pg.validate(transcript(answer))
    if verdict.rejection is None:
        return
    left = verdict.rejection.partial_response
    if not left:
        return
    again = pg.validate(transcript(left))
    errors = [item.message for item in again.causes if item.severity == "error"]
    assert not errors, (answer, left)
    assert all(item.valid for item in again.citations), (answer, left)
    assert all(claim.status in {"supported", "borderline"} for claim in again.claims if claim.checked), (
        answer,
        left,
    )
