"""Whether the chunks state the answer: full, partial, none, or abstain, with evidence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_grounding.evidence.sentence_view import VALUES
from pytest_grounding.evidence.token_index import ChunkIndex, in_own_words, index_of
from pytest_grounding.lexicon import ordered
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ChunkRelevance, Presence
from pytest_grounding.questions import QuestionInfo, QuestionPart, looks_english
from pytest_grounding.questions.question_words import MEASURES, wanted_by
from pytest_grounding.questions.word_families import SHORTEST_ROOT, asked_synonyms, same_family
from pytest_grounding.reading.facts import Fact, extract_facts
from pytest_grounding.reading.visible_text import page_of
from pytest_grounding.reading.words import stems_of, tokenize
from pytest_grounding.scorers.builtin.features import titles_of

#: Share of the question's words, the chunk, and the sentences that contain them.
_Hit = tuple[float, "_Source", range]
_DATES = frozenset({"date", "time"})
_COUNTS = frozenset({"number", "percent"})
_TELLING = frozenset({"money", "percent", "temperature"})  # measures that the unit of an amount tells
_NEAR = 3  # words after a number that may be the counted noun
_TIME = pattern("answers", "gives_time")
_NAMING = {
    "reason": pattern("answers", "gives_reason"),
    "location": pattern("answers", "gives_place"),
    "person": pattern("answers", "names_body"),
    "definition": pattern("answers", "defines"),
}
_DIGITS = 9
#: "When is a claim supported?": a condition answers it, as does a date.
_CONDITION = pattern("answers", "asks_condition")
_NEEDED = 0.6  # weighted share of the question's content words in a sentence that has the answer
#: Most pieces of evidence of a verdict, and of one part of a question.
_MOST_EVIDENCE = 6
_MOST_STATED = 2
_WEAK = 0.5  # weight of an uninformative verb or noun ("use", "make")
_WEAK_WORDS = " ".join(ordered("questions", "weak"))


def _is_money(fact: Fact) -> bool:
    """Whether a fact is an amount of money: "EUR", or "EUR/s" in "29 euros a month"."""
    return fact.kind == "money" or (len(fact.unit) > 2 and fact.unit[:3].isupper())


#: What an amount measures -> whether a fact matches it; any amount matches what is not listed.
_MEASURED: Mapping[str, Callable[[Fact], bool]] = {
    "money": _is_money,
    "weight": lambda fact: fact.kind in VALUES - _DATES - {"duration"} and not _is_money(fact),
    "amount": lambda fact: fact.kind in VALUES - _DATES - {"duration"},
    "percent": lambda fact: fact.kind == "percent",
    "duration": lambda fact: fact.kind == "duration" or fact.unit in ("s", "mo", "s/s"),
}


def contains_answer(part: QuestionPart, question: str, text: str) -> bool:
    """Whether a sentence has something of the expected type that is not in the question."""
    if text.rstrip("\"'”’) ").endswith("?"):
        return False
    expected = part.expected
    if expected in ("polarity", ""):
        return True
    if expected == "quantity":
        return _holds_amount(part, question, text)
    if expected == "date":
        is_date = _holds_fact(question, text, lambda fact: fact.kind in _DATES or _is_plain_year(fact))
        return is_date or _TIME.search(text.lower()) is not None
    known = stems_of(question)
    new = [token for token in tokenize(text) if not token.is_stop and token.stem not in known]
    named = _NAMING.get(expected)
    if not new or named is None:
        return bool(new)
    found = named.search(text.lower())
    if expected == "definition":
        return found is not None and not any(token.start < found.start() for token in new)
    has_name = any(token.is_name or token.text[:1].isupper() for token in new)
    return found is not None or (has_name and expected != "reason")


def _holds_amount(part: QuestionPart, question: str, text: str) -> bool:
    kinds = VALUES - _DATES
    if part.measure == "count":
        # No bag is counted by "23 kg", but kilograms are.
        kinds = _COUNTS.union(fact.kind for fact in extract_facts(f"2 {part.focus}"))
    is_wanted: Callable[[Fact], bool] = _MEASURED.get(part.measure, lambda fact: fact.kind in kinds)
    noun = stems_of(part.focus)
    return _holds_fact(question, text, lambda fact: is_wanted(fact) or _counts(fact, noun, text))


def _counts(fact: Fact, noun: frozenset[str], text: str) -> bool:
    """Whether a bare number counts the question's noun: "25 vacation days"."""
    after = tokenize(text[fact.end :])[:_NEAR]
    return fact.kind == "number" and any(token.stem in noun for token in after)


def _holds_fact(question: str, text: str, is_wanted: Callable[[Fact], bool]) -> bool:
    asked = {fact.key for fact in extract_facts(question)}
    return any(is_wanted(fact) and fact.key not in asked for fact in extract_facts(text))


def _is_plain_year(fact: Fact) -> bool:
    return fact.kind == "number" and fact.text.isdecimal() and 1000 <= (fact.value or 0) <= 2200


@dataclass(frozen=True, slots=True)
class FoundPresence:
    """The result for one part of a question, or for all of it."""

    presence: Presence  # full, partial, none or abstain
    reason: str  # why, in words
    evidence: tuple[Evidence, ...] = ()  # the sentences that show it, verbatim, best first


@dataclass(frozen=True, slots=True)
class _Source:
    chunk_id: str
    index: ChunkIndex
    relevant: bool
    titles: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Word:
    stem: str
    stems: frozenset[str]
    weight: float
    required: bool


def find_presence(
    info: QuestionInfo, chunks: Sequence[Chunk], relevance: Sequence[ChunkRelevance]
) -> FoundPresence:
    """Whether the chunks state the answer."""
    filled = [(chunk, judged) for chunk, judged in zip(chunks, relevance, strict=True) if chunk.text.strip()]
    if not filled:
        return FoundPresence("none", "nothing was retrieved that could contain the answer")
    if info.language != "en":
        reason = "the question is not in English, the only language whose answers are read"
        return FoundPresence("abstain", reason)
    if info.type == "other":
        return FoundPresence("abstain", "what kind of answer the question expects cannot be determined")
    pages = {chunk.id: page_of(chunk.text) for chunk, _ in filled}
    given = ((chunk.id, pages[chunk.id].text, judged.relevant, titles_of(chunk)) for chunk, judged in filled)
    found = _find(info, tuple(given))
    evidence = tuple(in_own_words(piece, pages[piece.chunk_id]) for piece in found.evidence)
    if found.presence == "none":
        if foreign := [chunk.id for chunk, _ in filled if not looks_english(chunk.text)]:
            reason = f"chunk {foreign[0]!r} is not in English: what it states is not read"
            return FoundPresence("abstain", reason)
        if _CONDITION.search(info.question.lower()):
            return FoundPresence("abstain", "the question may ask for a condition instead of a date")
        if all(judged.score is None for _, judged in filled):
            return FoundPresence("abstain", "no scorer could score the relevance of the chunks")
    return replace(found, evidence=evidence)


# Answers of several models to one question share its chunks.
@lru_cache(maxsize=256)
def _find(info: QuestionInfo, chunks: tuple[tuple[str, str, bool, str], ...]) -> FoundPresence:
    sources = [
        _Source(chunk_id, index_of(text, "en"), relevant, stems_of(titles))
        for chunk_id, text, relevant, titles in chunks
    ]
    return _joined_parts([_find_part(part, info, sources) for part in info.parts])


def _joined_parts(results: list[FoundPresence]) -> FoundPresence:
    if len(results) == 1:
        return results[0]
    seen: dict[tuple[str, int], Evidence] = {}
    for result in results:
        for piece in result.evidence:
            seen.setdefault((piece.chunk_id, piece.sentence_index), piece)
    evidence = tuple(seen.values())[:_MOST_EVIDENCE]
    values = [result.presence for result in results]
    full = values.count("full")
    if full == len(values):
        return FoundPresence("full", f"all {len(values)} parts of the question are answered", evidence)
    if full or "partial" in values:
        missing = next(result.reason for result in results if result.presence != "full")
        reason = f"{full} of {len(values)} parts of the question answered: {missing}"
        return FoundPresence("partial", reason, evidence)
    if "abstain" in values:
        return FoundPresence("abstain", results[values.index("abstain")].reason)
    return FoundPresence("none", f"no part of the question is answered: {results[0].reason}")


def _weighted_words(part: QuestionPart, question: str) -> list[_Word]:
    spans = [(word.start, word.end) for word in part.words]
    chosen = []
    for token in tokenize(question):
        if any(start <= token.start < end for start, end in spans):
            chosen.append(token)
    words: dict[str, _Word] = {}
    for token in [token for token in chosen if not token.is_stop] or chosen:
        stem = token.stem
        same = frozenset() if token.is_number else asked_synonyms(stem)
        is_key = token.start == part.key and part.measure != "count"
        weight = _WEAK if stem in stems_of(_WEAK_WORDS) else 1.0
        words[stem] = _Word(stem, same | {stem}, weight, token.is_name or token.is_number or is_key)
    return list(words.values())


def _find_part(part: QuestionPart, info: QuestionInfo, sources: Sequence[_Source]) -> FoundPresence:
    words = _weighted_words(part, info.question)
    total = sum(word.weight for word in words)
    if not total:
        return FoundPresence("abstain", "the question has no content words to look for")
    wanted = wanted_by(part)
    implied = _implied_by(part)
    stated: list[_Hit] = []
    elsewhere: list[_Hit] = []
    topic = 0.0
    for source in sources:
        held = _held_words(words, source)
        every = frozenset().union(*held)
        topic = max(topic, _share_of_weight(every, words) / total)
        if _share_of_weight(every | implied, words) / total < _NEEDED:
            continue
        for number, own in enumerate(held):
            stems = own | _neighbour(held, number, words, source.index)
            start, end = source.index.sentences[number]
            if not contains_answer(part, info.question, source.index.text[start:end]):
                continue
            share = _share_of_weight(stems | implied, words) / total
            complete = all(word.stem in stems for word in words if word.required)
            # Where the kind of the answer implies every word, no chunk shares one with the question.
            is_about = source.relevant or implied.issuperset(word.stem for word in words)
            is_stated = is_about and share >= _NEEDED and complete
            first = number if stems == own and number not in source.index.carried else number - 1
            (stated if is_stated else elsewhere).append((share, source, range(first, number + 1)))
    if stated:
        best = max(share for share, _, _ in stated)
        reason = f"stated: {wanted} appears with {best:.0%} of the question's content words"
        return FoundPresence("full", reason, _evidence_of_answer(stated))
    if elsewhere:
        reason = f"{wanted} is in a chunk about the topic, but not beside the question's content words"
        return FoundPresence("partial", reason, _evidence_of_answer(elsewhere))
    if topic >= _NEEDED:
        return FoundPresence("none", f"the topic is there, but {wanted} is not stated")
    return FoundPresence("none", f"no chunk states {wanted} together with the question's content words")


def _implied_by(part: QuestionPart) -> frozenset[str]:
    """Stems of the nouns that name what is measured: an amount of money is a price without the word."""
    if part.expected != "quantity" or part.measure not in _TELLING:
        return frozenset()
    return stems_of(" ".join(noun for noun, measure in MEASURES.items() if measure == part.measure))


def _held_words(words: Sequence[_Word], source: _Source) -> list[frozenset[str]]:
    """For each sentence of a chunk, the question's stems in it; a title adds its words to some others."""
    index = source.index
    held: list[set[str]] = [set() for _ in index.sentences]
    for word in words:
        stems = [stem for stem in word.stems if stem in index.positions]
        if not stems and not word.required:
            root = word.stem[:SHORTEST_ROOT]
            stems = [s for s in index.positions if s.startswith(root) and same_family(word.stem, s)]
        for stem in stems:
            for position in index.positions[stem]:
                held[index.sentence_of[position]].add(word.stem)
        for sentence, carried in index.carried.items():
            if word.stem in carried:
                held[sentence].add(word.stem)
    titled = {word.stem for word in words if word.stems & source.titles}
    return [frozenset(stems | titled if stems else stems) for stems in held]


def _neighbour(
    held: Sequence[frozenset[str]], number: int, words: Sequence[_Word], index: ChunkIndex
) -> frozenset[str]:
    """Words added by the sentence before; none if this one has another name than the question."""
    if not number or not held[number]:
        return frozenset()
    asked = {word.stem for word in words}
    first = index.tokens[bisect_left(index.sentence_of, number)]
    is_other = first.text[:1].isupper() and not first.is_stop and first.stem not in asked
    return frozenset() if is_other else held[number - 1]


def _share_of_weight(held: frozenset[str], words: Sequence[_Word]) -> float:
    return round(sum(word.weight for word in words if word.stem in held), _DIGITS)


def _evidence_of_answer(hits: Sequence[_Hit]) -> tuple[Evidence, ...]:
    pieces: dict[tuple[str, int], Evidence] = {}
    for share, source, sentences in sorted(hits, key=lambda hit: -hit[0])[:_MOST_STATED]:
        for number in sentences:
            piece = source.index.evidence(source.chunk_id, number, round(share, _DIGITS))
            pieces.setdefault((source.chunk_id, number), piece)
    return tuple(pieces.values())
