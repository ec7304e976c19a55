"""A user's own terms: which mean the same, which may stand for which, and which never do."""

from pytest_grounding.scorers.builtin.glossary.glossary import Glossary, Reading, conflict_in, glossary_of

__all__ = ["Glossary", "Reading", "conflict_in", "glossary_of"]
