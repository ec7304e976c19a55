"""Every kind of report, a row each; write one by its name so that no reader sees half of it."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pytest_grounding._io.jsonio import atomic_writer, write_atomic
from pytest_grounding.engine import registry
from pytest_grounding.errors import GroundingError, SettingsError, advice_of_extras
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.report_links import LinkContext

#: The path that means standard output.
STDOUT = "-"
Renderer = Callable[[RunReport, LinkContext], str]


@dataclass(frozen=True, slots=True)
class ReportKind:
    """A kind of report."""

    name: str
    function: str
    about: str
    goes_to: str = ""
    appended: bool = False
    shows_transcripts: bool = False

    def load(self) -> Callable[..., Any]:
        """Import the function that renders it."""
        module, _, name = self.function.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"pytest_grounding.reports.{module}"), name)
        return found


_ROWS = (
    ReportKind("html", "html:render_page", "a page", shows_transcripts=True),
    ReportKind("junit", "junit:render_junit", "JUnit XML", shows_transcripts=True),
    ReportKind("json", "figure_lines:report_json", "all there is"),
    ReportKind("sarif", "issues:sarif", "SARIF 2.1.0"),
    ReportKind("gitlab", "issues:gitlab", "code quality of GitLab"),
    ReportKind("prometheus", "prometheus_text:prometheus", "figures and counters"),
    ReportKind("pr-comment", "github:comment", "a comment in Markdown", shows_transcripts=True),
    ReportKind(
        *("github-summary", "github:summary", "the page of a GitHub run", "GITHUB_STEP_SUMMARY"),
        appended=True,
        shows_transcripts=True,
    ),
    ReportKind("github-annotations", "github:workflow_commands", "notes on lines", goes_to=STDOUT),
    ReportKind("terminal", "terminal:render_text", "the summary"),
)

#: The kinds by name, in the order shown in help.
KINDS: Mapping[str, ReportKind] = MappingProxyType({kind.name: kind for kind in _ROWS})


class ReportTarget(NamedTuple):
    """A kind of report and its destination: a path, `STDOUT`, or "" if nothing would read it."""

    kind: str
    path: str


def formats() -> dict[str, Renderer]:
    """All kinds of reports that are text: those of extensions, and the built-in ones, which win."""
    own = {kind.name: partial(_built_in, kind) for kind in KINDS.values()}
    return {**{name: _with_context(call) for name, call in registry.reports().items()}, **own}


def _built_in(kind: ReportKind, report: RunReport, context: LinkContext) -> str:
    return _with_context(kind.load())(report, context)


def _with_context(call: Callable[..., str]) -> Renderer:
    try:
        takes = len(inspect.signature(call).parameters)
    except (TypeError, ValueError):
        takes = 1
    return call if takes > 1 else lambda report, _: call(report)


def parse_target(text: str, environment: Mapping[str, str] | None = None) -> ReportTarget:
    """Parse ``KIND:PATH``, or ``KIND`` alone for a kind with a default destination."""
    kind, _, path = text.partition(":")
    own = KINDS.get(kind)
    if own is None and kind not in formats():
        known_kinds = ", ".join(sorted({*formats(), *KINDS}))
        advice = advice_of_extras(kind) or f"write KIND:PATH with one of: {known_kinds}"
        raise SettingsError(f"report {text!r} is not known; {advice}")
    if path:
        return ReportTarget(kind, path)
    if own is None and getattr(registry.reports()[kind], "sends", False):
        return ReportTarget(kind, STDOUT)
    if own is None or not own.goes_to:
        raise SettingsError(f"report {text!r} names no file; write {kind}:PATH, or {kind}:- for the terminal")
    if own.goes_to == STDOUT:
        return ReportTarget(kind, STDOUT)
    known: Mapping[str, str] = os.environ if environment is None else environment
    return ReportTarget(kind, known.get(own.goes_to, ""))


def render_report(report: RunReport, kind: str, context: LinkContext | None = None) -> str:
    """Render a decided run as a text of some kind."""
    own = KINDS.get(kind)
    if own is not None:
        return _built_in(own, report, context or LinkContext())
    known = formats()
    if kind not in known:
        raise ValueError(f"format {kind!r} is unknown; write one of: {', '.join(sorted(known))}")
    try:
        # Third-party code may do more with the verdicts than iterate over them.
        text: Any = known[kind](report, context or LinkContext())
    except GroundingError:
        raise
    except Exception as error:  # an extension is third-party code and may raise anything
        raise GroundingError(f"the report {kind!r} failed ({type(error).__name__}: {error})") from error
    if not isinstance(text, str):
        raise GroundingError(f"the report {kind!r} gave {type(text).__name__}, not text")
    return text


def write_run(
    report: RunReport,
    path: str | os.PathLike[str],
    *,
    format: str = "json",
    context: LinkContext | None = None,
) -> None:
    """Write the report of a run to a file, atomically; some kinds append to their file."""
    own = KINDS.get(format)
    if format == "json":
        with atomic_writer(path) as stream:
            stream.writelines(report.json_pieces())
        return
    text = render_report(report, format, context)
    if own is not None and own.appended:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    else:
        write_atomic(path, text)
