"""Words of a claim that exclude those of the sentence it rests on: "gross" and "net", "all" and "half"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import Grounds, Statement, denies_something, has_stem, has_word
from pytest_grounding.lexicon import lines, words
from pytest_grounding.reading.words import IRREGULAR_VERBS, Token

_EITHER_WAY = "either way"
_IN_ORDER = "in the same order"
_ONE_WAY = "claim first"
_DENYING = "beside a denial"
_COMING = words("contrasts", "coming")
_DONE = frozenset({"already", "been", "had", "was", "were"})
_PAST_END, _BEFORE_VERBS = "ed", words("denials", "before a verb")
_OPEN_BEFORE = frozenset({"be", "to"})  # "can be found" tells of no past
_CAUSE, _BEING = "due to", words("denials", "being")
_REACH = 3  # words from what is to come to its verb
_LONGEST = 3  # words of a phrase
#: Share of the rest of a claim, by weight, in the sentence whose words it contradicts.
_HELD = 0.75
_TELLING = 2  # content words of the rest of a claim from which the sentence may say more


class _Phrases:
    """Words and phrases that are looked for together."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.all = frozenset(phrases)
        #: Most words of a text begin none.
        self.openings = frozenset(phrase.partition(" ")[0] for phrase in self.all)


@dataclass(frozen=True)
class _Contrast:
    """The phrases of a claim, and those of a source that exclude them."""

    own: _Phrases
    theirs: _Phrases
    section: str  # how they exclude each other


@dataclass(slots=True)
class _Phrase:
    """A phrase where it stands."""

    text: str
    first: int
    after: int


@lru_cache(maxsize=1)
def _contrasts() -> Mapping[str, tuple[_Contrast, ...]]:
    """Phrase of a claim -> the contrasts that it begins."""
    found: dict[str, list[_Contrast]] = {}
    for section in (_EITHER_WAY, _IN_ORDER, _ONE_WAY, _DENYING):
        for line in lines("contrasts", section):
            one, other = map(_phrases_of, line.split("|"))
            contrasts = [_Contrast(one, other, section)]
            if section in (_EITHER_WAY, _IN_ORDER):
                contrasts.append(_Contrast(other, one, section))
            for contrast in contrasts:
                for phrase in contrast.own.all:
                    found.setdefault(phrase, []).append(contrast)
    return {phrase: tuple(contrasts) for phrase, contrasts in found.items()}


@lru_cache(maxsize=1)
def _coming() -> _Phrases:
    """What says that something is still to come: "will", "plans to"."""
    return _Phrases(words("contrasts", "future"))


@lru_cache(maxsize=1)
def _of_claims() -> _Phrases:
    """All phrases of claims."""
    return _Phrases(_contrasts())


def _phrases_of(side: str) -> _Phrases:
    return _Phrases([phrase.replace("_", " ") for phrase in side.split()])


def contrasts_of(grounds: Grounds) -> Iterator[Settled]:
    """The words of a claim that the sentence which holds the rest excludes."""
    tokens = grounds.tokens
    if grounds.words.is_denying:
        return
    if grounds.words.has(_of_claims().openings):
        for phrase in _phrases_in(tokens, _of_claims()):
            for contrast in _contrasts()[phrase.text]:
                excluding = _excluding(contrast, grounds)
                if excluding is not None:
                    first, last = tokens[phrase.first], tokens[phrase.after - 1]
                    yield Settled("operator", first.start, last.end, excluding)
                    return
    yield from _done_before_its_time(grounds)


def _excluding(contrast: _Contrast, grounds: Grounds) -> Outcome | None:
    if any(_phrases_in(grounds.tokens, contrast.theirs)):
        return None
    rest = frozenset(
        token.stem for token in _without_phrases(grounds.tokens, contrast.own) if not token.is_stop
    )
    excluding: Outcome | None = None
    for statement in _resting_on(rest, grounds):
        if any(_phrases_in(_without_phrases(statement.tokens, contrast.theirs), contrast.own)):
            return None
        part = _best_part(statement, rest, grounds)
        other = next(_phrases_in(part, contrast.theirs), None)
        if other is None or (denies_something(part) and contrast.section != _DENYING):
            continue
        if contrast.section == _IN_ORDER and not _begin_alike(grounds.tokens, part, grounds):
            # "The house is in front of the garage" beside "the garage is behind the house".
            continue
        excluding = excluding or statement.outcome("denied", other.text)
    return excluding


def _resting_on(rest: Set[str], grounds: Grounds) -> Iterator[Statement]:
    """The sentences that hold most of the rest of a claim; of a short rest, those that say no more."""
    for statement in grounds.statements:
        if not rest or grounds.share_of(rest, statement) < _HELD:
            continue
        if len(rest) < _TELLING and not _begin_alike(grounds.tokens, statement.tokens, grounds):
            continue
        yield statement


def _begin_alike(tokens: Sequence[Token], others: Sequence[Token], grounds: Grounds) -> bool:
    """Whether the first content word of a claim is that of a sentence."""
    return _opening_stem(others) in grounds.forms(_opening_stem(tokens))


def _opening_stem(tokens: Sequence[Token]) -> str:
    return next((token.stem for token in tokens if not token.is_stop), "")


def _best_part(statement: Statement, rest: Set[str], grounds: Grounds) -> Sequence[Token]:
    """The part of a sentence that says most of the rest of a claim."""
    return max(statement.parts, key=lambda part: sum(has_stem(part, grounds.forms(stem)) for stem in rest))


def _phrases_in(tokens: Sequence[Token], listed: _Phrases) -> Iterator[_Phrase]:
    """The listed phrases of up to three words that stand in a text."""
    for first, token in enumerate(tokens):
        if token.norm not in listed.openings:
            continue
        for after in range(first + 1, first + 1 + _LONGEST):
            text = " ".join([other.norm for other in tokens[first:after]])
            if text in listed.all and after <= len(tokens):
                yield _Phrase(text, first, after)


def _without_phrases(tokens: Sequence[Token], listed: _Phrases) -> list[Token]:
    """The words of a text beside those of some phrases: "free of charge" charges nothing."""
    taken = {number for phrase in _phrases_in(tokens, listed) for number in range(phrase.first, phrase.after)}
    return [token for number, token in enumerate(tokens) if number not in taken]


def _done_before_its_time(grounds: Grounds) -> Iterator[Settled]:
    """A verb that a claim has in the past, where each sentence that it rests on has it still to come."""
    # What holds most of a claim comes first.
    if not grounds.statements or not grounds.statements[0].has(_coming().openings):
        return
    if any(_phrases_in(grounds.tokens, _coming())) or grounds.words.has(_COMING):
        return
    rest = frozenset(grounds.content)
    found: Settled | None = None
    for statement in _resting_on(rest, grounds):
        verb = _coming_verb(statement, grounds)
        if verb is None:
            return
        found = found or Settled("operator", verb.start, verb.end, statement.outcome("denied"))
    if found is not None:
        yield found


def _coming_verb(statement: Statement, grounds: Grounds) -> Token | None:
    """The verb of a claim in the past that a sentence has behind "will" or "plans to" alone."""
    tokens = statement.tokens
    for phrase in _phrases_in(tokens, _coming()):
        behind = [
            token for token in tokens[phrase.after : phrase.after + _REACH] if token.norm not in _BEFORE_VERBS
        ]
        is_name = phrase.first > 0 and tokens[phrase.first].text[0].isupper()
        is_cause = phrase.text == _CAUSE and not has_word(tokens[: phrase.first][-1:], _BEING)
        if not behind or is_name or is_cause:
            # "Will Smith", "was damaged due to strong winds".
            continue
        coming, forms = behind[0], grounds.forms(behind[0].stem)
        if any(_is_past_of(coming, other, forms) for other in tokens):
            # "It planned to play there, and played there."
            continue
        has_past = grounds.words.has(_DONE)
        for before, token in zip((None, *grounds.tokens), grounds.tokens, strict=False):
            is_open = before is not None and before.norm in _OPEN_BEFORE
            if not is_open and (_is_past_of(coming, token, forms) or (has_past and token.stem in forms)):
                return token
    return None


def _is_past_of(coming: Token, token: Token, forms: Set[str]) -> bool:
    """Whether a word is a form of the past of a verb: "played" of "play"."""
    is_inflected = token.norm.endswith(_PAST_END) or token.norm in IRREGULAR_VERBS
    return token.stem in forms and token.norm != coming.norm and is_inflected
