"""What something is: the term, then "is", "means" or the like, then words of its own."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.text.grammar import AUXILIARIES, has_finite_verb, words_of

_IS = pattern("answers", "is")
_MEANS = pattern("answers", "meaning")
_CALLED = pattern("answers", "called")
_HAPPENS = pattern("answers", "happens")
# An abbreviation beside its long form: "DNA (deoxyribonucleic acid)".
_BESIDE = lazy(r"\s*\([^)]{3,80}\)|\s*,\s+(?:an?|the|or|which is)\s")
#: Words before the term, and between it and its verb; characters between the two.
_FEW_WORDS = 4
_VERB_WITHIN = 60


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """What stands behind the term, or before it where it comes last."""
    spans = [(t.start - clause.start, t.end - clause.start) for t in clause.tokens if t.stem in asked.content]
    if not spans:
        return
    lower, (opens, _), (_, end) = clause.lower, spans[0], spans[-1]
    for _, behind in spans:
        verb = _IS.match(lower, behind)
        if verb is None or _HAPPENS.match(lower, verb.end()):
            continue
        if clause.new_words(asked.stems, after=verb.end()):
            yield lower[verb.end() :]
    opening, rest = lower[:opens], lower[end:]
    says_more = bool(clause.new_words(asked.stems, after=end))
    if says_more and opening.strip() in {"a", "an"} and AUXILIARIES.isdisjoint(rest.split(maxsplit=1)[:1]):
        # "A fixed-rate mortgage keeps ...": a statement on all of its kind says what it is.
        yield rest
    called = _CALLED.search(opening) is not None
    if says_more and (called or len(opening.split()) <= _FEW_WORDS) and _has_verb(lower, end):
        yield rest
    if called:
        if clause.new_words(asked.stems, before=opens):
            yield opening
    elif _BESIDE.match(clause.text, spans[0][1]):
        yield clause.text[spans[0][1] :]


def _has_verb(lower: str, end: int) -> bool:
    """Whether the term's own verb, which says what it means, stands soon behind it."""
    verb = _MEANS.search(lower[end:])
    if verb is None or verb.start() >= _VERB_WITHIN:
        return False
    between = lower[end : end + verb.start()]
    few = len(between.split()) <= _FEW_WORDS and not has_finite_verb(words_of(between))
    return few and _HAPPENS.match(lower, end + verb.end()) is None
