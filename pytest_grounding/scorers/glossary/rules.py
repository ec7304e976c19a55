"""The lines of a glossary as rules; a line that is none is an error that says where and what to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_grounding._patterns import lazy
from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.glossary.terms import Term
from pytest_grounding.scorers.lexical.tokens import tokenize

EQUAL, ONE_WAY, NEVER = "=", "->", "!="
_SIGNS = (EQUAL, ONE_WAY, NEVER)
_FORMS = "write A = B, A -> B or A != B"
# A run of signs outside quotes; what is none of the three is a mistake and no part of a term. A hyphen or an
# exclamation mark alone is: "e-mail", "Yahoo!".
_CUT = lazy(r'"[^"\n]*"|(?P<sign>(?:!+|-+)?[=<>≠→↔⇒~]+(?:[=<>!≠→↔⇒~-]*[=<>≠→↔⇒])?)')


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        sign: ``=``, ``->`` or ``!=``.
        terms: its terms, two or, of ``=``, more.
        line: number of its line.
    """

    sign: str
    terms: tuple[Term, ...]
    line: int

    @property
    def text(self) -> str:
        """The rule as it is written."""
        return f" {self.sign} ".join(term.shown for term in self.terms)


def place_of(source: str, line: int) -> str:
    """A line of a glossary as people find it: ``terms.txt:7``, or ``glossary, line 7``."""
    return f"{source}:{line}" if source else f"glossary, line {line}"


def parse_rules(lines: Sequence[tuple[int, str]], source: str, language: str) -> tuple[Rule, ...]:
    """Read the lines of a glossary.

    Args:
        lines: numbers and texts, without comments.
        source: path of the file, or "" where the setting holds the lines.
        language: first part of a BCP 47 tag; two terms that its stemmer makes one say nothing of each other.

    Raises:
        SettingsError: a line is no rule; names the line and what to write.
    """
    return tuple(_rule(number, text, place_of(source, number), language) for number, text in lines)


def _rule(number: int, text: str, place: str, language: str) -> Rule:
    def wrong(problem: str) -> SettingsError:
        return SettingsError(f"{place}: {problem}")

    if text.count('"') % 2:
        raise wrong(f"{text!r} has a quotation mark without its partner; close it, or leave it out")
    marks = [match for match in _CUT.finditer(text) if match["sign"]]
    signs = [match["sign"] for match in marks]
    if not signs:
        raise wrong(f"{text!r} is no rule; {_FORMS}")
    strange = next((sign for sign in signs if sign not in _SIGNS), None)
    if strange is not None:
        raise wrong(f"{strange!r} in {text!r} is no sign of a glossary; {_FORMS}")
    if len(set(signs)) > 1:
        raise wrong(f"{text!r} mixes {signs[0]!r} and {_other(signs)!r}; write two lines")
    if len(signs) > 1 and signs[0] != EQUAL:
        raise wrong(f"{text!r} has {len(signs) + 1} terms, and {signs[0]!r} takes two; write a line a pair")
    starts = [0, *(match.end() for match in marks)]
    ends = [*(match.start() for match in marks), len(text)]
    pieces = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    if "" in pieces:
        at = pieces.index("")
        side = f"before {signs[0]!r}" if at == 0 else f"after {signs[at - 1]!r}"
        raise wrong(f"{text!r} has no term {side}; write one, or delete the line")
    terms = tuple(_term(piece, wrong) for piece in pieces)
    seen: dict[object, Term] = {}
    for term in terms:
        twin = seen.setdefault(term.words(language), term)
        if twin is not term:
            advice = "put both in quotes if their letters matter" if twin != term else "delete one of the two"
            raise wrong(f"{twin.shown} and {term.shown} are one term, whatever their endings; {advice}")
    return Rule(signs[0], terms, number)


def _other(signs: Sequence[str]) -> str:
    return next(sign for sign in signs if sign != signs[0])


def _term(piece: str, wrong: Callable[[str], SettingsError]) -> Term:
    quoted = len(piece) > 1 and piece[0] == piece[-1] == '"' and piece.count('"') == 2
    text = piece[1:-1].strip() if quoted else piece
    if '"' in text:
        raise wrong(f"the term {piece} is quoted in part; put quotes around the whole term, or around none")
    if not tokenize(text):
        raise wrong(f"the term {piece!r} holds no word; write words or numbers")
    return Term(text, quoted)
