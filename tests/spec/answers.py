"""Small transcripts for the rows of the specification's tables."""

import pytest_grounding as pg
from pytest_grounding.testing import Example

QUESTION = "How long do customers have to return an item?"
TEXT = "Customers can return any item within 30 days of the purchase."
FEE = "The shop charges a fee of 5 euros for each return by post."
HOURS = "The shop in Bremen opens at 9 in the morning on every weekday."
SAID = "Customers can return any item within 30 days of the purchase"


def transcript(answer=f"{SAID} [1].", *texts, **more):
    """A transcript with chunks c1, c2, … of score 0.9; ``chunks`` overrides them."""
    return Example(QUESTION, texts or (TEXT, FEE, HOURS), id="t1", score=0.9).answered(answer, **more)


def verdict(answer=f"{SAID} [1].", *texts, settings=None, **more):
    """What validation says of such a transcript."""
    return pg.validate(transcript(answer, *texts, **more), settings)


def rules(found):
    """Rule -> severity of what was found."""
    return {item.rule: item.severity for item in found.causes}
