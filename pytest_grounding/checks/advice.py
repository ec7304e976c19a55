"""What to do about a claim that a source contradicts: new words only where they cannot harm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ClaimVerdict, Conflict, Span
from pytest_grounding.scorers.base import BUILT_IN_METHODS, ClaimText, SupportScore
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.facts import comparable, extract_facts
from pytest_grounding.text.facts.base import Fact
from pytest_grounding.text.spans import Claim

#: What to do where no words can be offered.
READ = "read the source's whole sentence: if it speaks of the same thing, correct the claim"
READ_ONLY = "read the source's whole sentence: the claim may be right as it is"

#: Kinds of conflicts in which one value stands against another. The others turn on more than their words.
_VALUES = frozenset({"number", "unit", "date", "entity"})
_MEASURED = frozenset({"number", "percent", "money", "quantity", "duration"})
_WORDLESS = frozenset({"name", "negation"})
#: Beyond so many conflicts of a claim nobody can tell which one to mend.
_MOST = 8


class Edit(NamedTuple):
    """Words of the answer, and those of a source that can stand in their place.

    Attributes:
        start: offset in the answer.
        end: one past the last character to replace.
        text: the source's words.
    """

    start: int
    end: int
    text: str


def offered_edit(context: CheckContext, claim: Claim, verdict: ClaimVerdict) -> tuple[Edit, Conflict] | None:
    """The one edit that mends a claim and changes nothing else, with the conflict that calls for it.

    It is offered where the claim is not backed, where one value of it stands against one value of the same
    kind in the same place of the same statement (every other word of weight of the claim stands in the
    source's sentence, in the same order), where no other sentence calls for another value, and where the
    built-in engine finds the mended claim supported.

    Args:
        context: the transcript taken apart and scored.
        claim: the claim.
        verdict: what was found on it.
    """
    score = context.supports[claim.index]
    if verdict.status not in {"contradicted", "unsupported"} or not 0 < len(verdict.conflicts) <= _MOST:
        return None
    if score is None or score.method not in BUILT_IN_METHODS:
        return None
    found: dict[Edit, tuple[Conflict, Span]] = {}
    for conflict in verdict.conflicts:
        place = _replaced(claim.bare, conflict, context.language) if conflict.kind in _VALUES else None
        at = _only(claim.text, conflict.claim_text) if place is not None else None
        if place is not None and at is not None:
            edit = Edit(claim.start + at[0], claim.start + at[1], conflict.evidence_text)
            found.setdefault(edit, (conflict, place))
    if len(found) != 1:
        return None
    edit, (conflict, place) = next(iter(found.items()))
    if not _are_of_one_mind(verdict, claim.bare, place, edit.text, context.language):
        return None
    mended = claim.bare[: place[0]] + edit.text + claim.bare[place[1] :]
    is_backed = _is_backed(context, claim, mended, conflict.evidence.chunk_id)
    return (edit, conflict) if is_backed else None


def _is_backed(context: CheckContext, claim: Claim, text: str, chunk_id: str) -> bool:
    """Whether the scorer finds a mended claim supported, and no other chunk says otherwise of it."""
    chunks = context.transcript.chunks
    others = [chunk for chunk in chunks if chunk.id != chunk_id]
    try:
        whole = _score(context, claim, text, chunks)
        apart = _score(context, claim, text, others) if others else None
    except ScorerError:
        return False
    clash = any(item.severity == "error" for score in (whole, apart) if score for item in score.conflicts)
    return (whole.probability or 0.0) >= context.settings.supported_threshold and not clash


def _score(context: CheckContext, claim: Claim, text: str, chunks: Sequence[Chunk]) -> SupportScore:
    question = context.transcript.question
    mended = [ClaimText(text, claim.context)]
    return context.scorer.support(mended, chunks, question=question, language=context.language)[0]


def _replaced(bare: str, conflict: Conflict, language: str) -> Span | None:
    """Where in the claim the value stands that the source has another one for; None where more differs."""
    source = conflict.evidence.text
    ours, theirs = _only(bare, conflict.claim_text), _only(source, conflict.evidence_text)
    if ours is None or theirs is None or not _are_alike(conflict, bare, ours, source, theirs):
        return None
    words, others = tokenize(bare, language), tokenize(source, language)
    if _before(words, ours) != _before(others, theirs):
        return None
    turned = _turned(words, ours, others)
    return ours if turned and all(_inside(word, theirs) for word in turned) else None


def _turned(words: Sequence[Token], ours: Span, others: Sequence[Token]) -> list[Token]:
    """What a sentence says in the place of a stretch of the claim; empty where it is no such statement.

    Every word of weight outside of the stretch must stand in the sentence, in the same order.
    """
    said = [word for word in words if _weighs(word) or _inside(word, ours)]
    held = [word for word in others if _weighs(word)]
    matcher = SequenceMatcher(None, [w.stem for w in said], [w.stem for w in held], autojunk=False)
    steps = [step for step in matcher.get_opcodes() if step[0] not in {"equal", "insert"}]
    if len(steps) != 1 or steps[0][0] != "replace":
        return []
    _, first, last, low, high = steps[0]
    return held[low:high] if all(_inside(word, ours) for word in said[first:last]) else []


def _weighs(word: Token) -> bool:
    """Whether a word must be the same: one that says something by itself, and the letter of "Plan A"."""
    return (
        not word.is_stop or word.is_number or (len(word.text) == 1 and word.text.isupper() and word.start > 0)
    )


def _are_of_one_mind(claim: ClaimVerdict, bare: str, place: Span, text: str, language: str) -> bool:
    """Whether no other sentence of the evidence makes the same statement with another value."""
    words = tokenize(bare, language)
    offered = {word.stem for word in tokenize(text, language)}
    sentences = dict.fromkeys(item.text for item in (*claim.evidence, *(c.evidence for c in claim.conflicts)))
    return all(
        {word.stem for word in _turned(words, place, tokenize(sentence, language))} <= offered
        for sentence in sentences
    )


def _only(text: str, words: str) -> Span | None:
    """Where some words stand in a text, as whole words, if they stand there once."""
    if not words.strip():
        return None
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]
    return found[0] if len(found) == 1 else None


def _inside(word: Token, span: Span) -> bool:
    return span[0] <= word.start and word.end <= span[1]


def _before(words: Sequence[Token], span: Span) -> str:
    """The word right before a stretch, which may bound or deny it; "" where it stands first."""
    return next((word.norm for word in reversed(words) if word.end <= span[0]), "")


def _are_alike(conflict: Conflict, bare: str, ours: Span, source: str, theirs: Span) -> bool:
    """Whether both stretches hold one value each, and values of one kind."""
    mine, other = _values(bare, ours), _values(source, theirs)
    if conflict.kind == "entity":
        return (
            not mine
            and not other
            and conflict.claim_text[:1].isupper() == conflict.evidence_text[:1].isupper()
        )
    if len(mine) != 1 or len(other) != 1:
        return False
    one, two = mine[0], other[0]
    if (one.bound, one.strict, one.approximate) != (two.bound, two.strict, two.approximate):
        return False
    if conflict.kind == "unit":
        return one.kind in _MEASURED and two.kind in _MEASURED
    return comparable(one, two)


def _values(text: str, span: Span) -> list[Fact]:
    start, end = span
    return [
        fact
        for fact in extract_facts(text)
        if fact.kind not in _WORDLESS and fact.start < end and start < fact.end
    ]
