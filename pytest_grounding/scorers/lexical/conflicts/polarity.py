"""Words that turn a statement round and that no source holds, neither themselves nor a word like them."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.absence import speaks_of_sources
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.lexicon import marked_words, opposites, positive_of
from pytest_grounding.scorers.lexical.conflicts.opposites import is_backed, is_turned
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.tokens import Token

#: Sentences in which something may deny for the claim and its source to agree.
_SENTENCES = 1
#: A denial counts where it stands this near to a word that stands next to the claim's word.
_REACH = 4
_NEIGHBOURS = 4


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
        if number + 1 < len(contest.claim.tokens) and contest.claim.tokens[number + 1].norm == "than":
            # "Younger than eight" is "under eight".
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
        if _denies_there(contest, number, chunk, sentence, own):
            return None
    if not best:
        return None
    chunk, sentence = best[0]
    if positive_of(token.norm) and not contest.stems(chunk, sentence).isdisjoint(
        opposites().get(token.stem, ())
    ):
        # Where an opposite stands there, how the two are bound decides: "shorter lives" for "live longer".
        return None
    strength = contest.local(number, number, chunk, sentence)
    cover = contest.cover(chunk, sentence, without=without)
    start, end = contest.indexes[chunk].sentences[sentence]
    word = contest.bounds(chunk, sentence)[0]
    return Found("strange", token.start, token.end, chunk, word, start, end, strength, cover)


def _denies_there(contest: Contest, number: int, chunk: int, sentence: int, own: set[str]) -> bool:
    """Whether something in a sentence denies near the words that stand next to a word of the claim."""
    low, high = contest.bounds(chunk, sentence)
    view = contest.chunks[chunk]
    cues = [cue for cue in view.cues if low <= cue < high and view.tokens[cue].stem not in own]
    if not cues:
        return False
    nearest = {stem for stem, _, _ in contest.neighbours(number, number).words[:_NEIGHBOURS]}
    near = [at for at in range(low, high) if view.tokens[at].stem in nearest]
    return not near or any(abs(cue - at) <= _REACH for cue in cues for at in near)
