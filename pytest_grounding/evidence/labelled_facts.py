"""Things known by a letter or a Roman number: "annex C", "Part VII", "Henry the Fourth"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.lexicon import ordered, words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.words import STOP_WORDS, stem_of

_LETTERED = words("labels", "lettered") | words("labels", "numbered")
_ORDINALS = {word: number for number, word in enumerate(ordered("numerals", "ordinal_units"))}
_LABELLED = lazy(
    r"\b(?P<label>[^\W\d_]{2,20}) (?:(?P<roman>[IVXL]{1,7})|(?P<letter>[A-HJ-Z])|(?P<digits>\d{1,2})"
    r"|[Tt]he (?P<ordinal>[A-Z][a-z]{3,10}))(?![\w'’-]|\.\w)"
)
_ROMAN = lazy(r"X{0,3}(?:IX|IV|V?I{0,3})|XL(?:IX|IV|V?I{0,3})|L")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A word with the letter or number that tells which one it is."""

    label: str  # by stem
    signs: frozenset[str]  # what its letter or number may be
    start: int
    end: int
    shown: str
    is_in_digits: bool


@read_once
def labelled_in(text: str) -> tuple[_Labelled, ...]:
    """What a text labels by a letter, a Roman number, or digits and ordinals in their place."""
    return tuple(_read(text)) if any(map(str.isupper, text)) or any(map(str.isdigit, text)) else ()


def _read(text: str) -> Iterator[_Labelled]:
    for match in _LABELLED.finditer(text):
        word = match["label"]
        is_label = word.lower() in _LETTERED
        is_name = word[0].isupper() and word.lower() not in STOP_WORDS["en"]
        number = _number_of(match["roman"], match["digits"], match["ordinal"])
        # A number is kept beside letters as "=7".
        signs = {f"={number}"} if number else set()
        if match["letter"] or (match["roman"] and len(match["roman"]) == 1):
            signs.add(match["letter"] or match["roman"])
        is_plain = bool(match["letter"] or match["digits"])
        if signs and (is_label or (is_name and not is_plain)):
            span = match.span("digits") if match["digits"] else match.span()
            yield _Labelled(stem_of(word.lower()), frozenset(signs), *span, match[0], bool(match["digits"]))


def _number_of(roman: str | None, digits: str | None, ordinal: str | None) -> int:
    if digits:
        return int(digits)
    if ordinal:
        return _ORDINALS.get(ordinal.lower(), 0)
    if not roman or _ROMAN.fullmatch(roman) is None:
        return 0
    total = before = 0
    for letter in reversed(roman):
        value = _VALUES[letter]
        total += value if value >= before else -value
        before = value
    return total


@kept_with_owner
def _labels_of(sources: LedgerSources) -> Mapping[str, tuple[tuple[int, _Labelled], ...]]:
    """Each label of the sources with what stands behind it, by chunk."""
    found: dict[str, list[tuple[int, _Labelled]]] = {}
    for chunk, index in enumerate(sources.context.indexes):
        for one in labelled_in(index.text):
            found.setdefault(one.label, []).append((chunk, one))
    return {label: tuple(ones) for label, ones in found.items()}


def labelled_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """What a claim labels as no source does, where the sources use the label; English only."""
    if sources.language != "en":
        return
    for own in labelled_in(text):
        known = _labels_of(sources).get(own.label, ())
        same = next(((chunk, one) for chunk, one in known if own.signs & one.signs), None)
        is_digits = own.is_in_digits
        if same is not None:
            chunk, one = same
            if is_digits and not one.is_in_digits:
                yield Settled(
                    "quantity", own.start, own.end, Outcome("found", Place(chunk, one.start, one.end))
                )
            continue
        written = [(chunk, one) for chunk, one in known if not (one.is_in_digits and is_digits)]
        if written and not own.signs & _asked_signs(own.label, sources):
            chunk, one = written[0]
            outcome = Outcome("missing", Place(chunk, one.start, one.end), nearest=one.shown)
            yield Settled("identifier", own.start, own.end, outcome)


def _asked_signs(label: str, sources: LedgerSources) -> frozenset[str]:
    """What the question, and what else is given, have behind a label."""
    found: set[str] = set()
    for text in sources.given.texts:
        found.update(*(one.signs for one in labelled_in(text) if one.label == label))
    return frozenset(found)
