"""How far a claim reaches: all, only, any number of; held against the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pytest_grounding.evidence.denial_words import says_otherwise
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.statements import (
    Grounds,
    Statement,
    content_after,
    denies_something,
    has_stem,
    has_word,
)
from pytest_grounding.lexicon import lines, table, words
from pytest_grounding.reading.grammar import has_finite_verb, is_finite_verb
from pytest_grounding.reading.words import Token

_UNIVERSAL = words("denials", "universal")
_SWEEPING = words("denials", "sweeping")
_ALMOST = words("denials", "almost")
_SWEEPING_PAIRS = frozenset(lines("denials", "sweeping pairs"))
_ALONE = words("denials", "alone")
_EXCEPTING = words("conditions", "excepting") | {"but"}
_EACH = words("denials", "each")
_RELATIVE = words("denials", "relative")
_NEEDING = words("denials", "needing")
_UNLIMITED = words("denials", "unlimited")
_STRESSING = words("denials", "stressing")
_AMOUNTS = table("conflicts", "amounts") | table("conflicts", "frequencies")
_BEFORE = 6  # words before an amount that are searched for a denial
#: Share of a claim in the best sentence from which its scope must be there too.
_NEAR = 0.5
#: The same for two words such as "no matter", which long answers say of much.
_CLOSE = 0.7
_BESIDE = 2  # words on each side of "only" that it may leave alone
_PARTICIPLE = "ed"
_THEM = frozenset({"them", "these", "those"})
_RANKING = frozenset({"first", "last"})
_JOINING = frozenset({"and", "or"})
_CONDITIONAL = words("conditions", "conditional")
_COUNTED_REACH = 3  # words between an amount and what it counts
#: From this step on an amount leaves no exception; up to the other one it leaves many.
_ALL, _MANY = 5, 4
_NONE, _EITHER_WAY = "none", "or not"
_CASES = frozenset({"if", "whether"})
_WHOLE = frozenset(norm for norm, step in _AMOUNTS.items() if step == str(_ALL))
#: They say that something holds in each case, or in one; "of any size": what stands before such a word.
_IN_ALL_CASES = _EACH | _SWEEPING | words("denials", "in all cases")
_LOOSE, _OF = frozenset({"any", "both"}), "of"
#: Content words of a claim that is held against a case, at most: long answers say "whatever" of much.
_SHORT = 8
_OF_A_CASE, _BEFORE_CASES = words("denials", "in one case"), frozenset({"for", "of"})
#: All words with which a claim says how far it reaches.
_REACHING = (
    frozenset(pair.split()[0] for pair in _SWEEPING_PAIRS)
    | _IN_ALL_CASES
    | _ALONE
    | _SWEEPING
    | _JOINING
    | _UNLIMITED
    | _WHOLE
    | _EACH
    | {"any", "no", _NONE}
)


def scopes_of(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """The words of a claim for how far it reaches, settled; and the "only" that it lost."""
    tokens = grounds.tokens
    is_denied = grounds.words.is_denying and any(
        is_denier(token.norm) and not _sweeps(tokens, max(0, number - 1)) and not _sweeps(tokens, number)
        for number, token in enumerate(tokens)
    )
    is_alone = grounds.words.has(_ALONE)
    for number, token in enumerate(tokens if grounds.words.has(_REACHING) else ()):
        if token.norm not in _REACHING:
            continue
        outcome = None
        if token.norm in _ALONE:
            outcome = _settled_only(number, grounds, sources)
        elif _sweeps(tokens, number):
            outcome = _settled_scope(token.norm, grounds, _CLOSE)
        elif token.norm in _SWEEPING:
            is_limited = is_denied or _is_told_apart(tokens, number)
            outcome = None if is_limited else _settled_scope(token.norm, grounds)
        elif token.norm in _JOINING:
            outcome = None if is_denied else _settled_or(number, grounds)
        elif _is_unlimited(tokens, number):
            outcome = _settled_number(number, grounds)
        elif token.norm in _WHOLE:
            outcome = _settled_amount(number, grounds)
        elif token.norm == _NONE:
            outcome = _settled_none(number, grounds)
        if outcome is None and not is_alone and (token.norm in _EACH or token.norm == "no"):
            outcome = _settled_subject(number, grounds)
        if outcome is None and not is_alone and token.norm in _IN_ALL_CASES:
            outcome = _settled_in_a_case(number, grounds)
        if outcome is not None:
            yield Settled("operator", token.start, token.end, outcome)
    if not is_denied and not is_alone:
        yield from _lost_only(grounds, sources)


def _sweeps(tokens: Sequence[Token], at: int) -> bool:
    """Whether two words leave no exception: "no matter", "without limit", "all jobs, finished or not"."""
    if at + 1 >= len(tokens):
        return False
    pair = f"{tokens[at].norm} {tokens[at + 1].norm}"
    if pair == _EITHER_WAY:
        return has_word(tokens[:at], _UNIVERSAL) and not has_word(tokens[:at], _CASES)
    return pair in _SWEEPING_PAIRS


def _is_told_apart(tokens: Sequence[Token], at: int) -> bool:
    """Whether what follows tells which ones are meant: "anyone who works here", "anything left outside"."""
    behind = [token.norm for token in tokens[at + 1 :]]
    if not behind:
        return False
    if behind[0] in _RELATIVE or not has_finite_verb(behind[:1]):
        return True
    return behind[0].endswith(_PARTICIPLE) and has_finite_verb(behind[1:])


def _settled_amount(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "all X" is denied: it is where each sentence about X that counts it counts less."""
    before = grounds.tokens[max(0, at - _BEFORE) : at]
    if denies_something(before):
        return None
    counted = _counted_after(at, grounds)
    if counted is None:
        return None
    stems = grounds.forms(counted.stem)
    less: Statement | None = None
    for statement in grounds.statements:
        if _counts_all_of_them(statement, counted, grounds):
            return statement.outcome("found")
        around = list(_counters_of(statement, stems))
        steps = [_AMOUNTS[token.norm] for token in around if token.norm in _AMOUNTS]
        if str(_ALL) in steps or has_word(around, _UNIVERSAL):
            return statement.outcome("found")
        is_alone = _is_left_alone(statement, stems) or has_word(around, _ALONE)
        is_less = is_alone or any(0 < int(step) <= _MANY for step in steps)
        if less is None and is_less:
            less = statement
    return None if less is None else less.outcome("denied")


def _counted_after(at: int, grounds: Grounds) -> Token | None:
    """What a word of a claim counts or leaves alone: "guests" of "all the guests"."""
    found = content_after(grounds.text, grounds.tokens, at, _COUNTED_REACH, 2)
    return next((token for token in found if token.norm not in _STRESSING), None)


def _settled_none(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "none of the X" is denied: a sentence says it of some X, and none denies it of any."""
    counted = _counted_after(at, grounds)
    if counted is None:
        return None
    stems = grounds.forms(counted.stem)
    some: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _NEAR or not statement.words.has_stem(stems):
            continue
        if statement.words.is_denying or says_otherwise(statement.tokens):
            return None
        if any(token.norm in _AMOUNTS for token in _counters_of(statement, stems)):
            some = some or statement
    return None if some is None else some.outcome("denied")


def _counts_all_of_them(statement: Statement, counted: Token, grounds: Grounds) -> bool:
    """Whether the part of a sentence that says what the claim says is about all "of them"."""
    start = grounds.text.rfind(",", 0, counted.start) + 1
    comma = grounds.text.find(",", counted.start)
    end = comma if comma >= 0 else len(grounds.text)
    content = {
        token.stem
        for token in grounds.tokens
        if start <= token.start < end and not token.is_stop and token is not counted
    }
    part = max(
        statement.parts, key=lambda tokens: len({token.stem for token in tokens}.intersection(content))
    )
    norms = [token.norm for token in part]
    return not _THEM.isdisjoint(norms) and not _WHOLE.isdisjoint(norms)


def _settled_scope(norm: str, grounds: Grounds, least: float = _NEAR) -> Outcome | None:
    """Whether a sentence that the claim rests on has its word, or leaves no exception either."""
    for statement in grounds.statements:
        if any(
            token.norm in _UNIVERSAL | {norm} and before.norm not in _ALMOST
            for before, token in pairwise([statement.tokens[0], *statement.tokens])
        ):
            return statement.outcome("found")
    if not grounds.statements or grounds.statements[0].held < least:
        return None
    return grounds.statements[0].outcome("denied")


def _settled_only(at: int, grounds: Grounds, sources: LedgerSources) -> Outcome | None:
    """Whether "only X" is denied: the sentences say it of all, or know no such X."""
    if grounds.words.is_denying or has_word(grounds.tokens[at + 1 : at + 2], _CONDITIONAL):
        # "Only if you decline": a condition, and no other thing is left out.
        return None
    near = [statement for statement in grounds.statements if statement.held >= _NEAR]
    leaving = (item.has(_ALONE) or says_otherwise(item.tokens, besides=grounds.content) for item in near)
    if not near or any(leaving):
        return None
    for statement in near:
        if _is_said_of_each(statement):
            return statement.outcome("denied")
    also = _joined_to(at, near[0], grounds)
    if also is not None:
        return near[0].outcome("denied", also.text)
    if at > 1:
        return None
    only = _counted_after(at, grounds)
    if only is None or only.is_number or _is_known(only, sources):
        return None
    return near[0].outcome("denied")


def _is_said_of_each(statement: Statement) -> bool:
    """Whether a sentence says something of all or both, without a denial, an exception or "at all times"."""
    tokens = statement.tokens
    if statement.has(_EXCEPTING) or statement.words.is_denying:
        return False
    return any(
        token.norm in _EACH and (not number or tokens[number - 1].norm != "at")
        for number, token in enumerate(tokens)
    )


def _joined_to(at: int, statement: Statement, grounds: Grounds) -> Token | None:
    """What a sentence joins by "and" to what a claim leaves alone: "a ticket and a card"."""
    alone = _counted_after(at, grounds)
    if alone is None:
        return None
    stems, tokens = grounds.forms(alone.stem), statement.tokens
    for number, token in enumerate(tokens[:-1]):
        if token.stem in stems and tokens[number + 1].norm == "and":
            text = grounds.text_of(statement)
            joined = next(content_after(text, tokens, number + 1, _COUNTED_REACH, 1), None)
            return None if joined is None or joined.stem in grounds.content else joined
    return None


def _settled_or(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "X or Y" is needed where a sentence needs X and Y, or the reverse."""
    if not grounds.words.has(_NEEDING):
        return None
    tokens = grounds.tokens
    before = [token for token in tokens[max(0, at - _COUNTED_REACH) : at] if not token.is_stop]
    after = next(content_after(grounds.text, tokens, at, _COUNTED_REACH, 1), None)
    if not before or after is None:
        return None
    other = "and" if tokens[at].norm == "or" else "or"
    first, second = grounds.forms(before[-1].stem), grounds.forms(after.stem)
    for statement in grounds.statements:
        joints = list(_joints_between(statement.tokens, first, second))
        if tokens[at].norm in joints:
            return None
        if other in joints:
            return statement.outcome("denied", other)
    return None


def _joints_between(tokens: Sequence[Token], first: frozenset[str], second: frozenset[str]) -> Iterator[str]:
    """The "and" and "or" right between two words."""
    for number, token in enumerate(tokens):
        if token.norm in _JOINING:
            low, high = max(0, number - _COUNTED_REACH), number + 1 + _COUNTED_REACH
            has_first = has_stem(tokens[low:number], first)
            if has_first and has_stem(tokens[number + 1 : high], second):
                yield token.norm


def _lost_only(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """A word that no source has, joined to the one thing that a sentence leaves: "in cash only"."""
    if not grounds.statements:
        return
    best = grounds.statements[0]
    if best.held < _NEAR or not best.has(_ALONE):
        return
    alone = _left_alone(best)
    if not alone:
        return
    for token in grounds.tokens:
        is_telling = not token.is_stop and not token.is_number
        if is_telling and not _is_known(token, sources) and _is_joined(token, alone, grounds):
            yield Settled("operator", token.start, token.end, best.outcome("denied"))
            return


def _left_alone(statement: Statement) -> frozenset[str]:
    """Stems of the content words right beside "only"."""
    tokens = statement.tokens
    beside: set[str] = set()
    for number, token in enumerate(tokens):
        is_of_amount = any(other.is_number for other in tokens[number + 1 : number + 2])
        if token.norm in _ALONE and not is_of_amount:
            around = tokens[max(0, number - _BESIDE) : number + 1 + _BESIDE]
            beside.update(other.stem for other in around if not other.is_stop and other is not token)
    return frozenset(beside)


def _is_joined(token: Token, alone: frozenset[str], grounds: Grounds) -> bool:
    """Whether "and" or "or" joins a word to one of these."""
    tokens = grounds.tokens
    at = tokens.index(token)
    for number in range(max(0, at - _COUNTED_REACH), min(len(tokens), at + _COUNTED_REACH + 1)):
        if tokens[number].norm in _JOINING:
            low, high = max(0, number - _COUNTED_REACH), number + _COUNTED_REACH + 1
            return any(not alone.isdisjoint(grounds.forms(other.stem)) for other in tokens[low:high])
    return False


def _is_known(token: Token, sources: LedgerSources) -> bool:
    return bool(sources.context.forms(token.stem)) and any(
        stem in sources.context.positions for stem in sources.context.forms(token.stem)
    )


def _is_unlimited(tokens: Sequence[Token], at: int) -> bool:
    """Whether "any number of", "unlimited" or "as many … as" begins here."""
    norms = [token.norm for token in tokens[at : at + 3]]
    return norms[0] in _UNLIMITED or norms == ["any", "number", "of"]


def _settled_number(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "any number of X" is denied: it is where a sentence counts X."""
    skipped = at + 2 if grounds.tokens[at].norm == "any" else at
    counted = _counted_after(skipped, grounds)
    if counted is None:
        return None
    stems = grounds.forms(counted.stem)
    counting: Statement | None = None
    for statement in grounds.statements:
        if any(_is_unlimited(statement.tokens, number) for number in range(len(statement.tokens))):
            return statement.outcome("found")
        is_counted = any(token.is_number for token in _counters_of(statement, stems))
        if counting is None and is_counted:
            counting = statement
    return None if counting is None else counting.outcome("denied")


def _settled_in_a_case(at: int, grounds: Grounds) -> Outcome | None:
    """Whether a sentence says of a case what the claim says of all: "files over 4 GB", "if none is set"."""
    norm, before = grounds.tokens[at].norm, grounds.tokens[at - 1].norm if at else ""
    if (norm in _LOOSE and before != _OF) or len(grounds.content) > _SHORT or not grounds.statements:
        return None
    if grounds.words.has(_OF_A_CASE | _EXCEPTING) or typed_values(grounds.text):
        return None
    statement = grounds.statements[0]
    if statement.held < _NEAR or statement.has(_UNIVERSAL) or not _is_about(at, statement, grounds):
        return None
    is_case = statement.has(_OF_A_CASE) or statement.tokens[0].norm in _ALONE
    return statement.outcome("denied") if is_case or _has_limited_subject(statement, grounds) else None


def _is_about(at: int, statement: Statement, grounds: Grounds) -> bool:
    """Whether a sentence has what a word of a claim counts, or the word stands for any case: "whenever"."""
    tokens = grounds.tokens
    if tokens[at].norm not in _EACH or (at and tokens[at - 1].norm in _BEFORE_CASES):
        return True
    counted = _counted_after(at, grounds)
    return counted is not None and statement.words.has_stem(grounds.forms(counted.stem))


def _has_limited_subject(statement: Statement, grounds: Grounds) -> bool:
    """Whether a limit stands before the verb of a sentence: "groups of more than eight must book"."""
    text = grounds.text_of(statement)
    verb = next((token for token in statement.tokens if is_finite_verb(token.norm)), None)
    subject = text[statement.start : verb.start] if verb is not None else ""
    return any(fact.bound for fact in typed_values(subject))


def _settled_subject(at: int, grounds: Grounds) -> Outcome | None:
    """Whether the sentences say of some X alone what the claim says of "all X" or "no X"."""
    counted = _counted_after(at, grounds)
    if counted is None or grounds.tokens.index(counted) != at + 1:
        return None
    if denies_something(grounds.tokens[max(0, at - _BEFORE) : at]):
        return None
    stems, own = grounds.forms(counted.stem), set(grounds.content)
    restricted: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _NEAR:
            break
        for number, token in enumerate(statement.tokens):
            if token.stem not in stems:
                continue
            before = statement.tokens[max(0, number - _BESIDE) : number]
            # "Free of charge" says the same as "at no cost".
            is_denied = denies_something(before) or says_otherwise(before)
            if is_denied or not _is_restricted(statement.tokens, number, own):
                return None
            restricted = restricted or statement
    return None if restricted is None else restricted.outcome("denied")


def _is_restricted(tokens: Sequence[Token], at: int, own: set[str]) -> bool:
    """Whether a word before a noun, or a relative clause behind it, tells which ones are meant."""
    if not has_finite_verb([token.norm for token in tokens[at + 1 :]]):
        return False
    behind = tokens[at + 1 :]
    if behind and behind[0].norm in _RELATIVE:
        telling = next((token.stem for token in behind[1:] if not token.is_stop), None)
        return telling is not None and telling not in own
    before = tokens[at - 1] if at else None
    if before is None or before.is_stop or before.is_number or before.norm in _UNIVERSAL:
        return False
    return at == 1 and before.stem not in own and before.norm not in _AMOUNTS


def _is_left_alone(statement: Statement, stems: frozenset[str]) -> bool:
    """Whether "only" stands before one of these words: "only the first 30 guests"."""
    for number, token in enumerate(statement.tokens):
        if token.stem in stems:
            for before in reversed(statement.tokens[max(0, number - _BEFORE) : number]):
                if before.norm in _ALONE:
                    return True
                if not (before.is_stop or before.is_number or before.norm in _RANKING):
                    break
    return False


def _counters_of(statement: Statement, stems: frozenset[str]) -> Iterator[Token]:
    """The words right before these in a sentence."""
    for number, token in enumerate(statement.tokens):
        if token.stem in stems:
            yield from statement.tokens[max(0, number - _COUNTED_REACH) : number]
