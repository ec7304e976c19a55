"""The type checker for RAG answers: validate recorded transcripts, offline and deterministic.

The public names are loaded at their first use, so that an installed but unused package costs a pytest
run nothing. ``docs/api.md`` describes them. PYTEST_DONT_REWRITE
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_grounding.audit import AuditLog as AuditLog
    from pytest_grounding.audit import AuditRecord as AuditRecord
    from pytest_grounding.audit import AuditWarning as AuditWarning
    from pytest_grounding.audit.metrics import PrometheusMetrics as PrometheusMetrics
    from pytest_grounding.citations.naming import format_context as format_context
    from pytest_grounding.engine.answer_tools import annotate_uncertain as annotate_uncertain
    from pytest_grounding.engine.answer_tools import clean_answer as clean_answer
    from pytest_grounding.engine.answer_tools import format_citations as format_citations
    from pytest_grounding.engine.answer_tools import inline_citations as inline_citations
    from pytest_grounding.engine.answer_tools import insert_citations as insert_citations
    from pytest_grounding.engine.answer_tools import self_correct as self_correct
    from pytest_grounding.engine.answer_tools import suggest_citations as suggest_citations
    from pytest_grounding.engine.citation_tools import check_citations as check_citations
    from pytest_grounding.engine.recording import record as record
    from pytest_grounding.engine.registry import register as register
    from pytest_grounding.engine.registry import unregister as unregister
    from pytest_grounding.engine.transcript_input import iter_transcripts as iter_transcripts
    from pytest_grounding.engine.transcript_input import load_transcripts as load_transcripts
    from pytest_grounding.engine.validation import support as support
    from pytest_grounding.engine.validation import validate as validate
    from pytest_grounding.engine.validation import validate_retrieval as validate_retrieval
    from pytest_grounding.errors import AuditError as AuditError
    from pytest_grounding.errors import CassetteError as CassetteError
    from pytest_grounding.errors import DuplicateIdError as DuplicateIdError
    from pytest_grounding.errors import GroundingError as GroundingError
    from pytest_grounding.errors import InputError as InputError
    from pytest_grounding.errors import MissingExtraError as MissingExtraError
    from pytest_grounding.errors import RecordingError as RecordingError
    from pytest_grounding.errors import RefusedError as RefusedError
    from pytest_grounding.errors import ScorerError as ScorerError
    from pytest_grounding.errors import SettingsError as SettingsError
    from pytest_grounding.errors import TooLargeError as TooLargeError
    from pytest_grounding.errors import UncheckedError as UncheckedError
    from pytest_grounding.errors import UnreadableCassetteError as UnreadableCassetteError
    from pytest_grounding.hookspecs import hookimpl as hookimpl
    from pytest_grounding.importers.load_files import Row as Row
    from pytest_grounding.model.contracts import STRUCTURED_PROMPT as STRUCTURED_PROMPT
    from pytest_grounding.model.contracts import ChatRequest as ChatRequest
    from pytest_grounding.model.contracts import ChatResponse as ChatResponse
    from pytest_grounding.model.contracts import CitationReference as CitationReference
    from pytest_grounding.model.contracts import RAGMetadata as RAGMetadata
    from pytest_grounding.model.contracts import Source as Source
    from pytest_grounding.model.contracts import StructuredRAGResponse as StructuredRAGResponse
    from pytest_grounding.model.finding import Cause as Cause
    from pytest_grounding.model.finding import Evidence as Evidence
    from pytest_grounding.model.finding import Finding as Finding
    from pytest_grounding.model.run_report import RunReport as RunReport
    from pytest_grounding.model.transcript import Chunk as Chunk
    from pytest_grounding.model.transcript import ChunkMetadata as ChunkMetadata
    from pytest_grounding.model.transcript import ProviderCitation as ProviderCitation
    from pytest_grounding.model.transcript import ToolCall as ToolCall
    from pytest_grounding.model.transcript import Transcript as Transcript
    from pytest_grounding.model.transcript import Turn as Turn
    from pytest_grounding.model.verdict import CitationReport as CitationReport
    from pytest_grounding.model.verdict import CitationVerdict as CitationVerdict
    from pytest_grounding.model.verdict import ClaimVerdict as ClaimVerdict
    from pytest_grounding.model.verdict import Conflict as Conflict
    from pytest_grounding.model.verdict import RetrievalVerdict as RetrievalVerdict
    from pytest_grounding.model.verdict import Verdict as Verdict
    from pytest_grounding.plugin.assertions import GroundingWarning as GroundingWarning
    from pytest_grounding.plugin.assertions import assert_answer_present as assert_answer_present
    from pytest_grounding.plugin.assertions import assert_citations_valid as assert_citations_valid
    from pytest_grounding.plugin.assertions import assert_confidence_at_least as assert_confidence_at_least
    from pytest_grounding.plugin.assertions import assert_evidence_for as assert_evidence_for
    from pytest_grounding.plugin.assertions import assert_grounded as assert_grounded
    from pytest_grounding.plugin.assertions import assert_matches_golden as assert_matches_golden
    from pytest_grounding.plugin.assertions import assert_retrieval_quality as assert_retrieval_quality
    from pytest_grounding.plugin.assertions import assert_self_corrects as assert_self_corrects
    from pytest_grounding.plugin.inspection import Grounding as Grounding
    from pytest_grounding.plugin.inspection import Recorder as Recorder
    from pytest_grounding.reports.explanation import Explanation as Explanation
    from pytest_grounding.reports.explanation import explain as explain
    from pytest_grounding.scorers import SupportScore as SupportScore
    from pytest_grounding.settings import Settings as Settings
    from pytest_grounding.settings.mapping import SettingsDict as SettingsDict

    __version__: str

#: Module -> its public names.
_NAMES = {
    "audit": "AuditLog AuditRecord AuditWarning",
    "audit.metrics": "PrometheusMetrics",
    "citations.naming": "format_context",
    "engine.answer_tools": (
        "annotate_uncertain clean_answer format_citations inline_citations insert_citations self_correct "
        "suggest_citations"
    ),
    "engine.citation_tools": "check_citations",
    "engine.recording": "record",
    "engine.registry": "register unregister",
    "engine.transcript_input": "iter_transcripts load_transcripts",
    "engine.validation": "support validate validate_retrieval",
    "errors": (
        "AuditError CassetteError DuplicateIdError GroundingError InputError MissingExtraError "
        "RecordingError RefusedError ScorerError SettingsError TooLargeError UncheckedError "
        "UnreadableCassetteError"
    ),
    "hookspecs": "hookimpl",
    "importers.load_files": "Row",
    "model.contracts": (
        "STRUCTURED_PROMPT ChatRequest ChatResponse CitationReference RAGMetadata Source "
        "StructuredRAGResponse"
    ),
    "model.finding": "Cause Evidence Finding",
    "model.run_report": "RunReport",
    "model.transcript": "Chunk ChunkMetadata ProviderCitation ToolCall Transcript Turn",
    "model.verdict": "CitationReport CitationVerdict ClaimVerdict Conflict RetrievalVerdict Verdict",
    "plugin.assertions": (
        "GroundingWarning assert_answer_present assert_citations_valid assert_confidence_at_least "
        "assert_evidence_for assert_grounded assert_matches_golden "
        "assert_retrieval_quality assert_self_corrects"
    ),
    "plugin.inspection": "Grounding Recorder",
    "reports.explanation": "Explanation explain",
    "scorers": "SupportScore",
    "settings": "Settings",
    "settings.mapping": "SettingsDict",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)

# Type checkers know the names above; they must report any other.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("pytest-rag-grounding")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
