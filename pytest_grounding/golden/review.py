"""Accept and reject: the candidates that wait, and what a person decides on them. No terminal code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.errors import InputError
from pytest_grounding.golden.changes import GRADES
from pytest_grounding.golden.decisions import Verb, author, log
from pytest_grounding.golden.record import Golden, Pending, read_golden, read_pending, shown
from pytest_grounding.golden.settle import by_policy
from pytest_grounding.golden.store import Store, find_stores

_ORDER = {"regression": 0, "new": 1, "improvement": 2, "neutral": 3}


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate that waits.

    Attributes:
        store: where it lies.
        record: the candidate and its changes.
        golden: what is accepted now, or None where nothing is or it cannot be read.
        stale: why the changes are not about the golden of now, or "".
    """

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
        """Path of the golden, which names the candidate where two share an id."""
        return shown(self.store.golden_path(self.id))

    def as_data(self) -> dict[str, Any]:
        """The candidate as plain JSON data, for scripts."""
        verdict = self.record.candidate.verdict
        return {
            "id": self.id,
            "golden": self.place,
            "grade": self.record.grade,
            "only_tools": self.record.only_tools,
            "stale": self.stale,
            "test": self.record.test,
            "status": {"old": self.golden and self.golden.verdict.status, "new": verdict.status},
            "confidence": {
                "old": self.golden and self.golden.verdict.confidence,
                "new": verdict.confidence,
            },
            "changes": [item.model_dump(mode="json") for item in self.record.changes],
        }


def waiting(roots: Sequence[Path]) -> tuple[list[Item], list[InputError]]:
    """The candidates below some folders, the gravest first, and what could not be read."""
    items, problems = [], []
    for store in find_stores(roots):
        for path in store.candidates():
            try:
                items.append(_item(store, read_pending(path)))
            except InputError as error:
                problems.append(error)
    return sorted(items, key=lambda item: (_ORDER[item.record.grade], item.place)), problems


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
    """The candidates of some names: ids, or paths of goldens.

    Raises:
        InputError: a name fits none, or several.
    """
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


def decide(item: Item, verb: Verb, *, reason: str, by: str = "") -> None:
    """Accept or reject one candidate, and log it.

    An accepted candidate becomes the golden. A rejected one is forgotten, and the same recording fails
    with the reason until another is made.

    Raises:
        InputError: the golden has changed since the comparison.
    """
    if item.stale:
        raise InputError(item.stale, path=item.place)
    who = by or author(item.store.folder)
    if verb == "accept":
        item.store.accept(item.record.candidate)
    log(item.store, item.record, verb, reason=reason, by=who)
    if verb == "reject":
        # Last: a candidate that is forgotten while its rejection is not written would wait anew, as if new.
        item.store.drop_pending(item.id)


def improvements(items: Iterable[Item]) -> list[Item]:
    """The candidates that got better and lost nothing."""
    return [item for item in items if item.record.grade == "improvement" and not item.stale]


def upgrade(items: Iterable[Item]) -> list[Item]:
    """Accept the candidates in which nothing changed but the engine or the settings; returns them."""
    chosen = [item for item in items if item.record.only_tools and not item.stale]
    for item in chosen:
        by_policy(item.store, item.record, "engine or settings changed")
    return chosen


def counts(items: Iterable[Item]) -> dict[str, int]:
    """How many candidates of each grade wait."""
    grades: list[str] = [item.record.grade for item in items]
    return {grade: grades.count(grade) for grade in ("new", *GRADES)}


def as_json(items: Sequence[Item]) -> str:
    """The list for scripts: one canonical JSON object with ``pending`` and ``counts``."""
    return canonical_json({"pending": [item.as_data() for item in items], "counts": counts(items)})
