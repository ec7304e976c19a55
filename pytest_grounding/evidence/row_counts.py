"""How many rows or items a table or list has which a claim counts: "there are four reservoirs"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounding.evidence.held_entries import Entries, Held, key_stems
from pytest_grounding.evidence.settled import Outcome, Place
from pytest_grounding.evidence.token_index import ChunkIndex, light_stems
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.words import Token, stem_of

_FEWEST, _MOST = 2, 60  # rows that are counted
#: The words, as stems, of a row that sums up the others.
TOTALS = frozenset(map(stem_of, words("layout", "total_rows")))
_KEPT = 64  # sets of chunks whose rows are kept
_NUMBER = "number"
_SOME = frozenset({"first", "last", "next", "other", "remaining"})  # "the first two steps" are not all


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table, or the items below a line."""

    cells: Sequence[Held]
    names: tuple[str, ...]
    about: frozenset[str]  # what they are called, as stems: the label of their column, the line above

    @property
    def place(self) -> Place:
        """Where they begin."""
        return Place(self.cells[0].chunk, self.cells[0].start, self.cells[0].end)


def counted_rows(
    fact: Fact, tokens: Sequence[Token], own: frozenset[str], entries: Entries
) -> Outcome | None:
    """What the rows say that a number of a claim counts; None where it counts none."""
    behind = [token for token in tokens if token.start >= fact.end]
    place = next((at for at, token in enumerate(behind) if not token.is_stop), 0)
    is_verb_between = any(is_finite_verb(token.norm) for token in behind[: place + 1])
    noun = behind[place] if behind and not is_verb_between else None
    before = next((token.norm for token in reversed(tokens) if token.end <= fact.start), "")
    is_count = fact.kind == _NUMBER and not fact.unit and before not in _SOME
    if noun is None or not is_count or fact.value is None or not _FEWEST <= fact.value <= _MOST:
        return None
    found = [rows for rows in table_rows(entries) if noun.stem in rows.about]
    for rows in found:
        if len(rows.names) == fact.value:
            return Outcome("computed", rows.place, formula=", ".join(rows.names))
    within = {token.stem for token in tokens if fact.start <= token.start < fact.end}
    for rows in found:
        outcome = _of_some_rows(fact, own - within - rows.about - light_stems(), rows)
        if outcome is not None:
            return outcome
    if len(found) == 1 and own - within - light_stems() <= found[0].about:
        # "There are two steps": nothing is said of them but how many they are.
        nearest = f"{len(found[0].names)}: {', '.join(found[0].names)}"
        return Outcome("denied", nearest=nearest)
    return None


def _of_some_rows(fact: Fact, said: frozenset[str], rows: TableRows) -> Outcome | None:
    """What the rows say of which a claim gives the number: those with "Wednesday", or a yes for power."""
    records: dict[str, set[str]] = {name: set() for name in rows.names}
    for held in rows.cells:
        name = held.named or held.text.strip()
        if held.is_yes:
            records[name] |= held.label.full
        elif held.is_yes is None:
            records[name] |= held.words
    every = frozenset().union(*records.values())
    known = sorted(said & every)
    having = [name for name, record in records.items() if known and record.issuperset(known)]
    if not having or len(having) == len(records):
        return None
    if len(having) == fact.value:
        return Outcome("computed", rows.place, formula=", ".join(having))
    is_all_known = len(known) == len(said)
    return Outcome("denied", nearest=f"{len(having)}: {', '.join(having)}") if is_all_known else None


@lru_cache(maxsize=_KEPT)
def table_rows(entries: Entries) -> tuple[TableRows, ...]:
    """The rows of each table, and the items of each list."""
    tables: dict[tuple[int, int, frozenset[str]], list[Held]] = {}
    for held in entries.all:
        if held.row.full and held.row.full <= TOTALS:
            continue
        if held.group or (held.heading.full and held.row.full and not held.label.full):
            tables.setdefault((held.chunk, held.group, held.heading.full), []).append(held)
    found = []
    for rows in tables.values():
        first = rows[0]
        names = tuple(dict.fromkeys(held.named or held.text.strip() for held in rows))
        about = first.heading.full
        if first.group and first.named:
            about |= _label_of_names(first, entries.indexes[first.chunk], entries.language)
        if _FEWEST <= len(names) <= _MOST:
            found.append(TableRows(rows, names, about))
    return tuple(found)


def _label_of_names(held: Held, index: ChunkIndex, language: str) -> frozenset[str]:
    """The label of the column that names the rows: it stands before the name in its sentence."""
    line = index.text[index.text.rfind("\n", 0, held.start) + 1 : held.start]
    before, name, _ = line.partition(held.named)
    return key_stems(before, language) if name else frozenset()
