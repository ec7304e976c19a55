"""Runs of pytest over transcripts: what is told, written and decided; see the tables beside this."""

import pytest
from recorded import bad, good, low
from scenarios import Stage, scenarios


def marked(arguments):
    """A test with a mark of transcripts."""
    mark = f"@pytest.mark.transcripts({arguments})"
    body = "def test_it(transcript): pg.assert_grounded(transcript)"
    return f"import pytest\nimport pytest_grounding as pg\n\n{mark}\n{body}"


def asserting(file):
    """A test that asserts on a recording."""
    return f"import pytest_grounding as pg\n\ndef test_answer(): pg.assert_grounded({file!r})"


MAKERS = {"good": good, "bad": bad, "low": low, "marked": marked, "asserting": asserting}


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_a_run_of_pytest(scenario, pytester, monkeypatch, capsys):
    Stage(pytester, monkeypatch, capsys, **MAKERS).play(scenario)
