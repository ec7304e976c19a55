"""Names of a claim that nobody mentioned: neither the sources nor the question."""

from __future__ import annotations

import re
from collections.abc import Collection

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading import Reading, reading_of

# Names as written: hyphens and apostrophes join, and no digit opens one.
_WORD = lazy(r"[^\W\d_](?:[^\W_]|['’])*(?:-(?:[^\W_]|['’])+)*")
_OPENERS = ".!?:;\"“'‘(*•|>–—-\n"
_SHORTEST = 4
_COMMON = listed("names", "common")


def strange_names(text: str, missing: Collection[str], asked: str = "") -> tuple[str, ...]:
    """Names of a claim of which no word stands in the sources."""
    if not missing or not any(word[:1].isupper() for word in missing):
        return ()
    words = list(_WORD.finditer(text))
    longer = [match[0][0].isupper() for match in words if len(match[0]) >= _SHORTEST]
    if len(longer) > 1 and all(longer):
        return ()  # "Scope of Coverage" is a title, in which capitals make no name
    gone = set(missing)
    known = reading_of(asked).part(_words)
    found: dict[str, None] = {}
    for run in _runs(text, words):
        parts = [part for match in run for part in match[0].split("-")]
        name = text[run[0].start() : run[-1].end()]
        start = run[0].start()
        before = text[max(0, start - 3) : start].strip()
        opens = not before or before[-1] in _OPENERS
        if opens and len(run) == 1 and not (len(name) > 1 and name.isupper()):
            continue
        folded = [part.casefold() for part in parts]
        if gone.issuperset(parts) and not _COMMON.issuperset(folded) and known.isdisjoint(folded):
            found[name] = None
    return tuple(found)


def _words(reading: Reading) -> frozenset[str]:
    return frozenset(match[0] for match in _WORD.finditer(reading.text.casefold()))


def _runs(text: str, words: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Neighbouring words with a capital, blanks between them."""
    runs: list[list[re.Match[str]]] = []
    last = None
    for match in words:
        if match[0][0].isupper():
            if last is not None and text[last.end() : match.start()] == " ":
                runs[-1].append(match)
            else:
                runs.append([match])
            last = match
        else:
            last = None
    return runs
