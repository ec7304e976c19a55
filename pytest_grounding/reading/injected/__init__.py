"""Orders that stand in chunks: found, and left out of what supports."""

from pytest_grounding.reading.injected.passages import (
    UNTRUSTED,
    Passage,
    passages_of,
    restored,
    screened,
    without,
)

__all__ = ["UNTRUSTED", "Passage", "passages_of", "restored", "screened", "without"]
