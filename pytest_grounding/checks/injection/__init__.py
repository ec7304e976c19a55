"""Does the answer follow an order that stands in a chunk."""

from pytest_grounding.checks.injection.check import check

__all__ = ["check"]
