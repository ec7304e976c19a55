"""The file that lets a build check the recorded answers at each push."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

KINDS = ("github", "gitlab", "plain", "none")
_INSTALL = "python -m pip install pytest-rag-grounding"
_REPORT = "grounding/report.html"


def kind_for(root: Path) -> str:
    """The kind of build that a project has already, or none."""
    if (root / ".github").is_dir():
        return "github"
    return "gitlab" if (root / ".gitlab-ci.yml").is_file() else "none"


def file_of(kind: str, root: Path) -> Path:
    """Where the file of a kind belongs; a pipeline of GitLab that is there already is left as it is."""
    if kind == "github":
        return root / ".github" / "workflows" / "grounding.yml"
    if kind == "gitlab":
        taken = (root / ".gitlab-ci.yml").exists()
        return root / ("grounding.gitlab-ci.yml" if taken else ".gitlab-ci.yml")
    return root / "grounding-ci.sh"


def text_of(kind: str, paths: Sequence[str], baseline: str) -> str:
    """The file's content."""
    check = f"pytest-grounding check {shlex.join(paths)} --baseline {shlex.quote(baseline)} --quiet"
    if kind == "github":
        return _GITHUB.format(install=_INSTALL, check=check, report=_REPORT)
    if kind == "gitlab":
        return _GITLAB.format(install=_INSTALL, check=check, report=_REPORT)
    return _PLAIN.format(install=_INSTALL, check=check, report=_REPORT)


def hint_for(kind: str, file: Path) -> str:
    """What is left to do for a file of a kind, or ""."""
    if file.name == "grounding.gitlab-ci.yml":
        return "add to .gitlab-ci.yml: include: {local: grounding.gitlab-ci.yml}"
    return f"let your build run: sh {file.name}" if kind == "plain" else ""


_GITHUB = """\
name: grounding
on: [push, pull_request]
permissions:
  contents: read
jobs:
  grounding:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-python@v6
        with:
          python-version: "3.13"
      - run: {install}
      - run: >-
          {check}
          --report github-summary
          --report github-annotations
          --report html:{report}
      - uses: actions/upload-artifact@v7
        if: always()
        with:
          name: grounding
          path: grounding
"""

_GITLAB = """\
grounding:
  image: python:3.13
  script:
    - {install}
    - >-
      {check}
      --report html:{report}
      --report junit:grounding/junit.xml
      --report gitlab:grounding/quality.json
  artifacts:
    when: always
    paths: [grounding/]
    reports:
      junit: grounding/junit.xml
      codequality: grounding/quality.json
"""

_PLAIN = """\
#!/bin/sh
# Checks the recorded answers; exit status 0: the gate passed, 1: it failed, 2: input that cannot be read.
set -e
cd "$(dirname "$0")"
{install}
{check} --report html:{report}
"""
