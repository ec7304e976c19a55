"""What a source says of one of several alike, and a claim says of another: cases, teams, versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.names import Name, names_in
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.speaker_facts import conversation_turns
from pytest_grounding.evidence.statements import Grounds, denies_something, has_word
from pytest_grounding.evidence.token_index import ChunkIndex, light_stems
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.words import Token, content_stems, tokenize

_GOING_BACK = words("denials", "going back")
_SAYING = words("denials", "attribution") | words("denials", "saying") | words("denials", "reporting")
_COMPARING = words("denials", "contrasting") | words("denials", "in turn") | {"both", "than"}
_NUMBERED = alternation("labels", "numbered")
#: "E17: drain blocked. E24: …", "4.12.3: …", "Form 13.25: …", "Section 3.2 Noise. Section 4.1 …".
_CODE = r"[A-Z]{0,4}-?\d[\w./-]{0,12}"
_LABELLED = (
    lazy(
        rf"(?:^|(?<=[.;\n] )|(?<=\n))(?P<who>{_CODE})(?: \([^)\n]{{1,40}}\))?: "
        r"(?P<what>[^;\n]{3,300}?)[.;\n]"
    ),
    lazy(
        rf"(?i:(?:^|(?<=[.;:\n] )|(?<=\n))(?P<who>(?:form|{_NUMBERED}) {_CODE}(?: [A-Z]\b)?):? "
        r"(?P<what>[^;\n]{3,300}?)[.;\n])"
    ),
)
_RELATIVE = words("denials", "relative pronouns")
_LABEL, _SPEAKER = "a label", "a speaker"
_TITLES, _NAME = words("names", "titles"), "a name"
_CLEFTS = (["it", "was"], ["it", "is"])
_SUBJECT, _SUBJECT_WITHOUT_VERB = 14, 8  # words of a subject at most
#: Parts of a text, and content words of a claim, that are compared; with more none is.
_MOST, _LONGEST = 120, 16
#: Words of a claim that the sentence of another one has more than any of its own, and the share of those
#: of its words that the chunk has at all.
_MORE, _SHARE, _SHARE_OF_NOTHING = 2, 0.75, 0.6


@dataclass(frozen=True, slots=True)
class OwnedPart:
    """A sentence, or what stands behind a label, with whom or what it is about."""

    owner: frozenset[str]  # stems of the name or label; empty without one
    named: frozenset[str]  # stems of all names in it
    sort: frozenset[str]  # what tells of which sort the owner is: "group", "helmet"
    stems: frozenset[str]
    shown: str  # the owner as written
    numbered: frozenset[str] = frozenset()  # numbers with the word before each: "java 17"
    denies: bool = False


@read_once
def labelled_parts(text: str) -> tuple[OwnedPart, ...]:
    """The parts of a text that begin with codes, versions or numbered labels; empty without several."""
    for form in _LABELLED:
        found = [_labelled_part(match["who"], match["what"]) for match in form.finditer(f"{text}\n")]
        if len({part.owner for part in found}) > 1:
            return tuple(found) if len(found) <= _MOST else ()
    return ()


def _labelled_part(who: str, what: str) -> OwnedPart:
    return OwnedPart(content_stems(who), frozenset(), frozenset({_LABEL}), content_stems(what), who)


@kept_with_owner
def sentence_parts(index: ChunkIndex) -> tuple[OwnedPart, ...]:
    """The sentences of a chunk with the name that their subject has; empty where it has less than two."""
    parts: list[OwnedPart] = []
    # With a part of the sentences, what the others say of somebody would be another's.
    for start, end in index.sentences if len(index.sentences) <= _MOST else ():
        parts.append(_owned_part(index.text[start:end], parts[-1] if parts else None))
    return tuple(parts) if len({part.owner for part in parts if part.owner}) > 1 else ()


def _owned_part(sentence: str, before: OwnedPart | None) -> OwnedPart:
    tokens = tokenize(sentence, "en")
    stems = frozenset(token.stem for token in tokens if not token.is_stop)
    names = [name for name in names_in(sentence, "en") if _is_plain_name(name, sentence)]
    named = frozenset(token.stem for name in names for token in name.words)
    goes_back = has_word(tokens[:2], _GOING_BACK) and not _is_cleft(tokens)
    if goes_back and before is not None:
        # "She studied in Basel": the one of the sentence before.
        both = OwnedPart(before.owner, named | before.named, before.sort, stems | before.stems, before.shown)
        return replace(both, denies=denies_something(tokens) or before.denies)
    subject = _opening_of(tokens)
    first = _first_name(names, subject)
    if first is None:
        return OwnedPart(frozenset(), named, frozenset(), stems, "")
    numbers = [token for token in subject if token.is_number and token.start == first.end + 1]
    owner = frozenset(token.stem for token in (*first.words, *numbers))
    sort = frozenset(token.stem for token in subject if not token.is_stop) - owner
    is_person = len(first.words) > 1 or has_word(subject, _TITLES)
    if is_person or not sort:
        sort |= {_NAME}
    shown, numbered = sentence[first.start : first.end], _numbered(tokens)
    return OwnedPart(owner, named, sort, stems, shown, numbered, denies_something(tokens))


def _numbered(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(f"{a.stem} {b.stem}" for a, b in pairwise(tokens) if b.is_number and not a.is_number)


def _is_plain_name(name: Name, sentence: str) -> bool:
    """Whether a name is more than the capital with which a sentence begins."""
    has_title = sentence[name.start : name.end].split(maxsplit=1)[0].lower().rstrip(".") in _TITLES
    return not name.opens or len(name.words) > 1 or has_title


def _is_cleft(tokens: Sequence[Token]) -> bool:
    """Whether a sentence begins with "it was", as "It was the curator who …" does."""
    return [token.norm for token in tokens[:2]] in _CLEFTS


def _opening_of(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words before the first verb; of "it was X who …" those up to "who"."""
    first = 2 if _is_cleft(tokens) else 0
    for number in range(first + 1, min(len(tokens), first + _SUBJECT)):
        if tokens[number].norm in _RELATIVE or is_finite_verb(tokens[number].norm):
            return tokens[first:number]
    return tokens[first : first + _SUBJECT_WITHOUT_VERB]


def _first_name(names: Sequence[Name], subject: Sequence[Token]) -> Name | None:
    """The first name that a subject has."""
    starts = {token.start for token in subject}
    return next((name for name in names if not starts.isdisjoint(range(name.start, name.end))), None)


def owners_settled(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The one of whom a claim says what its source says of another one of the same sort."""
    tokens = grounds.tokens
    if len(grounds.content) > _LONGEST or has_word(tokens, _COMPARING):
        return
    found = (_settled_owner(parts, chunk, grounds) for chunk, parts in _owned_parts(sources))
    yield from islice(filter(None, found), 1)


@kept_with_owner
def _owned_parts(sources: LedgerSources) -> list[tuple[int, Sequence[OwnedPart]]]:
    """The parts that tell of several in turn, with their chunk."""
    found: list[tuple[int, Sequence[OwnedPart]]] = []
    for chunk, page in enumerate(sources.pages.pages):
        # The rows of a table are no sentences.
        sentences = sentence_parts(sources.context.indexes[chunk]) if "|" not in page.own else ()
        readings = (_spoken_parts(page.own), labelled_parts(page.own), sentences)
        found += [(chunk, parts) for parts in readings if parts]
    return found


def _spoken_parts(text: str) -> tuple[OwnedPart, ...]:
    """What the speakers of a conversation say, but for their questions."""
    turns = conversation_turns(text)
    return tuple(
        OwnedPart(turn.names, frozenset(), frozenset({_SPEAKER}), turn.stems, turn.speaker)
        for turn in (turns if len(turns) <= _MOST else ())
    )


def _settled_owner(parts: Sequence[OwnedPart], chunk: int, grounds: Grounds) -> Settled | None:
    said = grounds.content.keys()
    owners = {part.owner for part in parts if part.owner and part.owner <= said}
    if len(owners) != 1:
        return None
    owner = owners.pop()
    if _is_shortened(owner, parts, grounds):
        return None
    rest = _telling_apart(owner, parts, grounds)
    own = [part for part in parts if owner <= part.owner | part.named | part.stems]
    sorts = frozenset().union(*(part.sort for part in own if part.owner == owner))
    held = max((_words_held_by(rest, part, grounds) for part in own), default=0)
    rivals = [part for part in parts if part not in own and part.owner and not sorts.isdisjoint(part.sort)]
    best = max(rivals, key=lambda part: _words_held_by(rest, part, grounds), default=None)
    if best is None or (grounds.words.is_denying and not best.denies):
        # What is denied of one is often said of another.
        return None
    count = _words_held_by(rest, best, grounds)
    more = 1 if _LABEL in best.sort and not held else _MORE
    share = _SHARE if held else _SHARE_OF_NOTHING
    is_others = count >= max(held + more, share * len(rest))
    if not is_others and not _has_other_number(own, best, grounds):
        return None
    token = next(token for token in grounds.tokens if token.stem in owner)
    return Settled("role", token.start, token.end, Outcome("elsewhere", Place(chunk), nearest=best.shown))


def _is_shortened(owner: frozenset[str], parts: Sequence[OwnedPart], grounds: Grounds) -> bool:
    """Whether a claim has a longer name that the sources have too: "Emma Roy" beside "Emma"."""
    named = frozenset().union(*(part.named for part in parts))
    for name in names_in(grounds.text, "en"):
        others = frozenset(token.stem for token in name.words) - owner
        if len(others) < len(name.words) and others & named:
            return True
    return False


def _has_other_number(own: Sequence[OwnedPart], rival: OwnedPart, grounds: Grounds) -> bool:
    """Whether a claim has a number of another one, where its own has one of that kind: "Java 17"."""
    known = frozenset().union(*(part.numbered for part in own))
    kinds = {counted.partition(" ")[0] for counted in known}
    taken = (_numbered(grounds.tokens) & rival.numbered) - known
    return any(counted.partition(" ")[0] in kinds for counted in taken)


def _telling_apart(owner: frozenset[str], parts: Sequence[OwnedPart], grounds: Grounds) -> set[str]:
    """The words of a claim beside its owner that a part with an owner has, and no other and not all have."""
    found = set()
    for token in grounds.tokens:
        is_known = token.stem in owner or token.norm in _TITLES
        if token.is_stop or is_known or token.norm in _SAYING or token.stem in light_stems():
            continue
        holding = [part for part in parts if not part.stems.isdisjoint(grounds.forms(token.stem))]
        if 0 < len(holding) < len(parts) and all(part.owner for part in holding):
            found.add(token.stem)
    return found


def _words_held_by(rest: set[str], part: OwnedPart, grounds: Grounds) -> int:
    return sum(not part.stems.isdisjoint(grounds.forms(stem)) for stem in rest)
