"""No change changes a verdict without saying so: all of each verdict is compared, to the byte."""

import importlib.util
import json
import logging
from pathlib import Path

import pytest

from pytest_grounding import validate

_spec = importlib.util.spec_from_file_location(
    "frozen_verdicts", Path(__file__).with_name("frozen_verdicts.py")
)
assert _spec is not None
assert _spec.loader is not None
frozen = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(frozen)


def differences(kept, found):
    """What is another verdict than before, one sentence each."""
    lines = []
    for name in sorted(kept.keys() | found.keys()):
        before, now = kept.get(name, "none"), found.get(name, "none")
        if before == now:
            continue
        same_words = before.rpartition(" (")[0] == now.rpartition(" (")[0]
        lines.append(f"{name}: {before} in its details" if same_words else f"{name}: {before} -> {now}")
    return lines


@pytest.mark.skipif(not (frozen.ROOT / "examples").is_dir(), reason="examples stand beside the sources alone")
def test_every_verdict_is_what_it_was(caplog):
    # A thousand warnings of missing citations would bury what a failure says.
    caplog.set_level(logging.ERROR, logger="pytest_grounding")
    kept = json.loads(frozen.FILE.read_text(encoding="utf-8"))
    found = {name: frozen.told(verdict) for name, verdict in frozen.verdicts()}
    assert len(found) > 900
    changed = differences(kept, found)
    shown = "\n".join(changed[:20])
    assert not changed, (
        f"{len(changed)} of {len(found)} verdicts changed:\n{shown}\n"
        f"Is that meant? Then tell it in the changelog, and run: {frozen.RENEW}"
    )


def test_the_sentence_says_which_verdict_changed_and_how():
    row = {"id": "a", "question": "When?", "chunks": [{"id": "1", "text": "It opens at nine."}]}
    right, wrong = (frozen.told(validate(row | {"answer": f"It opens at {at}."})) for at in ("nine", "ten"))
    assert differences({"x": right}, {"x": right}) == []
    [line] = differences({"x": right}, {"x": wrong})
    assert "supported" in line.partition("->")[0]
    assert "contradicted" in line.partition("->")[2]
    [line] = differences({"x": right}, {"x": right[:-4] + "abc)"})
    assert line.endswith("in its details")
    assert differences({"x": right}, {}) == [f"x: {right} -> none"]
