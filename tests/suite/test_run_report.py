import itertools
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_verdicts import citation, claim, verdict

import pytest_grounding as pg
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.model.verdict import SupportingSource
from pytest_grounding.reports.write import render_report
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite

ids = st.sampled_from(["a", "b", "c", "d"])
words = st.lists(st.sampled_from(["-k x", "-m y", "only tests"]), max_size=2).map(tuple)
verdicts = st.builds(
    lambda identifier, status, confidence, wrong: verdict(
        identifier,
        status=status,
        confidence=confidence,
        claims=[claim("unsupported" if wrong else "supported")],
        citations=[citation(valid=not wrong)],
    ),
    ids,
    st.sampled_from(["pass", "review", "reject"]),
    st.sampled_from([0.1, 0.5, 0.9, math.nan]),
    st.booleans(),
)
facts = st.builds(
    RunFacts,
    narrowed=words,
    promised=words,
    failed=st.lists(ids, max_size=2).map(tuple),
    expected=st.lists(ids, max_size=2).map(tuple),
    missing=st.dictionaries(ids, st.sampled_from(["skipped", "its worker crashed"]), max_size=2),
    problems=st.lists(st.builds(Problem, place=words.map(str), message=st.just("m")), max_size=2).map(tuple),
)
reports = st.builds(RunReport.of, st.lists(verdicts, max_size=4), facts)


def bytes_of(report):
    return report.to_json(), decide_suite(report, Settings()).to_json()


@settings(max_examples=30)
@given(st.lists(reports, min_size=3, max_size=3))
def test_merging_is_associative_and_commutative(parts):
    a, b, c = parts
    whole = bytes_of(a.merge(b, c))
    assert bytes_of(a.merge(b).merge(c)) == whole
    assert bytes_of(a.merge(b.merge(c))) == whole
    for order in itertools.permutations(parts):
        assert bytes_of(order[0].merge(*order[1:])) == whole


@given(reports)
def test_merging_with_itself_or_nothing_changes_nothing(report):
    assert bytes_of(report.merge(report)) == bytes_of(report)
    assert bytes_of(report.merge(RunReport())) == bytes_of(report)


@given(reports)
def test_a_written_report_can_be_read(report):
    decided = decide_suite(report, Settings())
    if not any(math.isnan(item.confidence) for item in decided.transcripts):
        assert RunReport.model_validate(json.loads(decided.to_json())) == decided


def test_a_transcript_counts_once_and_its_worst_verdict_is_kept():
    report = RunReport.of([verdict("a"), verdict("a", status="reject", confidence=0.2), verdict("a")])
    assert [(item.id, item.status) for item in report.transcripts] == [("a", "reject")]


def test_different_content_under_one_id_stays_apart():
    report = RunReport.of([verdict("a"), verdict("a", transcript_hash="other")])
    assert len(report.transcripts) == 2


def test_a_transcript_validated_by_another_shard_is_not_missing():
    first = RunReport.of([], RunFacts(missing={"a": "not run", "b": "not run"}))
    second = RunReport.of([verdict("a")])
    assert first.merge(second).run.missing == {"b": "not run"}


def test_nan_is_null_in_json():
    text = RunReport.of([verdict("a", confidence=math.nan)]).to_json()
    assert json.loads(text)["transcripts"][0]["confidence"] is None


@pytest.mark.row(26)
def test_the_summary_names_the_most_cited_sources():
    handbook = SupportingSource(chunk_id="c1", metadata={"document": "handbook.md"})
    cited = [
        citation(chunk_id="c1", index=0),
        citation(chunk_id="c2", index=1),
        citation(chunk_id="c1", index=2),
        citation(valid=False, chunk_id="c3", index=3),
    ]
    found = [verdict(name, claims=[claim(sources=(handbook,))], citations=cited) for name in "ab"]
    summary = decide_suite(RunReport.of(found), Settings()).summary
    assert summary.most_cited == (("handbook.md", 4), ("c2", 2))
    many = [citation(chunk_id=f"c{number}", index=number) for number in range(9)]
    summary = decide_suite(RunReport.of([verdict(citations=many)]), Settings()).summary
    assert [name for name, _ in summary.most_cited] == ["c0", "c1", "c2", "c3", "c4"]


def test_only_answers_that_state_something_lack_a_citation():
    declined = pg.validate({"id": "d", "question": "Who?", "chunks": [], "answer": "I don't know."})
    stated = pg.validate({"id": "s", "question": "Who?", "chunks": [], "answer": "Anna Berg leads it."})
    summary = decide_suite(RunReport.of([declined, stated]), Settings()).summary
    assert summary.answers_without_citation == 1


def test_the_page_shows_the_most_cited_sources():
    report = decide_suite(RunReport.of([verdict(citations=[citation(chunk_id="c7")])]), Settings())
    page = render_report(report, "html")
    assert "Most cited sources" in page
    assert "<dt>c7</dt><dd>1</dd>" in page
    assert "Most cited sources" not in render_report(
        decide_suite(RunReport.of([verdict(citations=[])]), Settings()), "html"
    )
