"""Words of questions, and types of answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, table, words

_WORD = lazy(r"[^\W_]+(?:['’.\-/_&@+][^\W_]+)*[+#]*")
QuestionType = Literal[
    "who", "what", "when", "where", "why", "how", "how_many", "how_much", "which", "yes_no", "other"
]
MEASURES = table("questions", "measures")  # noun -> what the requested amount measures
AUXILIARIES = words("questions", "auxiliaries")
COPULAS = words("questions", "copulas")
CONTRACTED = table("questions", "contracted")
QUESTION_WORDS = {**table("questions", "question_words"), "whether": "yes_no"}
ASKING = frozenset(QUESTION_WORDS) | frozenset(CONTRACTED)
PREPOSITIONS = words("questions", "prepositions")
SUBORDINATORS = words("questions", "subordinators")
_OPENINGS = sorted((tuple(line.split()) for line in lines("questions", "openings")), key=len, reverse=True)
OPENINGS: dict[str, list[tuple[str, ...]]] = {}  # first word -> openings, the longest first
for _opening in _OPENINGS:
    OPENINGS.setdefault(_opening[0], []).append(_opening)
IMPERATIVES = words("questions", "imperatives")
HOW_MEASURES = table("questions", "how_measures")
HOW_TIMES = words("questions", "how_times")
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
#: Words of a question that are not content words.
FUNCTION_WORDS = AUXILIARIES | PREPOSITIONS | ASKING | words("questions", "function_words")


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word: its text, offsets, and lower-case form with a straight apostrophe."""

    text: str
    start: int
    end: int
    lower: str


def split_words(text: str, start: int = 0, end: int | None = None) -> list[AskedWord]:
    """The words of a slice of a text, in order; offsets refer to the whole text."""
    stop = len(text) if end is None else end
    found = _WORD.finditer(text, start, stop)
    return [AskedWord(m[0], *m.span(), m[0].lower().replace("’", "'")) for m in found]


def lower_at(words: Sequence[AskedWord], index: int) -> str:
    """The word at an index in lower case; "" behind the last one."""
    return words[index].lower if index < len(words) else ""


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A content word of a question: ``question[start:end] == text``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Focus:
    """The noun that names an answer."""

    expected: str = ""  # the expected kind of answer, or ""
    measure: str = ""  # what a quantity measures, or ""
    noun: str = ""  # the noun, verbatim, or ""
    frame: frozenset[int] = frozenset()  # its offset, if no answer need repeat it


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One of the parts of a question."""

    start: int  # offset in the question
    end: int  # end offset, exclusive
    text: str  # the slice between them
    type: QuestionType  # its question type
    expected: str  # the kind of answer that it expects
    measure: str = ""  # for a quantity what is measured: count, money, duration, length, ...; else ""
    focus: str = ""  # the noun that names the answer ("city" in "which city"), verbatim, or ""
    #: Its content words, without question words, function words, and a focus noun that the answer replaces. A
    #: part that refers to the one before it ("..., and when?") has that part's words.
    words: tuple[QuestionWord, ...] = ()
    #: Offset of the word for the requested attribute or verb ("founded" in "who founded Acme"), which a text
    #: about something else lacks; -1 without one, or if an answer of the kind implies it ("price", "year").
    key: int = -1
    verb: int = -1  # offset of the verb of a how-to question ("cancel" in "how do I cancel it"), or -1


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """The analysis of a question."""

    question: str  # the text, verbatim
    type: QuestionType  # type of its first part
    expected: str  # expected kind of answer of its first part
    parts: tuple[QuestionPart, ...]  # its parts, at least one
    words: tuple[QuestionWord, ...]  # the content words of all parts, in order of their start
    language: str = "en"  # primary subtag of its language; "" if it is not English and no tag was given


@dataclass(frozen=True, slots=True)
class AnswerType:
    """A type of answer."""

    name: str  # its name, as shown in verdicts
    wanted: str  # what is searched for, in words
    asked_by: tuple[QuestionType, ...] = ()  # types of questions that expect it unless a noun decides
    nouns: frozenset[str] = frozenset()  # nouns that ask for it after "which", "what is the" and so on
    is_replaced: bool = False  # an answer need not repeat the noun: "which city"

    @property
    def is_value(self) -> bool:
        """Whether a date or an amount answers it, which cannot be paraphrased."""
        return self.name in {"date", "quantity"}

    @property
    def has_look(self) -> bool:
        """Whether a text without a sign of it does not contain it."""
        return self.name in {"date", "quantity", "location", "person", "reason"}


def _nouns(name: str) -> frozenset[str]:
    return words("questions", f"{name}_nouns")


#: The last row with a noun or type of question decides.
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
#: Noun -> the type of answer it asks for.
OF_NOUN: dict[str, str] = {noun: row.name for row in ANSWER_TYPES for noun in row.nouns}
#: Type of question -> the type of answer it expects by default.
OF_QUESTION: dict[str, str] = {kind: row.name for row in (*ANSWER_TYPES, _UNTOLD) for kind in row.asked_by}
REPLACED = frozenset(row.name for row in ANSWER_TYPES if row.is_replaced)  # the noun may be left out
#: Head noun after what/which/name -> what it asks for.
FOCUS_TYPES: dict[str, Focus] = {noun: Focus(kind, MEASURES.get(noun, "")) for noun, kind in OF_NOUN.items()}
NO_FOCUS = Focus()  # default for all other nouns


def answer_type(part: QuestionPart) -> AnswerType:
    """The expected type of answer of a part of a question."""
    return _BY_NAME[part.expected]


def wanted_by(part: QuestionPart) -> str:
    """The expected answer of a part of a question, in words."""
    is_span = part.expected == "quantity" and part.measure == "duration"
    return "a length of time" if is_span else answer_type(part).wanted
