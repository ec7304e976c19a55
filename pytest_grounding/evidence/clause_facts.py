"""Joined clauses and list items of a claim that have words of their own, and none that a source has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.evidence.token_index import light_stems, weight_of
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts.numerals import ORDINALS
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.words import Token, tokenize

_JOINTS = words("grammar", "clause_joints")
_PRONOUNS = words("denials", "going back")
#: Prefixes, and places in a row, which are values.
_NO_WORDS = words("grammar", "prefixes") | ORDINALS.keys()
_SIGNS = lazy(r"[,;:()–—]| - ")
_ADDRESS = lazy(r"https?:\S+|www\.\S+")
_LEAST = 2  # content words of a clause from which it answers for itself
#: A clause of so many words is without a source where no sentence holds this share of it, by weight, …
_LONG, _SHARE = 3, 0.34
_ONE_OF = 3  # … and no more than one word of so many is anywhere in the sources
#: Content words of the end of a claim at most, and the share of the words before it in one sentence.
_TAIL, _SAME = 4, 0.9
_OF_TAILS = words("grammar", "tails")
_ADVERB_END = "ly"
#: Shares of the content words of the rest of the claim that the sources have, and that one sentence has.
_REST, _REST_TOGETHER = 0.75, 0.55


def unbacked_clauses(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The clauses and items after the first that no source backs; English only."""
    if sources.language != "en":
        return
    plain = _ADDRESS.sub(lambda match: " " * len(match[0]), text)
    parts = _parts(plain, tokenize(plain, "en"))
    lost = [part for part in parts[1:] if _is_without_source(part, sources)]
    if not lost and len(parts) > 1 and _is_invented_tail(parts[-1], parts[:-1], sources):
        yield Settled("clause", parts[-1][0].start, parts[-1][-1].end, Outcome("missing"))
        return
    rest = [token for part in parts if part not in lost for token in part]
    for part in lost:
        if _is_rest_backed(rest, sources.context):
            yield Settled("clause", part[0].start, part[-1].end, Outcome("missing"))


def _parts(text: str, tokens: Sequence[Token]) -> list[list[Token]]:
    """The words of a claim, cut at punctuation and joining words."""
    parts: list[list[Token]] = [[]]
    end = 0
    for token in tokens:
        is_joint = token.norm in _JOINTS
        is_apart = token.start - end > 1 or (end < token.start and text[end] != " ")
        if parts[-1] and (is_joint or (is_apart and _SIGNS.search(text, end, token.start) is not None)):
            parts.append([])
        end = token.end
        if not is_joint:
            parts[-1].append(token)
    return [part for part in parts if part]


def _is_without_source(part: Sequence[Token], sources: LedgerSources) -> bool:
    """Whether a clause has content words, of which no sentence of the sources has more than a few."""
    content = {
        stem: weight_of(token.norm, stem, token.is_number, "en") for stem, token in _content_of(part).items()
    }
    if len(content) < _LEAST or sources.given_stems.issuperset(content):
        return False
    return _is_lost(content, sources.context)


def _is_invented_tail(
    tail: Sequence[Token], before: Sequence[Sequence[Token]], sources: LedgerSources
) -> bool:
    """Whether a claim says what one sentence says, and half of the words of its end are nowhere."""
    context = sources.context
    content = {
        stem: token for stem, token in _content_of(tail).items() if not token.norm.endswith(_ADVERB_END)
    }
    missing = [stem for stem in content if not context.forms(stem) and stem not in sources.given_stems]
    if not missing or len(content) > _TAIL or 2 * len(missing) < len(content):
        return False
    norms = [token.norm for token in tail]
    if norms[0] in _PRONOUNS and not any(map(_states_something, before)):
        # "School projects with | it are permitted": no statement stands before it.
        return False
    if not has_finite_verb(norms) and _OF_TAILS.isdisjoint(norms):
        return False
    said = {token.stem for part in before for token in part if not token.is_stop}
    if len(said) < _LEAST:
        return False
    return _most_in_one(said, context) >= _SAME * len(said)


def _states_something(part: Sequence[Token]) -> bool:
    return has_finite_verb([token.norm for token in part])


def _content_of(part: Sequence[Token]) -> dict[str, Token]:
    """The content words of a clause that say something by themselves, by stem."""
    light = light_stems()
    return {
        token.stem: token
        for token in part
        if not (token.is_stop or token.is_number or token.stem in light or token.norm in _NO_WORDS)
    }


def _is_rest_backed(rest: Sequence[Token], context: Context) -> bool:
    """Whether the rest of a claim is taken from one sentence, and is no free paraphrase."""
    content = {token.stem for token in rest if not token.is_stop and not token.is_number}
    backed = sum(bool(context.forms(stem)) for stem in content)
    return backed >= _REST * len(content) and _most_in_one(content, context) >= _REST_TOGETHER * len(content)


def _most_in_one(stems: Iterable[str], context: Context) -> int:
    """The most of these words that one sentence has."""
    held = Counter(sentence for stem in stems for sentence in context.in_some_form(stem))
    return max(held.values(), default=0)


def _is_lost(content: dict[str, float], context: Context) -> bool:
    known = [stem for stem in content if context.forms(stem)]
    if not known:
        return True
    if len(content) < _LONG or _ONE_OF * len(known) > len(content):
        return False
    held: dict[int, float] = defaultdict(float)
    for stem in known:
        for sentence in context.in_some_form(stem):
            held[sentence] += content[stem]
    return max(held.values(), default=0.0) < _SHARE * sum(content.values())
