"""Shards of a suite: merging knows no order, and refuses what does not belong together."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_verdicts import claim, verdict

from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.settings import Settings
from pytest_grounding.suite.shards import check_number, merge_shards, read_shard, shard_of, write_shard
from pytest_grounding.suite.suite_figures import decide_suite

ids = st.sampled_from(["a", "b", "c", "d", "e"])
words = st.lists(st.sampled_from(["x", "y"]), max_size=2).map(tuple)
verdicts = st.builds(
    lambda identifier, status, wrong: verdict(
        identifier, status=status, claims=[claim("unsupported" if wrong else "supported")]
    ),
    ids,
    st.sampled_from(["pass", "review", "reject"]),
    st.booleans(),
)
facts = st.builds(
    RunFacts,
    promised=words,
    failed=st.lists(ids, max_size=2).map(tuple),
    missing=st.dictionaries(ids, st.just("skipped"), max_size=2),
)
reports = st.builds(RunReport.of, st.lists(verdicts, max_size=3), facts)


def shards_of(found, **settings):
    chosen = Settings(**settings)
    return [
        shard_of(report, chosen, name=f"job {number}", tests=[f"t{number}::{i}" for i in range(number)])
        for number, report in enumerate(found)
    ]


@given(st.lists(reports, min_size=3, max_size=3))
def test_merging_is_associative_and_commutative(found):
    parts = shards_of(found)
    a, b, c = parts
    whole = merge_shards(parts)
    assert merge_shards([merge_shards([a, b]), c]) == whole
    assert merge_shards([a, merge_shards([b, c])]) == whole
    decision = decide_suite(whole.report, Settings()).to_json()
    for order in itertools.permutations(parts):
        assert merge_shards(order) == whole
        assert decide_suite(merge_shards(order).report, Settings()).to_json() == decision


@given(st.lists(reports, min_size=1, max_size=3))
def test_merged_shards_decide_like_one_run(found):
    one = found[0].merge(*found[1:])
    merged = merge_shards(shards_of(found))
    assert decide_suite(merged.report, Settings()).to_json() == decide_suite(one, Settings()).to_json()


def test_reads_a_shard_as_written(tmp_path):
    (shard,) = shards_of([RunReport.of([verdict("a", confidence=math.nan), verdict("b")])])
    write_shard(shard, tmp_path / "s.json")
    again = read_shard(tmp_path / "s.json")
    assert math.isnan(again.report.transcripts[0].confidence)
    assert decide_suite(again.report, Settings()).gate.status == "fail"
    assert again.parts == shard.parts
    write_shard(again, tmp_path / "t.json")
    assert (tmp_path / "t.json").read_bytes() == (tmp_path / "s.json").read_bytes()


def refusal(shards):
    with pytest.raises(InputError) as caught:
        merge_shards(shards)
    return str(caught.value)


@pytest.mark.row(57)
def test_refuses_shards_that_do_not_belong_together():
    empty = RunReport()
    a, b = shards_of([RunReport.of([verdict("a")]), RunReport.of([verdict("b")])])
    assert "shard 'job 0' is there twice" in refusal([a, b, a])
    assert "is there twice" in refusal([merge_shards([a, b]), b])
    (other,) = shards_of([empty], supported_threshold=0.9)
    assert "different settings (supported_threshold)" in refusal([a, other])
    (limit,) = shards_of([empty], suite_min_citation_accuracy=0.5)
    assert "different settings (suite_min_citation_accuracy)" in refusal([a, limit])
    assert "different engines" in refusal([a, b.model_copy(update={"engine_version": "0"})])
    retried = shard_of(RunReport(), Settings(), name="again", tests=["t1::0"])
    assert "both ran t1::0" in refusal([b, retried])
    assert "no shard" in refusal([])


def test_two_jobs_without_a_transcript_are_two_shards():
    assert len(merge_shards(shards_of([RunReport(), RunReport()])).parts) == 2


def test_jobs_may_have_different_cassettes():
    (a,) = shards_of([RunReport()], source_root="/home/a", cassette="x.jsonl")
    (b,) = shards_of([RunReport.of([verdict("b")])], source_root="/home/b", record="none")
    assert len(merge_shards([a, b]).parts) == 2


def test_refuses_a_wrong_number_of_shards():
    whole = merge_shards(shards_of([RunReport(), RunReport()]))
    check_number(whole, 2)
    with pytest.raises(InputError, match=r"2 of 3 shards were given \(job 0, job 1\): 1 is missing"):
        check_number(whole, 3)
    with pytest.raises(InputError, match="1 is too many"):
        check_number(whole, 1)


def test_an_unfinished_shard_leaves_the_suite_undecided(tmp_path, capsys):
    report = RunReport.of([verdict("a")], RunFacts(interrupted=("interrupted",)))
    (shard,) = shards_of([report])
    write_shard(shard, tmp_path / "s.json")
    assert main(["merge", str(tmp_path / "s.json")]) == 1
    assert "gate: UNDECIDED" in capsys.readouterr().out
