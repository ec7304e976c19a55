"""The example service in an environment of its own: its tests pass, and fail where a part of it is broken.

Started by ``make test-service`` and ``make test``, which name that environment's Python.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "chat_service"
PYTHON = os.environ.get("GROUNDING_SERVICE_PYTHON", "")

pytestmark = pytest.mark.skipif(not PYTHON, reason="the web framework is installed by make test-service")


class Outcome(NamedTuple):
    status: int
    said: str
    report: dict[str, Any]


def run_its_tests(folder, *words, **broken):
    """Run the tests of the example as its reader would."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "COV_", "HELPDESK_", "VALIDATION_"))
    }
    report = folder / "report.json"
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--grounding-json={report}", *words]
    result = subprocess.run(
        command,
        cwd=EXAMPLE,
        env=kept | {"NO_COLOR": "1", "COLUMNS": "100"} | broken,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert report.exists(), f"{result.stdout}\n{result.stderr}"
    return Outcome(result.returncode, result.stdout, json.loads(report.read_text(encoding="utf-8")))


def broken(folder, part):
    """Only the file that gates: as the whole suite, so that the suite's thresholds and baseline decide."""
    whole = ["-o", "testpaths=tests/test_answers.py"]
    outcome = run_its_tests(folder, *whole, HELPDESK_RETRIEVER=f"tests.broken:{part}")
    assert outcome.status == 1, outcome.said
    assert outcome.report["gate"]["status"] == "fail"
    assert outcome.report["summary"]["transcripts"] == 18
    assert "gate: FAIL" in outcome.said
    assert "baseline: fail" in outcome.said
    assert "Traceback" not in outcome.said
    return outcome


def test_its_own_tests_pass_over_http(tmp_path):
    outcome = run_its_tests(tmp_path)
    assert outcome.status == 0, outcome.said
    assert outcome.report["gate"]["status"] == "pass"
    assert outcome.report["summary"]["transcripts"] == outcome.report["summary"]["passed"] == 18
    assert "baseline: pass" in outcome.said
    # The baseline is of these answers: else pytest --grounding-baseline-update has to write it anew.
    assert "other content" not in outcome.said
    assert "skipped" not in outcome.said


def test_an_index_that_leads_to_the_wrong_documents_fails_the_gate_and_is_named(tmp_path):
    outcome = broken(tmp_path, "WrongSections")
    # The answers decline, rightly: it is the retrieval that is told apart from the model.
    assert 'transcript "repairs": the retrieval does not contain the answer' in outcome.said
    assert "diagnosis: Retrieval missed the answer" in outcome.said
    worse = [reason for reason in outcome.report["gate"]["reasons"] if "transcripts got worse" in reason]
    assert len(worse) == 1
    assert "battery-life" in worse[0]


def test_numbers_that_are_one_off_fail_the_gate_and_are_named(tmp_path):
    outcome = broken(tmp_path, "ShiftedNumbers")
    assert "source_exists: [0]: there is no source 0" in outcome.said
    assert "cite [1]" in outcome.said
    assert "flipped to the worse: battery-life (pass -> reject)" in outcome.said
    reasons = "\n".join(outcome.report["gate"]["reasons"])
    assert "citation accuracy: 0.000" in reasons
    assert outcome.report["summary"]["rejected"] == 16


def test_the_make_target_names_the_environment_that_runs_this():
    assert Path(PYTHON).is_file()
    code = "import fastapi, httpx, prometheus_client, uvicorn, pytest_grounding"
    subprocess.run([PYTHON, "-W", "ignore", "-c", code], check=True)
