"""Predications: what a sentence says of one thing, and whether it says or denies it.

"Webhooks are sent in the sandbox as well; e-mails are not" holds two: one says that webhooks are sent, one
denies that e-mails are. A sentence is cut at signs and joining words where both sides have a verb. A part
without a subject of its own takes over that of the part before ("and must not be opened"), one that ends with
a helping verb takes over what was said before ("e-mails are not").
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.marks import (
    FINITE,
    HELPS,
    JOINING,
    OPENING,
    PARTS,
    TURNS,
    denies,
    helps,
)
from pytest_grounding.scorers.lexical.conflicts.view import View, within
from pytest_grounding.text.grammar import has_plain_verb

_SIGNS = frozenset(",;:.!?()\n—–|")
_ONCE = frozenset(("neither", "nor", "no", "none", "not"))
_NOT_ALONE = words("conflicts", "not alone")
_PRONOUNS = words("conflicts", "pronouns")
_TO_DO = words("conflicts", "denying before to")
_ASIDE = frozenset(("but", "if", "or"))
_TRAILING = words("conflicts", "trailing")
_INVERTED = frozenset(("neither", "nor", "so"))
_ANSWERS = frozenset(("yes", "no"))
_BOUNDING = words("conflicts", "compared") | words("conflicts", "bounding")
_PREPOSITIONS = words("conflicts", "behind values")
#: Words in which a condition opens a part ("even if"), and in which a bound follows a negation.
_OPENS_WITHIN = 2
_BOUND_WITHIN = 3
#: Content words of "neither are temporary staff".
_FEW = 3
#: A sentence of more words is a list or a table.
_LONGEST = 80


class Predication(NamedTuple):
    """A part of a sentence with one verb.

    Attributes:
        first: number of its first word.
        last: number of its last word.
        own: numbers of its content words.
        subject: stems of its subject, its own or the one that it takes over.
        predicate: stems of what is said of it; empty where no helping verb tells where that begins.
        stems: stems of its content words and of what it takes over.
        negators: numbers of the words that deny in it; two make an affirmation.
        turning: stems of its words that deny by their meaning: "to avoid X".
        is_elided: whether it takes over what is said.
        is_denied: whether it denies.
        is_stated: whether it says so: not in a condition, and not as a bound ("no more than eight").
    """

    first: int
    last: int
    own: tuple[int, ...]
    subject: frozenset[str]
    predicate: frozenset[str]
    stems: frozenset[str]
    negators: tuple[int, ...]
    turning: tuple[str, ...]
    is_elided: bool
    is_denied: bool
    is_stated: bool


def predications_of(view: View, low: int, high: int, carried: Sequence[str] = ()) -> tuple[Predication, ...]:
    """Cut a sentence into predications.

    Args:
        view: the text.
        low: number of the first word of the sentence.
        high: number of the first word after it.
        carried: stems of the subject of the sentence before, where this one takes it over.
    """
    if high - low > 1 and view.norms[low] in _ANSWERS and view.gap(low + 1) not in {" ", "-"}:
        low += 1
    if not 0 < high - low <= _LONGEST:
        return ()
    if view.text.count("|", view.tokens[low].start, view.tokens[high - 1].end) > 1:
        # A row of a table states nothing in words.
        return ()
    found: list[Predication] = []
    for first, last in _parts(view, low, high):
        before = next((part for part in reversed(found) if part.is_stated), None)
        found.append(_predication(view, first, last, before, carried))
    return tuple(found)


def _parts(view: View, low: int, high: int) -> Iterator[tuple[int, int]]:
    """The first and the last word of each part that has a verb, with the parts beside it that have none."""
    norms, parting = view.norms, set(within(view.with_mark(PARTS), low, high))
    cuts = [low]
    for number in range(low + 1, high):
        if number in parting or not _SIGNS.isdisjoint(view.gap(number)):
            is_joined = number - 1 in parting and norms[number - 1] in JOINING
            if not is_joined or norms[number] in OPENING:
                cuts.append(number)
    cuts.append(high)
    first, has_verb = low, False
    for at in range(len(cuts) - 1):
        start, end = cuts[at], cuts[at + 1]
        is_clause = _is_clause(view, start, end)
        # A semicolon or a pronoun parts two statements, even where the first one's verb is not known.
        if is_clause and start > low and (has_verb or ";" in view.gap(start) or _opens(view, start, end)):
            yield first, start - 1
            first = start
        has_verb = has_verb or is_clause
    yield first, high - 1


def _opens(view: View, first: int, end: int) -> bool:
    """Whether a part opens with a joining word and what begins a statement: "and it", "and so does"."""
    if view.norms[first] not in JOINING or end - first < _FEW:
        return False
    after, then = view.norms[first + 1 : first + 3]
    return after in _PRONOUNS or (after in _INVERTED and helps(then))


def _is_clause(view: View, first: int, end: int) -> bool:
    if end - first == 1:
        return has_plain_verb((view.norms[first],))
    return bool(within(view.with_mark(FINITE), first, end - 1))


def _predication(
    view: View, first: int, last: int, before: Predication | None, carried: Sequence[str]
) -> Predication:
    norms, stems = view.norms, view.stems
    found = _negators(view, first, last)
    own = tuple(within(view.content, first, last))
    if found.negators or found.aside:
        own = tuple([number for number in own if number not in found.negators and number not in found.aside])
    start = first
    while start < last and norms[start] in JOINING:
        start += 1
    verb = _verb(view, start, last)
    inverted = norms[start] in _INVERTED and start < last and helps(norms[start + 1])
    is_elided = before is not None and (
        _ends_with_helping_verb(view, start, last) or (inverted and len(own) <= _FEW)
    )
    content = frozenset([stems[number] for number in own])
    subject = frozenset([stems[number] for number in _heads(own, verb)])
    if inverted and is_elided:
        subject = content
    elif norms[start] in _PRONOUNS or (verb is not None and not subject) or (before is not None and not own):
        subject = before.subject if before is not None else frozenset(carried)
    said = content | subject
    if is_elided and before is not None:
        said |= before.stems - before.subject
    is_sure = is_elided or (verb is not None and helps(norms[verb]))
    negators = found.negators
    if norms[first] == "or" and verb is None and not negators and before is not None and before.is_denied:
        # "It cannot be returned or exchanged" denies both.
        negators, subject = before.negators, before.subject
        said = content | subject
    return Predication(
        first=first,
        last=last,
        own=own,
        subject=subject,
        predicate=said - subject if is_sure else frozenset(),
        stems=said,
        negators=negators,
        turning=tuple([stems[cue] for cue in within(view.cues, first, last) if not denies(norms[cue])]),
        is_elided=is_elided,
        is_denied=len(negators) % 2 == 1,
        is_stated=not found.is_bound and OPENING.isdisjoint(norms[start : start + _OPENS_WITHIN]),
    )


def _heads(own: tuple[int, ...], verb: int | None) -> tuple[int, ...]:
    """The content words before a verb; the first one where no verb is known."""
    return own[:1] if verb is None else own[: bisect_left(own, verb)]


def _ends_with_helping_verb(view: View, start: int, last: int) -> bool:
    """Whether a part ends with a helping verb, but for words such as "not" and "either"."""
    while last > start and view.norms[last] in _TRAILING:
        last -= 1
    return helps(view.norms[last])


def _verb(view: View, first: int, last: int) -> int | None:
    """The first word that can be a finite verb; not a full verb that opens the part."""
    found = within(view.with_mark(FINITE), first + 1, last)[:1]
    return min([*found, *within(view.with_mark(HELPS), first, last)[:1]], default=None)


class _Negators(NamedTuple):
    """What denies in a part.

    Attributes:
        negators: the words that deny the statement.
        aside: words that deny something beside it, with what they deny.
        is_bound: whether they make a bound ("no more than eight"), or what they deny is not told.
    """

    negators: tuple[int, ...]
    aside: frozenset[int]
    is_bound: bool


def _negators(view: View, first: int, last: int) -> _Negators:
    """What denies in a part: "neither … nor" denies once, and "not only" does not."""
    found: list[int] = []
    aside: set[int] = set()
    norms = view.norms
    once = is_bound = False
    for number in within(view.with_mark(TURNS), first, last):
        norm = norms[number]
        after = norms[number + 1] if number < last else ""
        if (norm == "not" and after in _NOT_ALONE) or (norm in _TO_DO and after != "to"):
            # "Declined to open it" denies; "refused the loan" is told by its opposite.
            continue
        # "Equipment yes, internet no": what is denied is told by nothing that follows.
        is_bound = is_bound or (norm == "no" and after in {"", "to"})
        is_bound = is_bound or not _BOUNDING.isdisjoint(norms[number + 1 : number + 1 + _BOUND_WITHIN])
        if _is_beside(view, number, first):
            aside.update(_denied_beside(view, number, last))
        elif norm not in {"nor", "neither"} or not once:
            once = once or norm in _ONCE
            found.append(number)
    # "Dogs heavier than 8 kg cannot travel" allows the lighter ones.
    is_bound = is_bound or (bool(found) and "than" in norms[first : last + 1])
    return _Negators(tuple(found), frozenset(aside), is_bound)


def _is_beside(view: View, number: int, first: int) -> bool:
    """Whether a word beside is denied: "dry but not toasted", "by bus, not by car", "at no charge"."""
    if number == first:
        return False
    norm, before = view.norms[number], view.norms[number - 1]
    if norm == "not":
        return before in JOINING or before in _ASIDE or "," in view.gap(number)
    return before in _ASIDE or (norm == "no" and before in _PREPOSITIONS)


def _denied_beside(view: View, number: int, last: int) -> Iterator[int]:
    """The words behind a "not" up to the next sign or joining word."""
    for word in range(number + 1, last + 1):
        if word > number + 1 and (not _SIGNS.isdisjoint(view.gap(word)) or view.norms[word] in JOINING):
            return
        yield word
