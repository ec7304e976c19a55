"""Taking out old records, in the open: what goes is said before, and a line of the log says it after."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding.audit.chain import Link, link_of, parse
from pytest_grounding.audit.files import Files
from pytest_grounding.audit.reading import lines_of, time_of
from pytest_grounding.audit.verifying import verify
from pytest_grounding.audit.writing import Writer
from pytest_grounding.errors import InputError


class Plan(NamedTuple):
    """What a pruning takes out: always the oldest lines, up to the first that is young enough.

    Attributes:
        files: files that go as a whole.
        cut: the file of which the beginning goes, or None.
        offset: how many of its bytes go.
        lines: lines that go, those that the log wrote on itself too.
        validations: validations among them.
        through: number and hash of the last line that goes, or None when nothing goes.
        oldest: time of the first line that goes, or "".
        newest: time of the last one, or "".
    """

    files: tuple[Path, ...] = ()
    cut: Path | None = None
    offset: int = 0
    lines: int = 0
    validations: int = 0
    through: Link | None = None
    oldest: str = ""
    newest: str = ""


def plan(path: str | os.PathLike[str], before: datetime) -> Plan:
    """What pruning would take out.

    Args:
        path: the file that grows.
        before: lines that were written before this time go, from the beginning of the log on.

    Raises:
        InputError: there is no such log, or a file of it cannot be read.
    """
    files = Files(path)
    if not files.all():
        raise InputError("there is no such audit log", path=str(path))
    found = Plan()
    for file in files.all():
        found, offset, is_all = _old_lines(file, before, found)
        if is_all and file != files.path:
            found = found._replace(files=(*found.files, file))
        else:
            return found._replace(cut=file if offset else None, offset=offset)
    return found


def _old_lines(file: Path, before: datetime, found: Plan) -> tuple[Plan, int, bool]:
    """Count the old lines at the beginning of a file; how many bytes they have, and whether they are all."""
    offset = damaged = 0
    for line in lines_of(file):
        value = parse(line.raw) if line.whole else None
        if value is None:
            # A damaged line has no time: it goes with the old lines around it.
            damaged += 1
            continue
        time = str(value.get("timestamp"))
        if time_of(time) >= before:
            return found, offset, False
        offset = line.start + len(line.raw) + 1
        found = found._replace(
            lines=found.lines + damaged + 1,
            validations=found.validations + (value["kind"] == "validation"),
            through=link_of(value),
            oldest=found.oldest or time,
            newest=time,
        )
        damaged = 0
    return (found._replace(lines=found.lines + damaged) if offset else found), offset, offset > 0


def prune(
    path: str | os.PathLike[str], before: datetime, *, anyway: bool = False, sync: bool = False
) -> Plan:
    """Take out the oldest lines, and write a line into the log that says so.

    The line is written first: a pruning that is interrupted leaves lines that the next one takes out.

    Args:
        path: the file that grows.
        before: lines that were written before this time go, from the beginning of the log on.
        anyway: prune a log that is damaged, too.
        sync: wait until the disk holds the line before anything goes.

    Returns:
        What was taken out; ``through`` is None when nothing was old enough, and then nothing is written.

    Raises:
        InputError: there is no such log, it is damaged, or it cannot be written.
    """
    seen = _identity(path)
    found = plan(path, before)
    if found.through is None:
        return found
    damage = [item for item in verify(path).damage if not item.is_torn]
    if damage and not anyway:
        more = f" (and {len(damage) - 1} more)" if len(damage) > 1 else ""
        hint = "pruning would take traces away; look at it with verify, or say --anyway"
        raise InputError(f"the log is damaged: {damage[0]}{more}", hint=hint)
    # A rotation here would rename the file that is to be cut.
    writer = Writer(path, max_bytes=0, sync=sync)
    try:
        with writer.held() as head:
            if seen != _identity(path):
                # A file was rotated or pruned since; what was planned may hit another one.
                found = plan(path, before)
            if found.through is None:
                return found
            writer.write_held(head, [_marker(found, before, len(damage))])
            for file in found.files:
                file.unlink()
            if found.cut is not None:
                _cut_beginning(found.cut, found.offset)
    except OSError as error:
        problem = f"cannot be pruned ({error.strerror or error})"
        raise InputError(problem, path=str(error.filename or path)) from None
    return found


def _identity(path: str | os.PathLike[str]) -> dict[Path, tuple[int, int]]:
    """What tells whether the files of a log are still the same ones."""
    found = {}
    for file in Files(path).all():
        with suppress(FileNotFoundError):
            facts = file.stat()
            found[file] = (facts.st_dev, facts.st_ino)
    return found


def _marker(found: Plan, before: datetime, damaged: int) -> dict[str, Any]:
    assert found.through is not None
    validations = f"{found.validations} validation{'' if found.validations == 1 else 's'}"
    limit = before.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {
        "schema_version": 1,
        "kind": "pruned",
        "message": f"{validations} written before {limit} were pruned, up to line {found.through.sequence}",
        "details": {
            "through": found.through.sequence,
            "hash": found.through.hash,
            "lines": found.lines,
            "validations": found.validations,
            "oldest": found.oldest,
            "newest": found.newest,
            "before": limit,
            "damaged": damaged,
        },
    }


def _cut_beginning(file: Path, offset: int) -> None:
    """Leave out the first bytes of a file; whoever reads it sees the old file or the new one."""
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as target, open(file, "rb") as source:
            source.seek(offset)
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
        shutil.copymode(file, temporary)
        os.replace(temporary, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
