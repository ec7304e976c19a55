"""Words that deny by themselves, and what a source says of the same in other words."""

from __future__ import annotations

from every import examples

from pytest_grounding.scorers.builtin.conflicts import conflicts_between

BACKED = [
    # An opposite, a like word or a denial stands there, or the word compares from the other side.
    ("Outdoor cats have shorter lives than indoor cats.", "Indoor cats live longer than outdoor cats."),
    ("Children younger than eight need an adult.", "Children under eight need an adult."),
    ("The team stopped its work on the bridge.", "The team ended its work on the bridge."),
    ("The club excludes dogs.", "The club is open to people, but no dogs are allowed."),
    ("The contract was terminated by Anderson.", "Anderson cancelled the contract."),
    ("The complications of the birth were treated.", "Problems of the birth were treated."),
]


def test_a_word_that_shuts_out_what_the_source_names_is_a_conflict() -> None:
    claim = "The tour covers three towns, excluding Bremen and Celle."
    source = "The tour covers three towns: Bremen, Celle and Ulm. It is not held in winter."
    assert [item.claim_text for item in conflicts_between(claim, source)] == ["excluding"]


@examples(("claim", "source"), BACKED)
def test_one_that_the_source_backs_is_none(claim: str, source: str) -> None:
    assert conflicts_between(claim, source) == ()
