"""Every tracked path can be checked out on Windows and on a Mac, and the root holds only what is listed."""

import re
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
from every import each

ROOT = Path(__file__).parents[2]
AT_ROOT = {
    *(
        ".ci",
        ".github",
        "benchmarks",
        "docs",
        "examples",
        "extras",
        "findings",
        "pytest_grounding",
        "tests",
        "training",
    ),
    *(".gitignore", ".importlinter", ".pre-commit-hooks.yaml", "Makefile", "action.yml", "mkdocs.yml"),
    *("CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "README.md"),
    *("SECURITY.md", "pyproject.toml", "sbom.cdx.json"),
}
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(?:\..*)?", re.IGNORECASE)


def problems_of(paths):
    """One sentence for each path that some system cannot hold."""
    found = []
    for path in paths:
        for part in PurePosixPath(path).parts:
            if FORBIDDEN.search(part):
                found.append(f"{path}: Windows does not allow the name {part!r}")
            elif DEVICE.fullmatch(part):
                found.append(f"{path}: {part!r} is a Windows device")
    # Folders count too: `a/x` and `A/y` become one folder where case does not count.
    whole = {str(folder) for path in paths for folder in [PurePosixPath(path), *PurePosixPath(path).parents]}
    counts = Counter(path.casefold() for path in whole)
    found += [f"{path}: another path differs only in case" for path in whole if counts[path.casefold()] > 1]
    return sorted(found)


@pytest.fixture(scope="module")
def tracked():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True, encoding="utf-8"
    )
    return [path for path in listed.stdout.split("\0") if path]


def test_the_tree_can_be_checked_out_on_every_system(tracked):
    assert problems_of(tracked) == []


@pytest.mark.row(41)
def test_the_root_holds_only_what_is_listed(tracked):
    strange = sorted({path.split("/")[0] for path in tracked} - AT_ROOT)
    assert strange == [], "put them into a folder, or add them to AT_ROOT"


@each("a/co_doc:1:0_id.json", "a?", "b/ends.", "b /c", "x/aux", "Nul.txt", "com1.tar.gz", "back\\slash", 'q"')
def test_a_path_that_windows_cannot_hold_is_a_problem(path):
    assert len(problems_of([path])) == 1


def test_paths_that_differ_only_in_case_are_problems():
    assert len(problems_of(["docs/Readme.md", "docs/readme.md", "src/a", "SRC/b"])) == 4
    assert problems_of(["docs/readme.md", "doc/readme.md", "console.py", "com10.txt"]) == []
