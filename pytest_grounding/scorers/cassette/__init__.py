"""The recorded answers of remote scorers, replayed with no key, no network and no SDK."""

from pytest_grounding.scorers.cassette.prices import Prices, prices_of
from pytest_grounding.scorers.cassette.request import Answered, Record, Reply, Request
from pytest_grounding.scorers.cassette.store import Store
from pytest_grounding.scorers.cassette.tape import Ask, Pending, Tape, Use, asked, clear_usage, usage
from pytest_grounding.scorers.cassette.tokens import Tokens

__all__ = [
    "Answered",
    "Ask",
    "Pending",
    "Prices",
    "Record",
    "Reply",
    "Request",
    "Store",
    "Tape",
    "Tokens",
    "Use",
    "asked",
    "clear_usage",
    "prices_of",
    "usage",
]
