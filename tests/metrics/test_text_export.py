"""The text file of a build holds the families of a service, with the same meaning."""

import prometheus_client
from every import each
from made_verdicts import citation, claim, verdict
from prometheus_client.parser import text_string_to_metric_families

import pytest_grounding as pg
from pytest_grounding.audit.metrics import COUNTERS, DURATION, FIGURES, gauge_of
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.write import render_report
from pytest_grounding.suite.suite_figures import decide_suite

DIFFERS = (Finding(rule="self_report", severity="info", message="", details={"difference": 0.4}),)
VERDICTS = [
    verdict("a", citations=(citation(), citation(False, index=1, syntax="url")), reported_confidence=0.9),
    verdict(
        "b",
        status="review",
        citations=(),
        confidence=0.5,
        reported_confidence=0.9,
        findings=DIFFERS,
        claims=(claim("unsupported"),),
    ),
    verdict("c", status="reject", claims=(claim("contradicted"), claim("unchecked", index=1))),
    verdict("d", citations=(citation(False, syntax="of_an_extension"),)),
]


def families(text):
    return {family.name: family for family in text_string_to_metric_families(text)}


def values(family):
    return {
        (sample.name, tuple(sample.labels.items())): sample.value
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


@each(0.4, 0.7, 0.99)
def test_a_build_exports_what_a_service_would(limit):
    settings = pg.Settings(suite_confidence=limit)
    metrics = pg.PrometheusMetrics(prometheus_client.CollectorRegistry(), settings=settings)
    for item in VERDICTS:
        metrics.observe(item)
    served = families(metrics.text())
    exported = families(render_report(decide_suite(RunReport.of(VERDICTS), settings), "prometheus"))
    names = [family.name.removesuffix("_total") for family in COUNTERS]
    names += [gauge_of(figure).name for figure in FIGURES]
    assert names
    for name in names:
        assert exported[name].samples
        assert values(exported[name]) == values(served[name])
        assert exported[name].documentation == served[name].documentation
        assert exported[name].type == served[name].type
    # A report contains no durations.
    assert DURATION.name in served
    assert DURATION.name not in exported


def test_a_run_without_a_gate_exports_no_figures():
    exported = families(render_report(RunReport.of(VERDICTS), "prometheus"))
    assert not exported["grounding_answers_confidence"].samples
    assert "grounding_citation_accuracy" not in exported
    assert sum(sample.value for sample in exported["grounding_answers"].samples) == 4
