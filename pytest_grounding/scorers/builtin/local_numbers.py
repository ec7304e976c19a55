"""Numbers and dates that only a language tells, written so that every reader knows them, and the way back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import sections, table, words
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.facts.tokens import with_plain_dates
from pytest_grounding.scorers.protocol import ClaimText, SupportScore

#: No word and no sign to any reader.
FILLING = "_"
_FILE = "numberwords"
#: Languages that write the words of a number apart.
_APART = frozenset({"fr", "es", "pt"})


@lru_cache(maxsize=16)
def _pattern(language: str) -> re.Pattern[str] | None:
    """Runs of number words of a language; None where it has no table."""
    if language not in sections(_FILE):
        return None
    known = sorted({*table(_FILE, language)}, key=lambda word: (-len(word), word))
    glue = sorted(words(_FILE, f"{language} glue"))
    word = "|".join(known)
    blank = "[ -]?" if language in _APART else ""
    between = "|".join([blank, *(f"{blank}{one}{blank}" for one in glue)])
    return re.compile(rf"(?i)(?<![\w'’.-])(?:{word})(?:(?:{between})(?:{word})){{0,8}}(?![\w'’])")


def with_digits(text: str, language: str) -> str:
    """The text with the number words of a language in digits, filled to the same length."""
    pattern = _pattern(language)
    if pattern is None:
        return text
    return pattern.sub(lambda found: _digits(found, language), text)


def _digits(found: re.Match[str], language: str) -> str:
    run = found[0].lower()
    value = value_of(run, language)
    digits = str(value)
    if value is None or len(digits) > len(run):
        return found[0]
    is_word_too = run in words(_FILE, f"{language} words too")
    if is_word_too and _next_word(found) not in words(_FILE, f"{language} counted"):
        return found[0]
    # No blanks: two of them make a number the counter of a list.
    return digits.rjust(len(run), FILLING)


def _next_word(found: re.Match[str]) -> str:
    behind = re.compile(r" ([^\W\d_]+)").match(found.string, found.end())
    return behind[1].lower() if behind is not None else ""


@lru_cache(maxsize=4096)
def value_of(run: str, language: str) -> int | None:
    """What a run of number words in lower case means; None where it is no number."""
    known, glue = table(_FILE, language), words(_FILE, f"{language} glue")
    parts = _parts(re.sub(r"[ -]+", " ", run), known, glue)
    if parts is None:
        return None
    total, current, last = 0, 0, 0
    for number in parts:
        if number == _THOUSAND:
            total, current, last = total + (current or 1) * number, 0, 0
        elif number == _HUNDRED or (number == _SCORE and last == _FOUR and language == "fr"):
            current = (current or 1) * number
            last = 0
        elif current and not _adds(
            number, current, last, is_turned=language in _UNITS_FIRST, french=language == "fr"
        ):
            return None
        else:
            current, last = current + number, number
    return total + current


_HUNDRED, _THOUSAND, _SCORE, _FOUR = 100, 1000, 20, 4
#: "Fünfundvierzig"
_UNITS_FIRST = frozenset({"de", "nl"})


def _adds(number: int, current: int, last: int, *, is_turned: bool, french: bool) -> bool:
    """Whether a number goes on behind another: "treinta y cinco", "soixante et onze", not "tre sei"."""
    rest = current % _HUNDRED
    if rest == 0:
        return number < _HUNDRED or (current >= _HUNDRED and number % _HUNDRED == 0)
    if is_turned and 0 < last < 10:
        return number % 10 == 0 and 20 <= number < _HUNDRED
    if number >= 10:
        return french and rest in {60, 80} and number < 20
    return rest % 10 == 0


def _parts(run: str, known: dict[str, str], glue: frozenset[str]) -> list[int] | None:
    """The numbers that a run is made of, the longest word first; None where letters are left over."""
    numbers: list[int] = []
    at = 0
    while at < len(run):
        if run[at] == " ":
            at += 1
            continue
        for length in range(min(14, len(run) - at), 0, -1):
            word = run[at : at + length]
            if word in known:
                numbers.append(int(known[word]))
            elif not (numbers and word in glue):
                continue
            at += length
            break
        else:
            return None
    return numbers


def _whole_words(text: str, start: int, end: int) -> tuple[int, str]:
    """A stretch of a text with the rest of the words that it cuts, and where it starts."""
    while start > 0 and text[start - 1].isalpha() and text[start].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha() and text[end - 1].isalpha():
        end += 1
    return start, text[start:end]


#: Several numbers in brackets.
_SEVERAL = lazy(r"\[\d{1,6}(?:\s?,\s?\d{1,6}){1,20}\]")
_NUMBER = lazy(r"\d+")


class LocalNumbers:
    """Chunks and claims with dates and number words as every reader knows them, of the same lengths."""

    def __init__(self, language: str, tag: str) -> None:
        self._language = language
        self._tag = tag if tag.lower().startswith(language) else language
        self._own: dict[str, str] = {}
        self._count = 0

    def _rewritten(self, text: str) -> str:
        return with_plain_dates(with_digits(text, self._language), self._tag)

    def chunks(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with such texts."""
        found = []
        self._count = len(chunks)
        for chunk in chunks:
            text = self._rewritten(chunk.text)
            if text != chunk.text:
                self._own[chunk.id] = chunk.text
                chunk = chunk.model_copy(update={"text": text})
            found.append(chunk)
        return found

    def claim(self, claim: ClaimText) -> ClaimText:
        """The claim with such a text; what no marker can be stands in parentheses, and is read."""
        text = self._rewritten(claim.text)
        if "[" in text:
            text = _SEVERAL.sub(self._as_content, text)
        return claim if text == claim.text else replace(claim, text=text)

    def _as_content(self, found: re.Match[str]) -> str:
        numbers = [int(number) for number in _NUMBER.findall(found[0])]
        is_marker = len(numbers) > 1 and min(numbers) > 0 and max(numbers) <= self._count
        return found[0] if is_marker else f"({found[0][1:-1]})"

    def quoted(self, score: SupportScore, claim: ClaimText) -> SupportScore:
        """A score that quotes the claim and the chunks as they are written."""
        if not self._own and self.claim(claim).text == claim.text:
            return score
        conflicts = tuple(self._conflict(item, claim.text) for item in score.conflicts)
        reason = score.reason
        for before, after in zip(score.conflicts, conflicts, strict=True):
            if before.message:
                reason = reason.replace(before.message, after.message)
        evidence = tuple(map(self._evidence, score.evidence))
        return replace(score, evidence=evidence, conflicts=conflicts, reason=reason)

    def _evidence(self, found: Evidence) -> Evidence:
        own = self._own.get(found.chunk_id)
        return found if own is None else found.model_copy(update={"text": own[found.start : found.end]})

    def _conflict(self, conflict: Conflict, claim: str) -> Conflict:
        found = self._evidence(conflict.evidence)
        start, theirs = conflict.claim_start or 0, conflict.evidence_text
        start, ours = _whole_words(claim, start, start + len(conflict.claim_text))
        at = conflict.evidence.text.find(theirs)
        if at >= 0:
            _, theirs = _whole_words(found.text, at, at + len(theirs))
        message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
        message = message.replace(f'"{conflict.evidence_text}"', f'"{theirs}"')
        changes = {
            "evidence": found,
            "claim_text": ours,
            "claim_start": start,
            "evidence_text": theirs,
            "message": message,
        }
        return conflict.model_copy(update=changes)
