"""The hostile corpus: every wrapping with every statement, right and wrong, and answers of other kinds."""

from typing import Any, Literal, NamedTuple

from others import LANGUAGES, LONG, NOT_RENDERED, NOTHING
from statements import KINDS, SOURCES, STATEMENTS
from wrappings import ATTACKS, FAMILIES, WRITTEN, said

from pytest_grounding.testing import Example

#: What must come of a case: ``caught`` is any status but pass, ``passes`` is pass.
Outcome = Literal["caught", "passes"]

#: The chunk that is retrieved beside each source and has nothing to do with it.
BESIDE = "The annual meeting of the choir takes place in the town hall."

#: The address of the source, which the wrappings with links name.
ADDRESS = "https://a.example/x"


class Case(NamedTuple):
    """One transcript and what must come of it.

    Attributes:
        family: the family of wrappings, or of other answers.
        kind: number, name, negation; for other families what they differ by.
        name: the wrapping, and the source; unlike any other in its family and kind.
        outcome: what must come of it.
        transcript: the transcript as a mapping.
    """

    family: str
    kind: str
    name: str
    outcome: Outcome
    transcript: dict[str, Any]


#: A question to which any sentence of a source is an answer: the cases are about sources.
NEUTRAL = "What does the source say?"


def transcript(question, chunk, answer):
    """A transcript over a chunk and another that has nothing to do with it."""
    chunks = [
        {"id": "c1", "text": chunk, "score": 0.9, "metadata": {"url": ADDRESS}},
        {"id": "c2", "text": BESIDE, "score": 0.4},
    ]
    return Example(question, chunks, id="hostile").answered(answer)


def wrapped():
    """Every wrapping around every statement, once false and once true."""
    for family, wrappings in {**FAMILIES, "attacks": ATTACKS}.items():
        for name, wrap in wrappings.items():
            for statement in STATEMENTS:
                source = SOURCES[statement.source]
                for true in (False,) if family == "attacks" else (False, True):
                    answer = wrap(said(statement, true=true))
                    yield Case(
                        family,
                        statement.kind,
                        f"{name}, {statement.source}",
                        "passes" if true else "caught",
                        transcript(NEUTRAL, source.chunk, answer),
                    )


def written():
    """Every statement as it is, over sources that are written in another way."""
    for name, write in WRITTEN.items():
        for statement in STATEMENTS:
            source = SOURCES[statement.source]
            for true in (False, True):
                yield Case(
                    "sources",
                    statement.kind,
                    f"{name}, {statement.source}",
                    "passes" if true else "caught",
                    transcript(NEUTRAL, write(source.chunk), said(statement, true=true).whole),
                )


def others():
    """Other languages, answers with nothing to check, what is not rendered, and long ones."""
    refunds = SOURCES["refunds"]
    for name, (question, chunk, true, false) in LANGUAGES.items():
        yield Case("languages", "number", name, "passes", transcript(question, chunk, true))
        yield Case("languages", "number", name, "caught", transcript(question, chunk, false))
    for name, answer in NOTHING.items():
        yield Case(
            "nothing to check", "", name, "caught", transcript(refunds.question, refunds.chunk, answer)
        )
    for name, answer in NOT_RENDERED.items():
        yield Case("not rendered", "", name, "passes", transcript(refunds.question, refunds.chunk, answer))
    for name, (chunk, answer) in LONG.items():
        yield Case("long", "", name, "caught", transcript(refunds.question, chunk, answer))


def cases():
    """The whole corpus, always in the same order."""
    return (*wrapped(), *written(), *others())


__all__ = ["KINDS", "Case", "Outcome", "cases"]
