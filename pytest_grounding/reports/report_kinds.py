"""Every kind of report, one row each; a new kind needs a module in this folder and a row here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

#: The path that means standard output.
STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of report."""

    name: str
    function: str
    about: str
    goes_to: str = ""
    appended: bool = False
    shows_transcripts: bool = False
    sends: bool = False  # sent to a service; the result is a message with the number sent

    def load(self) -> Callable[..., Any]:
        """Import the function that renders it."""
        module, _, name = self.function.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"pytest_grounding.reports.{module}"), name)
        return found


_ROWS = (
    Kind("html", "html:render", "a page", shows_transcripts=True),
    Kind("junit", "junit:render", "JUnit XML", shows_transcripts=True),
    Kind("json", "figure_lines:as_json", "all there is"),
    Kind("sarif", "issues:sarif", "SARIF 2.1.0"),
    Kind("gitlab", "issues:gitlab", "code quality of GitLab"),
    Kind("prometheus", "metrics_text:render", "figures and counters"),
    Kind("pr-comment", "github:comment", "a comment in Markdown"),
    Kind(
        "github-summary",
        "github:summary",
        "the page of a GitHub run",
        goes_to="GITHUB_STEP_SUMMARY",
        appended=True,
    ),
    Kind("github-annotations", "github:workflow_commands", "notes on lines", goes_to=STDOUT),
    Kind("terminal", "terminal:render", "the summary"),
    Kind("langfuse", "scores:langfuse", "scores of its traces", goes_to=STDOUT, sends=True),
    Kind("otel", "scores:otel", "spans with scores", goes_to=STDOUT, sends=True),
)

#: The kinds by name, in the order shown in help.
KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in _ROWS})
