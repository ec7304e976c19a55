"""Pairs of sentences that say the same and were once told apart, and their neighbours that do not."""

from __future__ import annotations

from every import examples

from pytest_grounding.scorers.builtin.conflicts import conflicts_between


@examples(
    ("claim", "source"),
    [
        ("A group has at most eight people.", "A group has no more than eight people."),
        ("A group has no more than eight people.", "A group has at most eight people."),
        ("Keys are stored in a vault.", "A vault stores the keys."),
        ("A vault stores the keys.", "The keys are stored in a vault."),
    ],
)
def test_the_same_in_other_words_is_no_conflict(claim: str, source: str) -> None:
    assert [item for item in conflicts_between(claim, source) if item.severity == "error"] == []


@examples(
    ("claim", "source", "kind"),
    [
        ("A group has at most nine people.", "A group has no more than eight people.", "number"),
        ("All groups have eight people.", "No groups have eight people.", "quantifier"),
    ],
)
def test_what_differs_still_does(claim: str, source: str, kind: str) -> None:
    assert kind in {item.kind for item in conflicts_between(claim, source)}
