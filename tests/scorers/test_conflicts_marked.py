"""Words that a paraphrase seldom brings in, where the source says nothing of the kind."""

from __future__ import annotations

import pytest

from pytest_grounding.scorers.lexical.conflicts import conflicts_between

STRANGE = [
    (
        "The tour covers three towns, excluding Bremen and Celle.",
        "The tour covers three towns: Bremen, Celle and Ulm. It is not held in winter.",
        "excluding",
    ),
    (
        "The shortlist excludes six authors.",
        "The shortlist of six authors was announced in London, though no date was given for the prize.",
        "excludes",
    ),
    ("The sauce has a weak flavour of garlic.", "The sauce has a flavour of garlic and thyme.", "weak"),
    ("The team stopped its work on the bridge.", "The team works on the bridge.", "stopped"),
    ("Use the smallest bowl for the dough.", "Use a bowl for the dough.", "smallest"),
    ("She reluctantly signed the lease.", "She signed the lease.", "reluctantly"),
]
BACKED = [
    # An opposite, a like word or a denial stands there, or the word compares from the other side.
    ("Outdoor cats have shorter lives than indoor cats.", "Indoor cats live longer than outdoor cats."),
    ("Children younger than eight need an adult.", "Children under eight need an adult."),
    ("The team stopped its work on the bridge.", "The team ended its work on the bridge."),
    ("The club excludes dogs.", "The club is open to people, but no dogs are allowed."),
    ("The contract was terminated by Anderson.", "Anderson cancelled the contract."),
    ("The complications of the birth were treated.", "Problems of the birth were treated."),
]


@pytest.mark.parametrize(("claim", "source", "word"), STRANGE)
def test_such_a_word_is_a_conflict(claim: str, source: str, word: str) -> None:
    assert word in [item.claim_text for item in conflicts_between(claim, source)]


@pytest.mark.parametrize(("claim", "source"), BACKED)
def test_one_that_the_source_backs_is_none(claim: str, source: str) -> None:
    assert conflicts_between(claim, source) == ()
