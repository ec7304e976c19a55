"""A chat model with JSON replies as a judge; each reply is validated and recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding.errors import ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText
from pytest_grounding.scorers.borrowed import text_of
from pytest_grounding.scorers.cassette import Reply, Request, Tape
from pytest_grounding.scorers.judge.base import Complete, Completion, Ruling, one_by_one
from pytest_grounding.scorers.judge.prompts import (
    CLAIMS,
    RELEVANCE,
    SUPPORT,
    USEFULNESS,
    Prompt,
    fenced,
    passages,
)

_REASON_LENGTH = 300


class ChatJudge:
    """Asks a chat model, and believes only replies that are of the form it asked for.

    Args:
        complete: asks the model; raises ScorerError when it cannot.
        tape: the cassette.
        name: name under which the setting ``judge`` chooses it.
        model: name of the model.
    """

    def __init__(self, complete: Complete, tape: Tape, *, name: str, model: str) -> None:
        self._complete = complete
        self._tape = tape
        self._name = name
        self._model = model

    @property
    def name(self) -> str:
        """Name under which the setting ``judge`` chooses it."""
        return self._name

    def support(self, claim: ClaimText, chunks: Sequence[Chunk], *, question: str = "") -> Ruling:
        """ISSUP of one claim by all chunks: ``full``, ``partial`` or ``none``.

        Raises:
            ScorerError: the judge could not tell, or the cassette lacks its ruling.
        """
        asked = f"{fenced('question', question)}\n" if question else ""
        return self._rule(SUPPORT, f"{asked}{passages(chunks)}\n{fenced('statement', text_of(claim))}")

    def supports(
        self, claims: Sequence[ClaimText], chunks: Sequence[Chunk], *, question: str = ""
    ) -> list[Ruling | ScorerError]:
        """ISSUP of each claim in its order, or why the judge could not tell of that one."""
        return one_by_one(self, claims, chunks, question=question)

    def relevance(self, question: str, chunks: Sequence[Chunk]) -> Ruling:
        """ISREL: whether some chunk holds what the question needs.

        Raises:
            ScorerError: the judge could not tell, or the cassette lacks its ruling.
        """
        return self._rule(RELEVANCE, f"{fenced('question', question)}\n{passages(chunks)}")

    def usefulness(self, question: str, answer: str) -> Ruling:
        """ISUSE: whether the answer addresses the question.

        Raises:
            ScorerError: the judge could not tell, or the cassette lacks its ruling.
        """
        return self._rule(USEFULNESS, f"{fenced('question', question)}\n{fenced('answer', answer)}")

    def claims(self, answer: str, *, question: str = "") -> list[str]:
        """The statements of the answer, verbatim and in its order; those that it does not hold are dropped.

        Raises:
            ScorerError: the judge could not tell, or none of its statements stands in the answer.
        """
        asked = f"{fenced('question', question)}\n" if question else ""
        reply = self._ask(CLAIMS, f"{asked}{fenced('answer', answer)}")
        found: list[str] = []
        position = 0
        for text in reply["claims"]:
            start = answer.find(text, position) if text.strip() else -1
            if start >= 0:
                found.append(text)
                position = start + len(text)
        if reply["claims"] and not found:
            raise ScorerError(f"{self._name}: none of the statements stands in the answer word for word")
        return found

    def _rule(self, prompt: Prompt, user: str) -> Ruling:
        reply = self._ask(prompt, user)
        return Ruling(reply["value"], reply["reason"][:_REASON_LENGTH])

    def _ask(self, prompt: Prompt, user: str) -> Mapping[str, Any]:
        request = Request(
            f"{self._name}.chat",
            self._model,
            {"prompt": prompt.name},
            {"system": prompt.system, "user": user},
        )
        (reply,) = self._tape.ask(
            [request],
            lambda requests: [self._call(prompt, item) for item in requests],
            check=lambda reply: _check(prompt, reply),
        )
        found: Mapping[str, Any] = reply
        return found

    def _call(self, prompt: Prompt, request: Request) -> Reply:
        completion = self._complete(request.texts["system"], request.texts["user"], prompt.schema)
        # A function of an extension may give the object alone.
        reply = completion.reply if isinstance(completion, Completion) else completion
        # Only what was asked for is kept.
        known = ("value", "reason") if prompt.values else ("claims",)
        return {name: reply[name] for name in known if name in reply}


def _check(prompt: Prompt, reply: Reply) -> None:
    """Refuse a reply that is not of the form that was asked for."""
    if not isinstance(reply, Mapping):
        raise ScorerError(f"the judge's reply on {prompt.name} is no object")
    if not prompt.values:
        claims = reply.get("claims")
        if not isinstance(claims, list) or not all(isinstance(item, str) for item in claims):
            raise ScorerError("the judge's reply holds no list of claims")
        return
    if reply.get("value") not in prompt.values:
        allowed = ", ".join(prompt.values)
        raise ScorerError(f"the judge's value is {reply.get('value')!r}; it was asked for one of: {allowed}")
    if not isinstance(reply.get("reason"), str):
        raise ScorerError("the judge's reply holds no reason")
