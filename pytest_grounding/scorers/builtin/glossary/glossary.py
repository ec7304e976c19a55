"""A glossary: its rules, their consequences, and its terms in texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise, product
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.errors import SettingsError
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading import base_language
from pytest_grounding.reading.words import Token, is_acronym, tokenize
from pytest_grounding.scorers.builtin.token_index import index_of
from pytest_grounding.settings import Settings

# What may separate two words of one term: "sign up" is "sign-up".
_GAP = lazy(r"[ \t\r\n\u00a0\u2010\u2011-]{0,3}\Z")
_OWNER = ("'s", "’s")


@dataclass(frozen=True, slots=True)
class Term:
    """One term as the user wrote it."""

    text: str  # its words, without quotes
    exact: bool = False  # it was quoted: case and endings count

    @property
    def shown(self) -> str:
        """The term as written in a rule."""
        return f'"{self.text}"' if self.exact else self.text

    def words(self, language: str) -> tuple[tuple[str, str], ...]:
        """For each word its stem, and its exact letters if they count, else ""."""
        tokens = tokenize(self.text, language)
        return tuple(
            (token.stem, token.text if self.exact or is_acronym(token.text) else "") for token in tokens
        )


@dataclass(frozen=True, slots=True)
class Place:
    """An occurrence of a term in a text."""

    term: int  # index of the term in the glossary
    start: int  # start offset
    end: int  # end offset, exclusive, without a genitive ending


class _Word(NamedTuple):
    """One word of a term, as searched for."""

    stem: str
    letters: str
    gap: str


class Finder:
    """Finds the terms of a glossary in texts of one language."""

    def __init__(self, terms: Sequence[Term], language: str) -> None:
        self._exact = [term.exact for term in terms]
        by_first: dict[str, list[tuple[int, list[_Word]]]] = {}
        for number, term in enumerate(terms):
            tokens = tokenize(term.text, language)
            ends = [0, *(token.end for token in tokens)]
            words = [
                _Word(stem, letters, term.text[end : token.start].strip())
                for (stem, letters), token, end in zip(term.words(language), tokens, ends, strict=False)
            ]
            # "SLAs" may have another stem than SLA.
            firsts = {
                token.stem
                for text in (tokens[0].text, f"{tokens[0].text}s")
                for token in tokenize(text, language)
            }
            for stem in sorted(firsts if words[0].letters else {words[0].stem}):
                by_first.setdefault(stem, []).append((number, words))
        # The longest first: "annual leave" is not "leave". At equal length, exact terms first.
        self._by_first = {
            stem: sorted(
                found, key=lambda item: (-len(item[1]), -sum(bool(w.letters) for w in item[1]), item[0])
            )
            for stem, found in by_first.items()
        }

    def find(self, text: str, tokens: Sequence[Token]) -> tuple[Place, ...]:
        """The terms in a text, from left to right, without overlaps."""
        places: list[Place] = []
        at = 0
        while at < len(tokens):
            step = 1
            for number, words in self._by_first.get(tokens[at].stem, ()):
                if self._stands(text, tokens, at, number, words):
                    step = len(words)
                    places.append(Place(number, tokens[at].start, _end(tokens[at + step - 1])))
                    break
            at += step
        return tuple(places)

    def _stands(self, text: str, tokens: Sequence[Token], at: int, number: int, words: list[_Word]) -> bool:
        if at + len(words) > len(tokens):
            return False
        for offset, word in enumerate(words):
            token = tokens[at + offset]
            if word.letters:
                if not _has_letters(token.text, word.letters, exact=self._exact[number]):
                    return False
            elif token.stem != word.stem:
                return False
            if offset:
                gap = text[tokens[at + offset - 1].end : token.start]
                if gap.strip() != word.gap and (gap.count("\n") > 1 or not _GAP.match(gap)):
                    return False
        return True


def _has_letters(text: str, letters: str, *, exact: bool) -> bool:
    """Whether a word has these letters, apart from a genitive; "SLAs" has those of SLA."""
    bare = text[:-2] if text.endswith(_OWNER) else text
    return bare == letters or (not exact and bare == f"{letters}s")


def _end(token: Token) -> int:
    return token.end - 2 if token.text.endswith(_OWNER) and len(token.text) > 2 else token.end


#: A word that no text contains and that resembles no other: it is never found.
NOWHERE = "zqxjkv"
#: Readings of one text that are tried at most.
_MOST = 8


@dataclass(frozen=True, slots=True)
class Swap:
    """A term replaced by another."""

    start: int  # start in the original
    end: int  # end in the original
    at: int  # start of the replacement
    to: int  # end of the replacement


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with some terms replaced."""

    text: str  # the text after replacement
    source: str  # the original
    swaps: tuple[Swap, ...] = ()  # the replacements, from left to right; empty for the text itself

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Map a stretch of the reading to the original; a part of a replacement maps to the whole term."""
        low, high = start, end
        for swap in self.swaps:
            if swap.at <= start:
                low = swap.start if start < swap.to else start - swap.to + swap.end
            if swap.at < end:
                high = swap.end if end <= swap.to else end - swap.to + swap.end
        return low, max(low, high)

    def forth(self, offset: int) -> int:
        """Map an offset of the original to the reading; inside a term, to the start of its replacement."""
        found = offset
        for swap in self.swaps:
            if swap.start <= offset:
                found = swap.at if offset < swap.end else offset - swap.end + swap.to
        return found

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The replacements as (original, replacement), each once."""
        told = [(self.source[s.start : s.end], self.text[s.at : s.to]) for s in self.swaps]
        return tuple(dict.fromkeys(pair for pair in told if pair[1].lower() != NOWHERE))


def replaced(text: str, places: Sequence[Place], words: Mapping[int, str]) -> Reading:
    """Replace some terms of a text."""
    pieces: list[str] = []
    swaps: list[Swap] = []
    copied = length = 0
    for place in places:
        if place.term not in words:
            continue
        said = words[place.term]
        if text[place.start].isupper() and not text[: place.start].strip():
            said = said[:1].upper() + said[1:]
        kept = text[copied : place.start]
        at = length + len(kept)
        pieces += [kept, said]
        length = at + len(said)
        swaps.append(Swap(place.start, place.end, at, length))
        copied = place.end
    pieces.append(text[copied:])
    return Reading("".join(pieces), text, tuple(swaps))


def conflict_in(conflict: Conflict, reading: Reading) -> Conflict:
    """A conflict of a reading in the words of the original text."""
    start = conflict.claim_start
    if start is None:
        return conflict
    low, high = reading.back(start, start + max(1, len(conflict.claim_text)))
    ours = reading.source[low:high]
    message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
    return conflict.model_copy(update={"claim_text": ours, "claim_start": low, "message": message})


EQUAL, ONE_WAY, NEVER = "=", "->", "!="
_SIGNS = (EQUAL, ONE_WAY, NEVER)
_FORMS = "write A = B, A -> B or A != B"
# A run of signs outside quotes; any other than the three is a mistake, not a part of a term. A single hyphen
# or exclamation mark is part of a term: "e-mail", "Yahoo!".
_CUT = lazy(r'"[^"\n]*"|(?P<sign>(?:!+|-+)?[=<>≠→↔⇒~]+(?:[=<>!≠→↔⇒~-]*[=<>≠→↔⇒])?)')


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    sign: str  # ``=``, ``->`` or ``!=``
    terms: tuple[Term, ...]  # two terms, or more with ``=``
    line: int  # line number

    @property
    def text(self) -> str:
        """The rule as written."""
        return f" {self.sign} ".join(term.shown for term in self.terms)


def place_of(source: str, line: int) -> str:
    """A line of a glossary for messages: ``terms.txt:7``, or ``glossary, line 7``."""
    return f"{source}:{line}" if source else f"glossary, line {line}"


def parse_rules(lines: Sequence[tuple[int, str]], source: str, language: str) -> tuple[Rule, ...]:
    """Read the lines of a glossary."""
    return tuple(_rule(number, text, place_of(source, number), language) for number, text in lines)


def _rule(number: int, text: str, place: str, language: str) -> Rule:
    def wrong(problem: str) -> SettingsError:
        return SettingsError(f"{place}: {problem}")

    if text.count('"') % 2:
        raise wrong(f"{text!r} has a quotation mark without its partner; close it, or leave it out")
    marks = [match for match in _CUT.finditer(text) if match["sign"]]
    signs = [match["sign"] for match in marks]
    if not signs:
        raise wrong(f"{text!r} is not a rule; {_FORMS}")
    strange = next((sign for sign in signs if sign not in _SIGNS), None)
    if strange is not None:
        raise wrong(f"{strange!r} in {text!r} is not a sign of a glossary; {_FORMS}")
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
        raise wrong(f"the term {piece!r} contains no word; write words or numbers")
    return Term(text, quoted)


class Glossary:
    """The user's terms and their relations; raises `SettingsError` where two rules contradict."""

    def __init__(self, rules: Sequence[Rule], source: str = "", language: str = "en") -> None:
        self._source = source
        self._language = language
        spellings: dict[object, list[Term]] = {}
        for rule in rules:
            for term in rule.terms:
                spellings.setdefault(term.words(language), []).append(term)
        chosen = {
            words: min(same, key=lambda term: (term.text, term.exact)) for words, same in spellings.items()
        }
        #: The terms; everything else refers to their indices.
        self.terms: tuple[Term, ...] = tuple(
            sorted(chosen.values(), key=lambda term: (term.text, term.exact))
        )
        numbers = {term.words(language): number for number, term in enumerate(self.terms)}
        told = [(rule, [numbers[term.words(language)] for term in rule.terms]) for rule in rules]
        self._edges = _edges(told)
        #: Term of a claim -> terms of a source that support it.
        self.sources_of: dict[int, tuple[int, ...]] = {
            number: tuple(sorted(self._reached(number) - {number})) for number in range(len(self.terms))
        }
        #: Term -> its equals, without itself.
        self.equals: dict[int, frozenset[int]] = {
            number: frozenset(other for other in others if number in self.sources_of[other])
            for number, others in self.sources_of.items()
        }
        #: Term -> terms that it never means, with the rule.
        self.never: dict[int, dict[int, str]] = self._opposed(told)
        self._finders: dict[str, Finder] = {}

    def find(self, text: str, language: str) -> tuple[Place, ...]:
        """The terms in a claim or a question."""
        language = base_language(language)
        return self._finder(language).find(text, tokenize(text, language))

    def find_in_chunk(self, text: str, language: str) -> tuple[Place, ...]:
        """The terms in a chunk, cached."""
        return _in_chunk(self, text, base_language(language))

    def terms_in(self, texts: Iterable[str], language: str) -> frozenset[int]:
        """The terms in some chunks."""
        return frozenset(place.term for text in texts for place in self.find_in_chunk(text, language))

    def readings(
        self, text: str, there: frozenset[int], language: str, lost: frozenset[int] = frozenset()
    ) -> list[Reading]:
        """The possible readings of a text for chunks that contain some terms, the plainest first.

        A term of ``lost`` without another name in the chunks is replaced by a word that is never found.
        """
        places = self.find(text, language)
        options: dict[int, list[int]] = {}
        for term in dict.fromkeys(place.term for place in places):
            options[term] = [other for other in (term, *self.sources_of[term]) if other in there] or [term]
        return [
            replaced(
                text,
                places,
                {
                    term: NOWHERE if other in lost else self.terms[other].text
                    for term, other in choice
                    if other != term or term in lost
                },
            )
            for choice in islice(product(*[product([term], found) for term, found in options.items()]), _MOST)
        ]

    def _finder(self, language: str) -> Finder:
        if language not in self._finders:
            self._finders[language] = Finder(self.terms, language)
        return self._finders[language]

    def _reached(self, number: int) -> frozenset[int]:
        return frozenset(self._ways(number))

    def _ways(self, start: int) -> dict[int, tuple[int, Rule] | None]:
        """What a term may be read as, each with the previous step on the shortest path."""
        ways: dict[int, tuple[int, Rule] | None] = {start: None}
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for other, rule in self._edges.get(at, ()):
                if other not in ways:
                    ways[other] = at, rule
                    queue.append(other)
        return ways

    def _opposed(self, told: Sequence[tuple[Rule, list[int]]]) -> dict[int, dict[int, str]]:
        """Term -> terms that it never means; a rule for a term holds for its equals."""
        never: dict[int, dict[int, str]] = {}
        for rule, (left, right) in sorted(
            ((rule, pair) for rule, pair in told if rule.sign == NEVER), key=lambda item: item[0].text
        ):
            for start, end in ((left, right), (right, left)):
                ways = self._ways(start)
                if end in ways:
                    raise self._contradiction(rule, ways, end)
            for one in sorted({left, *self.equals[left]}):
                for other in sorted({right, *self.equals[right]}):
                    never.setdefault(one, {}).setdefault(other, rule.text)
                    never.setdefault(other, {}).setdefault(one, rule.text)
        return never

    def _contradiction(self, rule: Rule, ways: dict[int, tuple[int, Rule] | None], end: int) -> SettingsError:
        steps: list[Rule] = []
        step = ways[end]
        while step is not None:
            steps.append(step[1])
            step = ways[step[0]]
        by_line = {other.line: other for other in steps}
        said = " and ".join(f"line {line}, {by_line[line].text!r}" for line in sorted(by_line))
        place = place_of(self._source, rule.line)
        return SettingsError(f"{place}: {rule.text!r} contradicts {said}; delete one of these lines")


def _edges(told: Sequence[tuple[Rule, list[int]]]) -> dict[int, list[tuple[int, Rule]]]:
    """Term of a claim -> terms that a source may use instead, by one rule."""
    edges: dict[int, list[tuple[int, Rule]]] = {}
    for rule, numbers in told:
        if rule.sign == NEVER:
            continue
        for one, other in pairwise(numbers):
            # "annual leave -> leave": a claim may write "leave" where the source has "annual leave".
            edges.setdefault(other, []).append((one, rule))
            if rule.sign == EQUAL:
                edges.setdefault(one, []).append((other, rule))
    return edges


# Cached, because the claims of an answer and the answers to a question share their chunks.
@lru_cache(maxsize=2048)
def _in_chunk(glossary: Glossary, text: str, language: str) -> tuple[Place, ...]:
    return glossary._finder(language).find(text, index_of(text, language).tokens)


def glossary_of(settings: Settings) -> Glossary | None:
    """The glossary of some settings, or None."""
    lines = settings.glossary_lines
    if not lines:
        return None
    return _made(lines, settings.glossary_file, base_language(settings.language))


@lru_cache(maxsize=32)
def _made(lines: tuple[tuple[int, str], ...], source: str, language: str) -> Glossary:
    return Glossary(parse_rules(lines, source, language), source, language)
