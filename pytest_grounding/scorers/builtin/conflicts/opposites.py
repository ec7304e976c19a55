"""Negations and opposites, duties against permissions, and quantifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from pytest_grounding.evidence import conflict_words
from pytest_grounding.evidence.denial_words import has_zero
from pytest_grounding.evidence.lost_denials import is_about_exception
from pytest_grounding.evidence.sentence_view import MOST_PLACES, Place, View
from pytest_grounding.evidence.statements import has_word
from pytest_grounding.evidence.token_index import synonyms_of
from pytest_grounding.lexicon import table, words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.facts.numerals import ORDINALS, SMALL
from pytest_grounding.reading.words import Token
from pytest_grounding.scorers.builtin.conflicts.contest import (
    Candidate,
    Contest,
    Duel,
    Rival,
    candidate,
    reasons,
)

_CUE_REACH = 9
#: Margin by which a denial must be bound more closely than a statement that agrees.
_MARGIN = 0.05
_SENTENCES = 5  # sentences of the sources that are examined
_UNSAID = words("conflicts", "unsaid")
_LOOSE = words("conflicts", "loose denials")
_OPEN = words("conflicts", "open")
_KEEPING = words("conflicts", "keeping")
_DIFFERENT = words("denials", "different")
_ABSENT = pattern("matching", "absent")

_SIDE_WORDS = 5
# A full stop inside a sentence marks an abbreviation ("Ltd.").
_CLAUSE_SIGNS = frozenset(",;:()\n")
_CLAUSE_WORDS = words("conflicts", "clause words")
_JOINING = frozenset(("of", "from", "to"))  # words that join a relational word to its other side
#: Distance from a comparison to its "than", and words after "than" that are read.
_THAN_WITHIN = 6
_BEHIND_THAN = 4
_LEFT_OF_ORDER = 3  # content words before "after" that the other sentence must contain
_NO_RIVALS: Mapping[str, str] = {}
#: Stems of the content words to the left and right of a word, nearest first.
_Sides = tuple[list[str], list[str]]

#: A verb may be a duty, a choice, or forbidden.
Modality = Literal["duty", "choice", "ban"]
_MODALS: dict[str, Modality] = {
    **dict.fromkeys(words("conflicts", "duties"), "duty"),
    **dict.fromkeys(words("conflicts", "choices"), "choice"),
}
_BEFORE_TO: dict[str, Modality] = {
    **dict.fromkeys(words("conflicts", "duties before to"), "duty"),
    **dict.fromkeys(words("conflicts", "choices before to"), "choice"),
}
DENIED: dict[Modality, Modality] = {"duty": "choice", "choice": "ban"}
_BANS = words("conflicts", "bans")
_NO_DUTY = "needn't"
_UNSURE = words("conflicts", "unsure duties")
_NOT = words("conflicts", "denying a duty")
CUES = frozenset({*_MODALS, *_BEFORE_TO, *_BANS, _NO_DUTY})
_REACH = 4  # words between a modal and its verb, and before it to a negation
_NEAR = 2
_LEAST = 0.35

_SHARES = table("conflicts", "shares").keys()
_BEHIND_SHARES = frozenset({"of", "the", "its", "their", "our"})
_NONE, _SOME, _MOST, _ALL = 0, 2, 4, 5
_SPANS = words("conflicts", "spans")
_COMPARED = words("conflicts", "compared")
_SUPERLATIVE = words("conflicts", "before superlatives")
_HEAD_REACH = 5
_SIGNS = frozenset(",;:()")
#: Bonus for an ally with the same head noun; an ally about another thing counts half.
_SHARED_HEAD = 0.1
_OTHER_HEAD = 0.5


def negation_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Places where the claim denies what a chunk states, or states what a chunk denies."""
    yield from _claim_denies(contest)
    yield from _chunk_denies(contest)


def is_about_sources(claim: View) -> bool:
    """Whether a claim is about what the sources lack: "the passages do not mention X"."""
    return bool(claim.with_mark(conflict_words.SOURCE)) and _ABSENT.search(claim.text) is not None


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
            if _is_denied_near(contest, place, own) or _agrees_otherwise(contest, chunk, sentence):
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
    _, around = contest.neighbours(at, at)
    stems = [contest.claim.stems[head], *(stem for stem, _, _ in around[:3])]
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


def _agrees_otherwise(contest: Contest, chunk: int, sentence: int) -> bool:
    """Whether a sentence counts none, excepts what is denied, or calls different what is not the same."""
    low, high = contest.bounds(chunk, sentence)
    tokens = contest.chunks[chunk].tokens[low:high]
    return (
        is_about_exception(contest.claim.tokens, tokens)
        or has_zero(tokens)
        or ("same" in contest.claim.norms and has_word(tokens, _DIFFERENT))
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


class _BoundedWord(NamedTuple):
    """A word of a text, with the bounds of its sentence."""

    view: View
    number: int
    low: int
    high: int


def opposite_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Words of the claim whose opposite a chunk uses about the same thing."""
    claim, held = contest.claim, contest.sources.held
    opposed, negative = contest.sources.opposed, claim.with_mark(conflict_words.NEGATIVE)
    known = {number for number, stem in enumerate(claim.stems) if stem in opposed}
    for number in sorted(known.union(negative, claim.with_mark(conflict_words.TWINNED))):
        norm, stem = claim.norms[number], claim.stems[number]
        opposite = conflict_words.twin_stems(norm)
        if number in negative and not claim.tokens[number].is_stop:
            opposite += conflict_words.negated_stems(norm)
        rivals: Mapping[str, str] = opposed.get(stem, _NO_RIVALS)
        if opposite:
            rivals = {**rivals, **{base: "antonym" for base in opposite if base in held}}
        if rivals and norm not in conflict_words.HOMONYMS and not is_of_limit(claim, number):
            yield from _opposites_against(contest, number, rivals)


def _opposites_against(contest: Contest, number: int, rivals: Mapping[str, str]) -> Iterator[Candidate]:
    claim = contest.claim
    token = claim.tokens[number]
    denied: bool | None = None
    same = {token.stem, *conflict_words.alike(token.stem), *synonyms_of(token.stem)}
    duel, least = Duel(contest, number), 0.0
    for stem, kind in sorted(rivals.items()):
        own = [at for at, other in enumerate(claim.stems) if other == stem] if stem in claim.stems else ()
        for place in contest.places(stem):
            view, spot = contest.chunks[place.chunk], contest.spot(place)
            if contest.local(number, number, *spot) <= least:
                # Nothing in its sentence is bound more closely: most places of common words end here.
                continue
            if not same.isdisjoint(contest.stems(*spot)) or view.norms[place.word] in conflict_words.HOMONYMS:
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
    claim = _BoundedWord(contest.claim, number, 0, len(contest.claim.tokens))
    source = _BoundedWord(contest.chunks[place.chunk], place.word, *contest.bounds(*contest.spot(place)))
    ours, theirs, joints = _around(claim), _around(source), (_joint(claim), _joint(source))
    # "South of B", "B lies north of A": the subject is elsewhere.
    if _are_mirrored(ours, theirs) or (all(joints) and _follows(ours, theirs)):
        return True
    if kind == "antonym":
        return False
    if "than" in joints and (_follows(ours, theirs) or _follows(ours[::-1], theirs[::-1])):
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


def _around(word: _BoundedWord) -> _Sides:
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


def _follows(ours: _Sides, theirs: _Sides) -> bool:
    """Whether the first word after the one comes before the other, and not after it."""
    return bool(ours[1]) and ours[1][0] in theirs[0] and ours[1][0] not in theirs[1]


def _joint(word: _BoundedWord) -> str:
    """The word that joins a word to its other side: "of" right after it, "than" soon after; or ""."""
    behind = word.view.norms[word.number + 1 : word.number + 1 + _THAN_WITHIN]
    if behind and behind[0] in _JOINING:
        return behind[0]
    return "than" if "than" in behind else ""


def _than(word: _BoundedWord) -> set[str]:
    """Stems of the content words after the next "than"; empty where none is near."""
    view, first, high = word.view, word.number + 1, word.high
    than = next((n for n in range(first, min(high, first + _THAN_WITHIN)) if view.norms[n] == "than"), high)
    return {
        view.stems[n] for n in range(than + 1, min(high, than + 1 + _BEHIND_THAN)) if _is_telling(view, n)
    }


def _is_other_side(word: _BoundedWord, other: _BoundedWord) -> bool:
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
    same = (token.stem, *conflict_words.alike(token.stem), *synonyms_of(token.stem))
    return any(map(contest.sources.holds, same))


def is_turned(view: View, number: int) -> bool:
    """Whether the word before a word reverses it: "less safe", "avoid hot water", "won't likely"."""
    sentence_of, own = view.sentence_of, view.sentence_of[number]
    if view.negated_at:
        for at in range(number - 3, number):
            if at in view.negated_at and sentence_of[at] == own:
                return True
    for at in range(max(0, number - 2), number):
        if view.norms[at] in conflict_words.TURNING and sentence_of[at] == own:
            return True
    return False


def _is_telling(view: View, number: int) -> bool:
    """Whether a word may be one of the sides: content words, and capitals that name ("Model A")."""
    token = view.tokens[number]
    if not token.is_stop:
        return True
    return number > 0 and token.end - token.start == 1 and view.text[token.start].isupper()


def has_modal(claim: View) -> bool:
    """Whether a claim has a modal of duty or choice."""
    return not CUES.isdisjoint(claim.norms)


def modality_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Duties of the claim that a chunk makes optional, and options that a chunk makes a duty."""
    claim = contest.claim
    for at, norm in enumerate(claim.norms):
        modality = modality_at(claim, at) if norm in CUES else None
        verb = verb_after(claim, at) if modality in ("duty", "choice") else None
        if verb is None:
            continue
        duel = Duel(contest, verb)
        for place in contest.places(claim.stems[verb]):
            other, theirs = _modality_of(contest.chunks[place.chunk], place.word)
            if theirs == modality:
                duel.agree(contest.bind(verb, verb, place))
            elif theirs in ("duty", "choice"):
                duel.differ(contest.bind(verb, verb, place), Place(place.chunk, other))
        rival = duel.winner()
        if rival is not None and rival.strength >= _LEAST:
            yield candidate(contest, "modality", (claim.tokens[at].start, claim.tokens[at].end), rival)


def modality_at(view: View, at: int) -> Modality | None:
    """The effect of the word at an index on the verb after it; None if it is not a modal."""
    norms = view.norms
    norm = norms[at]
    following = norms[at + 1] if at + 1 < len(norms) else ""
    if norm in _BANS:
        return "ban"
    if norm in _MODALS:
        if following == "only" or following in _BEFORE_TO:
            # "Can only", "may need to": neither a duty nor a choice.
            return None
        return "ban" if following in _NOT else _MODALS[norm]
    if norm in _BEFORE_TO and following == "to":
        before = norms[max(0, at - _NEAR) : at]
        if not _UNSURE.isdisjoint(before):
            return None
        is_denied = any(number in view.negated_at for number in range(at - len(before), at))
        return DENIED[_BEFORE_TO[norm]] if is_denied else _BEFORE_TO[norm]
    return "choice" if norm == _NO_DUTY or (norm == "need" and following == "not") else None


def verb_after(view: View, at: int) -> int | None:
    """The content word that a modal applies to."""
    own = view.sentence_of[at]
    for number in range(at + 1, min(len(view.tokens), at + 2 + _REACH)):
        if view.sentence_of[number] != own:
            return None
        if not view.tokens[number].is_stop:
            return (
                number if view.norms[number] not in _MODALS and view.norms[number] not in _BEFORE_TO else None
            )
    return None


def _modality_of(view: View, verb: int) -> tuple[int, Modality | None]:
    """The modal before a word of a chunk, and its effect; None where there is none."""
    first = max(0, verb - 1 - _REACH)
    if CUES.isdisjoint(view.norms[first:verb]):
        return verb, None
    own = view.sentence_of[verb]
    for at in range(verb - 1, first - 1, -1):
        if view.sentence_of[at] != own:
            break
        modality = modality_at(view, at)
        if modality is not None:
            return (at, modality) if verb_after(view, at) == verb else (verb, None)
    return verb, None


class Level(NamedTuple):
    """A quantifier: its scale, and its step on it; different scales are not compared."""

    scale: str
    step: int


_LEVELS: Mapping[str, Level] = {
    word: Level(scale, int(step))
    for scale, section in (("amounts", "amounts"), ("amounts", "shares"), ("frequencies", "frequencies"))
    for word, step in table("conflicts", section).items()
}


def quantifies(claim: View) -> bool:
    """Whether a claim has a word for how much or how often."""
    return bool(claim.with_mark(conflict_words.QUANTIFIES))


def quantifier_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Quantifiers of the claim ("all") against another of the same scale ("some") about the same thing."""
    claim = contest.claim
    for number in claim.with_mark(conflict_words.QUANTIFIES):
        level, head = _level_at(claim, number), _heads(claim, number)
        if level is None or not head or _is_superlative(claim, number):
            continue
        duel = Duel(contest, number)
        for chunk, view in enumerate(contest.chunks):
            for at in view.with_mark(conflict_words.QUANTIFIES)[:MOST_PLACES]:
                other = _level_at(view, at)
                if other is None or other.scale != level.scale or _is_other_sort(claim, number, view, at):
                    continue
                strength, shares = (
                    contest.bind(number, number, Place(chunk, at)),
                    _share(head, _heads(view, at)),
                )
                if level.step == other.step and view.norms[at] == claim.norms[number]:
                    # "Most own a car, but only some use it": ambiguous.
                    duel.agree(0.0, (chunk, view.sentence_of[at]))
                if not _are_apart(level.step, other.step):
                    # "every day" does not support "all households".
                    duel.agree(strength + _SHARED_HEAD if shares else _OTHER_HEAD * strength)
                elif shares:
                    duel.differ(strength, Place(chunk, at))
        yield from duel.candidates("quantifier")


def _level_at(view: View, number: int) -> Level | None:
    """Scale and step of a quantifier; "not all" means some. None inside a limit: "at most eight"."""
    norms, norm = view.norms, view.norms[number]
    before = norms[number - 1] if number else ""
    following = view.tokens[number + 1] if number + 1 < len(norms) else None
    after = "" if following is None else following.norm
    if norm in {"every", "few"} and (after in _SPANS or (following is not None and following.is_number)):
        # "Every 4 minutes", "a few minutes".
        return None
    if (norm == "most" and before == "at") or (norm == "no" and (after in _COMPARED or after == "other")):
        return None
    if norm in _SHARES:
        return _LEVELS[norm] if after in _BEHIND_SHARES and before not in ORDINALS else None
    level = _LEVELS[norm]
    if level.step >= _MOST and (before == "not" or before.endswith(("n't", "n’t"))):
        return level._replace(step=_SOME)
    return level


def _is_other_sort(claim: View, number: int, view: View, at: int) -> bool:
    """Whether one is a share and the other is neither a share nor "all"."""
    ours, theirs = claim.norms[number], view.norms[at]
    return (ours in _SHARES) != (theirs in _SHARES) and "all" not in (ours, theirs)


def _is_superlative(view: View, number: int) -> bool:
    """Whether "most" forms a superlative: "the most people"."""
    return view.norms[number] == "most" and number > 0 and view.norms[number - 1] in _SUPERLATIVE


def _are_apart(a: int, b: int) -> bool:
    """Whether two steps of a scale contradict: "all" or "no" against any other, else two steps apart."""
    return a != b and (abs(a - b) >= 2 or max(a, b) == _ALL or min(a, b) == _NONE)


def _heads(view: View, number: int) -> list[str]:
    """Stems of the next two content words after a quantifier, before the next punctuation mark."""
    own = view.sentence_of[number]
    found: list[str] = []
    for at in range(number + 1, min(number + 1 + _HEAD_REACH, len(view.tokens))):
        between = view.gap(at)
        if view.sentence_of[at] != own or len(found) == 2 or not _SIGNS.isdisjoint(between):
            break
        if not (view.tokens[at].is_stop or view.tokens[at].is_number or view.norms[at] in SMALL):
            # "All ten members" and "half of the members" are about the same thing.
            found.append(view.stems[at])
    return found


def _share(heads: list[str], others: list[str]) -> bool:
    """Whether two quantifiers are about the same thing: one's next word follows the other."""
    return bool(heads and others) and (heads[0] in others or others[0] in heads)
