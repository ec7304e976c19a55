"""Facts of a claim by the keys of where they stand: another row's value, a cell that denies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.conflict_words import DENIES, marks_of
from pytest_grounding.evidence.held_entries import (
    DENIAL,
    HALF,
    WHOLE_KEY,
    Entries,
    Held,
    Key,
    Said,
    counted_values,
    key_letters,
    key_stems,
    meant_by,
)
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.pieces import with_synonyms
from pytest_grounding.evidence.row_counts import counted_rows
from pytest_grounding.evidence.sentence_view import numbers_in
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import parts_of
from pytest_grounding.evidence.token_index import light_stems
from pytest_grounding.lexicon import fields, numbers, table, words
from pytest_grounding.model.claim_fact import FactStatus, FactType
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.facts.numerals import SMALL
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import STOP_WORDS, Token, tokenize

_NO = words("flags", "no")
_IN_TURN = words("denials", "in turn") | (words("layout", "comparing") - words("layout", "times"))
_BELOW, _ABOVE = words("limits", "below zero"), words("limits", "above zero")
_ACCOUNT = lazy(r"\s*\([^()\d]{0,3}\d[\d.,]*[^()\d]{0,3}\)[^()\d]{0,40}")
_STOP_WORDS = frozenset().union(*STOP_WORDS.values())
_WITHOUT = words("denials", "leaving out marks")
_DENIERS = frozenset().union(*fields("denials", "deniers").values())
_SHARES = words("layout", "share_labels")
_ALONE, _JOINTS = words("denials", "alone"), words("denials", "joints")
_POINTS = frozenset({"date", "time"})
#: Words of a claim that is compared, at most, and of an answer that has its subject from the question.
_LONGEST, _FRAGMENT = 100, 4
#: Entries with one value that are looked at: a value of more says nothing of one row.
_MOST_HOLDERS = 50
_MADE_OF = 0.6  # share of the words of a claim that an entry has with its keys
#: Share of the words of a claim that the keys of a cell with yes or no have.
_ABOUT = 0.6
_NAMED = 0.5  # share of the words of a key which a claim has that names it
_PERCENT, _THOUSAND = 100.0, 1000
_MOST_IN_RECORD = 30  # entries of one row that are looked at
#: How the keys begin under which splitters keep the headings above a chunk.
_HEADINGS = ("header", "heading", "section")
#: The unit of a column, and in how many of it its numbers are.
_SCALE = r"1[,.']?000|thousands?|millions?|mn|billions?|bn"
_UNIT_IN_LABEL = lazy(rf"\((?:in )?(?P<scale>{_SCALE})? ?(?:of )?(?P<unit>[^()\d]{{1,20}})\)")
_LABEL_UNITS = table("layout", "label_units")
_SCALES = numbers("layout", "label_scales")
_SEVERAL = lazy(r"[.!?][\"”’]?\s+\S")  # more than one sentence
_SHORTEST = 2  # letters of a word that may be a period: "per month"
_SHORT = 8  # content words of an entry that is compared as a whole, at most
#: Share of the words that tell a key apart, where words alone are compared.
_MOST_OF_KEY = 0.6
#: The type of the fact that all of a claim stands in one entry.
WHOLE: FactType = "clause"


@dataclass(frozen=True, slots=True)
class _Claim:
    """What is compared: a claim, with its question where it has no subject of its own."""

    text: str
    tokens: Sequence[Token]
    facts: Sequence[Fact]
    said: frozenset[str]  # content words with synonyms
    own: frozenset[str]  # content words alone
    asked: frozenset[str]  # those of the question, with synonyms
    denies: bool  # whether it has a word that denies

    @property
    def whole(self) -> Said:
        return meant_by(self.own)

    def without(self, fact: Fact) -> Said:
        inside = {token.stem for token in self.tokens if fact.start <= token.start < fact.end}
        outside = {token.stem for token in self.tokens if not fact.start <= token.start < fact.end}
        return meant_by(self.own - (inside - outside))


def placed_facts(text: str, sources: LedgerSources) -> tuple[Settled, ...]:
    """The facts of a claim that stand in a row, list or definition: its own, another's, or denied."""
    if text not in sources.placed:
        sources.placed[text] = tuple(_settled(text, sources))
    return sources.placed[text]


@kept_with_owner
def entries_in(sources: LedgerSources) -> Entries:
    """What the chunks say in rows, lists and definitions, read at the first claim."""
    owns, chunks = [page.own for page in sources.pages.pages], sources.pages.chunks
    # Each chunk gives its id as a name; more of them are metadata.
    has_metadata = len(sources.given.names) > len(sources.originals)
    heads = [_heading_of(chunk) for chunk in chunks] if has_metadata else [""] * len(chunks)
    return _entries_of_chunks(tuple(owns), sources.context, tuple(heads))


@lru_cache(maxsize=64)
def _entries_of_chunks(owns: tuple[str, ...], context: Context, heads: tuple[str, ...]) -> Entries:
    """The entries of chunks, which other answers have as well."""
    return Entries(owns, context.indexes, heads, context.language)


def _heading_of(chunk: Chunk) -> str:
    """The innermost heading that a splitter keeps in the metadata: "Header 2", "header_path"."""
    found = chunk.metadata.section_title or ""
    for key, value in sorted((chunk.metadata.model_extra or {}).items()):
        if key.lower().startswith(_HEADINGS) and isinstance(value, str) and value.strip(" /"):
            found = value.strip(" /").rsplit("/", 1)[-1]
    return str(found)


def _settled(text: str, sources: LedgerSources) -> Iterator[Settled]:
    entries = entries_in(sources)
    tokens = tokenize(text, sources.language) if entries.all else []
    if not tokens or len(tokens) > _LONGEST or any(token.norm in _IN_TURN for token in tokens):
        return
    own = key_stems(text, sources.language) | key_letters(tokens)
    asked = with_synonyms(key_stems(sources.question, sources.language)) - {DENIAL}
    denies = any(_denies(token.norm, sources.language) for token in tokens)
    claim = _Claim(text, tokens, counted_values(text), with_synonyms(own), own, asked, denies)
    found = False
    for fact in typed_values(text):
        outcome = counted_rows(fact, claim.tokens, claim.own, entries)
        if outcome is None and fact in claim.facts:
            outcome = _settled_value(fact, claim, entries, sources)
        if outcome is not None:
            found = found or outcome.status == "elsewhere"
            kind: FactType = "point_in_time" if fact.kind in _POINTS else "quantity"
            yield Settled(kind, fact.start, fact.end, outcome)
    yield from _accounts(claim, entries)
    if not found:
        yield from _settled_words(claim, entries, sources.context)
        yield from _settled_answer(claim, entries)


def _settled_value(fact: Fact, claim: _Claim, entries: Entries, sources: LedgerSources) -> Outcome | None:
    """Whether a value is that of the row, heading and label which the claim names; None if unsure."""
    holders = [held for held in entries.with_number(_numbers_of(fact)) if _has_value(held, fact)]
    if not holders:
        return _in_other_unit(fact, entries, sources)
    if len(holders) > _MOST_HOLDERS:
        return None
    said = claim.without(fact)
    rivals: list[Held] = []
    for held in holders:
        rival = _rival_of(held, fact, said, claim.asked, entries)
        if rival is None:
            is_own = held.row.core and _is_named(held, said, claim.asked, entries)
            return Outcome("found", Place(held.chunk, held.start, held.end)) if is_own else None
        rivals.append(rival)
    if _stands_alone(fact, sources):
        return None
    first = rivals[0]
    return Outcome("elsewhere", Place(first.chunk, first.start, first.end), nearest=first.text.strip())


def _accounts(claim: _Claim, entries: Entries) -> Iterator[Settled]:
    """The "loss" or "profit" of a claim whose value accounts write in brackets, as below zero."""
    held = [one for fact in claim.facts for one in entries.with_number(numbers_in(fact.text))]
    own = [one for one in held if _ACCOUNT.fullmatch(one.text) and not _keys_of(one).isdisjoint(claim.said)]
    if not own:
        return
    place = Place(own[0].chunk, own[0].start, own[0].end)
    below = [token for token in claim.tokens if token.norm in _BELOW]
    for token in below:
        yield Settled(WHOLE, token.start, token.end, Outcome("found", place))
    for token in claim.tokens:
        if token.norm in _ABOVE and not below and not claim.denies:
            outcome = Outcome("denied", nearest=f"{own[0].text.strip()}, below zero")
            yield Settled("polarity", token.start, token.end, outcome)
            return


def _numbers_of(fact: Fact) -> tuple[str, ...]:
    """The numbers of a fact, in digits too; those of a percentage as a share: 25 % is stored as 0.25."""
    numbers = numbers_in(fact.text)
    numbers = (*numbers, *(str(SMALL[number]) for number in numbers if number in SMALL))
    if fact.unit != "%" or fact.value is None:
        whole = float(numbers[0]) if numbers and numbers[0].isdecimal() else 0.0
        # "38,000 tonnes" may be 38 in a column of thousands.
        return (*numbers, f"{whole / _THOUSAND:g}") if whole >= _THOUSAND and fact.unit else numbers
    share = fact.value / _PERCENT
    return (
        *numbers,
        *(f"{share:.{digits}f}" for digits in range(1, 5)),
        f"{share:g}",
        f"{share:g}".lstrip("0"),
    )


def _has_value(held: Held, fact: Fact) -> bool:
    return any(_is_same(fact, other, held) for other in _values_of(held))


def _values_of(held: Held) -> Sequence[Fact]:
    """The values of an entry, in the unit of its label if that has one in brackets."""
    return list(_in_label_units(held)) or held.facts


def _in_other_unit(fact: Fact, entries: Entries, sources: LedgerSources) -> Outcome | None:
    """Whether the number of a value stands in a column that counts otherwise: 38 tonnes for "(1,000 t)"."""
    for held in entries.with_number(numbers_in(fact.text)):
        is_counted = any(value.unit == fact.unit for value in _in_label_units(held))
        if is_counted and not _stands_alone(fact, sources):
            nearest = f"{held.text.strip()}, {held.shown}"
            return Outcome("elsewhere", Place(held.chunk, held.start, held.end), nearest=nearest)
    return None


def _in_label_units(held: Held) -> Iterator[Fact]:
    """The values of a cell in the unit that its label has in brackets: "Harvest (1,000 t)", "Area (ha)"."""
    label = _UNIT_IN_LABEL.search(held.shown) if "(" in held.shown else None
    if label is None:
        return
    scale = _SCALES.get((label["scale"] or "").lower().replace(",", ""), 1.0)
    unit = _LABEL_UNITS.get(label["unit"], label["unit"])
    for fact in held.facts:
        for read in typed_values(f"{fact.text} {unit}") if not fact.unit else ():
            if read.unit and read.value is not None and read.high is not None:
                yield read._replace(value=scale * read.value, high=scale * read.high)


def _is_same(fact: Fact, other: Fact, held: Held) -> bool:
    """Whether a value of an entry is that of the claim, its unit may stand in the label."""
    if compatible(fact, other):
        return True
    if fact.value is not None and other.value is not None and fact.unit == "%" and not other.unit:
        is_share = not _SHARES.isdisjoint(held.shown.lower().split())
        return is_share and abs(other.value * _PERCENT - fact.value) < 1e-6
    is_turned = fact.value is not None and other.value is not None and fact.value * other.value < 0
    if is_turned or numbers_in(fact.text) != numbers_in(other.text):
        return False
    if not other.unit or not fact.unit:
        return True
    if fact.unit == other.unit and fact.value != other.value:
        # 38 tonnes in a column of thousands of tonnes.
        return False
    periods = [word for word in fact.text.lower().split() if len(word) > _SHORTEST]
    is_in_label = any(word.startswith(tuple(periods)) for word in held.shown.lower().split())
    return fact.unit.partition("/")[0] == other.unit.partition("/")[0] and is_in_label


def _rival_of(held: Held, fact: Fact, said: Said, asked: frozenset[str], entries: Entries) -> Held | None:
    """The entry that a claim names instead of one: it differs in one key, and has another value."""
    for words_of_claim in (said, said.with_words(asked)):
        for other in (*entries.mentioned(words_of_claim.also), *entries.beside(held)):
            if _is_beside(held, other, words_of_claim) and _has_other_value(held, other, fact):
                return other
            if _is_blank_beside(held, other, words_of_claim, entries):
                return replace(other, text="nothing")
        if _names_one_of(held, said):
            return None
    return None


def _is_blank_beside(held: Held, other: Held, said: Said, entries: Entries) -> bool:
    """Whether a claim names another row of a table, which has an empty cell in the column of an entry."""
    is_row = held.group > 0 and (held.chunk, held.group) == (other.chunk, other.group)
    if not is_row or not held.label.full or not other.row.is_named_over(held.row, said):
        return False
    cells = [one for one in entries.beside(other) if one.label == held.label]
    # "–" and "n/a" say that there is none.
    return all(one.is_yes is False and not one.facts for one in cells)


def _names_one_of(held: Held, said: Said) -> bool:
    """Whether a claim has a word of the row or heading of an entry, and needs no question for it."""
    return not held.row.core.isdisjoint(said.also) or not held.heading.core.isdisjoint(said.also)


def _is_beside(held: Held, other: Held, said: Said, share: float = HALF) -> bool:
    """Whether two entries differ in one key, and a claim names that of the other."""
    if other is held:
        return False
    is_of_other_row = (held.row, held.label) != (other.row, other.label)
    if is_of_other_row and held.group and other.group and _table_of(held) != _table_of(other):
        return _is_in_other_table(held, other, said)
    if not is_of_other_row and held.heading != other.heading and held.group and other.group:
        # The same row in the table of another season.
        return other.heading.is_named_over(held.heading, said, share)
    if held.chunk != other.chunk and (held.group or other.group):
        return False
    differing = [(own, rival) for own, rival in zip(held.keys, other.keys, strict=True) if own != rival]
    if len(differing) != 1:
        return False
    own, rival = differing[0]
    is_heading = own is held.heading
    if not is_heading and (held.group != other.group or held.chunk != other.chunk):
        return False
    return rival.is_named_over(own, said, share)


def _table_of(held: Held) -> tuple[int, int]:
    return held.chunk, held.group


def _is_in_other_table(held: Held, other: Held, said: Said) -> bool:
    """Whether a claim names a row of another table, or a column of it for the same row, by all its words."""
    if held.label == other.label:
        return other.row.is_named_over(held.row, said, WHOLE_KEY)
    return held.row == other.row and other.label.is_named_over(held.label, said, WHOLE_KEY)


def _has_other_value(held: Held, other: Held, fact: Fact) -> bool:
    if not other.facts or _has_value(other, fact):
        return False
    own = [mine for mine in _values_of(held) if _is_same(fact, mine, held)]
    return any(_is_alike(mine, theirs) for mine in own for theirs in _values_of(other))


def _is_alike(fact: Fact, other: Fact) -> bool:
    """Whether two values may stand in the same place: of one unit, or both points in time."""
    return fact.unit == other.unit and (fact.kind in _POINTS) == (other.kind in _POINTS)


def _is_named(held: Held, said: Said, asked: frozenset[str], entries: Entries) -> bool:
    """Whether a claim names the row of an entry, and no other one of the same table."""
    if not held.row.core <= said.also | asked:
        return False
    others = (
        other for other in entries.mentioned(said.also) if other.group == held.group and other is not held
    )
    return not any(
        other.chunk == held.chunk and other.row != held.row and other.row.is_named_over(held.row, said)
        for other in others
    )


def _stands_alone(fact: Fact, sources: LedgerSources) -> bool:
    """Whether a chunk has the value outside of all entries, and of the keys of rows."""
    entries = entries_in(sources)
    held = entries.with_number(_numbers_of(fact))
    for chunk in range(len(sources.context.indexes)):
        spans = [(one.start, one.end) for one in held if one.chunk == chunk]
        for other in sources.values_like(fact, chunk):
            in_entry = any(start <= other.start < end for start, end in spans)
            if not in_entry and not entries.is_key(chunk, other.start):
                return True
    return False


def _settled_words(claim: _Claim, entries: Entries, context: Context) -> Iterator[Settled]:
    """What a claim says in words of one row, and stands in another."""
    rivals = entries.mentioned(claim.said)
    for held in entries.saying(claim.said):
        for other in (*rivals, *entries.beside(held)):
            taken = _taken(held, other, claim, entries)
            if not taken or _stands_apart(claim.own & held.words, held, entries, context):
                continue
            number = next(at for at, word in enumerate(claim.tokens) if _forms(word.stem) & taken)
            token = claim.tokens[number]
            if number and claim.tokens[number - 1].is_number:
                # "463 km": a unit has no row of its own.
                continue
            place = Place(other.chunk, other.start, other.end)
            outcome = Outcome("elsewhere", place, nearest=other.text.strip())
            yield Settled("name" if token.is_name else "role", token.start, token.end, outcome)
            return
    yield from _whole(claim, rivals, entries)


def _stands_apart(stems: frozenset[str], held: Held, entries: Entries, context: Context) -> bool:
    """Whether a sentence outside of the table of an entry, or of its line, has some words."""
    sentences = [frozenset().union(*map(context.sentences, context.forms(stem))) for stem in sorted(stems)]
    for number in frozenset.intersection(*sentences) if sentences else ():
        chunk = context.chunk_of[number]
        start, end = context.indexes[chunk].sentences[number - context.offset[chunk]]
        is_elsewhere = chunk != held.chunk or end <= held.start or held.end <= start
        if is_elsewhere and not (chunk == held.chunk and entries.is_in_table_of(held, start, end)):
            return True
    return False


def _whole(claim: _Claim, named: Sequence[Held], entries: Entries) -> Iterator[Settled]:
    """Whether one entry has all words of a claim with its keys, and the question."""
    # A name that only the question has is not what an entry is about.
    asked = claim.asked - {token.stem for token in claim.tokens if token.text[:1].isupper()}
    for held in named:
        rest = claim.own - _keys_of(held) - _STOP_WORDS - {DENIAL}
        is_own = held.row.core and _is_named(held, claim.whole, claim.asked, entries)
        if not is_own or not rest - asked <= _words_of(held, entries):
            continue
        first, last = claim.tokens[0].start, claim.tokens[-1].end
        place = Place(held.chunk, held.start, held.end)
        if _SEVERAL.search(held.text) is not None:
            # 'The sign says: "Park here." Trucks cannot.': prose, and no value of a label.
            return
        if len(held.words) > _SHORT or (DENIAL in claim.own and DENIAL not in held.words | _keys_of(held)):
            return
        if DENIAL in held.words and DENIAL not in claim.own and not rest.isdisjoint(held.words):
            yield Settled("polarity", first, last, Outcome("denied", place, nearest=held.text.strip()))
        elif rest - asked or held.facts:
            yield Settled(WHOLE, first, last, Outcome("found", place))
        return


def _words_of(held: Held, entries: Entries) -> frozenset[str]:
    """The words of an entry; of one that refers to another row ("as Plus") those of both."""
    others = (one for one in entries.mentioned(held.words) if one.label == held.label and one.row.core)
    return with_synonyms(held.words.union(*(one.words for one in others if one.row.core <= held.words)))


def _forms(stem: str) -> frozenset[str]:
    return with_synonyms(frozenset({stem}))


def _taken(held: Held, other: Held, claim: _Claim, entries: Entries) -> frozenset[str]:
    """The words that a claim takes from one entry, where it names another one; empty for none."""
    none: frozenset[str] = frozenset()
    if other is held or not held.words or not other.words:
        return none
    if not _is_beside(held, other, claim.whole, _MOST_OF_KEY):
        # "Weekly" is not named by "once a week".
        named_by = claim.whole.without(held.words - other.words)
        if not _is_beside(held, other, named_by, WHOLE_KEY):
            return none
    if not held.row.core.isdisjoint(other.words) or (other.words - held.words) & claim.own:
        # "As Plus" says what stands in the row of Plus.
        return none
    numbers = {token.stem for token in claim.tokens if token.is_number}
    taken = (held.words - other.words - _keys_of(other) - numbers) & claim.said
    rest = claim.own - _keys_of(other) - {DENIAL}
    meant = {stem for stem in rest if not meant_by(frozenset({stem})).also.isdisjoint(held.label.full)}
    left = rest - with_synonyms(held.words) - _keys_of(held) - claim.asked - meant
    news = rest - claim.asked - meant
    is_held = 2 * len(news & with_synonyms(held.words)) >= len(news)
    is_made = is_held and bool(rest) and len(rest - left) >= _MADE_OF * len(rest)
    is_own = any(one is not held and not taken.isdisjoint(one.words) for one in entries.beside(other))
    if not is_made or is_own or not any(_forms(token.stem) & taken for token in claim.tokens):
        return none
    return taken


def _keys_of(held: Held) -> frozenset[str]:
    return held.heading.full | held.row.full | held.label.full


def _settled_answer(claim: _Claim, entries: Entries) -> Iterator[Settled]:
    """Whether the parts of a claim affirm or deny what cells with yes or no, or lists under a denial, say."""
    marked = [held for held in entries.mentioned(claim.said | claim.asked) if held.is_yes is not None]
    if not marked:
        return
    parts = parts_of(claim.text, claim.tokens)
    is_settled = False
    for number, part in enumerate(parts):
        named = [held for held in marked if _deciding_part(held, parts, claim, marked) == number]
        found = _answer_in(part, _denying(number, parts), named, claim, entries)
        if found is not None:
            is_settled = True
            yield found
    told = [] if is_settled else [held for held in marked if _is_told(held, claim.whole, marked)]
    if told:
        held = max(told, key=lambda one: len(claim.own & _keys_of(one)))
        found = _answer_in(claim.tokens, claim.tokens, [held], claim, entries)
        if found is not None:
            yield found


def _answer_in(
    part: Sequence[Token], denying: Sequence[Token], told: Sequence[Held], claim: _Claim, entries: Entries
) -> Settled | None:
    """Whether a part of a claim says of these cells what they say; None where it says something else."""
    record = {
        stem
        for held in told
        for one in (held, *entries.beside(held)[:_MOST_IN_RECORD])
        for stem in one.words | _keys_of(one)
    }
    own = _stems_of_part(part) - light_stems() - {DENIAL}
    if not told or len(own & claim.asked.union(record)) < _ABOUT * len(own):
        return None
    if claim.facts and any(held.facts for held in told):
        return None
    wrong = [held for held in told if held.is_yes == _is_denied(denying, held, entries)]
    held = wrong[0] if wrong else told[0]
    status: FactStatus = "denied" if wrong else "found"
    nearest = f"{held.shown}: {held.text.strip()}" if wrong else ""
    place = Place(held.chunk, held.start, held.end)
    return Settled("polarity", part[0].start, part[-1].end, Outcome(status, place, nearest=nearest))


def _is_denied(tokens: Sequence[Token], held: Held, entries: Entries) -> bool:
    """Whether words deny, beside those of the cell's own keys: "step-free"."""
    return any(_denies(token.norm, entries.language) for token in tokens if token.stem not in _keys_of(held))


def _denying(number: int, parts: Sequence[Sequence[Token]]) -> Sequence[Token]:
    """The words that may deny a part: its own, or those of the verb that it shares with another part."""
    if has_finite_verb([token.norm for token in parts[number]]):
        return parts[number]
    for behind in parts[number + 1 :]:
        if behind[0].norm not in _JOINTS:
            break
        if has_finite_verb([token.norm for token in behind]):
            # "A copy and a photograph were not enclosed"
            return behind
    is_joined = number > 0 and parts[number][0].norm in _JOINTS
    return [*parts[number], *(parts[number - 1] if is_joined else ())]


def _deciding_part(
    held: Held, parts: Sequence[Sequence[Token]], claim: _Claim, marked: Sequence[Held]
) -> int | None:
    """The part of a claim that speaks of a cell: the later one of those with its row and with its column."""
    row, column = held.row.core - {DENIAL}, held.label.core - {DENIAL}
    said = [meant_by(_stems_of_part(part)).also for part in parts]
    rows = [number for number, stems in enumerate(said) if row and row <= stems]
    columns = [number for number, stems in enumerate(said) if column and column <= stems]
    whole = claim.whole.with_words(claim.asked)
    if (row and not rows and not row <= whole.also) or not (rows or columns):
        return None
    if row and column and not columns and whole.share_of(held.label.core) < _NAMED:
        return None
    beside = [other for other in marked if (other.chunk, other.group) == (held.chunk, held.group)]
    rivals = [other.label for other in beside if other.row == held.row and other.label != held.label]
    is_others = any(label.core <= claim.whole.also for label in rivals if label.core)
    if not columns and (is_others or any(label.is_named_over(held.label, whole) for label in rivals)):
        return None
    return max(rows[:1] + columns[:1])


def _stems_of_part(part: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in part if not token.is_stop)


def _is_told(held: Held, said: Said, marked: Sequence[Held]) -> bool:
    for key in (held.row, held.label if held.label.full else held.heading):
        telling = key.core - {DENIAL}
        if len(telling & said.also) < _NAMED * len(telling):
            return False
    for other in marked:
        if other is not held and (other.chunk, other.group) == (held.chunk, held.group):
            keys = zip(held.keys, other.keys, strict=True)
            if any(_differs(own, rival, said) for own, rival in keys):
                return False
    return True


def _differs(own: Key, rival: Key, said: Said) -> bool:
    """Whether a claim names another key; what only denies the same is not another."""
    return own.full - {DENIAL} != rival.full - {DENIAL} and rival.is_named_over(own, said)


def _denies(norm: str, language: str) -> bool:
    if language != "en":
        return norm in _DENIERS
    if norm in _ALONE:
        # "Only with Team" affirms.
        return False
    return is_denier(norm) or norm in _NO or norm in _WITHOUT or DENIES in marks_of(norm)
