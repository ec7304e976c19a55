"""The order of numbered steps: "the last step is …", "before you rinse the filter, you unscrew it"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import SentenceWords, words_of_claim
from pytest_grounding.lexicon import fields, ordered, words
from pytest_grounding.reading.words import Token, content_stems

_STEP_LINE = lazy(
    r"^[ \t]*(?:[-*][ \t]+)?\**(?:[Ss]tep[ ])?(?P<number>\d{1,2})\**(?:[.):]\**|[ ][–-])[ \t]+(?P<said>\S.*)$"
)
_STEP = "step"
_ORDINALS = {word: number for number, word in enumerate(ordered("numerals", "ordinal_units"))}
_FIRST, _LAST = words("exchanged", "first of all"), words("exchanged", "last of all")
_SIDES = fields("exchanged", "sides in time")
_BEFORE, _AFTER, _THEN = (frozenset(_SIDES[name]) for name in ("before", "after", "then"))
_LONGEST, _MOST = 50, 40  # words of a claim, and steps of a list, at most
_HELD = 0.6  # share of the words of a phrase that its step has
_COMMA = ","


@dataclass(frozen=True, slots=True)
class _Steps:
    """The steps of one list, in order."""

    said: tuple[str, ...]
    stems: tuple[frozenset[str], ...]

    def number_of(self, stems: frozenset[str]) -> int | None:
        """The place of the one step that has most of some words; None without one."""
        counts = [len(stems & step) for step in self.stems]
        best = max(counts)
        if not best or best < _HELD * len(stems) or counts.count(best) > 1:
            return None
        return counts.index(best)


def steps_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The words of a claim that give a step another place than its list does; English only."""
    if sources.language != "en" or not _lists_of_steps(sources):
        return
    said = words_of_claim(text)
    if said.is_denying or len(said.tokens) > _LONGEST:
        return
    for steps in _lists_of_steps(sources):
        found = _at_its_place(said, steps) or _two_in_order(said, steps)
        if found is not None:
            yield found
            return


@kept_with_owner
def _lists_of_steps(sources: LedgerSources) -> tuple[_Steps, ...]:
    """The numbered lists of all chunks."""
    found: list[_Steps] = []
    for page in sources.pages.pages:
        steps: list[str] = []
        for line in page.own.split("\n"):
            match = _STEP_LINE.match(line) if line[:1] else None
            if match is None:
                continue
            if int(match["number"]) != len(steps) + 1:
                found += _as_steps(steps)
                steps = []
            if int(match["number"]) == len(steps) + 1:
                steps.append(match["said"].strip(" *_`."))
        found += _as_steps(steps)
    return tuple(found)


def _as_steps(steps: Sequence[str]) -> list[_Steps]:
    is_list = 1 < len(steps) <= _MOST
    return [_Steps(tuple(steps), tuple(map(content_stems, steps)))] if is_list else []


def _at_its_place(said: SentenceWords, steps: _Steps) -> Settled | None:
    """A step that a claim gives a number or the first or last place, and has another one."""
    tokens = said.tokens
    for at, token in enumerate(tokens):
        place = _place_at(tokens, at, len(steps.said))
        if place is None:
            continue
        named = {other.start for other in tokens[max(0, at - 1) : at + 2] if _is_placing(other)}
        rest = frozenset([other.stem for other in tokens if not other.is_stop and other.start not in named])
        number = steps.number_of(rest)
        if number is None or not 0 <= place < len(steps.said):
            return None
        return _settled(token, steps.said[place], is_right=number == place)
    return None


def _is_placing(token: Token) -> bool:
    listed = _FIRST | _LAST | _ORDINALS.keys()
    return token.is_number or token.stem == _STEP or token.norm in listed


def _place_at(tokens: Sequence[Token], at: int, count: int) -> int | None:
    """The place that a word gives a step: "the second step", "step 2", "Finally"."""
    norm, behind = tokens[at].norm, tokens[at + 1 : at + 2]
    is_of_step = bool(behind) and behind[0].stem == _STEP
    if norm in _ORDINALS and is_of_step:
        return _ORDINALS[norm] - 1
    if norm in _LAST and (is_of_step or not at):
        return count - 1
    if norm in _FIRST and not at:
        return 0
    if tokens[at].stem == _STEP and behind and behind[0].text.isdigit():
        return int(behind[0].text) - 1
    return None


def _two_in_order(said: SentenceWords, steps: _Steps) -> Settled | None:
    """Two steps that a claim has in an order, which the list has in the other one."""
    tokens = said.tokens
    for at, token in enumerate(tokens):
        if token.norm in _BEFORE or token.norm in _AFTER:
            cut = at
            first, second = tokens[:at], tokens[at + 1 :]
            if not at:
                cut = _first_comma(said.text, tokens)
                first, second = tokens[cut:], tokens[1:cut]
            if not cut:
                return None
            ours, theirs = (steps.number_of(_stems(side)) for side in (first, second))
            if ours is None or theirs is None or ours == theirs:
                return None
            is_right = (ours < theirs) == (token.norm in _BEFORE)
            return _settled(token, steps.said[min(ours, theirs)] + ", earlier", is_right=is_right)
        if token.norm in _THEN and at:
            return _several_in_order(said.text, tokens, token, steps)
    return None


def _several_in_order(text: str, tokens: Sequence[Token], then: Token, steps: _Steps) -> Settled | None:
    """Several steps, one behind the other, the last one behind "then"."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        between = text[parts[-1][-1].end : token.start] if parts[-1] else ""
        if token is then or _COMMA in between:
            parts.append([])
        if token is not then:
            parts[-1].append(token)
    numbers = [steps.number_of(_stems(part)) for part in parts if _stems(part)]
    places = [number for number in numbers if number is not None]
    if len(places) < max(2, len(numbers)):
        return None
    wrong = next((at for at, (one, other) in enumerate(pairwise(places)) if one >= other), None)
    return _settled(then, steps.said[min(places)] + ", first", is_right=wrong is None)


def _first_comma(text: str, tokens: Sequence[Token]) -> int:
    """The place of the first word behind a comma; 0 without one."""
    for at in range(1, len(tokens)):
        if _COMMA in text[tokens[at - 1].end : tokens[at].start]:
            return at
    return 0


def _stems(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset([token.stem for token in tokens if not token.is_stop])


def _settled(token: Token, nearest: str, *, is_right: bool) -> Settled:
    outcome = Outcome("computed", formula=nearest) if is_right else Outcome("denied", nearest=nearest)
    return Settled("operator", token.start, token.end, outcome)
