"""Several judges, or several rounds of one: what they say together, and where they do not agree.

A round gives each member's word. A member whose rounds all stand on one side of what decides (``full``,
``relevant``, ``useful``) votes with its lowest word; one that says now this and now that has no vote, and
neither has one that fails in half of its rounds or more. More than half of the members must vote, with
``all`` each of them. The panel's word is the highest one that more than half of the votes reach, with
``all`` the one that each reaches, so that a tie falls to the lower word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from pytest_grounding.errors import ScorerError
from pytest_grounding.model._base import without_surrogates
from pytest_grounding.model.opinions import JudgeVote
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText
from pytest_grounding.scorers.judge.base import BatchJudge, InconclusiveError, Ruling, UndecidedError

#: The words of each question, the one that decides last.
_SUPPORT = ("none", "partial", "full")
_RELEVANCE = ("irrelevant", "relevant")
_USEFULNESS = ("not useful", "useful")

Answer = Ruling | ScorerError


class Member(BatchJudge, Protocol):
    """A judge that can sit on a panel: it says who it is, and can be asked in rounds."""

    @property
    def model(self) -> str:
        """Name of its model, or ""."""
        ...

    def repeated(self, repeat: int) -> Member:
        """The same judge in another round."""
        ...


class _Seat(NamedTuple):
    """One member in all of its rounds."""

    name: str
    model: str
    rounds: tuple[BatchJudge, ...]


class Panel:
    """Judges who rule together.

    Args:
        members: who sits on it, in the order of the settings.
        agreement: ``majority`` or ``all``.
        repeats: how often each is asked the same.
    """

    def __init__(self, members: Sequence[Member], *, agreement: str = "majority", repeats: int = 1) -> None:
        names = [member.name for member in members]
        self._seats = [
            _Seat(
                member.name if names.count(member.name) == 1 else f"{member.name}:{member.model}",
                member.model,
                (member, *(member.repeated(number) for number in range(1, repeats))),
            )
            for member in members
        ]
        self._agreement = agreement
        self._models = {member.model for member in members}

    @property
    def name(self) -> str:
        """The names of its members with commas."""
        return ", ".join(seat.name for seat in self._seats)

    @property
    def members(self) -> tuple[BatchJudge, ...]:
        """Who sits on it."""
        return tuple(seat.rounds[0] for seat in self._seats)

    @property
    def rule(self) -> str:
        """How they come to a ruling, in words: ``majority, 3 rounds``."""
        rounds = len(self._seats[0].rounds)
        return f"{self._agreement}, {rounds} round{'' if rounds == 1 else 's'}"

    @property
    def model(self) -> str:
        """The model of all of them, or "" where they have several."""
        return next(iter(self._models)) if len(self._models) == 1 else ""

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim.

        Raises:
            InconclusiveError: what they say does not add up to a ruling.
            ScorerError: too few of them could tell.
        """
        (answer,) = self.supports([claim], chunks, question=question)
        if isinstance(answer, ScorerError):
            raise answer
        return answer

    def supports(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Answer]:
        """ISSUP of each claim in its order; see `support` for what stands where there is no ruling."""

        def ask(judge: BatchJudge) -> list[Answer]:
            try:
                return list(judge.supports(claims, chunks, question=question))
            except ScorerError as error:
                return [error] * len(claims)

        heard = [[ask(judge) for judge in seat.rounds] for seat in self._seats]
        return [
            self._together(_SUPPORT, [[answers[number] for answers in rounds] for rounds in heard])
            for number in range(len(claims))
        ]

    def relevance(self, question: str, chunks: Sequence[Chunk]) -> Ruling:
        """ISREL; see `support`."""
        return self._asked(_RELEVANCE, lambda judge: judge.relevance(question, chunks))

    def usefulness(self, question: str, answer: str) -> Ruling:
        """ISUSE; see `support`."""
        return self._asked(_USEFULNESS, lambda judge: judge.usefulness(question, answer))

    def claims(self, answer: str, *, question: str = "") -> list[str]:
        """The statements of an answer as the first member that can tell finds them: lists take no vote.

        Raises:
            ScorerError: none could tell; the first one's reason.
        """
        failures: list[ScorerError] = []
        for seat in self._seats:
            try:
                return seat.rounds[0].claims(answer, question=question)
            except ScorerError as error:
                failures.append(error)
        raise failures[0]

    def _asked(self, words: Sequence[str], ask: Callable[[BatchJudge], Ruling]) -> Ruling:
        def answered(judge: BatchJudge) -> Answer:
            try:
                return ask(judge)
            except ScorerError as error:
                return error

        found = self._together(words, [[answered(judge) for judge in seat.rounds] for seat in self._seats])
        if isinstance(found, ScorerError):
            raise found
        return found

    def _together(self, words: Sequence[str], heard: Sequence[Sequence[Answer]]) -> Answer:
        """What the members say together; ``heard`` holds the answers of each in each of its rounds."""
        votes = tuple(
            _vote(seat, number, answer)
            for seat, answers in zip(self._seats, heard, strict=True)
            for number, answer in enumerate(answers)
        )
        ballots = [_ballot(words, answers) for answers in heard]
        cast = [ballot for ballot in ballots if isinstance(ballot, str)]
        needs_all = self._agreement == "all"
        # Where each must agree, one that says otherwise decides, whoever else is silent.
        objected = needs_all and any(ballot != words[-1] for ballot in cast)
        if not objected and (len(cast) < len(ballots) if needs_all else 2 * len(cast) <= len(ballots)):
            told = "; ".join(_told(seat, answers) for seat, answers in zip(self._seats, heard, strict=True))
            if None in ballots:
                return InconclusiveError(f"no agreement: {told}", votes)
            return UndecidedError(f"too few judges could tell: {told}", votes)
        value = _word(words, cast, needs_all=needs_all)
        return Ruling(value, self._reason(words, value, cast, heard), votes)

    def _reason(
        self, words: Sequence[str], value: str, cast: Sequence[str], heard: Sequence[Sequence[Answer]]
    ) -> str:
        """The count, and why in the words of the first that says so."""
        counts = ", ".join(f"{cast.count(word)} {word}" for word in reversed(words) if word in cast)
        silent = len(heard) - len(cast)
        counts += f", {silent} without a vote" if silent else ""
        tie = "; a tie counts as no" if 2 * cast.count(words[-1]) == len(cast) else ""
        said = (answer for answers in heard for answer in answers if isinstance(answer, Ruling))
        why = next((answer.reason for answer in said if answer.value == value), "")
        return f"{counts}{tie}" + (f": {why}" if why else "")


def _vote(seat: _Seat, number: int, answer: Answer) -> JudgeVote:
    value, reason = (None, str(answer)) if isinstance(answer, ScorerError) else (answer.value, answer.reason)
    text = without_surrogates(reason)[0]
    return JudgeVote(judge=seat.name, model=seat.model, repeat=number, value=value, reason=text)


def _ballot(words: Sequence[str], answers: Sequence[Answer]) -> str | bool | None:
    """A member's word over its rounds; None where it stands on both sides, False where it mostly failed."""
    said = [answer.value for answer in answers if isinstance(answer, Ruling)]
    if 2 * len(said) <= len(answers):
        return False
    if len({word == words[-1] for word in said}) > 1:
        return None
    return min(said, key=words.index)


def _word(words: Sequence[str], cast: Sequence[str], *, needs_all: bool) -> str:
    """The highest word that enough votes reach."""
    for word in reversed(words):
        reached = sum(words.index(vote) >= words.index(word) for vote in cast)
        if reached == len(cast) if needs_all else 2 * reached > len(cast):
            return word
    return words[0]


def _told(seat: _Seat, answers: Sequence[Answer]) -> str:
    said = [answer.value if isinstance(answer, Ruling) else f"failed ({answer})" for answer in answers]
    return f"{seat.name}: {', '.join(dict.fromkeys(said))}"
