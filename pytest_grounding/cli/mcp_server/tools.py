"""The tools: names, descriptions, schemas, and what each does. They know nothing of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel

from pytest_grounding.citations.cleaning import clean_answer
from pytest_grounding.cli.mcp_server import schemas
from pytest_grounding.cli.mcp_server.explain_tool import (
    CitationReport,
    ClaimExplanation,
    Suggestion,
    explain_claim,
)
from pytest_grounding.cli.mcp_server.request_limits import Limits, Rules
from pytest_grounding.engine import registry, suggest_citations, validate, validate_retrieval
from pytest_grounding.errors import InputError
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.model.baseline_values import counts
from pytest_grounding.model.finding import Cause, Evidence, Finding
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict, RetrievalVerdict, Verdict
from pytest_grounding.rules import having
from pytest_grounding.settings import Settings

_MOST = 2
#: Sentences of evidence that are kept for a claim of a status.
_KEPT = {"unchecked": 0, "supported": 0, "borderline": 1}


def brief(verdict: Verdict) -> Verdict:
    """The verdict without repetitions and without the evidence of what is in order."""
    retrieval = verdict.retrieval
    changes: dict[str, object] = {
        "breakdowns": {},
        "rejection": None,
        "claims": tuple(_claim(claim) for claim in verdict.claims),
        "citations": tuple(item.model_copy(update={"findings": ()}) for item in verdict.citations),
        "findings": tuple(
            item.model_copy(update={"evidence": (), "causes": _causes(item)})
            for item in verdict.findings
            if item.severity != "info"
        ),
        "retrieval": retrieval.model_copy(
            update={"evidence": _few(retrieval.evidence, _MOST), "conflicts": retrieval.conflicts[:_MOST]}
        ),
    }
    return verdict.model_copy(update=changes)


def _causes(finding: Finding) -> tuple[Cause, ...]:
    kept = (cause for cause in finding.causes if cause.severity != "info")
    return tuple(cause.model_copy(update={"evidence": ()}) for cause in kept)


def _claim(claim: ClaimVerdict) -> ClaimVerdict:
    kept = _KEPT.get(claim.status, _MOST)
    conflicts = tuple(item.model_copy(update={"evidence": _alone(item.evidence)}) for item in claim.conflicts)
    changes: dict[str, object] = {
        "evidence": _few(claim.evidence, kept),
        "sources": (),
        "conflicts": conflicts,
    }
    return claim.model_copy(update=changes)


def _few(evidence: Sequence[Evidence], most: int) -> tuple[Evidence, ...]:
    return tuple(_alone(item) for item in evidence[:most])


def _alone(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"before": "", "after": ""})


#: Findings on the citations of an answer that belong to no single citation.
_CITATION_RULES = frozenset(having("answer_wide"))

#: A structured answer, as plain JSON data.
Answer = dict[str, Any]

_DEFAULT_ID = "answer"
_DETAILS = ("full", "brief")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as a client sees it.

    Attributes:
        name: its name.
        title: its name for people.
        description: what it does and when to call it, for a model.
        input_schema: JSON Schema of its arguments.
        output_schema: JSON Schema of its structured answer.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]


_TEXTS = {
    "validate_answer": (
        "Validate a RAG answer",
        "Check whether an answer is backed by the passages that were retrieved for it. Call it before an "
        "answer is shown, or to review a recorded one. Gives a verdict: status pass, review or reject with "
        "its reason, a diagnosis in one sentence, the status and evidence of every claim, every citation, "
        "and findings with what to do about each. Offline and deterministic: the same call gives the same "
        "verdict.",
    ),
    "validate_retrieval": (
        "Validate a retrieval",
        "Check whether retrieved passages hold what a question asks for. Call it before an answer is "
        "generated, or when an answer failed, to see whether the retrieval is to blame. Gives a rating "
        "(good, partial, poor) with its reason, the relevance and quality of each chunk, and verbatim "
        "evidence of the answer where it is stated.",
    ),
    "check_citations": (
        "Check the citations of an answer",
        "Check the citations of an answer alone: which point to a retrieved chunk, which point to nothing, "
        "which do not support their claim, and which claims could cite what. Gives the answer without its "
        "invalid markers too.",
    ),
    "explain_claim": (
        "Explain one claim of an answer",
        "Say why one claim of an answer is supported, unsupported or contradicted: its support, the evidence "
        "verbatim, what differs in a contradiction, the words that no passage says, and the passages that "
        "come closest. Call it after validate_answer, with the index or the words of a claim.",
    ),
}


class Tools:
    """The four tools under the settings and limits of a server.

    Args:
        rules: the settings that the server was started with.
        limits: sizes that a call must keep to.
    """

    def __init__(self, rules: Rules | None = None, limits: Limits | None = None) -> None:
        self._rules = rules or Rules()
        self._limits = limits or Limits()
        self._calls: dict[str, Callable[[Mapping[str, Any], Settings], Answer]] = {
            "validate_answer": self._validate_answer,
            "validate_retrieval": self._validate_retrieval,
            "check_citations": self._check_citations,
            "explain_claim": self._explain_claim,
        }
        outputs: dict[str, type[BaseModel]] = {
            "validate_answer": Verdict,
            "validate_retrieval": RetrievalVerdict,
            "check_citations": CitationReport,
            "explain_claim": ClaimExplanation,
        }
        inputs = _inputs(self._limits)
        self.all: tuple[Tool, ...] = tuple(
            Tool(name, title, text, inputs[name], schemas.output_schema(outputs[name]))
            for name, (title, text) in _TEXTS.items()
        )

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a tool does."""
        tool = next((item for item in self.all if item.name == name), None)
        if tool is None:
            raise InputError(f"there is no tool {name!r}", hint=f"call one of: {', '.join(_TEXTS)}")
        _check_names(tool, arguments)
        self._limits.check(arguments)
        settings = self._rules.of_call(arguments.get("settings"))
        return self._calls[name](arguments, settings)

    def _validate_answer(self, arguments: Mapping[str, Any], settings: Settings) -> Answer:
        detail = arguments.get("detail") or _DETAILS[0]
        if detail not in _DETAILS:
            hint = f"write one of: {', '.join(_DETAILS)}; or leave it out"
            raise InputError("has a value that is not known", field="detail", hint=hint)
        verdict = validate(_transcript(arguments, settings), settings)
        # What is as usual goes without saying in a brief verdict.
        return (
            brief(verdict).model_dump(mode="json", exclude_defaults=True)
            if detail == "brief"
            else verdict.as_dict()
        )

    def _validate_retrieval(self, arguments: Mapping[str, Any], settings: Settings) -> Answer:
        question, chunks, language = (arguments.get(name) for name in ("question", "chunks", "language"))
        if not isinstance(chunks, list):
            raise InputError("is not a list", field="chunks", hint="write the passages in [], or [] for none")
        if language is not None and not isinstance(language, str):
            raise InputError(
                "is not text", field="language", hint='write a tag such as "en", or leave it out'
            )
        passages = [
            {"id": str(number), "text": item} if isinstance(item, str) else item
            for number, item in enumerate(chunks, start=1)
        ]
        recorded = to_transcript(
            {"id": "retrieval", "question": question, "chunks": passages, "answer": ""},
            question_max_length=settings.question_max_length,
        )
        found = validate_retrieval(recorded.question, recorded.chunks, settings, language=language or "")
        return found.model_dump(mode="json")

    def _check_citations(self, arguments: Mapping[str, Any], settings: Settings) -> Answer:
        recorded = _transcript(arguments, settings)
        verdict = validate(recorded, settings)
        counted = [item for item in verdict.citations if counts(item)]
        valid = sum(item.valid for item in counted)
        status = "missing" if not counted else "valid" if valid == len(counted) else "invalid"
        suggested = suggest_citations(verdict)
        report = CitationReport(
            transcript_id=verdict.id,
            status=status,
            valid=valid,
            invalid=len(counted) - valid,
            citation_accuracy=verdict.citation_accuracy,
            citation_precision=verdict.citation_precision,
            citation_recall=verdict.citation_recall,
            citations=verdict.citations,
            findings=tuple(
                item for item in verdict.causes if item.citation is not None or item.rule in _CITATION_RULES
            ),
            suggestions=tuple(
                Suggestion(claim=index, text=verdict.claims[index].text, chunk_ids=names)
                for index, names in suggested.items()
            ),
            clean_answer=clean_answer(
                recorded, verdict.citations, settings=settings, syntaxes=registry.syntaxes()
            ),
        )
        return report.model_dump(mode="json")

    def _explain_claim(self, arguments: Mapping[str, Any], settings: Settings) -> Answer:
        claim = arguments.get("claim")
        # True is an int to Python, and an index to nobody.
        if isinstance(claim, bool) or not isinstance(claim, (int, str)):
            raise InputError(
                "is neither an index nor text",
                field="claim",
                hint="write 0 for the first claim, or its words",
            )
        return explain_claim(_transcript(arguments, settings), claim, settings).model_dump(mode="json")


def _inputs(limits: Limits) -> dict[str, Any]:
    """The input schema of each tool."""
    transcript, chunks = schemas.transcript_schema(limits), schemas.chunks_schema(limits)
    settings = schemas.settings_schema()
    question = transcript["properties"]["question"]
    language = {"type": "string", "description": "BCP 47 tag; detected where it is left out."}
    claim = {
        "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "minLength": 1}],
        "description": "Index of the claim in the verdict, or its words, or a part that only it has.",
    }
    detail = {
        "type": "string",
        "enum": list(_DETAILS),
        "description": "full (the default), or brief: the same decision, claims, citations and findings with "
        "little evidence for what is in order; best for long answers.",
    }
    return {
        "validate_answer": schemas.object_schema(
            {"transcript": transcript, "detail": detail, "settings": settings}, ["transcript"]
        ),
        "check_citations": schemas.object_schema(
            {"transcript": transcript, "settings": settings}, ["transcript"]
        ),
        "validate_retrieval": schemas.object_schema(
            {"question": question, "chunks": chunks, "language": language, "settings": settings},
            ["question", "chunks"],
        ),
        "explain_claim": schemas.object_schema(
            {"transcript": transcript, "claim": claim, "settings": settings}, ["transcript", "claim"]
        ),
    }


def _check_names(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that the tool does not have, and the lack of those that it needs."""
    known: list[str] = list(tool.input_schema["properties"])
    for name in arguments:
        if name not in known:
            inside = "transcript" in known and name in Transcript.model_fields
            near = get_close_matches(str(name), known, n=1)
            hint = (
                f'put it into transcript: {{"transcript": {{"{name}": ...}}}}'
                if inside
                else f"did you mean {near[0]!r}?"
                if near
                else f"write {', '.join(known)}"
            )
            raise InputError(f"is no argument of {tool.name}", field=str(name), hint=hint)
    for name in tool.input_schema["required"]:
        if arguments.get(name) is None:
            raise InputError("is missing", field=name, hint=f"{tool.name} needs it")


def _transcript(arguments: Mapping[str, Any], settings: Settings) -> Transcript:
    """The transcript of a call; one without an id gets one."""
    given = arguments["transcript"]
    if isinstance(given, Mapping) and "id" not in given:
        given = {"id": _DEFAULT_ID, **given}
    try:
        return to_transcript(given, question_max_length=settings.question_max_length)
    except InputError as error:
        field = f"transcript.{error.field}" if error.field else "transcript"
        raise InputError(error.problem, field=field, hint=error.hint) from None
