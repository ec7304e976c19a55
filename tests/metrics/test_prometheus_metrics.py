"""Counters of a service: what each counts, from many threads and processes, read by the real parsers."""

import os
import subprocess
import sys
import threading

import prometheus_client
import pytest
from made_verdicts import citation, claim, verdict
from prometheus_client.parser import text_string_to_metric_families

import pytest_grounding as pg
from pytest_grounding.audit.metrics import (
    ANSWERS,
    BUCKETS,
    CLAIMS,
    COUNTERS,
    FIGURES,
    VALIDATIONS,
    WHOLE_BUCKETS,
    MetricsTally,
    gauge_of,
)

TRANSCRIPT = {
    "id": "leave",
    "question": "How long is parental leave?",
    "chunks": [{"id": "c1", "text": "Parental leave lasts 16 weeks. It is paid in full."}],
    "answer": "Parental leave lasts 18 weeks [1]. It is paid in full [1][7].",
}


def samples(text):
    """(name, value of the only label or "") -> value, of all families but the moments of creation."""
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def fresh(**settings):
    return pg.PrometheusMetrics(prometheus_client.CollectorRegistry(), settings=settings or None)


def test_everything_starts_at_zero_and_figures_have_no_value_yet():
    found = samples(fresh().text())
    for family in COUNTERS:
        for value in family.values or ("",):
            assert found[family.name, value] == 0
    assert {found["citation_validation_duration_seconds_bucket", f"{bound}"] for bound in BUCKETS} == {0}
    assert not [name for name, _ in found if name in {gauge_of(figure).name for figure in FIGURES}]


def test_one_verdict_counts_its_citations_claims_and_itself():
    metrics = fresh()
    found = metrics.validate(TRANSCRIPT)
    assert found.to_json() == pg.validate(TRANSCRIPT).to_json()
    read = samples(metrics.text())
    assert read["citation_validation_total", "valid"] == 2
    assert read["citation_validation_total", "invalid_removed"] == 1
    assert read["citation_validation_total", "missing"] == 0
    assert read["citation_hallucinations_total", "index"] == 1
    assert read["grounding_claims_total", "contradicted"] == len(found.hallucinated) == 1
    assert read["grounding_answers_total", "reject"] == 1
    assert read["grounding_answers_ungrounded_total", ""] == 1
    assert read["citation_validation_duration_seconds_count", ""] == 1
    assert read["citation_validation_duration_seconds_sum", ""] > 0
    assert read["grounding_citation_accuracy", ""] == pytest.approx(2 / 3)
    assert read["grounding_hallucination_rate", ""] == 0.5


def test_an_answer_without_citations_is_missing_them_and_not_valid():
    metrics = fresh()
    metrics.observe(verdict(citations=()))
    read = samples(metrics.text())
    assert [read["citation_validation_total", status] for status in VALIDATIONS.values] == [0, 0, 1]
    assert ("grounding_citation_accuracy", "") not in read


@pytest.mark.row(25)
def test_an_answer_that_rightly_declines_misses_no_citation():
    metrics = fresh()
    declined = {**TRANSCRIPT, "question": "Who feeds the cat?", "answer": "I don't have that information."}
    assert metrics.validate(declined).abstention == "rightly_declined"
    assert samples(metrics.text())["citation_validation_total", "missing"] == 0
    # One that states something and cites nothing does.
    metrics.validate({**TRANSCRIPT, "answer": TRANSCRIPT["chunks"][0]["text"]})
    assert samples(metrics.text())["citation_validation_total", "missing"] == 1


@pytest.mark.row(25)
def test_the_first_histogram_times_the_citations_alone():
    of_citations, of_all = [], []
    for _ in range(5):  # the shortest of five: one that the machine held up says nothing
        metrics = fresh()
        metrics.validate(TRANSCRIPT)
        read = samples(metrics.text())
        of_citations.append(read["citation_validation_duration_seconds_sum", ""])
        of_all.append(read["grounding_validation_duration_seconds_sum", ""])
    assert 0 < min(of_citations) < min(of_all)


def test_a_list_entry_that_the_text_never_mentions_is_no_valid_citation():
    entry = {"syntax": "list", "start": -1, "end": -1, "text": ""}
    metrics = fresh()
    metrics.observe(verdict(citations=(citation(index=0, **entry), citation(False, index=1, **entry))))
    read = samples(metrics.text())
    assert [read["citation_validation_total", status] for status in VALIDATIONS.values] == [0, 1, 0]
    assert read["citation_hallucinations_total", "list"] == 1


def test_without_validation_no_citations_are_counted():
    metrics = fresh()
    metrics.validate(TRANSCRIPT, {"enabled": False})
    read = samples(metrics.text())
    assert [read["citation_validation_total", status] for status in VALIDATIONS.values] == [0, 0, 0]
    assert read["grounding_answers_total", "skipped"] == 1


def test_the_limit_of_a_confident_answer_is_the_setting():
    for limit, level in ((0.7, "confident"), (0.99, "unsure")):
        metrics = fresh(suite_confidence=limit)
        metrics.observe(verdict(confidence=0.8))
        assert samples(metrics.text())["grounding_answers_confidence_total", level] == 1
    metrics.observe(verdict(confidence=float("nan")))
    assert samples(metrics.text())["grounding_answers_confidence_total", "none"] == 1


def test_every_status_of_a_claim_and_of_an_answer_is_a_known_one():
    from typing import get_args

    from pytest_grounding.model.verdict import ClaimStatus, Status

    assert set(CLAIMS.values) == set(get_args(ClaimStatus))
    assert set(ANSWERS.values) == set(get_args(Status))


def test_durations_fall_into_the_buckets_and_nonsense_is_refused():
    metrics = fresh()
    for seconds in (0.0005, 0.003, 0.02, 0.02, 0.07, 3):
        metrics.observe(verdict(), seconds=10 * seconds, citation_seconds=seconds)
    read = samples(metrics.text())
    name = "citation_validation_duration_seconds_bucket"
    assert [read[name, f"{bound}"] for bound in BUCKETS] == [1, 2, 2, 4, 4, 5]
    assert read[name, "+Inf"] == 6
    name = "grounding_validation_duration_seconds_bucket"
    assert [read[name, f"{bound}"] for bound in WHOLE_BUCKETS] == [1, 1, 1, 2, 2, 4, 4, 5]
    for wrong in (-1.0, float("nan"), float("inf")):
        for argument in ("seconds", "citation_seconds"):
            with pytest.raises(pg.InputError, match=rf"^{argument}: .* is not a duration"):
                metrics.observe(verdict(), **{argument: wrong})
    assert samples(metrics.text())["grounding_answers_total", "pass"] == 6


def test_a_transcript_that_cannot_be_read_counts_nothing():
    metrics = fresh()
    with pytest.raises(pg.InputError):
        metrics.validate({**TRANSCRIPT, "answr": ""})
    assert samples(metrics.text())["citation_validation_duration_seconds_count", ""] == 0


def test_a_taken_metric_name_is_an_error_and_registers_nothing():
    registry = prometheus_client.CollectorRegistry()
    prometheus_client.Counter("grounding_claims_total", "of somebody else", registry=registry)
    with pytest.raises(pg.SettingsError, match="CollectorRegistry of its own"):
        pg.PrometheusMetrics(registry)
    assert [family.name for family in registry.collect()] == ["grounding_claims"]


def test_the_global_registry_is_the_default():
    assert pg.PrometheusMetrics().registry is prometheus_client.REGISTRY
    # Other tests of this process may have counted into it already.
    before = samples(pg.PrometheusMetrics().text())["grounding_answers_total", "review"]
    pg.PrometheusMetrics().observe(verdict(status="review"))
    text = prometheus_client.generate_latest().decode()
    assert samples(text)["grounding_answers_total", "review"] == before + 1


def test_many_threads_lose_no_count():
    metrics = fresh()
    one = verdict(
        citations=(citation(), citation(False, index=1)), claims=(claim(), claim("unsupported", index=1))
    )
    start = threading.Barrier(8)

    def work():
        start.wait()
        for _ in range(200):
            metrics.observe(one, citation_seconds=0.002)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = samples(metrics.text())
    for name, value in (
        ("citation_validation_total", "valid"),
        ("citation_validation_total", "invalid_removed"),
        ("citation_hallucinations_total", "index"),
        ("grounding_answers_total", "pass"),
        ("grounding_claims_total", "unsupported"),
        ("citation_validation_duration_seconds_bucket", "0.005"),
    ):
        assert read[name, value] == 1600


def test_figures_are_those_of_the_suite():
    from pytest_grounding.model.run_report import RunReport
    from pytest_grounding.suite.suite_figures import decide_suite

    verdicts = [
        verdict("a", citations=(citation(), citation(False, index=1))),
        verdict(
            "b", citations=(), confidence=0.5, claims=(claim("borderline"), claim("contradicted", index=1))
        ),
        verdict("c", claims=(claim("abstained"), claim("unchecked", index=1))),
    ]
    summary = decide_suite(RunReport.of(verdicts), pg.Settings()).summary
    figures = MetricsTally.of(verdicts).figures()
    assert figures == {name: getattr(summary, name) for name in FIGURES}


WORKER = """
import sys
import pytest_grounding as pg
metrics = pg.PrometheusMetrics()
for _ in range(int(sys.argv[1])):
    metrics.validate({"id": "a", "question": "How long?", "answer": "It lasts 16 weeks [1][5].",
                      "chunks": [{"id": "c", "text": "It lasts 16 weeks."}]})
"""


def test_many_processes_are_summed(tmp_path):
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for count in ("2", "3"):
        subprocess.run([sys.executable, "-c", WORKER, count], env=environment, check=True)
    scrape = "import sys, pytest_grounding as pg; sys.stdout.write(pg.PrometheusMetrics().text())"
    done = subprocess.run(
        [sys.executable, "-c", scrape], env=environment, check=True, capture_output=True, text=True
    )
    read = samples(done.stdout)
    assert (
        read["citation_validation_total", "valid"]
        == read["citation_validation_total", "invalid_removed"]
        == 5
    )
    assert read["citation_validation_duration_seconds_count", ""] == 5
    assert read["grounding_citation_accuracy", ""] == 0.5
    assert read["grounding_ungrounded_answers", ""] == 1


def test_without_the_extra_the_error_names_it():
    code = (
        "import sys; sys.modules['prometheus_client'] = None\n"
        "import pytest_grounding as pg\n"
        "pg.validate({'id': 'a', 'question': 'q', 'chunks': [], 'answer': 'Hello.'})\n"
        "try:\n    pg.PrometheusMetrics()\n"
        "except pg.MissingExtraError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pytest-rag-grounding[metrics]" in done.stdout


def test_reading_a_report_needs_no_client_and_neither_does_the_core():
    code = (
        "import sys, pytest_grounding as pg, pytest_grounding.audit.metrics, pytest_grounding.reports.write\n"
        "pg.validate({'id': 'a', 'question': 'q', 'chunks': [], 'answer': 'Hello.'})\n"
        "print(sorted({'prometheus_client', 'mcp', 'anyio'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
