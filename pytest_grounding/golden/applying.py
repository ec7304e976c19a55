"""Decisions that somebody made on a review page, checked and carried out.

The page exports one JSON document. Each decision names the candidate by its hash, so that what was decided
on is what is accepted: a candidate that changed since is refused, and the others are carried out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from pytest_grounding._jsonio import parse
from pytest_grounding.errors import InputError
from pytest_grounding.golden.decisions import Verb
from pytest_grounding.golden.record import read_golden
from pytest_grounding.golden.review import Item, carry_out, waiting
from pytest_grounding.golden.store import find_stores
from pytest_grounding.model._base import Model

_WRITE_ANEW = "write the page anew: pytest-grounding review --html FILE"


class Decided(Model):
    """One decision.

    Attributes:
        id: id of the transcript, or the name that the test gave.
        golden: path of the golden as the page showed it.
        candidate: hash of the candidate.
        against: hash of the golden that it was compared with, or "".
        decision: accept or reject.
        reason: why, for the log.
    """

    id: str
    golden: str
    candidate: str
    against: str = ""
    decision: Literal["accept", "reject"]
    reason: str = ""


class DecisionsFile(Model):
    """What a review page exports."""

    schema_version: Literal[1] = 1
    decisions: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the decisions of a page.

    Attributes:
        done: candidates with what was decided on them.
        refused: one sentence for each that was not carried out.
        known: paths of goldens that hold the accepted candidate already.
    """

    done: tuple[tuple[Item, Verb], ...]
    refused: tuple[InputError, ...]
    known: tuple[str, ...]


def read_decisions(path: Path) -> tuple[Decided, ...]:
    """Read what a review page exported.

    Raises:
        InputError: the file cannot be read or is no such document, or decides twice on one candidate.
    """
    place = str(path)
    try:
        value = parse(path.read_text(encoding="utf-8-sig"), path=place)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=place) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", path=place) from None
    try:
        found = DecisionsFile.model_validate(value).decisions
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(step) for step in first["loc"])
        problem = f"is no export of a review page: {first['msg']}"
        raise InputError(problem, path=place, field=field or None, hint=_WRITE_ANEW) from None
    seen: set[tuple[str, str]] = set()
    for number, item in enumerate(found):
        if (item.id, item.golden) in seen:
            raise InputError(f"decides twice on {item.id!r}", path=place, field=f"decisions.{number}")
        seen.add((item.id, item.golden))
    return found


def apply(path: Path, roots: Sequence[Path], *, by: str = "") -> Applied:
    """Carry out the decisions of a page: each is checked before the first is carried out.

    Args:
        path: the exported file.
        roots: folders to search for the candidates.
        by: who decided; by default whom the configuration of git names.

    Raises:
        InputError: the file is none; then nothing is carried out.
    """
    decided = read_decisions(path)
    items, _ = waiting(roots, everything=True)
    chosen: list[tuple[Item, Verb, str]] = []
    refused: list[InputError] = []
    known: list[str] = []
    for entry in decided:
        try:
            item = _candidate(entry, items, roots)
        except InputError as error:
            refused.append(error)
            continue
        if item is None:
            known.append(entry.golden)
        else:
            chosen.append((item, entry.decision, entry.reason))
    carry_out(chosen, by=by)
    return Applied(tuple((item, verb) for item, verb, _ in chosen), tuple(refused), tuple(known))


def _candidate(entry: Decided, items: Sequence[Item], roots: Sequence[Path]) -> Item | None:
    """The candidate that a decision is about; None where it is the golden already.

    Raises:
        InputError: it is not there, or not the one that was decided on.
    """
    named = [item for item in items if item.id == entry.id]
    here = [item for item in named if item.place == entry.golden] or named
    same = [
        item
        for item in here
        if item.record.candidate.hash == entry.candidate and (item.record.against or "") == entry.against
    ]
    if len(same) == 1 and not same[0].stale:
        return same[0]
    if len(same) > 1:
        problem, hint = f"names {len(same)} candidates called {entry.id!r}", "apply it where it was written"
    elif same:
        problem, hint = same[0].stale, None
    elif here:
        problem = f"the candidate {entry.id!r} is another one than on the page"
        hint = f"look at it anew, or {_WRITE_ANEW}"
    elif entry.decision == "accept" and _is_golden(entry, roots):
        return None
    else:
        problem, hint = f"no candidate is called {entry.id!r} any more", "run the tests again"
    raise InputError(problem, path=entry.golden, hint=hint)


def _is_golden(entry: Decided, roots: Sequence[Path]) -> bool:
    for store in find_stores(roots):
        path = store.golden_path(entry.id)
        try:
            if path.exists() and read_golden(path).hash == entry.candidate:
                return True
        except InputError:
            continue
    return False
