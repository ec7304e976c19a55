"""A claim and a sentence that differ only in a negation contradict each other; languages other than English.

Denials of English claims are facts of the ledger (`evidence.denial_facts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.lexicon import fields
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.words import Token, tokenize
from pytest_grounding.scorers.builtin.align import Alignment

#: Languages written without blanks between words, or with negations inside words.
_UNBROKEN = frozenset({"zh", "ja", "ko", "th"})
_UNBROKEN_SIGNS = lazy(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_MOST_SENTENCES = 3
_FEWEST, _MOST = 3, 40
_REACH = 2  # words between a negation and the shared word that it denies
#: Letters that claim and sentence share apart from negations, in languages without blanks.
_ALIKE = 0.8
#: Share of a claim, by weight, in a sentence that differs only in a negation.
_LEAST_HELD = 0.6
_LOG_ODDS = 3.0
_ENGLISH = "en"
#: Scripts of the listed languages: Latin, Cyrillic, Arabic, Devanagari, Thai,
#: kana, Han, Hangul.
_READ_SCRIPTS = lazy(
    r"[A-Za-z\u00aa-\u024f\u1e00-\u1eff\u0400-\u052f\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff21-\uff5a]"
)
_EDGES = " .,;:!?。、！？「」\n\t"


@lru_cache(maxsize=64)
def _deniers(language: str) -> frozenset[str]:
    """The negations of one language; those of all would load every stemmer."""
    listed = fields("denials", "deniers").get(language, ())
    if language in _UNBROKEN:
        return frozenset(listed)
    # Folded like the words of a text.
    return frozenset(token.norm for word in listed for token in tokenize(word, language))


@lru_cache(maxsize=2)
def _union(*, is_unbroken: bool) -> frozenset[str]:
    """The negations of all languages with this script, for a text whose language is unknown."""
    named = [name for name in fields("denials", "deniers") if (name in _UNBROKEN) == is_unbroken]
    return frozenset().union(*(_deniers(name) for name in named if name != "en"))


def is_unread(language: str, text: str) -> bool:
    """Whether no negation can be read: neither the language nor the script has a list."""
    named = language.lower().split("-")[0]
    if named != "und":
        return named not in fields("denials", "deniers")
    letters = [sign for sign in text if sign.isalpha()]
    return 2 * sum(_READ_SCRIPTS.match(sign) is None for sign in letters) > len(letters)


def denial_conflict(alignment: Alignment, chunk_ids: Sequence[str], language: str) -> Conflict | None:
    """The sentence that differs from the claim only in a negation, or None."""
    if not _FEWEST <= len(alignment.tokens) <= _MOST:
        return None
    is_plain = alignment.claim.isascii() or _UNBROKEN_SIGNS.search(alignment.claim) is None
    is_unbroken = language in _UNBROKEN or not is_plain
    if language == _ENGLISH and not is_unbroken:
        return None
    deniers = _deniers(language) or _union(is_unbroken=is_unbroken)
    context = alignment.context
    own = alignment.tokens
    nearest = alignment.ranked[:_MOST_SENTENCES]
    held = nearest
    if not is_unbroken:
        words, least = [token.norm for token in own], _LEAST_HELD * alignment.total
        held = [
            (weight, sentence)
            for weight, sentence in nearest
            if -weight >= least and _may_turn(words, alignment, sentence, deniers)
        ]
        if not held or any(
            _stands(own, _tokens_of(alignment, sentence)[1], deniers) for _, sentence in nearest
        ):
            return None
    for _, sentence in held:
        text = context.text_of(sentence)
        if is_unbroken:
            pair = _unbroken(alignment.claim, text, deniers)
        else:
            index, tokens = _tokens_of(alignment, sentence)
            pair = _turned_words(own, tokens, index.text, deniers)
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


def _tokens_of(alignment: Alignment, sentence: int) -> tuple[ChunkIndex, Sequence[Token]]:
    """The chunk of a sentence, and the sentence's tokens."""
    context = alignment.context
    chunk = context.chunk_of[sentence]
    index = context.indexes[chunk]
    return index, index.tokens_of(sentence - context.offset[chunk])


def _unbroken(claim: str, text: str, deniers: frozenset[str]) -> tuple[str, str] | None:
    """Claim and sentence if they differ only in a negation, in a language without blanks."""
    ours, theirs = claim.strip(_EDGES), text.strip(_EDGES)
    if sum(map(ours.count, deniers)) == sum(map(theirs.count, deniers)):
        return None
    bare = [_without(side, deniers) for side in (ours, theirs)]
    # Imported here for cost.
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, bare[0], bare[1], autojunk=False)
    shared = sum(block.size for block in matcher.get_matching_blocks())
    return (ours, theirs) if shared >= _ALIKE * max(map(len, bare)) else None


def _without(text: str, deniers: frozenset[str]) -> str:
    for word in sorted(deniers, key=len, reverse=True):
        text = text.replace(word, "")
    return text


def _turned_words(
    claim: Sequence[Token], sentence: Sequence[Token], text: str, deniers: frozenset[str]
) -> tuple[str, str] | None:
    """The words that differ, if all other words of the claim are in the sentence in the same order."""
    ours, theirs = [token.norm for token in claim], [token.norm for token in sentence]
    # Imported here for cost: most claims and sentences have no negation.
    from difflib import SequenceMatcher

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
                extra += [n for n in range(from_, to) if _denies(theirs[n], deniers)]
            continue
        own = ours[low:high]
        if len(own) == 1 and f"n'{own[0]}" in theirs[from_:to]:
            extra += range(from_, to)
            continue
        if all(_denies(word, deniers) for word in own) and turned is None:
            instead = theirs[from_:to]
            if any(_denies(word, deniers) for word in instead):
                continue
            turned = " ".join(own), text[sentence[starts[0]].start : sentence[ends[-1] - 1].end]
            continue
        return None
    matched = {n for tag, _, _, low, high in blocks if tag == "equal" for n in range(low, high)}
    near = [n for n in extra if not matched.isdisjoint(range(n + 1, n + _REACH + 1))]
    if turned is not None:
        return None if near else turned
    if not near:
        return None
    window = text[sentence[max(starts[0], 0)].start : sentence[ends[-1] - 1].end]
    return " ".join(token.text for token in claim), window


def _may_turn(ours: Sequence[str], alignment: Alignment, sentence: int, deniers: frozenset[str]) -> bool:
    """Whether claim or sentence has a negation."""
    theirs = [token.norm for token in _tokens_of(alignment, sentence)[1]]
    words = (*ours, *theirs)
    return not deniers.isdisjoint(words) or "n'" in "".join(words)


def _stands(own: Sequence[Token], sentence: Sequence[Token], deniers: frozenset[str]) -> bool:
    """Whether a sentence contains a claim verbatim, with no negation around it."""
    ours, theirs = [token.norm for token in own], [token.norm for token in sentence]
    for first in range(len(theirs) - len(ours) + 1):
        if theirs[first : first + len(ours)] == ours:
            around = (*theirs[:first], *theirs[first + len(ours) :])
            return not any(_denies(word, deniers) for word in around)
    return False


def _denies(norm: str, deniers: frozenset[str]) -> bool:
    return norm in deniers or ("n" in deniers and norm.startswith("n'"))
