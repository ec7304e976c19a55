"""The recorded answers of remote scorers, replayed with no key, no network and no SDK."""

from pytest_grounding.scorers.cassette.request import Record, Reply, Request
from pytest_grounding.scorers.cassette.store import Store
from pytest_grounding.scorers.cassette.tape import Ask, Pending, Tape, Use, clear_usage, usage

__all__ = [
    "Ask",
    "Pending",
    "Record",
    "Reply",
    "Request",
    "Store",
    "Tape",
    "Use",
    "clear_usage",
    "usage",
]
