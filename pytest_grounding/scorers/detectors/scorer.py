"""A local detector as a scorer, with its figures on the cassette."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.errors import CassetteError, ScorerError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.borrowed import by_best_chunk, holds_text, text_of, with_score
from pytest_grounding.scorers.cassette import Reply, Request, Tape
from pytest_grounding.scorers.detectors.model import Detector, TooLongError
from pytest_grounding.scorers.detectors.profile import Profile

NAME = "local"
#: Support at the limit from which a model's authors call a claim supported: the default of
#: ``borderline_threshold``, below which a claim is unsupported.
_AT_LIMIT = 0.7
_DIGITS = 6


class DetectorScorer:
    """Support, and where its profile says so relevance, by a model on this machine."""

    def __init__(self, detector: Detector, tape: Tape, local: Scorer) -> None:
        self._detector = detector
        self._profile = detector.profile
        self._tape = tape
        self._local = local
        self.name = NAME

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk; the built-in engine's where the profile scores support alone."""
        if "relevance" not in self._profile.uses:
            return self._local.relevance(question, chunks, language=language)
        found: list[RelevanceScore] = []
        for chunk in chunks:
            if not holds_text(chunk):
                found.append(RelevanceScore(None, "the chunk is empty"))
                continue
            # A question and a text, as rerankers are trained.
            (reply,) = self._asked([self._request({"premise": question, "claim": chunk.text})])
            value = reply["score"]
            reason = reply["why"] if value is None else f"{self._profile.name} gives it {value:.2f}"
            found.append(RelevanceScore(value, reason))
        return found

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim; one that is neither recorded nor can be scored here abstains."""
        scores = self._local.support(claims, chunks, question=question, language=language)
        filled = [chunk for chunk in chunks if holds_text(chunk)]
        if "support" not in self._profile.uses or not filled or not claims:
            return scores
        if self._profile.layout == "token":
            return self._by_tokens(claims, filled, question, scores)
        return [
            score
            if score.method == "exact_match" or score.probability is None
            else self._by_chunks(text_of(claim), filled, score)
            for claim, score in zip(claims, scores, strict=True)
        ]

    def _by_chunks(self, claim: str, chunks: Sequence[Chunk], local: SupportScore) -> SupportScore:
        requests = [self._request({"premise": chunk.text, "claim": claim}) for chunk in chunks]
        try:
            replies = self._asked(requests)
        except CassetteError as error:
            return with_score(local, None, "semantic_similarity", str(error))
        if cut := next((reply["why"] for reply in replies if reply["score"] is None), ""):
            return with_score(local, None, "semantic_similarity", cut)
        raw = [float(reply["score"]) for reply in replies]
        values = [as_support(value, self._profile) for value in raw]
        found = by_best_chunk(local, values, chunks, "semantic_similarity", self._profile.name)
        best = max(range(len(values)), key=lambda index: (values[index], -index))
        reason = (
            f"{self._profile.name} gives chunk {chunks[best].id} {raw[best]:.2f} "
            f"(supported from {self._profile.threshold:g})"
        )
        return with_score(local, found.probability, found.method, reason, evidence=found.evidence)

    def _by_tokens(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        question: str,
        local: Sequence[SupportScore],
    ) -> list[SupportScore]:
        """One question for the whole answer; a claim is as unsupported as its worst token."""
        answer, spans = _joined([claim.text for claim in claims])
        texts = {f"passage {number}": chunk.text for number, chunk in enumerate(chunks, start=1)}
        request = self._request({"question": question, "answer": answer, **texts})
        try:
            (reply,) = self._asked([request])
        except CassetteError as error:
            return [with_score(score, None, "semantic_similarity", str(error)) for score in local]
        if reply["tokens"] is None:
            return [with_score(score, None, "semantic_similarity", reply["why"]) for score in local]
        return [
            self._of_span(answer, span, reply["tokens"], score)
            for span, score in zip(spans, local, strict=True)
        ]

    def _of_span(
        self, answer: str, span: tuple[int, int], tokens: Sequence[Sequence[float]], local: SupportScore
    ) -> SupportScore:
        own = [
            (max(int(start), span[0]), min(int(end), span[1]), share)
            for start, end, share in tokens
            if start < span[1] and end > span[0]
        ]
        if not own:
            return with_score(
                local, None, "semantic_similarity", f"{self._profile.name} read no word of the claim"
            )
        worst = max(share for _, _, share in own)
        # The threshold is of the support: a token is marked where its share passes what is left.
        marked = _runs(answer, own, 1.0 - self._profile.threshold)
        reason = f"{self._profile.name} finds {1.0 - worst:.2f} for its least supported word"
        if marked:
            reason += ": " + ", ".join(marked)
        value = as_support(1.0 - worst, self._profile)
        score = with_score(local, value, "semantic_similarity", reason)
        return score if local.missing else _with_missing(score, marked)

    def _request(self, texts: dict[str, str]) -> Request:
        return Request(
            f"local.{self._profile.layout}",
            self._profile.name,
            {"model": self._detector.folder.digest, "profile": self._profile.as_data()},
            texts,
        )

    def _asked(self, requests: Sequence[Request]) -> list[Reply]:
        """Replies from the cassette; a replay of what is not recorded asks the model where it is at hand."""
        try:
            return self._tape.ask(requests, self._answers, check=_check)
        except CassetteError:
            if self._tape.mode != "none" or not self._detector.folder.weights:
                raise
        return self._answers(requests)

    def _answers(self, requests: Sequence[Request]) -> list[Reply]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Reply:
        texts = request.texts
        if self._profile.layout != "token":
            try:
                return {"score": self._detector.score(texts["premise"], texts["claim"])}
            except TooLongError as error:
                return {"score": None, "why": str(error)}
        passages = [texts[f"passage {number}"] for number in range(1, len(texts) - 1)]
        try:
            shares = self._detector.tokens(texts["question"], passages, texts["answer"])
        except TooLongError as error:
            return {"tokens": None, "why": str(error)}
        return {"tokens": [[item.start, item.end, item.share] for item in shares]}


def as_support(value: float, profile: Profile) -> float:
    """A model's figure on the scale of support: what its authors call supported is 0.7 and more."""
    limit = profile.threshold
    if value < limit:
        return round(_AT_LIMIT * value / limit, _DIGITS)
    return round(_AT_LIMIT + (1.0 - _AT_LIMIT) * (value - limit) / (1.0 - limit), _DIGITS)


def _joined(texts: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Claims one after another as one answer, and where each of them stands in it."""
    spans, at = [], 0
    for text in texts:
        spans.append((at, at + len(text)))
        at += len(text) + 1
    return " ".join(texts), spans


def _runs(answer: str, tokens: Sequence[tuple[int, int, float]], limit: float) -> tuple[str, ...]:
    """The stretches of tokens, one right after another, whose share is above a limit."""
    runs: list[list[int]] = []
    for place, (start, end, share) in enumerate(tokens):
        if share <= limit:
            continue
        if runs and runs[-1][2] == place - 1:
            runs[-1][1:] = [end, place]
        else:
            runs.append([start, end, place])
    found = (answer[start:end].strip() for start, end, _ in runs)
    return tuple(dict.fromkeys(text for text in found if text))


def _with_missing(score: SupportScore, words: tuple[str, ...]) -> SupportScore:
    from dataclasses import replace

    return replace(score, missing=words)


def _check(reply: Reply) -> None:
    """A recorded figure is looked at like a fresh one: somebody may have edited the file."""
    try:
        key = "tokens" if "tokens" in reply else "score"
        value = reply[key]
        if value is None:
            fine = isinstance(reply["why"], str)
        elif key == "score":
            fine = _is_share(value)
        else:
            fine = all(
                isinstance(start, int) and isinstance(end, int) and 0 <= start < end and _is_share(share)
                for start, end, share in value
            )
    except (KeyError, TypeError, ValueError):
        fine = False
    if not fine:
        raise ScorerError("local: a recorded figure is none that a model can have given")


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0.0 <= value <= 1.0
