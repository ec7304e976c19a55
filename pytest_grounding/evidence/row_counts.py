"""How many rows or items a table or list has which a claim counts: "there are four reservoirs"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_grounding.evidence.held_entries import Entries, Held, key_stems
from pytest_grounding.evidence.settled import Outcome, Place
from pytest_grounding.evidence.token_index import ChunkIndex, light_stems
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.words import Token

_FEWEST, _MOST = 2, 60  # rows that are counted
_NUMBER = "number"
_SOME = frozenset({"first", "last", "next", "other", "remaining"})  # "the first two steps" are not all


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a table, or the items below a line."""

    first: Held
    names: tuple[str, ...]
    about: frozenset[str]  # what they are called, as stems: the label of their column, the line above


def counted_rows(
    fact: Fact,
    tokens: Sequence[Token],
    own: frozenset[str],
    entries: Entries,
    indexes: Sequence[ChunkIndex],
) -> Outcome | None:
    """What the rows say that a number of a claim counts; None where it counts none."""
    noun = next((token for token in tokens if token.start >= fact.end and not token.is_stop), None)
    before = next((token.norm for token in reversed(tokens) if token.end <= fact.start), "")
    is_count = fact.kind == _NUMBER and not fact.unit and before not in _SOME
    if noun is None or not is_count or fact.value is None or not _FEWEST <= fact.value <= _MOST:
        return None
    found = [rows for rows in _all_rows(entries, indexes) if noun.stem in rows.about]
    for rows in found:
        if len(rows.names) == fact.value:
            return Outcome("computed", _place_of(rows), formula=", ".join(rows.names))
    within = {token.stem for token in tokens if fact.start <= token.start < fact.end}
    if len(found) == 1 and own - within - light_stems() <= found[0].about:
        # "There are two steps": nothing is said of them but how many they are.
        nearest = f"{len(found[0].names)}: {', '.join(found[0].names)}"
        return Outcome("denied", nearest=nearest)
    return None


def _place_of(rows: _Rows) -> Place:
    return Place(rows.first.chunk, rows.first.start, rows.first.end)


def _all_rows(entries: Entries, indexes: Sequence[ChunkIndex]) -> Iterator[_Rows]:
    tables: dict[tuple[int, int, frozenset[str]], list[Held]] = {}
    for held in entries.all:
        if held.group or (held.heading.full and held.row.full and not held.label.full):
            tables.setdefault((held.chunk, held.group, held.heading.full), []).append(held)
    for rows in tables.values():
        first = rows[0]
        names = tuple(dict.fromkeys(held.named or held.text.strip() for held in rows))
        about = first.heading.full
        if first.group and first.named:
            about |= _label_of_names(first, indexes[first.chunk], entries.language)
        if _FEWEST <= len(names) <= _MOST:
            yield _Rows(first, names, about)


def _label_of_names(held: Held, index: ChunkIndex, language: str) -> frozenset[str]:
    """The label of the column that names the rows: it stands before the name in its sentence."""
    line = index.text[index.text.rfind("\n", 0, held.start) + 1 : held.start]
    return key_stems(line.partition(held.named)[0], language)
