"""What a claim says of all, none, some or only one of the rows of a table: "none of the rooms is heated"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_grounding.evidence.entry_facts import entries_in
from pytest_grounding.evidence.held_entries import HALF, Held, key_letters, key_stems, meant_by
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.row_counts import TableRows, table_rows
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import SentenceWords, words_of_claim
from pytest_grounding.evidence.threshold_facts import keeps
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactType
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.words import Token

_ALL, _NONE, _ALONE = words("limits", "all rows"), words("limits", "no row"), words("denials", "alone")
_OF, _NOT, _ONE = "of", "not", "one"
_NEAR = 2  # content words behind it in which what the rows are stands
_LONGEST = 30  # words of a claim, at most


@dataclass(frozen=True, slots=True)
class _Scope:
    """How many rows a claim speaks of: from a lowest to a highest number, or those that it names alone."""

    token: Token
    kind: str  # "all", "none", "not all", "some", "only"
    count: int = 0


def row_scopes_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The word of a claim that says of how many rows of a table something holds; English only."""
    entries = entries_in(sources)
    if sources.language != "en" or not entries.all:
        return
    said = words_of_claim(text)
    scope = _scope_of(said, text) if len(said.tokens) <= _LONGEST else None
    if scope is None:
        return
    for rows in table_rows(entries):
        if scope.kind != "only" and not _speaks_of_rows(scope, rows, said.tokens):
            continue
        settled = list(_settled_by_rows(scope, rows, said, sources))
        if settled:
            yield from settled
            return


def _settled_by_rows(
    scope: _Scope, rows: TableRows, said: SentenceWords, sources: LedgerSources
) -> Iterator[Settled]:
    column = _column_of(rows, said, sources)
    outcome = _outcome_of_scope(scope, rows, column, said, sources) if column else None
    if not column and scope.kind == "none" and (having := _rows_saying(rows, said)):
        outcome = Outcome("denied", nearest=", ".join(having))
    if outcome is None:
        return
    kind: FactType = "quantity" if scope.kind == "some" else "operator"
    yield Settled(kind, scope.token.start, scope.token.end, outcome)
    if outcome.status == "computed":
        limits = [fact for fact in typed_values(said.text) if fact.bound]
        yield from (Settled("quantity", fact.lead, fact.tail, outcome) for fact in limits)


def _rows_saying(rows: TableRows, said: SentenceWords) -> list[str]:
    """The rows that have all that a claim says of none: "Lemon sorbet (vegan)"."""
    told = {token.stem for token in said.tokens if not (token.is_stop or token.norm in _NONE)} - rows.about
    return [held.text.strip() for held in rows.cells if told and told <= held.words | held.row.full]


def _scope_of(said: SentenceWords, text: str) -> _Scope | None:
    """The first word of a claim that says of how many something holds."""
    norms = [token.norm for token in said.tokens]
    values = {fact.start: fact for fact in typed_values(text)}
    for at, token in enumerate(said.tokens):
        if norms[at] in _ALONE and at == 0:
            return _Scope(token, "only")
        if norms[at] in _NONE:
            return _Scope(token, "none")
        if norms[at] in _ALL:
            return _Scope(token, "not all" if at and norms[at - 1] == _NOT else "all")
        if norms[at + 1 : at + 2] == [_OF] and (count := _number_before_of(token, values.get(token.start))):
            return _Scope(token, "some", count)
    return None


def _speaks_of_rows(scope: _Scope, rows: TableRows, tokens: Sequence[Token]) -> bool:
    """Whether what the rows are stands right behind the word: "none of the rooms", but not "no balcony"."""
    behind = [token for token in tokens if token.start > scope.token.start and not token.is_stop]
    return any(token.stem in rows.about for token in behind[:_NEAR])


def _number_before_of(token: Token, fact: Fact | None) -> int:
    """The number before "of the rooms"; 0 for any other word."""
    if token.text.lower() == _ONE:
        return 1
    is_count = fact is not None and fact.kind == "number" and not fact.bound
    return int(fact.value) if is_count and fact is not None and fact.value is not None else 0


def _column_of(rows: TableRows, said: SentenceWords, sources: LedgerSources) -> Mapping[str, bool]:
    """Row -> whether what a claim says holds for it; empty where no column tells it of every row."""
    bounded = [fact for fact in typed_values(said.text) if fact.bound]
    stems = meant_by(key_stems(said.text, sources.language) - rows.about)
    columns: dict[frozenset[str], list[Held]] = {}
    for held in rows.cells:
        columns.setdefault(held.label.full, []).append(held)
    for label, cells in columns.items():
        if len({held.named for held in cells}) != len(rows.names) or len(cells) != len(rows.names):
            continue
        if len(bounded) == 1 and all(_is_comparable(held, bounded[0]) for held in cells):
            return {held.named: keeps(held.facts[0].value or 0.0, bounded[0]) for held in cells}
        is_named = bool(label) and stems.share_of(label) >= HALF
        if is_named and not bounded and all(held.is_yes is not None for held in cells):
            return {held.named: bool(held.is_yes) for held in cells}
    return {}


def _is_comparable(held: Held, limit: Fact) -> bool:
    if len(held.facts) != 1:
        return False
    fact = held.facts[0]
    return fact.unit == limit.unit and fact.value is not None and fact.value == fact.high and not fact.bound


def _outcome_of_scope(
    scope: _Scope,
    rows: TableRows,
    column: Mapping[str, bool],
    said: SentenceWords,
    sources: LedgerSources,
) -> Outcome | None:
    """Whether as many rows have what a claim says; None where it denies it besides."""
    others = [token for token in said.tokens if token is not scope.token and is_denier(token.norm)]
    if len(others) > (scope.kind == "not all"):
        return None
    having = [name for name, is_so in column.items() if is_so]
    if scope.kind == "only":
        named = _named_rows(rows, said, sources)
        is_right = bool(named) and named == frozenset(having)
        if not named:
            return None
    else:
        is_right = {
            "all": len(having) == len(column),
            "not all": len(having) < len(column),
            "none": not having,
            "some": len(having) == scope.count,
        }[scope.kind]
    shown = ", ".join(having) or "none of them"
    if is_right:
        return Outcome("computed", rows.place, formula=shown)
    return Outcome("denied", nearest=shown)


def _named_rows(rows: TableRows, said: SentenceWords, sources: LedgerSources) -> frozenset[str]:
    """The rows that a claim names by all their words."""
    told = key_stems(said.text, sources.language) | key_letters(said.tokens)
    cores: dict[str, frozenset[str]] = {held.named: held.row.core for held in rows.cells}
    return frozenset([name for name, core in cores.items() if core and core - rows.about <= told])
