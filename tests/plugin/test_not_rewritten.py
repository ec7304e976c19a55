"""pytest rewrites no assert of this package, which would double the time of a short run."""

import json
import os
import subprocess
import sys
from pathlib import Path

CONFTEST = """
import sys

def pytest_unconfigure():
    ours = {name: module for name, module in sys.modules.items() if name.startswith("pytest_grounding")}
    found = [name for name, module in ours.items() if "Rewrit" in type(module.__loader__).__name__]
    print("rewritten:", *sorted(found), "of", len(ours))
"""


def test_only_the_way_to_the_plugin_passes_through_the_rewriting(tmp_path: Path) -> None:
    row = {"id": "a", "question": "When?", "chunks": [{"id": "c1", "text": "It opened in 1950."}]}
    (tmp_path / "a.transcripts.jsonl").write_text(
        json.dumps({**row, "answer": "It opened in 1950 [1]."}) + "\n"
    )
    (tmp_path / "conftest.py").write_text(CONFTEST)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stdout
    [said] = [line for line in done.stdout.splitlines() if line.startswith("rewritten:")]
    names, _, number = said.removeprefix("rewritten: ").partition(" of ")
    # What pytest imports before the plugin can say so; none of the three has an assert.
    assert set(names.split()) <= {
        "pytest_grounding",
        "pytest_grounding.plugin",
        "pytest_grounding.plugin.no_rewrite",
    }
    assert int(number) > 100
