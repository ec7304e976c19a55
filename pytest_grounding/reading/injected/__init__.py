"""Prompt injection: orders in chunks are found, and excluded from the evidence."""

from pytest_grounding.reading.injected.passages import (
    UNTRUSTED,
    Passage,
    passages_of,
    restored,
    screened,
    without,
)

__all__ = ["UNTRUSTED", "Passage", "passages_of", "restored", "screened", "without"]
