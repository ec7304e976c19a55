"""Denials that a claim lost: the sentence that says the same denies it, or leaves its subject out."""

from __future__ import annotations

from collections.abc import Sequence, Set

from pytest_grounding.evidence.conflict_words import stem_of
from pytest_grounding.evidence.denial_words import WITHOUT, count_of_denials, count_of_deniers, says_otherwise
from pytest_grounding.evidence.ledger_sources import is_denier
from pytest_grounding.evidence.settled import Outcome
from pytest_grounding.evidence.statements import Grounds, Statement, has_word
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts.measures import ADVERBS
from pytest_grounding.reading.grammar import has_finite_verb, is_finite_verb
from pytest_grounding.reading.words import Token

_UNIVERSAL = words("denials", "universal")
_EXCEPTING = words("conditions", "excepting") - {"unless"}
_UNIVERSAL_OR_DAILY = _UNIVERSAL | frozenset(ADVERBS)
_KEEPING = words("conflicts", "keeping")
_ENDING = words("denials", "ending")
_FIRM = _ENDING | {WITHOUT, "too"}
_NO, _MUST = "no", "must"
_NOTHING = frozenset({"nothing"})
IDLE_AFTER = words("denials", "idle after")
_LEAVING_OUT = words("denials", "leaving out")
_LEFT_OUT = ("left", "out")
_LEAVING_OUT_STEMS = frozenset(stem_of(word) for word in (*_LEAVING_OUT, _LEFT_OUT[0]))
_MAYBE = words("denials", "permitting")
_RESTRICTING = words("denials", "restricting")
_FROM = "from"
_BEING = words("denials", "being")
_ADVERB_END = "ly"
_ARTICLES = words("denials", "articles")
_CASES = frozenset({"if", "unless", "whether"})
_CASE_REACH = 6  # words before a denial that are searched for "if"
#: Content words of a claim, and of a part of one, that may have lost its denial, …
_FEWEST, _FEWEST_OF_A_PART = 2, 3
_CLOSE = 0.9  # … and the share of it that one sentence holds
#: Words from a denial of a source to the word of the claim that it denies, and in "too narrow to".
_RIGHT_AFTER = 3
#: Content words of a claim beside its subject, which a source says to be left out.
_REST = 2


def lost_denial(
    part: Sequence[Token], grounds: Grounds, agrees_to: frozenset[str], *, is_whole: bool
) -> Outcome | None:
    """A part of a claim, or the whole, that the sources deny or leave out; after "yes", with the question."""
    if grounds.words.has(_KEEPING) and _is_kept_from(part):
        return None
    denied = _denied_everywhere(part, grounds, agrees_to, is_whole=is_whole) or _left_out(part, grounds)
    return denied or _excepted(part, grounds)


def is_about_exception(claim: Sequence[Token], sentence: Sequence[Token]) -> bool:
    """Whether a claim speaks of what a sentence excepts: Mondays, of "open daily except Mondays"."""
    said = {token.stem for token in claim}
    at = next((number for number, token in enumerate(sentence) if token.norm in _EXCEPTING), None)
    if at is None or not has_word(sentence[:at], _UNIVERSAL_OR_DAILY) or has_word(claim, _EXCEPTING):
        return False
    behind = sentence[at + 1 :]
    end = next((number for number, token in enumerate(behind) if is_finite_verb(token.norm)), len(behind))
    left = {token.stem for token in behind[:end] if not token.is_stop}
    return 0 < len(left) <= _REST and left <= said


def _excepted(part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """Whether a sentence says of all but the claim's subject what the claim says of it."""
    if not any(statement.has(_EXCEPTING) for statement in grounds.statements):
        return None
    content = {token.stem for token in part if not token.is_stop}
    if len(content) < _FEWEST:
        return None
    for statement in grounds.statements:
        if not statement.has(_EXCEPTING) or not is_about_exception(part, statement.tokens):
            continue
        if all(statement.words.has_stem(grounds.forms(stem)) for stem in content):
            return statement.outcome("denied")
    return None


def one_of_two_lost(part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """A part of a claim that denies, and lost another denial: "who has (not) paid may not vote"."""
    content = {token.stem for token in part if not token.is_stop}
    own = _denied_heads(part)
    if len(content) < _FEWEST_OF_A_PART or not own:
        return None
    forms = frozenset().union(*(grounds.forms(stem) for stem in content))
    denying: Statement | None = None
    for statement in grounds.statements:
        if grounds.share_of(content, statement) < _CLOSE:
            continue
        source = statement.parts[_best_part(statement.parts, _with_subjects(statement.parts), forms)]
        is_more = count_of_deniers(source) > count_of_deniers(part)
        if not is_more or not (_denied_heads(source) - own) & forms:
            return None
        denying = denying or statement
    return None if denying is None else denying.outcome("denied")


def _denied_heads(part: Sequence[Token]) -> frozenset[str]:
    """Stems of the words that a part denies."""
    places = (first_content(part, number) for number in range(len(part)) if _is_firm(part, number))
    return frozenset(part[place].stem for place in places if place is not None)


def is_in_a_case(tokens: Sequence[Token], at: int) -> bool:
    """Whether "if" or its like stands shortly before a word."""
    return has_word(tokens[max(0, at - _CASE_REACH) : at], _CASES)


def is_cut_short(part: Sequence[Token], at: int) -> bool:
    """Whether nothing follows a denial: "talks are recorded, workshops are not"."""
    return all(token.is_stop for token in part[at + 1 :])


def first_content(part: Sequence[Token], at: int) -> int | None:
    """The place of the first content word right after a denial, adverbs aside."""
    for number in range(at + 1, min(len(part), at + 1 + _RIGHT_AFTER)):
        if not part[number].is_stop and not part[number].norm.endswith(_ADVERB_END):
            return number
    return None


def _is_kept_from(part: Sequence[Token]) -> bool:
    """Whether a part of a claim denies by "keep … from": "keep the birds from nesting"."""
    norms = [token.norm for token in part]
    return not _KEEPING.isdisjoint(norms) and _FROM in norms


def _denied_everywhere(
    part: Sequence[Token], grounds: Grounds, agrees_to: frozenset[str], *, is_whole: bool
) -> Outcome | None:
    """A part of a claim is denied where each sentence that holds nearly all of it denies it."""
    # Without such a word `_is_firm` finds nothing.
    if not any(item.words.is_denying or item.has(_FIRM) for item in grounds.statements):
        return None
    content = {token.stem for token in part if not token.is_stop and token.norm not in _UNIVERSAL}
    if is_whole and len(content) < _FEWEST:
        # "Yes, you may use it": the question says the rest.
        content |= agrees_to
    if any(statement.has(_NOTHING) for statement in grounds.statements):
        # "Pays a fee" beside "pays nothing".
        content = {stem for stem in content if grounds.is_known(stem)}
    if len(content) < (_FEWEST if is_whole else _FEWEST_OF_A_PART):
        return None
    stems = frozenset().union(*(grounds.forms(stem) for stem in content))
    own = count_of_deniers(part)
    denying: Statement | None = None
    for statement in grounds.statements:
        if grounds.share_of(content, statement) < _CLOSE:
            continue
        if own and not statement.has({WITHOUT}):
            return None
        if says_otherwise(part, besides=statement.words.stems) or not _is_denied_in(statement, stems, own):
            return None
        denying = denying or statement
    return None if denying is None else denying.outcome("denied")


def _is_denied_in(statement: Statement, stems: frozenset[str], own: int) -> bool:
    """Whether a sentence's best part denies the claim, which has ``own`` times "without", or is cut short."""
    if own and count_of_denials(statement.tokens) <= own:
        return False
    parts = statement.parts
    saying = _with_subjects(parts)
    best = _best_part(parts, saying, stems)
    if _takes_up(parts, best, stems):
        return False
    # "It does pay for a ticket": of whom the part before speaks.
    said = saying[best]
    is_twice_denied = _are_two(count_of_denials(statement.tokens) - own)
    if is_twice_denied and statement.has(_CASES):
        # "If it has no filter, it is not admitted": it needs one.
        return False
    for number, part in enumerate(parts):
        is_best = number == best
        denials = count_of_denials(part) - own
        if is_best and (_are_two(denials) or (own and denials < 1)):
            continue
        if _part_denies_claim(part, stems, is_best=is_best, said=said):
            return is_best or not is_twice_denied
    return False


def _best_part(parts: Sequence[Sequence[Token]], saying: Sequence[Set[str]], stems: Set[str]) -> int:
    """The part that says most of a claim; of those that say as much, one that denies nothing."""
    held = [len(said & stems) for said in saying]
    most = max(held)
    same = [number for number, count in enumerate(held) if count == most]
    return min(same, key=lambda number: count_of_denials(parts[number]))


def _with_subjects(parts: Sequence[Sequence[Token]]) -> list[Set[str]]:
    """What each part says; one without a subject of its own has that of the part before."""
    found: list[Set[str]] = []
    subject: Set[str] = frozenset()
    for part in parts:
        verb = next((number for number, token in enumerate(part) if is_finite_verb(token.norm)), None)
        before = frozenset(token.stem for token in part[:verb] if not token.is_stop)
        if verb is not None and before:
            subject = before
        has_own = verb is None or bool(before)
        own = frozenset(token.stem for token in part)
        found.append(own if has_own else own | subject)
    return found


def is_taken_back(parts: Sequence[Sequence[Token]], stems: Set[str]) -> bool:
    """Whether a sentence denies what a claim says, and then affirms it of what the claim speaks of."""
    return len(parts) > 1 and _takes_up(parts, _best_part(parts, _with_subjects(parts), stems), stems)


def _are_two(denials: int) -> bool:
    """Whether denials take each other back: "not … without"."""
    return denials > 0 and denials % 2 == 0


def _takes_up(parts: Sequence[Sequence[Token]], best: int, stems: Set[str]) -> bool:
    """Whether a short part turns what the best one says for another thing: "on route 8 most did"."""
    said = {token.stem for token in parts[best]}
    if not count_of_denials(parts[best]):
        return False
    for number, part in enumerate(parts):
        own = {token.stem for token in part if token.stem in stems} - said
        if number == best or not own:
            continue
        last = part[-1]
        is_short = last.is_stop and has_finite_verb([last.norm])
        if is_short or (is_denier(last.norm) and is_cut_short(part, len(part) - 1)):
            return True
    return False


def _part_denies_claim(
    part: Sequence[Token], stems: frozenset[str], *, is_best: bool, said: Set[str]
) -> bool:
    """Whether a part denies what the claim says, of something that the best part does not have."""
    places = [number for number, token in enumerate(part) if token.stem in stems]
    # Where its subject begins: "but dessert is not included".
    telling = min((place for place in places if is_best or part[place].stem not in said), default=len(part))
    for number in range(len(part)):
        following = part[number + 1].norm if number + 1 < len(part) else ""
        if not _is_firm(part, number) or following in IDLE_AFTER or is_in_a_case(part, number):
            continue
        if (is_best or telling < number) and first_content(part, number) in places:
            return True
        is_forbidden = is_best and number > 0 and part[number - 1].norm == _MUST
        is_nothing = is_best and part[number].norm in _NOTHING
        if (is_forbidden or is_nothing) and places and is_cut_short(part, number):
            return True
        if not is_best and places and is_cut_short(part, number):
            subject = {token.stem for token in part[:number] if not token.is_stop}
            # "Links that point outside are not" speaks of other links.
            return subject <= stems
    return False


def _is_firm(part: Sequence[Token], at: int) -> bool:
    """Whether a word denies what follows: "not", "too narrow to", "ended"."""
    norm = part[at].norm
    if norm == "to":
        return any(token.norm == "too" for token in part[max(0, at - _RIGHT_AFTER) : at])
    if norm in _ENDING:
        return at + 1 < len(part) and part[at + 1].norm in _ARTICLES
    if norm == _NO and at + 1 < len(part) and part[at + 1].start - part[at].end > 1:
        # "No, I rent a canoe."
        return False
    return norm == WITHOUT or is_denier(norm)


def _left_out(part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """Whether a sentence says of the subject of a claim that it is left out: "Sundays are excluded"."""
    if not grounds.is_known_as(_LEAVING_OUT_STEMS):
        return None
    content = {token.stem for token in part if not token.is_stop}
    leaving_out = list(grounds.sentences_with(content, _LEAVING_OUT_STEMS))
    is_said = any(token.stem in _LEAVING_OUT_STEMS for token in part)
    if not leaving_out or is_said or says_otherwise(part):
        return None
    for statement in grounds.statements:
        is_whole = all(statement.words.has_stem(grounds.forms(stem)) for stem in content)
        if is_whole and _taking_out(statement.tokens) is None:
            return None
    for statement in leaving_out:
        if any(_leaves_out(source, content, grounds) for source in statement.parts):
            return statement.outcome("denied")
    return None


def _taking_out(source: Sequence[Token]) -> int | None:
    """The place of "excluded", "left out" or their like."""
    for number, token in enumerate(source):
        following = source[number + 1].norm if number + 1 < len(source) else ""
        if token.norm in _LEAVING_OUT or (token.norm, following) == _LEFT_OUT:
            return number
    return None


def _leaves_out(source: Sequence[Token], content: Set[str], grounds: Grounds) -> bool:
    """Whether a part of a sentence leaves out what a claim speaks of, from what it speaks of."""
    at = _taking_out(source)
    if at is None or not has_word(source[max(0, at - _RIGHT_AFTER) : at], _BEING):
        return False
    if count_of_deniers(source):
        return False
    behind = source[at + 1 :] if source[at].norm in _LEAVING_OUT else source[at + 2 :]
    subject = {token.stem for token in source[:at] if not token.is_stop}
    own = {stem for stem in content if not grounds.forms(stem).isdisjoint(subject)}
    known = frozenset().union(*(grounds.forms(stem) for stem in content))
    if not own or not subject <= known:
        return False
    rest = content - own
    if not behind or behind[0].norm not in _RESTRICTING:
        # "You can wash it on Sundays" beside "on Sundays the wash is closed".
        return len(rest) <= _REST and (bool(rest) or grounds.words.has(_MAYBE))
    # "Closed to lorries": the claim has to speak of them too.
    reach = {token.stem for token in behind if not token.is_stop}
    other = {stem for stem in rest if grounds.forms(stem).isdisjoint(reach)}
    return bool(reach) and reach <= known and len(other) <= 1
