"""The waive command that the page offers for a finding is correct and safe in a shell."""

import json
import re
import shlex
import subprocess
import sys

import pytest
from every import each
from made_runs import plain
from made_verdicts import verdict

from pytest_grounding.cli import main
from pytest_grounding.model.finding import Finding, Waived
from pytest_grounding.reports.page_data import waive_command, waive_confidence


def finding(**more):
    return Finding(**{"rule": "source_exists", "severity": "error", "message": "m", **more})


def held(identifier="a", source="suite.jsonl", **more):
    return verdict(identifier, status="reject", source=source, line=1, **more)


def test_the_command_names_the_claim_or_the_rule():
    assert waive_command(finding(claim=1), held()) == (
        "pytest-grounding waive suite.jsonl --id=a --claim=2 --reason 'WHY'"
    )
    assert waive_command(finding(), held()) == (
        "pytest-grounding waive suite.jsonl --id=a --rule=source_exists --reason 'WHY'"
    )


def test_a_confidence_alone_is_waived_by_its_own_rule():
    assert "--rule=low_confidence" in waive_confidence(held())
    assert waive_confidence(verdict("a", source="suite.jsonl")) == ""
    assert waive_confidence(held(findings=[finding()])) == ""


@each(
    finding(severity="info"),
    finding(waived=Waived(reason="r", by="b", day="2026-11-20")),
    finding(rule="too_large"),
)
def test_no_command_for_a_finding_that_cannot_be_waived(given):
    assert waive_command(given, held()) == ""


def test_the_command_waives_its_finding(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(item.model_dump_json() for item in plain()[:2])
    (tmp_path / "a.transcripts.jsonl").write_text(rows, encoding="utf-8")
    check = ["check", "a.transcripts.jsonl", "--report", "html:r.html"]
    assert main(check) == 1
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    commands = {json.loads(f'"{text}"') for text in re.findall(r'"waive":"(pytest-.*?)"[,}]', page)}
    (command,) = commands
    name, *arguments = shlex.split(command)
    assert name == "pytest-grounding"
    capsys.readouterr()
    assert main([*arguments, "--by", "Ada"]) == 0
    assert "wrong: pass" in capsys.readouterr().out
    assert main(check) == 0
    after = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert '"waive":"pytest-' not in after
    assert re.search(r'data-show="waived"[^>]*>waived <b>1</b>', after)
    assert '"waived":["WHY","Ada"' in after


@pytest.mark.skipif(sys.platform == "win32", reason="asks a POSIX shell")
@pytest.mark.parametrize(
    "name", ["$(touch taken)", "a'; touch taken; '", "-x `touch taken`", 'é \\ "q" *', "!!"]
)
def test_a_shell_runs_nothing_inside_the_command(tmp_path, name):
    command = waive_command(finding(), held(name, f"{name}.jsonl"))
    script = f'pytest-grounding() {{ printf "%s\\0" "$@"; }}\n{command}\n'
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split("\0")[:3] == ["waive", f"{name}.jsonl", f"--id={name}"]
    assert list(tmp_path.iterdir()) == []
    assert shlex.split(command)[-1] == "WHY"


@each("a\nb", "a\x1b[31m", "a\u202eb", "a\u200bb", "\x00", "a\x85b", "\u2028", "\U000e0041")
def test_no_command_for_a_name_with_invisible_characters(name):
    assert waive_command(finding(), held(name)) == ""
    assert waive_command(finding(), held("a", f"{name}.jsonl")) == ""
    assert waive_command(finding(), held("a", "")) == ""
