"""Is the log what was written: every line sealed, none missing, none added, none torn."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding.audit.chain import START, Link, is_sound, link_of, parse
from pytest_grounding.audit.files import Files, head_of, missed_of, read_head
from pytest_grounding.audit.reading import Limit, RawLine, entry_of, raw_lines
from pytest_grounding.audit.writing import Writer
from pytest_grounding.errors import InputError


class Damage(NamedTuple):
    """One thing that is wrong with a log.

    Attributes:
        path: the file.
        line: 1-based line of it, or 0 for the file as a whole.
        message: what is wrong.
        is_torn: it is half a line at the end, which the next append repairs.
    """

    path: Path
    line: int
    message: str
    is_torn: bool = False

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: {self.message}"


@dataclass(slots=True)
class Integrity:
    """What an examination of a log found.

    Attributes:
        files: how many files it has.
        records: validations in it.
        notes: lines that the log wrote on itself.
        damage: what is wrong, in the order of the lines; none when the log is intact.
        remarks: what is right and worth knowing: pruned parts, repairs, records that were missed.
        first: number of the first line that is still there, or None.
        last: number and hash of the last line: the anchor to keep elsewhere; None for an empty log.
    """

    files: int = 0
    records: int = 0
    notes: int = 0
    damage: list[Damage] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    first: int | None = None
    last: Link | None = None

    @property
    def is_intact(self) -> bool:
        """Nothing is wrong."""
        return not self.damage


def verify(path: str | os.PathLike[str], *, anchor: str | None = None) -> Integrity:
    """Examine every line of a log, in constant memory.

    Args:
        path: the file that grows; its rotated files belong to it.
        anchor: ``NUMBER:HASH`` of a line, as it was noted elsewhere earlier; the log must still hold it.

    Raises:
        InputError: there is no such log, it holds no line and nothing tells that it ever did, a file cannot
            be read, or the anchor is none.
    """
    wanted = parse_anchor(anchor) if anchor else None
    files = Files(path)
    limit, head = _snapshot(files)
    examined = _Examination(files.path, [link for link in (head, wanted) if link])
    if head is not None and not files.all():
        # All of it is gone but the head, which knows that there was a log.
        return examined.conclude(0, head, wanted)
    for line in raw_lines(path, limit):
        examined.take(line)
    if examined.is_empty and wanted is None and not files.head.exists():
        # "Intact" would be said of a file that never was a log, and of one that was emptied with its head.
        hint = "name the file that a log grows in"
        raise InputError("is empty, and has no head beside it: nothing to verify", path=str(path), hint=hint)
    return examined.conclude(len(files.all()), head, wanted)


def parse_anchor(text: str) -> Link:
    """Number and hash of a line that was noted earlier.

    Raises:
        InputError: it is not of the form ``NUMBER:HASH`` with 64 hexadecimal digits.
    """
    number, _, digest = text.partition(":")
    sequence = int(number) if number.isdecimal() and len(number) <= 20 else 0
    link = link_of({"sequence": sequence, "hash": digest.lower(), "kind": ""})
    if link is None:
        hint = "write NUMBER:HASH as an earlier verify printed it"
        raise InputError(f"anchor {text!r} is none", hint=hint)
    return link


def _snapshot(files: Files) -> tuple[Limit | None, Link | None]:
    """Where the growing file ends between two writes, and what the head says then."""
    if not files.head.exists():
        return None, None
    with contextlib.suppress(OSError), Writer(files.path, max_bytes=0, sync=False).held() as head:
        known = read_head(head)
        try:
            facts = files.path.stat()
        except FileNotFoundError:
            return None, known
        return Limit(facts.st_dev, facts.st_ino, facts.st_size), known
    # Without the right to lock, the head is read first: lines may be added after, none goes.
    return None, head_of(files.head)


class _Examination:
    """Takes the lines in order and notes what is wrong."""

    def __init__(self, path: Path, noted: list[Link]) -> None:
        self.path = path
        self.found = Integrity()
        self.last = START
        self.place: RawLine | None = None
        #: Lines since the last sound one that could not be read: each stands for one number.
        self.unread = 0
        self.noted = {link.sequence: "" for link in noted}
        self.before_first: tuple[RawLine, Link] | None = None
        self.pruned: set[Link] = set()

    @property
    def is_empty(self) -> bool:
        """No line was taken, whole or torn."""
        return self.place is None and not self.found.damage

    def take(self, line: RawLine) -> None:
        if not line.whole:
            message = "is torn: its writer was stopped in the middle"
            is_end = line.path == self.path
            repair = "; the next append repairs it" if is_end else ""
            self.found.damage.append(Damage(line.path, line.number, message + repair, is_torn=is_end))
            return
        value = parse(line.raw)
        if value is None or not is_sound(value, line.raw):
            known = "was edited: it does not match its own hash" if value else "is no audit record"
            self._say(line, known)
            self.unread += 1
            return
        self._count(line, value)
        self._connect(line, value)

    def _count(self, line: RawLine, value: Mapping[str, Any]) -> None:
        entry = entry_of(line)
        if isinstance(entry, InputError):
            self._say(line, f"carries a right hash, but {entry.problem}")
        elif entry.kind == "validation":
            self.found.records += 1
        else:
            self.found.notes += 1
            details = entry.details
            if entry.kind == "pruned":
                through = {"sequence": details.get("through"), "hash": details.get("hash"), "kind": ""}
                self.pruned.update(filter(None, [link_of(through)]))
            if entry.kind == "cut":
                self._say(line, f"says: {entry.message}")
            else:
                self.found.remarks.append(f"{line.path}:{line.number}: {entry.message}")

    def _connect(self, line: RawLine, value: Mapping[str, Any]) -> None:
        link, previous = Link(value["sequence"], value["hash"]), str(value.get("previous"))
        if link.sequence in self.noted:
            self.noted[link.sequence] = link.hash
        if self.place is None:
            self.found.first = link.sequence
            before = Link(link.sequence - 1 - self.unread, "" if self.unread else previous)
            # A line that says itself what is missing before it needs no other word.
            if before.sequence >= 0 and before != START and before != (0, "") and value["kind"] != "cut":
                self.before_first = (line, before)
        elif link.sequence <= self.last.sequence:
            self._say(line, f"was inserted or moved: number {link.sequence} has been before")
            return
        else:
            self._compare(line, value, link, previous)
        self.last, self.place, self.unread = link, line, 0

    def _compare(self, line: RawLine, value: Mapping[str, Any], link: Link, previous: str) -> None:
        missing = link.sequence - self.last.sequence - 1 - self.unread
        if missing > 0 and value["kind"] != "cut":
            lines = "1 line is" if missing == 1 else f"{missing} lines are"
            self._say(line, f"{lines} missing before it: it is number {link.sequence} of the log")
        elif link.sequence == self.last.sequence + 1 and previous != self.last.hash and self.place:
            self._say(self.place, "was edited or replaced: the line after it carries another hash of it")

    def _say(self, line: RawLine, message: str) -> None:
        self.found.damage.append(Damage(line.path, line.number, message))

    def conclude(self, files: int, head: Link | None, anchor: Link | None) -> Integrity:
        found = self.found
        found.files = files
        found.last = self.last if self.place is not None else None
        if self.before_first is not None:
            line, gone = self.before_first
            # A pruning that was interrupted has taken out less than it said, and where the first lines
            # cannot be read, nobody says which hash came before them.
            known = gone in self.pruned or any(
                item.sequence > gone.sequence or (item.sequence == gone.sequence and not gone.hash)
                for item in self.pruned
            )
            if known:
                found.remarks.insert(0, f"lines 1 to {gone.sequence} of the log were pruned")
            elif not gone.sequence:
                self._say(line, "is number 1 of the log, but says that another line was before it")
            else:
                message = f"the {gone.sequence} lines before it are missing, and no pruning accounts for them"
                self._say(line, message)
        if head is None:
            found.remarks.append(
                f"{self.path.name}.head is missing or cannot be read: whether lines are missing at the end "
                "cannot be told"
            )
        else:
            self._compare_noted(head, "had been written")
        missed = missed_of(Files(self.path).head)
        if missed.number:
            number = f"{missed.number} validation{'s' if missed.number > 1 else ''}"
            message = f"{number} after its last line could not be written ({os.strerror(missed.errno)})"
            found.remarks.append(f"{self.path}: {message}; the next record will say so in a line of its own")
        if anchor is not None:
            self._compare_noted(anchor, "was noted as the anchor")
        return found

    def _compare_noted(self, link: Link, how: str) -> None:
        """Hold the log against a line that is known to have stood in it."""
        there = self.noted.get(link.sequence, "")
        if there == link.hash:
            return
        if not there and any(pruned.sequence >= link.sequence for pruned in self.pruned):
            self.found.remarks.append(f"line {link.sequence} of the log, which {how}, was pruned since")
            return
        damage = self.found.damage
        if there:
            message = f"line {link.sequence} of the log is not the one that {how}: the chain was written anew"
        elif link.sequence > self.last.sequence + self.unread:
            message = f"the log ends with line {self.last.sequence}, but line {link.sequence} {how}"
        elif damage:
            return  # it is one of the lines that have been named
        else:
            message = f"line {link.sequence}, which {how}, is missing"
        damage.append(Damage(self.path, 0, message))
