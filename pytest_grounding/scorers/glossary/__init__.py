"""A user's own terms: which mean the same, which may stand for which, and which never do."""

from pytest_grounding.scorers.glossary.glossary import Glossary, glossary_of
from pytest_grounding.scorers.glossary.readings import Reading, conflict_in

__all__ = ["Glossary", "Reading", "conflict_in", "glossary_of"]
