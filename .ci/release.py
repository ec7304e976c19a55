"""What a release needs: that its tag is the version, its notes, and the bill of materials of the wheel.

python .ci/release.py check v0.1.0     tag, version and changelog agree, and the project has a home
python .ci/release.py home             whether pyproject.toml says where the project lives
python .ci/release.py notes            the changelog of this version, for the release
python .ci/release.py sbom [--check]   write sbom.cdx.json, or say whether it is current
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SBOM = ROOT / "sbom.cdx.json"
_SECTION = re.compile(r"(?ms)^## \[([^\]]+)\](?: - (\S+))?\n(.*?)(?=^## |\Z)")


def project() -> dict[str, Any]:
    """The table ``project`` of pyproject.toml."""
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def sections() -> dict[str, tuple[str, str]]:
    """Version of the changelog -> its day, or "", and its text."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return {name: (day, body.strip()) for name, day, body in _SECTION.findall(text)}


def faults(tag: str) -> list[str]:
    """What is wrong with a tag."""
    version, found = project()["version"], sections()
    wrong = []
    if tag != f"v{version}":
        wrong.append(
            f"the tag is {tag}, and pyproject.toml says {version}: tag v{version}, or change the version"
        )
    day, text = found.get(version, ("", ""))
    if not text:
        wrong.append(f"CHANGELOG.md has no section [{version}]: give [Unreleased] that name, and the day")
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
        wrong.append(
            f"the section [{version}] of CHANGELOG.md names no day: write ## [{version}] - YYYY-MM-DD"
        )
    return wrong + homeless()


def homeless() -> list[str]:
    """What pyproject.toml does not say of where the project lives and who answers."""
    found: list[str] = runpy.run_path(str(ROOT / ".ci" / "home.py"))["home"]().placeholders
    return found


def bill() -> str:
    """The bill of materials in CycloneDX: the package, and what it asks for."""
    about = project()
    name, version = about["name"], about["version"]
    own = f"pkg:pypi/{name}@{version}"
    parts = [_part(line, "required") for line in about["dependencies"]]
    for extra, lines in about["optional-dependencies"].items():
        parts += [_part(line, "optional", extra) for line in lines if extra != "all"]
    component = {
        "type": "library",
        "bom-ref": own,
        "name": name,
        "version": version,
        "purl": own,
        "licenses": [{"license": {"id": about["license"]}}],
    }
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component},
        "components": parts,
        "dependencies": [{"ref": own, "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    return json.dumps(document, indent=2) + "\n"


def _part(line: str, scope: str, extra: str = "") -> dict[str, Any]:
    name, wanted = re.fullmatch(r"([\w.-]+)(.*)", line).groups()  # type: ignore[union-attr]
    reference = f"pkg:pypi/{name.lower()}" + (f"#{extra}" if extra else "")
    properties = [{"name": "pypi:requirement", "value": line}]
    if extra:
        properties.append({"name": "pypi:extra", "value": extra})
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": wanted,
        "scope": scope,
        "purl": f"pkg:pypi/{name.lower()}",
        "properties": properties,
    }


def main() -> int:
    """Run one part; the exit status is 1 where something is wrong."""
    parser = argparse.ArgumentParser(description="What a release needs.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check").add_argument("tag")
    commands.add_parser("home")
    commands.add_parser("notes")
    commands.add_parser("sbom").add_argument("--check", action="store_true")
    args = parser.parse_args()
    wrong: list[str] = []
    if args.command == "check":
        wrong = faults(args.tag)
    elif args.command == "home":
        wrong = homeless()
    elif args.command == "notes":
        print(sections()[project()["version"]][1])
    elif args.check:
        current = SBOM.is_file() and SBOM.read_text(encoding="utf-8") == bill()
        wrong = [] if current else ["sbom.cdx.json is not current; run: python .ci/release.py sbom"]
    else:
        SBOM.write_text(bill(), encoding="utf-8")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
