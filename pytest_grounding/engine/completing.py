"""What completeness needs of the retrieval's check: kinds of answers and synonyms."""

from __future__ import annotations

from dataclasses import replace

from pytest_grounding.checks import completeness
from pytest_grounding.checks.base import CheckContext
from pytest_grounding.checks.completeness import CompletenessOutcome, Lookup
from pytest_grounding.checks.retrieval.answers import holds_answer
from pytest_grounding.checks.selfrag import SelfRagOutcome
from pytest_grounding.model.verdict import Judgement, RetrievalVerdict
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.text.questions import QuestionInfo, QuestionPart
from pytest_grounding.text.questions.synonyms import synonyms_of


def lookup_of(info: QuestionInfo) -> Lookup:
    """How the values that parts of a question ask for are looked for in a text."""

    def holds(part: QuestionPart, text: str) -> bool:
        index = index_of(text, "en")
        return any(holds_answer(part, info.question, text[start:end]) for start, end in index.sentences)

    return Lookup(holds=holds, synonyms=synonyms_of)


def completed(
    context: CheckContext, info: QuestionInfo, retrieval: RetrievalVerdict, judged: SelfRagOutcome
) -> tuple[SelfRagOutcome, CompletenessOutcome]:
    """Completeness of the answer, and its usefulness with it: who answers less than half does not help.

    Args:
        context: the transcript taken apart.
        info: its analysed question.
        retrieval: what was retrieved.
        judged: the three Self-RAG checks.
    """
    found = completeness.check(
        context,
        question=info,
        answer_present=retrieval.answer_present,
        lookup=lambda: lookup_of(info),
    )
    value = found.completeness
    if value is None or value.complete:
        return judged, found
    given, total = len(value.parts) - len(value.left_out), len(value.parts)
    left = ", ".join(f'"{part.text}"' for part in value.left_out)
    was = judged.self_rag.usefulness
    useful = judged.useful and 2 * given >= total
    usefulness = Judgement(
        value="useful" if useful else "not useful",
        reason=f"{was.reason}; {given} of {total} parts of the question are answered, not {left}",
    )
    self_rag = judged.self_rag.model_copy(update={"usefulness": usefulness})
    return replace(judged, self_rag=self_rag, useful=useful), found
