"""The built-in scorer: no network, no download, the same answer on every machine."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.all_chunks import Context, context_of
from pytest_grounding.evidence.copies import is_no_conflict
from pytest_grounding.evidence.identifier_matches import OwnPlace, has_place, own_places, without_place
from pytest_grounding.evidence.ledger_sources import language_sample
from pytest_grounding.evidence.number_matches import LocalNumbers, has_same_values
from pytest_grounding.evidence.sentence_view import Comparisons
from pytest_grounding.evidence.source_labels import without_answer_word, without_labels
from pytest_grounding.evidence.token_index import Pages, carried_into, fold_words, light_stems
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.questions import analyse
from pytest_grounding.reading.grammar import AUXILIARIES
from pytest_grounding.reading.words import Token, content_stems, language_in_force, tokenize
from pytest_grounding.scorers import ClaimText, RelevanceScore, SupportScore
from pytest_grounding.scorers.builtin.align import Alignment, evidence_for
from pytest_grounding.scorers.builtin.conflicts import find_conflicts
from pytest_grounding.scorers.builtin.conflicts.conflict_search import KINDS, Kind
from pytest_grounding.scorers.builtin.denials import denial_conflict
from pytest_grounding.scorers.builtin.features import FEATURES, features_of, is_echo, relevance_of
from pytest_grounding.scorers.builtin.predicate import strange_part
from pytest_grounding.scorers.builtin.subject import left_out_subject, placed_subject

_MISSING_NUMBER = list(FEATURES).index("missing_number")
_PARTS = [n for n, name in enumerate(FEATURES) if name == "lacks_noun" or name.startswith("strange_")]
_WINDOW = list(FEATURES).index("window")
_MISSING_RUN = list(FEATURES).index("missing_run")
#: Feature `missing_run` of two informative words; "this helps" has less.
_TELLING_RUN = math.log1p(10.0)

_PRONOUNS = words("conflicts", "pronouns") | frozenset({"i", "you", "we", "there"})
_DO = frozenset({"do", "does", "did"})
_LONGEST = 40  # length of "Yes, you certainly may."

_VERBATIM_WORDS = 3  # shorter claims occur verbatim by chance
#: Highest and lowest probability reported; a verbatim claim gets the highest.
_HIGHEST = 0.9999
_LOWEST = 0.0001
#: Without rarity, synonyms and stop words a share of matching words is less informative: in a language
#: without weights, a larger share of missing words keeps a claim below the thresholds.
_FOREIGN_MISSING = 0.4
_FOREIGN_CEILING = 0.69
_CEILING_WITHOUT_EVIDENCE = 0.69  # cap where no sentence contains a word of the claim
_SIGNS = frozenset("$€£¥₹%°")
_NAMED_MISSING = 5
_STRANGE = list(FEATURES).index("strange_part")
_LONGEST_TITLE = 120  # longer text is not a title that an answer would name

_YES, _NO = words("refusals", "yes"), words("refusals", "no")
_TRUE, _FALSE = words("refusals", "affirmed"), words("refusals", "denied")
_GRANTED = words("refusals", "granted")
_OPTION = lazy(r"[\W_]{0,4}[A-Ea-e][).:][ ]{1,4}")  # "(a) true", "B. False"
_PROPOSED = lazy(
    lambda: rf"(?is)\s{{0,8}}(?:{alternation('refusals', 'proposing')})\b[\s:?.,–—-]{{0,8}}(?=\S)"
)
#: Support of a "false" where a source contradicts the statement, and where none does.
_REFUTED, _HELD = 0.95, 0.3


class Model(NamedTuple):
    """A linear model with a logistic map."""

    intercept: float  # start of the sum
    weights: tuple[float, ...]  # one per feature, in the order of `FEATURES`
    slope: float = 1.0  # slope of the map from the sum to log odds
    offset: float = 0.0  # offset of that map
    #: Factor for the log odds of the strongest conflict (if above 0), subtracted from the claim's.
    conflict: float = 0.0
    number_ceiling: float = 1.0  # cap for a claim with a number that no chunk contains
    #: Cap for a claim whose informative words are in no sentence.
    nothing_ceiling: float = 1.0
    #: Factor for a claim with an unknown noun, part, phrase or ending.
    part_ceiling: float = 1.0

    def score(self, features: Sequence[float]) -> float:
        """The weighted sum: higher is better supported."""
        if len(features) != len(self.weights):
            raise ValueError(f"{len(features)} features, and weights for {len(self.weights)}")
        total: float = sum(map(mul, self.weights, features))
        return self.intercept + total

    def probability(self, features: Sequence[float], *, conflict: float = 0.0) -> float:
        """Probability that the claim is supported, in (0, 1)."""
        odds = self.slope * self.score(features) + self.offset
        odds -= self.conflict * max(0.0, conflict)
        probability = logistic(odds)
        if features[_MISSING_NUMBER]:
            probability = min(probability, self.number_ceiling)
        if any(features[part] for part in _PARTS):
            # Scaled, not capped, so that such claims can still be ranked.
            probability *= self.part_ceiling
        if not features[_WINDOW] and features[_MISSING_RUN] >= _TELLING_RUN:
            probability = min(probability, self.nothing_ceiling)
        return probability

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Model:
        """Read a model from the content of ``model.json``."""
        if list(data["weights"]) != list(FEATURES):
            raise ValueError("the model was trained for other features; run python -m training.train")
        rules = data["rules"]
        return cls(
            intercept=float(data["intercept"]),
            weights=tuple(float(value) for value in data["weights"].values()),
            slope=float(data["calibration"]["slope"]),
            offset=float(data["calibration"]["offset"]),
            conflict=float(rules["conflict"]),
            number_ceiling=float(rules["number_ceiling"]),
            nothing_ceiling=float(rules["nothing_ceiling"]),
            part_ceiling=float(rules["part_ceiling"]),
        )


def logistic(value: float) -> float:
    """Logistic function without overflow."""
    if value >= 0:
        return 1.0 / (1.0 + math.exp(-value))
    power = math.exp(value)
    return power / (1.0 + power)


@lru_cache(maxsize=1)
def shipped_model() -> Model:
    """The model shipped beside this module."""
    return Model.from_json(json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8")))


def statement_of(claim: str, question: str) -> str | None:
    """The statement behind a bare yes or no to a question; None where claim or question contain more."""
    if len(claim) > _LONGEST or not question:
        return None
    is_yes = polarity(claim)
    if is_yes is None:
        return None
    statement = proposed(question)
    if statement is not None:
        return statement
    parts = analyse(question).parts
    if len(parts) != 1 or parts[0].type != "yes_no" or parts[0].expected != "polarity":
        return None
    asked = parts[0].text.strip(" ?!.")
    helping, _, rest = asked.partition(" ")
    if helping.lower() not in AUXILIARIES or not rest:
        return None
    subject = _subject(rest)
    if not 0 < subject < len(rest):
        return None
    verb = "" if is_yes and helping.lower() in _DO else f"{helping.lower()} "
    denial = "" if is_yes else "not "
    return f"{rest[:subject].strip()} {verb}{denial}{rest[subject:].strip()}."


def _subject(rest: str) -> int:
    """Where the subject after an auxiliary ends: a pronoun, or the first content word."""
    tokens = tokenize(rest)
    for number, token in enumerate(tokens):
        if (not number and token.norm in _PRONOUNS) or not token.is_stop:
            return token.end
    return 0


def as_answer(score: SupportScore, claim: str, question: str, ceiling: float) -> SupportScore:
    """The score of a statement, reported for the bare answer that implies it."""
    said = claim.strip()
    conflicts = tuple(_as_said(item, said, question) for item in score.conflicts)
    reason = score.reason
    for before, after in zip(score.conflicts, conflicts, strict=True):
        if reason.endswith(before.message or "\0"):
            reason = reason.replace(before.message, after.message)
    probability = score.probability
    if probability is not None and ceiling < 1.0:
        probability = round(probability * ceiling, 6)
        if score.conflicts[0].severity != "error":
            reason = conflicts[0].message
    return replace(score, probability=probability, conflicts=conflicts, reason=reason, missing=())


def _as_said(conflict: Conflict, said: str, question: str) -> Conflict:
    message = (
        f'{conflict.kind}: the claim says "{said}" to "{question.strip()}", '
        f'the source says "{conflict.evidence_text}"'
    )
    return conflict.model_copy(update={"claim_text": said, "claim_start": 0, "message": message})


@dataclass(frozen=True, slots=True)
class Given:
    """What the claims of one answer are scored against."""

    context: Context  # all chunks, indexed
    chunks: Sequence[Chunk]  # the same as transcript chunks
    ids: Sequence[str]
    question: str  # the user's question
    asked: frozenset[str]  # stems of its content words
    titles: frozenset[str]  # stems of the words in the titles and names of documents
    language: str  # first part of the BCP 47 tag in use
    has_places: bool  # whether a chunk names its file or page
    comparisons: Comparisons = field(default_factory=Comparisons)  # how many value comparisons are left


class LexicalScorer:
    """Scores claims by the words, numbers and names they share with the chunks."""

    name = "builtin"

    def __init__(self, model: Model | None = None, kinds: Sequence[Kind] = KINDS) -> None:
        self._model = model
        self._kinds = kinds

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Weighted share of the question's content words in each chunk."""
        tongue = language_in_force(question, language)
        return [relevance_of(question, chunk, tongue) for chunk in Pages.of_each(chunks)]

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Calibrated probability that the chunks together support each claim."""
        tongue = language_in_force(language_sample([claim.text for claim in claims], chunks), language)
        local = LocalNumbers(tongue, language)
        pages = Pages(local.chunks(chunks))
        given = Given(
            context=context_of(pages.texts, tongue),
            chunks=pages.chunks,
            ids=[chunk.id for chunk in pages.chunks],
            question=question,
            asked=content_stems(question, tongue),
            titles=title_stems(chunks, tongue),
            language=tongue,
            has_places=any(map(has_place, chunks)),
        )
        # A claim that the answer repeats is scored once.
        scores = {
            claim: local.quoted(pages.quoted(self._answer(local.claim(claim), given)), claim)
            for claim in dict.fromkeys(claims)
        }
        return [scores[claim] for claim in claims]

    def _answer(self, claim: ClaimText, given: Given) -> SupportScore:
        """Support of a claim; for a bare yes or no, of the statement behind it."""
        statement = statement_of(claim.text, given.question) if given.language == "en" else None
        if statement is None:
            bare = without_answer_word(claim.text) if given.language == "en" else claim.text
            if bare == claim.text:
                return self._score(claim, given)
            is_yes = claim.text.split(maxsplit=1)[0].strip(",.:;!").lower() in _YES
            # A yes states what was asked, so that the question's words need evidence too.
            own = replace(given, asked=frozenset()) if is_yes else given
            return self._score(replace(claim, text=bare), own)
        score = self._score(ClaimText(statement), replace(given, question="", asked=frozenset()))
        if polarity(claim.text) is False and proposed(given.question) is not None:
            return refuted(score, statement)
        ceiling = (self._model or shipped_model()).part_ceiling if score.conflicts else 1.0
        return as_answer(score, claim.text, given.question, ceiling)

    def _score(self, claim: ClaimText, given: Given) -> SupportScore:
        context, chunk_ids, language = given.context, given.ids, given.language
        own = own_places(claim.text, given.chunks) if given.has_places else []
        plain, titles = without_place(without_labels(claim.text)), given.titles
        if own:
            # The chunk itself names its file or page.
            said = " ".join([claim.text[place.start : place.end] for place in own])
            titles = titles.union([token.stem for token in tokenize(said, language) if not token.is_stop])
            for place in own:
                plain = plain[: place.start] + " " * (place.end - place.start) + plain[place.end :]
        tokens = tokenize(plain, language)
        if given.has_places and plain != claim.text and all(token.is_stop for token in tokens):
            # "It is defined in", and the marker of a file: that file has to contain what "it" is.
            placed = placed_subject(claim.context or given.question, language)
            if placed and placed != claim.text:
                return self._score(ClaimText(placed), replace(given, question="", asked=frozenset()))
        if not tokens or (own and all(token.is_stop for token in tokens)):
            if any(character.isalpha() for character in claim.text):
                named = _places_evidence(own, given)
                return SupportScore(bounded(1.0), named, reason="it only names a source")
            return SupportScore(None, reason="the claim has no words to look for")
        calibrated = language == "en"
        note = "" if calibrated else f"not calibrated for language {language!r}; "
        if not context.indexes:
            return SupportScore(_LOWEST, reason=f"{note}there is no chunk", calibrated=calibrated)
        alignment = _aligned(claim, tokens, titles, given)
        titles = alignment.named
        evidence = evidence_for(alignment, chunk_ids) or _places_evidence(own, given)
        denied = denial_conflict(alignment, chunk_ids, language)
        if denied is None and is_verbatim(claim.text, context):
            reason = f"{note}found verbatim in a source"
            sure = bounded(1.0, verbatim=True)
            return SupportScore(sure, evidence, (), "exact_match", reason, calibrated)
        # The conflict search reads labels such as "Passage 2", which are not words to match.
        words = tokens if plain == claim.text else tokenize(claim.text, language)
        conflicts = self._conflicts(claim, tokens, words, titles, given)
        if denied is not None and all(conflict.severity != "error" for conflict in conflicts):
            # A doubtful conflict names the words better.
            doubted = next((item for item in conflicts if item.kind == "negation"), None)
            if doubted is not None:
                denied = doubted.model_copy(update={"severity": "error", "log_odds": denied.log_odds})
            conflicts = (denied, *[item for item in conflicts if item is not doubted])
        conflicts = tuple(item for item in conflicts if not is_no_conflict(claim.text, item, language))
        features = features_of(alignment, language)
        model = self._model or shipped_model()
        probability = bounded(model.probability(features, conflict=worst_of(conflicts)))
        if not calibrated and len(alignment.missing) > _FOREIGN_MISSING * len(alignment.content):
            probability = min(probability, _FOREIGN_CEILING)
        if not evidence or is_echo(alignment):
            # No source contains a word of the claim, or nothing but a name or a value.
            probability = min(probability, _CEILING_WITHOUT_EVIDENCE)
        missing = _missing(alignment, language)
        strange = strange_part(alignment) if features[_STRANGE] else ()
        if given.comparisons.is_spent:
            note += "too many numbers: not all were compared; "
        if alignment.computed:
            note += f"computed: {', '.join(alignment.computed)}; "
        reason = note + _reason(missing, evidence, conflicts, [token.text for token in strange or ()])
        return SupportScore(probability, evidence, conflicts, "lexical", reason, calibrated, missing)

    def _conflicts(
        self,
        claim: ClaimText,
        tokens: Sequence[Token],
        words: Sequence[Token],
        titles: frozenset[str],
        given: Given,
    ) -> tuple[Conflict, ...]:
        """Contradictions of a claim, except of names that only a chunk's title or file has."""
        found = find_conflicts(
            claim.text,
            words,
            given.context.sources,
            given.ids,
            given.language,
            given.asked,
            carried_into(tokens, claim.context, given.language),
            self._kinds,
            given.comparisons,
        )
        if titles:
            return tuple(item for item in found if not _names_a_title(item, titles, given.language))
        return found


def _places_evidence(places: Sequence[OwnPlace], given: Given) -> tuple[Evidence, ...]:
    """The first sentence of the chunk whose file or page a claim names."""
    for place in places:
        index = given.context.indexes[place.chunk]
        if index.sentences:
            return (index.evidence(given.ids[place.chunk], 0),)
    return ()


def title_stems(chunks: Sequence[Chunk], language: str) -> frozenset[str]:
    """Stems of the words in the titles and names of documents, without numbers."""
    titles = {
        title
        for chunk in chunks
        for title in (chunk.metadata.title, chunk.metadata.document, chunk.metadata.section_title)
        if title and len(title) <= _LONGEST_TITLE
    }
    tokens = [token for title in titles for token in tokenize(title, language)]
    return frozenset(token.stem for token in tokens if not token.is_stop and not token.is_number)


def _aligned(claim: ClaimText, tokens: list[Token], titles: frozenset[str], given: Given) -> Alignment:
    """The claim matched against the chunks, given the question and the sentence before it."""
    known, language = given.asked, given.language
    if claim.context:
        before = tokenize(claim.context, language)
        known = known | {token.stem for token in before if not token.is_stop}
    found = Alignment(
        claim.text, tokens, given.context, known, language, titles, given.comparisons, given.question
    )
    subject = left_out_subject(found, given.chunks, given.question) if language == "en" else None
    if not subject:
        return found
    titles = titles | subject
    return Alignment(
        claim.text, tokens, given.context, known, language, titles, given.comparisons, given.question
    )


def _names_a_title(conflict: Conflict, titles: frozenset[str], language: str) -> bool:
    """Whether a conflict is a doubtful one about the name of a source."""
    if conflict.kind != "entity" or conflict.severity == "error":
        return False
    return all(token.is_stop or token.stem in titles for token in tokenize(conflict.claim_text, language))


def worst_of(conflicts: Sequence[Conflict]) -> float:
    """Log odds of the strongest conflict, at least 0."""
    return max((conflict.log_odds or 0.0 for conflict in conflicts), default=0.0)


def bounded(probability: float, *, verbatim: bool = False) -> float:
    """A probability as reported: six decimals, never 0 or 1; fixed for a verbatim claim."""
    return _HIGHEST if verbatim else round(min(_HIGHEST, max(_LOWEST, probability)), 6)


def is_verbatim(claim: str, context: Context) -> bool:
    """Whether a chunk contains a claim of three words or more verbatim, apart from case and punctuation."""
    folded = fold_words(claim)
    if folded.count(" ") <= _VERBATIM_WORDS:
        return False
    for index in context.indexes:
        # Folding removes the signs, and "€75" is not "$75".
        is_same = folded in index.folded and _SIGNS.intersection(claim) <= set(index.text)
        if is_same and has_same_values(claim, index):
            return True
    return False


def _missing(alignment: Alignment, language: str) -> tuple[str, ...]:
    """Words that no chunk contains, as written in the claim; uninformative ones only without others."""
    light = light_stems() if language == "en" else frozenset()
    telling = [token for token in alignment.missing if token.stem not in light]
    return tuple(dict.fromkeys(token.text for token in telling or alignment.missing))


def _reason(
    missing: Sequence[str],
    evidence: Sequence[Evidence],
    conflicts: Sequence[Conflict],
    strange: Sequence[str],
) -> str:
    for conflict in conflicts:
        if conflict.severity == "error":
            return conflict.message or f"the sources say {conflict.evidence_text!r}"
    if not evidence:
        return "not mentioned in any source"
    if strange:
        return f"not in the sources in these words: {', '.join(strange)}"
    if missing:
        rest = f" and {len(missing) - _NAMED_MISSING} more" if len(missing) > _NAMED_MISSING else ""
        return f"no source says: {', '.join(missing[:_NAMED_MISSING])}{rest}"
    return "its words are in the sources"


def polarity(claim: str) -> bool | None:
    """Whether a claim is a bare yes (True) or no (False): "Yes.", "(a) true", "No, that is not possible."."""
    option = _OPTION.match(claim)
    spoken = [token.norm for token in tokenize(claim[option.end() :] if option is not None else claim)]
    if not spoken or spoken[0] not in _YES | _NO | _TRUE | _FALSE:
        return None
    is_yes, rest = spoken[0] in _YES | _TRUE, spoken[1:]
    if not rest:
        return is_yes
    if rest[0] not in _PRONOUNS or not 2 <= len(rest) <= 4:
        return None
    told = rest[-1] if rest[-1] in _GRANTED | _FALSE else ""
    helping = rest[1:-1] if told else rest[1:]
    # Tokenising turned "That's right" into "that" and "right".
    is_denied = "not" in helping or any(word == "cannot" or word.endswith("n't") for word in helping)
    is_helped = all(word == "not" or _is_auxiliary(word) for word in helping) and (helping or told)
    if not is_helped or is_yes == (is_denied != (told in _FALSE)):
        return None
    return is_yes


def _is_auxiliary(word: str) -> bool:
    stem = word.removesuffix("n't")
    return word == "cannot" or stem in AUXILIARIES or f"{stem}n" in AUXILIARIES


def proposed(question: str) -> str | None:
    """The statement inside a question such as "True or false: the key is here"."""
    match = _PROPOSED.match(question)
    return question[match.end() :].strip().rstrip("?").strip() or None if match is not None else None


def refuted(score: SupportScore, statement: str) -> SupportScore:
    """The score of a bare "false", from that of the statement it denies."""
    against = next((item for item in score.conflicts if item.severity == "error"), None)
    if against is not None:
        reason = f'the source says "{against.evidence_text}", so the statement is false'
        return SupportScore(_REFUTED, (against.evidence,), (), score.method, reason, score.calibrated)
    probability = min(_HELD, 1.0 - (score.probability or 0.0))
    reason = f'no source contradicts "{statement}"'
    return replace(score, probability=round(probability, 6), conflicts=(), reason=reason, missing=())
