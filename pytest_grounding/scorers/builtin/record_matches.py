"""Claims against records: a value and its subject must be in one row, card or object."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.sentence_view import VALUES, numbers_in
from pytest_grounding.evidence.token_index import ChunkIndex, index_of
from pytest_grounding.lexicon import fields, words
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.questions.question_words import Families, synonyms_of
from pytest_grounding.reading.facts import Fact, comparable, compatible, extract_facts
from pytest_grounding.reading.visible_text import page_of
from pytest_grounding.reading.words import Token, stem_of, tokenize

#: Words of a cell that a claim may repeat; a longer one is prose.
_MOST_WORDS = 6
#: A smaller number without a unit is too common: the claim must name its label.
_LEAST_BARE = 100.0
#: Log odds of a claim that gives one record the value of another.
_ODDS = 6.0
#: Weight of a synonym of a label, beside the label's own words.
_BY_CUE = 0.75
#: A claim that compares, denies or pairs does not give a record a value.
_COMPARING = words("layout", "comparing")
_PERIOD = lazy(r"(?i)[ ]?/| per | an? | each | every ")
_EMPTY = words("layout", "empty_cells")


class Value(NamedTuple):
    """A cell: label, position, stems and facts, and whether it is a name."""

    label: str
    start: int
    end: int
    text: str
    stems: tuple[str, ...]
    facts: tuple[Fact, ...]


class Row(NamedTuple):
    """A record of a chunk."""

    chunk: int
    table: int
    values: tuple[Value, ...]


class Said(NamedTuple):
    """A stretch of a claim that may match a cell: words first to last, and its fact if it is one."""

    first: int
    last: int
    text: str
    start: int
    fact: Fact | None


class Rows:
    """The records of all chunks, indexed by words and values."""

    def __init__(self, owns: Sequence[str], language: str) -> None:
        self.indexes: list[ChunkIndex] = []
        self.rows: list[Row] = []
        self.by_words: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        self.by_number: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for chunk, own in enumerate(owns):
            page = page_of(own)
            index = index_of(page.text, language)
            self.indexes.append(index)
            records = page.laid.records if page.laid is not None else ()
            if records:
                self._read(chunk, index, records)

    def _read(self, chunk: int, index: ChunkIndex, records: Sequence[object]) -> None:
        starts = [token.start for token in index.tokens]
        facts = [fact for fact in extract_facts(index.text) if fact.kind in VALUES]
        fact_starts = [fact.start for fact in facts]
        for record in records:
            values = []
            for cell in record.cells:  # type: ignore[attr-defined]
                low, high = bisect_left(starts, cell.start), bisect_left(starts, cell.end)
                first, last = bisect_left(fact_starts, cell.start), bisect_left(fact_starts, cell.end)
                stems = tuple([token.stem for token in index.tokens[low:high]])
                text = index.text[cell.start : cell.end].strip()
                values.append(Value(cell.label, cell.start, cell.end, text, stems, tuple(facts[first:last])))
            self._add(Row(chunk, record.table, tuple(values)))  # type: ignore[attr-defined]

    def _add(self, row: Row) -> None:
        number = len(self.rows)
        self.rows.append(row)
        for place, value in enumerate(row.values):
            if 0 < len(value.stems) <= _MOST_WORDS and value.text.lower() not in _EMPTY:
                self.by_words[value.stems].append((number, place))
            for fact in value.facts:
                self.by_number[_key(fact)].append((number, place))


#: The records of chunks, cached.
rows_of = lru_cache(maxsize=64)(Rows)


def _key(fact: Fact) -> tuple[str, ...]:
    """Common key of facts that may be equal: value and upper end, or the words of a date."""
    if fact.value is not None and fact.kind != "date":
        return (f"{fact.value:.6g}", f"{fact.high or fact.value:.6g}")
    return (fact.key,)


def row_conflicts(
    claim: str, tokens: Sequence[Token], question: str, rows: Rows, ids: Sequence[str]
) -> tuple[Conflict, ...]:
    """Values of a claim found in another record, or under another label, than their subject."""
    if not rows.rows or any(token.norm in _COMPARING for token in tokens):
        return ()
    facts = extract_facts(claim)
    if any(fact.kind == "negation" for fact in facts):
        return ()
    return tuple(_Trial(claim, tokens, facts, question, rows, ids).conflicts())


class _Trial:
    """One claim against the records."""

    def __init__(
        self,
        claim: str,
        tokens: Sequence[Token],
        facts: Sequence[Fact],
        question: str,
        rows: Rows,
        ids: Sequence[str],
    ) -> None:
        self.claim, self.tokens, self.rows, self.ids = claim, tokens, rows, ids
        self.facts = facts
        self.stems = frozenset(token.stem for token in tokens)
        asked = tokenize(question)
        self.asked = frozenset(token.stem for token in asked)
        self._families = [Families(self.stems), Families(self.stems | self.asked)]
        self._cues: dict[int, dict[str, float]] = {}
        self.matches = _longest(_matches(tokens, rows))
        self.asked_matches = _longest(_matches(asked, rows))
        self.subjects = self._subjects()
        named = {
            place
            for span, found in self.matches.items()
            if any(self.subjects.get(number) == cell for number, cell in found)
            for place in range(*span)
        }
        self.values = [one for one in self._said(facts) if not named.intersection(range(one.first, one.last))]

    def _subjects(self) -> dict[int, int]:
        """The records that the claim is about, each with the cell that names it."""
        found: dict[int, int] = {}
        tables: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for pairs in self.matches.values():
            for number, cell in pairs:
                tables[self._table(number)].append((number, cell))
        for pairs in self.asked_matches.values():
            first = [(number, cell) for number, cell in pairs if cell == 0]
            for number, _ in first[:1] if len(first) == 1 else []:
                table = self._table(number)
                if all(cell for _, cell in tables.get(table, ())):
                    tables[table] = [(number, 0)]
        for pairs in tables.values():
            named = [pair for pair in pairs if self._names(*pair)]
            if not named:
                continue
            column = min(cell for _, cell in named)
            held = [number for number, cell in named if cell == column]
            if column == 0 or len(held) == 1:
                found.update(dict.fromkeys(held, column))
        # A card is about one thing, named by its labels or by the chunk.
        return {0: -1} if len(self.rows.rows) == 1 else found

    def _names(self, number: int, cell: int) -> bool:
        """Whether a cell names its record: not a label's word ("total"), not a bare number next to a name."""
        row = self.rows.rows[number]
        value = row.values[cell]
        if any(value.text.lower() in one.label.lower().split() for one in row.values):
            return False
        return not value.text.isdigit() or not any(
            self.rows.rows[other].values[at].text[:1].isalpha()
            for pairs in self.matches.values()
            for other, at in pairs[:1]
            if self._table(other) == self._table(number) and other != number
        )

    def _table(self, number: int) -> tuple[int, int]:
        row = self.rows.rows[number]
        return row.chunk, row.table

    def _said(self, facts: Sequence[Fact]) -> Iterator[Said]:
        starts = [token.start for token in self.tokens]
        taken: set[int] = set()
        for fact in facts:
            if fact.kind not in VALUES:
                continue
            first, last = bisect_left(starts, fact.start), bisect_left(starts, fact.end)
            taken.update(range(first, last))
            plain = self._plain(fact)
            if plain is not None:
                yield Said(first, last, fact.text, fact.start, plain)
        for first, last in self.matches:
            if taken.isdisjoint(range(first, last)):
                start, end = self.tokens[first].start, self.tokens[last - 1].end
                yield Said(first, last, self.claim[start:end], start, None)

    def _plain(self, fact: Fact) -> Fact | None:
        """A fact without words of labels in it ("maximum dose", "per month"); None for a limit."""
        if "/" in fact.unit:
            bare = extract_facts(_PERIOD.split(fact.text)[0])
            fact = bare[0]._replace(start=fact.start, end=fact.end, lead=fact.lead) if bare else fact
        if not fact.bound:
            return None if fact.approximate else fact
        said = {token.stem for token in self.tokens if fact.lead <= token.start < fact.start}
        labels = {value.label for number in self.subjects for value in self.rows.rows[number].values}
        if any(not said.isdisjoint(group) for label in labels for _, group in _label_stems(label)):
            return fact._replace(bound="", strict=False)
        return None

    def conflicts(self) -> Iterator[Conflict]:
        """The conflicts of the claim with the records."""
        if not self.subjects:
            return
        own_rows = [self.rows.rows[number] for number in self.subjects]
        for said in self.values:
            own = [(row, value) for row in own_rows for value in row.values if self._holds(said, value)]
            found = self._of_label(said, own, own_rows) if own else self._of_row(said, own_rows)
            if found is not None:
                yield self._conflict(said, *found)

    def _holds(self, said: Said, value: Value) -> bool:
        """Whether a cell contains a stretch of the claim."""
        if said.fact is None:
            own = tuple([token.stem for token in self.tokens[said.first : said.last]])
            size = len(own)
            return any(value.stems[at : at + size] == own for at in range(len(value.stems) - size + 1))
        numbers = numbers_in(said.fact.text)
        return any(
            compatible(said.fact, fact) or numbers == numbers_in(fact.text) for fact in value.facts
        ) or (not value.facts and numbers[0] in value.stems)

    def _of_row(self, said: Said, own_rows: Sequence[Row]) -> tuple[Row, Value, Row | None] | None:
        """The cell of the claim's record that opposes a value of another record."""
        if said.fact is None:
            places = self.matches.get((said.first, said.last), [])
        else:
            places = self.rows.by_number.get(_key(said.fact), [])
        for number, cell in places:
            other = self.rows.rows[number]
            theirs = other.values[cell]
            for row in own_rows:
                if (row.chunk, row.table) != (other.chunk, other.table) or number in self.subjects:
                    continue
                value = next((one for one in row.values if one.label == theirs.label), None)
                if value is row.values[0] and value.facts:
                    continue  # a year or number that identifies records is not a value
                if value is None or not self._is_bound(said, theirs) or not _is_rival(said, theirs, value):
                    continue
                if said.fact is not None and not any(compatible(said.fact, one) for one in theirs.facts):
                    continue
                return row, value, other
        return None

    def _is_bound(self, said: Said, theirs: Value) -> bool:
        """Whether a value belongs to a label: bare small numbers and plain words must name it."""
        if said.fact is not None:
            is_small = said.fact.kind == "number" and (said.fact.value or 0.0) < _LEAST_BARE
        else:
            is_small = said.last - said.first == 1 and not said.text[:1].isupper()
        return not is_small or _cue(theirs.label, self._families[-1]) > 0

    def _of_label(
        self, said: Said, own: Sequence[tuple[Row, Value]], own_rows: Sequence[Row]
    ) -> tuple[Row, Value, None] | None:
        """The cell of the claim's record under the label it names, where its value has another label."""
        if len(own_rows) != 1:
            return None
        row, mine = own_rows[0], {value.label for _, value in own}
        scores = self._scores(row)
        before = self.tokens[said.first - 1].stem if said.first else ""
        best = max(scores[label] for label in mine)
        rivals = [
            value
            for value in row.values
            if value.label not in mine
            and scores[value.label] >= _BY_CUE
            and scores[value.label] > best
            and (_is_rival(said, own[0][1], value) or before in _last_stems(value.label))
            and not self._is_named(value)
            and (
                said.fact is not None
                or (_are_names(said.text, value.text) and self._is_next_to_label(said, value.label))
            )
        ]
        if not rivals or (said.fact is None and best > 0):
            return None
        return row, max(rivals, key=lambda value: scores[value.label]), None

    def _scores(self, row: Row) -> dict[str, float]:
        """The cue of each label of a row in the claim; in claim and question if the claim has none."""
        known = self._cues.get(id(row))
        if known is not None:
            return known
        for families in self._families:
            scores = {value.label: _cue(value.label, families) for value in row.values}
            if max(scores.values()) > 0:
                break
        self._cues[id(row)] = scores
        return scores

    @cached_property
    def _told(self) -> frozenset[tuple[str, ...]]:
        return frozenset(map(_key, self.facts))

    def _is_named(self, value: Value) -> bool:
        """Whether the claim contains a cell, or an informative word of a name."""
        if value.facts:
            return any(_key(fact) in self._told for fact in value.facts)
        held = self.stems.intersection(value.stems)
        return any(token.stem in held and not token.is_stop for token in self.tokens)

    def _is_next_to_label(self, said: Said, label: str) -> bool:
        """Whether only uninformative words separate a value from a word of a label."""
        own = Families(frozenset(stem for _, group in _label_stems(label) for stem in group))
        for step, at in ((-1, said.first - 1), (1, said.last)):
            while 0 <= at < len(self.tokens) and self.tokens[at].is_stop:
                at += step
            if 0 <= at < len(self.tokens) and own.has(self.tokens[at].stem):
                return True
        return False

    def _conflict(self, said: Said, row: Row, value: Value, other: Row | None) -> Conflict:
        index = self.rows.indexes[row.chunk]
        at = bisect_left([start for start, _ in index.sentences], value.start + 1) - 1
        beside = f'; "{said.text}" is in the record of {other.values[0].text}' if other is not None else ""
        kind = "entity"
        if said.fact is not None:
            kind = "date" if said.fact.kind in ("date", "time") else "number"
        return Conflict(
            kind=kind,
            severity="error",
            claim_text=said.text,
            evidence_text=value.text,
            evidence=index.evidence(self.ids[row.chunk], at),
            claim_start=said.start,
            message=f'{kind}: the claim says "{said.text}", the record of '
            f'{row.values[0].text} says "{value.label} {value.text}"{beside}',
            log_odds=_ODDS,
        )


def _are_names(said: str, other: str) -> bool:
    """Whether two texts are names with as many words: two people, not a person and a place."""
    pair = said.split(), other.split()
    return len(pair[0]) == len(pair[1]) and all(word[0].isupper() for words in pair for word in words)


#: Span of words -> the cells that it equals, each as row and place.
Matches = dict[tuple[int, int], list[tuple[int, int]]]


def _matches(tokens: Sequence[Token], rows: Rows) -> Matches:
    """Stretches of words that equal a whole cell, with those cells."""
    stems = [token.stem for token in tokens]
    found = {}
    for first in range(len(stems)):
        for last in range(first + 1, min(len(stems), first + _MOST_WORDS) + 1):
            held = rows.by_words.get(tuple(stems[first:last]))
            if held and not (last == first + 1 and tokens[first].is_stop):
                found[first, last] = held
    return found


def _longest(found: Matches) -> Matches:
    """The matches not contained in a longer one."""
    return {
        span: held
        for span, held in found.items()
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in found)
    }


def _is_rival(said: Said, theirs: Value, value: Value) -> bool:
    """Whether a cell is of the same sort as a value, and different."""
    if said.fact is not None:
        return bool(value.facts) and any(comparable(said.fact, fact) for fact in value.facts)
    if not value.text or value.text.lower() in _EMPTY or value.stems == theirs.stems:
        return False
    return bool(value.facts) == bool(theirs.facts) and value.text[0].isupper() == theirs.text[0].isupper()


@lru_cache(maxsize=1024)
def _label_stems(label: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """For each informative word of a label: its stem, and all stems with its meaning."""
    cues, fillers = fields("layout", "label_cues"), words("layout", "label_fillers")
    names = words("layout", "name_labels")
    found = [token for token in tokenize(label) if not token.is_stop and token.norm not in names]
    return tuple(
        (token.stem, synonyms_of(token.stem).union([token.stem], map(stem_of, cues.get(token.norm, ()))))
        for token in [token for token in found if token.norm not in fillers] or found
    )


def _last_stems(label: str) -> frozenset[str]:
    """The stems of the last word of a label: "room 6"."""
    own = _label_stems(label)
    return own[-1][1] if own else frozenset()


def _cue(label: str, families: Families) -> float:
    """Share of a label's words that some words mean."""
    own = _label_stems(label)
    met = 0.0
    for word, group in own:
        if families.has(word):
            met += 1.0
        elif any(map(families.has, group)):
            met += _BY_CUE
    return met / len(own) if own else 0.0
