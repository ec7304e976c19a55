"""A claim and a sentence that are equal but for a denier: they contradict each other, in any language listed.

Every word of the claim stands in the sentence in the same order, and one of the two denies what the other
does not; or one word of the claim stands against its opposite in the same place (English).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from pytest_grounding.lexicon import fields
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.tokens import Token, tokenize

#: Languages written without blanks between words, or with deniers inside words.
_UNBROKEN = frozenset({"zh", "ja", "ko"})
_FIRST_UNBROKEN = "\u3040"
_MOST_SENTENCES = 3
_FEWEST, _MOST = 3, 40
#: Words between a denier and the shared word that it denies.
_REACH = 2
#: Letters that a claim and a sentence without deniers share, in languages without blanks.
_ALIKE = 0.8
#: Share of a claim, by weight, that a sentence holds which is equal to it but for a denier or an opposite.
_LEAST_HELD = 0.6
_LOG_ODDS = 3.0
#: Words of an attribution before a claim, and the verbs in it.
_LEAD = 6
_SAYING = frozenset("says states notes specifies say state explains mentions indicates".split())
_EDGES = " .,;:!?。、！？「」\n\t"


@lru_cache(maxsize=1)
def _deniers() -> dict[str, frozenset[str]]:
    listed = fields("denials", "deniers")
    return {
        language: frozenset(words)
        if language in _UNBROKEN
        # As the words of a text are folded.
        else frozenset(token.norm for word in words for token in tokenize(word, language))
        for language, words in listed.items()
    }


@lru_cache(maxsize=2)
def _union(*, is_unbroken: bool) -> frozenset[str]:
    """The deniers of all languages that are written alike: of a text whose language nobody named."""
    return frozenset().union(
        *(words for name, words in _deniers().items() if (name in _UNBROKEN) == is_unbroken and name != "en")
    )


@lru_cache(maxsize=1)
def _pairs() -> frozenset[tuple[str, str]]:
    found = set()
    for word, others in fields("denials", "turning pairs").items():
        found |= {pair for other in others for pair in ((word, other), (other, word))}
    return frozenset(found)


def denial_conflict(alignment: Alignment, chunk_ids: Sequence[str], language: str) -> Conflict | None:
    """The sentence that says what a claim says but for a denier, or None.

    Args:
        alignment: the claim against the chunks.
        chunk_ids: ids of the chunks, in their order.
        language: first part of the BCP 47 tag in force.
    """
    if not _FEWEST <= len(alignment.tokens) <= _MOST:
        return None
    is_unbroken = language in _UNBROKEN or any(sign >= _FIRST_UNBROKEN for sign in alignment.claim)
    deniers = _deniers().get(language) or _union(is_unbroken=is_unbroken)
    context = alignment.context
    own = _without_attribution(alignment) if language == "en" else alignment.tokens
    for weight, sentence in alignment.ranked[:_MOST_SENTENCES]:
        if not is_unbroken and -weight < _LEAST_HELD * alignment.total:
            # Ranked by weight: no other sentence holds nearly all of the claim.
            break
        text = context.text_of(sentence)
        if is_unbroken:
            pair = _unbroken(alignment.claim, text, deniers)
        else:
            chunk = context.chunk_of[sentence]
            index = context.indexes[chunk]
            local = sentence - context.offset[chunk]
            low, high = context.sources.bounds(chunk, local)
            tokens = index.tokens[low:high]
            pair = _turned(own, tokens, index.text, deniers, is_english=language == "en")
        if pair is not None:
            chunk = context.chunk_of[sentence]
            found = context.indexes[chunk].evidence(chunk_ids[chunk], sentence - context.offset[chunk])
            ours, theirs = pair
            start = max(0, alignment.claim.find(ours))
            return Conflict(
                kind="negation",
                severity="error",
                claim_text=ours,
                evidence_text=theirs,
                evidence=found,
                claim_start=start,
                message=f'negation: the claim says "{ours}", the source says "{theirs}"',
                log_odds=_LOG_ODDS,
            )
    return None


def _without_attribution(alignment: Alignment) -> Sequence[Token]:
    """The words of a claim behind "the policy says that" and "according to the rules"."""
    tokens = alignment.tokens
    norms = [token.norm for token in tokens[:_LEAD]]
    if "that" in norms and not _SAYING.isdisjoint(norms[: norms.index("that")]):
        return tokens[norms.index("that") + 1 :]
    if norms[:2] == ["according", "to"]:
        comma = alignment.claim.find(",")
        return [token for token in tokens if token.start > comma]
    return tokens


def _unbroken(claim: str, text: str, deniers: frozenset[str]) -> tuple[str, str] | None:
    """The claim and the sentence where they are alike but for a denier, in a language without blanks."""
    ours, theirs = claim.strip(_EDGES), text.strip(_EDGES)
    counts = [sum(side.count(word) for word in deniers) for side in (ours, theirs)]
    if counts[0] == counts[1]:
        return None
    bare = [_without(side, deniers) for side in (ours, theirs)]
    matcher = SequenceMatcher(None, bare[0], bare[1], autojunk=False)
    shared = sum(block.size for block in matcher.get_matching_blocks())
    return (ours, theirs) if shared >= _ALIKE * max(map(len, bare)) else None


def _without(text: str, deniers: frozenset[str]) -> str:
    for word in sorted(deniers, key=len, reverse=True):
        text = text.replace(word, "")
    return text


def _turned(
    claim: Sequence[Token], sentence: Sequence[Token], text: str, deniers: frozenset[str], *, is_english: bool
) -> tuple[str, str] | None:
    """The words that differ, of a claim whose other words all stand in the sentence in the same order."""
    ours, theirs = [token.norm for token in claim], [token.norm for token in sentence]
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    extra: list[int] = []
    turned: tuple[str, str] | None = None
    ends = [high for tag, _, _, low, high in blocks if tag == "equal"]
    starts = [low for tag, _, _, low, _ in blocks if tag == "equal"]
    if not starts:
        return None
    for tag, low, high, from_, to in blocks:
        if tag == "equal":
            continue
        if tag == "insert":
            if starts[0] <= to and from_ < ends[-1]:
                extra += [n for n in range(from_, to) if _denies(theirs[n], deniers, is_english)]
            continue
        own = ours[low:high]
        if tag == "replace" and len(own) == 1 and turned is None:
            other = next((w for w in theirs[from_:to] if is_english and (own[0], w) in _pairs()), None)
            if other is not None:
                turned = own[0], other
                continue
        if len(own) == 1 and f"n'{own[0]}" in theirs[from_:to]:
            extra += range(from_, to)
            continue
        if all(_denies(word, deniers, is_english) for word in own) and turned is None:
            if any(_denies(word, deniers, is_english) for word in theirs[from_:to]):
                continue
            turned = " ".join(own), text[sentence[starts[0]].start : sentence[ends[-1] - 1].end]
            continue
        return None
    matched = {n for tag, _, _, low, high in blocks if tag == "equal" for n in range(low, high)}
    near = [n for n in extra if any(n + step in matched for step in range(1, _REACH + 1))]
    if turned is not None:
        return None if near else turned
    if not near:
        return None
    window = text[sentence[max(starts[0], 0)].start : sentence[ends[-1] - 1].end]
    return " ".join(token.text for token in claim), window


def _denies(norm: str, deniers: frozenset[str], is_english: bool) -> bool:
    if is_english:
        return norm in deniers or norm.endswith("n't")
    return norm in deniers or ("n" in deniers and norm.startswith("n'"))
