"""Values, names and code that a claim takes from another statement than the one it is about."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.ledger_sources import LedgerSources, typed_values
from pytest_grounding.evidence.names import is_sure_name, names_in
from pytest_grounding.evidence.piece_index import keys_in
from pytest_grounding.evidence.pieces import POINTS, Piece, chunk_pieces, claim_pieces, key_of_value
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import words_of_claim
from pytest_grounding.evidence.token_index import ChunkIndex, rarity
from pytest_grounding.lexicon import words
from pytest_grounding.model.claim_fact import FactType
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.facts.often import often_in
from pytest_grounding.reading.words import tokenize

_CODE = lazy(r"`([^`\n]{1,80})`")
#: The name of a call or command, without what it is given: "resize" of "resize(img)", "add" of "add FILE".
_CODE_NAME = lazy(r"(?:[^\s(]+(?: (?![A-Z]+\b)[^\s(]+)*|)")
#: From this rarity on a capitalised word that opens a sentence is a name.
_RARE = 7.0
_APART = words("denials", "in turn") | words("conditions", "excepting")
_TELLING = frozenset({"word", "value"})
_LONGEST = 100  # words of a claim that is compared, at most
#: Words of a piece of a claim at most, and beside a name: what says more is not taken for a member.
_MOST_KEYS, _MOST_OF_NAME = 10, 6
#: Statements of a chunk that are compared, and places of an item, at most.
_MOST = 40
#: Sentences between two parallel ones, and the words that they have in common at least.
_NEAR, _IN_COMMON = 2, 2
#: Words of a claim by which another sentence has to be nearer to it than the sentence of the fact.
_NEARER = 2
#: Kinds that are compared inside one sentence alone: names, and numbers without a unit.
_LOCAL = frozenset({"name", "day", ""})
_COMPARED = frozenset({"from", "than"})  # before a value they set it against another one
_DAY, _OFTEN = "day", "often"
_BY_KIND = POINTS | {"duration"}  # values of one kind, whatever their unit: hours and years
_TYPES: Mapping[str, FactType] = {"name": "name", "code": "identifier", _DAY: "point_in_time"}


@dataclass(slots=True)
class MemberItem:
    """A value, name or piece of code in a text."""

    kind: str  # "name", "code", or the unit of a value, which may be ""
    text: str
    start: int
    end: int
    keys: frozenset[str]  # of its words in a piece
    fact: Fact | None = None

    @property
    def type(self) -> FactType:
        """The type of the fact that it is."""
        return _TYPES.get(self.kind, "point_in_time" if self.kind in POINTS else "quantity")

    def is_same(self, other: MemberItem) -> bool:
        """Whether two items say the same; a name is the same as its part."""
        mine, theirs = self.fact, other.fact
        if mine is not None and theirs is not None:
            is_point = mine.kind in POINTS and theirs.kind in POINTS
            is_equal = (mine.value, mine.high, mine.unit) == (theirs.value, theirs.high, theirs.unit)
            if mine.unit != theirs.unit and "" in (mine.unit, theirs.unit):
                # "Five years and ten"
                is_equal = key_of_value(mine) == key_of_value(theirs)
            return compatible(mine, theirs) if is_point else is_equal
        return self.kind == other.kind and (self.keys <= other.keys or other.keys <= self.keys)

    def has_inside(self, other: MemberItem) -> bool:
        """Whether another item is a part of it."""
        return self is not other and self.start <= other.start and other.end <= self.end

    def agrees(self, other: MemberItem) -> bool:
        """Whether two items do not exclude each other: "8 hours" and "6-8 hours"."""
        if self.fact is not None and other.fact is not None:
            mine, theirs = self.fact._replace(bound=""), other.fact._replace(bound="")
            return compatible(mine, theirs) or compatible(theirs, mine)
        return bool(self.keys & other.keys) if self.kind == "name" else self.is_same(other)


@dataclass(slots=True)
class Member:
    """A piece of a sentence, with its items."""

    piece: Piece
    items: Sequence[MemberItem]
    sentence: frozenset[str]  # the keys of its whole sentence
    led: frozenset[str] = frozenset()  # the keys of the piece before, where it only goes on with an item

    def keys_beside(self, item: MemberItem) -> tuple[frozenset[str], frozenset[str]]:
        """What stands before and behind an item, without verbs and the item's own words."""
        told = [word for word in self.piece.words if word.kind in _TELLING and word.key not in item.keys]
        before = frozenset([word.key for word in told if word.start < item.start])
        return before, frozenset([word.key for word in told if word.start >= item.end])

    def is_subject(self, item: MemberItem) -> bool:
        """Whether an item stands before the verb, or opens a piece without one that says more."""
        verb = next((word for word in self.piece.words if word.kind == "verb"), None)
        if verb is not None:
            return item.start < verb.start
        told = [word for word in self.piece.words if word.kind != "joint"]
        is_first = bool(told) and told[0].start >= item.start
        return is_first and any(not word.is_named for word in told if word.start >= item.end)

    @property
    def is_cut_short(self) -> bool:
        """Whether it ends in a verb that goes on with another piece: "… 11,000 did"."""
        last = self.piece.words[-1:]
        return bool(last) and last[0].kind == "verb" and not last[0].key

    @property
    def opens_with_joint(self) -> bool:
        """Whether it begins with a preposition."""
        return bool(self.piece.words) and self.piece.words[0].kind == "joint"

    def part_of(self, item: MemberItem) -> str:
        """The preposition before an item, or "" where it stands without one."""
        before = [word for word in self.piece.words if word.start < item.start]
        return before[-1].key if before and before[-1].kind == "joint" else ""

    def noun_of(self, item: MemberItem) -> frozenset[str]:
        """The word right behind an item."""
        behind = next((word for word in self.piece.words if word.start >= item.end), None)
        return frozenset([behind.key]) if behind is not None and behind.kind == "word" else frozenset()

    def keys_without(self, item: MemberItem) -> frozenset[str]:
        """Its words, verbs and values without those of an item."""
        return (self.piece.keys | self.led) - item.keys


@dataclass(slots=True)
class ItemPlace:
    """An item where it stands."""

    chunk: int
    member: Member
    item: MemberItem


@dataclass(frozen=True, slots=True)
class _Free:
    """What no rival may be: the items of the claim itself, and what is asked about."""

    items: Sequence[MemberItem]
    asked: frozenset[str]

    def has(self, other: MemberItem) -> bool:
        """Whether an item may be a rival."""
        return self.asked.isdisjoint(other.keys) and not any(other.agrees(item) for item in self.items)


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """What a claim says beside an item: in the same piece, and in all of it."""

    here: frozenset[str]
    in_all: frozenset[str]  # empty where it has other items, too
    is_open: bool  # whether it is read with the question


def misplaced_of(text: str, sources: LedgerSources, *, is_copy: bool) -> Iterator[Settled]:
    """The items of a claim whose statement another one surpasses in all the rest; English only."""
    if sources.language != "en":
        return
    said = words_of_claim(text)
    if is_copy and said.has_finite_verb:
        return
    if len(said.tokens) > _LONGEST or said.is_denying or said.has(_APART):
        return
    values = typed_values(text)
    codes = _codes_said(text, sources.context)
    items = [*_items_in(text, values, codes), *codes]
    if not items:
        return
    statements = _members_of(claim_pieces(text), items)
    short = [claim for claim in statements if claim.items and len(claim.piece.keys) <= _MOST_KEYS]
    if not short:
        return
    whole = frozenset().union(*(claim.piece.keys for claim in statements))
    claimed = [item for claim in statements for item in claim.items]
    places = {id(item): _places_of_item(item, sources.context) for item in claimed}
    if any(item.fact is not None and not places[id(item)] for item in claimed):
        # "85 plus 30 makes 115": a value that is computed, or nowhere.
        return
    for claim in short:
        for item in claim.items:
            if item.fact is not None and sources.is_in_given(item.fact, sources.given.question):
                continue
            is_open = _needs_question(claim, item)
            asked = keys_in(sources.question)
            here = (claim.keys_without(item) | (asked if is_open else frozenset())) - item.keys
            if item.kind == "name" and len(here) > _MOST_OF_NAME:
                continue
            in_all = here | (whole - item.keys) if len(claimed) == 1 else frozenset()
            told = ClaimRest(here, in_all, is_open)
            free = _Free(claim.items, asked)
            rival = _nearer_rival(item, places[id(item)], told, free, sources.context)
            if rival is not None:
                place = Place(rival.chunk, rival.item.start, rival.item.end)
                outcome = Outcome("elsewhere", place, nearest=rival.item.text)
                yield Settled(item.type, item.start, item.end, outcome)


def _needs_question(claim: Member, item: MemberItem) -> bool:
    """Whether a claim is short or about "it", so that the question says the rest of it."""
    return len(claim.keys_without(item)) <= 1 or claim.piece.points_back


def _members_of(pieces: Sequence[Piece], items: Sequence[MemberItem]) -> list[Member]:
    keys: dict[int, frozenset[str]] = {}
    for piece in pieces:
        keys[piece.sentence] = keys.get(piece.sentence, frozenset()) | piece.keys
    statements: list[Member] = []
    lead: frozenset[str] = frozenset()  # the keys of the last piece that said more than an item
    ordered = sorted(items, key=lambda item: item.start)
    starts = [item.start for item in ordered]
    for piece in pieces:
        own = ordered[bisect_left(starts, piece.start) : bisect_left(starts, piece.end)]
        before = statements[-1] if statements else None
        is_empty = not piece.keys - frozenset().union(*(item.keys for item in own))
        is_led = is_empty and before is not None and before.piece.sentence == piece.sentence
        led: frozenset[str] = frozenset()
        if before is not None and is_led:
            is_of_kind = {item.kind for item in before.items} == {item.kind for item in own}
            # In "Ebb" (1911), "Sedge" (1919) a year belongs to the title before it.
            led = before.piece.keys | (before.led if is_of_kind else lead)
        if not is_led:
            lead = piece.keys
        statements.append(Member(piece, own, keys[piece.sentence], led))
    return statements


def _items_in(text: str, values: Sequence[Fact], codes: Sequence[MemberItem]) -> list[MemberItem]:
    """The values and names of a text, but those in code."""
    items = []
    taken = [(fact.start, fact.end) for fact in values] + [(code.start, code.end) for code in codes]
    for fact in values:
        if fact.value is None:
            # A day of the week or a month.
            items.append(MemberItem(_DAY, fact.text, fact.start, fact.end, _item_stems(fact.text)))
            continue
        kind = fact.kind if fact.kind in _BY_KIND else fact.unit
        keys = _item_stems(fact.text) | {key_of_value(fact)}
        items.append(MemberItem(kind, fact.text, fact.start, fact.end, keys, fact))
    taken += [(often.start, often.end) for often in often_in(text)]
    for often in often_in(text):
        if not any(fact.start < often.end and often.start < fact.end for fact in values):
            said = text[often.start : often.end]
            items.append(MemberItem(_OFTEN, said, often.start, often.end, _item_stems(said)))
    for name in names_in(text, "en"):
        is_taken = any(start < name.end and name.start < end for start, end in taken)
        is_titled = name.start < name.words[0].start
        is_rare = all(rarity(token.stem) >= _RARE for token in name.words)
        is_named = is_sure_name(name, "en") or is_titled or is_rare
        if is_named and not is_taken:
            stems = frozenset([token.stem for token in name.words])
            items.append(MemberItem("name", text[name.start : name.end], name.start, name.end, stems))
    return items


@kept_with_owner
def _inline_codes(index: ChunkIndex) -> list[MemberItem]:
    """The inline code of a chunk."""
    found = _CODE.finditer(index.text)
    return [MemberItem("code", code[1], code.start(1), code.end(1), _item_stems(code[1])) for code in found]


def _codes_said(text: str, context: Context) -> list[MemberItem]:
    """The inline code of the chunks that a claim has."""
    found: dict[int, MemberItem] = {}
    for code in (code for index in context.indexes for code in _inline_codes(index)):
        name = _CODE_NAME.match(code.text)
        said = code.text if code.text in text or name is None else name[0]
        start = text.find(said)
        end = start + len(said)
        is_whole = (
            start >= 0 and not text[max(0, start - 1) : start].isalnum() and not text[end : end + 1].isalnum()
        )
        if is_whole and (start not in found or end > found[start].end):
            found[start] = MemberItem("code", said, start, end, _item_stems(said))
    inside = {id(code) for other in found.values() for code in found.values() if other.has_inside(code)}
    return [code for code in found.values() if id(code) not in inside]


def _item_stems(text: str) -> frozenset[str]:
    return frozenset([token.stem for token in tokenize(text, "en")])


class _MembersRead:
    """The statements of a chunk that have items, by what they say."""

    def __init__(self, index: ChunkIndex) -> None:
        codes = _inline_codes(index)
        items = [*_items_in(index.text, typed_values(index.text), codes), *codes]
        self._members = [one for one in _members_of(chunk_pieces(index), items) if one.items]
        self.kinds = frozenset([item.kind for item in items])
        self._by_item: dict[str, list[int]] = {}
        self._by_key: dict[str, list[int]] = {}
        for number, statement in enumerate(self._members):
            for key in frozenset().union(*(item.keys for item in statement.items)):
                self._by_item.setdefault(key, []).append(number)
            for key in statement.sentence | statement.led:
                self._by_key.setdefault(key, []).append(number)

    def with_item(self, item: MemberItem) -> list[Member]:
        """The statements that have an item with a word or number of this one."""
        return self._those({number for key in item.keys for number in self._by_item.get(key, ())})

    def about(self, keys: frozenset[str]) -> list[Member]:
        """The statements in whose sentences most of these words are."""
        counts = Counter([number for key in keys for number in self._by_key.get(key, ())])
        if len(counts) <= _MOST:
            return self._those(counts)
        return self._those(sorted(counts, key=lambda number: (-counts[number], number))[:_MOST])

    def _those(self, numbers: Iterable[int]) -> list[Member]:
        return [self._members[number] for number in sorted(numbers)]


_members_read = kept_with_owner(_MembersRead)


def _places_of_item(item: MemberItem, context: Context) -> list[ItemPlace]:
    """Where the sources have an item of a claim: as it is, else in part."""
    places = [
        ItemPlace(chunk, statement, other)
        for chunk, index in enumerate(context.indexes)
        for statement in _members_read(index).with_item(item)
        for other in statement.items
        if other.is_same(item)
    ]
    return [place for place in places if place.item.keys == item.keys] or places


def _nearer_rival(
    item: MemberItem, places: Sequence[ItemPlace], told: ClaimRest, free: _Free, context: Context
) -> ItemPlace | None:
    """The item of the statement that has all that the fact's places have of a claim, and more."""
    if not places or len(places) > _MOST:
        return None
    if any(place.member.piece.points_back for place in places):
        return None
    own = {id(place.member.piece) for place in places}
    said = told.here.union(told.in_all, *map(context.stand_ins, told.here | told.in_all))
    for chunk in _chunks_of_rivals(places, told, context):
        members = _members_read(context.indexes[chunk])
        for statement in members.about(said) if item.kind in members.kinds else ():
            if id(statement.piece) in own:
                continue
            for other in statement.items:
                if other.kind != item.kind or not free.has(other):
                    continue
                rival = ItemPlace(chunk, statement, other)
                if all(_says_more(rival, place, told, context) for place in places):
                    return rival
    return None


def _chunks_of_rivals(places: Sequence[ItemPlace], told: ClaimRest, context: Context) -> Collection[int]:
    """The chunks that may have a rival of all places; one of a local kind stands near its place."""
    local = {place.chunk for place in places if place.item.kind in _LOCAL and not told.is_open}
    if local:
        return local if len(local) == 1 else ()
    return range(len(context.indexes))


def _says_more(rival: ItemPlace, place: ItemPlace, told: ClaimRest, context: Context) -> bool:
    """Whether a rival's statement has all that the fact's has of a claim, and more."""
    other, own = rival.member, place.member
    its_item, item = rival.item, place.item
    if rival.chunk == place.chunk and (
        own.piece.sentence == other.piece.sentence or _are_parallel(own, other)
    ):
        return _is_nearer_member(rival, place, told.here, context)
    if item.kind in _LOCAL and not told.is_open:
        return False
    theirs, ours = other.sentence - its_item.keys, own.sentence - item.keys
    said = told.here if item.kind == "code" else told.in_all
    if not said:
        return False
    mine, held = _kept_of(said, ours, context), _kept_of(said, theirs, context)
    known = frozenset([key for key in said if not context.stand_ins(key).isdisjoint(context.positions)])
    if item.kind in _LOCAL:
        return not mine and held >= known and len(held) >= _NEARER
    is_near = len(held - mine) >= _NEARER or item.kind == "code" or told.is_open
    return mine < held and held >= known and is_near


def _are_parallel(own: Member, other: Member) -> bool:
    """Whether two sentences near each other say the same of two things: "Room A holds 30 people"."""
    ours = {word.key for word in own.piece.words if word.kind in ("word", "verb")}
    theirs = {word.key for word in other.piece.words if word.kind in ("word", "verb")}
    is_near = abs(own.piece.sentence - other.piece.sentence) <= _NEAR
    return is_near and len(ours & theirs) >= _IN_COMMON and max(len(ours - theirs), len(theirs - ours)) == 1


def _is_nearer_member(rival: ItemPlace, place: ItemPlace, told: frozenset[str], context: Context) -> bool:
    """The same of two members of one sentence, in which the two items have the same part."""
    other, own = rival.member, place.member
    its_item, item = rival.item, place.item
    theirs, ours = other.keys_without(its_item), own.keys_without(item)
    if not ours or own.is_cut_short or not _are_in_one_part(rival, place):
        return False
    if its_item.fact is not None and not other.noun_of(its_item):
        # "The second" of "the first opera failed, the second was a success".
        theirs |= own.noun_of(item)
    if not (own.piece.verbs and other.piece.verbs):
        # One has no verb: it goes on with what the other says on the sides where it says nothing else.
        verbs = own.piece.verbs | other.piece.verbs
        if other.opens_with_joint and not other.piece.verbs:
            # "The shop closes at six, on Sundays at four."
            verbs |= own.piece.keys - item.keys
        theirs, ours = theirs | verbs, ours | verbs
        for left, right in zip(other.keys_beside(its_item), own.keys_beside(item), strict=True):
            if left <= right or right <= left:
                theirs, ours = theirs | left | right, ours | left | right
    mine, held = _kept_of(told, ours, context), _kept_of(told, theirs, context)
    return mine < held and _are_contrasted(rival, place, held - mine, context)


def _are_contrasted(rival: ItemPlace, place: ItemPlace, told: frozenset[str], context: Context) -> bool:
    """Whether the fact's member has something else in the place of what a claim says of the rival's."""
    other, own = rival.member, place.member
    forms = told.union(*map(context.stand_ins, told))
    theirs, ours = other.keys_beside(rival.item), own.keys_beside(place.item)
    pairs = [*zip(theirs, ours, strict=True), (other.piece.verbs, own.piece.verbs), (other.led, own.led)]
    if rival.item.kind == "name" and not (other.piece.verbs and own.piece.verbs):
        pairs.append((theirs[0] | theirs[1], ours[0] | ours[1]))
    return any(left & forms and right - other.piece.keys for left, right in pairs)


def _are_in_one_part(rival: ItemPlace, place: ItemPlace) -> bool:
    """Whether two names stand on the same side of their verbs, or two numbers before the same noun."""
    parts = [stand.member.part_of(stand.item) for stand in (rival, place)]
    if parts[0] != parts[1] and not _COMPARED.isdisjoint(parts):
        return False
    if rival.item.kind == "name":
        is_one_side = rival.member.is_subject(rival.item) == place.member.is_subject(place.item)
        # "The conductor is Ada Voss": either side of "is" is its subject.
        is_one_side = is_one_side or not place.member.piece.verbs
        has_verb = rival.member.piece.has_verb and place.member.piece.has_verb
        return is_one_side and parts[0] == parts[1] and (has_verb or rival.member.is_subject(rival.item))
    if rival.item.kind == "":
        nouns = [stand.member.noun_of(stand.item) for stand in (rival, place)]
        return not all(nouns) or nouns[0] == nouns[1]
    return True


def _kept_of(told: frozenset[str], keys: frozenset[str], context: Context) -> frozenset[str]:
    """What a claim says that a statement has, in some form."""
    return frozenset([key for key in told if key in keys or not context.stand_ins(key).isdisjoint(keys)])
