"""What the tools of the MCP server take and return, in the protocol's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from pytest_grounding._io.tables import rows_beside
from pytest_grounding.model.base import Model
from pytest_grounding.model.finding import Cause, Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, RetrievalVerdict, Verdict
from pytest_grounding.settings import FIELDS

#: Settings that a call may change: thresholds, policies and reading rules. The others select files, models
#: or code, and are reserved for whoever starts the server.
CALLER_SETTINGS = (
    *("profile", "language", "hallucination_detection", "supported_threshold", "borderline_threshold"),
    *("max_hallucination_rate", "abstained", "nothing_checked", "possible_conflicts", "require_citations"),
    *("citation_numbers", "index_base", "alignment_threshold", "relevance_threshold"),
    *("confidence_model", "accept_confidence", "reject_confidence"),
    "question_max_length",
)
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
#: Title and description of each tool.
_TEXTS = {name: texts for name, *texts in rows_beside(__file__, "mcp_tools.tsv")}
_HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
_CLAIM = Field(description="Index of the claim in the verdict, or its words, or a part that only it has.")
_CHUNKS = Field(description="The retrieved passages, as objects or as their text alone; [] for none.")
_LANGUAGE = Field("", description="BCP 47 tag; detected where it is left out.")
_QUESTION = Field(description="The question.")
_RETRIEVAL = {
    "question": (str, _QUESTION),
    "chunks": (list[Chunk | str], _CHUNKS),
    "language": (str, _LANGUAGE),
}


def _setting_schema(name: str) -> dict[str, Any]:
    facts = FIELDS[name]
    limits = {"minimum": "low", "maximum": "high", "enum": "choices"}
    held = {keyword: facts.metadata[key] for keyword, key in limits.items()}
    found = {keyword: value for keyword, value in held.items() if value is not None}
    return {"type": _TYPES[type(facts.default)], "description": facts.metadata["help"], **found}


class Suggestion(Model):
    """A supported claim without a citation, with the chunks that it could cite, best first."""

    claim: int
    text: str
    chunk_ids: tuple[str, ...]


class CitationAnswer(Model, title="CitationReport"):
    """The citations of one answer.

    Attributes:
        transcript_id: the transcript.
        status: valid, invalid (a citation refers to nothing) or missing (the answer has no citations).
        valid: number of valid citations.
        invalid: number of citations that refer to nothing that was retrieved.
        citation_accuracy: valid citations ÷ citations, or None without citations.
        citation_precision: citations that support their claim ÷ citations (ALCE), or None.
        citation_recall: claims that their citations support ÷ claims (ALCE), or None.
        citations: each citation with the findings on it.
        findings: findings on citations, single ones and all together.
        suggestions: chunks for supported claims without a citation.
        clean_answer: the answer without its invalid markers.
    """

    transcript_id: str
    status: Literal["valid", "invalid", "missing"]
    valid: int
    invalid: int
    citation_accuracy: float | None
    citation_precision: float | None
    citation_recall: float | None
    citations: tuple[CitationVerdict, ...]
    findings: tuple[Cause, ...]
    suggestions: tuple[Suggestion, ...]
    clean_answer: str


class ClaimExplanation(ClaimVerdict):
    """Why a claim got its status: its verdict and its findings.

    Attributes:
        transcript_id: the transcript.
        explanation: the same in one or two sentences.
        findings: the findings on the claim and on its citations.
    """

    transcript_id: str
    explanation: str
    findings: tuple[Finding, ...]


class Recorded(Transcript):
    """The transcript of a call, which needs no id."""

    id: str = "answer"


def _tool(name: str, output: type[BaseModel], takes: Mapping[str, Any]) -> dict[str, Any]:
    title, text = _TEXTS[name]
    changes: dict[str, Any] = {
        "type": "object",
        "description": "Thresholds and policies for this call; the server's own where left out.",
        "properties": {name: _setting_schema(name) for name in CALLER_SETTINGS},
        "additionalProperties": False,
    }
    settings: Any = (dict[str, Any], Field(default={}, json_schema_extra=changes))
    members: dict[str, Any] = {**takes, "settings": settings}
    given = create_model(name, __config__=ConfigDict(extra="forbid"), **members)
    return {
        "name": name,
        "title": title,
        "description": text,
        "inputSchema": given.model_json_schema(),
        "outputSchema": output.model_json_schema(),
        "annotations": {"title": title, **_HINTS},
    }


_TRANSCRIPT = {"transcript": (Recorded, ...)}
#: The tools in the protocol's form, for clients.
TOOLS: tuple[dict[str, Any], ...] = (
    _tool("validate_answer", Verdict, _TRANSCRIPT),
    _tool("validate_retrieval", RetrievalVerdict, _RETRIEVAL),
    _tool("check_citations", CitationAnswer, _TRANSCRIPT),
    _tool("explain_claim", ClaimExplanation, {**_TRANSCRIPT, "claim": (int | str, _CLAIM)}),
)
