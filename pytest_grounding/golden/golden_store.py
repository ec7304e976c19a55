"""The folder of the goldens: reading, writing, and finding those that no test uses."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pytest_grounding._io.jsonio import iter_records, write_atomic, write_json
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_file import Golden, Pending, as_text, read_golden, read_pending, shown

FOLDER = "__golden__"
PENDING = ".pending"
DECISIONS = "decisions"
GOLDEN_SUFFIX = ".golden.json"
PENDING_SUFFIX = ".pending.json"

_LONGEST = 80
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_ODD = re.compile(r"[^a-z0-9_-]+")
_LIKE_HASHED = re.compile(r"-[0-9a-f]{12}$")
# Windows reserves these names for devices, with any extension.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})


def file_name(identifier: str) -> str:
    """A name that is safe on every file system, and different for every id."""
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
        """The path of the accepted recording."""
        return self.folder / f"{file_name(identifier)}{GOLDEN_SUFFIX}"

    def pending_path(self, identifier: str) -> Path:
        """The path of the candidate."""
        return self.folder / PENDING / f"{file_name(identifier)}{PENDING_SUFFIX}"

    def log_path(self, identifier: str) -> Path:
        """The path of the log of decisions: a file per transcript, so that branches can be merged."""
        return self.folder / DECISIONS / f"{file_name(identifier)}.jsonl"

    def golden(self, identifier: str) -> Golden | None:
        """The accepted recording, or None."""
        path = self.golden_path(identifier)
        if not path.exists():
            return None
        found = read_golden(path)
        if found.id != identifier:
            raise InputError(
                f"contains the golden of {found.id!r}, not of {identifier!r}",
                path=shown(path),
                hint="give the file its old name back",
            )
        return found

    def pending(self, identifier: str) -> Pending | None:
        """The waiting candidate, or None; an unreadable one counts as none."""
        path = self.pending_path(identifier)
        try:
            return read_pending(path) if path.exists() else None
        except InputError:
            return None

    def put_pending(self, record: Pending) -> None:
        """Store a candidate for review; it replaces an older one of the same id."""
        self.prepare()
        write_atomic(self.pending_path(record.candidate.id), as_text(record))

    def drop_pending(self, identifier: str) -> None:
        """Delete a candidate, if there is one."""
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
        """The files of the accepted recordings, sorted by name."""
        return sorted(self.folder.glob(f"*{GOLDEN_SUFFIX}"))

    def candidates(self) -> list[Path]:
        """The files of the candidates, sorted by name."""
        return sorted((self.folder / PENDING).glob(f"*{PENDING_SUFFIX}"))

    def prepare(self) -> None:
        """Create the folder of the candidates, ignored by git."""
        ignore = self.folder / PENDING / ".gitignore"
        if not ignore.exists():
            write_atomic(ignore, "# Candidates that wait for: pytest-grounding review\n*\n")


def find_stores(roots: Sequence[Path]) -> Iterator[Store]:
    """The stores at and below some folders, each once, sorted by path."""
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


_LIST = "unused.json"


def note_use(store: Store, used: Iterable[Path], *, whole: bool) -> list[Path]:
    """Store which goldens no test used."""
    asked = {path.name for path in used}
    listed = _listed(store)
    if whole:
        found = [path for path in store.goldens() if path.name not in asked]
        names = [path.name for path in found]
    else:
        found, names = [], [name for name in listed if name not in asked]
    if names != listed:
        path = store.folder / PENDING / _LIST
        with contextlib.suppress(OSError):
            if names:
                store.prepare()
                write_json(path, names)
            else:
                path.unlink(missing_ok=True)
    return found


def prunable(store: Store) -> list[Path]:
    """The goldens that the last complete run did not use, and that still exist."""
    return [store.folder / name for name in _listed(store) if (store.folder / name).exists()]


def prune(store: Store) -> list[Path]:
    """Delete them and their candidates, and return what was deleted; the log of decisions is kept."""
    removed = prunable(store)
    for path in removed:
        path.unlink()
        name = path.name.removesuffix(GOLDEN_SUFFIX)
        (store.folder / PENDING / f"{name}{PENDING_SUFFIX}").unlink(missing_ok=True)
    (store.folder / PENDING / _LIST).unlink(missing_ok=True)
    return removed


def _listed(store: Store) -> list[str]:
    path = store.folder / PENDING / _LIST
    if not path.exists():
        return []
    for record in iter_records(path):
        if not isinstance(record, InputError) and isinstance(record.value, list):
            # File names only: whatever the list contains, nothing outside of the folder is touched.
            plain = [str(name) for name in record.value if isinstance(name, str) and Path(name).name == name]
            return [name for name in plain if name.endswith(GOLDEN_SUFFIX)]
    return []
