"""Pair the claims of two answers by what they say and what they rest on."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.golden.record import Golden
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.bare import blank_markers

#: Share of common words (Dice) from which two claims are the same without further signs.
SAME_WORDS = 0.5
#: The same where both rest on the same sentence of a source.
SAME_WORDS_SAME_EVIDENCE = 0.2
# A word in more claims than this tells none of them apart; it keeps the work linear.
_MOST_POSTINGS = 40

SUPPORTED = ("supported", "borderline")


@dataclass(frozen=True, slots=True)
class Side:
    """One claim of one of the two answers, taken apart."""

    claim: ClaimVerdict
    text: str
    stems: frozenset[str]
    numbers: frozenset[str]
    evidence: tuple[str, ...]
    place: float

    @property
    def is_supported(self) -> bool:
        """Counts as supported, by its sources or because a person waived what was found on it."""
        return self.claim.status in SUPPORTED or self.is_waived

    @property
    def is_waived(self) -> bool:
        """A person waived what was found on it."""
        return self.claim.waived is not None


def folded(text: str) -> str:
    """The text in one case, with single blanks."""
    return " ".join(text.casefold().split())


def sides(record: Golden, language: str) -> list[Side]:
    """The checked claims of an answer, taken apart."""
    verdict = record.verdict
    markers = [(item.start, item.end) for item in verdict.citations if item.start >= 0]
    blanked = blank_markers(record.transcript.answer, markers)
    last = max(len(verdict.claims) - 1, 1)
    found = []
    for claim in verdict.claims:
        if not claim.checked:
            continue
        text = " ".join(blanked[claim.start : claim.end].split())
        text = text.replace(" .", ".").replace(" ,", ",")
        tokens = tokenize(text, language)
        found.append(
            Side(
                claim=claim,
                text=text,
                stems=frozenset(token.stem for token in tokens if not token.is_stop),
                numbers=frozenset(token.norm for token in tokens if token.is_number and token.norm != "1"),
                evidence=tuple(folded(item.text) for item in claim.evidence[:3]),
                place=claim.index / last,
            )
        )
    return found


def pair(old: Sequence[Side], new: Sequence[Side]) -> list[tuple[int, int]]:
    """Pairs of positions in both lists, each position at most once, in the order of the new ones."""
    pairs: list[tuple[int, int]] = []
    free_old, free_new = dict.fromkeys(range(len(old))), dict.fromkeys(range(len(new)))

    def take(left: int, right: int) -> None:
        pairs.append((left, right))
        del free_old[left], free_new[right]

    by_text: dict[str, list[int]] = defaultdict(list)
    for left in free_old:
        by_text[folded(old[left].text)].append(left)
    for right in list(free_new):
        same = by_text.get(folded(new[right].text))
        if same:
            take(same.pop(0), right)
    for _, left, right in _scored(old, new, list(free_old), list(free_new)):
        if left in free_old and right in free_new:
            take(left, right)
    for left in list(free_old):
        mine = old[left]
        for right in free_new:
            other = new[right]
            if mine.is_supported and other.is_supported and mine.evidence[:1] == other.evidence[:1] != ():
                take(left, right)
                break
    return sorted(pairs, key=lambda item: item[1])


def _scored(
    old: Sequence[Side], new: Sequence[Side], lefts: Sequence[int], rights: Sequence[int]
) -> list[tuple[float, int, int]]:
    """The pairs that may be the same claim, the most alike first."""
    postings: dict[str, list[int]] = defaultdict(list)
    for right in rights:
        for key in (*sorted(new[right].stems), *new[right].evidence[:1]):
            postings[key].append(right)
    found = []
    for left in lefts:
        mine = old[left]
        near: Counter[int] = Counter()
        for key in (*sorted(mine.stems), *mine.evidence[:1]):
            if len(postings.get(key, ())) <= _MOST_POSTINGS:
                near.update(postings.get(key, ()))
        for right in near:
            score = likeness(mine, new[right])
            if score is not None:
                found.append((score, left, right))
    return sorted(found, key=lambda item: (-item[0], item[1], item[2]))


def likeness(one: Side, other: Side) -> float | None:
    """How alike two claims are, or None where they are not the same claim."""
    total = len(one.stems) + len(other.stems)
    dice = 2 * len(one.stems & other.stems) / total if total else 0.0
    same = bool(one.evidence and other.evidence and one.evidence[0] == other.evidence[0])
    if dice < (SAME_WORDS_SAME_EVIDENCE if same else SAME_WORDS):
        return None
    numbers = 0.2 if one.numbers == other.numbers else 0.0
    return dice + 0.4 * same + numbers - 0.1 * abs(one.place - other.place)


def outside_order(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """The new positions that moved: those outside of the longest run that kept its order."""
    best: list[tuple[int, int]] = []  # length of the longest rising run that ends here, where it comes from
    tails: list[int] = []
    values: list[int] = []
    for index, (left, _) in enumerate(pairs):
        length = bisect_left(values, left)
        best.append((length, tails[length - 1] if length else -1))
        if length == len(values):
            values.append(left)
            tails.append(index)
        else:
            values[length], tails[length] = left, index
    kept = set()
    index = tails[-1] if tails else -1
    while index >= 0:
        kept.add(index)
        index = best[index][1]
    return {right for position, (_, right) in enumerate(pairs) if position not in kept}
