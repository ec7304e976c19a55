"""Waivers in runs of pytest and in ``pytest-grounding waive``; see the table beside this."""

import pytest
from scenarios import Stage, scenarios

from pytest_grounding.testing import Example

SOURCE = "Refunds are paid within 14 days of the return."


def recorded(name, answer):
    return Example("How long do refunds take?", [SOURCE], id=name, score=0.9).answered(answer)


def good(name):
    return recorded(name, "Refunds are paid within 14 days of the return [1].")


def wrong(name):
    return recorded(name, "Refunds are paid within 45 days of the return [1].")


def marked(more, days=45, rule="contradicted"):
    """A test of a wrong answer, with a mark that waives it."""
    given = recorded("code", f"Refunds are paid within {days} days of the return [1].")
    words = f'"{rule}", claim="Refunds are paid within 45 days of the return.", {more}'
    return (
        f"import pytest\nimport pytest_grounding as pg\n\n@pytest.mark.grounding_waive({words})\n"
        f"def test_marked(): pg.assert_grounded({given!r})"
    )


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_with_waivers(scenario, pytester, monkeypatch, capsys):
    monkeypatch.delenv("CI", raising=False)
    makers = {"recorded": recorded, "good": good, "wrong": wrong, "marked": marked}
    Stage(pytester, monkeypatch, capsys, **makers).play(scenario)
