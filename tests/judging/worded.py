"""Judges of an extension that rule by words of the claims, and keep what they were asked."""

from contextlib import contextmanager

import pytest_grounding as pg
from pytest_grounding.scorers.remote.judge import Ruling
from pytest_grounding.testing import Example

QUESTION = "How long do refunds take and how are they paid?"
CHUNK = (
    "Refunds are paid within 14 days of the return. Payment goes to the original card. "
    "The warranty does not cover water damage."
)
NUMBER = "Refunds are paid within 45 days of the return."
OTHER_WORDS = "The money arrives on the same plastic that was charged."
DENIED = "The warranty covers water damage."
VERBATIM = "Payment goes to the original card."


def transcript(*claims, chunks=(CHUNK,), **more):
    """A transcript whose answer holds these claims."""
    return Example(QUESTION, chunks, id="t", score=0.9).answered(" ".join(claims), **more)


class Worded:
    """Rules by the first of its words that a claim holds, else by its usual word.

    Args:
        words: words of a claim -> the ruling, an error, or a list with one for each time it is asked.
        name: name of the judge.
        usual: what it says of all other claims.
    """

    def __init__(self, words=None, *, name="mine", usual="full"):
        self.name = name
        self.words = dict(words or {})
        self.usual = usual
        self.asked: list[str] = []
        self.shown: list[list[str]] = []

    def support(self, claim, chunks, *, question=""):
        self.asked.append(claim.text)
        self.shown.append([chunk.id for chunk in chunks])
        said = next((said for words, said in self.words.items() if words in claim.text), self.usual)
        if isinstance(said, list):
            said = said.pop(0)
        if isinstance(said, Exception):
            raise said
        return Ruling(said, f"{self.name} has read it")


@contextmanager
def judges(*given):
    """These judges as those of an extension."""

    class Extension:
        @pg.hookimpl
        def pytest_grounding_judges(self, settings):
            return list(given)

    extension = Extension()
    pg.register(extension)
    try:
        yield
    finally:
        pg.unregister(extension)


def validated(given, *who, **settings):
    """The verdict with some judges; the setting ``judge`` names the first."""
    with judges(*who):
        return pg.validate(given, {"judge": who[0].name, **settings})


def rules(verdict):
    """Rule -> severity of all that was found."""
    return {cause.rule: cause.severity for cause in verdict.causes}
