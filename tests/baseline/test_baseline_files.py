"""A baseline as a file: canonical, readable, and refused where it cannot be true."""

import json
import math

import pytest
from every import each
from made_verdicts import citation, claim, verdict

from pytest_grounding.errors import InputError
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of, read_baseline, render_baseline, write_baseline
from pytest_grounding.suite.suite_figures import decide_suite

FACTS = RunFacts()


def baseline(*verdicts, facts=FACTS, **settings):
    chosen = Settings(**settings)
    return baseline_of(decide_suite(RunReport.of(verdicts, facts), chosen), chosen)


def test_reads_a_baseline_as_written(tmp_path):
    found = Finding(rule="uncited", severity="warning", message="m")
    first = baseline(
        verdict("b", claims=[claim("unsupported"), claim("abstained", index=1)], findings=[found]),
        verdict("a#1", citations=[citation(valid=False)], status="reject"),
        verdict("c", confidence=math.nan),
        supported_threshold=0.9,
    )
    path = tmp_path / "new" / "baseline.json"
    write_baseline(first, path)
    assert read_baseline(path) == first
    assert path.read_text(encoding="utf-8") == render_baseline(first)
    assert json.loads(render_baseline(first))["transcripts"][2]["confidence"] is None


def test_each_transcript_is_one_line():
    before = render_baseline(baseline(verdict("a"), verdict("b"), verdict("c")))
    after = render_baseline(baseline(verdict("a"), verdict("b", transcript_hash="new"), verdict("c")))
    changed = [
        (old, new) for old, new in zip(before.split("\n"), after.split("\n"), strict=True) if old != new
    ]
    assert len(changed) == 1
    assert '"id":"b"' in changed[0][0]
    assert before.endswith("}\n")


def test_the_order_of_the_verdicts_does_not_matter():
    assert render_baseline(baseline(verdict("a"), verdict("b"))) == render_baseline(
        baseline(verdict("b"), verdict("a"))
    )


def test_counts_and_missing_figures():
    figures = json.loads(render_baseline(baseline(verdict("a", citations=[]))))["figures"]
    assert figures["citation_accuracy"] is None
    assert repr(figures["transcripts"]) == "1"


@each(
    ([verdict("a")], RunFacts(narrowed=("-k x",)), "a partial run (-k x)"),
    ([verdict("a")], RunFacts(interrupted=("interrupted",)), "interrupted"),
    ([verdict("a")], RunFacts(problems=(Problem(place="f:1", message="m"),)), "f:1 could not be read"),
    ([verdict("a")], RunFacts(missing={"b": "skipped"}), "'b' has no verdict (skipped)"),
    ([], RunFacts(), "there is no transcript"),
    ([verdict("a"), verdict("a", transcript_hash="x")], RunFacts(), "share the id 'a'"),
)
def test_only_a_whole_run_becomes_a_baseline(verdicts, facts, reason):
    with pytest.raises(InputError) as caught:
        baseline(*verdicts, facts=facts)
    assert reason in str(caught.value)


def damaged(change):
    value = json.loads(render_baseline(baseline(verdict("a"), verdict("b"))))
    change(value)
    return json.dumps(value)


@each(
    ("", "is empty"),
    ("{} {}", "holds 2 JSON values"),
    ("{", "b.json:1"),
    ("[]", "is not a baseline"),
    ("<<<<<<< ours\n", "b.json:1"),
    (damaged(lambda v: v["transcripts"].append(v["transcripts"][0])), "lists the transcript 'a' twice"),
    (damaged(lambda v: v["transcripts"].pop()), "figures are of 2 transcripts, and it lists 1"),
    (damaged(lambda v: v["transcripts"][0].update(citations_valid=5)), "more parts than the whole"),
    (damaged(lambda v: v["transcripts"][0].update(confidence=7)), "transcripts.0.confidence"),
    (damaged(lambda v: v["transcripts"][0].update(confidence=float("nan"))), "NaN"),
    (damaged(lambda v: v.update(schema_version=2)), "schema_version"),
)
def test_rejects_a_malformed_baseline(text, problem, tmp_path):
    path = tmp_path / "b.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_baseline(path)
    assert problem in str(caught.value)
    assert "b.json" in str(caught.value)


def test_names_a_file_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_baseline(baseline(verdict("a")), tmp_path / "file" / "b.json")


def test_limits_of_the_suite_are_not_part_of_a_baseline():
    assert render_baseline(
        baseline(verdict("a"), suite_max_hallucination_rate=0.5, baseline_policy="tolerance=0.1")
    ) == (render_baseline(baseline(verdict("a"))))
