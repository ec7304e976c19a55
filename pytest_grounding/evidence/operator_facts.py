"""Denials and universal words of a claim, settled against the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.conflict_words import DENIES, TURNS, marks_of, negated_stems, opposites_of
from pytest_grounding.evidence.ledger_sources import LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.statements import Grounds, Statement, content_after
from pytest_grounding.evidence.token_index import synonyms_of
from pytest_grounding.lexicon import alternation, table, words
from pytest_grounding.model.finding import Evidence
from pytest_grounding.reading.facts import compatible
from pytest_grounding.reading.words import Token, tokenize

_DENIAL = lazy(lambda: rf"(?i)\b(?:{alternation('denials', 'firm denials')})\b|n['’]t\b")
_IDLE_AFTER = words("denials", "idle after")
_OPEN_BEFORE = words("denials", "no firm denial")
_SELDOM_SAID = words("conflicts", "unsaid")
_UNIVERSAL = words("denials", "universal")
_SWEEPING = words("denials", "sweeping")
_POINTS = frozenset({"date", "time"})
_UNTIL = words("limits", "before the end of a period")
_CASES = frozenset({"if", "unless", "whether"})
_AMOUNTS = table("conflicts", "amounts") | table("conflicts", "frequencies")
#: Words before a denial that are searched for "if", and words of "may not" right before it.
_CASE_REACH = 6
#: Content words that a denial stands over, and the words within which they stand.
_DENIED, _DENIED_REACH = 3, 7
#: Words between a denial of a source and what it denies, after and before it.
_AFTER, _BEFORE = 8, 6
#: Content words of a claim that may have lost its denial, and the share of it that one sentence holds.
_FEWEST, _CLOSE = 2, 0.9
#: Words from a denial of a source to the word of the claim that it denies.
_RIGHT_AFTER = 3
#: Share of a claim in the best sentence from which its "anyone" must be there too.
_NEAR = 0.5
#: The same for a word whose opposite it has.
_NEARLY = 0.65
#: Words between an amount and what it counts.
_COUNTED_REACH = 3
#: From this step on an amount leaves no exception; up to the other one it leaves many.
_ALL, _MANY = 5, 4


def operators_of(text: str, sources: LedgerSources, evidence: Sequence[Evidence] = ()) -> Iterator[Settled]:
    """The denials and universal words of a claim; English only."""
    if sources.language != "en":
        return
    tokens = tokenize(text, "en")
    grounds = Grounds(text, tokens, sources.context, "en")
    denials = {number for number, token in enumerate(tokens) if is_denier(token.norm)}
    if not denials:
        yield from _opposed_words(grounds, sources)
    # A sentence that holds nearly all of a claim is its first evidence.
    may_deny = not evidence or any(_DENIAL.search(item.text) for item in evidence)
    lost = _lost_denial(grounds) if may_deny else None
    if lost is not None:
        yield Settled("polarity", tokens[0].start, tokens[-1].end, lost)
        return
    for number, token in enumerate(tokens):
        if number in denials:
            outcome = _settled_denial(number, grounds)
            if outcome is not None:
                yield Settled("polarity", token.start, token.end, outcome)
            continue
        if _AMOUNTS.get(token.norm) == str(_ALL):
            outcome = _settled_amount(number, grounds)
        elif token.norm in _SWEEPING:
            outcome = None if denials else _settled_scope(grounds)
        else:
            continue
        if outcome is not None:
            yield Settled("operator", token.start, token.end, outcome)


def _opposed_words(grounds: Grounds, sources: LedgerSources) -> Iterator[Settled]:
    """Words that no source has, where a sentence that the claim rests on has their opposite instead."""
    said = {token.stem for token in grounds.tokens}
    for token in grounds.tokens:
        if token.is_number or token.stem in sources.context.positions:
            continue
        denied = _denied_by_negative(token, grounds, sources)
        is_said = any(stem in sources.context.positions for stem in synonyms_of(token.stem))
        if denied is None and not token.is_stop and not is_said:
            denied = _denied_by_opposite(token, grounds, said, sources)
        if denied is not None:
            yield Settled("polarity", token.start, token.end, denied)


def _denied_by_negative(token: Token, grounds: Grounds, sources: LedgerSources) -> Outcome | None:
    """Whether a sentence about the claim has the negative of a word: "unused" for "used"."""
    if token.norm not in sources.negatives:
        return None
    chunk, negative = sources.negatives[token.norm]
    index = sources.context.indexes[chunk]
    sentence = next(
        (start, end) for start, end in index.sentences if start <= negative.start and negative.end <= end
    )
    around = {other.stem for other in index.tokens if sentence[0] <= other.start < sentence[1]}
    if around.isdisjoint(stem for stem in grounds.content if stem != token.stem):
        return None
    return Outcome("denied", Place(chunk, *sentence), nearest=negative.text)


def _denied_by_opposite(
    token: Token, grounds: Grounds, said: Set[str], sources: LedgerSources
) -> Outcome | None:
    """Whether a sentence that holds most of the claim has the opposite of a word, and denies nothing."""
    kinds = opposites_of(token.stem).items()
    opposites = {stem for stem, kind in kinds if kind == "antonym"}.union(negated_stems(token.norm)) - said
    if not opposites:
        return None
    for statement in grounds.statements:
        if statement.held < _NEARLY:
            break
        opposite = next((other for other in statement.tokens if other.stem in opposites), None)
        is_other_way = any(is_denier(other.norm) for other in statement.tokens)
        if (
            opposite is not None
            and not is_other_way
            and not _turns_at_the_end(grounds.text, statement, sources)
        ):
            place = Place(statement.chunk, statement.start, statement.end)
            return Outcome("denied", place, nearest=opposite.text)
    return None


def _turns_at_the_end(text: str, statement: Statement, sources: LedgerSources) -> bool:
    """Whether a claim has the end of a period: what is open from ten to six closes at six."""
    points = [fact for fact in typed_values(text) if fact.kind in _POINTS]
    ends = [
        other
        for other in sources.values_in(statement.chunk)
        if other.kind in _POINTS
        and statement.start <= other.start < statement.end
        and _ends_period(sources.context.indexes[statement.chunk].text[: other.start])
    ]
    return any(compatible(fact, end) for fact in points for end in ends)


def _ends_period(before: str) -> bool:
    """Whether the words before a point in time make it the end of a period."""
    last = before.rsplit(maxsplit=1)[-1:] if before[-1:].isspace() else [before[-1:]]
    return bool(last) and last[0].lower() in _UNTIL


def _settled_denial(at: int, grounds: Grounds) -> Outcome | None:
    """A denial is found where a sentence that the claim rests on denies the same; None for an idle one."""
    tokens, text = grounds.tokens, grounds.text
    if _denies_nothing(text, tokens, at):
        return None
    denied = [
        token
        for token in content_after(text, tokens, at, _DENIED_REACH, _DENIED)
        if not is_denier(token.norm)
    ]
    if not denied or denied[0].norm in _SELDOM_SAID or not grounds.statements:
        return None
    stems = frozenset().union(*(grounds.forms(token.stem) for token in denied))
    holding = [item for item in grounds.statements if _has_one(item, stems)]
    for statement in grounds.statements:
        if _denies(statement, stems, grounds, is_holding=statement in holding):
            return Outcome("found", Place(statement.chunk, statement.start, statement.end))
    if not holding:
        return None
    best = holding[0]
    if best.held < _NEAR:
        return None
    return Outcome("denied", Place(best.chunk, best.start, best.end))


def _denies_nothing(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a denial denies no statement: "not only", "no later than", "may not", "No, …"."""
    token = tokens[at]
    if at + 1 >= len(tokens) or tokens[at + 1].norm in _IDLE_AFTER:
        return True
    if "-" in (text[token.end : token.end + 1], text[token.start - 1 : token.start]):
        return True
    between = text[token.end : tokens[at + 1].start]
    if token.norm == "no" and (at == 0 or "," in between):
        return True
    if at and tokens[at - 1].norm in _OPEN_BEFORE:
        return True
    return _is_in_a_case(tokens, at)


def _has_one(statement: Statement, stems: frozenset[str]) -> bool:
    return any(token.stem in stems for token in statement.tokens)


def _denies(statement: Statement, stems: frozenset[str], grounds: Grounds, *, is_holding: bool) -> bool:
    """Whether a sentence denies one of these words, says its opposite, or denies something in their place."""
    return any(_part_denies(part, stems, grounds, is_holding=is_holding) for part in statement.parts)


def _part_denies(part: Sequence[Token], stems: frozenset[str], grounds: Grounds, *, is_holding: bool) -> bool:
    places = [number for number, token in enumerate(part) if token.stem in stems]
    for number, token in enumerate(part):
        if any(stem in stems for stem in (*negated_stems(token.norm), *opposites_of(token.stem))):
            return True
        if not _is_deny_mark(token):
            continue
        if not is_holding or any(-_BEFORE <= place - number <= _AFTER for place in places):
            return True
        is_about = any(token.stem in grounds.content for token in part)
        if not places and is_about and _is_cut_short(part, number):
            return True
    return False


def _is_deny_mark(token: Token) -> bool:
    marks = marks_of(token.norm)
    return TURNS in marks or DENIES in marks


def _is_cut_short(part: Sequence[Token], at: int) -> bool:
    """Whether nothing follows a denial: "talks are recorded, workshops are not"."""
    return all(token.is_stop for token in part[at + 1 :])


def _lost_denial(grounds: Grounds) -> Outcome | None:
    """A claim without a denial is denied where each sentence that holds nearly all of it denies it."""
    if len(grounds.content) < _FEWEST or any(_is_deny_mark(token) for token in grounds.tokens):
        return None
    denying: Statement | None = None
    for statement in grounds.statements:
        if statement.held < _CLOSE:
            break
        if not _is_denied_in(statement, grounds):
            return None
        denying = denying or statement
    if denying is None:
        return None
    return Outcome("denied", Place(denying.chunk, denying.start, denying.end))


def _is_denied_in(statement: Statement, grounds: Grounds) -> bool:
    """Whether the part of a sentence that holds most of a claim denies it, or one that is cut short."""
    stems = frozenset().union(*(grounds.forms(stem) for stem in grounds.content))
    best = max(statement.parts, key=lambda part: sum(token.stem in stems for token in part))
    return any(_part_denies_claim(part, stems, is_best=part is best) for part in statement.parts)


def _part_denies_claim(part: Sequence[Token], stems: frozenset[str], *, is_best: bool) -> bool:
    places = [number for number, token in enumerate(part) if token.stem in stems]
    for number, token in enumerate(part):
        following = part[number + 1].norm if number + 1 < len(part) else ""
        if not is_denier(token.norm) or following in _IDLE_AFTER or _is_in_a_case(part, number):
            continue
        if is_best and any(0 < place - number <= _RIGHT_AFTER for place in places):
            return True
        if not is_best and places and _is_cut_short(part, number):
            return True
    return False


def _is_in_a_case(tokens: Sequence[Token], at: int) -> bool:
    """Whether "if" or its like stands shortly before a word."""
    return any(token.norm in _CASES for token in tokens[max(0, at - _CASE_REACH) : at])


def _settled_amount(at: int, grounds: Grounds) -> Outcome | None:
    """Whether "all X" is denied: it is where each sentence about X that counts it counts less."""
    before = grounds.tokens[max(0, at - _CASE_REACH) : at]
    if any(is_denier(token.norm) for token in before):
        return None
    counted = next(content_after(grounds.text, grounds.tokens, at, _COUNTED_REACH, 1), None)
    if counted is None:
        return None
    stems = grounds.forms(counted.stem)
    less: Statement | None = None
    for statement in grounds.statements:
        steps = [_AMOUNTS[token.norm] for token in _before(statement, stems) if token.norm in _AMOUNTS]
        if str(_ALL) in steps or any(token.norm in _UNIVERSAL for token in _before(statement, stems)):
            return Outcome("found", Place(statement.chunk, statement.start, statement.end))
        if less is None and any(0 < int(step) <= _MANY for step in steps):
            less = statement
    if less is None:
        return None
    return Outcome("denied", Place(less.chunk, less.start, less.end))


def _settled_scope(grounds: Grounds) -> Outcome | None:
    """Whether a sentence that the claim rests on leaves no exception, as "anyone" does."""
    if not grounds.statements:
        return None
    for statement in grounds.statements:
        if any(token.norm in _UNIVERSAL for token in statement.tokens):
            return Outcome("found", Place(statement.chunk, statement.start, statement.end))
    best = grounds.statements[0]
    return Outcome("denied", Place(best.chunk, best.start, best.end)) if best.held >= _NEAR else None


def _before(statement: Statement, stems: frozenset[str]) -> Iterator[Token]:
    """The words right before these in a sentence."""
    for number, token in enumerate(statement.tokens):
        if token.stem in stems:
            yield from statement.tokens[max(0, number - _COUNTED_REACH) : number]
