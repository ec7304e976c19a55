"""A bare "yes" or "no" says what its question asks: to "Are pets allowed?" that they are, or are not."""

from __future__ import annotations

from dataclasses import replace

from pytest_grounding.lexicon import words
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.base import SupportScore
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.grammar import AUXILIARIES
from pytest_grounding.text.questions import analyse

_YES, _NO = words("refusals", "yes"), words("refusals", "no")
_PRONOUNS = words("conflicts", "pronouns") | frozenset({"i", "you", "we", "there"})
_DO = frozenset({"do", "does", "did"})
#: Letters of "Yes, you certainly may."
_LONGEST = 40


def statement_of(claim: str, question: str) -> str | None:
    """What a bare answer to a question for yes or no states; None where claim or question say more.

    Args:
        claim: text of the claim.
        question: the question.
    """
    if len(claim) > _LONGEST or not question:
        return None
    is_yes = _polarity(claim)
    if is_yes is None:
        return None
    parts = analyse(question).parts
    if len(parts) != 1 or parts[0].type != "yes_no" or parts[0].expected != "polarity":
        return None
    asked = parts[0].text.strip(" ?!.")
    helping, _, rest = asked.partition(" ")
    if helping.lower() not in AUXILIARIES or not rest:
        return None
    subject = _subject(rest)
    if not 0 < subject < len(rest):
        return None
    verb = "" if is_yes and helping.lower() in _DO else f"{helping.lower()} "
    denial = "" if is_yes else "not "
    return f"{rest[:subject].strip()} {verb}{denial}{rest[subject:].strip()}."


def _polarity(claim: str) -> bool | None:
    """Whether a claim is a bare yes or a bare no: "Yes.", "No, they are not."; None for any other claim."""
    spoken = [token.norm for token in tokenize(claim)]
    if not spoken or spoken[0] not in _YES | _NO:
        return None
    is_yes, rest = spoken[0] in _YES, spoken[1:]
    if not rest:
        return is_yes
    if len(rest) not in (2, 3) or rest[0] not in _PRONOUNS:
        return None
    helping = rest[1].removesuffix("n't")
    is_denied = rest[1] == "cannot" or rest[1].endswith("n't") or rest[2:] == ["not"]
    is_helped = rest[1] == "cannot" or helping in AUXILIARIES or f"{helping}n" in AUXILIARIES
    if not is_helped or is_denied == is_yes or (len(rest) == 3 and not is_denied):
        return None
    return is_yes


def _subject(rest: str) -> int:
    """Where the subject ends behind a helping verb: a pronoun, or the first word that tells something."""
    tokens = tokenize(rest)
    for number, token in enumerate(tokens):
        if (not number and token.norm in _PRONOUNS) or not token.is_stop:
            return token.end
    return 0


def as_answer(score: SupportScore, claim: str, question: str, ceiling: float) -> SupportScore:
    """The score of a statement as that of the bare answer which states it.

    Args:
        score: that of the statement.
        claim: the answer.
        question: the question.
        ceiling: what the probability is multiplied by. Whoever says but one word has said nothing right if it
            is wrong, so that a possible conflict is enough to doubt it.
    """
    said = claim.strip()
    conflicts = tuple(_told(item, said, question) for item in score.conflicts)
    reason = score.reason
    for before, after in zip(score.conflicts, conflicts, strict=True):
        if reason.endswith(before.message or "\0"):
            reason = reason.replace(before.message, after.message)
    probability = score.probability
    if probability is not None and ceiling < 1.0:
        probability = round(probability * ceiling, 6)
        if score.conflicts[0].severity != "error":
            reason = conflicts[0].message
    return replace(score, probability=probability, conflicts=conflicts, reason=reason, missing=())


def _told(conflict: Conflict, said: str, question: str) -> Conflict:
    message = (
        f'{conflict.kind}: the claim says "{said}" to "{question.strip()}", '
        f'the source says "{conflict.evidence_text}"'
    )
    return conflict.model_copy(update={"claim_text": said, "claim_start": 0, "message": message})
