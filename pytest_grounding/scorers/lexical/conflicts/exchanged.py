"""Two names that fit each other's places better than their own: "A succeeded B" for "B succeeded A".

What stands around a name, on which side, is its slot. A slot of the claim is held against the words around
each of the two names in a source: as the claim has them, and exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.lexicon import opposites
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.tokens import Token

#: Words that are looked at on either side of a name, and content words among them.
_REACH, _WORDS = 6, 4
#: Names of a claim, names behind each of them, words between two, and sentences that are looked at.
_MOST_NAMES, _NEXT, _MOST_BETWEEN, _SENTENCES = 8, 3, 10, 4
#: What each word between costs.
_FADING = 0.25
#: How far each name must fit the other's slot, by how much better both must fit exchanged, and how little
#: they may fit as they are, as a share of that.
_LEAST_FIT, _LEAST_GAP, _MOST_STRAIGHT = 0.05, 0.15, 0.6
_BEFORE, _BEHIND, _EITHER = "before", "behind", "either"
_OTHER_SIDES = {
    _BEFORE: (_BEFORE, _EITHER),
    _BEHIND: (_BEHIND, _EITHER),
    _EITHER: (_EITHER, _BEFORE, _BEHIND),
}
_TURNED = {_BEFORE: _BEHIND, _BEHIND: _BEFORE, _EITHER: _EITHER}
_BORDERS = frozenset(";:()\n")
_CONTRASTS = frozenset({"while", "whereas", "but", "because", "although"})
#: Between two names they make a pair or a list of them, or two statements.
_PAIRING = frozenset({"and", "or", "but", "while", "whereas", "with", "between", "versus", "vs"})
#: What opens a phrase behind a comma that says what a name is: "Khan, a boxer from Bolton".
_APPOSED = frozenset({"a", "an", "the", "former", "current", "then"})
_CLOSING = frozenset({"of", "from", "in", "at", "by", "for", "who", "which"})
_BELONGING = frozenset({"of", "from", "in", "at", "for"})
_ARTICLES = frozenset({"a", "an", "the"})
#: Who is that to another cannot be the other to him.
_KIN = frozenset(
    {"father", "mother", "son", "daughter", "uncle", "aunt", "nephew", "niece", "successor", "heir"}
)
#: Verbs that stand before and behind who says something.
_SAYING = frozenset({"said", "say", "state", "told", "tell", "accord", "announc", "call", "name", "titl"})
_DONE = ("ed", "en", "wn", "t", "de", "n")

Slot = dict[tuple[str, str], float]


class Name(NamedTuple):
    """A name of the claim: its first and last word, and the stems of its content words."""

    first: int
    last: int
    stems: frozenset[str]


class Fit(NamedTuple):
    """How far two names of the claim fit.

    Attributes:
        straight: how far each fits its own slot, added up, in [0, 2].
        crossed: how far each fits the other's slot in one sentence, added up, in [0, 2].
        least: the lesser of these two.
        chunk: chunk of that sentence.
        sentence: its number.
        word: where the first of the names stands there.
    """

    straight: float
    crossed: float
    least: float
    chunk: int
    sentence: int
    word: int


def exchanged_names(contest: Contest) -> Iterator[Found]:
    """Pairs of names of the claim of which each stands, in a sentence, where the claim has the other."""
    names = _names(contest.claim)
    if len(names) < 2:
        return
    for number, left in enumerate(names):
        for right in names[number + 1 : number + 1 + _NEXT]:
            if left.stems & right.stems or _are_paired(contest.claim, left, right):
                continue
            fit = _fit(contest, left, right)
            if fit is None or fit.straight > _MOST_STRAIGHT * fit.crossed:
                continue
            gap = fit.crossed - fit.straight
            if gap < _LEAST_GAP or _is_reworded(contest, left, right, fit):
                continue
            rival = contest.chunks[fit.chunk].tokens[fit.word]
            tokens = contest.claim.tokens
            yield Found(
                "exchanged",
                tokens[left.first].start,
                tokens[right.last].end,
                fit.chunk,
                fit.word,
                rival.start,
                rival.end,
                min(1.0, gap),
                contest.cover(fit.chunk, fit.sentence),
            )


def _is_reworded(contest: Contest, left: Name, right: Name, fit: Fit) -> bool:
    """Whether a sentence has another verb than the claim has between two names.

    "A bought it from B" says the same as "B sold it to A", and "C met B through A" as "A introduced B to C".
    """
    held = contest.stems(fit.chunk, fit.sentence)
    content = [token for token in contest.claim.tokens[left.last + 1 : right.first] if not token.is_stop]
    if content and held.isdisjoint((content[0].stem, *synonyms_of(content[0].stem))):
        return True
    return any(
        token.stem not in held and not held.isdisjoint(opposites().get(token.stem, ())) for token in content
    )


def _names(view: View) -> list[Name]:
    names = []
    for fact, at in view.named:
        last = view.end_of(fact, at)
        stems = frozenset(token.stem for token in view.tokens[at : last + 1] if not token.is_stop)
        if stems:
            names.append(Name(at, last, stems))
            if len(names) == _MOST_NAMES:
                break
    return names


def _are_paired(view: View, left: Name, right: Name) -> bool:
    """Whether two names stand in a list, in two statements, or too far apart to be one statement."""
    between = view.tokens[left.last + 1 : right.first]
    if "between" in view.norms[max(0, left.first - 4) : left.first]:
        # "The difference between A and B is that ..."
        return True
    if not between or len(between) > _MOST_BETWEEN:
        return True
    if not _PAIRING.isdisjoint(token.norm for token in between):
        return True
    text = view.text[view.tokens[left.last].end : view.tokens[right.first].start]
    if text.startswith(",") and between[-1].norm in _BELONGING and _KIN.isdisjoint(t.norm for t in between):
        # "Khan, a boxer from Bolton" is the Bolton boxer Khan.
        return True
    return "," in text and all(token.is_stop or token.is_name for token in between)


def _fit(contest: Contest, left: Name, right: Name) -> Fit | None:
    claim, skip = contest.claim, left.stems | right.stems
    sentences = contest.best_sentences(_SENTENCES)
    shared = [
        place
        for place in sentences
        if not (left.stems.isdisjoint(contest.stems(*place)) or right.stems.isdisjoint(contest.stems(*place)))
    ]
    if not shared:
        return None
    slots = [_slot(claim, name.first, name.last, (0, len(claim.tokens)), skip) for name in (left, right)]
    if not slots[0] or not slots[1]:
        return None
    best: Fit | None = None
    for place in shared:
        fit = _crossed(contest, (left, right), slots, place)
        if fit is not None and (best is None or fit.crossed > best.crossed):
            best = fit
    if best is None or best.least < _LEAST_FIT:
        return None
    straight = 0.0
    for name, slot in zip((left, right), slots, strict=True):
        own = [around for place in sentences for around in _slots(contest, name, place, skip)]
        straight += _best(contest, slot, own)
    return best._replace(straight=straight)


def _crossed(
    contest: Contest, names: tuple[Name, Name], slots: Sequence[Slot], place: tuple[int, int]
) -> Fit | None:
    """How far two names fit each other's slots in a sentence that holds both."""
    view, bounds = contest.chunks[place[0]], contest.bounds(*place)
    skip = names[0].stems | names[1].stems
    left, right = (_places(view, name.stems, bounds) for name in names)
    if not left or not right:
        return None
    link = _link(view, max(left[0][0], right[0][0]), bounds[0])
    if link and link != _link(contest.claim, names[1].first, 0):
        # "A famous landmark in Paris": where it stands, and nothing that it does to Paris.
        return None
    first = _best(contest, slots[0], [_slot(view, *found, bounds, skip) for found in right])
    second = _best(contest, slots[1], [_slot(view, *found, bounds, skip) for found in left]) if first else 0.0
    return Fit(0.0, first + second, min(first, second), *place, left[0][0])


def _slots(contest: Contest, name: Name, place: tuple[int, int], skip: frozenset[str]) -> Iterator[Slot]:
    """What stands around a name wherever a sentence has it."""
    if not name.stems.isdisjoint(contest.stems(*place)):
        view, bounds = contest.chunks[place[0]], contest.bounds(*place)
        for first, last in _places(view, name.stems, bounds):
            yield _slot(view, first, last, bounds, skip)


def _link(view: View, number: int, low: int) -> str:
    """The small word that says where or whose the name at a word is: "in", "of"; "" for none."""
    at = number - 1
    if at >= low and view.tokens[at].norm in _ARTICLES:
        at -= 1
    norm = view.tokens[at].norm if at >= low else ""
    return norm if norm in _BELONGING else ""


def _best(contest: Contest, slot: Slot, found: Sequence[Slot]) -> float:
    return max((_share(contest, slot, other) for other in found), default=0.0)


def _share(contest: Contest, slot: Slot, other: Slot) -> float:
    """How much of a slot of the claim another one holds on the same sides, in [0, 1]."""
    hit = total = 0.0
    for (stem, side), near in slot.items():
        weight = contest.weight(stem)
        total += weight * near
        sides = _OTHER_SIDES[side]
        held = max(other.get((one, theirs), 0.0) for one in (stem, *synonyms_of(stem)) for theirs in sides)
        hit += weight * min(near, held)
    return hit / total if total else 0.0


def _places(view: View, stems: frozenset[str], bounds: tuple[int, int]) -> list[tuple[int, int]]:
    """First and last words of the runs of capitalised words of a sentence that hold a word of a name."""
    low, high = bounds
    tokens, found = view.tokens, []
    number = low
    while number < high:
        if tokens[number].stem in stems:
            first = last = number
            while first > low and tokens[first - 1].is_name and _is_blank(view, first - 1):
                first -= 1
            while last + 1 < high and _is_blank(view, last) and _continues(view, last + 1, stems):
                last += 1
            found.append((first, last))
            number = last
        number += 1
    return found


def _continues(view: View, number: int, stems: frozenset[str]) -> bool:
    return view.tokens[number].is_name or view.tokens[number].stem in stems


def _is_blank(view: View, number: int) -> bool:
    """Whether nothing but a blank parts a word from the next one."""
    return view.text[view.tokens[number].end : view.tokens[number + 1].start] == " "


def _slot(view: View, first: int, last: int, bounds: tuple[int, int], skip: frozenset[str]) -> Slot:
    """The content words around words first to last with their sides, each with how near it stands.

    The sides of a passive verb are exchanged; what belongs to a name ("Belle's father", "Bolton boxer
    Khan") stands as in "father of Belle"; what says who a name is ("Khan, a boxer") has either side.
    """
    slot: Slot = {}
    for step, start in ((-1, first - 1), (1, last + 1)):
        _walk(view, slot, start, step, bounds, skip)
    return slot


def _walk(
    view: View, slot: Slot, start: int, step: int, bounds: tuple[int, int], skip: frozenset[str]
) -> None:
    tokens, text = view.tokens, view.text
    left, distance, is_apposed = _WORDS, 0, False
    number = start
    while bounds[0] <= number < bounds[1] and left and abs(number - start) < _REACH:
        token = tokens[number]
        nearer = number - step
        between = text[tokens[min(number, nearer)].end : tokens[max(number, nearer)].start]
        if not _BORDERS.isdisjoint(between) or token.norm in _CONTRASTS:
            return
        if "," in between:
            distance += 1
            is_apposed = step > 0 and number == start and token.norm in _APPOSED
        if token.norm in {"and", "or"}:
            distance += 1
        is_apposed = is_apposed and token.norm not in _CLOSING
        if (not token.is_stop or token.norm == "than") and token.stem not in skip and not token.is_number:
            # "Khan, a boxer from Bolton", but "Maurice, the father of Belle".
            is_either = token.stem in _SAYING or (is_apposed and not _owns(tokens, number))
            side = _EITHER if is_either else _side(view, number, nearer, step, bounds[1])
            slot.setdefault((token.stem, side), 1.0 / (1.0 + _FADING * distance))
            left -= 1
            distance += 1
        number += step


def _owns(tokens: Sequence[Token], number: int) -> bool:
    """Whether "of" follows a word."""
    return number + 1 < len(tokens) and tokens[number + 1].norm == "of"


def _side(view: View, number: int, nearer: int, step: int, high: int) -> str:
    """The side of a name on which a word counts."""
    tokens = view.tokens
    if step > 0 and tokens[nearer].text.endswith(("'s", "’s", "s'", "s’")):
        return _BEFORE
    if (
        step > 0
        and nearer + 1 == number
        and number + 1 < high
        and tokens[nearer].is_name
        and not tokens[number].is_name
        and tokens[number + 1].is_name
        and _is_blank(view, nearer)
        and _is_blank(view, number)
    ):
        return _BEFORE
    side = _BEFORE if step < 0 else _BEHIND
    by = any(tokens[at].norm == "by" for at in range(number + 1, min(high, number + 4)))
    return _TURNED[side] if by and tokens[number].norm.endswith(_DONE) else side
