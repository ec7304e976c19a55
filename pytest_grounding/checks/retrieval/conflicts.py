"""Chunks that contradict each other, and answers based on an outdated or another version."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.wording import one_line
from pytest_grounding.checks.check_context import CheckContext, on_claim, score_of
from pytest_grounding.evidence.pieces import chunk_pieces, with_synonyms
from pytest_grounding.evidence.token_index import ChunkIndex, in_own_words, index_of
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.model.finding import BACKED, Evidence, Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ChunkRelevance, ClaimVerdict, Conflict
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.visible_text import page_of
from pytest_grounding.scorers.builtin.conflicts import conflicts_between

#: Sentences are about the same thing from this share of the shorter one's content words, and this many.
_SAME_TOPIC = 0.6
_FEWEST_WORDS = 3
#: Pairs of sentences that are compared at most, and sentences that are read.
_MOST_PAIRS = 8
_MOST_SENTENCES = 400
_DENIALS = frozenset(["negation"])
#: Words that another source may contradict, as it may every number.
_TELLING = words("questions", "denying") | words("dates", "weekdays") | words("dates", "month_names")
_KINDS = frozenset(["number", "date", "unit", "negation"])
#: Metadata for when a passage was written or becomes valid, and until when it is valid.
_DATES = ("valid_from", "date", "updated_at", "last_modified", "published_at", "published")
_ENDS = ("valid_until", "valid_to", "expires", "expires_at", "expiry")
_FLAGS = ("superseded_by", "replaced_by", "superseded", "deprecated", "outdated", "obsolete", "archived")
_GONE = words("versions", "standing")
_DAY = lazy(r"\d{4}(?:-\d\d){0,2}")
#: A passage that declares itself outdated.
_MARKED = lazy(
    rf"(?i)\b(?:this|these) (?:\w{{1,20}} )?(?:{alternation('versions', 'papers')}) "
    rf"(?:{alternation('versions', 'are')}) (?:been |now )?"
    rf"(?:no longer (?:{alternation('versions', 'no longer')})|{alternation('versions', 'said')})\b"
    rf"|\bthis applied until\b"
    rf"|^\W{{0,3}}(?:{alternation('versions', 'standing')})\b(?: page| version| document)?"
    r"(?! (?:since|in|as of) v?\d)\W"
)
_CUES = ("no longer", "applied until", *words("versions", "said"), *_GONE)
_PAST = words("versions", "past")
_HEADED = lazy(r"(?i)^#{0,6} ?(?:version|release|edition) v?(\d[\w.-]*)")
#: "In version 3", "in v2.1", "does Larch 4.1 start": a bare number is not a version.
_ASKED = lazy(
    r"(?:\b(?:[Vv]ersion|[Rr]elease|[Ee]dition) v?|\bv)(\d[\w.-]{0,20})"
    r"|(?<=\w )[A-Z]\w{0,30} (\d[\w.-]{0,20})"
)
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class SourceConflict:
    """Two chunks that contradict each other."""

    first: int  # position of the earlier chunk
    second: int  # position of the later chunk
    conflict: Conflict  # the difference; its evidence is the sentence of the later chunk
    evidence: Evidence  # the sentence of the earlier chunk


def conflicting_sources(
    chunks: Sequence[Chunk], relevance: Sequence[ChunkRelevance]
) -> tuple[SourceConflict, ...]:
    """Contradictions between the relevant chunks."""
    relevant = [number for number, judged in enumerate(relevance) if judged.relevant]
    if len(relevant) < 2:
        return ()
    disputes = _disputes(tuple([chunks[number].text for number in relevant]))
    found = [_with_ids(chunks, relevant, dispute) for dispute in disputes]
    return tuple(sorted(found, key=lambda c: (c.first, c.second, c.evidence.start)))


@dataclass(frozen=True, slots=True)
class _Content:
    sentence: int
    stems: frozenset[str]
    telling: bool


@dataclass(frozen=True, slots=True)
class _Place:
    number: int
    source: ChunkIndex
    content: _Content


@dataclass(frozen=True, slots=True)
class _Dispute:
    first: _Place
    second: _Place
    conflict: Conflict


# Cached, because the answers to one question share its chunks.
@lru_cache(maxsize=256)
def _disputes(texts: tuple[str, ...]) -> tuple[_Dispute, ...]:
    pairs = ((first, second, _conflict_of_pair(first, second)) for first, second in _same_topic(texts))
    return tuple(_Dispute(first, second, found) for first, second, found in pairs if found is not None)


def _same_topic(texts: Sequence[str]) -> list[tuple[_Place, _Place]]:
    places: list[_Place] = []
    by_stem: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        page = page_of(text)
        source = index_of(page.text, "en")
        for content in _contents(page.text):
            if len(content.stems) >= _FEWEST_WORDS and len(places) < _MOST_SENTENCES:
                for stem in content.stems:
                    by_stem[stem].append(len(places))
                places.append(_Place(number, source, content))
    # A word in every sentence does not define a topic, and would cost quadratic time.
    shared = [combinations(holders[:12], 2) for holders in by_stem.values() if len(holders) > 1]
    common = Counter(chain.from_iterable(shared))
    pairs = []
    for (first, second), count in common.items():
        if count < _FEWEST_WORDS or places[first].number == places[second].number:
            continue
        a, b = places[first].content, places[second].content
        share = count / min(len(a.stems), len(b.stems))
        is_telling, differs = a.telling or b.telling, (a.stems, a.telling) != (b.stems, b.telling)
        if share >= _SAME_TOPIC and is_telling and differs:
            pairs.append((-share, -count, first, second))
    pairs.sort()
    return [(places[first], places[second]) for _, _, first, second in pairs[:_MOST_PAIRS]]


@read_once
def _contents(text: str) -> tuple[_Content, ...]:
    index = index_of(text, "en")
    stems: dict[int, set[str]] = defaultdict(set)
    telling: set[int] = set()
    for token, sentence in zip(index.tokens, index.sentence_of, strict=True):
        if not token.is_stop:
            stems[sentence].add(token.stem)
        if token.is_number or token.norm in _TELLING:
            telling.add(sentence)
    return tuple(_Content(n, frozenset(words), n in telling) for n, words in sorted(stems.items()))


def _conflict_of_pair(first: _Place, second: _Place) -> Conflict | None:
    ours, theirs = _text_of_place(first), _text_of_place(second)
    own, others = _fact_keys(ours), _fact_keys(theirs)
    if len(own - others) > 1 and len(others - own) > 1:
        return None  # each has facts that the other lacks: Monday's weather and Tuesday's
    named, other_named = _named_in(first), _named_in(second)
    if not with_synonyms(named) >= other_named and not with_synonyms(other_named) >= named:
        return None  # each names what the other one does not: a single ticket and a return ticket
    found = conflicts_between(ours, theirs)
    return next((one for one in found if one.kind in _KINDS and one.severity == "error"), None)


def _named_in(place: _Place) -> frozenset[str]:
    pieces = [piece for piece in chunk_pieces(place.source) if piece.sentence == place.content.sentence]
    return frozenset(word.key for piece in pieces for word in piece.words if word.kind == "word")


def _text_of_place(place: _Place) -> str:
    start, end = place.source.sentences[place.content.sentence]
    return place.source.text[start:end]


def _with_ids(chunks: Sequence[Chunk], relevant: Sequence[int], dispute: _Dispute) -> SourceConflict:
    numbers = relevant[dispute.first.number], relevant[dispute.second.number]
    found = []
    for number, place in zip(numbers, (dispute.first, dispute.second), strict=True):
        piece = place.source.evidence(chunks[number].id, place.content.sentence)
        found.append(in_own_words(piece, page_of(chunks[number].text)))
    ours, theirs = found
    values = (dispute.conflict.claim_text, dispute.conflict.evidence_text)
    says = [f"chunk {one.chunk_id!r} says {value!r}" for one, value in zip(found, values, strict=True)]
    conflict = dispute.conflict.model_copy(update={"evidence": theirs, "message": ", ".join(says)})
    return SourceConflict(*numbers, conflict, ours)


def _fact_keys(text: str) -> set[str]:
    return {fact.key for fact in extract_facts(text) if fact.kind != "negation"}


def conflict_findings(
    conflicts: Sequence[SourceConflict], asked: Sequence[Evidence], transcript: Transcript
) -> tuple[Finding, ...]:
    """One finding per pair of sentences, the current one first; a warning if the answer had to choose."""
    stated, said = {(item.chunk_id, item.text) for item in asked}, transcript.answer.casefold()
    others = _of_others(transcript) if conflicts else {}
    found = []
    for item in conflicts:
        first, second = item.evidence, item.conflict.evidence
        values = {first.chunk_id: item.conflict.claim_text, second.chunk_id: item.conflict.evidence_text}
        order = current_first(transcript, others, first.chunk_id, second.chunk_id)
        if order is not None and order[0] != first.chunk_id:
            first, second = second, first
        given = [name for name, value in values.items() if value.casefold() in said]
        is_asked = not stated.isdisjoint((one.chunk_id, one.text) for one in (first, second))
        is_chosen = is_asked and item.conflict.kind not in _DENIALS and len(given) == 1
        held = ", and the first one is current" if order is not None else ""
        says = ", ".join(f"chunk {one.chunk_id!r} says {values[one.chunk_id]!r}" for one in (first, second))
        details = {"chunk_ids": [first.chunk_id, second.chunk_id], "quotes": [first.text, second.text]}
        found.append(
            Finding(
                rule="conflicting_sources",
                severity="warning" if is_chosen and (order is None or given != [order[0]]) else "info",
                message=f"Two sources contradict each other ({item.conflict.kind}): {says}{held}.",
                suggestion="Remove the outdated source, or let the answer name both values.",
                evidence=(first, second),
                details={"kind": item.conflict.kind, **details},
            )
        )
    return tuple(found)


def outdated_sources(
    context: CheckContext, claims: Sequence[ClaimVerdict], disputed: Iterable[tuple[str, str]] = ()
) -> list[Finding]:
    """A finding for each claim supported only by outdated chunks, or only by another version."""
    transcript = context.transcript
    wrong = {**_outdated(transcript, disputed), **_of_others(transcript)}
    if not wrong:
        return []
    current = [chunk for chunk in transcript.chunks if chunk.id not in wrong]
    found = []
    for claim in claims:
        near = claim.evidence[0] if claim.evidence else None
        if claim.status not in BACKED or near is None or near.chunk_id not in wrong:
            continue
        if not _is_backed_by_chunks(context, claim, current):
            message = f"only chunk {near.chunk_id} supports this, and it {wrong[near.chunk_id]}"
            found.append(on_claim(claim, "outdated_source", context.settings, message))
    return found


def _is_backed_by_chunks(context: CheckContext, claim: ClaimVerdict, chunks: Sequence[Chunk]) -> bool:
    asked = context.claims[claim.index]
    score = score_of(context, asked.bare, chunks, asked.context, context.own_scorer)
    return (score.probability or 0.0) >= context.settings.borderline_threshold and not score.conflicts


def _outdated(transcript: Transcript, disputed: Iterable[tuple[str, str]]) -> dict[str, str]:
    if not _PAST.isdisjoint(re.findall(r"[a-z]+", transcript.question.lower())):
        return {}
    extras = {chunk.id: extra for chunk in transcript.chunks if (extra := chunk.metadata.model_extra)}
    dates = {name: day for name, extra in extras.items() if (day := _day(extra, _DATES))}
    now = transcript.recorded_on or max(dates.values(), default="")
    found = {}
    for chunk in transcript.chunks:
        why = _standing(extras[chunk.id], now) if chunk.id in extras else ""
        if why := why or _said_of_time(chunk.text):
            found[chunk.id] = why
    for pair in disputed:
        older, newer = sorted(pair, key=lambda name: dates.get(name, ""))
        if dates.get(older) and dates[older] < dates.get(newer, ""):
            found.setdefault(older, f"is of {dates[older]}; chunk {newer}, of {dates[newer]}, contradicts it")
    return found


def _standing(extra: Mapping[str, Any], now: str) -> str:
    for name in _FLAGS:
        if extra.get(name) not in (None, False, "", "false", "no"):
            return f"is marked: {name} = {one_line(str(extra[name]), _SHOWN)}"
    status = extra.get("status", extra.get("state"))
    if isinstance(status, str) and status.lower() in _GONE:
        return f"is marked: status = {status}"
    end = _day(extra, _ENDS)
    return f"was valid until {end}" if end and now and end < now[: len(end)] else ""


@read_once
def _said_of_time(text: str) -> str:
    small = text.lower()
    # Most texts have none of the words, which takes a tenth of the time to test.
    if any(cue in small for cue in _CUES) and (found := _MARKED.search(text)):
        return f'says of itself "{one_line(found[0].strip(), _SHOWN)}"'
    return ""


def _day(extra: Mapping[str, Any], names: Sequence[str]) -> str:
    found = (_DAY.match(str(extra.get(name) or "")) for name in names)
    return next((day[0] for day in found if day), "")


def _of_others(transcript: Transcript) -> dict[str, str]:
    """Chunks of other versions than the question names, if some chunk is of the named one."""
    versions = {chunk.id: version for chunk in transcript.chunks if (version := _version(chunk))}
    if len(set(versions.values())) < 2:
        return {}
    asked = {(found[1] or found[2]).lower().rstrip(".-") for found in _ASKED.finditer(transcript.question)}
    wanted = asked & set(versions.values())
    if len(wanted) != 1:
        return {}
    (version,) = wanted
    return {name: f"is of version {other}" for name, other in versions.items() if other != version}


def _version(chunk: Chunk) -> str:
    version = (chunk.metadata.model_extra or {}).get("version")
    if not version and (heading := _HEADED.match(chunk.text)):
        version = heading[1]
    return str(version or "").lower().removeprefix("v")


def current_first(
    transcript: Transcript, others: Mapping[str, str], first: str, second: str
) -> tuple[str, str] | None:
    """Two contradicting chunks, the current one first; None if that cannot be decided."""
    wrong = {**_outdated(transcript, [(first, second)]), **others}
    if (first in wrong) == (second in wrong):
        return None
    return (second, first) if first in wrong else (first, second)


def disputes(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """The pairs of contradicting chunks in findings."""
    for finding in findings:
        if finding.rule == "conflicting_sources":
            first, second = finding.details["chunk_ids"]
            yield first, second
