"""Processes of one run share a budget; a run that replays, or has no judge, imports no SDK."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
import warm_starts
from test_judges_in_a_run import check, folder, ruled, server  # noqa: F401

SDKS = (
    "openai",
    "anthropic",
    "cohere",
    "httpx",
    "httpx2",
    "onnxruntime",
    "tokenizers",
    "concurrent.futures.thread",
)
SETTINGS = {"judge": "cohere", "judge_scope": "all", "record": "new", "judge_budget": "9000 tokens"}


def dear(server):  # noqa: F811
    """Each reply takes 3000 tokens, and is weighed with 6000 or so: one fits into the budget, two do not."""

    def fault(handler):
        reply = ruled(server.seen[-1][1])
        reply["usage"] = {"tokens": {"input_tokens": 3000, "output_tokens": 0}}
        handler.reply(200, reply)

    server.fault = fault


def run(folder, *argv):  # noqa: F811
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environ.pop("CI", None)
    return subprocess.run(
        [warm_starts.python(), *argv],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("how", [pytest.param("xdist", marks=pytest.mark.slow), "jobs"])
def test_processes_of_a_run_share_the_budget(folder, server, how):  # noqa: F811
    dear(server)
    values = [f"{name}={value}" for name, value in SETTINGS.items()]
    if how == "xdist":
        pytest.importorskip("xdist")
        given = [f"--grounding-set={value}" for value in values]
        found = run(folder, "-m", "pytest", "-n", "2", "--grounding", "-p", "no:cacheprovider", *given)
    else:
        given = [part for value in values for part in ("--set", value)]
        found = run(folder, "-m", "pytest_grounding", "check", "a.transcripts.jsonl", "--jobs", "2", *given)
    said = found.stdout + found.stderr
    assert found.returncode == 1, said
    assert len(server.seen) == 1, said
    assert "judge_budget" in said
    assert not list(folder.glob("*.spent"))
    assert len((folder / "grounding.cassette.jsonl").read_text().splitlines()) == 1


PROBE = """
import json, sys
from pytest_grounding.cli import main
main(json.loads(sys.argv[1]))
print("loaded:", sorted(name for name in json.loads(sys.argv[2]) if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("judge", ["cohere", "", "openai, anthropic, cohere"])
def test_a_replay_and_an_unused_run_import_no_sdk(folder, server, capsys, judge):  # noqa: F811
    settings = [f"judges={judge}" if "," in judge else f"judge={judge}", "judge_scope=all"]
    if judge == "cohere":
        check(capsys, "record=new", "judge_prices=* = 1, 2", "judge_budget=5", "judge_concurrency=4")
        asked = len(server.seen)
    argv = ["check", "a.transcripts.jsonl", *(part for value in settings for part in ("--set", value))]
    found = run(folder, "-c", PROBE, json.dumps(argv), json.dumps(SDKS))
    assert found.stderr.splitlines()[-1] == "loaded: []", found.stderr
    if judge == "cohere":
        assert "is not on the cassette" not in found.stdout
        assert len(server.seen) == asked
