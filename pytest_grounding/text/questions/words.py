"""The words of question analysis, as `lexicon/data/questions.txt` has them."""

from __future__ import annotations

from pytest_grounding.lexicon import lines, table, words
from pytest_grounding.text.questions.answer_types import MEASURES, OF_NOUN
from pytest_grounding.text.questions.values import Focus

AUXILIARIES = words("questions", "auxiliaries")
COPULAS = words("questions", "copulas")
CONTRACTED = table("questions", "contracted")
QUESTION_WORDS = {**table("questions", "question_words"), "whether": "yes_no"}
PREPOSITIONS = words("questions", "prepositions")
SUBORDINATORS = words("questions", "subordinators")
_OPENINGS = sorted((tuple(line.split()) for line in lines("questions", "openings")), key=len, reverse=True)
#: First word -> openings that carry no question of their own, the longest first.
OPENINGS: dict[str, tuple[tuple[str, ...], ...]] = {
    first: tuple(opening for opening in _OPENINGS if opening[0] == first)
    for first in sorted({opening[0] for opening in _OPENINGS})
}
IMPERATIVES = words("questions", "imperatives")
HOW_MEASURES = table("questions", "how_measures")
HOW_TIMES = words("questions", "how_times")
#: Head noun after what/which/name -> what it asks for.
FOCUS_TYPES: dict[str, Focus] = {
    noun: Focus(kind, MEASURES[noun] if kind == "quantity" else "") for noun, kind in OF_NOUN.items()
}
#: Any other noun asks for nothing of its own.
NO_FOCUS = Focus()
TIME_CLAUSES = words("questions", "time_clauses")
ASKED_BEHIND = words("questions", "asked_behind")
AFTER_IMPERATIVE = words("questions", "after_imperative")
COUNTED_STOPS = words("questions", "counted_stops")
FOCUS_OPENERS = words("questions", "focus_openers")
TIME_MODIFIERS = words("questions", "time_modifiers")
FOCUS_VERBS = words("questions", "focus_verbs")
SUBJECTS = words("questions", "subjects")
PRONOUN_SUBJECTS = words("questions", "pronoun_subjects")
NOT_SUBJECTS = words("questions", "not_subjects")
REQUESTS = frozenset(lines("questions", "requests"))
IMPLIED = words("questions", "implied")
DOERS = words("questions", "doers")
GENERIC = words("questions", "generic")
PRONOUNS = words("questions", "pronouns")
MONEY_VERBS = words("questions", "money_verbs")
COUNT_UNITS = table("questions", "count_units")
EMPTY_HEADS = words("questions", "empty_heads")
#: Words of a question that are no content.
FUNCTION_WORDS = (
    AUXILIARIES
    | PREPOSITIONS
    | frozenset(QUESTION_WORDS)
    | frozenset(CONTRACTED)
    | words("questions", "function_words")
)
