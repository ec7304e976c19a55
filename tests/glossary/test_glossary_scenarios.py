"""A glossary in options, the environment and configuration files; see the table beside this."""

import json

import pytest
from scenarios import Stage, scenarios
from test_glossary_settings import TRANSCRIPT


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_with_a_glossary(scenario, pytester, monkeypatch, capsys):
    (pytester.path / "a.transcript.json").write_text(json.dumps(TRANSCRIPT))
    Stage(pytester, monkeypatch, capsys, kanga=lambda: TRANSCRIPT).play(scenario)
