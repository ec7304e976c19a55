"""Search the corpus for the support of an unsupported claim, and name the root cause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import if_known
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.importers.documents import Corpus, FilePassage, open_corpus
from pytest_grounding.model.finding import HALLUCINATED, Finding
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers import ClaimText, SupportScore

#: Passages compared with a claim, and those whose neighbours are read with them.
_READ = 12
_JOINED = 4
_DEEP = 50  # depth of the plain search for the question in which the passage is looked for
_SHARED = 3  # words shared by a cut sentence and the end of a chunk
_MISSING = 5  # one word may be missing from the supporting passage for this many words of a claim
_ADVICE: dict[str, str] = dict(rows_beside(__file__, "advice.tsv"))  # by kind of cause


@dataclass(frozen=True, slots=True)
class RootCause:
    """Why a claim has no support."""

    kind: str  # a key of `_ADVICE`
    message: str  # the same in words, with the place
    place: str = ""  # file and line of the passage
    quote: str = ""  # its sentence
    rank: int | None = None  # its rank among the candidates or in a plain search, from 1


def with_causes(
    context: CheckContext, claims: Sequence[ClaimVerdict], findings: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Add the root cause found in the corpus to the findings on unsupported claims."""
    wrong = {claim.index: claim for claim in claims if claim.status in HALLUCINATED}
    if not wrong:
        return tuple(findings)
    tracer = _Tracer(context, open_corpus(context.settings.corpus))
    causes: dict[int, RootCause] = {}
    told = []
    for finding in findings:
        place = finding.claim if finding.rule in {"unsupported_claim", "contradicted"} else None
        if place in wrong and place not in causes:
            causes[place] = tracer.cause(wrong[place])
            finding = _with(finding, causes[place])
        told.append(finding)
    return tuple(told)


def _with(finding: Finding, cause: RootCause) -> Finding:
    known = {name: value for name, value in asdict(cause).items() if value not in ("", None)}
    message = f"{finding.message}; {cause.message}" + if_known(': "{}"', cause.quote)
    changes = {"message": message, "suggestion": _ADVICE[cause.kind]}
    return finding.model_copy(update={**changes, "details": {**finding.details, "cause": known}})


class _Tracer:
    def __init__(self, context: CheckContext, corpus: Corpus) -> None:
        self._context = context
        self._corpus = corpus
        self._retrieved = [_norms(chunk.text) for chunk in context.transcript.chunks]
        self._ranks: dict[int, int] | None = None

    def cause(self, verdict: ClaimVerdict) -> RootCause:
        claim = self._context.claims[verdict.index]
        asked = ClaimText(claim.bare, claim.context)
        words = [token.norm for token in tokenize(claim.bare, self._context.language) if not token.is_stop]
        found = self._corpus.search(words, _READ)
        scores = [self._score(asked, passage.text) for passage in found]
        for passage, score in zip(found, scores, strict=True):
            if self._supports(score, len(words)):
                return self._held(passage, score)
        for first, second in self._neighbours(found[:_JOINED]):
            score = self._score(asked, f"{first.text} {second.text}")
            if self._supports(score, len(words)) and score.evidence:
                return _cut_by_chunking(first.place(score.evidence[0].start), score.evidence[0].text)
        for passage, score in zip(found, scores, strict=True):
            conflict = next(iter(score.conflicts), None)
            if conflict and (conflict.severity == "error" or _is_close_passage(score, len(words))):
                place = passage.place(conflict.evidence.start)
                return RootCause("overreach", f"{place} contradicts it", place, conflict.evidence.text)
        if verdict.status == "contradicted":
            return RootCause("overreach", "no document states it, and a retrieved chunk contradicts it")
        return RootCause("not_in_corpus", "no document of the corpus states it")

    def _score(self, claim: ClaimText, text: str) -> SupportScore:
        # Without the question: its words need evidence here, as a passage may be about anything.
        chunks = [Chunk(id="p", text=text)]
        return self._context.own_scorer.support([claim], chunks, language=self._context.language)[0]

    def _supports(self, score: SupportScore, words: int) -> bool:
        # Among thousands of passages many share some words with a claim: nearly all words must match.
        is_backed = (score.probability or 0.0) >= self._context.settings.supported_threshold
        return is_backed and not score.conflicts and _is_close_passage(score, words)

    def _held(self, passage: FilePassage, score: SupportScore) -> RootCause:
        quote = score.evidence[0].text if score.evidence else passage.text
        place = passage.place(score.evidence[0].start if score.evidence else 0)
        if any(_is_cut(chunk, _norms(quote)) for chunk in self._retrieved):
            return _cut_by_chunking(place, quote)
        candidate = self._candidate(passage)
        if candidate is not None:
            message = f"{place} states it, at rank {candidate} of the retriever's candidates"
            return RootCause("ranked_too_low", message, place, quote, candidate)
        rank = self._rank(passage)
        near = if_known(" (rank {} in a plain search for the question)", rank)
        message = f"{place} states it and was not retrieved{near}"
        return RootCause("retrieval_miss", message, place, quote, rank)

    def _neighbours(self, found: Sequence[FilePassage]) -> Iterator[tuple[FilePassage, FilePassage]]:
        for passage in found:
            for other in self._corpus.beside(passage):
                yield (passage, other) if passage < other else (other, passage)

    def _candidate(self, passage: FilePassage) -> int | None:
        given = self._context.transcript.metadata.get("candidates")
        for number, item in enumerate(given if isinstance(given, (list, tuple)) else (), start=1):
            name = item.get("id") if isinstance(item, Mapping) else item
            text = item.get("text") if isinstance(item, Mapping) else None
            if name in (passage.id or passage.path, passage.place()) or text == passage.text:
                return number
        return None

    def _rank(self, passage: FilePassage) -> int | None:
        if self._ranks is None:
            asked = tokenize(self._context.transcript.question, self._context.language)
            found = self._corpus.search([token.norm for token in asked if not token.is_stop], _DEEP)
            self._ranks = {item.number: rank for rank, item in enumerate(found, start=1)}
        return self._ranks.get(passage.number)


def _is_close_passage(score: SupportScore, words: int) -> bool:
    return len(score.missing) * _MISSING <= words


def _cut_by_chunking(place: str, quote: str) -> RootCause:
    return RootCause("cut_by_chunking", f"{place} states it, cut in two by the chunks", place, quote)


def _norms(text: str) -> list[str]:
    return [token.norm for token in tokenize(text, "en")]


def _is_cut(chunk: list[str], sentence: list[str]) -> bool:
    for count in range(_SHARED, len(sentence)):
        if chunk[-count:] == sentence[:count] or chunk[:count] == sentence[-count:]:
            return True
    return False
