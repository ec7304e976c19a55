"""The three Self-RAG checks (Asai et al. 2023): relevance, support, usefulness."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple, get_args

from pytest_grounding import questions
from pytest_grounding._io.lazy_patterns import letters_of
from pytest_grounding._io.wording import if_known
from pytest_grounding.checks.check_context import CheckContext, stems_in
from pytest_grounding.claims.sentence_type import is_refusal
from pytest_grounding.evidence.token_index import index_of, refers_back
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import PatternFile
from pytest_grounding.model.finding import BACKED, Evidence, Finding, finding_of
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Judgement, RetrievalVerdict, SelfRag
from pytest_grounding.questions import QuestionInfo, QuestionPart
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.grammar import has_finite_verb, words_of
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.reading.words import content_stems, stems_of, tokenize
from pytest_grounding.rules import at_least_warning

_ANSWERS = PatternFile("answers")
#: Every such note contains one of these.
_OF_NOTES = ("[", "(", "【", "http", "source", "reference", "citation")
_PERSONS = words("questions", "persons")
_PLACES_BEFORE = words("questions", "places_before")

_SHORT = 12  # an answer with at most this many words makes one statement
_ONE_STATEMENT = 8
#: Uninformative words of a question, and how many others make it specific.
_BROAD = " ".join(sorted({"work", *words("questions", "whole_texts")}))
_SPECIFIC = 2
#: Values have few words in lower case, such as units; an answer with more makes a statement.
_WORDS_OF_VALUES = 6
Answering = Literal["held", "missing", "unknown"]
QueryType = Literal["factual", "conversational", "default"]
_QUERY_TYPES: dict[str, QueryType] = {kind: kind for kind in get_args(QueryType)}
_FACTUAL = frozenset({"who", "when", "where", "how_many", "how_much", "which", "yes_no"})
_TALK = PatternFile("talk")
#: Whether a text gives what a part of a question asks for: the part, the question, the text.
Holds = Callable[[QuestionPart, str, str], bool]
#: Kinds of answers that are recognised by their form.
_VALUES = frozenset({"person", "date", "quantity", "location"})
_DENIALS = words("denials", "bare_denials")
#: Why the parts of an answer that is small talk are not checked.
_OF_SMALL_TALK = frozenset({"greeting", "question", "restated_question"})
_REPEATED_WORDS = 0.6  # share of the words of a question in an answer that repeats it
_STATED = 0.6  # a sentence answers a question from this share of the question's content words
_ON_TOPIC = 0.25  # an answer is about the question from this share of the question's content words
_SHOWN = 80  # characters of an earlier turn shown in a reason


@dataclass(frozen=True, slots=True)
class Expected:
    """What a part of a question asks for, and whether the answer contains it."""

    answering: Answering
    part: QuestionPart


def plain_answer(context: CheckContext) -> str:
    """The answer without markers, links, source notes and names of documents."""
    text = " ".join(claim.bare for claim in context.claims)
    for chunk in context.transcript.chunks:
        for key in ("title", "document", "path", "url"):
            name = getattr(chunk.metadata, key, None)
            if isinstance(name, str) and len(name) > 3 and any(char.isdigit() for char in name):
                text = text.replace(name, " ")
    letters = letters_of(text)
    return _ANSWERS.source_notes.sub(" ", text) if any(sign in letters for sign in _OF_NOTES) else text


def contains_expected(context: CheckContext, question: QuestionInfo) -> Expected:
    """Whether an answer contains what its question, or a part of it, asks for."""
    first = question.parts[0]
    if question.language != "en":
        return Expected("unknown", first)
    answer = plain_answer(context)
    found = [Expected(_holds_expected(answer, part, question), part) for part in question.parts]
    found += [Expected("held", part) for part in question.parts if _cites_place(context, part)]
    best = max(found, key=lambda item: ("missing", "unknown", "held").index(item.answering))
    is_refused = best.answering == "missing" and any(is_refusal(claim.bare) for claim in context.claims)
    return Expected("unknown", first) if is_refused else best


def _cites_place(context: CheckContext, part: QuestionPart) -> bool:
    """Whether a question asks for a place, and the answer cites lines of a file that was retrieved."""
    if part.expected != "location":
        return False
    return any(citation.target.lines and citation.target.chunk_ids for citation in context.citations)


def _holds_expected(answer: str, part: QuestionPart, question: QuestionInfo) -> Answering:
    if part.expected == "quantity":
        return "held" if _ANSWERS.any_number.search(answer) else "missing"
    if part.expected == "date":
        # Testing for a digit is cheaper than the rest of the pattern.
        return "held" if any(map(str.isdecimal, answer)) or _ANSWERS.any_time.search(answer) else "missing"
    if part.expected in {"person", "location", "reason", "method"}:
        return _holds_new(answer, part, question)
    if part.expected in {"polarity", "choice"} and _ANSWERS.settles.match(answer):
        return "held"
    return "unknown"


def _holds_new(answer: str, part: QuestionPart, question: QuestionInfo) -> Answering:
    """Whether the new words of an answer may be a person, a place, a reason or a way."""
    asked = stems_of(question.question)
    tokens = tokenize(answer, "en")
    new = [t for t in tokens if not t.is_stop and t.stem not in asked]
    if part.expected == "person" and any(t.norm in _PERSONS for t in tokens):
        return "held"
    if sum(t.text.islower() for t in new) > _WORDS_OF_VALUES:
        return "unknown"
    facts = [fact for fact in extract_facts(answer) if fact.kind != "negation"]
    spans = [(fact.start, fact.end) for fact in facts if not (fact.kind == "name" and fact.initial)]
    if not _lie_within(spans, [t.start for t in new]):
        return "unknown"
    names = [fact for fact in facts if fact.kind == "name"]
    names = [fact for fact in names if not stems_of(fact.text) <= asked]
    if part.expected in {"person", "location"}:
        # "Founded in Paris by Larsen": a person is not a place.
        others = _PLACES_BEFORE if part.expected == "person" else {"by", "with"}
        before = [words_of(answer[max(0, fact.start - 40) : fact.start])[-1:] for fact in names]
        return "missing" if all(last and last[0] in others for last in before) else "held"
    marker = _ANSWERS.any_reason if part.expected == "reason" else _ANSWERS.any_way
    return "unknown" if marker.search(answer) else "missing"


def _lie_within(spans: Sequence[tuple[int, int]], places: Sequence[int]) -> bool:
    """Whether each position lies in a span; by binary search, as an answer may be a list of numbers."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    # The furthest end of all spans that begin up to here.
    ends = list(accumulate((end for _, end in ordered), max, initial=-1))
    return all(place < ends[bisect_right(starts, place)] for place in places)


def is_off_topic(
    context: CheckContext,
    asked: Sequence[frozenset[str]],
    retrieval: RetrievalVerdict,
    claims: Sequence[ClaimVerdict],
) -> bool:
    """Whether an answer and its evidence share no word with the question, nor a synonym."""
    if not asked or not all(asked) or context.language != "en":
        return False
    words = frozenset().union(*asked)
    said = _said_stems(context)
    length = sum(len(claim.bare.split()) for claim in context.claims)
    short = length <= _SHORT
    if short and not any(has_finite_verb(words_of(claim.bare)) for claim in context.claims):
        # "Emma Stone and Ryan Gosling.": a bare value.
        return False
    told = words - stems_of(_BROAD)
    if short and len(told) < _SPECIFIC:
        # "How do refunds work?": any statement about it is an answer.
        return False
    if short:
        # A shared name alone is not enough: "Acme was founded in 1990" does not answer what Acme sells.
        # But it does in "What does the entry say about Acme?".
        names = {token.stem for token in tokenize(context.transcript.question, "en") if token.is_name}
        words = words - names if told - names else words
    if words & said:
        return False
    backing = [claim.evidence[0] for claim in claims if claim.evidence]
    if any(words & _words_around(piece, short=short) for piece in backing):
        return False
    if short and retrieval.answer_present == "full":
        stated = {(piece.chunk_id, piece.sentence_index) for piece in retrieval.evidence}
        return not any((piece.chunk_id, piece.sentence_index) in stated for piece in backing)
    if len(claims) == 1 and length <= _ONE_STATEMENT:
        return True
    chunks = context.chunk_by_id
    texts = [chunks[piece.chunk_id].text for piece in backing if piece.chunk_id in chunks]
    return all(words.isdisjoint(index_of(text).positions) for text in texts)


def _words_around(piece: Evidence, *, short: bool) -> set[str]:
    """Stems of a sentence and its neighbours; for a short answer only if they are about it."""
    tokens = tokenize(piece.text, "en")
    if not short:
        tokens = [*tokens, *tokenize(piece.before, "en"), *tokenize(piece.after, "en")]
    elif refers_back(tokens) and piece.before:
        tokens = [*tokens, *tokenize(piece.before, "en")]
    return {token.stem for token in tokens}


class SelfRagOutcome(NamedTuple):
    """The three judgements, and the inputs of confidence."""

    self_rag: SelfRag  # the judgements with their reasons
    findings: tuple[Finding, ...]  # over-refusal
    relevant: bool | None  # some chunk is relevant; None if no chunk could be scored
    support: str  # full, partial, none, or unknown
    support_share: float | None  # supported ÷ scored claims, or None
    useful: bool  # the answer addresses the question
    is_sure: bool = False  # it does not, and the chunks state what was asked for


def check(
    context: CheckContext,
    *,
    question: QuestionInfo,
    retrieval: RetrievalVerdict,
    claims: Sequence[ClaimVerdict],
    stated: Sequence[ClaimVerdict] | None = None,
    holds: Holds | None = None,
) -> SelfRagOutcome:
    """Judge relevance, support and usefulness; ``holds``: whether a text gives what a part asks for."""
    if is_small_talk(context):
        relevant, relevance = None, Judgement.built(value="unknown", reason="small talk needs no source")
    else:
        relevant, relevance = judge_relevance(context, retrieval, claims)
    share, support = judge_support(claims)
    # An answer that no source backs is held for that.
    is_sure = share == 1.0 and holds is not None and _leaves_out_stated(context, question, retrieval, holds)
    if is_sure:
        useful, reason = False, _reason_left_out(question, retrieval)
    else:
        useful, reason = _is_useful(context, question, retrieval, claims if stated is None else stated)
    usefulness = Judgement.built(value="useful" if useful else "not useful", reason=reason)
    findings = []
    if context.declined and retrieval.answer_present == "full":
        said = "the answer declines although the retrieved chunks state the answer"
        findings.append(finding_of("over_refusal", context.settings, said, evidence=retrieval.evidence[:1]))
    kind = query_type_of(context.transcript, question)
    judged = SelfRag.built(relevance=relevance, support=support, usefulness=usefulness, query_type=kind)
    return SelfRagOutcome(judged, tuple(findings), relevant, support.value, share, useful, is_sure)


def _leaves_out_stated(
    context: CheckContext, question: QuestionInfo, retrieval: RetrievalVerdict, holds: Holds
) -> bool:
    """Whether the chunks state the value or the way that was asked for, and the answer gives none."""
    is_read = question.language == "en" and len(question.parts) == 1 and not context.declined
    said = [claim for claim in context.claims if claim.checked]
    if not is_read or retrieval.answer_present != "full" or not said:
        return False
    part = question.parts[0]
    if _cites_place(context, part):
        return False
    texts = [claim.bare for claim in context.claims]
    if (part.expected == "person" or part.type == "which") and _repeats_question(question, said):
        # "Who must wear a cap?" – "All members must wear a cap."; "Which one costs more?"
        return False
    # The whole answer too: its parts may only together hold a name.
    given = any(holds(part, question.question, text) for text in (*texts, " ".join(texts)))
    if part.expected in _VALUES:
        # "There is no fixed number": the answer says why there is no value.
        denies = any(not _DENIALS.isdisjoint(words_of(claim.bare)) for claim in said)
        if denies or not given or part.expected == "person":
            return not denies and not given
    elif (part.expected != "reason" or given) and (part.expected != "method" or part.verb < 0):
        return False
    return _lacks_what_is_stated(question, retrieval, said)


def _repeats_question(question: QuestionInfo, said: Sequence[Claim]) -> bool:
    asked = content_stems(question.question)
    return len(asked & set().union(*(stems_in(claim.bare) for claim in said))) >= _REPEATED_WORDS * len(asked)


def _lacks_what_is_stated(question: QuestionInfo, retrieval: RetrievalVerdict, said: Sequence[Claim]) -> bool:
    """Whether a short answer has nothing of the sentence that answers the question: "The modem is grey"."""
    if sum(len(claim.bare.split()) for claim in said) > _SHORT:
        return False
    part = question.parts[0]
    asked = content_stems(question.question)
    key = {t.stem for t in tokenize(question.question, "en") if t.start in (part.key, part.verb)}
    given = frozenset().union(*(content_stems(claim.bare) for claim in said))
    if given & key or len(given & asked) >= _STATED * len(asked):
        return False
    pieces = [content_stems(piece.text) for piece in retrieval.evidence]
    # Evidence also has sentences that are about the topic of the one before.
    near = [stems for stems in pieces if stems & key or len(stems & asked) >= _STATED * len(asked)]
    return any(asked <= stems for stems in near) and given.isdisjoint(frozenset().union(*near) - asked)


def _reason_left_out(question: QuestionInfo, retrieval: RetrievalVerdict) -> str:
    kind = question.parts[0].type.replace("_", " ")
    places = [f" in chunk {piece.chunk_id}" for piece in retrieval.evidence[:1]]
    return f"a {kind} question, which the sources answer{''.join(places)} and the answer does not"


def is_small_talk(context: CheckContext) -> bool:
    """Whether question and answer only greet, thank or ask back, so that there is nothing to check."""
    claims = context.claims
    is_answered = bool(claims) and all(claim.skip_reason in _OF_SMALL_TALK for claim in claims)
    return is_answered and _TALK.small_talk.match(context.transcript.question) is not None


def query_type_of(transcript: Transcript, question: QuestionInfo) -> QueryType:
    """Factual for a question about one fact, conversational for small talk, else default."""
    stated = _QUERY_TYPES.get(str(transcript.metadata.get("query_type")))
    if stated is not None:
        return stated
    if _TALK.small_talk.match(transcript.question):
        return "conversational"
    return "factual" if question.type in _FACTUAL else "default"


def judge_relevance(
    context: CheckContext, retrieval: RetrievalVerdict, claims: Sequence[ClaimVerdict]
) -> tuple[bool | None, Judgement]:
    """ISREL: whether some chunk is relevant to the question."""
    if relevant := [item for item in retrieval.relevance if item.relevant]:
        best = max(relevant, key=lambda item: item.score or 0.0)
        reason = f"{len(relevant)} of {len(retrieval.relevance)} chunks, best {best.chunk_id}"
        return True, Judgement.built(value="relevant", reason=reason + _with_turn(context))
    if not retrieval.relevance:
        return False, Judgement.built(value="irrelevant", reason="nothing was retrieved")
    backing = [c.sources[0].chunk_id for c in claims if c.status in BACKED and c.sources]
    if backing and (_topic_share(context) or 0.0) >= _ON_TOPIC:
        reason = f"chunk {backing[0]} backs an answer that is about the question"
        return True, Judgement.built(value="relevant", reason=reason)
    unscored = {item.chunk_id: item.reason for item in retrieval.relevance if item.score is None}
    for chunk_id in backing:
        if chunk_id in unscored:
            reason = f"chunk {chunk_id} backs the answer, and was {unscored[chunk_id]}"
            return True, Judgement.built(value="relevant", reason=reason)
    if len(unscored) == len(retrieval.relevance):
        reason = f"no chunk could be scored; the first was {retrieval.relevance[0].reason}"
        return None, Judgement.built(value="unknown", reason=reason)
    threshold = context.settings.relevance_threshold
    reason = f"no chunk of {len(retrieval.relevance)} reaches relevance {threshold}"
    return False, Judgement.built(value="irrelevant", reason=reason)


def judge_support(claims: Sequence[ClaimVerdict]) -> tuple[float | None, Judgement]:
    """ISSUP: whether all, some or none of the checked claims are supported; borderline ones count."""
    checked = [claim for claim in claims if claim.status != "unchecked"]
    scored = [claim for claim in checked if claim.status != "abstained"]
    backed = [claim for claim in scored if claim.status in BACKED]
    if not scored:
        reason = "no claim was checked" if not checked else "no claim could be scored"
        return None, Judgement.built(value="unknown", reason=reason)
    # An abstained claim is not supported: it keeps the answer from being fully supported.
    value = "partial" if backed else "none"
    if len(backed) == len(checked):
        value = "full"
    reason = f"{len(backed)} of {len(checked)} checked claims are supported"
    return len(backed) / len(scored), Judgement.built(value=value, reason=reason)


def _is_useful(
    context: CheckContext, question: QuestionInfo, retrieval: RetrievalVerdict, claims: Sequence[ClaimVerdict]
) -> tuple[bool, str]:
    if not context.transcript.answer.strip():
        return False, "the answer is empty"
    if context.declined and retrieval.answer_present == "full":
        return False, "declines although the chunks contain the answer"
    if context.declined:
        return True, "declines, and the chunks do not state the answer"
    expected = contains_expected(context, question)
    part = expected.part
    if expected.answering == "missing":
        kind = part.type.replace("_", " ")
        return False, f"a {kind} question, and the answer contains no {part.expected}"
    if expected.answering == "held":
        return True, f"contains a {part.expected}"
    asked = asked_words(context)
    if not asked:
        return True, "the question alone has no topic: not judged by its words"
    if not _is_vague(context, question) and is_off_topic(context, asked, retrieval, claims):
        return False, "neither the answer nor its evidence has a word of the question"
    return True, f"contains {_topic_share(context) or 0.0:.0%} of the question's content words"


def _is_vague(context: CheckContext, question: QuestionInfo) -> bool:
    text = context.transcript.question
    if question.language != "en" or question.type == "other" or _TALK.chat.search(text):
        return True
    if question.expected == "method" and all(part.verb < 0 for part in question.parts):
        # "How does the router behave?": any statement about it is an answer.
        return True
    return questions.refers_to_earlier_turn(text, context.language) and not _turn_before(context)


def not_useful(context: CheckContext, outcome: SelfRagOutcome) -> list[Finding]:
    """The finding on an answer that does not address its question; none if it is empty or declines."""
    if outcome.useful or context.declined or not context.transcript.answer.strip():
        return []
    said = f"the answer does not address the question: {outcome.self_rag.usefulness.reason}"
    severity = at_least_warning("not_useful", context.settings) if outcome.is_sure else None
    return [finding_of("not_useful", context.settings, said, severity=severity)]


def _said_stems(context: CheckContext) -> set[str]:
    # Claim by claim, because the scorer has read them already.
    return {t.stem for claim in context.claims for t in tokenize(claim.bare, context.language)}


def _topic_share(context: CheckContext) -> float | None:
    said = _said_stems(context)
    shares = [len(asked & said) / len(asked) if asked else 1.0 for asked in asked_words(context)]
    return max(shares, default=None)


def asked_words(context: CheckContext) -> list[frozenset[str]]:
    """Stems of the content words of the question and of the turn it refers to; [] without any."""
    question, turn = context.transcript.question, _turn_before(context)
    texts = [question] if questions.names_topic(question, context.language) else []
    if turn:
        texts.append(f"{turn} {question}")
    if context.settings.glossary_lines:
        texts += _in_terms_of_answer(context, texts)
    return [content_stems(text, context.language) for text in texts]


def _in_terms_of_answer(context: CheckContext, texts: Sequence[str]) -> list[str]:
    """The question in the answer's terms, if the glossary allows other terms."""
    from pytest_grounding.scorers.builtin.glossary import glossary_of

    glossary = glossary_of(context.settings, context.language)
    there = glossary.terms_in((claim.bare for claim in context.claims), context.language)
    return [glossary.readings(text, there, context.language)[0].text for text in texts]


def _with_turn(context: CheckContext) -> str:
    if questions.names_topic(context.transcript.question, context.language):
        return ""
    turn = " ".join(_turn_before(context).split())
    if len(turn) > _SHOWN:
        turn = turn[: _SHOWN - 1] + "…"
    return if_known('; the question was read with the turn before it, "{}"', turn)


def _turn_before(context: CheckContext) -> str:
    transcript = context.transcript
    if not transcript.history or not questions.refers_to_earlier_turn(transcript.question, context.language):
        return ""
    return questions.topic_turn(transcript.history, context.language)
