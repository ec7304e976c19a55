"""Reports of a run: what ``check --report`` and ``merge --report`` write."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_grounding.cli import checked_outputs as outputs
from pytest_grounding.cli import configuration
from pytest_grounding.engine.transcript_input import iter_transcripts
from pytest_grounding.errors import InputError
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports.report_links import LinkContext, links_to, prefix_of
from pytest_grounding.reports.write import KINDS, STDOUT, ReportTarget, render_report, write_run
from pytest_grounding.settings import FROM_ENVIRONMENT, Settings, from_environment, resolve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for reports of a finished run."""
    text = f"kinds: {', '.join(KINDS)}, and those of extensions; a path of - is standard output"
    group = parser.add_argument_group("reports", text)
    several: dict[str, Any] = {"action": "append", "default": []}
    group.add_argument("--report", metavar="KIND:PATH", help="a kind of report and its file", **several)
    text = "where the transcripts are, which html shows (default: the files that the run names)"
    group.add_argument("--transcripts", metavar="PATH", help=text, **several)
    text = "where the HTML report will be served, for links to it"
    group.add_argument("--page-url", default="", metavar="URL", help=text)


def is_run(path: str) -> bool:
    """Whether a file is the JSON report of a run and not a shard; its reader reports errors."""
    try:
        value = json.loads(Path(path).read_bytes())
    except (OSError, ValueError):
        return True
    return not (isinstance(value, dict) and "parts" in value)


def deliver_run(
    args: argparse.Namespace, report: RunReport, targets: Sequence[ReportTarget], *, to_stderr: bool = False
) -> None:
    """Write reports of a decided run, with the transcripts available."""
    files = args.transcripts or [item.source for item in report.transcripts if item.source]
    outputs.refuse(args, files)
    layers = (
        ("configuration file", configuration.configuration_file([Path.cwd()], Path.cwd())[1]),
        (FROM_ENVIRONMENT, from_environment(os.environ)),
    )
    names = {"link_base", "cms_base"}
    known = []
    for source, values in layers:
        known.append((source, {name: values[name] for name in names & values.keys()}))
    settings, _ = resolve(known)
    transcripts: list[Transcript] = []
    for path in dict.fromkeys(files):
        try:
            transcripts += [row.transcript for row in iter_transcripts(path) if row.transcript is not None]
        except InputError as error:
            print(f"pytest-grounding: {error}", file=sys.stderr)
    deliver(report, targets, transcripts, settings=settings, to_stderr=to_stderr, page=args.page_url)


def deliver(
    report: RunReport,
    targets: Iterable[ReportTarget],
    transcripts: Iterable[Transcript] | Mapping[str, Transcript],
    *,
    settings: Settings,
    to_stderr: bool = False,
    page: str = "",
) -> None:
    """Write each report to its file, or print it."""
    targets = list(targets)
    links = links_to(page, targets)
    context: LinkContext = LinkContext.of(transcripts, prefix_of(Path.cwd()), links, settings)
    stream = sys.stderr if to_stderr else sys.stdout
    for target in targets:
        if target.path == STDOUT and target.kind == "json":
            stream.writelines(report.json_pieces())
        elif target.path == STDOUT:
            stream.write(render_report(report, target.kind, context))
        elif not target.path:
            print(f"not written: {target.kind} (nothing here reads it)", file=stream)
        else:
            write_run(report, target.path, format=target.kind, context=context)


def read_run(path: str) -> RunReport:
    """Read the report that ``check --json`` or ``--grounding-json`` wrote."""
    try:
        return RunReport.model_validate_json(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=path) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        hint = "write it with: pytest-grounding check PATH --json > RUN.json"
        problem = "is not a report of a run" + (f": {place}: {first['msg']}" if place else "")
        raise InputError(problem, path=path, hint=hint) from None
