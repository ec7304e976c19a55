"""Statements that a question puts up for true or false, and bare answers to it."""

from __future__ import annotations

from dataclasses import replace

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.reading.grammar import AUXILIARIES
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.protocol import SupportScore

_YES, _NO = words("refusals", "yes"), words("refusals", "no")
_TRUE, _FALSE = words("refusals", "affirmed"), words("refusals", "denied")
_GRANTED = words("refusals", "granted")
_PRONOUNS = words("conflicts", "pronouns") | frozenset({"i", "you", "we", "there"})
#: "(a) true", "B. False"
_OPTION = lazy(r"[\W_]{0,4}[A-Ea-e][).:][ ]{1,4}")
_PROPOSED = lazy(
    lambda: rf"(?is)\s{{0,8}}(?:{alternation('refusals', 'proposing')})\b[\s:?.,–—-]{{0,8}}(?=\S)"
)
#: Support of a "false" where a source says otherwise than the statement, and where none does.
_REFUTED, _HELD = 0.95, 0.3


def polarity(claim: str) -> bool | None:
    """Whether a claim is a bare yes or a bare no: "Yes.", "(a) true", "No, that is not possible."."""
    option = _OPTION.match(claim)
    spoken = [token.norm for token in tokenize(claim[option.end() :] if option is not None else claim)]
    if not spoken or spoken[0] not in _YES | _NO | _TRUE | _FALSE:
        return None
    is_yes, rest = spoken[0] in _YES | _TRUE, spoken[1:]
    if not rest:
        return is_yes
    if rest[0] not in _PRONOUNS or not 2 <= len(rest) <= 4:
        return None
    told = rest[-1] if rest[-1] in _GRANTED | _FALSE else ""
    helping = rest[1:-1] if told else rest[1:]
    # "That's right" has lost its verb with its apostrophe.
    is_denied = "not" in helping or any(word == "cannot" or word.endswith("n't") for word in helping)
    is_helped = all(word == "not" or _is_auxiliary(word) for word in helping) and (helping or told)
    if not is_helped or is_yes == (is_denied != (told in _FALSE)):
        return None
    return is_yes


def _is_auxiliary(word: str) -> bool:
    stem = word.removesuffix("n't")
    return word == "cannot" or stem in AUXILIARIES or f"{stem}n" in AUXILIARIES


def proposed(question: str) -> str | None:
    """The statement that a question puts up, as in "True or false: the key is here"."""
    match = _PROPOSED.match(question)
    return question[match.end() :].strip().rstrip("?").strip() or None if match is not None else None


def refuted(score: SupportScore, statement: str) -> SupportScore:
    """The score of a bare "false", from that of the statement which it denies."""
    against = next((item for item in score.conflicts if item.severity == "error"), None)
    if against is not None:
        reason = f'the source says "{against.evidence_text}", so the statement is false'
        return SupportScore(_REFUTED, (against.evidence,), (), score.method, reason, score.calibrated)
    probability = min(_HELD, 1.0 - (score.probability or 0.0))
    reason = f'no source says otherwise than "{statement}"'
    return replace(score, probability=round(probability, 6), conflicts=(), reason=reason, missing=())
