"""Orders that stand in chunks: found, and left out of what supports."""

from pytest_grounding.text.injected.passages import Passage, passages_of
from pytest_grounding.text.injected.screening import UNTRUSTED, restored, screened, without

__all__ = ["UNTRUSTED", "Passage", "passages_of", "restored", "screened", "without"]
