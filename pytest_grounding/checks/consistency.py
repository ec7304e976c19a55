"""Whether the claims of an answer contradict each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.check_context import CheckContext, stems_in, supports
from pytest_grounding.lexicon import alternation, ordered, words
from pytest_grounding.model.finding import Finding, finding_of
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.grammar import has_finite_verb, words_of
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.reading.words import Token, content_stems, stems_of, tokenize
from pytest_grounding.rules import at_least_warning
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.settings import Settings

_WINDOW = 12  # with more claims, each is compared with its neighbours only, so that time stays linear
#: Common content words of claims about the same thing: at least this many, and this share of the shorter one.
_SHARED_WORDS = 2
_SHARED_SHARE = 0.4
_FEW = 4  # content words in which two supported claims may differ to be a statement and its denial
#: Kinds of conflicts in which one claim denies the other.
_DENIALS = frozenset({"antonym", "negation", "quantifier"})
_DENYING = lazy(rf"\b(?:{alternation('denials', 'bare_denials')})\b|n['’]t\b", re.IGNORECASE)
_PLAIN_KINDS = _DENIALS | {"number", "date", "unit"}  # kinds of which a contradiction may be plain
_GAP = "value"  # stands where a claim has its value
_SUPPORTING = frozenset({"do", "does", "did", "can", "ca"})  # forms of "do" come and go with a denial
#: A claim that begins with one has no subject, or one that stands before it.
_NO_SUBJECT = words("conflicts", "pronouns") | words("grammar", "auxiliaries") | {_GAP}
#: Both "some refunds are possible" and "some refunds are not possible" may hold.
_UNSURE = words("conflicts", "hedges") - {"can"} | words("conflicts", "some of several")
_LABEL = lazy(r":(?:\s|$)")
_ITEM = lazy(r"\s*(?:[-*•+|#]|\d{1,3}[.)])\s")
_WORDLESS = frozenset({"name", "negation"})  # facts that are not measures
#: Facts that say when or which one: the same may hold of another.
_OCCASIONS = frozenset({"date", "ordinal"})
_COUNTS = frozenset({"number"})

#: Prepositions that change the meaning of a day or an amount.
_PREPOSITIONS = words("questions", "prepositions")
_WORD_LENGTH = 20  # characters before a number or day that are searched for one

_LIGHT = " ".join(ordered("conflicts", "filling"))  # words that do not change what a claim is about
_LONGEST = 600  # a longer claim, in characters, is unsegmented text, not a statement
#: Log odds from which a denial counts; lower than against sources, which contain much else.
_SURE_OF_DENIALS = 0.7


def check(context: CheckContext) -> tuple[Finding, ...]:
    """Compare checked claims about the same thing."""
    scored = [claim for claim in context.claims if claim.checked and context.supports[claim.index]]
    claims = [claim for claim in scored if len(claim.bare) <= _LONGEST]
    stems = {claim.index: content_stems(claim.bare, context.language) for claim in claims}
    least = context.settings.supported_threshold
    found: list[Finding] = []
    for earlier, later in _pairs_in_window(claims):
        if not _same_thing(stems[earlier.index], stems[later.index]):
            continue
        backed = all(supports(context.supports[claim.index], least) for claim in (earlier, later))
        if backed and not _may_deny(stems[earlier.index], stems[later.index], earlier, later):
            continue
        for text, read, conflict in _conflicts_of_pair(context, later, earlier):
            if read.kind == "antonym" and not _states_part(later.bare, read.claim_text, context.language):
                # "The indoor pool", "the outdoor pool": which one is meant.
                continue
            ours = _Words(text, read.claim_text, context.language)
            theirs = _Words(earlier.bare, read.evidence_text, context.language)
            # The other claim's neighbours cannot be meant.
            is_denial = conflict.kind == "negation" and (conflict.log_odds or 0.0) >= _SURE_OF_DENIALS
            is_sure = is_denial or conflict.severity == "error"
            if is_sure and _excludes(read.kind, ours, theirs, backed=backed):
                is_plain = _is_plain(context, earlier, later, read)
                found.append(_self_conflict(earlier, later, conflict, context.settings, is_plain=is_plain))
                break
    return tuple(found)


def _conflicts_of_pair(
    context: CheckContext, later: Claim, earlier: Claim
) -> Iterator[tuple[str, Conflict, Conflict]]:
    if context.settings.glossary_lines:
        # Imported here for cost: most projects have no glossary.
        from pytest_grounding.scorers.builtin.glossary import conflict_in, glossary_of

        glossary = glossary_of(context.settings, context.language)
        there = glossary.terms_in([earlier.bare], context.language)
        reading = glossary.readings(later.bare, there, context.language)[0]
        for item in conflicts_between(reading.text, earlier.bare, language=context.language):
            yield reading.text, item, conflict_in(item, reading)
        return
    for item in conflicts_between(later.bare, earlier.bare, language=context.language):
        yield later.bare, item, item


def _may_deny(stems: frozenset[str], others: frozenset[str], earlier: Claim, later: Claim) -> bool:
    """Quick test whether one of two claims may deny the other: most supported ones do not."""
    differing = stems ^ others
    if len(differing) > _FEW:
        return False
    turned = [_DENYING.search(claim.bare) is not None for claim in (earlier, later)]
    return turned[0] != turned[1] or (len(differing) == 2 and len(stems - others) == 1)


def _pairs_in_window(claims: list[Claim]) -> Iterator[tuple[Claim, Claim]]:
    for position, later in enumerate(claims):
        for earlier in claims[max(0, position - _WINDOW) : position]:
            yield earlier, later


def _same_thing(stems: frozenset[str], others: frozenset[str]) -> bool:
    shared, shorter = len(stems & others), min(len(stems), len(others))
    if shorter < _SHARED_WORDS:
        return False
    # "Prices rose" and "prices fell" share one word and differ in one.
    return shared >= min(_SHARED_WORDS, max(1, shorter - 1)) and shared >= _SHARED_SHARE * shorter


def _excludes(kind: str, ours: _Words, theirs: _Words, *, backed: bool) -> bool:
    """Whether two conflicting claims are about the same thing, so that both cannot be right."""
    if kind == "quantifier" and ours.denies == theirs.denies:
        return False
    own, other = ours.stems - theirs.every, theirs.stems - ours.every
    if own and other:
        return False
    if kind not in _DENIALS:
        if backed:
            # Sources may differ, and an answer may report two years: only one value may be given.
            apart = max(len(ours.facts - theirs.facts), len(theirs.facts - ours.facts))
            return not own and not other and apart == 1 and ours.denies == theirs.denies
        return ours.denies == theirs.denies or bool(own or other)
    if ours.facts and theirs.facts and not ours.facts & theirs.facts:
        return False
    if backed and (own or other):
        return False
    return not own if ours.denies else not (theirs.denies and other)


def _is_plain(context: CheckContext, earlier: Claim, later: Claim, read: Conflict) -> bool:
    """Whether two claims are equal but for a denial, an opposite or one value, with their own subject."""
    if read.kind not in _PLAIN_KINDS or not _follow_in_one_text(context, earlier, later):
        return False
    ours = _words_to_compare(later.bare, read.claim_text, read.kind, context.language)
    theirs = _words_to_compare(earlier.bare, read.evidence_text, read.kind, context.language)
    if not ours or [word.stem for word in ours] != [word.stem for word in theirs]:
        return False
    if read.kind not in _DENIALS and not _is_stated_value(later.bare, read.claim_text, context.language):
        return False
    return ours[0].norm not in _NO_SUBJECT and _UNSURE.isdisjoint(word.norm for word in ours)


def _states_part(text: str, differing: str, language: str) -> bool:
    """Whether a part of a claim follows its verb, or is one; in "the indoor pool" it says which one."""
    before = tokenize(text[: text.find(differing)], language)
    words = [token.norm for token in before]
    follows = bool(before) and (not before[-1].is_stop or words[-1] in _NO_SUBJECT)
    return follows or has_finite_verb([*words, *words_of(differing)])


def _is_stated_value(text: str, differing: str, language: str) -> bool:
    """Whether a claim states a value of its subject; others say which one is meant: "line 6", "in 2019"."""
    at = text.find(differing)
    before = tokenize(text[:at], language)
    if not _states_part(text, differing, language):
        return False
    facts = [fact for fact in extract_facts(text) if fact.start < at + len(differing) and at < fact.end]
    if not facts or facts[0].kind in _OCCASIONS:
        return False
    last = before[-1]
    is_after_noun = not last.is_stop and not has_finite_verb([last.norm])
    return bool(facts[0].unit) or facts[0].kind not in _COUNTS or not is_after_noun


def _follow_in_one_text(context: CheckContext, earlier: Claim, later: Claim) -> bool:
    between = context.claims[earlier.index : later.index + 1]
    answer = context.transcript.answer
    lines = answer[answer.rfind("\n", 0, earlier.start) + 1 : later.end].splitlines()
    is_listed = any(map(_ITEM.match, lines))
    is_labelled = any(_LABEL.search(claim.bare) for claim in (earlier, later))
    return not is_listed and not is_labelled and all(claim.skip_reason != "heading" for claim in between)


def _words_to_compare(text: str, differing: str, kind: str, language: str) -> list[Token]:
    """The words of a claim without the denial or opposite, or with a gap where its value is."""
    if kind not in _DENIALS:
        return list(tokenize(text.replace(differing, f" {_GAP} ", 1), language))
    opposite = set() if kind == "negation" else {word.norm for word in tokenize(differing, language)}
    found = tokenize(_DENYING.sub(" ", text), language)
    return [word for word in found if word.norm not in opposite | _SUPPORTING]


class _Words:
    def __init__(self, text: str, differing: str, language: str) -> None:
        facts = extract_facts(text)
        tokens = tokenize(text, language)
        left_out = stems_in(differing, language) | stems_of(_LIGHT)
        values = [fact for fact in facts if fact.kind not in _WORDLESS]
        places = [(fact.lead, fact.tail) for fact in values]
        self.every = {token.stem for token in tokens}
        self.stems = set()
        for token in tokens:
            if token.is_stop or token.stem in left_out:
                continue
            if not any(start <= token.start < end for start, end in places):
                self.stems.add(token.stem)
        self.facts = {(_preposition(text[: fact.start]), fact.key) for fact in values}
        self.denies = any(fact.kind == "negation" for fact in facts)


def _preposition(before: str) -> str:
    last = "".join(words_of(before[-_WORD_LENGTH:])[-1:])
    return last if last in _PREPOSITIONS else ""


def _self_conflict(
    earlier: Claim, later: Claim, conflict: Conflict, settings: Settings, *, is_plain: bool
) -> Finding:
    said = f"the answer contradicts itself ({conflict.kind}): {later.bare!r} against {earlier.bare!r}"
    details = conflict.model_dump(include={"kind", "claim_text", "evidence_text"})
    return finding_of(
        "internal_contradiction",
        settings,
        said,
        span=(later.start, later.end),
        claim=later.index,
        severity=at_least_warning("internal_contradiction", settings) if is_plain else None,
        details=details | {"other_claim": earlier.index},
    )
