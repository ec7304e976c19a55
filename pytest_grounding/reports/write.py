"""Pick a report by its name and write it so that a reader never sees half of one."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding import registry
from pytest_grounding._jsonio import atomic_writer, write_atomic
from pytest_grounding.errors import GroundingError, SettingsError
from pytest_grounding.model.run import RunReport
from pytest_grounding.reports import github, gitlab, html, json, junit, parquet, prometheus, sarif, terminal
from pytest_grounding.reports.context import Context

Renderer = Callable[[RunReport, Context], str]


def _alone(render: Callable[[RunReport], str]) -> Renderer:
    """A renderer from a function that needs the report alone."""
    return lambda report, _: render(report)


FORMATS: dict[str, Renderer] = {
    "github-annotations": github.workflow_commands,
    "github-summary": github.summary,
    "gitlab": gitlab.render,
    "html": html.render,
    "json": _alone(json.render),
    "junit": junit.render,
    "pr-comment": github.comment,
    "prometheus": prometheus.render,
    "sarif": sarif.render,
    "terminal": _alone(terminal.render),
}

#: Kinds that need no path: kind -> environment variable that names the file; "" is standard output.
NEEDS_NO_PATH = {"github-annotations": "", "github-summary": "GITHUB_STEP_SUMMARY"}

#: Kinds that are no text, and so need a file.
BINARY = {"parquet": parquet.write}

#: Kinds that are added to a file: the steps of a job share one.
APPENDED = frozenset({"github-summary"})

#: The path that stands for standard output.
STDOUT = "-"


class Target(NamedTuple):
    """A kind of report and where it goes: a path, `STDOUT`, or "" where there is nowhere to write to."""

    kind: str
    path: str


def formats() -> dict[str, Renderer]:
    """All kinds of reports: those of extensions, then the built-in ones, which win."""
    return {**{name: _extension(call) for name, call in registry.reports().items()}, **FORMATS}


def _extension(call: Callable[..., str]) -> Renderer:
    """An extension's callable takes the report, and the context too where it has room for it."""
    try:
        takes = len(inspect.signature(call).parameters)
    except (TypeError, ValueError):
        takes = 1
    return call if takes > 1 else _alone(call)


def parse_target(text: str, environment: Mapping[str, str] | None = None) -> Target:
    """Read ``KIND:PATH``, or ``KIND`` alone for a kind that knows where it belongs.

    Args:
        text: what the user wrote.
        environment: the environment variables; None takes those of the process.

    Raises:
        SettingsError: the kind is not known, or has no path and needs one.
    """
    kind, _, path = text.partition(":")
    if kind in BINARY:
        if path in ("", STDOUT):
            raise SettingsError(f"report {text!r} names no file; write {kind}:PATH")
        return Target(kind, path)
    if kind not in FORMATS and kind not in formats():
        known_kinds = ", ".join(sorted([*formats(), *BINARY]))
        raise SettingsError(f"report {kind!r} is not known; write one of: {known_kinds}")
    if path:
        return Target(kind, path)
    if kind not in NEEDS_NO_PATH:
        raise SettingsError(f"report {text!r} names no file; write {kind}:PATH, or {kind}:- for the terminal")
    variable = NEEDS_NO_PATH[kind]
    if not variable:
        return Target(kind, STDOUT)
    known: Mapping[str, str] = os.environ if environment is None else environment
    return Target(kind, known.get(variable, ""))


def render(report: RunReport, kind: str, context: Context | None = None) -> str:
    """A decided run as a text of some kind.

    Raises:
        ValueError: there is no such kind.
        GroundingError: the kind is an extension's, and it failed; names it.
    """
    if kind in FORMATS:
        return FORMATS[kind](report, context or Context())
    known = formats()
    if kind not in known:
        raise ValueError(f"format {kind!r} is unknown; write one of: {', '.join(sorted(known))}")
    try:
        # What others wrote may do more with the verdicts than read them in order.
        text: Any = known[kind](report.in_memory(), context or Context())
    except Exception as error:  # an extension is somebody else's and may raise anything
        raise GroundingError(f"the report {kind!r} failed ({type(error).__name__}: {error})") from error
    if not isinstance(text, str):
        raise GroundingError(f"the report {kind!r} gave {type(text).__name__}, not text")
    return text


def write_run(
    report: RunReport,
    path: str | os.PathLike[str],
    *,
    format: str = "json",
    context: Context | None = None,
) -> None:
    """Write the report of a run to a file, atomically; a kind that is shared is added to its file.

    Args:
        report: the report, decided.
        path: the file; missing folders are made.
        format: one of `formats` or `BINARY`, such as ``json``, ``html`` or ``terminal`` (plain text).
        context: the transcripts behind the verdicts, for the kinds that show them.

    Raises:
        ValueError: there is no such format.
        GroundingError: an extension's format failed.
        OSError: the file cannot be written.
    """
    if format in BINARY:
        BINARY[format](report, path)
        return
    if format == "json":
        with atomic_writer(path) as stream:
            stream.writelines(report.json_pieces())
        return
    text = render(report, format, context)
    if format in APPENDED:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    else:
        write_atomic(path, text)
