"""Paths in settings and calls, and checks of the named files before any test runs."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io.wording import listed
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.plugin.option_table import PATHS, matches, root_of
from pytest_grounding.settings._declare import TEXTS

if TYPE_CHECKING:
    from pytest_grounding.model.baseline_values import Baseline
    from pytest_grounding.plugin.options import Configured
    from pytest_grounding.reports.write import ReportTarget
    from pytest_grounding.settings import Settings

_WRITTEN = ("cassette", "audit", "judge_measured")  # settings for output files, which need not exist


def path_given(config: pytest.Config, option: str) -> Path | None:
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


def targets(config: pytest.Config) -> list[ReportTarget]:
    """The reports of ``--grounding-report``; paths are relative to pytest's start."""
    if not config.getoption("grounding_report"):
        return []
    # Imported here for cost: most runs write no report.
    from pytest_grounding.reports.write import STDOUT, parse_target

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


def accepted_baseline(path: Path) -> Baseline:
    """Read the baseline of the run."""
    from pytest_grounding.suite.baseline_file import read_baseline

    if not path.exists():
        problem = f"grounding: there is no baseline {path.name}; write it with: {refresh_command(path)}"
        raise pytest.UsageError(problem)
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

        if problem := AuditLog(path, settings=settings).problem():
            raise pytest.UsageError(f"grounding: {problem}; audit_required is set")


def refuse_losses(config: pytest.Config, configured: Configured) -> None:
    """Refuse to overwrite inputs or a file that is not a baseline, or to write two things to one file."""
    written = {
        "json": configured.json_path,
        "shard-report": configured.shard_path,
        "used": configured.used_path,
    }
    updated = configured.baseline_path if configured.baseline_update else None
    is_writing = configured.reports or updated or any(written.values())
    if hasattr(config, "workerinput") or not is_writing:
        return
    from pytest_grounding._io.outputs import Output, refuse_overwriting
    from pytest_grounding.reports.write import KINDS, STDOUT

    outputs = [Output(str(path), f"--grounding-{name}") for name, path in written.items() if path]
    for target in configured.reports:
        if target.path not in ("", STDOUT):
            is_appended = getattr(KINDS.get(target.kind), "appended", False)
            outputs.append(Output(target.path, f"--grounding-report={target.kind}", is_appended))
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


def lead(path: str | os.PathLike[str], folders: Sequence[Path]) -> Path | None:
    """The file, folder or pattern meant by a path: in the first folder that has it, or None."""
    name = os.fspath(path)
    for folder in folders:
        there = folder / name
        is_there = there.exists() or (
            # Path.glob accepts no pattern that is absolute or climbs with "..".
            glob.has_magic(name) and any(glob.iglob(name, root_dir=folder, recursive=True))  # noqa: PTH207
        )
        if is_there:
            return there
    return None


def folders_of(root: Path, test: Path, started: Path | None = None) -> list[Path]:
    """The base folders for a path of a test, each once."""
    found = [root, test]
    if started is not None and Path.cwd() != started:
        found.append(Path.cwd())
    return list(dict.fromkeys(found))


def _folders_above(item: pytest.Item) -> list[Path]:
    config = item.config
    return folders_of(root_of(config), item.path.parent, config.invocation_params.dir)


def lead_for(item: pytest.Item, path: str | os.PathLike[str], *, is_new: bool) -> str:
    """Resolve a path in a call of a running test; see `ItemObserver.place`."""
    folders = _folders_above(item)
    found = lead(path, folders) or (folders[0] / path if is_new else None)
    if found is None:
        name = os.fspath(path)
        if Path(name).is_absolute():
            return name  # its reader reports that it does not exist
        hint = "write a path from the root of the project"
        raise InputError(f"does not exist: it is {looked_at(folders)}", path=name, hint=hint)
    return os.fspath(path) if found == Path.cwd() / path else os.path.relpath(found)


def given_in(item: pytest.Item, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings in a call of a running test; see `ItemObserver.given`."""
    if not isinstance(settings, Mapping) or not _relative_values(settings):
        return settings
    folders = _folders_above(item)
    refuse_nowhere(settings, folders, "argument")
    return settle_paths(settings, folders)


def of_folders(directories: Mapping[str, Mapping[str, Any]], root: Path) -> dict[str, dict[str, Any]]:
    """Settings by folder, with paths from the root of the project, else from that folder."""
    settled = {}
    for folder, values in directories.items():
        folders = folders_of(root, root / folder)
        refuse_nowhere(values, folders, f"grounding_directories {folder}")
        settled[folder] = settle_paths(values, folders)
    return settled


def looked_at(folders: Sequence[Path]) -> str:
    """The folders for a message: ``neither in the root of the project (/a) nor in tests``."""
    root, *others = folders
    first = f"in the root of the project ({root.as_posix()})"
    if not others:
        return f"not {first}"
    names = [Path(os.path.relpath(folder, root)).as_posix() for folder in others]
    return f"neither {first} nor in {listed(names)}"


def settle_paths(values: Mapping[str, Any], folders: Sequence[Path]) -> dict[str, Any]:
    """The same settings with paths relative to the current folder; missing files start at the root."""
    here = Path.cwd()
    settled = dict(values)
    for name, path in _relative_values(values):
        found = folders[0] / path if name == "audit" else lead(path, folders) or folders[0] / path
        # A path that already resolves stays as written: messages and hashes contain it.
        settled[name] = path if found == here / path else os.path.relpath(found, here)
    return settled


def refuse_nowhere(values: Mapping[str, Any], folders: Sequence[Path], source: str) -> None:
    """Refuse a setting whose input is in none of the folders."""
    for name, path in _relative_values(values):
        if name not in _WRITTEN and lead(path, folders) is None:
            problem = f"{name} = {path!r} (from {source}) is {looked_at(folders)}"
            raise SettingsError(f"{problem}; write a path from the root of the project")


def _relative_values(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = []
    for name in (*PATHS, *TEXTS):
        value = values.get(name)
        if not value or not isinstance(value, (str, os.PathLike)) or Path(value).is_absolute():
            continue
        if name not in TEXTS or TEXTS[name](os.fspath(value)):
            found.append((name, os.fspath(value)))
    return found
