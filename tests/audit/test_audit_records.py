"""What a record holds, and the policies when it cannot be written."""

import json
import logging
import math
import pickle
import uuid
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from every import each
from jsonschema import Draft202012Validator
from made_verdicts import citation, verdict

import pytest_grounding as pg
from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding.cli.schema import schema
from pytest_grounding.model.finding import Finding

CHUNKS = [
    {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9},
    {"id": "hr-2", "text": "Unused days expire in March.", "metadata": {"line_start": 3, "line_end": 9}},
]
TRANSCRIPT = {
    "id": "vacation",
    "question": "How many vacation days do employees receive per year?",
    "chunks": CHUNKS,
    "answer": "Employees receive 25 vacation days per year [1]. Unused days expire in March [2]. "
    "The office is painted green [9].",
    "metadata": {"session_id": 17, "response_id": "r-1", "model_version": "m-2"},
}


def test_writes_nothing_before_the_first_append(tmp_path):
    log = pg.AuditLog(tmp_path / "new" / "audit.jsonl")
    assert log.problem() == ""
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(pg.InputError, match="no such audit log"):
        list(log.records())


@pytest.mark.row(17)
def test_a_record_contains_the_verdict(tmp_path):
    found = pg.validate(TRANSCRIPT)
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    before = datetime.now(UTC)
    record = log.append(found, TRANSCRIPT, processing_time_ms=12.34567)
    after = datetime.now(UTC)
    assert record is not None
    assert record.verdict_id == found.rejection.audit_id == found.audit_id
    assert record.audit_id == str(uuid.UUID(record.audit_id)) != record.verdict_id
    assert before <= datetime.fromisoformat(record.timestamp) <= after
    assert record.timestamp.endswith("Z")
    assert (record.session_id, record.response_id, record.model_version) == ("17", "r-1", "m-2")
    assert record.query == TRANSCRIPT["question"]
    assert record.validation_result.model_dump() == {
        "status": "REJECT",
        "citations_validated": 2,
        "citations_failed": 1,
        "hallucinations_detected": len(found.hallucinated),
        "confidence_score": found.confidence,
    }
    assert len(found.hallucinated) == 1
    first, second, third = record.citations
    assert (first.source, first.line_range, first.validation_status) == ("hr-1", None, "VALID")
    assert first.claim == found.claims[0].text
    assert first.semantic_score == found.citations[0].support
    assert (second.source, second.line_range) == ("hr-2", "3-9")
    assert (third.source, third.validation_status, third.semantic_score) == ("9", "REJECT", None)
    assert ("source_exists", "error", 1) in [(rule.rule, rule.severity, rule.count) for rule in record.rules]
    assert record.processing_time_ms == 12.346
    assert record.settings_hash == found.settings_hash
    assert (record.transcript_id, record.transcript_hash) == ("vacation", found.transcript_hash)
    assert (record.sequence, record.previous) == (1, "0" * 64)


def test_lines_are_canonical_and_chained_by_hashes(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    records = [log.append(verdict(name)) for name in ("a", "b\u2028\u0085", "ü" * 9000)]
    lines = log.path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [line.decode() for line in lines] == [record.to_json() for record in records if record]
    values = [json.loads(line) for line in lines]
    assert [canonical_json(value).encode() for value in values] == lines
    for value in values:
        digest = value.pop("hash")
        assert digest == content_hash(value)
    assert [value["previous"] for value in values[1:]] == [record.hash for record in records[:2] if record]
    assert list(log.records()) == records


@pytest.mark.row(17)
def test_each_record_has_its_own_id_and_shares_that_of_its_verdict(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    for _ in range(2):
        log.append(pg.validate(TRANSCRIPT), TRANSCRIPT)
    log.append(pg.validate(TRANSCRIPT, {"accept_confidence": 0.9}), TRANSCRIPT)
    first, second, other = log.records()
    assert len({first.audit_id, second.audit_id, other.audit_id}) == 3
    assert first.verdict_id == second.verdict_id != other.verdict_id
    assert [first.sequence, second.sequence, other.sequence] == [1, 2, 3]
    assert list(log.records(id=first.verdict_id)) == [first, second]
    assert list(log.records(id=second.audit_id)) == [second]


@each(
    ([], True, "VALID"),
    (["warning"], True, "REVIEW"),
    (["info"], True, "VALID"),
    (["error"], False, "REJECT"),
)
def test_the_status_of_a_citation_follows_its_worst_finding(findings, valid, status, tmp_path):
    cited = citation(
        valid,
        syntax="code",
        target="src/a.py:3-9",
        path="src/a.py",
        findings=tuple(Finding(rule="r", severity=level, message="m") for level in findings),
    )
    record = pg.AuditLog(tmp_path / "a.jsonl").append(verdict("a", citations=[cited]))
    (entry,) = record.citations
    assert (entry.source, entry.line_range, entry.validation_status) == ("src/a.py", "3-9", status)


CODE = {
    "id": "engine",
    "question": "How many tries does the engine make?",
    "chunks": [
        {
            "id": "chunk-7",
            "text": "TRIES = 3  # how many tries the engine makes",
            "metadata": {"path": "src/engine.py", "line_start": 10, "line_end": 20},
        }
    ],
    "answer": "The engine makes 3 tries (src/engine.py:10-12).",
}


@each(
    ("src/engine.py:10-12", "src/engine.py", "10-12"),
    ("engine.py:11", "src/engine.py", "11"),
    ("src/engine.py#L10-L20", "src/engine.py", "10-20"),
    ("src/kitchen.py:3-9", "src/kitchen.py", "3-9"),
    ("../secret.py:1", "../secret.py", "1"),
    ("[1]", "src/engine.py", "10-20"),
)
def test_a_citation_of_code_names_the_file(marker, source, lines, tmp_path):
    given = {**CODE, "answer": f"The engine makes 3 tries ({marker})."}
    record = pg.AuditLog(tmp_path / "a.jsonl").append(pg.validate(given), given)
    (entry,) = record.citations
    assert (entry.source, entry.line_range) == (source, lines)


def test_names_a_file_under_the_source_root(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "engine.py").write_text("TRIES = 3\n" * 30)
    found = pg.validate(CODE, {"source_root": str(tmp_path)})
    # Without the transcript too: a service may log the verdict alone.
    record = pg.AuditLog(tmp_path / "a.jsonl").append(found)
    assert (record.citations[0].source, record.citations[0].line_range) == ("src/engine.py", "10-12")


@each(
    ("Employees receive 45 vacation days per year.", "REJECT"),
    ("The office is painted green by an artist from Graz.", "REVIEW"),
    ("- The office is painted green by an artist from Graz.", "REVIEW"),
)
def test_lists_an_uncited_hallucination(answer, status, tmp_path):
    given = {**TRANSCRIPT, "answer": f"Unused days expire in March [2].\n\n{answer}"}
    found = pg.validate(given)
    log = pg.AuditLog(tmp_path / "a.jsonl")
    record = log.append(found, given)
    cited, claimed = record.citations
    assert (cited.source, cited.validation_status) == ("hr-2", "VALID")
    (wrong,) = found.hallucinated
    assert claimed.model_dump() == {
        "claim": wrong.text,
        "source": None,
        "line_range": None,
        "validation_status": status,
        "semantic_score": wrong.support,
    }
    assert record.validation_result.citations_failed == 0
    assert next(log.records()) == record


def test_lists_a_cited_hallucination_once(tmp_path):
    given = {**TRANSCRIPT, "answer": "The office is painted green by an artist from Graz [2]."}
    record = pg.AuditLog(tmp_path / "a.jsonl").append(pg.validate(given), given)
    (entry,) = record.citations
    assert (entry.source, entry.claim) == ("hr-2", given["answer"])


def test_the_session_comes_from_transcript_call_or_log(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl", session_id="log")
    found = pg.validate(TRANSCRIPT)
    bare = {**TRANSCRIPT, "metadata": {}}
    log.append(found, TRANSCRIPT, session_id="call")
    log.append(found, bare, session_id="call")
    log.append(found, bare)
    log.append(found)
    assert [record.session_id for record in log.records()] == ["17", "call", "log", "log"]
    assert [record.query for record in log.records(session="log")] == [TRANSCRIPT["question"], None]


def test_replaces_half_a_character(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl", session_id="a\ud800b")
    assert log.append(verdict("a")) is not None
    assert [record.session_id for record in log.records()] == ["a\ufffdb"]
    assert log.verify().is_intact


def test_writes_no_nan(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl", required=True)
    record = log.append(verdict("a", confidence=math.nan, citations=[citation(support=math.nan)]))
    assert record.validation_result.confidence_score is None
    assert record.citations[0].semantic_score is None


def test_rejects_another_transcript_and_a_wrong_time(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    with pytest.raises(ValueError, match="the verdict is on 'a', but the transcript is 'vacation'"):
        log.append(verdict("a"), TRANSCRIPT)
    for odd in (math.nan, math.inf, -1.0):
        with pytest.raises(ValueError, match="processing_time_ms"):
            log.append(verdict("a"), processing_time_ms=odd)
    assert not log.path.exists()


def test_a_log_takes_settings(tmp_path):
    log = pg.AuditLog(tmp_path / "a", settings={"audit_required": True})
    assert log.settings.audit_required
    with pytest.raises(pg.SettingsError, match="audit_max_bytes"):
        pg.AuditLog(tmp_path / "a", settings={"audit_max_bytes": 5})


def test_filters_by_time(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    for name in "abc":
        log.append(verdict(name))

    def names(**wanted):
        return [record.transcript_id for record in log.records(**wanted)]

    assert names(rule="no_such_rule") == []
    assert names(since=datetime.now(UTC) + timedelta(hours=1)) == []
    second = list(log.records())[1].timestamp
    assert names(since=second) == ["b", "c"]
    assert names(until=second) == ["a"]
    assert names(since=datetime.now(UTC).replace(tzinfo=None) - timedelta(minutes=5)) == ["a", "b", "c"]
    for wanted in ({"status": "accepted"}, {"since": "yesterday"}, {"until": "99999999d"}):
        with pytest.raises(pg.InputError, match="write"):
            names(**wanted)


def test_warns_once_when_the_log_cannot_be_written(tmp_path, caplog):
    (tmp_path / "file").write_text("", encoding="utf-8")
    log = pg.AuditLog(tmp_path / "file" / "audit.jsonl")
    assert "Not a directory" in log.problem()
    with caplog.at_level(logging.INFO, "pytest_grounding.audit"), pytest.warns(pg.AuditWarning) as caught:
        assert [log.append(verdict(name)) for name in "abc"] == [None, None, None]
    assert [str(warning.message) for warning in caught] == [record.getMessage() for record in caplog.records]
    assert len(caught) == 1
    assert "cannot be written (Not a directory)" in str(caught[0].message)
    assert caught[0].filename == __file__
    assert log.missed == 3


def test_notes_missed_records_later(tmp_path):
    blocker = tmp_path / "logs"
    blocker.write_text("", encoding="utf-8")
    log = pg.AuditLog(blocker / "audit.jsonl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pg.AuditWarning)
        log.append(verdict("a"))
        log.append(verdict("b"))
    blocker.unlink()
    record = log.append(verdict("c"))
    assert record is not None
    note, kept = log.entries()
    assert (note.kind, note.details["validations"]) == ("missed", 2)
    assert note.message == "2 validations before this could not be written"
    assert kept == record
    assert log.missed == 0
    log.append(verdict("d"))
    assert [entry.kind for entry in log.entries()] == ["missed", "validation", "validation"]
    assert log.verify().remarks == [f"{log.path}:1: {note.message}"]


@each("a letter\n", '{"id": "a"}\n', "[1]\n", "\n", '{"sequence": "1"}\n')
def test_does_not_touch_another_file(content, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(pg.AuditError, match="not an audit record"):
        pg.AuditLog(path, required=True).append(verdict("a"))
    assert path.read_text(encoding="utf-8") == content


def test_rejects_a_folder_and_a_device(tmp_path):
    for path, problem in ((tmp_path, "is a folder"), (Path("/dev/null"), "not a regular file")):
        if path.exists():
            log = pg.AuditLog(path, required=True)
            assert problem in log.problem()
            with pytest.raises(pg.AuditError, match=problem):
                log.append(verdict("a"))


def test_a_log_keeps_its_folder(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    log = pg.AuditLog("audit.jsonl")
    log.append(verdict("a"))
    monkeypatch.chdir(tmp_path / "elsewhere")
    log.append(verdict("b"))
    assert [record.transcript_id for record in pg.AuditLog(tmp_path / "audit.jsonl").records()] == ["a", "b"]


def test_writes_through_a_link(tmp_path):
    log = pg.AuditLog(tmp_path / "real" / "audit.jsonl")
    log.append(verdict("a"))
    link = tmp_path / "link.jsonl"
    try:
        link.symlink_to(log.path)
    except OSError:
        pytest.skip("links cannot be made here")
    linked = pg.AuditLog(link)
    linked.append(verdict("b"))
    log.append(verdict("c"))
    assert link.is_symlink()
    assert [record.sequence for record in linked.records()] == [1, 2, 3]
    assert linked.verify().is_intact


def test_a_log_can_be_pickled(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl", required=True, session_id="s")
    copy = pickle.loads(pickle.dumps(log))
    assert (copy.path, copy.settings, copy.session_id) == (log.path, log.settings, "s")
    assert copy.append(verdict("a")).session_id == "s"


def test_a_record_fits_the_published_schema(tmp_path):
    document = schema("audit-record")
    Draft202012Validator.check_schema(document)
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    log.append(pg.validate(TRANSCRIPT), TRANSCRIPT, processing_time_ms=2)
    log.append(pg.validate(TRANSCRIPT))
    for line in log.path.read_text(encoding="utf-8").splitlines():
        Draft202012Validator(document).validate(json.loads(line))
    broken = {**json.loads(line), "hash": "short"}
    assert not Draft202012Validator(document).is_valid(broken)


def test_a_record_of_an_earlier_version_is_read(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    log.append(pg.validate(TRANSCRIPT), TRANSCRIPT)
    value = json.loads(log.path.read_text(encoding="utf-8"))
    value["audit_id"] = value.pop("verdict_id")
    value["citations"][0]["validation_status"] = "PASS"
    log.path.write_text(json.dumps(value) + "\n", encoding="utf-8")
    (record,) = log.records(id=value["audit_id"])
    assert record.citations[0].validation_status == "PASS"
