"""What the conflict finders see of a text: words, facts at their words, negations with what they deny.

The view of a chunk is built once and cached with the text of the chunk.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.conflicts.lexicon import opposed_to
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.facts import Fact, extract_facts
from pytest_grounding.text.facts.tokens import words

# Words that end the reach of a negation.
_BARRIERS = frozenset(
    words(
        """
        but because although though while if when where which that who whereas unless except than so
        since or and however therefore until after before as
        """
    )
)
_BREAKS = frozenset(",;:.!?()[]\n—–")
#: Content words that a negation reaches.
_REACH = 2
#: Words that a negation passes over to what it denies.
_LIGHT = frozenset({"necessarily", "yet", "really", "actually", "always", "ever", "be", "been", "likely"})
#: Words that deny without a negation, or that make it unsure what is denied: near one of them a difference
#: in negations says nothing.
_SOFT = frozenset(
    words(
        """
        avoid avoids avoided avoiding prevent prevents prevented preventing refuse refuses refused
        refusing unlikely unable fail fails failed failing lack lacks lacked lacking rarely seldom
        hardly barely scarcely except unless instead rather unlike impossible prohibit prohibits
        prohibited forbid forbids forbidden deny denies denied absent absence exclude excludes
        excluded excluding nothing nobody nowhere devoid cease false myth never otherwise inactive
        non inability inadequate inaccurate incapable incomplete incorrect ineffective inefficient
        infrequent insufficient invalid invisible improper imperfect immature irregular irrelevant
        irresponsible illegal illogical disagree disagrees disallow dislike disprove disqualify
        disregard disable disabled discontinue discontinued dishonest inappropriate difficulty
        difficulties trouble bypass bypasses bypassed
        """
    )
)
#: The same, but they deny only what stands right beside them.
_WEAK = frozenset(
    words(
        """
        only little few fewer less stop stops stopped free zero too against difficult hard limited
        restricted lose loses lost missing miss ban banned decline despite regardless whether minus
        away
        """
    )
)
_WEAK_REACH = 3
#: All of them, without those that only look like denials.
TURNING = _SOFT | _WEAK
_SOFT_FORM = lazy(r"(?:un|non)[a-z]{4,}|[a-z]{3,}less")
_NOT_SOFT = frozenset(
    words(
        """
        under until unit units united unless understand understood underlying undergo undergoes
        understanding union unions unique universal university universe uniform unified underneath
        underground
        """
    )
)
_CONDITIONS = frozenset({"if", "unless", "whether", "until", "when"})


@lru_cache(maxsize=65536)
def is_soft_denial(norm: str) -> bool:
    """Whether a word denies by its meaning ("avoid") or its form ("unsafe", "useless")."""
    if norm in _SOFT or norm in _WEAK:
        return True
    return norm not in _NOT_SOFT and _SOFT_FORM.fullmatch(norm) is not None


def _is_counter(text: str, fact: Fact) -> bool:
    """Whether a number is a citation or counts the items of a list: "[3]", "3. Bake", "3  Bake"."""
    if fact.kind != "number" or not fact.text.isdigit() or len(fact.text) > 2:
        return False
    after = text[fact.end : fact.end + 3]
    if text[fact.start - 1 : fact.start] in {"[", "^"} or (after[:1] == "]" and len(fact.text) < 3):
        return True
    if after[:2] == "  ":
        return True
    before = text[max(0, fact.start - 2) : fact.start].strip(" ")
    return after[:1] in {".", ")", ":"} and not after[1:2].isdigit() and (not before or before in "\n.*(")


class View:
    """One text as the conflict finders see it.

    Attributes:
        text: the text.
        tokens: its words.
        facts: its facts, without negations.
        fact_at: for each fact the number of the word where it starts.
        content: numbers of the words that are not stop words.
        sentence_of: for each word the number of its sentence.
        negations: the negations.
        negation_at: for each negation the number of the word where it starts.
        negated_at: the same as a set.
        denied: for each denied word the number of the negation that denies it.
        cues: numbers of all words that deny, negations included, ascending.
    """

    __slots__ = (
        "_names",
        "_opposed",
        "_windows",
        "content",
        "cues",
        "denied",
        "fact_at",
        "facts",
        "negated_at",
        "negation_at",
        "negations",
        "sentence_of",
        "text",
        "tokens",
    )

    def __init__(self, text: str, tokens: Sequence[Token], sentence_of: Sequence[int]) -> None:
        self.text = text
        self.tokens = tokens
        self.sentence_of = sentence_of
        starts = [token.start for token in tokens]
        self.facts: list[Fact] = []
        self.fact_at: list[int] = []
        self.negations: list[Fact] = []
        self.negation_at: list[int] = []
        for fact in extract_facts(text):
            at = bisect_right(starts, fact.start) - 1
            if at < 0 or tokens[at].end <= fact.start:
                at += 1
            if at >= len(tokens) or tokens[at].start >= fact.end:
                # Its words were left out as a label or marker: not said by the claim.
                continue
            if fact.kind == "negation":
                self.negations.append(fact)
                self.negation_at.append(at)
            elif not _is_counter(text, fact):
                self.facts.append(fact)
                self.fact_at.append(at)
        self.content = [number for number, token in enumerate(tokens) if not token.is_stop]
        self.denied = self._denials()
        self.negated_at = frozenset(self.negation_at)
        self.cues = [
            number
            for number, token in enumerate(tokens)
            if number in self.negated_at or is_soft_denial(token.norm)
        ]
        self._windows: dict[int, dict[str, int]] = {}
        self._opposed: dict[str, dict[str, str]] | None = None
        self._names: dict[int, list[tuple[Fact, int]]] | None = None

    def _denials(self) -> dict[int, int]:
        denied: dict[int, int] = {}
        for which, fact in enumerate(self.negations):
            left = _REACH
            number = self.negation_at[which]
            while number < len(self.tokens) and self.tokens[number].start < fact.end:
                number += 1
            previous_end = fact.end
            while number < len(self.tokens) and left:
                token = self.tokens[number]
                between = self.text[previous_end : token.start]
                if not _BREAKS.isdisjoint(between) or token.norm in _BARRIERS:
                    break
                if not token.is_stop and token.norm not in _LIGHT:
                    denied.setdefault(number, which)
                    left -= 1
                previous_end = token.end
                number += 1
        return denied

    @property
    def names(self) -> dict[int, list[tuple[Fact, int]]]:
        """For each sentence its names that do not start it, each with the number of its first word."""
        if self._names is None:
            # Complete before it is seen: another thread may ask meanwhile.
            names: dict[int, list[tuple[Fact, int]]] = {}
            for fact, at in zip(self.facts, self.fact_at, strict=True):
                if fact.kind == "name" and not fact.initial:
                    names.setdefault(self.sentence_of[at], []).append((fact, at))
            self._names = names
        return self._names

    @property
    def opposed(self) -> dict[str, dict[str, str]]:
        """For each stem the stems here that are opposed to it, with the kind of conflict that they make."""
        if self._opposed is None:
            opposed: dict[str, dict[str, str]] = {}
            # Each word once, in the order of where it stands last: the last one to name a kind decides.
            words = dict.fromkeys((t.norm, t.stem, t.is_stop) for t in reversed(self.tokens))
            for norm, own, is_stop in reversed(words):
                for stem, kind in opposed_to(norm, own, is_stop):
                    opposed.setdefault(stem, {})[own] = kind
            self._opposed = opposed
        return self._opposed

    def cues_near(self, number: int, reach: int) -> list[int]:
        """The words that deny within reach of a word, in its sentence."""
        low = bisect_left(self.cues, number - reach)
        high = bisect_right(self.cues, number + reach)
        own = self.sentence_of[number]
        return [
            cue
            for cue in self.cues[low:high]
            if self.sentence_of[cue] == own and self.reaches(cue, number, reach)
        ]

    def reaches(self, cue: int, number: int, reach: int) -> bool:
        """Whether a cue is near enough to a word: weak ones reach less far."""
        distance = abs(cue - number)
        return distance <= reach and (distance <= _WEAK_REACH or self.tokens[cue].norm not in _WEAK)

    def is_conditional(self, number: int, reach: int = 10) -> bool:
        """Whether a condition ("if", "unless") opens before a word, in its sentence."""
        own = self.sentence_of[number]
        at = number - 1
        while at >= 0 and number - at <= reach and self.sentence_of[at] == own:
            if self.tokens[at].norm in _CONDITIONS:
                return True
            at -= 1
        return False

    def window(self, number: int, reach: int = 14) -> dict[str, int]:
        """Stems around a word in its sentence, with their distance in words."""
        found = self._windows.get(number)
        if found is None:
            found = {}
            tokens, sentence_of = self.tokens, self.sentence_of
            own = sentence_of[number]
            for step in range(1, reach + 1):
                for other in (number - step, number + step):
                    if 0 <= other < len(tokens) and sentence_of[other] == own and not tokens[other].is_stop:
                        found.setdefault(tokens[other].stem, step)
            self._windows[number] = found
        return found


def view_of_claim(text: str, tokens: Sequence[Token], language: str = "en") -> View:
    """The view of a claim: all of it counts as one sentence.

    Args:
        text: the claim.
        tokens: its words.
        language: first part of the BCP 47 tag that they were told apart in.
    """
    if len(text) <= _LONGEST_KEPT:
        view = _view_of_claim(text, language)
        if view.tokens == tokens:
            return view
    return View(text, tokens, [0] * len(tokens))


_LONGEST_KEPT = 600


@lru_cache(maxsize=1024)
def _view_of_claim(text: str, language: str) -> View:
    # The claims of one answer are set against the chunks, and then each against a dozen others.
    tokens = tokenize(text, language)
    return View(text, tokens, [0] * len(tokens))


@lru_cache(maxsize=1024)
def _view_of_chunk(text: str, language: str) -> View:
    index = index_of(text, language)
    return View(text, index.tokens, index.sentence_of)


def view_of_chunk(index: ChunkIndex, language: str = "en") -> View:
    """The view of a chunk, from the cache where it was built before."""
    return _view_of_chunk(index.text, language)
