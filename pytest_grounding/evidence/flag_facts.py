"""What a source says by a label and yes or no: "Lift: no", "pets_allowed: false"; against a claim's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.conflict_words import DENIES, marks_of
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.words import tokenize

_NO = words("flags", "no")
_FLAG = lazy(
    lambda: (
        r"(?im)(?<![\w\"'.])[\"']?([^\W\d][\w ]{0,40})[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?"
        rf"({alternation('flags', 'yes')}|{alternation('flags', 'no')})[\"']?[ \t]{{0,3}}(?=[,;}}\n|.]|$)"
    )
)
_LABEL = lazy(r"(?<![\w\"'.])[\"']?([^\W\d][\w ]{0,40})[\"']?[ \t]{0,3}:")


@dataclass(frozen=True)
class Flag:
    """A label of a chunk with yes or no."""

    stems: frozenset[str]  # content words of the label
    is_yes: bool
    start: int
    end: int


@read_once
def flags_of(text: str) -> tuple[Flag, ...]:
    """The labels with yes or no of a chunk; a label that has both says nothing."""
    found = []
    matches = list(_FLAG.finditer(text))
    labels = Counter(match[1].strip().lower() for match in _LABEL.finditer(text)) if matches else Counter()
    for match in matches:
        if labels[match[1].strip().lower()] > 1:
            # What several lines begin with is who speaks.
            continue
        tokens = tokenize(match[1].replace("_", " "), "en")
        stems = frozenset(token.stem for token in tokens if not token.is_stop)
        if stems:
            found.append(Flag(stems, match[2].lower() not in _NO, match.start(), match.end()))
    both = {flag.stems for flag in found if flag.is_yes} & {flag.stems for flag in found if not flag.is_yes}
    return tuple(flag for flag in found if flag.stems not in both)


def flags_settled(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """Whether a claim affirms what is labelled no, or denies what is labelled yes."""
    if not grounds.tokens:
        return
    flagged = [(chunk, flags_of(index.text)) for chunk, index in enumerate(sources.context.indexes)]
    if not any(flags for _, flags in flagged):
        return
    is_denied = any(map(_denies, grounds.words.norms))
    said = frozenset().union(*(grounds.forms(stem) for stem in grounds.content))
    for chunk, flags in flagged:
        text = sources.context.indexes[chunk].text
        for flag in flags:
            if flag.stems <= said and flag.is_yes == is_denied:
                first, last = grounds.tokens[0], grounds.tokens[-1]
                outcome = Outcome(
                    "denied", Place(chunk, flag.start, flag.end), nearest=text[flag.start : flag.end]
                )
                yield Settled("polarity", first.start, last.end, outcome)
                return


def _denies(norm: str) -> bool:
    return is_denier(norm) or norm in _NO or norm == "without" or DENIES in marks_of(norm)
