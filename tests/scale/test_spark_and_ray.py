"""The recipes of ``docs/scale.md`` on Spark and Ray Data, for real: the report of one process, to the byte.

They run in a Python that has pyspark or ray, which need not be that of the tests:
``GROUNDING_CLUSTER_PYTHON`` names another one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from scale_runs import check, write_rows

from pytest_grounding.scale.elsewhere import parts_to_do

ROOT = Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("GROUNDING_CLUSTER_PYTHON", sys.executable)
NEEDS = {"spark": "pyspark", "ray": "ray.data"}

pytestmark = pytest.mark.slow


def environment() -> dict[str, str]:
    """The package is that of this tree, in the cluster too."""
    known = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COVERAGE_"))
    }
    return {**known, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("cluster", NEEDS)
def test_a_recipe_does_all_parts_and_the_report_is_that_of_one_process(tmp_path: Path, cluster: str) -> None:
    if cluster == "spark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    asked = [PYTHON, "-c", f"import {NEEDS[cluster]}, pandas, pyarrow"]
    if subprocess.run(asked, capture_output=True, check=False, env=environment()).returncode:
        pytest.skip(
            f"{NEEDS[cluster]} is not installed; GROUNDING_CLUSTER_PYTHON may name a Python that has it"
        )
    write_rows(tmp_path / "a.transcripts.jsonl", 66)
    words = ["a.transcripts.jsonl", "--json", "--work", "work", "--part-size", "600"]
    # More parts than the rows that such a cluster shows when it is asked for a look.
    assert check(tmp_path, *words, "--engine", "none").returncode == 0
    parts = len(parts_to_do(tmp_path / "work"))
    assert parts > 20

    recipe = [PYTHON, str(Path(__file__).with_name("run_recipe.py")), cluster, str(ROOT / "docs/scale.md")]
    done = subprocess.run(
        [*recipe, str(tmp_path / "work")],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert sorted(int(row[0]) for row in rows) == list(range(parts))
    assert [sum(int(row[place]) for row in rows) for place in (1, 2)] == [66, 11]
    assert parts_to_do(tmp_path / "work") == []

    merged = check(tmp_path, *words, "--progress", "json")
    assert json.loads(merged.stderr.splitlines()[-1])["parts_resumed"] == parts
    assert merged.stdout == check(tmp_path, "a.transcripts.jsonl", "--json").stdout
