"""Whether the answer to a question of several parts addresses each part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from pytest_grounding.checks.check_context import CheckContext, stems_in, supports
from pytest_grounding.claims.sentence_type import lack_of
from pytest_grounding.claims.splitting import is_half_declined
from pytest_grounding.lexicon.patterns import PatternFile, pattern
from pytest_grounding.model.finding import Abstention, AnswerPart, Completeness, Finding, finding_of
from pytest_grounding.model.verdict import Presence, RetrievalVerdict
from pytest_grounding.questions import Demand, QuestionInfo, QuestionPart, demands_of
from pytest_grounding.questions.question_words import answer_type
from pytest_grounding.reading.words import stems_of, tokenize
from pytest_grounding.rules import at_least_warning
from pytest_grounding.settings import Settings

_NOT_SAID = frozenset(
    {"question", "restated_question", "greeting", "source_list", "separator", "comment", "refusal"}
)
_ANSWERS = PatternFile("answers")
#: Quantities recognised by their unit, in addition to those read as facts.
_UNITS = {
    "temperature": pattern("answers", "degrees"),
    "weight": pattern("answers", "weights"),
    "money": pattern("answers", "money"),
    "duration": pattern("answers", "span"),
    "extent": pattern("answers", "span"),
}
#: Verbs that say little about the question.
_WEAK = "take taken use used make made get do done happen happens go come be have need want"
_LEAST = 2  # a shorter piece, in content words, does not answer a part
_HALF = 0.5  # a part is addressed from this share of its own words
_BARE = 3  # words of a bare yes or no
_OTHER_WORDS = 0.15  # support that an answer in other words than the sources' may lack


@dataclass(frozen=True, slots=True)
class Lookup:
    """Functions of the retrieval check, passed in because checks do not import each other."""

    #: Whether a text contains a value of the expected kind that the question lacks.
    holds: Callable[[QuestionPart, str], bool]
    synonyms: Callable[[str], frozenset[str]]  # stems of near synonyms of a stem


def check(
    context: CheckContext, question: QuestionInfo, answer_present: Presence, tools: Lookup
) -> tuple[Completeness | None, tuple[Finding, ...]]:
    """Whether the answer addresses each part of its question (None without several parts), with findings."""
    answer = context.transcript.answer
    if context.declined or not answer.strip() or context.language[:2].lower() not in ("en", "un"):
        return None, ()
    demands = demands_of(question)
    if not demands:
        return None, ()
    said = [claim.bare for claim in context.claims if claim.skip_reason not in _NOT_SAID]
    reader = _PartReader([text for text in said if text.strip()], demands, tools)
    if not reader.said:
        return None, ()
    statuses = reader.statuses()
    refusals = [claim.bare for claim in context.claims if claim.skip_reason == "refusal"]
    refusals.extend(context.transcript.reported_missing or ())
    parts = []
    kinds = set()  # of the missing parts
    for demand, is_answered in zip(demands, statuses, strict=True):
        if is_answered or reader.declines(demand, refusals):
            parts.append(AnswerPart(text=demand.text, status="answered"))
        else:
            parts.append(AnswerPart(text=demand.text, status="missing"))
            kinds.add(demand.kind)
    judged = Completeness(parts=tuple(parts), complete=not kinds)
    if judged.complete:
        return judged, ()
    # A part that is a question of its own; "both men and women" may be one thing.
    is_sure = answer_present == "full" and kinds != {"entity"}
    return judged, (_incomplete(judged, context.settings, is_sure=is_sure),)


def _incomplete(judged: Completeness, settings: Settings, *, is_sure: bool) -> Finding:
    """The finding; where the chunks state every part, it is a warning unless the policy is stricter."""
    missing = [part.text for part in judged.left_out]
    number, total = len(judged.parts) - len(missing), len(judged.parts)
    quoted = ", ".join(f'"{text}"' for text in missing)
    said = f"{number} of {total} parts of the question are answered: nothing on {quoted}"
    severity = at_least_warning("incomplete", settings) if is_sure else None
    return finding_of("incomplete", settings, said, details={"missing": missing}, severity=severity)


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    stems: frozenset[str]
    says_something: bool

    def count(self, groups: Sequence[frozenset[str]]) -> int:
        return sum(not group.isdisjoint(self.stems) for group in groups)


class _PartReader:
    def __init__(self, said: Sequence[str], demands: Sequence[Demand], lookup: Lookup) -> None:
        self.said = said
        self._lookup = lookup
        self._demands = demands
        self._text = "\n".join(said)
        self._pieces = []
        for piece in chain.from_iterable(map(_ANSWERS.pieces.split, said)):
            if tokens := tokenize(piece):
                content = sum(not token.is_stop for token in tokens)
                # Two informative words may answer a part, or three with one.
                says_something = content >= _LEAST or (content == 1 and len(tokens) > _LEAST)
                stems = frozenset(token.stem for token in tokens)
                self._pieces.append(_Piece(piece, stems, says_something))
        self._all = frozenset().union(*(piece.stems for piece in self._pieces))
        self._own = [self._wanted(demand.own) for demand in demands]

    def _wanted(self, words: Sequence[str]) -> list[frozenset[str]]:
        """For each word the stems that match it; uninformative words only if there are no others."""
        stems = [token.stem for word in words for token in tokenize(word) if not token.is_stop]
        strong = [stem for stem in stems if stem not in stems_of(_WEAK)]
        return [frozenset({stem}) | self._lookup.synonyms(stem) for stem in dict.fromkeys(strong or stems)]

    def statuses(self) -> list[bool]:
        if self._demands[0].number:
            return [demand.number <= max(len(self.said), len(self._pieces)) for demand in self._demands]
        found: list[bool | None] = list(map(self._is_answered, range(len(self._demands))))
        if unclear := [place for place, value in enumerate(found) if value is None]:
            # Statements that belong to no other part may answer the rest, in other words.
            free = self._free([place for place, value in enumerate(found) if value])
            for place in unclear:
                found[place] = free > 0
                free -= 1
        return list(map(bool, found))

    def _is_answered(self, place: int) -> bool | None:
        """Whether a demand is answered; None if only the other parts can decide."""
        demand, own = self._demands[place], self._own[place]
        said = sum(bool(group & self._all) for group in own) / len(own) if own else 0.0
        if demand.kind == "entity":
            is_bare = self._opens_yes_no() and len(self._text.split()) <= _BARE
            answers_all = is_bare or _ANSWERS.for_all.search(self._text) is not None
            return not own or said >= _HALF or answers_all
        if answer_type(demand.part).has_look:
            return self._is_typed_answered(place, said)
        is_first = all(item.part.expected != "polarity" for item in self._demands[:place])
        is_settled = demand.part.expected == "polarity" and self._opens_yes_no() and is_first
        return True if said >= _HALF or not own or is_settled else None

    def _is_typed_answered(self, place: int, said: float) -> bool:
        part, kind = self._demands[place].part, self._demands[place].kind
        holding = sum(self._holds(part, piece.text) for piece in self._pieces)
        holding = holding or sum(self._holds(part, text) for text in self.said)
        worded = bool(self._own[place]) and said >= _HALF
        if not holding:
            others = [other for other in range(len(self._demands)) if other != place]
            if part.expected == "reason":
                return worded or self._free(others) > 0
            return not answer_type(part).is_value and worded
        same = (part.expected, part.measure)
        rivals = [d for d in self._demands if (d.part.expected, d.part.measure) == same and d.kind == kind]
        if len(rivals) > 1 and self._own[place] and not self._is_named(place):
            return holding >= len(rivals)
        return True

    def _is_named(self, place: int) -> bool:
        """Whether the distinguishing word of a part occurs: the counted noun, else its verb."""
        demand, own = self._demands[place], self._own[place]
        named = [group for group in own if group & stems_in(demand.part.focus)] or own[-1:]
        return any(group & self._all for group in named)

    def _holds(self, part: QuestionPart, text: str) -> bool:
        unit = _UNITS.get(part.measure)
        return (unit is not None and unit.search(text) is not None) or self._lookup.holds(part, text)

    def _free(self, answered: Sequence[int]) -> int:
        """How many pieces belong to no answered part; a value counts as one piece."""
        taken: set[int] = set()
        for place in answered:
            part, kind = self._demands[place].part, self._demands[place].kind
            if kind == "entity" and any(demand.kind != "entity" for demand in self._demands):
                continue
            words = self._wanted([word.text for word in part.words])
            # A value is one statement; an answer in words may need several pieces.
            needed = len(words) // 2 + 1 if answer_type(part).is_value else 1
            worded = [n for n, piece in enumerate(self._pieces) if piece.count(words) >= needed]
            taken.update(worded)
            rest = [n for n in range(len(self._pieces)) if n not in taken]
            has_look = answer_type(part).has_look
            if has_look and not any(self._holds(part, self._pieces[n].text) for n in worded):
                taken.update([n for n in rest if self._holds(part, self._pieces[n].text)][:1])
            elif not worded:
                # An answer in other words is still one statement.
                taken.update(rest[:1])
        return sum(piece.says_something and n not in taken for n, piece in enumerate(self._pieces))

    def declines(self, demand: Demand, refusals: Sequence[str]) -> bool:
        """Whether a refusal is about a part, or about none of the others in particular."""
        own = self._wanted(demand.own)
        others = [self._wanted(other.own) for other in self._demands if other is not demand]
        for refusal in refusals:
            stems = stems_in(refusal)
            if not own or any(group & stems for group in own):
                return True
            if not any(group & stems for groups in others for group in groups):
                return True
        return False

    def _opens_yes_no(self) -> bool:
        return any(map(_ANSWERS.yes_no.match, self.said))


def cell_of(context: CheckContext, retrieval: RetrievalVerdict, *, parts: int = 1) -> Abstention:
    """Classify the outcome of an answer."""
    present = retrieval.answer_present
    if context.declined:
        if present == "partial":
            # Of several parts, the chunks contain one that was not given; of one part, only its topic.
            return "over_refusal" if parts > 1 else "rightly_declined"
        return {"full": "over_refusal", "none": "rightly_declined"}.get(present, "unknown")  # type: ignore[return-value]
    if not any(claim.checked and lack_of(claim.bare) is None for claim in context.claims):
        return "unknown"
    if is_half_declined(context.claims):
        return "half_declined"
    if present == "abstain":
        return "unknown"
    backed = _backed(context, present)
    if present in ("full", "partial"):
        # An unsupported answer was not taken from the sources, whatever these contain.
        return "answered_absent" if backed is False else "answered"
    # If the sources support every claim, the answer was found there, whatever the question's words.
    scores = [score for score in context.supports if score is not None]
    least = context.settings.supported_threshold
    return "answered" if scores and all(supports(score, least) for score in scores) else "answered_absent"


def _backed(context: CheckContext, present: str) -> bool | None:
    scores = [score for score in context.supports if score is not None and score.probability is not None]
    if not scores:
        return None
    least = context.settings.borderline_threshold
    if present == "full":
        return any((score.probability or 0.0) >= least - _OTHER_WORDS or score.conflicts for score in scores)
    return any((score.probability or 0.0) >= least for score in scores)
