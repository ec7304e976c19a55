"""The policies of goldens in runs of pytest and in ``pytest-grounding review``; see the table beside this."""

import pytest
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, edited, recording
from scenarios import Stage, scenarios

ANSWERS = {"right": ANSWER, "reworded": REWORDED, "wrong": WRONG_NUMBER, "invented": INVENTED}
ANSWERS["other words"] = ANSWER.replace("Vacation requests", "Vacation applications")
ANSWERS["elsewhere"] = "The office in Lisbon was painted purple by Italian artists."
CHUNKS_OF = {
    "as recorded": CHUNKS,
    "other": edited("one week", "two days"),
    "more": [*CHUNKS, {"id": "hr-9", "text": "The canteen opens at noon and serves soup.", "score": 0.5}],
}


def recorded(answer="right", identifier="vacation", chunks="as recorded"):
    return recording(ANSWERS[answer], identifier, CHUNKS_OF[chunks])


def candidates(when):
    """Six recordings: to become worse, better, and twice other words; and new ones, a good and a bad one."""
    before = {"worse": "right", "better": "invented", "other": "right", "other-2": "right"}
    after = ["wrong", "right", "reworded", "reworded"]
    if when == "before":
        return [recorded(answer, name) for name, answer in before.items()]
    return [*map(recorded, after, before), recorded("right", "fresh"), recorded("wrong", "fresh-bad")]


def checking(*names):
    """A test that compares the recording in now.json with its golden, or one golden for each name."""
    names = ", ".join(f"{name!r}" for name in names or [""])
    return (
        "import json, pathlib, pytest\nfrom pytest_grounding import assert_matches_golden\n\n"
        f"@pytest.mark.parametrize('name', [{names}])\ndef test_it(name):\n"
        "    now = json.loads(pathlib.Path('now.json').read_text())\n"
        "    assert_matches_golden(now, **({'name': name} if name else {}))\n"
    )


@pytest.mark.parametrize("scenario", scenarios(__file__))
def test_with_goldens(scenario, pytester, monkeypatch, capsys):
    Stage(pytester, monkeypatch, capsys, candidates=candidates, checking=checking, recorded=recorded).play(
        scenario
    )
