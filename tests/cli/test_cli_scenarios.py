"""What commands print, how they end, and what they leave; see the table beside this."""

import pytest
from scenarios import Stage, scenarios

from pytest_grounding.testing import Example

FACT = "Refunds are paid within 14 days of the return."


def good(name="good", answer=f"{FACT[:-1]} [1].", **more):
    return Example("How long do refunds take?", [FACT], id=name, score=0.9).answered(answer, **more)


def bad(name="bad", **more):
    return good(name, "Refunds are paid within 45 days of the return [1].", **more)


def sourced(name, days=14, **metadata):
    """A transcript whose chunk has metadata."""
    made = good(name, f"Refunds are paid within {days} days of the return [1].")
    made["chunks"][0] |= {"id": f"c-{name}", "metadata": metadata}
    return made


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_a_command(scenario, pytester, monkeypatch, capsys):
    (pytester.path / "pytest.ini").write_text("[pytest]\n")
    Stage(pytester, monkeypatch, capsys, good=good, bad=bad, sourced=sourced).play(scenario)
