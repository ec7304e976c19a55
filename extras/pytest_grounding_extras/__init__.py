"""Local detectors for pytest-rag-grounding, and reports that send scores to services."""

from typing import Final

#: The distribution that this package comes with, for the advice of errors.
DISTRIBUTION: Final = "pytest-rag-grounding-extras"
