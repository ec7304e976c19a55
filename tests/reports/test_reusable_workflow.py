"""The scripts of the reusable workflow, run as GitHub runs them: in a folder of their own, by bash -e."""

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
import warm_starts
import yaml
from made_runs import plain

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "grounding.yml"
BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None or not WORKFLOW.exists(), reason="no bash, or only the package")

#: The inputs of the step Validate, where a caller gives none.
NONE_GIVEN = {"PATHS": "", "PART": "", "JOBS": "1", "ARGUMENTS": "", "BASELINE": ""}


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """A runner's folders and variables; what a step calls by name is looked for in ``bin`` first."""
    for name in ("bin", "temp", "work"):
        (tmp_path / name).mkdir()
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "COV_CORE_SOURCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path / "temp"))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/something")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "work"))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("CI", "true")
    return tmp_path


@pytest.fixture
def step(runner):
    """Runs the script of one step, with what its inputs are."""
    scripts = {
        f"{path.stem}: {item.get('name')}" if path != WORKFLOW else item.get("name"): item
        for path in (WORKFLOW, WORKFLOW.with_name("grounding-comment.yml"))
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
        for item in job["steps"]
    } | {
        f"action: {item.get('name')}": item
        for item in yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    }

    def run(name, **inputs):
        assert set(inputs) == set(scripts[name]["env"])
        file = runner / "step.sh"
        file.write_text(scripts[name]["run"], encoding="utf-8")
        return subprocess.run(
            [str(BASH), "-e", str(file)],
            cwd=runner / "work",
            env={**os.environ, **inputs},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def program(runner, name, script):
    file = runner / "bin" / name
    file.write_text(f"#!{BASH}\n{script}\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def python(runner):
    program(runner, "python", f'exec "{warm_starts.python()}" "$@"')


def test_install_gives_pip_each_requirement_and_the_file(runner, step):
    program(runner, "python", f'printf "%s\\n" "$@" "--" >> "{runner}/asked"')
    done = step(
        "Install", REQUIREMENT="pytest-rag-grounding\npytest-xdist  'a b'\n", INSTALL="requirements.txt"
    )
    assert done.returncode == 0, done.stderr
    wanted, file = (runner / "asked").read_text().split("--\n")[:2]
    assert wanted.split("\n")[:-1] == "-m pip install pytest-rag-grounding pytest-xdist 'a b'".split(" ")
    assert file.split() == ["-m", "pip", "install", "-r", "requirements.txt"]


def test_a_failed_installation_fails_the_step(runner, step):
    program(runner, "python", "exit 3")
    assert step("Install", REQUIREMENT="nothing", INSTALL="").returncode == 3


@pytest.mark.parametrize(("name", "status"), [("good", 0), ("wrong", 1)])
def test_validate_sets_the_status_and_writes_every_report(runner, step, name, status):
    python(runner)
    item = next(item for item in plain() if item.id == name)
    (runner / "work" / "a.transcripts.jsonl").write_text(item.model_dump_json() + "\n", encoding="utf-8")
    done = step(
        "Validate", **NONE_GIVEN | {"ARGUMENTS": "-p no:cacheprovider\n--grounding-partial-runs=fail\n"}
    )
    assert done.returncode == status, done.stdout + done.stderr
    kept = {path.name for path in (runner / "temp" / "grounding").iterdir()}
    assert kept == {"report.html", "report.json", "report.sarif", "junit.xml", "comment.md"}
    report = json.loads((runner / "temp" / "grounding" / "report.json").read_text(encoding="utf-8"))
    assert [verdict["id"] for verdict in report["transcripts"]] == [name]
    assert "transcript" in (runner / "summary.md").read_text(encoding="utf-8")
    assert ("::error file=a.transcripts.jsonl" in done.stdout) == bool(status)
    assert sorted(path.name for path in (runner / "work").iterdir()) == ["a.transcripts.jsonl"]


def test_inputs_are_never_executed(runner, step):
    python(runner)
    done = step(
        "Validate",
        PATHS="$(touch taken) ; touch taken",
        PART="$(touch taken)",
        JOBS="1",
        ARGUMENTS="`touch taken`",
        BASELINE="$(touch taken)",
    )
    assert done.returncode != 0
    assert not (runner / "work" / "taken").exists()


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        ("", "-X POST repos/someone/something/issues/7/comments"),
        ("41\n42", "-X PATCH repos/someone/something/issues/comments/41"),
    ],
)
def test_the_comment_is_created_once_and_then_updated(runner, step, known, asked):
    folder = runner / "temp" / "grounding"
    folder.mkdir()
    (folder / "comment.md").write_text("<!-- pytest-grounding -->\nAll is well.\n", encoding="utf-8")
    program(
        runner, "gh", f'case "$*" in *--paginate*) printf "{known}";; *) echo "$*" >> "{runner}/asked";; esac'
    )
    done = step("Comment on the pull request", GH_TOKEN="t", NUMBER="7")
    assert done.returncode == 0, done.stderr
    assert (runner / "asked").read_text().startswith(f"api {asked} -F body=@")


def test_without_a_comment_there_is_nothing_to_send(runner, step):
    program(runner, "gh", "exit 9")
    assert step("Comment on the pull request", GH_TOKEN="t", NUMBER="7").returncode == 0


@pytest.mark.slow
def test_shards_are_decided_together(runner, step):
    python(runner)
    program(runner, "pytest-grounding", f'exec "{warm_starts.python()}" -m pytest_grounding "$@"')
    for number, item in enumerate(item for item in plain() if item.id in ("good", "wrong")):
        folder = runner / "work" / f"part{number}"
        folder.mkdir()
        (folder / "a.transcripts.jsonl").write_text(item.model_dump_json() + "\n", encoding="utf-8")
        given = {"PART": f"part{number}", "JOBS": "2", "ARGUMENTS": "-p no:cacheprovider"}
        step("Validate", **NONE_GIVEN | given)
        (runner / "temp" / "grounding").rename(runner / "temp" / f"kept{number}")
    shards = runner / "temp" / "shards"
    shards.mkdir()
    (runner / "temp" / "kept0").rename(shards / "grounding-shard-0")
    parts = '["part0", "part1"]'
    alone = step("Decide", PARTS=parts, BASELINE="")
    assert alone.returncode == 2, "a shard that is missing is an error"
    (runner / "temp" / "kept1").rename(shards / "grounding-shard-1")
    done = step("Decide", PARTS=parts, BASELINE="")
    assert done.returncode == 1, done.stderr
    report = json.loads((runner / "temp" / "grounding" / "report.json").read_text(encoding="utf-8"))
    assert [verdict["id"] for verdict in report["transcripts"]] == ["good", "wrong"]
    assert report["run"]["failed"] == ["wrong"]
    comment = (runner / "temp" / "grounding" / "comment.md").read_text(encoding="utf-8")
    assert comment.startswith("<!-- pytest-grounding -->\n")


def test_a_baseline_is_given_to_pytest(runner, step):
    program(runner, "python", f'printf "%s\\n" "$@" > "{runner}/asked"')
    assert step("Validate", **NONE_GIVEN | {"BASELINE": "base line.json"}).returncode == 0
    assert "--grounding-baseline=base line.json" in (runner / "asked").read_text().splitlines()


def test_findings_go_to_code_scanning_as_they_are(runner, step):
    folder = runner / "temp" / "grounding"
    folder.mkdir()
    (folder / "report.sarif").write_text('{"runs": []}', encoding="utf-8")
    sent = runner / "sent"
    program(
        runner,
        "gh",
        "for word; do case $word in sarif=@*) "
        f"base64 -d < ${{word#sarif=@}} | gzip -d > {sent};; esac; done\n"
        f'echo "$*" > "{runner}/asked"',
    )
    done = step("Show the findings in code scanning", GH_TOKEN="t", SHA="abc", REF="refs/pull/7/head")
    assert done.returncode == 0, done.stderr
    assert sent.read_text() == '{"runs": []}'
    asked = (runner / "asked").read_text()
    assert "repos/someone/something/code-scanning/sarifs" in asked
    assert "commit_sha=abc -f ref=refs/pull/7/head" in asked


@pytest.mark.parametrize(
    ("first", "written"), [("<!-- pytest-grounding -->", True), ("# anything else", False), ("", False)]
)
def test_only_our_comment_is_posted_for_a_fork(runner, step, first, written):
    program(
        runner,
        "gh",
        f"""case "$*" in
  *pulls*) [ "$SHA" = abc ] && echo 7;;
  "run download"*)
    mkdir -p "$RUNNER_TEMP/grounding"
    printf '%s\\nText\\n' "{first}" > "$RUNNER_TEMP/grounding/comment.md";;
  *--paginate*) ;;
  *) echo "$*" >> "{runner}/asked";;
esac""",
    )
    done = step(
        "grounding-comment: Comment on the pull request",
        GH_TOKEN="t",
        RUN="5",
        HEAD="someone:topic",
        SHA="abc",
    )
    assert done.returncode == 0, done.stderr
    assert (runner / "asked").exists() == written
    if written:
        assert (
            (runner / "asked").read_text().startswith("api -X POST repos/someone/something/issues/7/comments")
        )


@pytest.mark.parametrize(("name", "status"), [pytest.param("good", 0, marks=pytest.mark.slow), ("wrong", 1)])
def test_the_action_gates_a_repository(runner, step, monkeypatch, name, status):
    monkeypatch.setenv("GITHUB_OUTPUT", str(runner / "output"))
    python(runner)
    item = next(item for item in plain() if item.id == name)
    (runner / "work" / "a.transcripts.jsonl").write_text(item.model_dump_json() + "\n", encoding="utf-8")
    done = step("action: Validate", PATHS="", ARGUMENTS="-p no:cacheprovider", BASELINE="")
    assert done.returncode == status, done.stdout + done.stderr
    folder = Path((runner / "output").read_text().strip().removeprefix("folder="))
    assert {path.name for path in folder.iterdir()} >= {"report.html", "report.sarif", "comment.md"}


def test_one_job_is_not_merged_and_only_our_own_comment_is_replaced():
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    assert jobs["merge"]["if"] == "always() && needs.grounding.outputs.jobs > 1"
    assert jobs["grounding"]["outputs"] == {"jobs": "${{ steps.validate.outputs.jobs }}"}
    for path in (WORKFLOW, WORKFLOW.with_name("grounding-comment.yml")):
        assert 'select(.user.login == "github-actions[bot]")' in path.read_text(encoding="utf-8")
