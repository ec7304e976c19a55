"""What one speaker of a conversation says and a claim gives to another: "Mara: I will send the plan"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds
from pytest_grounding.evidence.token_index import light_stems
from pytest_grounding.lexicon import words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.words import tokenize

#: The name before the colon, and the words behind it; brackets hold the time, asterisks make it bold.
_LINE = lazy(r"(?m)^(?:\[[\d:., ]{1,20}\] ?)?\*{0,2}([^\W\d_][\w .'-]{0,30}):\*{0,2} {1,3}(\S[^\n]*)")
_SAYING = words("denials", "attribution") | words("denials", "saying")
#: Lines of a conversation, and lines that its speakers have on average, at least.
_FEWEST_LINES, _LINES_EACH = 3, 1.5
#: Share of a claim in what another one says, and content words of it, from which it is that one's.
_SHARE, _FEWEST = 0.75, 2


@dataclass(frozen=True)
class Turn:
    """What one speaker says, with the question that it answers."""

    speaker: str
    names: frozenset[str]  # stems of the speaker's name
    stems: frozenset[str]
    start: int
    end: int


@read_once
def conversation_turns(text: str) -> tuple[Turn, ...]:
    """The turns of a conversation; a question belongs to who answers it. Empty for any other text."""
    lines = list(_LINE.finditer(text))
    speakers = Counter(match[1] for match in lines)
    if len(lines) < _FEWEST_LINES or len(speakers) < 2 or len(lines) < _LINES_EACH * len(speakers):
        return ()
    turns: list[Turn] = []
    asked: frozenset[str] = frozenset()
    for match in lines:
        stems = _stems(match[2])
        is_question = match[2].rstrip().endswith("?")
        said = frozenset() if is_question else stems | asked
        turns.append(Turn(match[1], _stems(match[1]), said, match.start(), match.end()))
        asked = stems if is_question else frozenset()
    return tuple(turns)


def _stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokenize(text, "en") if not token.is_stop)


def speakers_settled(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """A speaker of whom a claim says what another one says of himself."""
    for chunk, index in enumerate(sources.context.indexes):
        turns = conversation_turns(index.text)
        names = {turn.names for turn in turns if turn.names and turn.names <= grounds.content.keys()}
        if len(names) != 1:
            continue
        name = names.pop()
        rest = {token.stem for token in grounds.tokens if not token.is_stop and token.norm not in _SAYING}
        rest -= name | light_stems()
        if len(rest) < _FEWEST:
            continue
        own = max(_share(rest, turn, grounds) for turn in turns if turn.names == name)
        best = max(turns, key=lambda turn: _share(rest, turn, grounds))
        if best.names != name and _share(rest, best, grounds) >= max(_SHARE, own + 1 / len(rest)):
            token = next(token for token in grounds.tokens if token.stem in name)
            place = Place(chunk, best.start, best.end)
            yield Settled("role", token.start, token.end, Outcome("elsewhere", place, nearest=best.speaker))
            return


def _share(rest: set[str], turn: Turn, grounds: Grounds) -> float:
    """Share of the words of a claim in a turn."""
    return sum(not turn.stems.isdisjoint(grounds.forms(stem)) for stem in rest) / len(rest)
