"""What a release is made of: versions that agree, notes, a bill of materials, clean workflows."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import warm_starts
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / ".ci" / "release.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]


def release(root, *words):
    script = root / ".ci" / "release.py"
    return subprocess.run(
        [warm_starts.python(), str(script), *words], capture_output=True, encoding="utf-8", check=False
    )


def at_home(text):
    """pyproject.toml with a home, whatever it says now."""
    text = re.sub(r"(?m)^(urls\.Repository = ).*$", r'\1"https://github.com/somebody/grounding"', text)
    return re.sub(r'(email = ")[^"]+', r"\1people@somewhere.org", text)


@pytest.fixture
def copy(tmp_path):
    """The files that a release looks at, in a folder of their own."""
    (tmp_path / ".ci").mkdir()
    for script in (SCRIPT, SCRIPT.with_name("home.py")):
        shutil.copy(script, tmp_path / ".ci")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(at_home(text), encoding="utf-8")
    changelog = (
        f"# Changelog\n\n## [{VERSION}] - 2026-11-22\n\n### Added\n\n- A thing.\n\n## [0.0.1]\n\n- Old.\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    return tmp_path


@pytest.mark.row(40)
def test_a_tag_that_is_the_version_is_right(copy):
    done = release(copy, "check", f"v{VERSION}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert release(copy, "notes").stdout == "### Added\n\n- A thing.\n"


@pytest.mark.parametrize(
    ("tag", "before", "after", "said"),
    [
        ("v9.9.9", "", "", "the tag is v9.9.9, and pyproject.toml says"),
        (VERSION, "", "", f"tag v{VERSION}"),
        (f"v{VERSION}", f"[{VERSION}]", "[Unreleased]", f"CHANGELOG.md has no section [{VERSION}]"),
        (f"v{VERSION}", " - 2026-11-22", "", "names no day"),
    ],
)
def test_an_inconsistent_release_is_refused(copy, tag, before, after, said):
    text = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    (copy / "CHANGELOG.md").write_text(text.replace(before, after), encoding="utf-8")
    done = release(copy, "check", tag)
    assert done.returncode == 1
    assert said in done.stderr


def test_the_bill_of_materials_lists_every_dependency():
    assert release(ROOT, "sbom", "--check").returncode == 0
    bill = json.loads((ROOT / "sbom.cdx.json").read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["version"] == VERSION
    asked = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    asked = [line for line in [*PROJECT["dependencies"], *asked] if "rag-grounding[" not in line]
    assert [part["properties"][0]["value"] for part in bill["components"]] == asked
    assert len({part["bom-ref"] for part in bill["components"]}) == len(asked)


def test_every_mention_of_the_version_is_current():
    workflow = yaml.safe_load((ROOT / ".github/workflows/grounding.yml").read_text(encoding="utf-8"))
    # YAML reads the key "on" as a truth.
    inputs = workflow[True]["workflow_call"]["inputs"]
    assert inputs["requirement"]["default"] == f"pytest-rag-grounding=={VERSION}"
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == VERSION
    assert citation["license"] == PROJECT["license"]


def test_the_community_files_are_complete():
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff", ".github/CODEOWNERS"):
        assert (ROOT / name).is_file(), name
    for name in ("false_alarm", "missed_hallucination"):
        form = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yml").read_text(encoding="utf-8"))
        wanted = {part["id"] for part in form["body"] if part.get("validations", {}).get("required")}
        assert {"transcript", "why", "output", "version"} <= wanted
    updates = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text(encoding="utf-8"))["updates"]
    assert {entry["package-ecosystem"] for entry in updates} == {"github-actions", "pip"}


def test_only_the_last_job_may_publish():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"]
    mighty = {
        name: job["permissions"] for name, job in jobs.items() if job["permissions"] != {"contents": "read"}
    }
    assert mighty == {"publish": {"id-token": "write"}, "announce": {"contents": "write"}}
    assert (jobs["test"]["needs"], jobs["publish"]["needs"]) == ("build", "test")
    assert not re.search(r"secrets\.", (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))


def test_the_workflows_are_clean():
    if shutil.which("zizmor", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("zizmor is not installed")
    command = [
        str(Path(sys.executable).parent / "zizmor"),
        "--offline",
        "--no-progress",
        "--format=json",
        ".",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert json.loads(done.stdout) == [], done.stderr


def test_actionlint_finds_nothing():
    program = shutil.which("actionlint")
    if program is None:
        pytest.skip("actionlint is not installed")
    done = subprocess.run([program], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (0, "")
