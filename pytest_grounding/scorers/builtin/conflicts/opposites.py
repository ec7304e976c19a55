"""Negations and opposites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.words import Token
from pytest_grounding.scorers.builtin.background import synonyms_of
from pytest_grounding.scorers.builtin.conflicts.conflict_words import (
    HOMONYMS,
    NEGATIVE,
    SOURCE,
    TURNING,
    TWINNED,
    alike,
    negated_stems,
    twin_stems,
)
from pytest_grounding.scorers.builtin.conflicts.contest import (
    Candidate,
    Contest,
    Duel,
    Rival,
    candidate,
    reasons,
)
from pytest_grounding.scorers.builtin.conflicts.sentence_view import Place, View

_CUE_REACH = 9
#: Margin by which a denial must be bound more closely than a statement that agrees.
_MARGIN = 0.05
#: Sentences of the sources that are examined.
_SENTENCES = 5
_UNSAID = words("conflicts", "unsaid")
_LOOSE = words("conflicts", "loose denials")
_OPEN = words("conflicts", "open")
_KEEPING = words("conflicts", "keeping")
_ABSENT = pattern("matching", "absent")


def negation_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Places where the claim denies what a chunk states, or states what a chunk denies."""
    yield from _claim_denies(contest)
    yield from _chunk_denies(contest)


def is_about_sources(claim: View) -> bool:
    """Whether a claim is about what the sources lack: "the passages do not mention X"."""
    return bool(claim.with_mark(SOURCE)) and _ABSENT.search(claim.text) is not None


def _claim_denies(contest: Contest) -> Iterator[Candidate]:
    claim = contest.claim
    if not claim.negations or is_about_sources(claim):
        return
    cues = {claim.stems[number] for number in claim.cues}
    for which, (fact, at) in enumerate(zip(claim.negations, claim.negation_at, strict=True)):
        heads = [number for number, by in claim.denied.items() if by == which]
        if not heads or claim.norms[heads[0]] in _UNSAID:
            continue
        loose = claim.norms[at] in _LOOSE
        # "Failed to host" agrees with "failed in its bid to host".
        own = cues - {claim.stems[at]} if loose else cues
        duel = Duel(contest, at, margin=_MARGIN)
        for chunk, sentence in contest.best_sentences(_SENTENCES):
            place = _anchor(contest, at, heads[0], chunk, sentence)
            if place is None:
                continue
            strength = contest.local(at, at, chunk, sentence)
            if _is_denied_near(contest, place, own):
                duel.agree(strength)
            else:
                duel.differ(strength, place)
        rival = duel.winner()
        if rival is not None:
            unsaid = not _mentions(contest, heads, rival.place)
            doubts = reasons(loose=loose, unsure=_is_unsure(claim, at), unsaid=unsaid)
            ours = fact.start, claim.tokens[heads[0]].end
            yield candidate(contest, "negation", ours, rival, doubts=doubts)


def _mentions(contest: Contest, heads: list[int], place: Place) -> bool:
    """Whether a sentence contains a word that the claim denies, or a near synonym."""
    held, claim = contest.stems(*contest.spot(place)), contest.claim
    # "Not usually cooked" is about cooking.
    stems = [claim.stems[number] for number in heads[: 1 + claim.norms[heads[0]].endswith("ly")]]
    return any(other in held for stem in stems for other in (stem, *synonyms_of(stem)))


def _is_unsure(view: View, at: int) -> bool:
    """Whether a denial at a word is conditional or about what may be."""
    own = view.sentence_of[at]
    near = range(max(0, at - 2), min(len(view.tokens), at + 3))
    return view.is_conditional(at) or any(
        view.norms[number] in _OPEN and view.sentence_of[number] == own for number in near
    )


def _anchor(contest: Contest, at: int, head: int, chunk: int, sentence: int) -> Place | None:
    """Where a sentence states what the claim denies: the denied word, or the nearest word around it."""
    sentence_of = contest.chunks[chunk].sentence_of
    positions = contest.indexes[chunk].positions
    stems = [contest.claim.stems[head], *(stem for stem, _, _ in contest.neighbours(at, at).words[:3])]
    for stem in stems:
        for word in positions.get(stem, ()):
            if sentence_of[word] == sentence:
                return Place(chunk, word)
    return None


def _is_denied_near(contest: Contest, place: Place, own: set[str]) -> bool:
    """Whether there is a denial near a place: a negation, or a denying word that the claim lacks."""
    view = contest.chunks[place.chunk]
    return place.word in view.denied or any(
        cue in view.negated_at or view.stems[cue] not in own for cue in view.cues_near(place.word, _CUE_REACH)
    )


def _chunk_denies(contest: Contest) -> Iterator[Candidate]:
    claim, denials = contest.claim, contest.sources.denials
    if denials.keys().isdisjoint(claim.stems) or claim.negations or _keeps_from(claim):
        return
    heads = {claim.stems[number]: number for number in reversed(claim.content)}
    duels: dict[str, Duel] = {}
    for place, which in sorted(denial for stem in heads for denial in denials.get(stem, ())):
        view = contest.chunks[place.chunk]
        stem = view.stems[place.word]
        head = heads[stem]
        strength = contest.bind(head, head, place)
        if strength <= _MARGIN or _explains(contest, place):
            continue
        if stem not in duels:
            duels[stem] = Duel(contest, head, margin=_MARGIN)
            for other in contest.places(stem):
                if other.word not in contest.chunks[other.chunk].denied:
                    duels[stem].meet(other, agrees=True)
        if strength > duels[stem].ally + _MARGIN:
            token = claim.tokens[head]
            theirs = view.negations[which].start, view.tokens[place.word].end
            doubts = reasons(unsure=_is_unsure(view, view.negation_at[which]))
            rival = Rival(strength, place)
            yield candidate(contest, "negation", (token.start, token.end), rival, theirs, doubts)


def _explains(contest: Contest, place: Place) -> bool:
    """Whether the claim denies in its own words: with a cue that the sentence lacks."""
    stems = contest.stems(*contest.spot(place))
    return any(contest.claim.stems[cue] not in stems for cue in contest.claim.cues)


def _keeps_from(claim: View) -> bool:
    """Whether a claim has the form "keep the birds from nesting"."""
    norms = claim.norms
    return "from" in norms and not _KEEPING.isdisjoint(norms[: norms.index("from")])


_SIDE_WORDS = 5
# A full stop inside a sentence marks an abbreviation ("Ltd.").
_CLAUSE_SIGNS = frozenset(",;:()\n")
_CLAUSE_WORDS = words("conflicts", "clause words")
#: Words that join a relational word to its other side.
_JOINING = frozenset(("of", "from", "to"))
#: Distance from a comparison to its "than", and words after "than" that are read.
_THAN_WITHIN = 6
_BEHIND_THAN = 4
#: Content words before "after" that the other sentence must contain.
_LEFT_OF_ORDER = 3
_NO_RIVALS: Mapping[str, str] = {}

#: Stems of the content words to the left and right of a word, nearest first.
_Sides = tuple[list[str], list[str]]


class _Word(NamedTuple):
    """A word of a text, with the bounds of its sentence."""

    view: View
    number: int
    low: int
    high: int


def opposite_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Words of the claim whose opposite a chunk uses about the same thing."""
    claim, held = contest.claim, contest.sources.held
    opposed, negative = contest.sources.opposed, claim.with_mark(NEGATIVE)
    known = {number for number, stem in enumerate(claim.stems) if stem in opposed}
    for number in sorted(known.union(negative, claim.with_mark(TWINNED))):
        norm, stem = claim.norms[number], claim.stems[number]
        opposite = twin_stems(norm)
        if number in negative and not claim.tokens[number].is_stop:
            opposite += negated_stems(norm)
        rivals: Mapping[str, str] = opposed.get(stem, _NO_RIVALS)
        if opposite:
            rivals = {**rivals, **{base: "antonym" for base in opposite if base in held}}
        if rivals and norm not in HOMONYMS and not is_of_limit(claim, number):
            yield from _against(contest, number, rivals)


def _against(contest: Contest, number: int, rivals: Mapping[str, str]) -> Iterator[Candidate]:
    claim = contest.claim
    token = claim.tokens[number]
    denied: bool | None = None
    duel, least = Duel(contest, number), 0.0
    for stem, kind in sorted(rivals.items()):
        own = [at for at, other in enumerate(claim.stems) if other == stem] if stem in claim.stems else ()
        for place in contest.places(stem):
            view, spot = contest.chunks[place.chunk], contest.spot(place)
            if contest.local(number, number, *spot) <= least:
                # Nothing in its sentence is bound more closely: most places of common words end here.
                continue
            if token.stem in contest.stems(*spot) or view.norms[place.word] in HOMONYMS:
                continue
            if denied is None:
                denied = number in claim.denied or is_turned(claim, number)
            if denied != (place.word in view.denied or is_turned(view, place.word)):
                # "not safe" and "dangerous" agree.
                continue
            if agree_in_mirror(contest, number, place, kind):
                duel.agree(contest.bind(number, number, place), spot)
                continue
            strength = contest.bind(number, number, place)
            if any(contest.bind(at, at, place) >= strength for at in own):
                # The claim also contains that word, and means it there.
                continue
            if strength > least:
                duel.differ(strength, place, kind)
                least = strength
    for place in contest.places(token.stem) if least else ():
        if contest.local(number, number, *contest.spot(place)) >= least:
            duel.meet(place, agrees=True)
    rival = duel.winner()
    if rival is not None:
        kind = rival.what
        if kind == "antonym" and not token.is_name and not is_backed(contest, token):
            # No source uses the claim's word about anything.
            kind = "opposed"
        heads = {_head_of(claim, number), _head_of(contest.chunks[rival.place.chunk], rival.place.word)}
        # "The smaller tablet", "the larger model": about two things, or about one by two names.
        yield from duel.candidates(kind, reasons(other_thing=len(heads) == 2 and "" not in heads))


def is_of_limit(claim: View, number: int) -> bool:
    """Whether a word belongs to a limit: "refused" in "over 5 kg are refused"."""
    start, end = claim.tokens[number].start, claim.tokens[number].end
    for fact in claim.facts:
        if fact.lead <= start and end <= fact.tail and (end <= fact.start or fact.end <= start):
            return True
    return False


def agree_in_mirror(contest: Contest, number: int, place: Place, kind: str) -> bool:
    """Whether a word and its opposite mean the same: "A is larger than B", "B is smaller than A"."""
    claim = _Word(contest.claim, number, 0, len(contest.claim.tokens))
    source = _Word(contest.chunks[place.chunk], place.word, *contest.bounds(*contest.spot(place)))
    ours, theirs, joints = _around(claim), _around(source), (_joint(claim), _joint(source))
    # "South of B", "B lies north of A": the subject is elsewhere.
    if _are_mirrored(ours, theirs) or (all(joints) and _is_behind(ours, theirs)):
        return True
    if kind == "antonym":
        return False
    if "than" in joints and (_is_behind(ours, theirs) or _is_behind(ours[::-1], theirs[::-1])):
        return True
    if _is_other_side(claim, source) or _is_other_side(source, claim):
        return True
    if kind == "order":
        # "The choir came before the nave", "the fire came after it": about something else.
        is_other = not contest.spoken_of(*contest.spot(place)).issuperset(ours[0][:_LEFT_OF_ORDER])
        return is_other or (bool(ours[1] and theirs[1]) and set(ours[1]).isdisjoint(theirs[1]))
    mine, other = _than(claim), _than(source)
    # "Than a rye dough", "than a spelt dough".
    return bool(mine - other and other - mine)


def _around(word: _Word) -> _Sides:
    """Up to five content words on either side of a word, within its clause."""
    view, tokens, text = word.view, word.view.tokens, word.view.text
    sides: _Sides = ([], [])
    for side, step in zip(sides, (-1, 1), strict=True):
        at = word.number + step
        while word.low <= at < word.high and len(side) < _SIDE_WORDS:
            before, after = (at, at + 1) if step < 0 else (at - 1, at)
            between = text[tokens[before].end : tokens[after].start]
            if not _CLAUSE_SIGNS.isdisjoint(between) or tokens[at].norm in _CLAUSE_WORDS:
                break
            if _is_telling(view, at):
                side.append(tokens[at].stem)
            at += step
    return sides


def _are_mirrored(ours: _Sides, theirs: _Sides) -> bool:
    """Whether the sides of two words are exchanged: "A > B" and "B < A"."""
    (left, right), (other_left, other_right) = (tuple(map(set, sides)) for sides in (ours, theirs))
    ahead, behind = left & other_right - other_left, right & other_left - other_right
    straight = len(left & other_left) + len(right & other_right)
    return bool(ahead and behind) or len(ahead) + len(behind) > straight


def _is_behind(ours: _Sides, theirs: _Sides) -> bool:
    """Whether the first word after the one comes before the other, and not after it."""
    return bool(ours[1]) and ours[1][0] in theirs[0] and ours[1][0] not in theirs[1]


def _joint(word: _Word) -> str:
    """The word that joins a word to its other side: "of" right after it, "than" soon after; or ""."""
    behind = word.view.norms[word.number + 1 : word.number + 1 + _THAN_WITHIN]
    if behind and behind[0] in _JOINING:
        return behind[0]
    return "than" if "than" in behind else ""


def _than(word: _Word) -> set[str]:
    """Stems of the content words after the next "than"; empty where none is near."""
    view, first, high = word.view, word.number + 1, word.high
    than = next((n for n in range(first, min(high, first + _THAN_WITHIN)) if view.norms[n] == "than"), high)
    return {
        view.stems[n] for n in range(than + 1, min(high, than + 1 + _BEHIND_THAN)) if _is_telling(view, n)
    }


def _is_other_side(word: _Word, other: _Word) -> bool:
    """Whether one text compares with what the other is about: "thinner than Velm's", "Velm's are thicker"."""
    own = word.view.stems[word.low : word.number]
    # Words common to both sides do not count: "a spelt dough", "a rye dough".
    telling = _than(word).difference(own)
    ahead, behind = other.view.stems[other.low : other.number], other.view.stems[other.number : other.high]
    return bool(telling) and telling.issubset(ahead) and telling.isdisjoint(behind)


def _head_of(view: View, number: int) -> str:
    """Stem of the content word right after a word that may describe it, or ""."""
    if number + 1 >= len(view.tokens):
        return ""
    token = view.tokens[number + 1]
    joined = view.text[view.tokens[number].end : token.start] == " " and not token.is_stop
    return token.stem if joined and view.sentence_of[number + 1] == view.sentence_of[number] else ""


def is_backed(contest: Contest, token: Token) -> bool:
    """Whether a source contains a word or a near synonym."""
    same = (token.stem, *alike(token.stem), *synonyms_of(token.stem))
    return any(map(contest.sources.holds, same))


def is_turned(view: View, number: int) -> bool:
    """Whether the word before a word reverses it: "less safe", "avoid hot water", "won't likely"."""
    sentence_of, own = view.sentence_of, view.sentence_of[number]
    if view.negated_at:
        for at in range(number - 3, number):
            if at in view.negated_at and sentence_of[at] == own:
                return True
    for at in range(max(0, number - 2), number):
        if view.norms[at] in TURNING and sentence_of[at] == own:
            return True
    return False


def _is_telling(view: View, number: int) -> bool:
    """Whether a word may be one of the sides: content words, and capitals that name ("Model A")."""
    token = view.tokens[number]
    if not token.is_stop:
        return True
    return number > 0 and token.end - token.start == 1 and view.text[token.start].isupper()
