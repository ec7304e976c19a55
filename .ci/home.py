"""Where the project lives and who answers: pyproject.toml says it, and this writes it wherever it is named.

python .ci/home.py            write the files that name the repository, its owner or its version
python .ci/home.py --check    only say which of them are not current
python .ci/home.py --known    refuse while pyproject.toml holds placeholders
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What stands in place of an owner, and the ending of an address that nobody reads.
_OWNER, _MAIL = "OWNER", ".example"
_OWN_WORKFLOW = re.compile(
    r"(uses: )[\w.-]+/[\w.-]+((?:/\.github/workflows/grounding[\w-]*\.yml)?@v)\d+\.\d+\.\d+"
)
_HOOK = re.compile(r"(repo: https://github\.com/)\S+(\n +rev: v)\S+")
_LINK = re.compile(
    r"(!?)(\[[^\]]*\]\()(?:https://(?:github|raw\.githubusercontent)\.com/\S+?/main/)?([\w.][^):\s]*\))"
)


@dataclass(frozen=True)
class Home:
    """Where the project lives.

    Attributes:
        address: of the repository, such as https://github.com/somebody/pytest-grounding.
        mail: of the people who answer.
        version: what is released next.
    """

    address: str
    mail: str
    version: str

    @property
    def repository(self) -> str:
        return self.address.removeprefix("https://github.com/")

    @property
    def owner(self) -> str:
        return self.repository.partition("/")[0]

    @property
    def placeholders(self) -> list[str]:
        """What a release still needs to be told."""
        wrong = []
        if self.owner == _OWNER:
            wrong.append(
                f"pyproject.toml: Repository is {self.address}: write where it lives, then run: make docs"
            )
        if self.mail.endswith(_MAIL):
            wrong.append(
                f"pyproject.toml: the authors' address is {self.mail}: write one that somebody reads"
            )
        return wrong


def home() -> Home:
    """What pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Home(project["urls"]["Repository"].rstrip("/"), project["authors"][0]["email"], project["version"])


def _used(text: str, found: Home) -> str:
    """Workflow, action and hook, with the address and the version that a reader copies."""
    text = _OWN_WORKFLOW.sub(rf"\g<1>{found.repository}\g<2>{found.version}", text)
    return _HOOK.sub(rf"\g<1>{found.repository}\g<2>{found.version}", text)


def _owned(text: str, found: Home) -> str:
    return re.sub(r"(?m)^(\S+ +)@\S+$", rf"\g<1>@{found.owner}", text)


def _cited(text: str, found: Home) -> str:
    return re.sub(r"(?m)^repository-code: .*$", f"repository-code: {found.address}", text)


def _packaged(text: str, found: Home) -> str:
    """The second distribution, which is of the same people and version."""
    text = re.sub(r"(?m)^(urls\.Repository = ).*$", rf'\g<1>"{found.address}"', text)
    text = re.sub(r"(?m)^(version = ).*$", rf'\g<1>"{found.version}"', text)
    return re.sub(r"(pytest-rag-grounding==)[^\"]+", rf"\g<1>{found.version}", text)


def _linked(text: str, found: Home) -> str:
    """Links that lead somewhere from the index too; without a home they stay within the repository."""

    def led(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        base = ""
        if found.owner != _OWNER:
            base = (
                f"https://raw.githubusercontent.com/{found.repository}/main/"
                if image
                else f"{found.address}/blob/main/"
            )
        return f"{image}{words}{base}{target}"

    return _LINK.sub(led, text)


#: File that names the project's place -> how it is written.
FILES: dict[str, Callable[[str, Home], str]] = {
    ".github/CODEOWNERS": _owned,
    "CITATION.cff": _cited,
    "README.md": _linked,
    "action.yml": _used,
    "docs/ci.md": _used,
    "extras/pyproject.toml": _packaged,
}


def written() -> dict[Path, str]:
    """Each file that names the project's place, as it should be."""
    found = home()
    return {
        ROOT / name: write((ROOT / name).read_text(encoding="utf-8"), found) for name, write in FILES.items()
    }


def main() -> int:
    """Write, or check; the exit status is 1 where something is to be done."""
    wrong = home().placeholders if "--known" in sys.argv[1:] else []
    if not sys.argv[1:] or "--check" in sys.argv[1:]:
        for path, wanted in written().items():
            if path.read_text(encoding="utf-8") == wanted:
                continue
            if sys.argv[1:]:
                wrong.append(f"{path.relative_to(ROOT).as_posix()} is not current; run: make docs")
            else:
                path.write_text(wanted, encoding="utf-8", newline="\n")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
