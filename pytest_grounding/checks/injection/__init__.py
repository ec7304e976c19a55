"""Does the answer follow an order that stands in a chunk (section 7 of the specification)."""

from pytest_grounding.checks.injection.check import check

__all__ = ["check"]
