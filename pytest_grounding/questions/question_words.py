"""The words of a question, the types of answers, and the language that it looks like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, table, words
from pytest_grounding.reading import Reading, reading_of

_WORD = lazy(r"[^\W_]+(?:['’.\-/_&@+][^\W_]+)*[+#]*")


class Word(NamedTuple):
    """One word: its text, its offsets, and its form in lower case with a straight apostrophe."""

    text: str
    start: int
    end: int
    lower: str


def split_words(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of a slice of a text, in order; offsets are those of the whole text."""
    stop = len(text) if end is None else end
    return [
        Word(m.group(), m.start(), m.end(), m.group().lower().replace("’", "'"))
        for m in _WORD.finditer(text, start, stop)
    ]


QuestionType = Literal[
    "who", "what", "when", "where", "why", "how", "how_many", "how_much", "which", "yes_no", "other"
]


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A content word of a question: ``question[start:end] == text``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Focus:
    """The noun that names an answer."""

    expected: str = ""  # the kind of answer that it asks for, or ""
    measure: str = ""  # what a quantity measures, or ""
    noun: str = ""  # the noun, as written; "" where there is none
    frame: frozenset[int] = frozenset()  # its offset, where no answer need repeat it


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One of the things that a question asks."""

    start: int  # offset in the question
    end: int  # one past its last character
    text: str  # the slice between them
    type: QuestionType  # its question type
    expected: str  # the kind of answer that it expects
    #: For a quantity what is measured: count, money, percent, duration, frequency, distance, length, size,
    #: speed, weight, temperature, amount; else "".
    measure: str = ""
    #: The noun that names the answer ("city" in "which city"), as written; "" where there is none.
    focus: str = ""
    #: Its content words: no question word, no function word, no focus noun that the answer replaces. A part
    #: that leans on the one before it ("..., and when?") has that part's words.
    words: tuple[QuestionWord, ...] = ()
    #: Offset of the word that names the attribute or deed that is asked for ("founded" in "who founded Acme",
    #: "symptoms" in "what are the symptoms"), which a text on something else lacks; -1 where there is none,
    #: or where an answer of the expected kind says it by itself ("price", "year").
    key: int = -1
    #: Offset of the verb of a question that asks how one does something ("cancel" in "how do I cancel the
    #: pipeline"), or -1.
    deed: int = -1


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """What a question asks."""

    question: str  # the text, as given
    type: QuestionType  # type of its first part
    expected: str  # kind of answer that its first part expects
    parts: tuple[QuestionPart, ...]  # what it asks, at least one part
    words: tuple[QuestionWord, ...]  # the content words of all parts, in order of their start
    #: Primary subtag of the language that it was read in; "" where it is not English and no tag said which.
    language: str = "en"


@dataclass(frozen=True, slots=True)
class AnswerType:
    """A type of answer."""

    name: str  # its name, which verdicts show
    wanted: str  # what is looked for, in words
    asked_by: tuple[
        QuestionType, ...
    ] = ()  # types of questions that ask for it where no noun tells otherwise
    nouns: frozenset[str] = frozenset()  # they ask for it behind "which", "what is the" and the like
    is_replaced: bool = False  # no text need repeat the noun right behind the question word: "which city"

    @property
    def is_value(self) -> bool:
        """Whether a date or an amount answers it, which no other wording can stand for."""
        return self.name in {"date", "quantity"}

    @property
    def has_look(self) -> bool:
        """Whether a text without a sign of it does not hold it."""
        return self.name in {"date", "quantity", "location", "person", "reason"}


#: Noun -> what an amount that it asks for measures.
MEASURES = table("questions", "measures")


def _nouns(name: str) -> frozenset[str]:
    return words("questions", f"{name}_nouns")


#: The last row of a noun or a type of question decides.
ANSWER_TYPES: tuple[AnswerType, ...] = (
    AnswerType("date", "a date or time", ("when",), _nouns("date"), is_replaced=True),
    AnswerType("location", "a place", ("where",), _nouns("location"), is_replaced=True),
    AnswerType("person", "a person or body", ("who",), _nouns("person"), is_replaced=True),
    AnswerType("reason", "a reason", ("why",), _nouns("reason")),
    AnswerType("method", "a way to do it", ("how",), _nouns("method")),
    AnswerType("quantity", "an amount", ("how_many", "how_much"), frozenset(MEASURES)),
    AnswerType("definition", "a definition"),
    AnswerType("thing", "what is asked for", ("what",)),
    AnswerType("choice", "one of the choices", ("which",)),
    AnswerType("polarity", "a statement on it", ("yes_no",)),
)
_UNTOLD = AnswerType("", "the answer", ("other",))
_BY_NAME = {row.name: row for row in (*ANSWER_TYPES, _UNTOLD)}
#: Noun -> the type of answer that it asks for.
OF_NOUN: dict[str, str] = {noun: row.name for row in ANSWER_TYPES for noun in row.nouns}
#: Type of question -> the type of answer that it expects by itself.
OF_QUESTION: dict[str, str] = {kind: row.name for row in (*ANSWER_TYPES, _UNTOLD) for kind in row.asked_by}


#: Types whose noun a text need not repeat.
REPLACED = frozenset(row.name for row in ANSWER_TYPES if row.is_replaced)


def answer_type(part: QuestionPart) -> AnswerType:
    """The type of answer that a part of a question expects."""
    return _BY_NAME[part.expected]


def wanted_by(part: QuestionPart) -> str:
    """What a part of a question expects, in words."""
    is_span = part.expected == "quantity" and part.measure == "duration"
    return "a length of time" if is_span else answer_type(part).wanted


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


#: Characters from the start of a text that are looked at.
_SAMPLE = 400
# Letters alone, unlike the words of `reading.grammar`: digits and "_" part words of code and tables.
_PLAIN_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: For ASCII: what is no part of a word becomes a blank.
_BLANKED = "".join(char.lower() if char.isalpha() or char == "'" else " " for char in map(chr, range(128)))
_ENGLISH = words("questions", "english_words")
_FOREIGN = words("questions", "foreign_words")
_IN_NAMES = words("questions", "foreign_in_names")
_ELISIONS = words("questions", "foreign_elisions")


def looks_english(text: str) -> bool:
    """Whether a text reads as English, judged by script and function words."""
    return reading_of(text).part(_looks_english)


def language_by_look(text: str) -> str:
    """The language of a text of which nobody said it: "en", or "und" (BCP 47) where it looks like another."""
    return "en" if looks_english(text) else "und"


def _looks_english(reading: Reading) -> bool:
    head = reading.text[:_SAMPLE]
    letters = latin = accented = 0
    if head.isascii():
        letters = latin = sum(map(str.isalpha, head))
    for char in () if head.isascii() else head:
        if char.isalpha():
            letters += 1
            if char < "\u0250":
                latin += 1
                accented += char > "\u00bf"
    if not letters:
        return True
    if latin < 0.6 * letters or "¿" in head or "¡" in head:
        return False
    words = _words(head)
    others = [word for word in words if word not in _ENGLISH]
    english = len(words) - len(others)
    foreign = weak = 0
    for word in others:
        if word in _FOREIGN or ("'" in word and word.split("'")[0] in _ELISIONS):
            if word in _IN_NAMES:
                weak += 1
            else:
                foreign += 1
    if english:
        return english >= foreign + 0.5 * weak
    is_foreign = foreign > 0 or weak > 1 or (weak == 1 and accented > 0)
    return not is_foreign and accented * 12 <= max(letters, 12)


def _words(text: str) -> list[str]:
    """The words of a text in lower case, with straight apostrophes."""
    if text.isascii():
        words = text.translate(_BLANKED).split()
        if "'" not in text:
            return words
        return [found for word in words for found in (_PLAIN_WORD.findall(word) if "'" in word else (word,))]
    return [word.lower().replace("’", "'") for word in _PLAIN_WORD.findall(text)]


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    # Stems, as stemming the words anew takes a twentieth of a first validation: `training.asked_synonyms`.
    for line in lines("asked_synonyms", "groups"):
        stems = line.split()
        for stem in stems:
            table.setdefault(stem, set()).update(stems)
    return {stem: frozenset(group - {stem}) for stem, group in table.items()}


def synonyms_of(stem: str) -> frozenset[str]:
    """Stems of words that say the same as a stem, without itself."""
    return _table().get(stem, frozenset())


_LONGEST_ENDING = 3
#: Letters that two words of one family share at least.
SHORTEST_ROOT = 5


def same_family(a: str, b: str) -> bool:
    """Whether two stems are inflections that the stemmer left apart: "deliver" and "deliveri"."""
    if len(a) > len(b):
        a, b = b, a
    return len(a) >= SHORTEST_ROOT and len(b) - len(a) <= _LONGEST_ENDING and b.startswith(a)
