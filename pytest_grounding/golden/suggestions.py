"""Lines for the glossary that an accepted recording calls for: its claims were right in other words."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from pytest_grounding.engine import support
from pytest_grounding.errors import SettingsError
from pytest_grounding.golden.record import Golden
from pytest_grounding.golden.review import Item
from pytest_grounding.model.finding import Cause
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.rules import having
from pytest_grounding.scorers.lexical.align import claim_tokens
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.scorers.lexical.tokens import Token, is_acronym, tokenize

#: How a line is offered.
SUGGESTION = "if these mean the same, add to grounding_glossary: {line}"
#: Rules that words may break which the sources do not use.
_OF_WORDS = frozenset(having("words"))
_KINDS = frozenset({"antonym", "entity"})
#: What such a claim breaks besides.
_FOLLOWING = frozenset(having("backing"))
#: Words of a term, and words that a claim and its evidence share at least.
_LONGEST = 3
_SHARED = 2


def suggested_lines(item: Item) -> list[str]:
    """Lines for the glossary with which the claims of an accepted candidate would stand better.

    Only where all that is new in the candidate are words that its sources do not use, and where one term of
    a claim stands against one term of its evidence.

    Args:
        item: the candidate.
    """
    candidate = item.record.candidate
    known = _known(item.golden)
    new = [found for found in candidate.verdict.causes if _key(found, candidate) not in known]
    worded = [found for found in new if _is_of_words(found)]
    claims = {found.claim for found in worded}
    for found in new:
        follows = found.rule in _FOLLOWING and found.claim in claims
        if found.severity != "info" and not follows and not _is_of_words(found):
            return []
    lines: dict[str, None] = {}
    for found in worded:
        if found.claim is not None and found.claim < len(candidate.verdict.claims):
            claim = candidate.verdict.claims[found.claim]
            lines.update(dict.fromkeys(_lines(found, claim, candidate)))
    return list(lines)


def _known(golden: Golden | None) -> set[tuple[str, str]]:
    return set() if golden is None else {_key(found, golden) for found in golden.verdict.causes}


def _key(found: Cause, golden: Golden) -> tuple[str, str]:
    """What a finding is about, wherever it stands."""
    claims = golden.verdict.claims
    about = found.claim is not None and found.claim < len(claims)
    return found.rule, claims[found.claim].text if about and found.claim is not None else found.message


def _is_of_words(found: Cause) -> bool:
    if found.rule == "possible_conflict":
        return found.details.get("kind") in _KINDS
    return found.rule in _OF_WORDS


def _lines(found: Cause, claim: ClaimVerdict, candidate: Golden) -> Iterator[str]:
    """The line of one finding, if there is one and it would help."""
    transcript = candidate.transcript
    language = transcript.effective_language or "en"
    texts = [chunk.text for chunk in transcript.chunks]
    if found.rule == "possible_conflict":
        told = str(found.details.get("claim_text", "")), str(found.details.get("evidence_text", ""))
        pair = told if all(_is_term(text, language) for text in told) else None
    else:
        pair = _against(claim, texts, language)
    if pair is None:
        return
    line = " = ".join(_written(text) for text in pair)
    try:
        after = support(claim.text, texts, language=language, glossary=line)
    except SettingsError:
        return  # "fee = fees" says nothing
    before = support(claim.text, texts, language=language)
    if after.probability is None or before.probability is None:
        return
    if after.probability > before.probability or len(after.conflicts) < len(before.conflicts):
        yield line


def _against(claim: ClaimVerdict, texts: list[str], language: str) -> tuple[str, str] | None:
    """The one term of a claim that no chunk holds, and the one that stands in its place in the evidence."""
    if not claim.evidence:
        return None
    near = claim.evidence[0].text
    ours = [token for token in claim_tokens(claim.text, language) if not token.is_stop]
    theirs = [token for token in tokenize(near, language) if not token.is_stop]
    held = {stem for text in texts for stem in index_of(text, language).positions}
    lost = [token.stem for token in ours if token.stem not in held]
    matcher = SequenceMatcher(None, [t.stem for t in ours], [t.stem for t in theirs], autojunk=False)
    steps = matcher.get_opcodes()
    shared = sum(last - first for tag, first, last, _, _ in steps if tag == "equal")
    turned = [step for step in steps if step[0] == "replace" and _holds_any(ours[step[1] : step[2]], lost)]
    if len(turned) != 1 or shared < _SHARED:
        return None
    _, first, last, low, high = turned[0]
    one, other = ours[first:last], theirs[low:high]
    if sorted(token.stem for token in one) != sorted(lost):
        return None
    pair = _slice(claim.text, one), _slice(near, other)
    return pair if all(_is_term(text, language) for text in pair) else None


def _holds_any(tokens: list[Token], stems: list[str]) -> bool:
    return any(token.stem in stems for token in tokens)


def _slice(text: str, tokens: list[Token]) -> str:
    term = text[tokens[0].start : tokens[-1].end]
    first = tokens[0].text
    begins = not text[: tokens[0].start].strip()
    return term if is_acronym(first) or not begins else term[:1].lower() + term[1:]


def _is_term(text: str, language: str) -> bool:
    """Whether a text may be a term: a few words, none of them a number, no sign of a rule."""
    tokens = tokenize(text, language)
    return (
        0 < len(tokens) <= _LONGEST
        and not any(token.is_number for token in tokens)
        and not set('"\n') & set(text)
        and len(text) == tokens[-1].end - tokens[0].start
    )


def _written(term: str) -> str:
    return f'"{term}"' if set("=<>!") & set(term) else term
