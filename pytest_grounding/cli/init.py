"""``pytest-grounding init``: from recorded answers to a build that fails on the next error."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json, write_atomic
from pytest_grounding._io.wording import counted, if_known
from pytest_grounding.cli import configuration
from pytest_grounding.cli.check import validated
from pytest_grounding.cli.configuration import PREFIX, ConfigTable, Effective, table_in, with_keys
from pytest_grounding.engine.validation import refuse_unusable
from pytest_grounding.errors import InputError
from pytest_grounding.importers.searching import OWN_PATTERNS, SKIPPED, find_files
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.mutation import FAULTS, mutate
from pytest_grounding.mutation.mutate_files import failure_modes
from pytest_grounding.reports.terminal import safe, text_of
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of, render_baseline

BASELINE = "grounding.baseline.json"
_MODES = "failure-modes.transcripts.jsonl"
#: Beside files of other names: of a folder with own names, the others would no longer be read.
_MODES_BESIDE_OTHERS = "failure-modes.jsonl"
DISTRIBUTION = "pytest-rag-grounding"

_OWN_SKIPPED = ("__golden__", "__pycache__")  # folders of accepted recordings or byte code

#: Answers into which faults are planted, and mutants of a fault, at most.
_MOST_ANSWERS, _MOST_MUTANTS = 200, 10
_BUILDS = {"github": ".github/workflows/grounding.yml", "gitlab": "grounding.gitlab-ci.yml"}


def run(args: argparse.Namespace) -> int:
    """Search, validate, write; ``commands.tsv`` has the exit status."""
    root = Path.cwd()
    effective = configuration.effective(args, folder=root)
    table = _table_to_change(effective, root, force=args.force)
    files = _files_to_write(root, args.paths, table)
    ci = args.ci
    if ci == "auto":
        ci = "gitlab" if (root / ".gitlab-ci.yml").is_file() else "none"
        if (root / ".github").is_dir():
            ci = "github"
    build = root / _BUILDS[ci] if ci in _BUILDS else None
    is_own = any(fnmatch(Path(files[0]).name, pattern) for pattern in OWN_PATTERNS)
    modes = Path(files[0]).with_name(_MODES if is_own else _MODES_BESIDE_OTHERS).as_posix()
    named = args.paths or _covering([*files, modes])
    if build is not None and (wild := [path for path in named if "${{" in path or not path.isprintable()]):
        hint = "rename the folder, or leave the file out: --ci none"
        raise InputError("its name cannot stand in the file of a build", path=repr(wild[0]), hint=hint)
    baseline = root / BASELINE
    text = with_keys(table, _keys_to_write(effective, table, root, [*files, modes]))
    refuse_unusable(effective.settings)
    report, transcripts = validated(files, effective, keep=True)
    if report.run.problems:
        number = counted(len(report.run.problems), "recording")
        raise InputError(f"{number} cannot be read, so nothing was written", hint="fix what is named above")
    found = baseline_of(report, effective.settings.with_values({"baseline_gate": "new"}))
    planned = {baseline: render_baseline(found)}
    passing = [transcripts[item.transcript_hash] for item in report.transcripts if item.status == "pass"]
    kept, missed = _with_faults(passing[:_MOST_ANSWERS], effective.for_path(modes))
    if kept:
        rows = (item.model_dump(mode="json", exclude_defaults=True) for item in kept)
        planned[root / modes] = "".join(f"{canonical_json(row)}\n" for row in rows)
        if not any(fnmatch(modes, path) or Path(modes).is_relative_to(path) for path in named):
            named = [*named, modes]
    if build is not None:
        # A name that begins as an option does would be read as one.
        paths = shlex.join(f"./{path}" if path.startswith("-") else path for path in named)
        check = f"pytest-grounding check {paths} --baseline {BASELINE} --quiet"
        install = f"python -m pip install {DISTRIBUTION}"
        planned[build] = _template(ci).format(install=install, check=check, report="grounding/report.html")
    # The keys are written last: until then, nothing else has an effect.
    planned[table.path] = text
    _refuse_closed(planned, root, force=args.force, table=table)
    failed = set(report.run.failed)
    failing = [item for item in report.transcripts if item.id in failed]
    print(text_of("overview", report.transcripts, failing, len({*files} - {modes})))
    for file, content in planned.items():
        write_atomic(file, content)
    known = sum(line.number for entry in found.transcripts for line in entry.known or ())
    remarks = {baseline: f" ({counted(known, 'known finding')})"}
    remarks[root / modes] = f" ({counted(len(kept), 'answer')} with a planted fault, to be rejected)"
    written = {file: safe(file.relative_to(root).as_posix()) for file in planned}
    print("\nwritten:")
    for file, name in written.items():
        print(f"  {name}{remarks.get(file, '')}")
    if ci == "gitlab":
        print(f"add to .gitlab-ci.yml: include: {{local: {_BUILDS[ci]}}}")
    steps = {"missed": if_known("{}; ", missed), "paths": safe(shlex.join(named))}
    print(_template("next").format(**steps, files=shlex.join(written.values())), end="")
    return 0


def _with_faults(passing: Sequence[Transcript], settings: Settings) -> tuple[list[Transcript], str]:
    """Right answers with a planted fault each that the gate rejects, and how many faults it misses."""
    if settings.scorer != "builtin" or settings.judge:
        return [], ""  # their rulings on changed answers are not recorded
    try:
        report = mutate(passing, settings, limit=_MOST_MUTANTS)
    except InputError:
        return [], ""  # no claim can be changed
    missed = [(item.fault.replace("_", " "), item.caught) for item in report.faults if item.survivors]
    names = (f"{name} {rate.total - rate.count} of {rate.total}" for name, rate in missed)
    number = report.overall.total - report.overall.count
    words = f"the gate misses {number} of {counted(report.overall.total, 'planted fault')}"
    rejected = failure_modes(passing, settings, FAULTS, 0, _MOST_MUTANTS)
    return rejected, words + if_known(" ({})", ", ".join(names))


def _template(name: str) -> str:
    return Path(__file__).with_name("builds").joinpath(f"{name}.txt").read_text(encoding="utf-8")


def _table_to_change(effective: Effective, root: Path, *, force: bool) -> ConfigTable:
    if effective.file is not None and effective.file.parent != root:
        problem = f"init must run in the root of the project, which contains {effective.file.name}"
        hint = f"run it there: cd {shlex.quote(str(effective.file.parent))}; pytest reads that file for "
        hint += "this folder too, unless the folder gets a pytest.ini of its own"
        raise InputError(problem, hint=hint)
    table = table_in(effective.file, root)
    own = [key for key in table.values if key.startswith(PREFIX)]
    if own and not force:
        problem = f"already contains settings of pytest-grounding ({', '.join(own[:3])})"
        hint = "add --force to set up anew; the other keys stay"
        raise InputError(problem, path=table.path.name, hint=hint)
    return table


def _keys_to_write(
    effective: Effective, table: ConfigTable, root: Path, files: Sequence[str]
) -> dict[str, Any]:
    named = [name for name, source in effective.origin.items() if source == "command line"]
    keys: dict[str, Any] = {f"{PREFIX}{name}": getattr(effective.settings, name) for name in named}
    keys |= {"grounding_baseline": BASELINE, "grounding_baseline_gate": "new"}
    required = table.list_of("required_plugins")
    if not any(item.startswith(DISTRIBUTION) for item in required):
        # Without the plugin these files would not be tests, and the build would pass.
        keys["required_plugins"] = [*required, DISTRIBUTION]
    patterns = table.list_of("grounding_files") or list(OWN_PATTERNS)
    further = sorted({Path(file).name for file in files if not _fits_any(Path(file).name, patterns)})
    others = sorted(set(_recorded_files(root, further)) - set(files)) if further else []
    if others:
        problem = "would become a test too, because pytest knows these files by their name alone"
        hint = "give the file that holds recorded answers a name of its own, such as *.transcripts.jsonl"
        raise InputError(problem, path=others[0], hint=hint)
    if further:
        keys["grounding_files"] = [*patterns, *further]
    return keys


def _files_to_write(root: Path, paths: Sequence[str], table: ConfigTable) -> list[str]:
    patterns = table.list_of("grounding_files") or list(OWN_PATTERNS)
    if paths:
        files = sorted({_inside_root(root, file) for path in paths for file in find_files(path)})
    else:
        files = _recorded_files(root, patterns, table.list_of("norecursedirs"))
    if not files:
        how = _template("recordings").rstrip()
        raise InputError(f"no recorded answers were found here ({', '.join(patterns)}); {how}")
    tested = table.list_of("testpaths")
    places = [place.relative_to(root) for item in tested for place in root.glob(item)]
    beyond = [file for file in files if not any(map(Path(file).is_relative_to, places))]
    if beyond and tested:
        problem = f"{beyond[0]} lies outside of testpaths, so that pytest would not find it"
        hint = f"add to testpaths: {' '.join(_covering(beyond))}"
        raise InputError(problem, path=table.path.name, hint=hint)
    return files


def _recorded_files(root: Path, patterns: Sequence[str], skipped: Sequence[str] = ()) -> list[str]:
    without = (*(skipped or SKIPPED), *_OWN_SKIPPED)
    found = []
    for folder, folders, names in os.walk(root):
        entered = [name for name in folders if not _fits_any(name, without)]
        folders[:] = [name for name in entered if not Path(folder, name, "pyvenv.cfg").is_file()]
        place = Path(folder).relative_to(root)
        found += [(place / name).as_posix() for name in names if _fits_any(name, patterns)]
    return sorted(found)


def _fits_any(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _inside_root(root: Path, file: str) -> str:
    try:
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        hint = "copy it into the project first"
        raise InputError(f"lies outside the project ({root})", path=file, hint=hint) from None


def _covering(files: Sequence[str]) -> list[str]:
    """The fewest paths that cover all the files and later recordings in the same folders."""
    found = set()
    for file in files:
        head, slash, _ = file.partition("/")
        own = [pattern for pattern in OWN_PATTERNS if fnmatch(file, pattern)]
        found.add(head if slash or not own else own[0])
    return sorted(found)


def _refuse_closed(planned: Mapping[Path, str], root: Path, *, force: bool, table: ConfigTable) -> None:
    for file, content in planned.items():
        name = file.relative_to(root).as_posix()
        folder = next(place for place in (file.parent, *file.parents) if place.exists())
        if file.is_dir():
            raise InputError("is a folder where a file belongs", path=name, hint="rename the folder")
        # What is as planned was left by a killed run.
        if os.path.lexists(file) and file != table.path and not force and _content(file) != content:
            hint = "write it anew with --force, or remove it first"
            raise InputError("is there already", path=name, hint=hint)
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise InputError("cannot be written here", path=name, hint=f"look at {folder}")


def _content(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
