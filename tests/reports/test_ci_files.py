"""The workflows and the pre-commit hook use what exists, and execute no input."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from every import each
from made_runs import plain

from pytest_grounding.cli import main

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def steps(path):
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [step for job in document["jobs"].values() for step in job.get("steps", [])]


@each(*WORKFLOWS)
def test_actions_are_pinned_and_scripts_contain_no_expression(path):
    found = steps(path)
    assert found
    for step in found:
        if "uses" in step:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert "${{" not in step["run"]


@pytest.mark.skipif(not WORKFLOWS, reason="only the package is here")
def test_the_reusable_workflow_uses_existing_report_kinds():
    from pytest_grounding.reports.write import parse_target

    path = ROOT / ".github" / "workflows" / "grounding.yml"
    (script,) = (step["run"] for step in steps(path) if step.get("name") == "Validate")
    asked = re.findall(r"--grounding-report=\"?([^\s\"]+)", script)
    assert len(asked) == 7
    for text in asked:
        parse_target(text)
    # A bare "on" is the boolean true in YAML 1.1.
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(document[True]) == {"workflow_call"}
    assert all(
        "description" in v or "default" in v for v in document[True]["workflow_call"]["inputs"].values()
    )


@pytest.mark.skipif(not HOOKS.exists(), reason="only the package is here")
def test_the_hook_passes_good_transcripts_and_fails_bad_ones(tmp_path, monkeypatch, capsys):
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    program, *arguments = shlex.split(hook["entry"])
    assert program == "pytest-grounding"
    monkeypatch.chdir(tmp_path)
    for name, item in zip(("good", "wrong"), plain(), strict=False):
        (tmp_path / f"{name}.transcript.json").write_text(item.model_dump_json(), encoding="utf-8")
        assert re.search(hook["files"], f"{name}.transcript.json")
    assert not re.search(hook["files"], "package.json")
    assert main([*arguments, "good.transcript.json"]) == 0
    assert main([*arguments, "good.transcript.json", "wrong.transcript.json"]) == 1
    assert "wrong" in capsys.readouterr().out
