"""What a word sets off, told once for each word of a language: a finder then looks at its own words only."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import table, words
from pytest_grounding.scorers.lexical.conflicts.lexicon import NEGATIVE_PREFIXES, negated_stems, twin_stems

#: Marks: it denies; it turns a statement into its opposite; it may be the negative of another word by its
#: form; another beginning makes it its opposite; it can be a finite verb; it is a helping verb; it may begin
#: a part of a sentence; it says how much or how often; it is "without"; it names a source; it may be a
#: superlative.
DENIES, TURNS, NEGATIVE, TWINNED = "denies", "turns", "negative", "twinned"
QUANTIFIES, WITHOUT, SOURCE = "quantifies", "without", "source"
MOST = "most"

WEAK = words("conflicts", "weak denials")
#: All words that deny without a negation, without those that only look like denials.
TURNING = words("conflicts", "soft denials") | WEAK
_SOFT_FORM = lazy(r"(?:un|non)[a-z]{4,}|[a-z]{3,}less")
_FORMS = ("un", "non", *NEGATIVE_PREFIXES)
_NOT_SOFT = words("conflicts", "no denials")
_NEGATING = words("conflicts", "negating")
_SOURCES = words("conflicts", "naming sources")
_QUANTIFIERS = table("conflicts", "amounts").keys() | table("conflicts", "frequencies").keys()
_QUANTIFIERS |= table("conflicts", "shares").keys()


#: They make a superlative of the word behind them.
DEGREES = frozenset({"most", "least"})
_LISTED = {
    DENIES: TURNING,
    QUANTIFIES: _QUANTIFIERS,
    WITHOUT: {"without"},
    SOURCE: _SOURCES,
}
#: A process keeps the marks of so many words: those of a language, and then some.
_MOST_KEPT = 65536
_kept: dict[str, tuple[str, ...]] = {}


def marked(norms: Sequence[str]) -> dict[str, list[int]]:
    """For each mark the numbers of the folded words that have it, ascending."""
    global _kept
    # Another thread may begin a new table meanwhile; this one stays whole.
    table = _kept if len(_kept) < _MOST_KEPT else {}
    for norm in set(norms).difference(table):
        table[norm] = marks_of(norm)
    _kept = table
    found: dict[str, list[int]] = {}
    for number, marks in [pair for pair in enumerate(map(table.__getitem__, norms)) if pair[1]]:
        for mark in marks:
            found.setdefault(mark, []).append(number)
    return found


def denies(norm: str) -> bool:
    """Whether a folded word turns a statement into its opposite."""
    return norm in _NEGATING or norm.endswith("n't")


def marks_of(norm: str) -> tuple[str, ...]:
    """The marks of a folded word, most of which have none."""
    marks = tuple(mark for mark, listed in _LISTED.items() if norm in listed)
    if "'" in norm and norm.partition("'")[0] in _SOURCES:
        marks = (SOURCE,)
    if denies(norm):
        marks = (*marks, TURNS)
    if norm.startswith(_FORMS) or norm.endswith("less"):
        if DENIES not in marks and norm not in _NOT_SOFT and _SOFT_FORM.fullmatch(norm):
            # "Unsafe", "useless".
            marks = (*marks, DENIES)
        if negated_stems(norm):
            marks = (*marks, NEGATIVE)
    if twin_stems(norm):
        marks = (*marks, TWINNED)
    if norm.endswith("est") or norm in DEGREES:
        marks = (*marks, MOST)
    return marks
