"""Of which group, how often, up to what limit: opposites, "once" and "twice", "at least" and "up to"."""

from __future__ import annotations

from every import examples

from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_search import with_bound


@examples(
    ("claim", "source", "ours", "theirs"),
    [
        ("Pensioners pay half.", "Children pay half of the price.", "Pensioners", "Children"),
        ("The landlord pays the deposit.", "The tenant pays the deposit.", "landlord", "tenant"),
        ("Sellers pay the costs of shipping.", "Buyers pay the costs of shipping.", "Sellers", "Buyers"),
    ],
)
def test_what_is_said_of_one_group_is_not_said_of_another(
    claim: str, source: str, ours: str, theirs: str
) -> None:
    (conflict,) = conflicts_between(claim, source)
    assert (conflict.claim_text, conflict.evidence_text) == (ours, theirs)
    assert conflict.kind == "antonym"


@examples(
    ("claim", "source"),
    [
        ("Kids pay half.", "Children pay half."),
        ("Senior citizens pay half.", "Children and seniors pay half."),
        ("Pensioners and children pay half.", "Children pay half."),
        ("Pensioners pay half.", "Children swim on Mondays. Retirees pay half."),
        ("The tenant gives notice to the landlord.", "The landlord gives notice to the tenant."),
        ("Members pay half.", "Children swim on Mondays."),
    ],
)
def test_groups_that_agree_or_stand_together_are_no_conflict_of_names(claim: str, source: str) -> None:
    assert [item for item in conflicts_between(claim, source) if item.kind in {"entity", "antonym"}] == []


@examples(
    ("claim", "source"),
    [
        ("A loan can be renewed only once.", "A loan can be renewed twice."),
        ("A loan can be renewed twice.", "A loan can be renewed only once."),
        ("The filter is changed once a year.", "The filter is changed three times a year."),
        ("The prize was awarded just once.", "The prize was awarded twice."),
    ],
)
def test_once_is_not_twice(claim: str, source: str) -> None:
    assert [item.kind for item in conflicts_between(claim, source)] == ["number"]


@examples(
    ("claim", "source"),
    [
        ("A loan can be renewed only once.", "A loan can be renewed once."),
        ("Once the loan is renewed twice, it ends.", "The loan ends when it is renewed twice."),
        ("The bridge was once painted red.", "The bridge was painted red twice."),
        ("All guests arrived at once.", "All guests arrived twice."),
        ("A loan can be renewed only once.", "A loan can be renewed once, a reservation twice."),
    ],
)
def test_once_that_counts_nothing_or_the_same_is_none(claim: str, source: str) -> None:
    assert [item for item in conflicts_between(claim, source) if item.kind == "number"] == []


@examples(
    ("claim", "source", "ours", "theirs"),
    [
        (
            "Members may borrow at least ten books.",
            "Members may borrow up to ten books at a time.",
            "at least ten",
            "up to ten",
        ),
        ("The bag may weigh over 8 kg.", "The bag may weigh up to 8 kg.", "over 8 kg", "up to 8 kg"),
        (
            "Groups need fewer than eight people or a guide.",
            "Groups need at least eight people or a guide.",
            "fewer than eight",
            "at least eight",
        ),
    ],
)
def test_a_conflict_of_limits_shows_the_limits(claim: str, source: str, ours: str, theirs: str) -> None:
    (conflict,) = [item for item in conflicts_between(claim, source) if item.kind == "number"]
    assert (conflict.claim_text, conflict.evidence_text) == (ours, theirs)
    assert claim[conflict.claim_start :].startswith(ours)


@examples(
    ("claim", "source"),
    [
        ("Groups may have at most eight people.", "Groups may have no more than eight people."),
        ("Groups must have at least eight people.", "Groups must have a minimum of eight people."),
    ],
)
def test_the_same_limit_in_other_words_is_none(claim: str, source: str) -> None:
    assert conflicts_between(claim, source) == ()


def test_a_limit_is_read_from_the_words_on_both_sides() -> None:
    text = "It takes no more than ten days, or 20 or more."
    assert [text[slice(*with_bound(text, at, at + 3))] for at in (text.index("ten"),)] == ["no more than ten"]
    at = text.index("20")
    assert text[slice(*with_bound(text, at, at + 2))] == "20 or more"
    assert with_bound("ten", 0, 3) == (0, 3)
