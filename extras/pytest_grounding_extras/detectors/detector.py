"""Run a local detector as its profile describes, and the scorer based on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_grounding.errors import CassetteError, ScorerError, SettingsError, require
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Method
from pytest_grounding.reading.sentences import segment
from pytest_grounding.scorers import Claims, Scorer, SupportScore
from pytest_grounding.scorers.remote.cassette_file import Reply, Request, Tape
from pytest_grounding.scorers.remote.local_evidence import (
    BorrowingScorer,
    by_best_chunk,
    has_words,
    with_score,
)
from pytest_grounding_extras import DISTRIBUTION
from pytest_grounding_extras.detectors.folder import DESCRIBE, ModelFolder, Profile, changed, model_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: Words and punctuation marks: how a plain-text tokenizer counts.
_MARKS = re.compile(r"\w+|[^\w\s]")
Count = Callable[[str], int]


def counter(unit: str, tokens: Count) -> Count:
    """Measures the length of a text: words and marks, or the model's tokens."""
    if unit == "marks":
        return lambda text: sum(1 for _ in _MARKS.finditer(text))
    return tokens


def windows(text: str, size: int, count: Count, joiner: str) -> list[str]:
    """A passage as windows of whole sentences, each of at most ``size``."""
    if count(text) <= size:
        return [text]
    found: list[str] = []
    held: list[str] = []
    measured = 0
    for piece in _pieces(text, size, count):
        length = count(piece)
        if held and measured + length > size:
            found.append(joiner.join(held))
            held, measured = [], 0
        held.append(piece)
        measured += length
    if held:
        found.append(joiner.join(held))
    # The length is not additive: with separators a window may be too long.
    return [part for window in found for part in _fitted(window, size, count)]


def _pieces(text: str, size: int, count: Count) -> Iterator[str]:
    for line in text.splitlines():
        for sentence in segment(line, language="en"):
            if piece := sentence.text.strip():
                yield from _fitted(piece, size, count)


def _fitted(text: str, size: int, count: Count) -> Iterator[str]:
    """The text, or its halves, split between words if possible."""
    if count(text) <= size or len(text) < 2:
        yield text
        return
    middle = len(text) // 2
    cut = text.rfind(" ", 1, middle + 1)
    cut = cut if cut > 0 else middle
    yield from _fitted(text[:cut].rstrip(), size, count)
    yield from _fitted(text[cut:].lstrip(), size, count)


def packed(parts: Sequence[str], lengths: Sequence[int], budget: int) -> list[list[str]]:
    """Groups of consecutive passages that fit into a budget; one that is too long is alone."""
    groups: list[list[str]] = []
    used = 0
    for part, length in zip(parts, lengths, strict=True):
        # The line feed between two passages is a token.
        if groups and used + 1 + length <= budget:
            groups[-1].append(part)
            used += 1 + length
        else:
            groups.append([part])
            used = length
    return groups


_DIGITS = 6


class TokenShare(NamedTuple):
    """The model's probability that a token of the answer is not supported."""

    start: int
    end: int
    share: float


class TooLongError(ScorerError):
    """The input is too long for the model, so any figure would be wrong."""


class Detector:
    """A model of a folder with its tokenizer, loaded at the first call."""

    def __init__(self, folder: ModelFolder) -> None:
        self.folder = folder
        self.profile: Profile = folder.profile
        self._loaded: tuple[Any, Any] | None = None

    def score(self, premise: str, claim: str) -> float:
        """The figure of one claim by one passage, in [0, 1]; of several windows the deciding one."""
        profile = self.profile
        parts = [premise]
        if profile.window != "none":
            count = counter(profile.window, self._tokens)
            parts = windows(premise, profile.window_size, count, profile.joiner)
        room = profile.limit - self._length("", claim)
        if room < 1:
            problem = f"the claim alone is longer than the {profile.limit} tokens of the model"
            raise TooLongError(f"{profile.name}: {problem}")
        fitting = [piece for part in parts for piece in self._fitting(part, claim, room)]
        figures = [_share(self._run(piece, claim), profile) for piece in fitting]
        return round(max(figures) if profile.over_windows == "max" else min(figures), _DIGITS)

    def tokens(self, question: str, passages: Sequence[str], answer: str) -> list[TokenShare]:
        """For each token of an answer, the probability that the passages do not support it."""
        found: list[TokenShare] = []
        best = max if self.profile.over_windows == "max" else min
        for group in self._groups(question, passages, answer):
            shares = self._labels(prompt_of(self.profile, question, group), answer)
            pairs = zip(found or shares, shares, strict=True)
            found = [TokenShare(one.start, one.end, best(one.share, other.share)) for one, other in pairs]
        return found

    def _groups(self, question: str, passages: Sequence[str], answer: str) -> list[list[str]]:
        profile = self.profile
        whole = list(passages)
        if self._length(prompt_of(profile, question, whole), answer) <= profile.limit:
            return [whole]
        # As in these models' own package: the prompt around an empty passage, and 3 marks.
        around = self._tokens(prompt_of(profile, question, [""])) + self._tokens(answer) + 3
        room = profile.limit - around
        if room < 1:
            problem = f"question and answer alone are longer than the {profile.limit} tokens of the model"
            raise TooLongError(f"{profile.name}: {problem}")

        def counted(text: str, number: int = len(passages)) -> int:
            return self._tokens(filled(profile.passage, number=str(number), text=text))

        fitting = [piece for text in passages for piece in windows(text, room, counted, " ")]
        return packed(fitting, [counted(text, number) for number, text in enumerate(fitting, start=1)], room)

    def _labels(self, prompt: str, answer: str) -> list[TokenShare]:
        import numpy as np

        _, tokenizer = self._ready()
        encoded = tokenizer.encode(prompt, answer)
        logits = self._infer(encoded)
        rows = self._shaped(logits, (1, len(encoded.ids), self.profile.classes or None))[0]
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        shares = powers[:, self.profile.index] / powers.sum(axis=1)
        placed = zip(encoded.sequence_ids, encoded.offsets, shares, strict=True)
        said = ((start, end, share) for sequence, (start, end), share in placed if sequence == 1)
        return [TokenShare(start, end, round(float(x), _DIGITS)) for start, end, x in said if end > start]

    def _fitting(self, premise: str, claim: str, room: int) -> list[str]:
        if self._length(premise, claim) <= self.profile.limit:
            return [premise]
        # A blank between two sentences may join tokens, hence a small reserve.
        return windows(premise, max(1, room - 4), self._tokens, self.profile.joiner)

    def _encoded(self, premise: str, claim: str) -> Any:
        _, tokenizer = self._ready()
        if self.profile.input != "text":
            return tokenizer.encode(premise, claim)
        return tokenizer.encode(filled(self.profile.template, premise=premise, claim=claim))

    def _length(self, premise: str, claim: str) -> int:
        return len(self._encoded(premise, claim).ids)

    def _tokens(self, text: str) -> int:
        _, tokenizer = self._ready()
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    def _run(self, premise: str, claim: str) -> NDArray[np.float64]:
        """The row of figures in the output that the profile's layout selects."""
        import numpy as np

        encoded = self._encoded(premise, claim)
        logits = self._infer(encoded)
        classes = self.profile.classes or None
        if self.profile.layout in ("logit", "class"):
            shape = (1, 1) if self.profile.layout == "logit" else (1, classes)
            return np.asarray(self._shaped(logits, shape)[0])
        return np.asarray(self._shaped(logits, (1, len(encoded.ids), classes))[0, 0])

    def _shaped(self, logits: NDArray[np.float64], shape: tuple[int | None, ...]) -> NDArray[np.float64]:
        import numpy as np

        sizes = zip(shape, logits.shape, strict=False)
        if logits.ndim != len(shape) or not all(size in (None, found) for size, found in sizes):
            wanted = ", ".join("any" if size is None else str(size) for size in shape)
            given = f"the model gave numbers of the form {list(logits.shape)}"
            read = (
                f"the layout {self.profile.layout!r} reads [{wanted}]: this is not the profile of this model"
            )
            raise ScorerError(f"{self.profile.name}: {given}, and {read}")
        if not np.isfinite(logits).all():
            raise ScorerError(f"{self.profile.name}: the model gave something that is not a finite number")
        return logits

    def _infer(self, encoded: Any) -> NDArray[np.float64]:
        import numpy as np

        name, length, limit = self.profile.name, len(encoded.ids), self.profile.limit
        if length > limit:
            raise TooLongError(f"{name}: {length} tokens do not fit into {limit}")
        session, _ = self._ready()
        columns = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask}
        columns["token_type_ids"] = encoded.type_ids
        names = [item.name for item in session.get_inputs()]
        if unknown := [name for name in names if name not in columns]:
            raise ScorerError(f"{name}: the model wants the input {unknown[0]!r}, which its profile lacks")
        feed = {name: np.asarray([columns[name]], dtype="int64") for name in names}
        try:
            (logits, *_) = session.run(None, feed)
        except Exception as error:  # onnxruntime raises its own types
            raise ScorerError(f"{self.profile.name}: the model failed: {error}") from None
        return np.asarray(logits, dtype="float64")

    def _ready(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._loaded = _load(self.folder)
        return self._loaded


def filled(template: str, **parts: str) -> str:
    """A template with its parts inserted; braces in a part stay."""
    return re.sub(r"\{(\w+)\}", lambda name: parts.get(name[1], name[0]), template)


def prompt_of(profile: Profile, question: str, passages: Sequence[str]) -> str:
    """The prompt for some passages, in the form the model was trained with."""
    numbered = enumerate(passages, start=1)
    lines = [filled(profile.passage, number=str(number), text=text) for number, text in numbered]
    template = profile.template if question or not profile.bare_template else profile.bare_template
    return filled(template, question=question, count=str(len(lines)), passages="\n".join(lines))


def _share(row: NDArray[np.float64], profile: Profile) -> float:
    import numpy as np

    if profile.layout == "logit":
        return float(1.0 / (1.0 + np.exp(-np.clip(row[0], -60.0, 60.0))))
    if profile.index >= row.size:
        problem = f"the model has {row.size} classes, and class {profile.index} is to be read"
        raise ScorerError(f"{profile.name}: {problem}")
    powers = np.exp(row - row.max())
    return float(powers[profile.index] / powers.sum())


def _load(folder: ModelFolder) -> tuple[Any, Any]:
    root = folder.path
    if not folder.weights:
        problem = "contains no model, only the description of one"
        raise ScorerError(f"{root} {problem}: what is not recorded is not scored")
    if other := changed(folder):
        problem = f"{other[0]} is not the file that grounding-model.json describes"
        advice = f"fetch it anew, or describe the folder anew: {DESCRIBE}"
        raise SettingsError(f"local_model = {str(root)!r}: {problem}; {advice}")
    runtime, tokenizers = (
        require(name, extra="local", distribution=DISTRIBUTION) for name in ("onnxruntime", "tokenizers")
    )
    options = runtime.SessionOptions()
    # A single thread adds in one order: the same score in every run.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        session = runtime.InferenceSession(str(model_file(root)), options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(str(root / "tokenizer.json"))
    except Exception as error:  # both libraries raise their own types
        raise SettingsError(f"local_model = {str(root)!r} cannot be loaded: {error}") from None
    # The file's limits for its authors' code are ignored; nothing may be truncated silently.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return session, tokenizer


#: Support from which a model's authors call a claim supported: the default of
#: ``borderline_threshold``.
_AT_LIMIT = 0.7
_METHOD: Method = "semantic_similarity"


class DetectorScorer(BorrowingScorer):
    """Support by a local model."""

    def __init__(self, detector: Detector, tape: Tape, local: Scorer) -> None:
        super().__init__("local", local)
        self._detector = detector
        self._profile = detector.profile
        self._tape = tape

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        """Support of each claim; one that is neither recorded nor scorable here abstains."""
        filled = [chunk for chunk in chunks if has_words(chunk)]
        if self._profile.layout != "token" or not filled or not claims:
            return super().support(claims, chunks, question=question, language=language)
        scores = self._local.support(claims, chunks, question=question, language=language)
        return self._by_tokens(claims, filled, question, scores)

    def _support(
        self, claims: Sequence[str], local: Sequence[SupportScore], chunks: Sequence[Chunk], language: str
    ) -> Sequence[SupportScore]:
        return [self._by_chunks(text, chunks, score) for text, score in zip(claims, local, strict=True)]

    def _by_chunks(self, claim: str, chunks: Sequence[Chunk], local: SupportScore) -> SupportScore:
        requests = [self._request({"premise": chunk.text, "claim": claim}) for chunk in chunks]
        try:
            replies = self._asked(requests)
        except CassetteError as error:
            return with_score(local, None, _METHOD, str(error))
        if cut := next((reply["why"] for reply in replies if reply["score"] is None), ""):
            return with_score(local, None, _METHOD, cut)
        raw = [float(reply["score"]) for reply in replies]
        values = [as_support(value, self._profile) for value in raw]
        found = by_best_chunk(local, values, chunks, _METHOD, self._profile.name)
        best = max(range(len(values)), key=lambda index: (values[index], -index))
        given = f"{self._profile.name} gives chunk {chunks[best].id} {raw[best]:.2f}"
        reason = f"{given} (supported from {self._profile.threshold:g})"
        return with_score(local, found.probability, _METHOD, reason, evidence=found.evidence)

    def _by_tokens(
        self, claims: Claims, chunks: Sequence[Chunk], question: str, local: Sequence[SupportScore]
    ) -> list[SupportScore]:
        """One call for the whole answer; the support of a claim is that of its worst token."""
        answer, spans = _joined([claim.text for claim in claims])
        texts = {f"passage {number}": chunk.text for number, chunk in enumerate(chunks, start=1)}
        request = self._request({"question": question, "answer": answer, **texts})
        try:
            (reply,) = self._asked([request])
        except CassetteError as error:
            reply = {"tokens": None, "why": str(error)}
        tokens = reply["tokens"]
        if tokens is None:
            return [with_score(score, None, _METHOD, reply["why"]) for score in local]
        placed = zip(spans, local, strict=True)
        return [self._of_span(answer, span, tokens, score) for span, score in placed]

    def _of_span(
        self, answer: str, span: tuple[int, int], tokens: Sequence[Sequence[float]], local: SupportScore
    ) -> SupportScore:
        inside = [token for token in tokens if token[0] < span[1] and token[1] > span[0]]
        own = [(max(int(start), span[0]), min(int(end), span[1]), share) for start, end, share in inside]
        if not own:
            return with_score(local, None, _METHOD, f"{self._profile.name} read no word of the claim")
        worst = max(share for _, _, share in own)
        # The threshold is for support: a token is marked if its share exceeds the rest.
        marked = _runs(answer, own, 1.0 - self._profile.threshold)
        reason = f"{self._profile.name} finds {1.0 - worst:.2f} for its least supported word"
        if marked:
            reason += ": " + ", ".join(marked)
        value = as_support(1.0 - worst, self._profile)
        score = with_score(local, value, _METHOD, reason)
        return score if local.missing else replace(score, missing=marked)

    def _request(self, texts: dict[str, str]) -> Request:
        parameters = {"model": self._detector.folder.digest, "profile": self._profile.as_data()}
        return Request(f"local.{self._profile.layout}", self._profile.name, parameters, texts)

    def _asked(self, requests: Sequence[Request]) -> list[Reply]:
        """Replies from the cassette; a replay without a recording calls the model if it is installed."""
        try:
            return self._tape.ask(requests, self._answers)
        except CassetteError:
            if self._tape.mode != "none" or not self._detector.folder.weights:
                raise
        return self._answers(requests)

    def _answers(self, requests: Sequence[Request]) -> list[Reply]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Reply:
        texts, is_token = request.texts, self._profile.layout == "token"
        try:
            if not is_token:
                return {"score": self._detector.score(texts["premise"], texts["claim"])}
            passages = [texts[f"passage {number}"] for number in range(1, len(texts) - 1)]
            shares = self._detector.tokens(texts["question"], passages, texts["answer"])
            return {"tokens": [[item.start, item.end, item.share] for item in shares]}
        except TooLongError as error:
            return {"tokens" if is_token else "score": None, "why": str(error)}


def as_support(value: float, profile: Profile) -> float:
    """A model's figure rescaled to support: its authors' threshold becomes 0.7."""
    limit = profile.threshold
    if value < limit:
        return round(_AT_LIMIT * value / limit, _DIGITS)
    return round(_AT_LIMIT + (1.0 - _AT_LIMIT) * (value - limit) / (1.0 - limit), _DIGITS)


def _joined(texts: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Claims joined to one answer, with their positions."""
    spans, at = [], 0
    for text in texts:
        spans.append((at, at + len(text)))
        at += len(text) + 1
    return " ".join(texts), spans


def _runs(answer: str, tokens: Sequence[tuple[int, int, float]], limit: float) -> tuple[str, ...]:
    """Runs of consecutive tokens whose share exceeds a limit."""
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
