"""The project is no larger than budget.toml allows."""

from benchmarks import budget


def test_the_tree_is_within_its_budget():
    assert budget.over(budget.measured(), budget.read()) == []


def test_a_number_over_budget_is_one_sentence():
    allowed = {"scale": {"lines": 10, "files": 2}}
    assert budget.over({"scale": {"lines": 10, "files": 1}}, allowed) == []
    assert budget.over({"scale": {"lines": 11, "files": 2}}, allowed) == [
        "scale: 11 lines, 10 allowed; take some away, or raise the budget"
    ]
    assert budget.over({"attic": {"files": 1}}, allowed) == [
        "attic: 1 files, 0 allowed; take some away, or raise the budget"
    ]
