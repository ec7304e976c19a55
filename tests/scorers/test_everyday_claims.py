"""Plain claims about plain sources; both kinds of error are counted."""

from pathlib import Path
from typing import NamedTuple

import pytest

import pytest_grounding as pg
from pytest_grounding.checks.hallucination import status_of

HERE = Path(__file__).parent


class Labelled(NamedTuple):
    source_number: int
    source: str
    claim: str
    is_backed: bool


def labelled(name):
    source, number = "", 0
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            source, number = line[2:], number + 1
        elif line.startswith(("+ ", "- ")):
            assert source, line
            yield Labelled(number, source, line[2:], line[0] == "+")


def passes(item):
    score = pg.support(item.claim, [item.source])
    return status_of(score, pg.Settings()) in ("supported", "borderline")


def shares(items):
    """Share of backed claims that pass, share of the others that do not, and the claims judged wrongly."""
    backed = [item for item in items if item.is_backed]
    others = [item for item in items if not item.is_backed]
    wrong = [item.claim for item in items if passes(item) != item.is_backed]
    return (
        sum(passes(item) for item in backed) / len(backed),
        sum(not passes(item) for item in others) / len(others),
        wrong,
    )


@pytest.mark.parametrize(
    ("name", "parity", "fewest", "least_kept", "least_caught"),
    [
        # A noun in the place of another one, all else in one sentence, passed less often when the length of
        # the sources counted: then the same claim had another support beside another chunk. Of 73 false
        # claims 68 to 71 % are caught, of the others 98 % kept; a few hang on the thresholds of the verifier.
        ("everyday.txt", (0, 1), 100, 0.94, 0.64),
        # Looked at while the engine was tuned.
        ("everyday_more.txt", (1,), 55, 0.9, 0.55),
        # Held out: read once, at the end.
        ("everyday_more.txt", (0,), 55, 0.85, 0.6),
        # Short predicates; the second half was counted and not read.
        ("everyday_predicates.txt", (1,), 70, 0.7, 0.9),
        ("everyday_predicates.txt", (0,), 70, 0.7, 0.8),
        # Claims that contradict their source in one thing, and paraphrases of it: 81 % kept and 56 % caught,
        # and 88 % and 56 %. More than 70 % were caught while names and sides that changed places were looked
        # for (7 of these 64 claims), and before what the verifier is less sure of became a possible conflict.
        ("everyday_conflicts.txt", (1,), 60, 0.75, 0.5),
        ("everyday_conflicts.txt", (0,), 60, 0.8, 0.5),
    ],
    ids=[
        *("everyday", "more", "held-out", "predicates", "predicates-held-out"),
        *("conflicts", "conflicts-held-out"),
    ],
)
def test_backed_claims_pass_and_others_do_not(name, parity, fewest, least_kept, least_caught):
    items = [item for item in labelled(name) if item.source_number % 2 in parity]
    assert len(items) >= fewest
    kept, caught, wrong = shares(items)
    assert kept >= least_kept, wrong
    assert caught >= least_caught, wrong


def test_contradictions_that_pass_are_often_shown_as_possible_conflicts():
    """With possible conflicts 67 % of the 64 are seen, and 9 of the 64 paraphrases bear one."""
    items = list(labelled("everyday_conflicts.txt"))
    doubted = [item for item in items if support(item.claim, item.source).conflicts]
    seen = [item for item in items if not item.is_backed and (item in doubted or not passes(item))]
    others = sum(not item.is_backed for item in items)
    assert len(seen) >= 0.62 * others
    assert len(seen) > 1.0 * sum(not passes(item) for item in items if not item.is_backed)
    assert sum(item.is_backed for item in doubted) <= 0.2 * (len(items) - others)


def test_the_same_roles_in_another_form_pass():
    """All 30 pass, and none is called contradicted; nothing looks for sides that changed places."""
    backed = [item for item in labelled("everyday_roles.txt") if item.is_backed]
    assert len(backed) >= 30
    assert sum(passes(item) for item in backed) >= 0.9 * len(backed)
    contradicted = [
        item.claim
        for item in backed
        if status_of(support(item.claim, item.source), pg.Settings()) == "contradicted"
    ]
    assert len(contradicted) <= 1, contradicted


def support(claim, source):
    return pg.support(claim, [source])


def test_without_what_is_required_is_denied():
    source = "Visitors may take photographs only with the permission of the curator."
    row = {"id": "a", "question": "May visitors take photographs?", "chunks": [{"id": "c", "text": source}]}
    (claim,) = pg.validate({**row, "answer": "Visitors may take photographs without permission."}).claims
    assert {fact.status for fact in claim.facts} == {"denied"}
    assert pg.validate({**row, "answer": "Visitors may take photographs with permission."}).status == "pass"
