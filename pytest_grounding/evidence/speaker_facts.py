"""What one speaker of a conversation says and a claim gives to another: "Mara: I will send the plan"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds, denies_something
from pytest_grounding.evidence.token_index import light_stems
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import content_stems, tokenize

#: The name before the colon, and the words behind it; brackets hold the time, asterisks make it bold.
_LINE = lazy(r"(?m)^(?:\[[\d:., ]{1,20}\] ?)?\*{0,2}([^\W\d_][\w .'-]{0,30}):\*{0,2} {1,3}(\S[^\n]*)")
_SAYING = words("denials", "attribution") | words("denials", "saying") | words("denials", "reporting")
_SAYING |= words("denials", "calling")
_VERBS = alternation("denials", "reporting")
_WHO = r"(?:[Tt]he |[Aa]n? )?[^\W\d_][\w' -]{1,40}?"
#: Who says it, and what: "According to the mayor, …", "… says that …"; the other way round, '"…," said …'.
_ATTRIBUTIONS = (
    lazy(rf"[Aa]ccording to (?P<who>{_WHO}), (?P<what>[^;.\n]{{3,300}})"),
    lazy(rf"(?:^|(?<=[.;\n] )|(?<=\n))(?P<who>{_WHO}) (?:{_VERBS}) that (?P<what>[^;.\n]{{3,300}})"),
    lazy(rf"[\"“](?P<what>[^\"”\n]{{3,300}})[\"”],? (?:{_VERBS}) (?P<who>{_WHO})(?=[.,;\n]|\Z)"),
)
_GOING_BACK = words("denials", "going back")
_NO = "no"
_TITLES = words("names", "titles")
#: Lines of a conversation, and lines that its speakers have on average, at least.
_FEWEST_LINES, _LINES_EACH = 3, 1.5
#: Share of the lines that end as sentences do, where each speaker has but one.
_MOSTLY, _ENDS = 0.75, (".", "!", "?", '"', "”")
#: Share of a claim in what another one says, and content words of it, from which it is that one's.
_SHARE, _FEWEST = 0.75, 2


@dataclass(frozen=True)
class Turn:
    """What one speaker says, with the question that it answers."""

    speaker: str
    names: frozenset[str]  # stems of the speaker's name
    stems: frozenset[str]
    denied: frozenset[str] = frozenset()  # of a question that is answered by "no"


@read_once
def conversation_turns(text: str) -> tuple[Turn, ...]:
    """The turns of a conversation; a question belongs to who answers it. Empty for any other text."""
    lines = list(_LINE.finditer(text))
    speakers = Counter(match[1] for match in lines)
    if len(lines) < _FEWEST_LINES or len(speakers) < 2:
        return ()
    are_sentences = sum(match[2].rstrip().endswith(_ENDS) for match in lines) >= _MOSTLY * len(lines)
    if not are_sentences and len(lines) < _LINES_EACH * len(speakers):
        return ()
    turns: list[Turn] = []
    asked: frozenset[str] = frozenset()
    asked_words: frozenset[str] = frozenset()
    for match in lines:
        stems = content_stems(match[2])
        is_question = match[2].rstrip().endswith("?")
        is_denial = match[2].lower().startswith(_NO) and bool(asked)
        said = stems if is_denial else stems | asked
        denied = asked_words if is_denial else frozenset[str]()
        names = content_stems(match[1]) - _TITLES or content_stems(match[1])
        turns.append(Turn(match[1], names, frozenset() if is_question else said, denied))
        asked = stems if is_question else frozenset()
        asked_words = frozenset(token.stem for token in tokenize(match[2], "en"))
    return tuple(turns)


@read_once
def attributed_turns(text: str) -> tuple[Turn, ...]:
    """What several people are reported to say; empty where it is one alone."""
    found = [match for form in _ATTRIBUTIONS for match in form.finditer(text)]
    turns: list[Turn] = []
    subject: frozenset[str] = frozenset()
    for match in sorted(found, key=lambda match: match.start()):
        content = [token for token in tokenize(match["what"], "en") if not token.is_stop]
        opening = match["what"].lower().split(maxsplit=1)[0]
        stems = frozenset(token.stem for token in content)
        # "…; according to the builder, it costs 3 million": what "it" stands for is said before.
        said = stems | subject if opening in _GOING_BACK else stems
        turns.append(Turn(match["who"], content_stems(match["who"]), said))
        subject = _subject_of(match["what"])
    return tuple(turns) if len({turn.names for turn in turns}) > 1 else ()


def _subject_of(text: str) -> frozenset[str]:
    """Stems of the content words before the verb."""
    before: list[str] = []
    for token in tokenize(text, "en"):
        if has_finite_verb([token.norm]):
            return frozenset(before)
        if not token.is_stop:
            before.append(token.stem)
    return frozenset()


def speakers_settled(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """A speaker of whom a claim says what another one says, or what the speaker denies."""
    found = (_settled_speaker(turns, chunk, grounds) for chunk, turns in _turns_of(sources))
    yield from islice(filter(None, found), 1)


@kept_with_owner
def _turns_of(sources: LedgerSources) -> list[tuple[int, Sequence[Turn]]]:
    """What several people say in a chunk."""
    # As recorded: the lines of a conversation are no lines any more on a page.
    texts = enumerate([page.own for page in sources.pages.pages])
    read = product(texts, (conversation_turns, attributed_turns))
    return [(chunk, turns) for (chunk, own), reading in read if (turns := reading(own))]


def _settled_speaker(turns: Sequence[Turn], chunk: int, grounds: Grounds) -> Settled | None:
    names = {turn.names for turn in turns if turn.names and turn.names <= grounds.content.keys()}
    if len(names) != 1:
        return None
    name = names.pop()
    content = [token for token in grounds.tokens if not token.is_stop and token.stem not in name]
    rest = {token.stem for token in content if token.norm not in _SAYING}
    telling = rest - light_stems()
    rest = telling if len(telling) >= _FEWEST else rest
    if not rest:
        return None
    token = next(token for token in grounds.tokens if token.stem in name)
    own = [turn for turn in turns if turn.names == name]
    held = max(_share(rest, turn.stems, grounds) for turn in own)
    denied = max(_share(rest, turn.denied, grounds) for turn in own)
    if denied == 1.0 and denied > held and not denies_something(grounds.tokens):
        return Settled("polarity", content[0].start, content[-1].end, Outcome("denied", Place(chunk)))
    if len(rest) < _FEWEST:
        return None
    best = max(turns, key=lambda turn: _share(rest, turn.stems, grounds))
    if best.names != name and _share(rest, best.stems, grounds) >= max(_SHARE, held + 1 / len(rest)):
        outcome = Outcome("elsewhere", Place(chunk), nearest=best.speaker)
        return Settled("role", token.start, token.end, outcome)
    return None


def _share(rest: set[str], said: frozenset[str], grounds: Grounds) -> float:
    """Share of the words of a claim among some words."""
    return sum(not said.isdisjoint(grounds.forms(stem)) for stem in rest) / len(rest)
