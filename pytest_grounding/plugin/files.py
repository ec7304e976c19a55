"""Check the files named by the command line and the ini file before any test runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_grounding.errors import InputError
from pytest_grounding.plugin.option_table import matches

if TYPE_CHECKING:
    from pytest_grounding.model.baseline_values import Baseline
    from pytest_grounding.plugin.options import Configured
    from pytest_grounding.reports.write import Target
    from pytest_grounding.settings import Settings


def named(config: pytest.Config, option: str) -> Path | None:
    """The file named by an option, or None if it is not given."""
    given = config.getoption(option.lstrip("-").replace("-", "_"))
    if given is None:
        return None
    if not given.strip():
        # An unset variable would silently drop what the option is for.
        raise pytest.UsageError(f"grounding: {option}= names no file; name one, or leave the option out")
    if given == "-":
        advice = "; for the terminal write --grounding-report=json:-" if option == "--grounding-json" else ""
        raise pytest.UsageError(f"grounding: {option}=- is not a file{advice or '; name one'}")
    path: Path = config.invocation_params.dir / given
    if path.is_dir():
        raise pytest.UsageError(f"grounding: {option}={given} is a folder; name a file")
    return path


def targets(config: pytest.Config) -> list[Target]:
    """The reports of ``--grounding-report``; paths are relative to pytest's start."""
    if not config.getoption("grounding_report"):
        return []
    # Imported here for cost: most runs write no report.
    from pytest_grounding.reports.report_kinds import STDOUT
    from pytest_grounding.reports.write import parse_target

    found = []
    for text in config.getoption("grounding_report"):
        target = parse_target(text)
        if target.path not in ("", STDOUT):
            path = config.invocation_params.dir / target.path
            if path.is_dir():
                raise pytest.UsageError(f"grounding: --grounding-report={text}: is a folder; name a file")
            target = target._replace(path=str(path))
        found.append(target)
    return found


def refresh_command(path: Path) -> str:
    """The command that rewrites a baseline, for messages."""
    try:
        shown = os.path.relpath(path)
    except ValueError:  # another drive of Windows
        shown = str(path)
    return f"pytest --grounding-baseline={shown.replace(os.sep, '/')} --grounding-baseline-update"


def accepted(path: Path) -> Baseline:
    """Read the baseline of the run."""
    from pytest_grounding.suite.baseline_file import read_baseline

    if not path.exists():
        raise pytest.UsageError(
            f"grounding: there is no baseline {path.name}; write it with: {refresh_command(path)}"
        )
    try:
        return read_baseline(path)
    except InputError as error:
        raise pytest.UsageError(f"grounding: {error}") from None


def refuse_closed_log(config: pytest.Config, settings: Settings) -> None:
    """Refuse an audit log that is a folder, or that is required and not writable."""
    if not settings.audit or hasattr(config, "workerinput"):
        return
    path = config.invocation_params.dir / settings.audit
    if path.is_dir():
        raise pytest.UsageError(f"grounding: audit = {settings.audit} is a folder; name a file")
    if settings.audit_required:
        from pytest_grounding.audit.log import AuditLog

        problem = AuditLog(path, settings=settings).problem()
        if problem:
            raise pytest.UsageError(f"grounding: {problem}; audit_required is set")


def refuse_losses(config: pytest.Config, configured: Configured) -> None:
    """Refuse to overwrite inputs or a file that is not a baseline, or to write two things to one file."""
    named = (
        ("json", configured.json_path),
        ("shard-report", configured.shard_path),
        ("used", configured.used_path),
    )
    updated = configured.baseline_path if configured.baseline_update else None
    if hasattr(config, "workerinput") or not (
        configured.reports or updated or any(path for _, path in named)
    ):
        return
    from pytest_grounding._io.outputs import Output, refuse_overwriting
    from pytest_grounding.reports.report_kinds import KINDS, STDOUT

    outputs = [Output(str(path), f"--grounding-{name}") for name, path in named if path]
    outputs += [
        Output(
            target.path,
            f"--grounding-report={target.kind}",
            getattr(KINDS.get(target.kind), "appended", False),
        )
        for target in configured.reports
        if target.path not in ("", STDOUT)
    ]
    if updated:
        outputs.append(Output(str(updated), "--grounding-baseline-update"))
    if junit := config.getoption("xmlpath", None):
        outputs.append(Output(str(config.invocation_params.dir / junit), "--junitxml"))
    read = [str(config.invocation_params.dir / text.partition("::")[0]) for text in config.args]
    # Nothing is collected yet; files named like transcripts would be.
    read += [output.path for output in outputs if matches(Path(output.path).name, configured.files)]
    read += [str(path) for path in (config.inipath, configured.baseline_path) if path and path != updated]
    try:
        refuse_overwriting(outputs, lambda: read)
        if updated:
            from pytest_grounding.suite.baseline_file import refuse_foreign

            refuse_foreign(updated)
    except InputError as error:
        raise pytest.UsageError(f"grounding: {error}") from None
