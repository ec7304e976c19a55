"""Retrieval validation: relevance, question type, presence, evidence, rating, source quality."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from time import perf_counter

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import counted
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.retrieval.conflicts import SourceConflict, conflict_findings, conflicting_sources
from pytest_grounding.checks.retrieval.presence import FoundPresence, find_presence
from pytest_grounding.errors import CassetteError, GroundingError, ScorerError, UnreadableCassetteError
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.finding import Evidence, Finding
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import (
    ChunkRelevance,
    Presence,
    PresenceWord,
    Rating,
    RetrievalVerdict,
    ScorerFailure,
)
from pytest_grounding.questions import ContextualQuestion, analyse_after, asked_after
from pytest_grounding.reading import read_once
from pytest_grounding.reading.injected import restored, screened
from pytest_grounding.scorers import RelevanceScore, Scorer
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

#: Start of the reason of a truncated chunk.
LOOKS_CUT, CUT_AT = "text looks cut off", "cut at"
_SHORTEST = 80  # shorter texts are fragments on purpose
_EDGE = 400  # characters that are read at each end of a text
_ALIKE, _LIMIT = 3, 100  # chunks of one length that indicate a limit, and the shortest such length

_LONG = 8  # a longer piece without a full stop is not a heading, however it ends
_ENDS = frozenset(".!?:;)]}\"'”’»」』。！？।…*|`>")
_MARKED = gated("...|…|]", r"(?:\.\.\.|…|\[(?:\.\.\.|…|truncated|cut|more)\])\s*$", re.IGNORECASE)
_STOP = lazy(r"[.!?。！？।](?:[\"'”’)\]]{0,2})(?:\s|$)")
_OPEN_WORDS = words("questions", "open_words")
_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Separators of list items on one line.
_LISTED = lazy(r"\s[-–—•·*|+]\s|\s\s|[•|]|\.{4}|^(?:[-*•+#>]|\d{1,3}[.)])\s")
#: Start of a line that is a heading, an item, a row or code.
_FORMED = lazy(r"\s*(?:[-*•+#>|]|\d{1,3}[.)]\s|[\w ]{1,30}:\s.{0,50}$)")
#: Deduction of each fault from a score of 1.
_EMPTY = 1.0
_TRUNCATED = 0.2
_DUPLICATE = 0.4
_BOILERPLATE = 0.5
_NO_ORIGIN = 0.1
_CONFLICT = 0.3
_ORDERS = 0.5
_NEAR_DUPLICATE = 0.8  # share of common words (Jaccard) from which two chunks are duplicates
_MANY_CHUNKS = 200
#: Metadata of which one names the origin of a chunk.
_ORIGINS = ("title", "document", "section_title", "url", "slug", "path", "payload_id")
_BOILERPLATE_WORDS = pattern("answers", "boilerplate")
_DIGITS = 9  # scores are compared after rounding, so that 0.1 + 0.2 reaches a threshold of 0.3
_STEPS = 20  # score shifts for which the rating is recomputed: 0.01 to 0.20
#: Requirements of a Good retrieval.
GOOD_MIN_RELEVANT, GOOD_MEAN_RELEVANCE = 2, 0.6
_PER_UNIT = 100
_PRESENCES = rows_beside(__file__, "presences.tsv")
#: Value of a finding on the presence of the answer, as the limits of ``benchmarks/presence`` require.
_WORTH = {presence: (float(worth), said) for presence, worth, _, said in _PRESENCES}
_LACKING = {presence: lacking for presence, _, lacking, _ in _PRESENCES}
#: The last retrievals that the built-in scorer alone has scored, which is deterministic: what was given
#: and the result. Separate from the cached readings: a verdict is large, and depends on all chunks.
_kept: deque[tuple[tuple[object, ...], _Judged]] = deque(maxlen=16)


def cut_reason(text: str) -> str:
    """Why a text looks truncated, or ""."""
    text = text.strip()
    if _MARKED.search(text[-20:]):
        return "it ends with an ellipsis"
    if len(text) < _SHORTEST or not _STOP.search(text):
        return ""
    return "it ends in the middle of a sentence" if _ends_open(text) else ""


def common_lengths(texts: Sequence[str]) -> dict[int, int]:
    """Texts that end at a length limit: position -> that length in characters."""
    lengths = Counter(map(len, set(texts)))
    limits = {length for length, count in lengths.items() if length >= _LIMIT and count >= _ALIKE}
    found = {
        number: len(text)
        for number, text in enumerate(texts)
        if len(text) in limits and text.rstrip()[-1:] not in _ENDS and _is_running(_tail(text))
    }
    open_ended = Counter(found.values())
    return {number: length for number, length in found.items() if open_ended[length] >= _ALIKE - 1}


def _tail(text: str) -> str:
    edge = text[-_EDGE:]
    ends = [match.end() for match in _STOP.finditer(edge)]
    return edge[max((end for end in ends if end < len(edge)), default=0) :].strip()


def _is_running(tail: str) -> bool:
    """Whether words are running text: not a list, row, heading or code."""
    line = tail[tail.rfind("\n") + 1 :]
    if _LISTED.search(line) or _FORMED.match(line):
        return False
    words = _WORD.findall(tail)
    return bool(words) and sum(word.islower() for word in words) * 2 >= len(tail.split())


def _ends_open(text: str) -> bool:
    last = text[-1]
    if last in _ENDS or not (last.isalnum() or last in ",-–—"):
        return False
    tail = _tail(text)
    line = tail[tail.rfind("\n") + 1 :]
    words = _WORD.findall(line[-60:])
    if words and line.endswith(words[-1]) and words[-1] in _OPEN_WORDS and len(line.split()) > 2:
        return not _LISTED.search(line)
    if _FORMED.match(text[text.rfind("\n") + 1 :][:_EDGE]):
        return False
    # A short line is a heading or an item; with a small first letter it continues the line before.
    if "\n" in text[-len(line) - 2 :] and len(line) < 60 and not line[:1].islower():
        return False
    if len(words) < (4 if "\n" in tail or tail == text else 2) or not _is_running(tail):
        return False
    if last in ",-–—":
        return True
    # Many headings end with a name or a number; long sentences do not.
    return line.endswith(words[-1]) and (words[-1].islower() or len(words) >= _LONG)


@dataclass(frozen=True, slots=True)
class _Fault:
    cost: float
    reason: str


def source_quality(
    chunks: Sequence[Chunk], conflicts: Sequence[SourceConflict] = (), ordering: Collection[str] = ()
) -> list[tuple[float, tuple[str, ...]]]:
    """The quality of each chunk: a score in [0, 1] and its faults."""
    twins = _near_duplicates(chunks)
    disputed: dict[int, list[str]] = {}
    for item in conflicts:
        for own, other in ((item.first, item.second), (item.second, item.first)):
            reason = f"conflicts with chunk {chunks[other].id!r}: {item.conflict.message}"
            disputed.setdefault(own, []).append(reason)
    limited = common_lengths([chunk.text for chunk in chunks])
    results = []
    for number, chunk in enumerate(chunks):
        faults = _faults(chunk)
        if number in limited:
            reason = f"{CUT_AT} {limited[number]} characters, as others are"
            faults = [item for item in faults if item.cost != _TRUNCATED] + [_Fault(_TRUNCATED, reason)]
        if chunk.id in ordering:
            faults.append(_Fault(_ORDERS, "contains an order to the model, or hidden text"))
        if number in twins:
            faults.append(_Fault(_DUPLICATE, f"near-duplicate of chunk {chunks[twins[number]].id!r}"))
        for position, reason in enumerate(disputed.get(number, ())):
            faults.append(_Fault(0.0 if position else _CONFLICT, reason))
        score = max(0.0, 1.0 - sum(fault.cost for fault in faults))
        results.append((round(score, _DIGITS), tuple(fault.reason for fault in faults)))
    return results


@read_once
def _faults_in(text: str) -> tuple[_Fault, ...]:
    text = text.strip()
    if not text:
        return (_Fault(_EMPTY, "empty text"),)
    reason = cut_reason(text)
    faults = [_Fault(_TRUNCATED, f"{LOOKS_CUT}: {reason}")] if reason else []
    faults += [_Fault(_BOILERPLATE, "mostly boilerplate")] if is_boilerplate(text) else []
    return tuple(faults)


def _faults(chunk: Chunk) -> list[_Fault]:
    faults = list(_faults_in(chunk.text))
    if chunk.text.strip() and not any(getattr(chunk.metadata, name) for name in _ORIGINS):
        faults.append(_Fault(_NO_ORIGIN, "no title or url"))
    return faults


def is_boilerplate(text: str) -> bool:
    """Whether boilerplate (navigation, legal, cookies) is most of a short text, or much of a long one."""
    head = text[:20_000]
    found = sum(1 for _ in _BOILERPLATE_WORDS.finditer(head))
    words = len(head.split()) if found else 0
    return found > 0 and (found * 12 >= words or (found >= 3 and found * 30 >= words))


def _near_duplicates(chunks: Sequence[Chunk]) -> dict[int, int]:
    twins: dict[int, int] = {}
    words = [index_of(chunk.text, "en").positions.keys() for chunk in chunks[:_MANY_CHUNKS]]
    for number, stems in enumerate(words):
        for other, others in enumerate(words[:number] if stems else ()):
            less, more = sorted((len(stems), len(others)))
            if less < _NEAR_DUPLICATE * more:
                continue
            common = len(stems & others)
            if common >= _NEAR_DUPLICATE * (less + more - common):
                twins[number] = other
                break
    return twins


@dataclass(frozen=True, slots=True)
class Served:
    """Relevance scores and their scorer."""

    scores: tuple[RelevanceScore, ...]  # one per chunk; the value is None if it could not be scored
    scorer: str  # name of the scorer used, or "" if none
    failures: tuple[ScorerFailure, ...]  # why each scorer tried before failed


def score_relevance(
    question: str, chunks: Sequence[Chunk], scorers: Sequence[Scorer], language: str
) -> Served:
    """Try the scorers in turn, until one scores at least one chunk."""
    failures: list[ScorerFailure] = []
    if not chunks:
        return Served((), scorers[0].name if scorers else "", ())
    for scorer in scorers:
        try:
            scores = scorer.relevance(question, chunks, language=language)
        except UnreadableCassetteError:
            raise
        except Exception as error:
            # A user's own scorer may raise anything, and the chain must continue.
            said = "" if isinstance(error, GroundingError) else f"{type(error).__name__}: {error}"
            failure = ScorerFailure.of(scorer.name, error, said)
            # Where the first scorer was not recorded, its fallback was not either: one is to be recorded.
            is_told = any(item.error == failure.error for item in failures)
            if not (is_told and isinstance(error, CassetteError)):
                failures.append(failure)
            continue
        if len(scores) != len(chunks):
            failures.append(_failure_of(scorer, f"gave {len(scores)} scores for {len(chunks)} chunks"))
            continue
        clean = tuple(map(_clean, scores))
        is_last = scorer is scorers[-1] and all(score.value is None for score in scores)
        if not is_last and all(score.value is None for score in clean):
            reason = next((score.reason for score in clean if score.reason), "") or "no reason given"
            failures.append(_failure_of(scorer, f"could score no chunk ({reason})"))
            continue
        return Served(clean, scorer.name, tuple(failures))
    reason = "; ".join(map(str, failures)) or "no scorer is configured"
    return Served(tuple(RelevanceScore(None, reason) for _ in chunks), "", tuple(failures))


def _failure_of(scorer: Scorer, message: str) -> ScorerFailure:
    return ScorerFailure(scorer=scorer.name, error=ScorerError.__name__, message=message)


def _clean(score: RelevanceScore) -> RelevanceScore:
    """Replace a score that is not a number in [0, 1]: it must not pass a threshold."""
    if score.value is None:
        return score
    if math.isnan(score.value):
        return RelevanceScore(None, "the scorer answered not a number")
    return RelevanceScore(min(1.0, max(0.0, float(score.value))), score.reason)


def judged_chunks(
    served: Served, chunks: Sequence[Chunk], threshold: float, *, names_topic: bool = True
) -> tuple[ChunkRelevance, ...]:
    """The chunks with their scores; relevant from the threshold on."""
    judged = []
    for chunk, score in zip(chunks, served.scores, strict=True):
        value = None if score.value is None else round(float(score.value), _DIGITS)
        reason = score.reason
        if not names_topic and (value is None or value < threshold):
            value, reason = None, "the question alone has no topic"
        if value is None:
            reason = f"not scored: {reason}" if reason else "not scored"
        relevant = value is not None and value >= threshold
        judged.append(ChunkRelevance.built(chunk_id=chunk.id, score=value, relevant=relevant, reason=reason))
    return tuple(judged)


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating of a retrieval."""

    rating: Rating  # good, partial or poor
    reason: str  # why, in words, starting with the rating
    mean_relevance: float  # mean over the relevant chunks; 0 without any
    mean_all: float  # mean over all scored chunks; 0 without any
    confidence: float = 0.0  # certainty of the rating, in [0, 1]; see `_sureness`
    confidence_reason: str = ""  # its reason, in words


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean rounded to 9 decimals; 0 for an empty list."""
    return round(sum(values) / len(values), _DIGITS) if values else 0.0


def rate_retrieval(relevance: Sequence[ChunkRelevance], presence: Presence, settings: Settings) -> Rated:
    """Rate a retrieval (section 4.5), with the certainty of the rating."""
    rated = _rated(relevance, presence)
    confidence, reason = _sureness(rated.rating, relevance, presence, settings)
    return replace(rated, confidence=confidence, confidence_reason=reason)


def _rated(relevance: Sequence[ChunkRelevance], presence: Presence) -> Rated:
    """Poor before Good, Partial for everything else."""
    relevant = [chunk.score for chunk in relevance if chunk.relevant and chunk.score is not None]
    scored = [chunk.score for chunk in relevance if chunk.score is not None]
    average, average_all = mean(relevant), mean(scored)
    total, count = len(relevance), len(relevant)
    if total and not scored:
        return Rated("partial", "Partial: relevance could not be scored", average, average_all)
    if not count:
        reason = f"no relevant chunk of {total}" if total else "nothing was retrieved"
        return Rated("poor", f"Poor: {reason}", average, average_all)
    problems = []
    if count < GOOD_MIN_RELEVANT:
        problems.append(f"only {counted(count, 'relevant chunk')} of {total}")
    if presence != "full":
        problems.append(_LACKING[presence])
    if average < GOOD_MEAN_RELEVANCE:
        shown = _shown_value_of(average, GOOD_MEAN_RELEVANCE)
        problems.append(f"mean relevance {shown} is below {GOOD_MEAN_RELEVANCE:g}")
    if problems:
        return Rated("partial", "Partial: " + "; ".join(problems), average, average_all)
    reason = f"Good: {count} relevant chunks of {total}, answer fully present, mean relevance {average:.2f}"
    return Rated("good", reason, average, average_all)


def _sureness(
    rating: Rating, relevance: Sequence[ChunkRelevance], presence: Presence, settings: Settings
) -> tuple[float, str]:
    if not relevance:
        return 1.0, "nothing was retrieved"
    if all(chunk.score is None for chunk in relevance):
        return 0.0, "relevance could not be scored"
    # A chunk excluded for another reason than its score stays excluded.
    limit = settings.relevance_threshold
    scored = [(chunk.score, chunk.relevant) for chunk in relevance if chunk.score is not None]
    scores = sorted(score for score, relevant in scored if relevant or score < limit)
    # Sums from each score to the highest, so that a shift needs no loop over the chunks.
    sums = list(accumulate(reversed(scores), initial=0.0))
    shift = _least_shift(rating, scores, sums, presence, settings)
    value, reason = 1.0, f"no shift of the relevance scores by up to {_STEPS / _PER_UNIT:g} changes it"
    if shift is not None:
        value = 0.5 + 0.5 * (abs(shift) - 1) / _STEPS
        way = "higher" if shift > 0 else "lower"
        reason = f"with relevance scores {abs(shift) / _PER_UNIT:.2f} {way} it would be another"
    others: tuple[Presence, ...] = ("full", "partial", "none")
    ratings = {_rating_after(scores, sums, other, settings, 0.0) for other in others if other != presence}
    worth, said = _WORTH[presence]
    if worth < value and ratings != {rating}:
        return worth, f"it depends on whether the answer is present, which is {said}"
    return round(value, _DIGITS), reason


def _least_shift(
    rating: Rating, scores: Sequence[float], sums: Sequence[float], presence: Presence, settings: Settings
) -> int | None:
    """The smallest shift, in hundredths, that changes the rating; None if none up to 0.2 does."""
    shifts = (shift for step in range(1, _STEPS + 1) for shift in (-step, step))
    others = (s for s in shifts if _rating_after(scores, sums, presence, settings, s / _PER_UNIT) != rating)
    return next(others, None)


def _rating_after(
    scores: Sequence[float], sums: Sequence[float], presence: Presence, settings: Settings, shift: float
) -> Rating:
    """The rating of ordered scores after an equal shift; ``sums`` are those of the highest ones."""
    count = len(scores) - bisect_left(scores, round(settings.relevance_threshold - shift, _DIGITS))
    if not count:
        return "poor"
    is_high = round(sums[count] / count + shift, _DIGITS) >= GOOD_MEAN_RELEVANCE
    return "good" if is_high and count >= GOOD_MIN_RELEVANT and presence == "full" else "partial"


def _shown_value_of(value: float, limit: float) -> str:
    """A value with enough decimals to look smaller than a limit that it is below."""
    texts = [f"{value:.{digits}f}" for digits in range(2, _DIGITS + 1)]
    return next((text for text in texts if float(text) < limit), texts[-1])


@dataclass(frozen=True, slots=True)
class _Judged:
    verdict: RetrievalVerdict
    conflicts: tuple[SourceConflict, ...]


def retrieval_verdict(
    question: str,
    chunks: Sequence[Chunk],
    *,
    scorers: Sequence[Scorer],
    settings: Settings,
    language: str = "en",
) -> RetrievalVerdict:
    """Whether the retrieval brought what the question needs."""
    asked = asked_after(question, (), language)
    return _validate(question, asked, chunks, scorers, settings, language).verdict


def _validate(
    question: str,
    asked: ContextualQuestion,
    chunks: Sequence[Chunk],
    scorers: Sequence[Scorer],
    settings: Settings,
    language: str,
) -> _Judged:
    clock = _Clock()
    retrieved, chunks = chunks, chunks if settings.injection == "off" else screened(chunks)
    # Chunks with orders or hidden text have other texts now.
    ordering = {new.id for old, new in zip(retrieved, chunks, strict=True) if old is not new}
    info = analyse_after(asked, question, language)
    clock.lap("question")
    own = scorers[0] if len(scorers) == 1 and isinstance(scorers[0], LexicalScorer) else None
    given = (own, question, asked, language, settings, tuple(retrieved))
    # Several answers over one retrieval (and mutations of one answer): judged once.
    for known, judged in tuple(_kept) if own is not None else ():
        if known == given:
            # A stage that was not run again took no time.
            stage_ms = {**dict.fromkeys(judged.verdict.stage_ms, 0.0), **clock.laps}
            return replace(judged, verdict=judged.verdict.model_copy(update={"stage_ms": stage_ms}))
    served = score_relevance(asked.text, chunks, scorers, language)
    relevance = judged_chunks(served, chunks, settings.relevance_threshold, names_topic=asked.names_topic)
    clock.lap("relevance")
    found = find_presence(info, chunks, relevance)
    relevance = _with_stated(relevance, found, settings.relevance_threshold)
    clock.lap("presence")
    conflicts = conflicting_sources(chunks, relevance)
    clock.lap("conflicts")
    qualities = source_quality(retrieved, conflicts, ordering)
    relevance = tuple(
        item.model_copy(update={"quality": quality, "quality_reasons": reasons})
        for item, (quality, reasons) in zip(relevance, qualities, strict=True)
    )
    clock.lap("quality")
    rated = rate_retrieval(relevance, found.presence, settings)
    clock.lap("rating")
    verdict = RetrievalVerdict.built(
        rating=rated.rating,
        reason=f"{rated.reason}; read with the turn before it" if asked.turn else rated.reason,
        rating_confidence=rated.confidence,
        rating_confidence_reason=rated.confidence_reason,
        question_type=info.type,
        expected_answer=info.expected,
        relevance=relevance,
        mean_relevance=rated.mean_relevance,
        mean_all=rated.mean_all,
        answer_present=PresenceWord(found.presence),
        presence_reason=found.reason,
        evidence=_as_retrieved(found.evidence, retrieved) if ordering else found.evidence,
        scorer=served.scorer,
        scorer_failures=served.failures,
        conflicts=tuple(item.conflict for item in conflicts),
        stage_ms=clock.laps,
    )
    judged = _Judged(verdict, conflicts)
    if own is not None:
        _kept.append((given, judged))
    return judged


def _as_retrieved(evidence: Sequence[Evidence], chunks: Sequence[Chunk]) -> tuple[Evidence, ...]:
    originals = {chunk.id: chunk for chunk in chunks}
    return tuple(restored(item, originals) for item in evidence)


def _with_stated(
    relevance: Sequence[ChunkRelevance], found: FoundPresence, threshold: float
) -> tuple[ChunkRelevance, ...]:
    """The relevance of the chunks, where one that states the answer is relevant whatever its words."""
    stating = {piece.chunk_id for piece in found.evidence} if found.presence == "full" else set()
    if all(item.relevant for item in relevance if item.chunk_id in stating):
        return tuple(relevance)
    stated = {"score": threshold, "relevant": True, "reason": "states the answer"}
    found_relevant = list(relevance)
    for place, item in enumerate(relevance):
        if item.chunk_id in stating and not item.relevant:
            found_relevant[place] = item.model_copy(update=stated)
    return tuple(found_relevant)


def check(
    context: CheckContext, *, scorers: Sequence[Scorer]
) -> tuple[RetrievalVerdict, tuple[Finding, ...]]:
    """The verdict on the retrieval of one transcript, with findings."""
    transcript = context.transcript
    question, language = transcript.question, context.language
    asked = asked_after(question, transcript.history, language)
    judged = _validate(question, asked, transcript.chunks, scorers, context.settings, language)
    stated = judged.verdict.evidence if judged.verdict.expected_answer in ("date", "quantity") else ()
    return judged.verdict, conflict_findings(judged.conflicts, stated, transcript)


class _Clock:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, stage: str) -> None:
        last, self._last = self._last, perf_counter()
        self.laps[stage] = round((self._last - last) * 1000, 3)
