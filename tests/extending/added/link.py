"""Links as answers, as a newcomer might add them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence

LINK = re.compile(r"(?:https?://|www\.)\S+")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """An address of a page."""
    yield from asked.unsaid(LINK, clause)
