"""A newcomer with an existing service: red, ``init``, green; one planted fault is red, and named alone."""

import json
import os
import re
import shlex
import shutil
import sys
import tomllib

import pytest
from library import ANSWERS, CHUNKS, PLANTED, WRONG, failed, green, red, red_by_the_planted_fault_alone

from pytest_grounding.suite.baseline_file import read_baseline

# -- init


@pytest.mark.row(65)
def test_from_red_to_green_and_one_planted_fault_is_named(library):
    names = red(library.pytest())
    found = library.ours("init")
    assert found.returncode == 0, found.stdout + found.stderr
    assert f"{len(ANSWERS)} answers in {len(ANSWERS)} files: {len(ANSWERS) - len(names)} pass" in found.stdout
    baseline = read_baseline(library.root / "grounding.baseline.json")
    assert {entry.id for entry in baseline.transcripts if entry.known} == set(names)
    green(library.pytest())
    red_by_the_planted_fault_alone(library)


def test_failure_modes_of_the_own_answers_are_written_and_what_the_gate_misses_is_named(library):
    found = library.ours("init")
    assert (
        "  answers/failure-modes.transcripts.jsonl (10 answers with a planted fault, to be rejected)\n"
        in found.stdout
    )
    number, planted = re.search(r"the gate misses (\d+) of (\d+) planted faults", found.stdout).groups()
    command = re.search(r"to see what it misses: pytest-grounding (mutate .*)", found.stdout)[1]
    seen = library.ours(*shlex.split(command), "--limit", "10", "--json")
    overall = json.loads(seen.stdout)["overall"]
    assert (overall["total"] - overall["count"], overall["total"]) == (int(number), int(planted))
    again = library.ours("init")
    assert again.returncode == 2
    rows = list(map(json.loads, library.read("answers/failure-modes.transcripts.jsonl").splitlines()))
    assert len({row["id"].rpartition("-")[2] for row in rows}) == 10
    answers = {row[0]: row[3] for row in ANSWERS}
    assert all(row["id"].rpartition("-")[0] in answers for row in rows)
    assert not {row["answer"] for row in rows} & set(answers.values())
    ran = library.pytest()
    green(ran)
    assert "expected to fail, and in no figure: 10" in ran.stdout
    # One that passes is red, and it alone is named.
    passing = rows[0]["id"]
    rows[0]["answer"] = answers[passing.rpartition("-")[0]]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    library.write("answers/failure-modes.transcripts.jsonl", text)
    ran = library.pytest()
    assert (ran.returncode, failed(ran)) == (1, [passing])


def test_what_init_says_next_leaves_nothing_that_could_come_back_unseen(library):
    found = library.ours("init")
    steps = found.stdout.partition("next:\n")[2].splitlines()
    shown, listed, renewed, staged = (shlex.split(step, comments=True) for step in steps)
    assert (shown, listed[0], renewed[0], staged[:2]) == (
        ["pytest"],
        "pytest-grounding",
        "pytest",
        ["git", "add"],
    )
    green(library.pytest())
    listing = library.ours(*listed[1:]).stdout
    assert "-new_number: " not in listing  # it is meant to be rejected
    right = re.search(rf"^(?!{'|'.join(WRONG)})(\S+): reject", listing, re.MULTILINE)[1]
    assert (
        library.ours(*listed[1:], "--id", right, "--number", "1", "--reason", "it is right").returncode == 0
    )
    ran = library.pytest()
    assert re.search(
        r"note: baseline: \d findings? fixed or waived; .*: pytest .*--grounding-baseline-update", ran.stdout
    )
    green(library.pytest(*renewed[1:]))
    ran = library.pytest()
    green(ran)
    assert ", 0 new, 0 gone" in ran.stdout
    assert "unnoticed" not in ran.stdout
    library.git("init", "-q")
    library.git(*staged[1:])


def test_a_project_with_a_judge_gets_no_failure_modes(library):
    """What a judge says of changed answers is not on its cassette."""
    found = library.ours("init", "--set", "judge=ollama", "--set", "judge_scope=borderline")
    assert found.returncode == 0, found.stderr
    assert "failure-modes" not in found.stdout
    assert "to see what it misses: pytest-grounding mutate" in found.stdout


def test_settings_of_the_command_line_are_written(library):
    found = library.ours("init", "--profile", "lenient", "--set", "suite_confidence=0.65")
    assert found.returncode == 0, found.stdout + found.stderr
    text = library.read("pyproject.toml")
    assert 'grounding_profile = "lenient"\n' in text
    assert "grounding_suite_confidence = 0.65\n" in text
    green(library.pytest())


@pytest.mark.slow
def test_a_second_init_with_force_writes_the_same(library):
    library.ours("init")
    first = library.files()
    found = library.ours("init", "--force")
    assert found.returncode == 0, found.stdout + found.stderr
    assert library.files() == first


def test_answers_of_another_tool_and_outside_of_testpaths_become_tests(library):
    row = {
        "question": "How long is the card valid?",
        "contexts": [CHUNKS["card"]],
        "answer": "For two years [1].",
    }
    shutil.rmtree(library.root / "answers")
    library.write("export/ragas.json", json.dumps([row]))
    library.write("tests/test_nothing.py", "def test_nothing():\n    pass\n")
    library.write("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    found = library.ours("init", "export/ragas.json")
    assert found.returncode == 2
    assert (
        "lies outside of testpaths, so that pytest would not find it; add to testpaths: export"
        in found.stderr
    )
    library.write("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["tests", "export"]\n')
    found = library.ours("init", "export/ragas.json")
    assert found.returncode == 0, found.stdout + found.stderr
    # Without the plugin the files would be no tests, and the build green.
    written = tomllib.loads((library.root / "pyproject.toml").read_text(encoding="utf-8"))
    assert written["tool"]["pytest"]["ini_options"]["required_plugins"] == ["pytest-rag-grounding"]
    ran = library.pytest()
    green(ran)
    rejected = len(library.read("export/failure-modes.jsonl").splitlines())
    assert rejected
    assert f"{2 + rejected} passed" in ran.stdout
    assert "1 transcript compared" in ran.stdout


@pytest.mark.slow
def test_a_project_in_which_all_passes_is_set_up_too(library):
    for name in red(library.pytest()):
        (library.root / "answers" / f"{name}.transcript.json").unlink()
    assert library.ours("init").returncode == 0
    red_by_the_planted_fault_alone(library)


def test_what_is_written_is_named_and_git_can_take_it_back(committed):
    before = committed.files()
    found = committed.ours("init", "--ci", "github")
    assert found.returncode == 0, found.stdout + found.stderr
    assert len(committed.files()) == len(before) + 3
    for name in committed.files().keys() ^ before.keys():
        assert name in found.stdout


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="folders are closed by their rights")
def test_a_folder_that_is_closed_is_found_before_anything_is_written(library):
    before = library.files()
    library.root.chmod(0o500)
    try:
        found = library.ours("init")
    finally:
        library.root.chmod(0o700)
    assert found.returncode == 2
    assert library.files() == before


# -- the build


@pytest.mark.parametrize(
    ("kind", "name"), [("github", ".github/workflows/grounding.yml"), ("gitlab", "grounding.gitlab-ci.yml")]
)
def test_files_of_known_builds_run_the_same_check(library, kind, name):
    import yaml

    assert library.ours("init", "--ci", kind).returncode == 0
    document = yaml.safe_load(library.read(name))
    jobs = document["jobs"]["grounding"]["steps"] if kind == "github" else document["grounding"]["script"]
    runs = [step.get("run", "") if isinstance(step, dict) else step for step in jobs]
    (check,) = [line for line in runs if line.startswith("pytest-grounding check ")]
    words = check.split()[1:]
    found = library.run("pytest_grounding", *words, GITHUB_STEP_SUMMARY=str(library.root / "summary.md"))
    assert found.returncode == 0, found.stdout + found.stderr
    assert "--baseline grounding.baseline.json" in check
    identifier, old, new = PLANTED
    library.change(identifier, old, new)
    found = library.run("pytest_grounding", *words, GITHUB_STEP_SUMMARY=str(library.root / "summary.md"))
    assert found.returncode == 1
    assert new in found.stdout


def test_the_build_that_is_there_decides_which_file_is_written(library):
    library.write(".gitlab-ci.yml", "test:\n  script: [make]\n")
    found = library.ours("init")
    assert library.read(".gitlab-ci.yml") == "test:\n  script: [make]\n"
    assert (library.root / "grounding.gitlab-ci.yml").is_file()
    assert "add to .gitlab-ci.yml: include: {local: grounding.gitlab-ci.yml}" in found.stdout
