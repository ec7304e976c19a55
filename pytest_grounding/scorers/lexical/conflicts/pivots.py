"""What stands before a verb or a relation in the claim and behind it in the source: who does it to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.lexicon import one_way_stems, opposites
from pytest_grounding.scorers.lexical.conflicts.sides import CLAUSE
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.scorers.lexical.wordlists import VERBS
from pytest_grounding.text.facts import Fact, compatible

_BEING = frozenset({"is", "are", "was", "were", "be", "been", "being", "isn't", "aren't", "wasn't"})
_ARTICLES = frozenset({"a", "an", "the"})
#: What stands between a verb or a relation and its second side; others of them are one and the same.
_LINKS = frozenset({"by", "of", "from", "to", "into", "than", "after", "before", "in", "with", "for"})
#: Relations that are the same from both sides.
_EVEN = frozenset(
    {"similar", "equal", "relat", "compar", "differ", "meet", "marri", "connect", "link", "between", "join"}
    | {"combin", "mix", "share", "associ", "versus", "border", "resembl", "match", "fight", "play", "talk"}
)
_STOPS = frozenset(
    {"and", "or", "but", "while", "whereas", "which", "that", "because", "when", "if", "so", "who"}
)
_DONE = frozenset(
    {"made", "used", "given", "taken", "done", "seen", "found", "known", "shown", "held", "kept"}
)
#: Verbs for bringing something about.
_MAKING = ("caus", "creat", "form", "generat", "produc", "trigger")
_REACH = 7
_WORDS = 4
_MOST_PLACES = 40
_MOST_NAMES = 12


class Side(NamedTuple):
    """A verb or relation with what stands on its two sides.

    Attributes:
        word: its number.
        left: content stems before it in its clause, nearest first.
        right: content stems behind it.
        link: the small word that joins the right side, "" for none.
        is_done: whether a form of "to be" stands before it.
    """

    word: int
    left: tuple[str, ...]
    right: tuple[str, ...]
    link: str
    is_done: bool


def pivot_conflicts(contest: Contest) -> Iterator[Found]:
    """Verbs and relations of the claim on whose two sides everything has changed places."""
    claim = contest.claim
    for number in _pivots(claim):
        places = _places(contest, claim.stems[number])
        if not places:
            continue
        ours = _side(claim, number, 0, len(claim.tokens))
        shared = set(ours.left) & set(ours.right)
        left, right = set(ours.left) - shared, set(ours.right) - shared
        if not left or not right:
            continue
        near = _near(contest, {*ours.left, *ours.right}, places)
        found = _crossed(contest, ours, left, right, near) if near else None
        if found is not None:
            place, kind = found
            token, rival = claim.tokens[number], contest.chunks[place.chunk].tokens[place.word]
            cover = contest.cover(place.chunk, contest.sentence_of(place))
            yield Found(kind, token.start, token.end, *place, rival.start, rival.end, 1.0, cover)


def _pivots(claim: View) -> Iterator[int]:
    """Numbers of the words that may be a verb or a relation."""
    tokens, norms = claim.tokens, claim.norms
    verbs = one_way_stems()
    linked = {number - step for number, norm in enumerate(norms) if norm in _LINKS for step in (1, 2)}
    for number, (norm, stem) in enumerate(zip(norms, claim.stems, strict=True)):
        is_verb = stem in verbs or norm in VERBS
        if not is_verb and number not in linked:
            continue
        token = tokens[number]
        if token.is_number or token.is_name or stem in _EVEN or not number:
            continue
        if norm.endswith("ly") and not stem.endswith("li"):
            # "famously" is no verb; "supply" is one, and keeps its ending as a stem.
            continue
        after, before = _after(claim, number, len(norms)), norms[number - 1]
        if token.is_stop:
            # "is made from", "is used by"
            if after in _LINKS and before in _BEING and norm in _DONE:
                yield number
        elif is_verb:
            # "Water damage is": no verb.
            if after not in _BEING:
                yield number
        elif after in _LINKS and (before in _BEING or after in {"by", "than"}):
            # "is derived from", "larger than"
            yield number
        elif after == "of" and before in _ARTICLES and number > 1 and norms[number - 2] in _BEING:
            # "is a type of"
            yield number


def _after(view: View, number: int, high: int) -> str:
    """The word behind a word, "up" and "out" passed over."""
    rest = view.norms[number + 1 : min(high, number + 3)]
    return "" if not rest else rest[-1] if rest[0] in {"up", "out"} else rest[0]


def _side(view: View, number: int, low: int, high: int) -> Side:
    after = _after(view, number, high)
    is_done = not _BEING.isdisjoint(view.norms[max(low, number - 2) : number])
    return Side(
        number,
        tuple(_walk(view, number, -1, low, high)),
        tuple(_walk(view, number, 1, low, high)),
        after if after in _LINKS else "",
        is_done,
    )


def _walk(view: View, number: int, step: int, low: int, high: int) -> list[str]:
    """Content stems on one side of a word up to the border of its clause, nearest first."""
    tokens, text = view.tokens, view.text
    found: list[str] = []
    border = min(high, number + _REACH + 1) if step > 0 else max(low - 1, number - _REACH - 1)
    last = tokens[number]
    for at in range(number + step, border, step):
        token = tokens[at]
        gap = text[last.end : token.start] if step > 0 else text[token.end : last.start]
        if (gap != " " and not CLAUSE.isdisjoint(gap)) or token.norm in _STOPS:
            break
        if not token.is_stop:
            found.append(token.stem)
            if len(found) == _WORDS:
                break
        last = token
    return found


def _places(contest: Contest, stem: str) -> list[Place]:
    """Where a word or one that may stand for it stands in the chunks."""
    others = [other for other in _like(stem) if contest.sources.holds(other)]
    return [place for other in others for place in contest.places(other)[:_MOST_PLACES]]


def _near(contest: Contest, sides: set[str], places: list[Place]) -> list[Place]:
    """The places whose sentence holds a word of the claim's sides; none where no sentence holds two."""
    found: list[Place] = []
    most = 0
    for place in places:
        shared = len(sides & contest.stems(place.chunk, contest.sentence_of(place)))
        if shared:
            found.append(place)
            most = max(most, shared)
    # To change places takes a word of either side, or two of one.
    return found if most > 1 else []


def _crossed(
    contest: Contest, ours: Side, left: set[str], right: set[str], places: list[Place]
) -> tuple[Place, str] | None:
    """Where a source has the claim's right side before the same word or its left side behind it.

    Returns:
        The place, and "turned" where both have changed places, "half" where one has and the other is not
        said; None where some source says it as the claim does, or half of it.
    """
    norm = contest.claim.norms[ours.word]
    is_one_way = contest.claim.stems[ours.word] in one_way_stems() or norm in VERBS
    found: tuple[Place, str] | None = None
    # The words next to the verb carry their side.
    first = next(word for word in ours.left if word in left)
    second = next(word for word in ours.right if word in right)
    for place in places:
        sentence = contest.sentence_of(place)
        low, high = contest.bounds(place.chunk, sentence)
        theirs = _side(contest.chunks[place.chunk], place.word, low, high)
        before, behind = set(theirs.left), set(theirs.right)
        is_crossed = bool(left & behind and right & before)
        theirs_norm = contest.chunks[place.chunk].norms[place.word]
        if is_one_way and _is_passive(ours, norm) != _is_passive(theirs, theirs_norm):
            # "The blood is filtered by the kidneys": the same words on the same sides, turned round.
            if first in before and second in behind:
                found = found or (place, "turned")
                continue
            if is_crossed:
                return None
        if is_crossed and _are_opposed(ours, theirs):
            # "Sells worse than" and "sells better than".
            continue
        if is_crossed and ours.link == theirs.link == "than":
            # "The old tower is higher than the new one": what tells them apart has changed places.
            found = place, "turned"
            continue
        if first in before or second in behind:
            return None
        if found is not None and found[1] == "turned":
            continue
        if theirs.is_done != ours.is_done or (theirs.link == "by") != (ours.link == "by"):
            # "Keys are stored in a vault" says the same as "a vault stores the keys".
            continue
        apart = not (left & before or right & behind)
        if (first in behind and second in before) or (apart and is_crossed):
            found = place, "turned"
        elif (
            apart
            and found is None
            and _is_finite(norm, contest.chunks[place.chunk].tokens[place.word])
            and (_moved(ours.left, behind) or _moved(ours.right, before))
        ):
            found = place, "half"
    return found


def _like(stem: str) -> tuple[str, ...]:
    """A verb and those that go the same way: what forms something causes it."""
    more = [other for other in (*synonyms_of(stem), *(_MAKING if stem in _MAKING else ())) if other != stem]
    return (stem, *dict.fromkeys(more))


def _are_opposed(ours: Side, theirs: Side) -> bool:
    """Whether a word around the claim's verb is opposed to one around the source's."""
    held = {*theirs.left, *theirs.right}
    return any(not held.isdisjoint(opposites().get(stem, ())) for stem in {*ours.left, *ours.right} - held)


def _is_passive(side: Side, norm: str) -> bool:
    """Whether a verb is passive, as far as "by" and its ending tell: "agents required by law" as well."""
    return side.link == "by" and (side.is_done or norm.endswith(("ed", "en", "wn")))


def _is_finite(norm: str, rival: Token) -> bool:
    """Whether a word of the claim and its like in a source are verbs, as far as endings tell."""
    if rival.text[0].isupper():
        return False
    return norm == rival.norm or (norm.endswith(("s", "ed")) and not rival.norm.endswith("ing"))


def _moved(side: tuple[str, ...], other: set[str]) -> bool:
    """Whether the phrase next to a verb stands on the other side of it in the source: two words of it."""
    return len(other.intersection(side[:3])) >= 2


def joined_name_conflicts(contest: Contest) -> Iterator[Found]:
    """A name that a small word joins to a verb ("repealed by X"), where the sources join another one."""
    claim = contest.claim
    for fact, at in claim.named[:_MOST_NAMES]:
        if fact.initial:
            continue
        link, verb = _link_before(claim, at)
        if not link:
            continue
        best: Place | None = None
        rival: Fact | None = None
        for place in contest.places(claim.tokens[verb].stem)[:_MOST_PLACES]:
            other = _name_behind(contest, place, link)
            if other is None:
                continue
            if compatible(fact, other[0]) or _holds(contest, place, fact):
                best = None
                break
            if best is None:
                rival, best = other[0], Place(place.chunk, other[1])
        if best is not None and rival is not None:
            cover = contest.cover(best.chunk, contest.sentence_of(best))
            yield Found("joined", fact.start, fact.end, *best, rival.start, rival.end, 1.0, cover)


def _link_before(view: View, at: int) -> tuple[str, int]:
    """The small word that joins a name to the content word before it, and the number of that word."""
    tokens = view.tokens
    number = at - 1
    if number > 0 and tokens[number].norm in _ARTICLES:
        number -= 1
    if number < 1 or tokens[number].norm not in _JOINS or tokens[number - 1].is_stop:
        return "", 0
    if tokens[number - 1].is_name or tokens[number - 1].is_number:
        return "", 0
    between = view.text[tokens[number - 1].end : tokens[at].start]
    return ("", 0) if not CLAUSE.isdisjoint(between) else (tokens[number].norm, number - 1)


_JOINS = frozenset({"by", "from", "to", "into", "after", "of", "with"})


def _name_behind(contest: Contest, place: Place, link: str) -> tuple[Fact, int] | None:
    """The name that a small word joins to a word of a chunk, and the number of its first word."""
    view = contest.chunks[place.chunk]
    sentence = contest.sentence_of(place)
    for fact, at in view.names.get(sentence, ()):
        if place.word < at <= place.word + 3 and _link_before(view, at) == (link, place.word):
            return fact, at
    return None


def _holds(contest: Contest, place: Place, fact: Fact) -> bool:
    """Whether a name stands soon behind a place: "by A and B" joins both."""
    words = set(fact.key.split())
    _, high = contest.bounds(place.chunk, contest.sentence_of(place))
    tokens = contest.chunks[place.chunk].tokens[place.word : min(high, place.word + 9)]
    return any(token.norm in words for token in tokens)
