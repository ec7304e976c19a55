"""Compare the files a command will write with those it will read, before it does either."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

from pytest_grounding._io.jsonio import STANDARD
from pytest_grounding._io.outputs import Output, refuse_overwriting
from pytest_grounding.errors import InputError

#: Arguments that name a file to write, with their names in messages.
_WRITTEN = {"output": "--output", "html": "--html"}
#: Arguments that name files to read; the second kind may also be folders and patterns.
_READ = ("labels", "questions", "corpus", "glossary", "used")
_SEARCHED = ("paths", "files", "subjects", "transcripts")
_SETTINGS = ("calibration", "corpus", "glossary", "judge_measured")  # settings that name a file to read


def refuse(args: argparse.Namespace, more: Iterable[str] = ()) -> None:
    """Refuse a command that would overwrite its input, or write two outputs to one file."""
    if outputs := list(_outputs(args)):
        refuse_overwriting(
            outputs, lambda: chain(_inputs(args), _recordings(args, outputs), *map(_files_of, more))
        )
    if getattr(args, "work", None) and any(map(Path(args.work).samefile, _folders_of_inputs(args))):
        hint = "name a folder of its own"
        raise InputError("holds what is read, so that --work cannot use it", path=args.work, hint=hint)


def files_of(settings: object, *more: str) -> list[str]:
    """The files to read that settings name, and some more; empty names are left out."""
    named = [*(getattr(settings, name, "") for name in _SETTINGS), *more]
    return [name for name in named if name and isinstance(name, str)]


def _outputs(args: argparse.Namespace) -> Iterator[Output]:
    for name, said in _WRITTEN.items():
        value = getattr(args, name, None)
        if isinstance(value, str) and value not in ("", STANDARD):
            yield Output(value, f"{said} {value}")
    if getattr(args, "baseline_update", False) and args.baseline:
        yield Output(args.baseline, "--baseline-update")
    if args.command == "baseline" and args.paths:
        yield Output(args.file, "the baseline")
    if getattr(args, "report", None):
        from pytest_grounding.reports.write import KINDS, STDOUT, parse_target

        for text in args.report:
            target = parse_target(text)
            if target.path not in ("", STDOUT):
                is_shared = target.kind in KINDS and KINDS[target.kind].appended
                yield Output(target.path, f"--report {text}", is_shared)


def _inputs(args: argparse.Namespace) -> Iterator[str]:
    names = [getattr(args, name, None) for name in _READ]
    if not getattr(args, "baseline_update", False):
        names.append(getattr(args, "baseline", None))
    for name in names:
        if isinstance(name, str) and name:
            yield name
    for argument in _SEARCHED:
        for path in getattr(args, argument, None) or ():
            yield from _files_of(path)


def _recordings(args: argparse.Namespace, outputs: Iterable[Output]) -> Iterator[str]:
    from pytest_grounding.importers.searching import OWN_PATTERNS

    if getattr(args, "thing", "") != "transcripts":
        for output in outputs:
            if any(fnmatch(output.path, pattern) for pattern in OWN_PATTERNS):
                yield output.path


def _folders_of_inputs(args: argparse.Namespace) -> set[Path]:
    from pytest_grounding.importers.searching import WORK_MARK

    work = Path(args.work)
    if not work.is_dir() or (work / WORK_MARK).exists():
        return set()
    return {Path(file).parent for path in args.paths for file in _files_of(path) if Path(file).exists()}


def _files_of(path: str) -> Iterable[str]:
    from pytest_grounding.importers.searching import WORK_MARK, find_files

    folder = Path(path)
    if (folder / WORK_MARK).exists():
        # The files of a run in parts are read by name.
        return list(map(str, folder.iterdir()))
    try:
        return find_files(path)
    except InputError:
        # The reader reports the error.
        return ()
