"""Counters, export and audit log tell the same of the same answers."""

from collections import Counter

import prometheus_client
from prometheus_client.parser import text_string_to_metric_families

import pytest_grounding as pg
from pytest_grounding.audit import AuditLog
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.write import render_report
from pytest_grounding.suite.suite_figures import decide_suite

CHUNKS = [
    {"id": "c1", "text": "Parental leave lasts 16 weeks. It is paid in full."},
    {"id": "c2", "text": "Sick leave lasts 6 weeks.", "metadata": {"url": "https://example.org/sick"}},
]
ANSWERS = {
    "good": "Parental leave lasts 16 weeks [1]. It is paid in full [1].",
    "wrong": "Parental leave lasts 18 weeks [1]. Sick leave lasts 6 weeks [2][9].",
    "invented": "The cafeteria serves grilled octopus on Mondays [7] (https://example.org/moon).",
    "bare": "Parental leave lasts 16 weeks.",
    "greeting": "Hello there!",
    "empty": "",
}


def transcripts():
    for name, answer in ANSWERS.items():
        yield {"id": name, "question": "How long is parental leave?", "chunks": CHUNKS, "answer": answer}
    # 1 is mentioned, 2 never is and counts for nothing, 9 does not exist.
    listed = {"answer": "Parental leave lasts 16 weeks [1].", "cited_indices": [1, 2, 9]}
    yield {"id": "listed", "question": "How long is it?", "chunks": CHUNKS, **listed}


def read(text):
    found = Counter()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name, next(iter(sample.labels.values()), "")] += sample.value
    return found


def test_the_counters_are_the_sums_of_the_audit_log(tmp_path):
    metrics = pg.PrometheusMetrics(prometheus_client.CollectorRegistry())
    log = AuditLog(tmp_path / "audit.jsonl")
    verdicts = []
    for transcript in transcripts():
        found = metrics.validate(transcript)
        log.append(found, pg.Transcript.model_validate(transcript))
        verdicts.append(found)
    results = [record.validation_result for record in log.records()]
    assert len(results) == len(verdicts)
    report = decide_suite(RunReport.of(verdicts), pg.Settings())
    for counted in (read(metrics.text()), read(render_report(report, "prometheus"))):
        failed = sum(item.citations_failed for item in results)
        assert failed > 2
        assert counted["citation_validation_total", "valid"] == sum(
            item.citations_validated for item in results
        )
        assert counted["citation_validation_total", "invalid_removed"] == failed
        assert failed == sum(
            value for (name, _), value in counted.items() if name == "citation_hallucinations_total"
        )
        hallucinated = [
            counted["grounding_claims_total", status] for status in ("unsupported", "contradicted")
        ]
        assert sum(hallucinated) == sum(item.hallucinations_detected for item in results) > 1
        assert min(hallucinated) > 0
        for status in ("pass", "review", "reject"):
            assert counted["grounding_answers_total", status] == sum(
                item.status == status.upper() for item in results
            )
        # Of the three without a citation only one states something.
        without = sum(item.citations_validated + item.citations_failed == 0 for item in results)
        assert (counted["citation_validation_total", "missing"], without) == (1, 3)
