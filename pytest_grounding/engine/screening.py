"""What is scored: the claims of an answer, and its sources without orders, which are not evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.citations.extract import extract, make_context, marker_spans, unread_spans
from pytest_grounding.claims.sentence_type import is_refusal
from pytest_grounding.claims.splitting import claim_owners, extract_claims, is_declined
from pytest_grounding.engine import registry
from pytest_grounding.lexicon import words
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.reading.injected import restored, screened
from pytest_grounding.reading.sentences import Claim, segment
from pytest_grounding.reading.visible_text import page_of
from pytest_grounding.scorers import Claims, RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import Settings

KNOWN = "known"  # id of what the user declared as known, in evidence; it is no chunk, and nothing can cite it
_DENYING = words("denials", "denying")
_FEWEST = 2  # a sentence with fewer content words may be in a source by chance


def trusted(chunks: Sequence[Chunk], settings: Settings) -> tuple[Chunk, ...]:
    """The chunks as evidence: without orders to the model, unless the setting ``injection`` is off."""
    return tuple(chunks) if settings.injection == "off" or not settings.enabled else screened(chunks)


def screening(
    scorers: Sequence[Scorer], chunks: Sequence[Chunk], passed: Sequence[Chunk]
) -> tuple[Scorer, ...]:
    """The scorers, each behind a screen that removes orders from its input."""
    changed = {new.id: (old, new) for old, new in zip(chunks, passed, strict=True) if old is not new}
    return tuple(_Screened(scorer, changed) for scorer in scorers) if changed else tuple(scorers)


class _Screened:
    """A scorer whose chunks are screened, and whose evidence is quoted from the originals."""

    def __init__(self, scorer: Scorer, changed: dict[str, tuple[Chunk, Chunk]]) -> None:
        self._scorer = scorer
        self._changed = changed
        self._originals = {name: old for name, (old, _) in changed.items()}
        self.name = scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        return self._scorer.relevance(question, self._passed(chunks), language=language)

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        passed = self._passed(chunks)
        scores = self._scorer.support(claims, passed, question=question, language=language)
        return list(map(self._restored, scores))

    def _restored(self, score: SupportScore) -> SupportScore:
        evidence = tuple(restored(item, self._originals) for item in score.evidence)
        quoted = ((item, restored(item.evidence, self._originals)) for item in score.conflicts)
        conflicts = tuple(item.model_copy(update={"evidence": quote}) for item, quote in quoted)
        return replace(score, evidence=evidence, conflicts=conflicts)

    def _passed(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        found = ((chunk, *self._changed.get(chunk.id, (chunk, chunk))) for chunk in chunks)
        # A line of a file may have the id of a chunk.
        return [new if chunk.text == old.text else chunk for chunk, old, new in found]


def unscored(
    transcript: Transcript, settings: Settings, language: str, asked: str, scorer: Scorer
) -> CheckContext:
    """Sentences, claims and citations of one transcript, without scores."""
    context, answer = make_context(transcript, settings), transcript.answer
    cited = extract(context, registry.syntaxes())
    markers = marker_spans(cited)
    markers = sorted((*markers, *unread_spans(context, markers)))
    sentences = segment(answer, language=language, markers=markers)
    claims = extract_claims(answer, question=asked, language=language, markers=markers, sentences=sentences)
    claims = with_sourced(claims, transcript.chunks, language)
    return CheckContext(
        transcript=transcript,
        settings=settings,
        language=language,
        sentences=sentences,
        claims=claims,
        citations=cited,
        owners=claim_owners(claims, sentences, [(item.start, item.end) for item in cited]),
        supports=(None,) * len(claims),
        scorer=scorer,
        declined=is_declined(claims, answer),
    )


def with_known(transcript: Transcript, settings: Settings) -> tuple[Chunk, ...]:
    """The chunks of a transcript with what the user declared as known."""
    texts = (*(transcript.known or ()), *settings.known_lines)
    ids = {chunk.id for chunk in transcript.chunks}
    if not texts or KNOWN in ids:
        return transcript.chunks
    return (*transcript.chunks, Chunk(id=KNOWN, text="\n".join(texts)))


def with_sourced(claims: Sequence[Claim], chunks: Sequence[Chunk], language: str) -> tuple[Claim, ...]:
    """Check learned refusals all the same if a source contains all of their words."""
    if language != "en" or not any(claim.skip_reason == "refusal" for claim in claims):
        return tuple(claims)
    return tuple(
        replace(claim, checked=True, skip_reason="") if _is_sourced(claim, chunks) else claim
        for claim in claims
    )


def _is_sourced(claim: Claim, chunks: Sequence[Chunk]) -> bool:
    # A refusal known from the patterns is one whatever the sources contain.
    if claim.skip_reason != "refusal" or is_refusal(claim.bare):
        return False
    from pytest_grounding.evidence.token_index import index_of
    from pytest_grounding.reading.words import tokenize

    tokens = tokenize(claim.bare, "en")
    said = {token.stem for token in tokens if not token.is_stop and token.norm not in _DENYING}
    if len(said) < _FEWEST:
        return False
    for index in (index_of(page_of(chunk.text).text, "en") for chunk in chunks):
        places = (frozenset(map(index.sentence_of.__getitem__, index.positions.get(one, ()))) for one in said)
        # One sentence contains all of the words.
        if frozenset.intersection(*places):
            return True
    return False
