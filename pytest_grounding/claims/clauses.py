"""Clauses and their kinds: where one sentence joins statements, and which are opinions or inferences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding.claims.refusals import is_refusal
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.grammar import (
    has_finite_verb,
    opens_with_subject_and_verb,
    without_name_verbs,
    words_of,
)
from pytest_grounding.reading.spans import ClaimKind

# Said in the first person and about taste or advice: nothing that a source could confirm.
_OPINION = pattern("kinds", "opinion")
_BELIEF = pattern("kinds", "belief")
_EVALUATION = pattern("kinds", "evaluation")
_CONCLUSION = pattern("kinds", "conclusion")
_HEDGE = pattern("kinds", "hedge")
_FIRST_PERSON = listed("refusals", "first_person")
# White space was made one blank before.
_PARTS = lazy(r",? (?:and|but|although|though|because|since|as|which|who) |; ", re.IGNORECASE)
# Both begin with what is found fast.
_NUMBER = lazy(r"\d")
_NAME = lazy(r" (?<=[a-z,] )(?!I\b)[A-Z]\w")


@dataclass(frozen=True, slots=True)
class KindSeen:
    """The kind of a claim, and how sure it is: 0.9 by explicit wording, 0.6 to 0.7 by weak signs."""

    kind: ClaimKind
    confidence: float


def kind_of(sentence: str) -> KindSeen:
    """The kind of a claim."""
    head = sentence[:600]
    if _BELIEF.search(head) is not None:
        if _EVALUATION.search(head) is not None and not _is_specific(head):
            return KindSeen("inference", 0.5) if _states_more(head) else KindSeen("opinion", 0.8)
        return KindSeen("inference", 0.7)
    if _OPINION.search(head) is not None:
        return KindSeen("fact", 0.5) if _states_more(head) else KindSeen("opinion", 0.9)
    if _CONCLUSION.search(head) is not None:
        return KindSeen("inference", 0.9)
    if _HEDGE.search(head) is not None:
        return KindSeen("inference", 0.6)
    return KindSeen("fact", 0.95 if _is_specific(head) else 0.8)


def _is_specific(text: str) -> bool:
    """Whether a sentence holds a number, or inside it a name."""
    return _NUMBER.search(text) is not None or _NAME.search(text) is not None


def _states_more(sentence: str) -> bool:
    """Whether an opinion comes with a statement: "I like it because it costs $5"."""
    if any(char.isdigit() for char in sentence):
        return True
    for part in _PARTS.split(sentence)[1:]:
        words = words_of(part)
        if len(words) >= 4 and has_finite_verb(words) and not _FIRST_PERSON.intersection(words):
            return _EVALUATION.search(part) is None
    return False


_JOINT = pattern("clauses", "joint")
_COMMA = lazy(r",\s+")
_CONCESSION = pattern("clauses", "concession")
_CONNECTIVE = pattern("clauses", "connective")
# A clause that hangs on another one (a condition, a report, a reason) loses its sense when cut off.
_DEPENDENT_START = pattern("clauses", "dependent")
_SCOPE = pattern("clauses", "scope")
#: One of these stands in every match of `_SCOPE`.
_SCOPE_WORDS = listed("grammar", "scope_words")
#: How much of a clause is looked at beside a joint, in characters.
_LONG = 400
_OPENING = "([{“«「『"
_CLOSING = ")]}”»」』"
_DEPTH = gated('(|)|[|]|{|}|“|”|«|»|「|」|『|』|"', r"[()\[\]{}“”«»「」『』\"]", 0)
_MIN_WORDS, _MIN_STATEMENT = 3, 4


def split_clauses(text: str, masked: str, start: int, end: int) -> list[tuple[int, int]]:
    """The independent clauses of a sentence as spans; the sentence's own span where it joins none."""
    sentence = masked[start:end]
    if ("," not in sentence and ";" not in sentence) or sentence.rstrip("\"'”’)*_ ").endswith("?"):
        return [(start, end)]
    if _JOINT.search(sentence) is None and _CONCESSION.match(sentence) is None:
        return [(start, end)]
    spans: list[tuple[int, int]] = []
    position = 0
    depths = _depths(sentence)
    conceded = _conceded_refusal(sentence, depths)
    if conceded:
        spans.append(_trim(text, start, start + conceded))
        position = conceded
    for match in _JOINT.finditer(sentence, position):
        if depths is not None and not depths[match.start()]:
            continue
        if _is_joint(sentence[position : match.start()], sentence[match.end() :], match):
            cut = match.start("conjunction") if match["conjunction"] else match.end()
            spans.append(_trim(text, start + position, start + cut))
            position = match.end()
    if not spans:
        return [(start, end)]
    spans.append((start + position, end))
    return spans


def _conceded_refusal(sentence: str, depths: list[bool] | None) -> int:
    """Where the statement begins in "While the sources do not say when, they say where"; else 0."""
    if _CONCESSION.match(sentence) is None:
        return 0
    for match in _COMMA.finditer(sentence, 0, 400):
        if depths is not None and not depths[match.start()]:
            continue
        rest = sentence[match.end() : match.end() + 200]
        stated = opens_with_subject_and_verb(rest) or has_finite_verb(words_of(rest))
        return match.end() if stated and is_refusal(_tidy(sentence[: match.start()])) else 0
    return 0


def _is_joint(left: str, right: str, match: re.Match[str]) -> bool:
    right = right[:_LONG]
    left_words, right_words = words_of(left[-_LONG:]), words_of(right)
    if len(left_words) < _MIN_WORDS or len(right_words) < _MIN_WORDS:
        return False
    if not has_finite_verb(left_words):
        return False
    if match["conjunction"]:
        # What is known and what is not are two statements, whatever joins them.
        states_after_refusal = is_refusal(_tidy(left)) and has_finite_verb(right_words)
        if states_after_refusal or is_refusal(_tidy(right)):
            return True
    if match["concessive"]:
        return False
    if match["semicolon"] is not None:
        connective = _CONNECTIVE.match(right)
        clause = right[connective.end() :] if connective is not None else right
        if _DEPENDENT_START.match(clause) is not None:
            return False
        words = words_of(without_name_verbs(clause))
        has_early_verb = len(words) >= _MIN_STATEMENT and has_finite_verb(words[1:8])
        return has_early_verb or opens_with_subject_and_verb(clause)
    if _DEPENDENT_START.match(left) is not None:
        return False
    governs = len(left) > _LONG or not _SCOPE_WORDS.isdisjoint(left_words)
    if governs and _SCOPE.search(left) is not None:
        return False
    return opens_with_subject_and_verb(right)


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A clause without the white space, comma or semicolon that ended it; markers behind those stay."""
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;"):
        end -= 1
    return start, end


def _depths(sentence: str) -> list[bool] | None:
    """For each character whether it stands outside brackets and quotes; None where there are none."""
    if _DEPTH.search(sentence) is None:
        return None
    outside: list[bool] = []
    depth, quoted = 0, False
    balanced_quotes = sentence.count('"') % 2 == 0
    for char in sentence:
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth = max(0, depth - 1)
        elif char == '"' and balanced_quotes:
            quoted = not quoted
        outside.append(depth == 0 and not quoted)
    return outside
