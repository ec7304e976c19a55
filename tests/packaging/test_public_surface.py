"""The names that others rely on, and what importing the package may load."""

import json
import re
import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest
from every import each

import pytest_grounding as pg

PUBLIC = """
STRUCTURED_PROMPT AuditError AuditLog AuditRecord AuditWarning CassetteError Cause ChatRequest
ChatResponse Chunk ChunkMetadata CitationReference CitationReport CitationVerdict ClaimVerdict
Conflict DuplicateIdError Evidence Explanation Finding Grounding GroundingError GroundingWarning
InputError MissingExtraError PrometheusMetrics ProviderCitation RAGMetadata Recorder RecordingError
RefusedError RetrievalVerdict Row RunReport ScorerError Settings SettingsDict SettingsError Source
StructuredRAGResponse SupportScore TooLargeError ToolCall Transcript Turn UncheckedError
UnreadableCassetteError Verdict annotate_uncertain assert_answer_present assert_citations_valid
assert_confidence_at_least assert_evidence_for assert_grounded assert_matches_golden
assert_retrieval_quality assert_self_corrects check_citations clean_answer explain format_citations
format_context hookimpl inline_citations insert_citations iter_transcripts load_transcripts record
register self_correct suggest_citations support unregister validate validate_retrieval
""".split()


def test_the_public_names_are_exactly_these():
    # The order in the source is ruff's business.
    assert sorted(pg.__all__) == sorted(PUBLIC)


def test_type_checkers_are_told_of_every_name():
    source = Path(pg.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    imported = re.findall(r"(?m)^from \S+ import (\w+) as (\w+)$", source)
    assert sorted(name for name, alias in imported if name == alias) == sorted(PUBLIC)


@each(*PUBLIC)
def test_each_public_name_resolves_and_says_what_it_is_for(name):
    value = getattr(pg, name)
    assert value.__doc__


@each(*PUBLIC)
def test_each_public_name_is_documented(name):
    pages = sorted((Path(__file__).resolve().parents[2] / "docs").glob("*.md"))
    assert pages
    assert any(re.search(rf"\b{name}\b", page.read_text(encoding="utf-8")) for page in pages)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = pg.no_such_name


def test_the_version_is_that_of_the_distribution():
    assert pg.__version__ == version("pytest-rag-grounding")


def test_dir_lists_the_public_names():
    assert set(PUBLIC) <= set(dir(pg))


def modules_after(statement):
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


HEAVY = {"pydantic", "pydantic_core", "numpy", "deepdiff", "jinja2", "cohere", "sentencex", "pytest"}


@each("pytest_grounding", "pytest_grounding.settings", "pytest_grounding.cli")
def test_importing_loads_nothing_heavy(module):
    loaded = modules_after(f"import {module}")
    assert module in loaded
    assert not loaded & HEAVY


def test_the_entry_points_are_there():
    plugins = {point.name: point.value for point in entry_points(group="pytest11")}
    scripts = {point.name: point.value for point in entry_points(group="console_scripts")}
    assert plugins["pytest_grounding"] == "pytest_grounding.plugin"
    assert scripts["pytest-grounding"] == "pytest_grounding.cli:main"
