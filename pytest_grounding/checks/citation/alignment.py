"""Whether a claim is supported by the source it cites: semantic alignment, citation precision and recall."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from pytest_grounding.checks.check_context import CheckContext, score_of, supports
from pytest_grounding.checks.citation.resolution import Resolution
from pytest_grounding.citations.extract import marker_spans
from pytest_grounding.claims.clauses import plain_text
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.scorers import ClaimText, SupportScore

_FEWEST_WORDS = 2
_MAX_JOINT = 8  # with more sources than this on one claim, none is tested for whether it is needed
Covered = Sequence[tuple[int, ...]]  # for each citation the claims that it covers
_FEW_OF = 6  # a source may lack a few words of a claim, as this share of them


class Clauses:
    """The stretches of an answer between its markers."""

    def __init__(self, context: CheckContext) -> None:
        self._answer = context.transcript.answer
        self._citations = context.citations
        self._markers = marker_spans(context.citations)

    def before(self, index: int, claim: Claim) -> str:
        """The words of a claim between the previous marker and a citation; "" if that is all of it."""
        span = self._span(index, claim)
        if span is None:
            return ""
        text = plain_text(self._answer, *span, ())
        return "" if len(text.split()) < _FEWEST_WORDS else text.strip(" ,;")

    def marked(self, members: Sequence[int], claim: Claim) -> dict[tuple[int, int], list[int]]:
        """The citations of a claim by the words before them; markers side by side share theirs."""
        found: dict[tuple[int, int], list[int]] = {}
        for index in members:
            if (span := self._span(index, claim)) is not None:
                found.setdefault(span, []).append(index)
        return found

    def _span(self, index: int, claim: Claim) -> tuple[int, int] | None:
        at = bisect_left(self._markers, (self._citations[index].start, 0))
        if at == len(self._markers) or not claim.start <= self._markers[at][0] < claim.end:
            return None
        end = self._markers[at][0]
        while at and not self._says(self._markers[at - 1][1], end):
            at -= 1
            end = self._markers[at][0]
        start = max(claim.start, self._markers[at - 1][1] if at else 0)
        is_whole = start == claim.start and not self._words_after_marker(at, claim.end)
        return None if is_whole else (start, end)

    def _words_after_marker(self, at: int, end: int) -> bool:
        position = self._markers[at][1]
        for start, stop in self._markers[at + 1 :]:
            if start >= end:
                break
            if self._says(position, start):
                return True
            position = stop
        return self._says(position, end)

    def _says(self, start: int, end: int) -> bool:
        return any(char.isalnum() for char in self._answer[start:end])


def suggested_chunks(score: SupportScore | None, threshold: float, *, limit: int = 3) -> tuple[str, ...]:
    """The chunks that a supported claim could cite, best first; empty if it is not supported."""
    found = score.evidence if score is not None and supports(score, threshold) else ()
    return tuple(dict.fromkeys(item.chunk_id for item in found))[:limit]


@dataclass(slots=True)
class CitationAlignment:
    """The quality of the citations."""

    #: Claims jointly supported by their citations ÷ claims; None without claims.
    recall: float | None = None
    precision: float | None = None  # precise citations ÷ citations of scored claims; None without any
    #: For each citation the support of its claim by this citation alone, or None.
    support: list[float | None] = field(default_factory=list)
    #: For each citation whether it counts as precise, or None.
    precise: list[bool | None] = field(default_factory=list)
    #: Pairs of citation and claim that fail the rule.
    misaligned: list[tuple[int, int]] = field(default_factory=list)
    failure: str = ""  # why the scorer could not score, or ""


def _rests_on(score: SupportScore, names: frozenset[str]) -> bool:
    said = [item.chunk_id for item in score.evidence]
    said += [conflict.evidence.chunk_id for conflict in score.conflicts]
    return bool(said) and names.issuperset(said)


def _of(chunks: dict[str, Chunk], names: frozenset[str]) -> list[Chunk]:
    """The named chunks, in the order of the transcript, whatever the order of the citations."""
    return [chunk for name, chunk in chunks.items() if name in names]


class _Scores:
    """Support of claims by sets of chunks; each pair is scored once, each set in one call."""

    def __init__(self, context: CheckContext, chunks: dict[str, Chunk]) -> None:
        self._context = context
        self._chunks = chunks
        self._all = frozenset(context.chunk_by_id)
        self._known: dict[tuple[int, frozenset[str]], SupportScore | None] = {}

    def fetch(self, wanted: Sequence[tuple[int, frozenset[str]]]) -> None:
        sets: dict[frozenset[str], list[Claim]] = {}
        for index, names in wanted:
            key = (index, names)
            if key in self._known:
                continue
            whole = self._context.supports[index]
            if names == self._all or (whole is not None and _rests_on(whole, names)):
                self._known[key] = whole
            else:
                self._known[key] = None
                # A source without text (a web result) can neither support a claim nor fail to.
                if any(self._chunks[name].text.strip() for name in names):
                    sets.setdefault(names, []).append(self._context.claims[index])
        for names, claims in sets.items():
            scores = self._context.scorer.support(
                [ClaimText(claim.bare, claim.context) for claim in claims],
                _of(self._chunks, names),
                question=self._context.transcript.question,
                language=self._context.language,
            )
            for claim, score in zip(claims, scores, strict=True):
                self._known[(claim.index, names)] = score

    def get(self, index: int, names: frozenset[str]) -> SupportScore | None:
        return self._known[(index, names)]

    def of_words(self, text: str, claim: int, names: frozenset[str]) -> SupportScore:
        before = self._context.claims[claim].context
        return score_of(self._context, text, _of(self._chunks, names), before)


def align(
    context: CheckContext,
    resolutions: Sequence[Resolution],
    covered: Covered,
    file_chunks: dict[int, Chunk],
) -> CitationAlignment:
    """Score each claim against its cited sources."""
    cited: list[frozenset[str]] = []
    for index, resolution in enumerate(resolutions):
        known = resolution.chunks if resolution.is_valid else ()
        if index in file_chunks:
            known = (file_chunks[index],)
        cited.append(frozenset(chunk.id for chunk in known))
    chunks = context.chunk_by_id | {chunk.id: chunk for chunk in file_chunks.values()}
    work = _Aligning(context, cited, covered, _Scores(context, chunks))
    try:
        work.score()
    except ScorerError as error:
        work.result.failure = str(error)
    return work.result


class _Aligning:
    """Scores the citations of an answer, claim by claim."""

    def __init__(
        self, context: CheckContext, cited: Sequence[frozenset[str]], covered: Covered, scores: _Scores
    ) -> None:
        self._context, self._cited, self._scores = context, cited, scores
        self._clauses = Clauses(context)
        self._by_claim: dict[int, list[int]] = {}
        for index, claims in enumerate(covered):
            for claim in claims:
                if context.supports[claim] is not None:
                    self._by_claim.setdefault(claim, []).append(index)
        self._sources: dict[int, list[frozenset[str]]] = {}
        for claim, members in self._by_claim.items():
            self._sources[claim] = list(filter(None, dict.fromkeys(cited[index] for index in members)))
        self._joint = {claim: frozenset().union(*sets) for claim, sets in self._sources.items() if sets}
        self.result = CitationAlignment(support=[None] * len(cited), precise=[None] * len(cited))

    def _supports(self, score: SupportScore | None) -> bool | None:
        return supports(score, self._context.settings.alignment_threshold)

    def _is_backed(self, words: str, claim: int, names: frozenset[str]) -> bool | None:
        return self._supports(self._scores.of_words(words, claim, names))

    def score(self) -> None:
        single = [(claim, names) for claim, sets in self._sources.items() for names in sets]
        self._scores.fetch([*self._joint.items(), *single])
        recalled = counted = 0
        useless: dict[int, list[int]] = {}
        for claim, score in enumerate(self._context.supports):
            if score is None or score.probability is None:
                continue
            together = claim in self._joint and self._supports(self._scores.get(claim, self._joint[claim]))
            if together is None:
                continue
            counted += 1
            if together:
                recalled += 1
            if claim in self._by_claim:
                useless[claim] = self._useless(claim, together=together)
        for claim in self._by_claim:
            if len(self._sources[claim]) > 1:
                self._note_swapped(claim)
        result = self.result
        result.recall = recalled / counted if counted else None
        judged = [value for value in result.precise if value is not None]
        result.precision = sum(judged) / len(judged) if judged else None
        for claim, indexes in useless.items():
            result.misaligned.extend((index, claim) for index in self._at_fault(claim, indexes))
        result.misaligned = sorted(set(result.misaligned))

    def _at_fault(self, claim: int, useless: Sequence[int]) -> Sequence[int]:
        # A citation that supports one clause is not wrong for another, unless nothing supports that one.
        at_fault = [index for index in useless if not self.result.precise[index]]
        whole = self._scores.get(claim, self._joint[claim]) if claim in self._joint else None
        if at_fault or self._supports(whole):
            return at_fault
        return [index for index in useless if self._cited[index]][:1]

    def _useless(self, claim: int, *, together: bool) -> list[int]:
        """The citations that support neither a claim nor the words right before them."""
        words = len(self._context.claims[claim].bare.split())
        found = []
        for index in self._judge(claim, together=together):
            score = self._scores.get(claim, self._cited[index])
            # One of several cited sources may contain nearly all of a claim.
            holds = together and score is not None and 0 < len(score.missing) * _FEW_OF <= words
            if not holds and not self._follows_marker(index, claim):
                found.append(index)
        return found

    def _follows_marker(self, index: int, claim: int) -> bool:
        """Whether a citation supports the words right before it, if these are part of the claim."""
        cited, precise = self._cited[index], self.result.precise
        words = self._clauses.before(index, self._context.claims[claim]) if cited else ""
        is_backed = bool(words) and bool(self._is_backed(words, claim, cited))
        precise[index] = is_backed or precise[index]
        return is_backed

    def _note_swapped(self, claim: int) -> None:
        """Note citations that do not support the words before them, while those of other words do."""
        asked = self._context.claims[claim]
        marked = self._clauses.marked(self._by_claim[claim], asked)
        groups = {
            span: frozenset().union(*map(self._cited.__getitem__, held)) for span, held in marked.items()
        }
        if len(set(groups.values())) < 2:
            return
        for span, held in marked.items():
            own, words = groups[span], self._clauses.before(held[0], asked)
            others = {names - own for names in groups.values() if names - own}
            if not words or not own or not others or self._is_backed(words, claim, own) is not False:
                continue
            if any(self._is_backed(words, claim, names) for names in others):
                self.result.misaligned.append((held[0], claim))
                self.result.precise[held[0]] = False

    def _judge(self, claim: int, *, together: bool) -> list[int]:
        """Judge the citations of one claim; return those that neither support it nor contribute."""
        sets, result = self._sources[claim], self.result
        alone = {names: self._scores.get(claim, names) for names in sets}
        verdicts = {names: self._supports(score) for names, score in alone.items()}
        useful = {names for names, is_useful in verdicts.items() if is_useful}
        if together and len(sets) > _MAX_JOINT:
            useful = set(sets)
        elif together and len(sets) > 1:
            others = {}
            for names in sets:
                if names not in useful:
                    others[names] = frozenset().union(*(other for other in sets if other != names))
            self._scores.fetch([(claim, rest) for rest in others.values()])
            for names, rest in others.items():
                if self._supports(self._scores.get(claim, rest)) is False:
                    useful.add(names)
        useless: dict[frozenset[str], int] = {}
        for index in self._by_claim[claim]:
            names = self._cited[index]
            if names not in useful and verdicts.get(names, False) is None:
                continue
            result.precise[index] = bool(result.precise[index]) or names in useful
            score = alone.get(names)
            if score is not None and score.probability is not None:
                result.support[index] = max(result.support[index] or 0.0, score.probability)
            if names and names not in useful:
                useless.setdefault(names, index)
        return list(useless.values())
