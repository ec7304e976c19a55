"""Claims about the sources themselves: "the passages do not mention X", "passage 5 says so"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.marks import SOURCE
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts.tokens import words

_ABSENT = lazy(
    r"\b(?:not|n[o']t|never)\s+(?:\w+\s+){0,2}?(?:mention|state|specif|provid|discuss|contain|includ|addressed|given|"
    r"say|explain|describ|determin|found|clear|indicat)\w*"
    r"|\bno\s+(?:\w+\s+){0,6}?(?:mention|information|link|reference|detail|evidence)\w*(?:\s+\w+)?",
    re.IGNORECASE,
)
_SOURCES = lazy(
    r"\b(?:passages?|contexts?|sources?|documents?|texts?|articles?|excerpts?|mentioned|stated)\b",
    re.IGNORECASE,
)
_LABEL = lazy(r"\b(?:passage|source|document|context|excerpt)\s+#?(\d{1,3})\b(?!\s*[:.]\d)", re.IGNORECASE)
_OWN = frozenset(
    words(
        """
        mention state provid specif explicit passag given inform context sourc document text describ
        discuss determin base detail answer question relat clear indic contain articl excerpt howev
        addit specifi specif seem appear
        """
    )
)


def speaks_of_sources(claim: View) -> bool:
    """Whether a claim says that the sources do not say something."""
    return _absent(claim) is not None


def _absent(claim: View) -> re.Match[str] | None:
    """Where a claim says that the sources do not say something."""
    if not claim.with_mark(SOURCE) or _SOURCES.search(claim.text) is None:
        return None
    return _ABSENT.search(claim.text)


def absence_conflicts(contest: Contest) -> Iterator[Found]:
    """A claim that the sources do not say something that a sentence of them is full of."""
    claim = contest.claim
    match = _absent(claim)
    if match is None:
        return
    stems = {
        token.stem: 1.5 if token.is_name else 1.0
        for token in claim.tokens
        if not token.is_stop and not token.is_number and token.stem not in _OWN
    }
    if len(stems) < 2:
        return
    best, total = (0.0, 0, 0), sum(stems.values())
    for chunk, index in enumerate(contest.indexes):
        for sentence in range(len(index.sentences)):
            held = contest.stems(chunk, sentence)
            share = sum(weight for stem, weight in stems.items() if stem in held) / total
            best = max(best, (share, -chunk, -sentence))
    share, chunk, sentence = best[0], -best[1], -best[2]
    low, high = contest.bounds(chunk, sentence)
    words = [n for n in range(low, high) if contest.chunks[chunk].tokens[n].stem in stems]
    if not words:
        return
    tokens = contest.chunks[chunk].tokens
    yield Found(
        "absence",
        match.start(),
        match.end(),
        chunk,
        words[0],
        tokens[words[0]].start,
        tokens[words[-1]].end,
        share,
        share,
    )


def source_conflicts(contest: Contest) -> Iterator[Found]:
    """A claim that names a passage by number: there is none of that number, or another one says it."""
    if not contest.claim.with_mark(SOURCE):
        return
    for match in _LABEL.finditer(contest.claim.text):
        named = int(match[1])
        tokens = contest.claim.tokens
        first = sum(token.end <= match.start() for token in tokens)
        last = first + sum(match.start() <= token.start < match.end() for token in tokens) - 1
        best = [
            max(
                ((contest.local(first, last, chunk, s), -s) for s in range(len(index.sentences))),
                default=(0.0, 0),
            )
            for chunk, index in enumerate(contest.indexes)
        ]
        chunk = max(range(len(best)), key=lambda number: (best[number][0], -number))
        exists = 0 < named <= len(best)
        own = best[named - 1][0] if exists else 0.0
        strength, sentence = best[chunk][0], -best[chunk][1]
        if strength - own < 0.25 or chunk == named - 1:
            continue
        start, end = contest.indexes[chunk].sentences[sentence]
        word = contest.bounds(chunk, sentence)[0]
        yield Found(
            "source",
            match.start(),
            match.end(),
            chunk,
            word,
            start,
            end,
            strength if exists else 1.0,
            strength - own,
        )
