"""The user's glossary: terms that mean the same, may stand for another, or never mean the same."""

from pytest_grounding.scorers.builtin.glossary.glossary import Glossary, Reading, conflict_in, glossary_of

__all__ = ["Glossary", "Reading", "conflict_in", "glossary_of"]
