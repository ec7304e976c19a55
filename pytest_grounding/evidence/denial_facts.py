"""Denials of a claim, and denials that it lost: held against the parts of the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from pytest_grounding.evidence import lost_denials
from pytest_grounding.evidence.conflict_words import WEAK, negated_stems, opposites_of
from pytest_grounding.evidence.denial_words import (
    WITHOUT,
    count_of_deniers,
    denies_need,
    has_contrast,
    has_zero,
    is_deny_mark,
    says_otherwise,
    sets_apart,
)
from pytest_grounding.evidence.ledger_sources import is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import (
    Grounds,
    Statement,
    clauses_with_verbs,
    content_after,
    has_stem,
    has_word,
)
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts.dates import MONTHS, WEEKDAYS
from pytest_grounding.reading.words import Token

_OPEN_BEFORE = words("denials", "no firm denial")
_SELDOM_SAID = words("conflicts", "unsaid")
_NO = "no"
_MAY = "may"
_DISPROVED = words("denials", "disproved")
_SAME, _DIFFERENT = frozenset({"same", "identical", "alike"}), words("denials", "different")
_MAYBE = words("denials", "permitting")
_OBLIGING = words("denials", "obliging") | words("denials", "needing")
_ALONE = words("denials", "alone")
_COUNTERING = words("denials", "said otherwise") | words("denials", "countering")
#: Days and months may lie between those of a source.
_CALENDAR = WEEKDAYS | MONTHS.keys()
#: Marks of a denial that a claim may have beside what it affirms: "free", "too".
_IDLE = WEAK - _ALONE
_OWN = _IDLE | {WITHOUT}
#: Content words that a denial stands over, and the words within which they stand.
_DENIED, _DENIED_REACH = 3, 7
#: Words between a denial of a source and what it denies, after and before it.
_AFTER, _BEFORE = 8, 6
#: Content words of a claim in a sentence that denies it by saying nothing of its denial.
_FEWEST = 2
#: Share of a claim in the best sentence from which its denial must be there too.
_NEAR = 0.5
#: Content words of a part that tells what it is about, and the share of the claim needed where it does not.
_TELLING, _SURELY = 4, 0.75


class _Part(NamedTuple):
    """A part of a sentence, with what it has of a denied part of the claim."""

    statement: Statement
    tokens: Sequence[Token]
    denied: int  # denied words in it
    content: frozenset[str]  # content words of the claim's part in it


def denials_of(grounds: Grounds, agrees_to: frozenset[str] = frozenset()) -> Iterator[Settled]:
    """The denials of a claim, settled, and the parts that lost theirs; ``agrees_to`` as in `operators_of`."""
    tokens = grounds.tokens
    parts = clauses_with_verbs(grounds.words.parts)
    marks = frozenset([token.norm for token in tokens if is_deny_mark(token)]) - _OWN
    for part in parts:
        if marks and has_word(part, marks):
            other = lost_denials.one_of_two_lost(part, grounds)
            if other is not None:
                yield Settled("polarity", part[0].start, part[-1].end, other)
            continue
        lost = lost_denials.lost_denial(part, grounds, agrees_to, is_whole=len(parts) == 1)
        # "Up to 8 kg" beside "heavier ones cannot": its value decides.
        if lost is not None and not _has_limit(grounds.text[part[0].start : part[-1].end]):
            yield Settled("polarity", part[0].start, part[-1].end, lost)
    if not grounds.words.is_denying:
        return
    if grounds.statements and grounds.is_answered_with(grounds.statements[0], {_NO}):
        # "Are they lent? No."
        return
    if has_contrast(tokens):
        # "It has no ring, unlike the other one": two things are spoken of.
        return
    for number, token in enumerate(tokens):
        if is_denier(token.norm):
            part = next(part for part in parts if part[0].start <= token.start <= part[-1].start)
            if _has_limit(grounds.text[token.start : part[-1].end]):
                # "Cannot weigh more than 5 kg" beside "up to 5 kg": its value decides.
                continue
            outcome = _settled_denial(number, part, grounds)
            if outcome is not None:
                yield Settled("polarity", token.start, token.end, outcome)


def _has_limit(text: str) -> bool:
    return any(fact.bound for fact in typed_values(text))


def _denies_beside(token: Token, grounds: Grounds) -> bool:
    """Whether a word of a source denies, and is none that the claim has too: "free"."""
    return is_deny_mark(token) and (is_denier(token.norm) or token.stem not in grounds.content)


def _leaves_claimed_alone(part: Sequence[Token], at: int, grounds: Grounds) -> bool:
    """Whether "only" stands before what the claim speaks of: "only members can vote"."""
    if part[at].norm not in _ALONE:
        return False
    left = lost_denials.first_content(part, at)
    return left is not None and part[left].stem in grounds.content


def _settled_denial(at: int, part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """A denial is found where what the claim rests on denies the same; None for an idle or an open one."""
    tokens, text = grounds.tokens, grounds.text
    if _denies_nothing(text, tokens, at):
        return _forbidden(at, part, grounds)
    if sum(is_deny_mark(token) and token.norm not in _IDLE for token in part) > 1:
        # "There is no room that cannot be booked", "cannot be had without a guide".
        return None
    denied = [
        token
        for token in content_after(text, tokens, at, _DENIED_REACH, _DENIED)
        if not is_denier(token.norm)
    ]
    if not denied or denied[0].norm in _SELDOM_SAID or not grounds.statements:
        return None
    for statement in grounds.statements:
        if lost_denials.is_about_exception(tokens, statement.tokens):
            # "All are recorded, apart from the workshop."
            return statement.outcome("found")
    if any(has_stem(other, {denied[0].stem}) for other in grounds.words.parts if not count_of_deniers(other)):
        # "Some can be made by the body, others cannot be made by it."
        return None
    stems = frozenset().union(*(grounds.forms(token.stem) for token in denied))
    affirming = _affirming_part(denied, part, stems, grounds)
    is_of_need = denies_need(tokens, at)
    if affirming is not None:
        is_open = is_of_need and not affirming.statement.has(_OBLIGING)
        return None if is_open else affirming.statement.outcome("denied")
    heads = grounds.forms(denied[0].stem)
    holding = [item for item in grounds.statements if item.words.has_stem(stems)]
    for statement in grounds.statements:
        is_holding = statement in holding
        if any(_part_denies(part, stems, heads, grounds, is_holding=is_holding) for part in statement.parts):
            return statement.outcome("found")
    content = {token.stem for token in part if not (token.is_stop or is_denier(token.norm))}
    if not holding or holding[0].held < _NEAR:
        return None
    said = [token for token in denied if token.norm not in _OBLIGING | _CALENDAR]
    lost = [token for token in said if not holding[0].words.has_stem(grounds.forms(token.stem))]
    if any(grounds.is_known(token.stem) for token in lost):
        # "Does not pay for tyres" beside "pays for damage to the car": tyres are another thing.
        return None
    return _denied_by_silence(holding[0], content, heads, grounds, is_of_need=is_of_need)


def _denied_by_silence(
    statement: Statement, content: Set[str], heads: Set[str], grounds: Grounds, *, is_of_need: bool
) -> Outcome | None:
    """A denial is denied by a sentence that says most of the claim, and denies less than the claim."""
    best = max(
        statement.parts,
        key=lambda part: (has_stem(part, heads), len({token.stem for token in part} & content)),
    )
    if not has_stem(best, heads) and has_word(best, _COUNTERING):
        # "Not safe to eat" beside "poisonous", "cannot go in" beside "shut".
        return None
    own = count_of_deniers(grounds.tokens)
    marks = [number for number, token in enumerate(statement.tokens) if is_deny_mark(token)]
    if sum(not _leaves_claimed_alone(statement.tokens, number, grounds) for number in marks) >= own:
        # The sentence denies as often, in words of its own.
        return None
    if says_otherwise(best, besides=grounds.content) or sets_apart(statement.tokens) or has_zero(best):
        return None
    if grounds.words.has(_SAME) and statement.has(_DIFFERENT):
        return None
    if sum(statement.words.has_stem(grounds.forms(stem)) for stem in grounds.content) < _FEWEST:
        return None
    if is_of_need and not statement.has(_OBLIGING):
        # What is not needed may be so all the same.
        return None
    return statement.outcome("denied")


def _forbidden(at: int, part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """Whether "you may not" forbids what a source says that one may do."""
    if not at or grounds.tokens[at - 1].norm != _MAY or lost_denials.is_in_a_case(grounds.tokens, at):
        return None
    denied = list(content_after(grounds.text, grounds.tokens, at, _DENIED_REACH, _DENIED))
    if not denied:
        return None
    stems = frozenset().union(*(grounds.forms(token.stem) for token in denied))
    affirming = _affirming_part(denied, part, stems, grounds)
    if affirming is None or not has_word(affirming.tokens, _MAYBE):
        return None
    return affirming.statement.outcome("denied")


def _affirming_part(
    denied: Sequence[Token], part: Sequence[Token], stems: frozenset[str], grounds: Grounds
) -> _Part | None:
    """The part of a sentence that says all that the claim denies, and more of the claim than any other."""
    content = [token.stem for token in part if not (token.is_stop or is_denier(token.norm))]
    if len(content) <= 1 or not grounds.statements:
        return None
    sources = []
    for statement in grounds.statements:
        for tokens in statement.parts:
            said = sum(has_stem(tokens, grounds.forms(token.stem)) for token in denied)
            shared = frozenset(stem for stem in content if has_stem(tokens, grounds.forms(stem)))
            sources.append(_Part(statement, tokens, said, shared))
    heads = grounds.forms(denied[0].stem)
    best = max(sources, key=lambda item: (item.denied, len(item.content)))
    is_whole = best.denied == len(denied) and len(best.content) == len(set(content))
    if not is_whole or has_zero(best.tokens) or any(_denies_beside(token, grounds) for token in best.tokens):
        return None
    if says_otherwise(best.tokens, besides=grounds.content) or sets_apart(best.tokens):
        return None
    if best.statement.has(_DISPROVED) or (has_word(part, _SAME) and has_word(best.tokens, _DIFFERENT)):
        return None
    if len(set(content)) < _TELLING and best.statement.held < _SURELY:
        # "…, but does not last": what it is said of stands in the rest of the claim.
        return None
    others = (item for item in sources if item is not best and item.content == best.content)
    if any(_part_denies(item.tokens, stems, heads, grounds, is_holding=True) for item in others):
        return None
    return best


def _denies_nothing(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a denial denies no statement: "not only", "no later than", "may not", "No, …"."""
    token = tokens[at]
    if at + 1 >= len(tokens) or tokens[at + 1].norm in lost_denials.IDLE_AFTER:
        return True
    if "-" in (text[token.end : token.end + 1], text[token.start - 1 : token.start]):
        return True
    between = text[token.end : tokens[at + 1].start]
    if token.norm == _NO and tokens[at + 1].text.lower() == "one":
        # "It injured no one": what is denied stands before.
        return True
    if token.norm == _NO and (at == 0 or "," in between):
        return True
    if at and tokens[at - 1].norm in _OPEN_BEFORE:
        return True
    return lost_denials.is_in_a_case(tokens, at)


def _part_denies(
    part: Sequence[Token], stems: frozenset[str], heads: frozenset[str], grounds: Grounds, *, is_holding: bool
) -> bool:
    """Whether it denies one of these words, says its opposite, or denies something in their place."""
    places = [number for number, token in enumerate(part) if token.stem in stems]
    for number, token in enumerate(part):
        if any(stem in stems for stem in (*negated_stems(token.norm), *opposites_of(token.stem))):
            return True
        if token.norm == WITHOUT:
            following = lost_denials.first_content(part, number)
            if following is not None and part[following].stem in heads:
                return True
            continue
        if not _denies_beside(token, grounds) or _leaves_claimed_alone(part, number, grounds):
            continue
        if not is_holding or any(-_BEFORE <= place - number <= _AFTER for place in places):
            return True
        is_about = has_stem(part, grounds.content.keys())
        if not places and is_about and lost_denials.is_cut_short(part, number):
            return True
    return False
