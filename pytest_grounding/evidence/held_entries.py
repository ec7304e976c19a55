"""The entries of the chunks with their keys as stems, looked up by what a claim says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import lazy_value
from pytest_grounding.evidence.ledger_sources import is_denier, typed_values
from pytest_grounding.evidence.pieces import with_synonyms
from pytest_grounding.evidence.sentence_view import numbers_in
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.lexicon import fields, words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.entries import Entry, entries_of, is_telling
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import Token, stem_of, tokenize

_YES, _NO = (
    words("flags", "yes") | words("flags", "yes cell"),
    words("flags", "no") | words("flags", "no cell"),
)
_EMPTY = frozenset({"[]", "{}"})  # lists and records of JSON without anything in them
_COUNTING = 3  # from this number on a word counts something: "eight violins"
_BRACKETS = lazy(r"\([^()]*\)|\[[^\[\]]*\]")
_IN_BRACKETS = lazy(r"(?<![\w-])(?P<key>[\w-]{1,60}) \([=:][ ]?(?P<value>[-+]?\d[^()]{0,20})\)")
_IN_CASES = lazy(
    r"(?<![A-Z0-9_])(?P<key>[A-Z][A-Z0-9_]{1,60}) (?:if|when|unless) (?P<value>[^,;.]{3,80})(?=[,;.]|$)"
)
_RULE = lazy(r"[\s:|]*--[ :|-]*$")
_CAMEL = lazy(r"(?<=[a-z])(?=[A-Z])|_")
_Sign = TypeVar("_Sign", bound=Hashable)
DENIAL = "¬"  # stands for any word that denies
_WORDS = frozenset("aAI0123456789")  # letters that are words, and stand for no key in a sentence
_WITHOUT = words("denials", "leaving out marks")
_LONGEST_LINE = 60  # words of a line that is read as labels with values, at most
_SENTENCE = 6  # words of what may say something of several in turn, at least
#: Entries with one word in their keys or their text that are looked at; a word of more tells nothing apart.
_MOST = 60
#: Share of the words that tell a key from another which a claim has: some, or all of them.
HALF, WHOLE_KEY = 0.5, 1.0
_BY_SYNONYM = 0.9


@dataclass(frozen=True, slots=True)
class Said:
    """The content words of a claim, and those by which a key may be meant."""

    own: frozenset[str]
    also: frozenset[str]  # synonyms, and labels by their cues: "takes" for "duration"

    def share_of(self, stems: frozenset[str]) -> float:
        """Share of some words that the claim has, a synonym less than the word itself; 0 to 1."""
        exact = len(stems & self.own)
        return (exact + _BY_SYNONYM * len(stems & self.also - self.own)) / max(1, len(stems))

    def with_words(self, stems: frozenset[str]) -> Said:
        """The same with other words, as those of the question."""
        return meant_by(self.own | stems)

    def without(self, stems: frozenset[str]) -> Said:
        """The same without some words."""
        return Said(self.own - stems, self.also - stems)


@lru_cache(maxsize=512)
def meant_by(own: frozenset[str]) -> Said:
    """Some content words, with those by which a key may be meant."""
    cued = {label for cue, labels in _cues().items() if cue in own for label in labels}
    return Said(own, with_synonyms(own) | cued)


@lru_cache(maxsize=1)
def _cues() -> Mapping[str, frozenset[str]]:
    """A word of a claim -> the labels that it may mean, as stems."""
    found: dict[str, set[str]] = defaultdict(set)
    for label, cues in fields("layout", "label_cues").items():
        for cue in cues:
            found[stem_of(cue)].add(stem_of(label))
    return {cue: frozenset(labels) for cue, labels in found.items()}


@dataclass(frozen=True, slots=True)
class Key:
    """The words of a heading, row or label, as stems."""

    core: frozenset[str] = frozenset()  # outside of brackets
    full: frozenset[str] = frozenset()

    def is_named_over(self, other: Key, said: Said, share: float = HALF) -> bool:
        """Whether a claim names this key by a share of what tells it apart, and the other one less."""
        own, rival = (self.core, other.core) if self.core != other.core else (self.full, other.full)
        against, telling = rival - own, own - rival
        if not own or own == rival or not against.isdisjoint(said.own):
            return False
        if not telling:
            return said.share_of(own) == 1.0
        return max(share, said.share_of(against)) <= said.share_of(telling) > said.share_of(against)


@dataclass(frozen=True, slots=True)
class Held:
    """An entry of a chunk."""

    chunk: int
    start: int
    end: int
    text: str
    shown: str  # its label or row, for messages
    group: int = 0
    named: str = ""  # its row, for messages
    heading: Key = Key()
    row: Key = Key()
    label: Key = Key()
    words: frozenset[str] = frozenset()  # content words of its value
    facts: tuple[Fact, ...] = ()
    is_yes: bool | None = None  # what a cell with yes or no, or a list under a denial, says; None for others

    @property
    def keys(self) -> tuple[Key, Key, Key]:
        """Heading, row and label."""
        return self.heading, self.row, self.label


@read_once
def entry_key(text: str, language: str = "en") -> Key:
    """The words of a key, with and without what stands in brackets."""
    full = key_stems(_CAMEL.sub(" ", text), language)
    core = key_stems(_BRACKETS.sub(" ", _CAMEL.sub(" ", text)), language)
    return Key(core or full, full)


@read_once
def key_stems(text: str, language: str = "en") -> frozenset[str]:
    """The content words of a text as stems, with one sign for words that deny."""
    return frozenset(_stems(tokenize(text, language)))


def _stems(tokens: Sequence[Token]) -> set[str]:
    found = {token.stem for token in tokens if not token.is_stop and len(token.norm) > 1}
    letters = {token.text for token in tokens if len(token.text) == 1}
    if any(is_denier(token.norm) or token.norm in _WITHOUT for token in tokens):
        found = {stem for stem in found if not is_denier(stem) and stem not in _WITHOUT} | {DENIAL}
    if found - {DENIAL}:
        # "-d, --depth": the letter is the same option; "Box A": the letter tells it apart.
        return found | {letter for letter in letters if letter.isupper() and letter != "I"} | _digits(tokens)
    return found | letters | _digits(tokens) or {token.stem for token in tokens}


def key_letters(tokens: Sequence[Token]) -> frozenset[str]:
    """The single letters of a claim that may be keys: "the letter c"."""
    return frozenset(token.text for token in tokens if len(token.text) == 1 and token.text not in _WORDS)


def counted_values(text: str) -> list[Fact]:
    """The values of a text that are written in digits or have a unit; "the first" and "two" count no row."""
    return [fact for fact in typed_values(text) if fact.unit or _is_count(fact)]


def _is_count(fact: Fact) -> bool:
    is_large = fact.kind == "number" and fact.value is not None and fact.value >= _COUNTING
    return is_large or any(map(str.isdigit, fact.text))


def _moved(facts: Sequence[Fact], by: int) -> list[Fact]:
    return [fact._replace(start=by + fact.start, end=by + fact.end) for fact in facts]


def _digits(tokens: Sequence[Token]) -> set[str]:
    return {token.stem for token in tokens if token.is_number}


def placed_key(place: str) -> Key:
    """The key of what is known by its place alone."""
    return Key(frozenset({place}), frozenset({place}))


def read_answer(text: str) -> bool | None:
    """What a cell says by yes or no, by a mark for it, or by 0; None for any other."""
    if text.strip() in _EMPTY:
        return False
    text = _BRACKETS.sub(" ", text) if "(" in text else text
    said = text.strip().rstrip(".").strip().lower()
    if said in _YES or text.strip() in _YES:
        return True
    return False if said in _NO or text.strip() in _NO else None


def _answer_of(label: str, said: str) -> bool | None:
    """What a cell says by yes or no, a question by its answer, an item by its box."""
    if label.startswith("["):
        return read_answer(label)
    return read_answer(said.split(",")[0] if label == "?" else said)


def _affirmed(held: Held, denied: Collection[tuple[int, frozenset[str]]]) -> Held:
    """An item under a heading that another one of the chunk denies affirms it."""
    is_item = held.is_yes is None and not held.group and bool(held.row.full) and not held.label.full
    if is_item and held.heading.full and (held.chunk, held.heading.full) in denied:
        return replace(held, is_yes=True)
    return held


def _labelled(entry: Entry, above: Sequence[str]) -> Entry:
    """An entry with the label that the table of the chunk before has for its column."""
    place = int(entry.label[1:]) if entry.label.startswith("#") else 0
    return replace(entry, label=above[place - 1]) if 0 < place <= len(above) else entry


def _header_of(own: str) -> list[str]:
    """The labels of the table with which a chunk ends, without that of its first column."""
    lines = own.strip().split("\n")
    rule = next(
        (at for at in range(len(lines) - 1, 0, -1) if "|" not in lines[at] or _RULE.match(lines[at])), 0
    )
    if not rule or not _RULE.match(lines[rule]):
        return []
    return [cell.strip(" *_`") for cell in lines[rule - 1].strip().strip("|").split("|")][1:]


class Entries:
    """The entries of some chunks, with what finds them."""

    def __init__(
        self, owns: Sequence[str], indexes: Sequence[ChunkIndex], heads: Sequence[str], language: str
    ) -> None:
        self.language, self.indexes = language, indexes
        self.all: list[Held] = []
        above: Sequence[str] = ()  # labels of the table with which the chunk before ends
        for chunk, (own, index) in enumerate(zip(owns, indexes, strict=True)):
            read = entries_of(own) if heads[chunk] or "\n" in own or is_telling(own) else ()
            if read:
                self.all.extend(self._read(chunk, read, index, heads[chunk], above))
            above = _header_of(own) if "|" in own else ()
        if not self.all:
            return
        denied = {(held.chunk, held.heading.full - {DENIAL}) for held in self.all if held.is_yes is False}
        self.all = [_affirmed(held, denied) for held in self.all]
        self.all.extend(self._blank_marks())

    def _read(
        self, chunk: int, read: Sequence[Entry], index: ChunkIndex, head: str, above: Sequence[str]
    ) -> Iterator[Held]:
        facts = counted_values(index.text)
        starts, places = [fact.start for fact in facts], [token.start for token in index.tokens]
        for item in read:
            entry = _labelled(item, above)
            own = facts[bisect_left(starts, entry.start) : bisect_left(starts, entry.end)]
            tokens = index.tokens[bisect_left(places, entry.start) : bisect_left(places, entry.end)]
            said = index.text[entry.start : entry.end]
            if entry.group and (own[-1].end > entry.end if own else any(map(str.isdigit, said))):
                # "6 130 euros" is 6 in one cell and 130 euros in the next.
                own = _moved(counted_values(said), entry.start)
            base = Held(chunk, entry.start, entry.end, said, entry.label or entry.row, entry.group, entry.row)
            base = replace(base, heading=entry_key(entry.heading or head, self.language))
            if len(tokens) > _SENTENCE:
                yield from self._members(base)
            if entry.row or entry.label:
                yield replace(
                    base,
                    row=entry_key(entry.row, self.language),
                    label=self._label(entry.label),
                    words=frozenset(_stems(tokens)),
                    facts=tuple(own),
                    is_yes=_answer_of(entry.label, said),
                )
            else:
                yield from self._of_line(base, index.text, tokens, own, is_prose=entry.is_prose)

    def _label(self, label: str) -> Key:
        """The key of a column; one without a name is known by its place."""
        return placed_key(label) if label.startswith("#") else entry_key(label, self.language)

    def _of_line(
        self, line: Held, text: str, tokens: Sequence[Token], facts: Sequence[Fact], *, is_prose: bool
    ) -> Iterator[Held]:
        """A line without a key: labels with values in turn, an item, or a sentence below a heading."""
        norms = [token.norm for token in tokens]
        is_sentence = line.text.endswith((".", "!", "?")) and (len(facts) < 2 or has_finite_verb(norms))
        if facts and not is_sentence and len(tokens) <= _LONGEST_LINE:
            for run in _runs(text, tokens, facts):
                base = replace(line, row=entry_key(run.label, self.language), shown=run.label)
                units: Counter[str] = Counter()
                for fact in run.facts:
                    units[fact.unit] += 1
                    value = replace(base, label=placed_key(f"#{fact.unit} {units[fact.unit]}"), facts=(fact,))
                    value = replace(value, words=key_stems(fact.text, self.language))
                    yield replace(value, text=fact.text, start=fact.start, end=fact.end)
        elif line.heading.full and not is_prose:
            is_yes = False if DENIAL in line.heading.full else None
            yield replace(line, row=entry_key(line.text, self.language), is_yes=is_yes)
        elif line.heading.full and facts:
            within = [token for fact in facts for token in tokens if fact.start <= token.start < fact.end]
            beside = frozenset(_stems(tokens).difference([token.stem for token in within]))
            yield replace(line, label=Key(beside, beside), facts=tuple(facts))

    def _members(self, line: Held) -> Iterator[Held]:
        """What a sentence says of several in turn: "read (=4), write (=2)", "DONE if …, BUSY if …"."""
        for pattern in (_IN_BRACKETS, _IN_CASES):
            found = list(pattern.finditer(line.text))
            for match in found if len(found) > 1 else ():
                start, said = line.start + match.start("value"), match["value"]
                member = replace(line, start=start, end=start + len(said), text=said, shown=match["key"])
                row, stems = entry_key(match["key"], self.language), key_stems(said, self.language)
                yield replace(member, row=row, words=stems, facts=tuple(_moved(counted_values(said), start)))

    def _blank_marks(self) -> Iterator[Held]:
        """The empty cells of columns that hold nothing but marks for yes and no."""
        columns: dict[tuple[int, int, Key], list[Held]] = defaultdict(list)
        rows: dict[tuple[int, int], dict[Key, Held]] = defaultdict(dict)
        for held in self.all:
            if held.group:
                columns[held.chunk, held.group, held.label].append(held)
                rows[held.chunk, held.group].setdefault(held.row, held)
        for (chunk, group, label), cells in columns.items():
            if any(cell.is_yes is None for cell in cells) or not any(cell.is_yes for cell in cells):
                continue
            known = {cell.row for cell in cells}
            for row, first in rows[chunk, group].items():
                if row not in known:
                    blank = replace(first, label=label, words=frozenset(), facts=(), text="")
                    yield replace(blank, shown=cells[0].shown, is_yes=False)

    def _indexed(self, keys_of: Callable[[Held], Iterable[_Sign]]) -> Mapping[_Sign, list[Held]]:
        """The entries by what a function finds in each."""
        found: dict[_Sign, list[Held]] = defaultdict(list)
        for held in self.all:
            for key in dict.fromkeys(keys_of(held)):
                found[key].append(held)
        return found

    @lazy_value
    def _by_number(self) -> Mapping[str, list[Held]]:
        return self._indexed(lambda held: (one for fact in held.facts for one in numbers_in(fact.text)))

    @lazy_value
    def _by_key(self) -> Mapping[str, list[Held]]:
        return self._indexed(lambda held: held.heading.full | (held.row.full or held.label.full))

    @lazy_value
    def _by_word(self) -> Mapping[str, list[Held]]:
        return self._indexed(lambda held: held.words)

    @lazy_value
    def _by_row(self) -> Mapping[tuple[int, int, Key, Key], list[Held]]:
        return self._indexed(lambda held: [_row_of(held)])

    def is_cell(self, chunk: int, start: int) -> bool:
        """Whether a value of a table begins at an offset of a chunk."""
        return (chunk, start) in self._cells

    @lazy_value
    def _cells(self) -> frozenset[tuple[int, int]]:
        return frozenset((held.chunk, held.start) for held in self.all if held.group)

    def is_key(self, chunk: int, start: int) -> bool:
        """Whether an offset of a chunk stands before the first cell of a row of a table, in its sentence."""
        index = self.indexes[chunk]
        sentence = bisect_right(index.sentences, (start, len(index.text))) - 1
        return (chunk, sentence) in self._rows

    @lazy_value
    def _rows(self) -> frozenset[tuple[int, int]]:
        found = set()
        for held in self.all:
            if held.group and held.row.full:
                sentences = self.indexes[held.chunk].sentences
                found.add((held.chunk, bisect_right(sentences, (held.start, held.end)) - 1))
        return frozenset(found)

    def is_in_table_of(self, held: Held, start: int, end: int) -> bool:
        """Whether a stretch of the chunk of an entry lies inside the table of that entry."""
        low, high = self._tables.get((held.chunk, held.group), (0, 0))
        return held.group > 0 and low <= start and end <= high

    @lazy_value
    def _tables(self) -> Mapping[tuple[int, int], tuple[int, int]]:
        """The first and the last sentence of each table: where the first begins, and the last ends."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for held in self.all:
            sentences = self.indexes[held.chunk].sentences
            at = bisect_right(sentences, (held.start, len(self.indexes[held.chunk].text))) - 1
            low, high = found.get((held.chunk, held.group), sentences[at])
            found[held.chunk, held.group] = min(low, sentences[at][0]), max(high, sentences[at][1])
        return found

    def with_number(self, numbers: Iterable[str]) -> list[Held]:
        """The entries with a value of these numbers."""
        return _once(held for number in numbers for held in self._by_number.get(number, ()))

    def mentioned(self, said: Collection[str]) -> list[Held]:
        """The entries whose row or heading a claim names by a word that few others have."""
        return _with_some(said, self._by_key)

    def saying(self, said: Collection[str]) -> list[Held]:
        """The entries whose value has a word of a claim that few others have."""
        return _with_some(said, self._by_word)

    def beside(self, held: Held) -> list[Held]:
        """The entries of the same row."""
        return self._by_row.get(_row_of(held), [])


def _row_of(held: Held) -> tuple[int, int, Key, Key]:
    return held.chunk, held.group, held.heading, held.row


def _with_some(said: Collection[str], entries: Mapping[str, list[Held]]) -> list[Held]:
    lists = (entries.get(stem, []) for stem in sorted(said))
    return _once(held for some in lists if len(some) <= _MOST for held in some)


def _once(found: Iterable[Held]) -> list[Held]:
    return list({id(held): held for held in found}.values())


@dataclass(slots=True)
class _Run:
    """A label inside a line, with the values behind it."""

    label: str
    facts: list[Fact]


def _runs(text: str, tokens: Sequence[Token], facts: Sequence[Fact]) -> list[_Run]:
    """The values of a line, by the words before them."""
    runs: list[_Run] = []
    low = tokens[0].start if tokens else 0
    for fact in facts:
        is_behind = any(low <= token.start < fact.start for token in tokens)
        if is_behind:
            runs.append(_Run(text[low : fact.start], [fact]))
        elif runs:
            runs[-1].facts.append(fact)
        low = fact.end
    if len(runs) > 1:
        # The first label of a line may stand behind the header of the table.
        longest = max(len(run.label.split()) for run in runs[1:])
        runs[0].label = " ".join(runs[0].label.split()[-longest:])
    for run in runs:
        run.label = " ".join(run.label.split()).strip(" :=(,;-")
    return runs
