"""Where goldens lie: one file a transcript in ``__golden__`` beside the tests, candidates apart."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_grounding._jsonio import write_atomic
from pytest_grounding.errors import InputError
from pytest_grounding.golden.record import Golden, Pending, as_text, read_golden, read_pending, shown

FOLDER = "__golden__"
PENDING = ".pending"
DECISIONS = "decisions"
GOLDEN_SUFFIX = ".golden.json"
PENDING_SUFFIX = ".pending.json"

_LONGEST = 80
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_ODD = re.compile(r"[^a-z0-9_-]+")
_LIKE_HASHED = re.compile(r"-[0-9a-f]{12}$")
# Windows keeps these for devices, with any ending.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})


def file_name(identifier: str) -> str:
    """A name that is safe on every file system, and another one for every other id."""
    plain = _PLAIN.fullmatch(identifier) and not _LIKE_HASHED.search(identifier)
    if plain and len(identifier) <= _LONGEST and not _RESERVED.match(identifier):
        return identifier
    folded = unicodedata.normalize("NFKD", identifier).encode("ascii", "ignore").decode().lower()
    slug = _ODD.sub("-", folded).strip("-_")[:_LONGEST] or "golden"
    digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{slug}-{digest}"


class Store:
    """The goldens of one folder of tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, folder: Path) -> Store:
        """The store of a folder of tests."""
        return cls(folder / FOLDER)

    def golden_path(self, identifier: str) -> Path:
        """Where the accepted recording lies."""
        return self.folder / f"{file_name(identifier)}{GOLDEN_SUFFIX}"

    def pending_path(self, identifier: str) -> Path:
        """Where the candidate lies."""
        return self.folder / PENDING / f"{file_name(identifier)}{PENDING_SUFFIX}"

    def log_path(self, identifier: str) -> Path:
        """Where the decisions are logged: a file a transcript, so that branches can be merged."""
        return self.folder / DECISIONS / f"{file_name(identifier)}.jsonl"

    def golden(self, identifier: str) -> Golden | None:
        """The accepted recording, or None."""
        path = self.golden_path(identifier)
        if not path.exists():
            return None
        found = read_golden(path)
        if found.id != identifier:
            raise InputError(
                f"holds the golden of {found.id!r}, not of {identifier!r}",
                path=shown(path),
                hint="give the file its old name back",
            )
        return found

    def pending(self, identifier: str) -> Pending | None:
        """The candidate that waits, or None; one that cannot be read counts as none."""
        path = self.pending_path(identifier)
        try:
            return read_pending(path) if path.exists() else None
        except InputError:
            return None

    def put_pending(self, record: Pending) -> None:
        """Keep a candidate for a review; it replaces an older one of the same id."""
        self.prepare()
        write_atomic(self.pending_path(record.candidate.id), as_text(record))

    def drop_pending(self, identifier: str) -> None:
        """Forget a candidate, where there is one."""
        with contextlib.suppress(FileNotFoundError):
            self.pending_path(identifier).unlink()

    def accept(self, record: Golden) -> None:
        """Make a recording the golden."""
        self.prepare()
        name = file_name(record.id)
        waiting = self.folder / PENDING / f"{name}.{os.getpid()}.accepting"
        write_atomic(waiting, as_text(record))
        os.replace(waiting, self.golden_path(record.id))
        self.drop_pending(record.id)

    def goldens(self) -> list[Path]:
        """The files of the accepted recordings, in order of their names."""
        return sorted(self.folder.glob(f"*{GOLDEN_SUFFIX}"))

    def candidates(self) -> list[Path]:
        """The files of the candidates, in order of their names."""
        return sorted((self.folder / PENDING).glob(f"*{PENDING_SUFFIX}"))

    def prepare(self) -> None:
        """Make the folder of the candidates, which tells git to ignore it."""
        ignore = self.folder / PENDING / ".gitignore"
        if not ignore.exists():
            write_atomic(ignore, "# Candidates that wait for: pytest-grounding review\n*\n")


def find_stores(roots: Sequence[Path]) -> Iterator[Store]:
    """The stores at and below some folders, each once, in order of their paths."""
    seen: set[Path] = set()
    for root in roots:
        for place, folders, files in os.walk(root):
            here = Path(place)
            if here.name == FOLDER:
                folders.clear()
                if here.resolve() not in seen:
                    seen.add(here.resolve())
                    yield Store(here)
                continue
            if "pyvenv.cfg" in files:
                folders.clear()
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
