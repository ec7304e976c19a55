"""Where the project lives: pyproject.toml says it, all files follow, and no release goes out without it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Files that name the project's place, and what they say of it where it is github.com/somebody/grounding.
NAMED = {
    ".github/CODEOWNERS": "*                           @somebody\n",
    "CITATION.cff": "repository-code: https://github.com/somebody/grounding\n",
    "README.md": "](https://github.com/somebody/grounding/blob/main/docs/judges.md)",
    "action.yml": "uses: somebody/grounding@v",
    "docs/ci.md": "uses: somebody/grounding/.github/workflows/grounding.yml@v",
    "extras/pyproject.toml": 'urls.Repository = "https://github.com/somebody/grounding"',
}


def home(root, *words):
    command = [sys.executable, str(root / ".ci" / "home.py"), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def settle(root, repository, mail):
    """The one edit that publishing takes."""
    path = root / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^(urls\.Repository = ).*$", rf'\1"https://github.com/{repository}"', text)
    path.write_text(re.sub(r'(email = ")[^"]+', rf"\1{mail}", text), encoding="utf-8")


@pytest.fixture
def copy(tmp_path):
    for name in (".ci/home.py", ".ci/release.py", "CHANGELOG.md", "pyproject.toml", *NAMED):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_one_edit_updates_every_file_that_names_the_repository(copy):
    settle(copy, "somebody/grounding", "people@somewhere.org")
    stale = home(copy, "--check")
    assert stale.returncode == 1
    assert [line.split(" ")[0] for line in stale.stderr.splitlines()] == list(NAMED)
    assert home(copy).returncode == 0
    assert home(copy, "--check", "--known").stderr == ""
    for name, said in NAMED.items():
        text = (copy / name).read_text(encoding="utf-8")
        assert said in text, name
        assert "OWNER" not in text, name
    readme = (copy / "README.md").read_text(encoding="utf-8")
    assert "](https://raw.githubusercontent.com/somebody/grounding/main/docs/images/report.png)" in readme
    outside = re.findall(r"\]\((?!https://)([^)]+)\)", readme)
    assert outside == []


def test_the_repository_can_change_again(copy):
    before = {name: (copy / name).read_text(encoding="utf-8") for name in NAMED}
    for repository in ("somebody/grounding", "others/of-it", "OWNER/pytest-grounding"):
        settle(copy, repository, "people@somewhere.org")
        assert home(copy).returncode == 0
    assert {name: (copy / name).read_text(encoding="utf-8") for name in NAMED} == before


@pytest.mark.parametrize(
    ("repository", "mail", "said"),
    [
        (
            "OWNER/pytest-grounding",
            "people@somewhere.org",
            "Repository is https://github.com/OWNER/pytest-grounding",
        ),
        ("somebody/grounding", "people@somewhere.example", "address is people@somewhere.example"),
    ],
)
def test_nothing_is_released_with_a_placeholder(copy, repository, mail, said):
    settle(copy, repository, mail)
    for words in (["home"], ["check", "v9.9.9"]):
        command = [sys.executable, str(copy / ".ci" / "release.py"), *words]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 1
        assert said in done.stderr
    settle(copy, "somebody/grounding", "people@somewhere.org")
    command = [sys.executable, str(copy / ".ci" / "release.py"), "home"]
    assert subprocess.run(command, check=False).returncode == 0


def test_make_release_check_asks_for_the_repository():
    recipe = (
        (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nrelease-check:")[2].partition("\n\n")[0]
    )
    assert ".ci/release.py home" in recipe
    release = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert '.ci/release.py check "$TAG"' in release


def test_no_other_file_holds_the_placeholder():
    listed = subprocess.run(
        ["git", "grep", "-lwI", "OWNER"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    if listed.returncode > 1:
        pytest.skip("not a clone")
    own = {"pyproject.toml", ".ci/home.py", "CONTRIBUTING.md", "tests/packaging/test_home.py"}
    assert set(listed.stdout.split()) - own <= set(NAMED)
