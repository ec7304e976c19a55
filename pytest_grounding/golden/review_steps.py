"""Accept and reject: the candidates that wait, and a person's decisions on them. No terminal code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding.errors import InputError
from pytest_grounding.golden.decisions import Verb, append, author, line_of
from pytest_grounding.golden.golden_file import GRADES, Golden, Pending, read_golden, read_pending, shown
from pytest_grounding.golden.golden_store import Store, find_stores

_ORDER = {"regression": 0, "new": 1, "improvement": 2, "neutral": 3}
_STATUS = {"reject": 0, "review": 1, "pass": 2}


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate that waits."""

    store: Store
    record: Pending
    golden: Golden | None
    stale: str = ""

    @property
    def id(self) -> str:
        """Id of the transcript, or the name that the test gave."""
        return self.record.candidate.id

    @property
    def place(self) -> str:
        """Path of the golden; it identifies the candidate if several share an id."""
        return shown(self.store.golden_path(self.id))

    def as_data(self) -> dict[str, Any]:
        """The candidate as plain JSON data, for scripts."""
        verdict = self.record.candidate.verdict
        return {
            "id": self.id,
            "golden": self.place,
            "candidate": self.record.candidate.hash,
            "against": self.record.against or "",
            "grade": self.record.grade,
            "only_tools": self.record.only_tools,
            "stale": self.stale,
            "test": self.record.test,
            "status": {"old": self.golden and self.golden.verdict.status, "new": verdict.status},
            "confidence": {"old": self.golden and self.golden.verdict.confidence, "new": verdict.confidence},
            "changes": [item.model_dump(mode="json") for item in self.record.changes],
        }


def waiting(roots: Sequence[Path], *, everything: bool = False) -> tuple[list[Item], list[InputError]]:
    """The candidates below some folders, most severe first, and the errors of unreadable ones."""
    items, problems = [], []
    for store in find_stores(roots):
        for path in store.candidates():
            try:
                record = read_pending(path)
            except InputError as error:
                problems.append(error)
                continue
            if everything or record.waits:
                items.append(_item(store, record))
    return sorted(items, key=_gravity), problems


def _gravity(item: Item) -> tuple[int, int, str]:
    return _ORDER[item.record.grade], _STATUS[item.record.candidate.verdict.status], item.place


def _item(store: Store, record: Pending) -> Item:
    path = store.golden_path(record.candidate.id)
    try:
        golden = read_golden(path) if path.exists() else None
    except InputError as error:
        return Item(store, record, None, str(error))
    if (golden.hash if golden is not None else None) != record.against:
        return Item(store, record, golden, "the golden has changed since; run the tests again")
    return Item(store, record, golden)


def pick(items: Sequence[Item], names: Iterable[str]) -> list[Item]:
    """The candidates with some names: ids, or paths of goldens."""
    found: list[Item] = []
    for name in names:
        fits = [item for item in items if name in (item.id, item.place)]
        if not fits:
            raise InputError(f"no candidate is called {name!r}", hint="see: pytest-grounding review --list")
        if len(fits) > 1:
            places = ", ".join(item.place for item in fits)
            raise InputError(
                f"{name!r} names {len(fits)} candidates", hint=f"write the path of one: {places}"
            )
        found += [item for item in fits if item not in found]
    return found


def decide_all(items: Sequence[Item], verb: Verb, *, reason: str, by: str = "", person: bool = True) -> None:
    """Accept or reject candidates, and log each decision."""
    stale = next((item for item in items if item.stale), None)
    if stale is not None:
        raise InputError(stale.stale, path=stale.place)
    who: dict[Path, str] = {}
    for item in items:
        store = item.store
        if store.folder not in who:
            who[store.folder] = by or author(store.folder)
        line = line_of(item.record, verb, reason=reason, by=who[store.folder], person=person)
        if verb == "accept":
            store.accept(item.record.candidate)
        append(store, item.id, line)
        if verb == "reject":
            # Last: a candidate deleted before its rejection is written would wait again as if new.
            store.drop_pending(item.id)


def of_grade(items: Iterable[Item], grade: str) -> list[Item]:
    """The candidates of a grade that may be accepted together; new ones only if they pass the gate."""
    same = [item for item in items if item.record.grade == grade and not item.stale]
    return [item for item in same if grade != "new" or item.record.candidate.verdict.status == "pass"]


def upgrade(items: Iterable[Item]) -> list[Item]:
    """Accept the candidates in which nothing changed but the engine or the settings, and return them."""
    chosen = [item for item in items if item.record.only_tools and not item.stale]
    decide_all(chosen, "accept", reason="engine or settings changed", person=False)
    return chosen


def counts(items: Iterable[Item]) -> dict[str, int]:
    """How many candidates of each grade wait."""
    grades: list[str] = [item.record.grade for item in items]
    return {grade: grades.count(grade) for grade in ("new", *GRADES)}


def as_json(items: Sequence[Item]) -> str:
    """The list for scripts: one canonical JSON object with ``pending`` and ``counts``."""
    return canonical_json({"pending": [item.as_data() for item in items], "counts": counts(items)})
