"""Does the answer follow an order that stands in a chunk."""

from pytest_grounding.checks.injection.check import InjectionOutcome, check

__all__ = ["InjectionOutcome", "check"]
