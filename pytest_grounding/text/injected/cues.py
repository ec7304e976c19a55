"""What tells that a passage gives orders to whoever reads it: cues with a weight, in several languages.

A cue of weight 2 tells it alone; of weight 1 two of different kinds are needed close together. Call scripts
("tell the customer to …") and forms ("answer with yes or no") hold one of them and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_grounding._patterns import lazy
from pytest_grounding.text.injected.cue import Cue, cue
from pytest_grounding.text.injected.english import ENGLISH
from pytest_grounding.text.injected.letters import Letters, lowered, words_of
from pytest_grounding.text.injected.tongues import OVERRIDES, TELLING, UNBROKEN

CUES: tuple[Cue, ...] = (
    *ENGLISH,
    *(cue(*row) for row in TELLING),
)

#: Words that are too common to look for a phrase by.
_COMMON = frozenset(words_of("you are the your all any on from now as this each every to of is if in"))


def _index() -> dict[bytes, list[tuple[int, frozenset[bytes], bytes]]]:
    """Word -> cues that it may belong to, with what else they need."""
    found: dict[bytes, list[tuple[int, frozenset[bytes], bytes]]] = {}
    for number, known in enumerate(CUES):
        for word in sorted(known.anchors):
            found.setdefault(word, []).append((number, known.also, b""))
        for phrase in known.phrases:
            words = words_of(phrase.decode())
            key = next((word for word in reversed(words) if word not in _COMMON), words[-1])
            found.setdefault(key, []).append((number, frozenset(), phrase))
    return found


_INDEX = _index()

# What stands before an imperative: nothing, punctuation, or a word that asks.
_IMPERATIVE = lazy(
    r"(?:^|[^\w\s]|\b(?:please|now|just|and|then|ai|assistant|model|you must|you should|you may|bot|first|to "
    r"all|must|"
    r"document|step \d{1,2}|bitte|veuillez|por favor|per favore|stop|shall|can you|und|et|y|e|en))\s{0,3}$"
)
_NEGATED = lazy(
    r"(?:\bnot|\bnever|n't|\bnicht|\bnie|\bne|\bn'|\bnon|\bno|\bnão|\bnunca|\bniet|не|不要|请不要|勿)\s{0,2}$"
)
_WINDOW = 90
_END = lazy(r"[.!?。！？\n]")


#: No pattern of a cue reaches further from one of its anchors.
REACH = 140


def hits(letters: Letters) -> list[tuple[int, int, str, int]]:
    """The cues of a text: start, end, kind, weight, in order."""
    first, second = _places(letters)
    found: list[tuple[int, int, str, int]] = []
    lower = ""
    if any(tongue.may_stand(letters) for tongue in OVERRIDES):
        lower = lowered(letters.text)
        found += [(start, end, "override", weight) for start, end, weight in overrides(lower, letters)]
    if len(letters.low) > len(letters.text):
        found += _unbroken(letters.text)
    for places in (first, second):
        for number, anchors in sorted(places.items()):
            known = CUES[number]
            lower = lower or lowered(letters.text)
            found += [
                (_LEAD.match(lower, match.start()).end(), match.end(), known.kind, known.weight)  # type: ignore[union-attr]
                for start, end in _windows(lower, anchors)
                for match in known.pattern.finditer(lower, start, end)
            ]
        if not found:
            return []
    return sorted(found)


# What a pattern takes with it of the sentence before.
_LEAD = lazy(r"[.!?:;,>)\]\s]{0,6}")
_Places = dict[int, list[bytes]]


def _places(letters: Letters) -> tuple[_Places, _Places]:
    """For the numbers of the cues that may stand in a text its anchors; those that need others apart."""
    first: _Places = {}
    second: _Places = {}
    for word in _INDEX.keys() & letters.words:
        for number, also, phrase in _INDEX[word]:
            if (phrase and phrase in letters.low) or (
                not phrase and (not also or not also.isdisjoint(letters.words))
            ):
                places = second if CUES[number].is_second else first
                places.setdefault(number, []).append(phrase or word)
    return first, second


def _unbroken(text: str) -> Iterator[tuple[int, int, str, int]]:
    """Cues of languages without blanks."""
    for name, weight, needs, pattern in UNBROKEN:
        if any(need in text for need in needs):
            yield from ((match.start(), match.end(), name, weight) for match in pattern.finditer(text))


def _windows(lower: str, anchors: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Stretches around the anchors, joined where they meet."""
    places: list[int] = []
    for anchor in (word.decode() for word in anchors):
        place = lower.find(anchor)
        while place >= 0:
            places.append(place)
            place = lower.find(anchor, place + len(anchor))
    start = end = -1
    for place in sorted(places):
        if place - REACH > end:
            if end >= 0:
                yield start, end
            start = max(0, place - REACH)
        end = place + REACH
    if end >= 0:
        yield start, end


def overrides(lower: str, letters: Letters) -> Iterator[tuple[int, int, int]]:
    """Orders to leave other orders aside: start, end, weight.

    Args:
        lower: a text in lower case.
        letters: the text.
    """
    for tongue in OVERRIDES:
        if not tongue.may_stand(letters):
            continue
        for verb in tongue.verb.finditer(lower):
            before = lower[max(0, verb.start() - 16) : verb.start()]
            if _NEGATED.search(before):
                continue
            # A capital inside a line opens a sentence whose end before it was lost.
            opens = letters.text[verb.start()].isupper() or _IMPERATIVE.search(before) is not None
            if not (tongue.is_loose or opens):
                continue
            window = lower[verb.end() : verb.end() + _WINDOW]
            stop = _END.search(window)
            window = window[: stop.start()] if stop else window
            if tongue.is_loose:
                start = max(0, verb.start() - 40)
                window = lower[start : verb.start()] + window
            if tongue.negation is not None and tongue.negation.search(window):
                continue
            noun = tongue.noun.search(window)
            if noun is not None and tongue.prior.search(window):
                is_of_domain = tongue.domain.match(window, noun.end()) is not None
                yield verb.start(), verb.end(), 1 if is_of_domain else 2
            elif tongue.weak.match(window):
                yield verb.start(), verb.end(), 1


def _beginnings() -> frozenset[str]:
    """Words of which one stands in what an order begins with."""
    words = set(_INDEX) | {word for cue in CUES for word in cue.also}
    words |= {word for tongue in OVERRIDES for word in tongue.words}
    return frozenset(word.decode() for word in words - _COMMON - _ORDINARY)


_ORDINARY = frozenset(
    words_of("do not don t that must shall should has have required as read use was only end set")
)
BEGINNINGS = _beginnings()
