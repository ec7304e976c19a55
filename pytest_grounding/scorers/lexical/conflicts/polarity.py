"""Words that turn a statement round and that no source holds, neither themselves nor a word like them."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.absence import speaks_of_sources
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.lexicon import marked_words
from pytest_grounding.scorers.lexical.conflicts.opposites import is_backed, is_turned
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.tokens import Token

#: Sentences in which something may deny for the claim and its source to agree.
_SENTENCES = 1


def strange_conflicts(contest: Contest) -> Iterator[Found]:
    """Words of the claim that deny, belittle or shut out, where the sources hold no word of that kind.

    Who restates a source seldom brings such a word in: "excluding Bremen" for a list that names Bremen.
    """
    strange = marked_words(contest.claim.norms, contest.claim.stems)
    if not strange or speaks_of_sources(contest.claim):
        return
    for number in strange:
        token = contest.claim.tokens[number]
        if token.is_name or token.stem in contest.given or is_backed(contest, token):
            continue
        if number in contest.claim.denied or is_turned(contest.claim, number):
            continue
        found = _against_sentence(contest, number, token)
        if found is not None:
            yield found


def _against_sentence(contest: Contest, number: int, token: Token) -> Found | None:
    """The sentence that says most of the rest, where nothing in it denies."""
    own = {contest.claim.tokens[cue].stem for cue in contest.claim.cues}
    without = frozenset({token.stem})
    best = contest.best_sentences(_SENTENCES)
    for chunk, sentence in best:
        low, high = contest.bounds(chunk, sentence)
        view = contest.chunks[chunk]
        if any(low <= cue < high and view.tokens[cue].stem not in own for cue in view.cues):
            return None
    if not best:
        return None
    chunk, sentence = best[0]
    strength = contest.local(number, number, chunk, sentence)
    cover = contest.cover(chunk, sentence, without=without)
    start, end = contest.indexes[chunk].sentences[sentence]
    word = contest.bounds(chunk, sentence)[0]
    return Found("strange", token.start, token.end, chunk, word, start, end, strength, cover)
