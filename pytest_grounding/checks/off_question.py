"""Whether an answer is about its question at all: the rule ``off_question``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from pytest_grounding import questions
from pytest_grounding._io.wording import one_line
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.posed_questions import other_question
from pytest_grounding.checks.selfrag import asked_words
from pytest_grounding.evidence.all_chunks import closeness
from pytest_grounding.evidence.identifier_matches import named_in
from pytest_grounding.evidence.token_index import index_of, light_stems, refers_back, synonyms_of
from pytest_grounding.lexicon import words
from pytest_grounding.model.finding import BACKED, Evidence, Finding, finding_of
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.questions.word_families import asked_synonyms
from pytest_grounding.reading import base_language, read_once
from pytest_grounding.reading.visible_text import page_of
from pytest_grounding.reading.words import content_stems, is_acronym, tokenize

_SHOWN = 80  # characters of a question that a message shows
_LEAST = 2  # a question with fewer content words may be asked in any words
_BRIEF = 12  # words of a brief answer at most
_MOST_WORDS = 0.75  # share of the words of the question in a sentence that states what was asked
_MOST_EVIDENCE = 2  # evidence that is read of each claim
_SAME_WORD = 0.75  # share of its letters that a word has in common with another form of it
#: A sentence that only leads to the next one, and how it ends.
_POINTING = words("questions", "pointing back")
_POINTING_AT_THE_END = words("questions", "pointing back at the end")
_TO_THE_READER = frozenset({"are", "did", "do", "have", "were"})
_CHOOSING = words("questions", "choosing")
_TAGS = words("questions", "tags")
_TAG = 2  # words of a tag: "isn't it"
_TALKING = words("questions", "talking")
_LANGUAGES = words("questions", "languages compared")
_BROAD = words("questions", "broad stems")
_LEADS = words("questions", "leads to the next sentence")


def check(context: CheckContext, claims: Sequence[ClaimVerdict]) -> list[Finding]:
    """One finding if neither the answer nor its evidence has a content word of the question."""
    if is_off_question(context, claims):
        message = "the answer has no content word of the question, nor has the evidence for it"
        return [finding_of("off_question", context.settings, message)]
    other = _other_question(context, claims)
    if not other:
        return []
    message = f"the answer belongs to another question of the page: {one_line(other, _SHOWN)}"
    return [finding_of("off_question", context.settings, message)]


def _other_question(context: CheckContext, claims: Sequence[ClaimVerdict]) -> str:
    """The question of a page to which an answer belongs, where that page has the asked one as well."""
    if context.declined or not is_by_itself(context):
        return ""
    asked = content_stems(context.transcript.question, context.language)
    return other_question(context, claims, asked, _is_mentioned)


def is_off_question(context: CheckContext, claims: Sequence[ClaimVerdict]) -> bool:
    """Whether a supported answer is about something else than its question; others have their finding."""
    if context.declined or not any(claim.status in BACKED for claim in claims):
        return False
    # An answer about code names an identifier of the sources.
    facts = [fact for claim in claims for fact in claim.facts if fact.type == "identifier"]
    if any(fact.status == "found" for fact in facts) or not shares_nothing(context, claims):
        return False
    telling = _telling(context)
    return (is_brief(context) and _is_answer_stated(telling, context)) or not _is_retrieved(telling, context)


def shares_nothing(context: CheckContext, claims: Sequence[ClaimVerdict]) -> bool:
    """Whether neither the answer nor its evidence has a word of a question that can stand by itself."""
    if not is_by_itself(context) or _stands_for_what_was_asked(context, claims):
        return False
    is_asked_in_english = questions.looks_english(context.transcript.question)
    if is_asked_in_english != questions.looks_english(" ".join(claim.bare for claim in context.claims)):
        return False
    spoken = _content_stems((claim.bare for claim in context.claims), context.language)
    if any(not stems.isdisjoint(spoken) for stems in _long_enough_questions(context)):
        return False
    said = _content_stems(_asked_texts(context, claims), context.language)
    return not any(_is_mentioned(stem, said) for stem in _telling(context))


def _stands_for_what_was_asked(context: CheckContext, claims: Sequence[ClaimVerdict]) -> bool:
    """Whether the answer begins with a pronoun that its evidence has not: "It takes 14 days"."""
    language = context.language
    first, verdict = next(pair for pair in zip(context.claims, claims, strict=True) if pair[0].checked)
    if not refers_back(tokenize(first.bare, language)):
        return False
    return not any(refers_back(tokenize(evidence.text, language)) for evidence in verdict.evidence[:1])


def _telling(context: CheckContext) -> frozenset[str]:
    return frozenset().union(*(stems - light_stems() or stems for stems in _long_enough_questions(context)))


def _long_enough_questions(context: CheckContext) -> list[frozenset[str]]:
    return [stems for stems in asked_words(context) if len(stems - light_stems() - _BROAD) >= _LEAST]


def is_by_itself(context: CheckContext) -> bool:
    """Whether the question can be understood by itself, and asks for something that has words of its own."""
    if base_language(context.language) not in _LANGUAGES or not _is_posed(context):
        return False
    return bool(_long_enough_questions(context)) and not _is_follow_up(context)


def is_brief(context: CheckContext) -> bool:
    """Whether an answer to a plain question is one statement, which then has to be the one asked for."""
    checked = [claim for claim in context.claims if claim.checked]
    is_asked = context.transcript.question.rstrip().endswith("?")
    return is_asked and len(checked) == 1 and len(checked[0].bare.split()) <= _BRIEF


def _is_answer_stated(telling: frozenset[str], context: CheckContext) -> bool:
    language = context.language
    for chunk in context.transcript.chunks:
        index = index_of(page_of(chunk.text).text, language)
        for start, end in index.sentences:
            said = _content_stems([index.text[start:end]], language)
            if sum(_is_mentioned(stem, said) for stem in telling) >= _MOST_WORDS * len(telling):
                return True
    return False


def _is_retrieved(telling: frozenset[str], context: CheckContext) -> bool:
    said = _content_stems((chunk.text for chunk in context.transcript.chunks), context.language)
    return any(_is_mentioned(stem, said) for stem in telling)


def _is_posed(context: CheckContext) -> bool:
    """Whether the question asks something: a remark may be answered by another remark."""
    question = context.transcript.question
    if question.rstrip().endswith("?"):
        return True
    # "how long is the bridge" asks, "i love action films" is a remark, "upset neighbour" is put in any words.
    if questions.analyse(question, context.language).parts[0].type == "other":
        return False
    return _TALKING.isdisjoint(token.norm for token in tokenize(question, context.language))


def _is_follow_up(context: CheckContext) -> bool:
    """Whether the question depends on what was said before ("did he die?"), or is small talk ("do you?")."""
    question, language = context.transcript.question, context.language
    if not questions.names_topic(question, language):
        return True
    spoken = [token.text.lower() for token in tokenize(question, language)]
    if not _POINTING.isdisjoint(spoken) or spoken[-1] in _POINTING_AT_THE_END:
        return True
    # "… right?", "… hasn't it?"
    has_tag = spoken[-1] in _TAGS or (len(spoken) > _TAG and spoken[-2].endswith("n't"))
    # "do you" speaks to the reader, "which one" chooses from what was named.
    for first, second in pairwise(spoken):
        if (first in _TO_THE_READER and second == "you") or (first in _CHOOSING and second == "one"):
            return True
    return has_tag


def _asked_texts(context: CheckContext, claims: Sequence[ClaimVerdict]) -> Iterator[str]:
    for claim, verdict in zip(context.claims, claims, strict=True):
        yield claim.bare
        if verdict.status in BACKED:
            for evidence in verdict.evidence[:_MOST_EVIDENCE]:
                yield evidence.text
                yield from _leads(evidence, context.language)
                chunk = context.chunk_by_id.get(evidence.chunk_id)
                if chunk is not None:
                    yield from named_in(chunk)


def _leads(evidence: Evidence, language: str) -> Iterator[str]:
    before = evidence.before
    tail = {token.norm for token in tokenize(before, language)[-3:]}
    is_lead = before.rstrip().endswith((":", "?")) or not _LEADS.isdisjoint(tail) or "\n" in before
    is_title = bool(before) and before.rstrip()[-1:] not in ".!?"
    if is_lead or is_title or refers_back(tokenize(evidence.text, language)):
        yield before


def _content_stems(texts: Iterable[str], language: str) -> frozenset[str]:
    return frozenset().union(*(_stems_with_initials(text, language) for text in texts))


@read_once
def _stems_with_initials(text: str, language: str) -> frozenset[str]:
    tokens = tokenize(text, language)
    initials = "".join([token.norm[0] for token in tokens if not token.is_stop])
    acronyms = [token.norm.replace(".", "") for token in tokens if is_acronym(token.text)]
    return frozenset([initials, *acronyms, *[token.stem for token in tokens]])


def _is_mentioned(stem: str, said: frozenset[str]) -> bool:
    if stem in said or not said.isdisjoint(synonyms_of(stem)) or not said.isdisjoint(asked_synonyms(stem)):
        return True
    return any(closeness(stem, other) >= _SAME_WORD for other in said if other[:3] == stem[:3])
