"""Patterns that are not linear by their form: what bounds their input, and why that is so.

Each entry: the longest input in characters, and the reason. An entry without a length never fails where its
form says that it could.
"""

#: A claim, with the words of a table's header before its cells.
CLAIM = 2_000
_SENTENCE = "reads one sentence of a chunk, at most LONGEST_SENTENCE characters"
_CLAIM = "reads one claim: its sentence has at most LONGEST_SENTENCE characters"
_REFUSAL = "reads what is no longer than a refusal may be (sentence_type._LONGEST)"
_LACK = "reads what is no longer than sentence_type._LONGEST_LACK"
_PHRASE = "reads what is shorter than a phrase may be (sentence_type._LONGEST_PHRASE)"
_HEADER = "reads one header of a table, at most structured._LONGEST_CELL characters"
_LINE = "reads one line of at most structured._LONGEST_LINE characters"
_WORD = "planting looks through recordings of its user; only a word of this length could make it slow"

BOUNDED = {
    "reading.markdown._LINE": (None, "a line ends where no more of it stands: there is always an end"),
    "reading.sentences._LINE": (None, "a line ends where no more of it stands: there is always an end"),
    "checks.completeness.": (CLAIM, _CLAIM + "; or one sentence of a chunk"),
    "citations.editing._ID_SEPARATOR": (200, "reads what stands in the brackets of one marker"),
    "citations.editing._OPENING": (None, "begins at starts of lines and behind brackets alone"),
    "citations.editing._CLOSING": (None, "the look-behind lets it begin once in a run of blanks"),
    "mutation.": (1_000, _WORD),
    "reading.records._HYPHEN": (None, "the look-behind lets it begin once in a word"),
    "reading.records._PAGE": (None, "begins at starts of lines alone, and reads 60 letters before a bar"),
    "reading.records._SPACED": (None, "begins at starts of lines alone"),
    "reading.records._FIGURE": (None, "the look-behind lets it begin once in a number"),
    "reading.structured._HTML": (None, "a match goes on to the next tag, or to the end"),
    **{f"reading.structured.{name}": (80, _HEADER) for name in ("_BRACKETED", "_IN", "_SNAKE")},
    "reading.structured._ATTRIBUTE": (None, "the attributes of the tag were matched before"),
    "reading.structured._TOKEN": (None, "it was parsed as JSON before: each string is closed"),
    **{f"reading.structured.{name}": (200, _LINE) for name in ("_KEY", "_PROSE")},
    "scorers.builtin.glossary._PIECE": (1_000, "reads one line of the user's own glossary"),
    "scorers.builtin.align._LABEL": (CLAIM, _CLAIM),
    "scorers.builtin.conflicts.value_readings._ROUND": (1_000, "reads one fact of a sentence"),
    "scorers.builtin.token_index._BREAK": (None, "it begins once in a run of closing quotes"),
    "claims.clauses._BEFORE_STOP": (8, "plain_text joined all blanks before: none stand in a row"),
    "claims.clauses.": (CLAIM, _CLAIM),
    "reading.facts.numerals.": (None, "one of the other ways to read a token fits where a longer one failed"),
    "questions.analysis._SENTENCE": (None, "what ends its loop is just what cannot go on with it"),
    "claims.sentence_type._CONTRAST": (500, _LACK),
    "claims.sentence_type._INSTEAD": (500, _LACK),
    "claims.sentence_type._LACKS": (500, _LACK),
    "claims.sentence_type.SOURCES_ANNOUNCE": (CLAIM, _CLAIM),
    "claims.sentence_type._ADVICE": (CLAIM, _CLAIM),
    "claims.sentence_type._ON_THE_ANSWER": (CLAIM, _CLAIM),
    "claims.sentence_type._LEAD": (CLAIM, _CLAIM),
    "claims.sentence_type._NAMED": (CLAIM, _CLAIM),
    **{
        f"claims.sentence_type.{name}": (700, _REFUSAL)
        for name in ("_AT_HAND", "_PARTS", "_REFUSAL", "_OTHER", "_ASIDES")
    },
    "claims.sentence_type._BARE_REFERENCE": (
        60,
        "reads what is shorter than sentence_type._LONGEST_REFERENCE",
    ),
    "claims.sentence_type._GREETING": (400, _PHRASE),
    "claims.sentence_type._OPENS": (300, "reads what is no longer than sentence_type._LONGEST_UNTOLD"),
}


def entry(where):
    """The entry of a pattern, or ""."""
    return next((name for name in BOUNDED if where == name or where.startswith(name)), "")
