"""Denials of a claim, and denials that it lost: held against the parts of the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding.evidence.conflict_words import (
    DENIES,
    TURNS,
    WEAK,
    marks_of,
    negated_stems,
    opposites_of,
    stem_of,
)
from pytest_grounding.evidence.ledger_sources import is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import (
    Grounds,
    Statement,
    content_after,
    has_stem,
    has_word,
)
from pytest_grounding.lexicon import words
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import Token

_IDLE_AFTER = words("denials", "idle after")
_OPEN_BEFORE = words("denials", "no firm denial")
_UNIVERSAL = words("denials", "universal")
_SELDOM_SAID = words("conflicts", "unsaid")
_KEEPING = words("conflicts", "keeping")
_ENDING = words("denials", "ending")
_WITHOUT = "without"
_NO = "no"
_MAY = "may"
_MAYBE = words("denials", "permitting")
#: Marks of a denial that a claim may have beside what it affirms: "free", "too".
_IDLE = WEAK - words("denials", "alone")
_LEAVING_OUT = words("denials", "leaving out")
_LEAVING_OUT_STEMS = frozenset(stem_of(word) for word in _LEAVING_OUT)
_RESTRICTING = words("denials", "restricting")
_BEING = words("denials", "being")
_ADVERB_END = "ly"
_ARTICLES = words("denials", "articles")
_CASES = frozenset({"if", "unless", "whether"})
#: Words before a denial that are searched for "if", and words of "may not" right before it.
_CASE_REACH = 6
#: Content words that a denial stands over, and the words within which they stand.
_DENIED, _DENIED_REACH = 3, 7
#: Words between a denial of a source and what it denies, after and before it.
_AFTER, _BEFORE = 8, 6
#: Content words of a claim, and of a part of one, that may have lost its denial, …
_FEWEST, _FEWEST_OF_A_PART = 2, 3
#: … and the share of it that one sentence holds.
_CLOSE = 0.9
#: Words from a denial of a source to the word of the claim that it denies, and in "too narrow to".
_RIGHT_AFTER = 3
#: Content words of a claim beside its subject, which a source says to be left out.
_REST = 2
#: Share of a claim in the best sentence from which its denial must be there too.
_NEAR = 0.5
#: Words of which is kept whether they may deny.
_MOST_MARKS = 65536


class _Part(NamedTuple):
    """A part of a sentence, with what it has of a denied part of the claim."""

    statement: Statement
    tokens: Sequence[Token]
    denied: int  # denied words in it
    content: frozenset[str]  # content words of the claim's part in it


def denials_of(grounds: Grounds) -> Iterator[Settled]:
    """The denials of a claim, settled, and the parts of it that lost theirs."""
    tokens = grounds.tokens
    parts = _clauses(grounds.words.parts)
    for part in parts:
        if any(_is_deny_mark(token.norm) and token.norm not in _IDLE for token in part):
            continue
        least = _FEWEST if len(parts) == 1 else _FEWEST_OF_A_PART
        lost = None
        if not _is_kept_from(part):
            lost = _lost_denial(part, grounds, least) or _left_out(part, grounds)
        # "Up to 8 kg" beside "heavier ones cannot": its value decides.
        if lost is not None and not _has_limit(grounds.text[part[0].start : part[-1].end]):
            yield Settled("polarity", part[0].start, part[-1].end, lost)
    for number, token in enumerate(tokens):
        if is_denier(token.norm):
            part = next(part for part in parts if part[0].start <= token.start <= part[-1].start)
            outcome = _settled_denial(number, part, grounds)
            if outcome is not None:
                yield Settled("polarity", token.start, token.end, outcome)


def _has_limit(text: str) -> bool:
    return any(fact.bound for fact in typed_values(text))


def _clauses(parts: Sequence[Sequence[Token]]) -> list[Sequence[Token]]:
    """Parts of a claim, those without a verb joined to the next: "talks | and workshops are recorded"."""
    clauses: list[Sequence[Token]] = []
    open_part: Sequence[Token] = ()
    for part in parts:
        open_part = [*open_part, *part]
        if has_finite_verb([token.norm for token in open_part]):
            clauses.append(open_part)
            open_part = ()
    if open_part and clauses:
        clauses[-1] = [*clauses[-1], *open_part]
    elif open_part:
        clauses.append(open_part)
    return clauses


def is_in_a_case(tokens: Sequence[Token], at: int) -> bool:
    """Whether "if" or its like stands shortly before a word."""
    return has_word(tokens[max(0, at - _CASE_REACH) : at], _CASES)


def _settled_denial(at: int, part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """A denial is found where what the claim rests on denies the same; None for an idle or an open one."""
    tokens, text = grounds.tokens, grounds.text
    if _denies_nothing(text, tokens, at):
        return _forbidden(at, part, grounds)
    denied = [
        token
        for token in content_after(text, tokens, at, _DENIED_REACH, _DENIED)
        if not is_denier(token.norm)
    ]
    if not denied or denied[0].norm in _SELDOM_SAID or not grounds.statements:
        return None
    stems = frozenset().union(*(grounds.forms(token.stem) for token in denied))
    affirming = _affirming_part(denied, part, stems, grounds)
    if affirming is not None:
        return affirming.statement.outcome("denied")
    heads = grounds.forms(denied[0].stem)
    holding = [item for item in grounds.statements if item.words.has_stem(stems)]
    for statement in grounds.statements:
        is_holding = statement in holding
        if any(_part_denies(part, stems, heads, grounds, is_holding=is_holding) for part in statement.parts):
            return statement.outcome("found")
    if not holding or holding[0].held < _NEAR:
        return None
    own = sum(is_denier(token.norm) or token.norm == _WITHOUT for token in tokens)
    if sum(_is_deny_mark(token.norm) for token in holding[0].tokens) >= own:
        # The sentence denies as often, in words of its own.
        return None
    return holding[0].outcome("denied")


def _forbidden(at: int, part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """Whether "you may not" forbids what a source says that one may do."""
    if not at or grounds.tokens[at - 1].norm != _MAY or is_in_a_case(grounds.tokens, at):
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
    content = [token.stem for token in part if not token.is_stop]
    if len(content) <= 1 or not grounds.statements:
        return None
    sources = [
        _Part(
            statement,
            tokens,
            sum(has_stem(tokens, grounds.forms(token.stem)) for token in denied),
            frozenset(stem for stem in content if has_stem(tokens, grounds.forms(stem))),
        )
        for statement in grounds.statements
        for tokens in statement.parts
    ]
    heads = grounds.forms(denied[0].stem)
    best = max(sources, key=lambda item: (item.denied, len(item.content)))
    is_whole = best.denied == len(denied) and len(best.content) == len(set(content))
    if not is_whole or any(_is_deny_mark(token.norm) for token in best.tokens):
        return None
    others = (item for item in sources if item is not best and item.content == best.content)
    if any(_part_denies(item.tokens, stems, heads, grounds, is_holding=True) for item in others):
        return None
    return best


def _denies_nothing(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a denial denies no statement: "not only", "no later than", "may not", "No, …"."""
    token = tokens[at]
    if at + 1 >= len(tokens) or tokens[at + 1].norm in _IDLE_AFTER:
        return True
    if "-" in (text[token.end : token.end + 1], text[token.start - 1 : token.start]):
        return True
    between = text[token.end : tokens[at + 1].start]
    if token.norm == "no" and tokens[at + 1].norm == "one":
        # "It injured no one": what is denied stands before.
        return True
    if token.norm == "no" and (at == 0 or "," in between):
        return True
    if at and tokens[at - 1].norm in _OPEN_BEFORE:
        return True
    return is_in_a_case(tokens, at)


def _part_denies(
    part: Sequence[Token], stems: frozenset[str], heads: frozenset[str], grounds: Grounds, *, is_holding: bool
) -> bool:
    """Whether it denies one of these words, says its opposite, or denies something in their place."""
    places = [number for number, token in enumerate(part) if token.stem in stems]
    for number, token in enumerate(part):
        if any(stem in stems for stem in (*negated_stems(token.norm), *opposites_of(token.stem))):
            return True
        if token.norm == _WITHOUT:
            following = _first_content(part, number)
            if following is not None and part[following].stem in heads:
                return True
            continue
        if not _is_deny_mark(token.norm):
            continue
        if not is_holding or any(-_BEFORE <= place - number <= _AFTER for place in places):
            return True
        is_about = has_stem(part, grounds.content)
        if not places and is_about and _is_cut_short(part, number):
            return True
    return False


@lru_cache(maxsize=_MOST_MARKS)
def _is_deny_mark(norm: str) -> bool:
    marks = marks_of(norm)
    return TURNS in marks or DENIES in marks or norm == _WITHOUT or is_denier(norm)


def _is_kept_from(part: Sequence[Token]) -> bool:
    """Whether a part of a claim denies by "keep … from": "keep the birds from nesting"."""
    norms = [token.norm for token in part]
    return not _KEEPING.isdisjoint(norms) and "from" in norms


def _is_cut_short(part: Sequence[Token], at: int) -> bool:
    """Whether nothing follows a denial: "talks are recorded, workshops are not"."""
    return all(token.is_stop for token in part[at + 1 :])


def _lost_denial(part: Sequence[Token], grounds: Grounds, least: int) -> Outcome | None:
    """A part of a claim is denied where each sentence that holds nearly all of it denies it."""
    content = {token.stem for token in part if not token.is_stop and token.norm not in _UNIVERSAL}
    if len(content) < least:
        return None
    stems = frozenset().union(*(grounds.forms(stem) for stem in content))
    denying: Statement | None = None
    for statement in grounds.statements:
        if grounds.share_of(content, statement) < _CLOSE:
            continue
        if not _is_denied_in(statement, stems):
            return None
        denying = denying or statement
    return None if denying is None else denying.outcome("denied")


def _is_denied_in(statement: Statement, stems: frozenset[str]) -> bool:
    """Whether the part of a sentence that holds most of a claim denies it, or one that is cut short."""
    best = max(statement.parts, key=lambda part: sum(token.stem in stems for token in part))
    said = {token.stem for token in best}
    return any(_part_denies_claim(part, stems, is_best=part is best, said=said) for part in statement.parts)


def _left_out(part: Sequence[Token], grounds: Grounds) -> Outcome | None:
    """Whether a sentence says of the subject of a claim that it is left out: "Sundays are excluded"."""
    content = {token.stem for token in part if not token.is_stop}
    leaving_out = list(grounds.sentences_with(content, _LEAVING_OUT_STEMS))
    if not leaving_out:
        return None
    forms = {stem: grounds.forms(stem) for stem in content}
    for statement in grounds.statements:
        if all(statement.words.has_stem(forms[stem]) for stem in content):
            return None
    for statement in leaving_out:
        for source in statement.parts:
            subject = _subject_left_out(source)
            own = {stem for stem in content if not forms[stem].isdisjoint(subject)}
            is_about = bool(subject) and all(any(word in forms[stem] for stem in content) for word in subject)
            if is_about and 0 < len(content - own) <= _REST:
                return statement.outcome("denied")
    return None


def _subject_left_out(part: Sequence[Token]) -> frozenset[str]:
    """Stems of what a part of a sentence says to be left out; empty if it says something else."""
    at = next((number for number, token in enumerate(part) if token.norm in _LEAVING_OUT), None)
    if at is None or not has_word(part[max(0, at - _RIGHT_AFTER) : at], _BEING):
        return frozenset()
    if at + 1 < len(part) and part[at + 1].norm in _RESTRICTING:
        # "Closed to lorries".
        return frozenset()
    return frozenset(token.stem for token in part[:at] if not token.is_stop)


def _part_denies_claim(
    part: Sequence[Token], stems: frozenset[str], *, is_best: bool, said: Set[str]
) -> bool:
    """Whether a part denies what the claim says, of something that the best part does not have."""
    places = [number for number, token in enumerate(part) if token.stem in stems]
    # Where its subject begins: "but dessert is not included".
    telling = min((place for place in places if is_best or part[place].stem not in said), default=len(part))
    for number in range(len(part)):
        following = part[number + 1].norm if number + 1 < len(part) else ""
        if not _is_firm(part, number) or following in _IDLE_AFTER or is_in_a_case(part, number):
            continue
        if (is_best or telling < number) and _first_content(part, number) in places:
            return True
        if not is_best and places and _is_cut_short(part, number):
            return True
    return False


def _first_content(part: Sequence[Token], at: int) -> int | None:
    """The place of the first content word right after a denial, adverbs aside."""
    for number in range(at + 1, min(len(part), at + 1 + _RIGHT_AFTER)):
        if not part[number].is_stop and not part[number].norm.endswith(_ADVERB_END):
            return number
    return None


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
    return norm == _WITHOUT or is_denier(norm)
