"""Cassettes in a run of pytest: modes, workers, age, and what is not used any more."""

import json

import pytest

from pytest_grounding.cli import main
from pytest_grounding.scorers.remote import scorer_factory as remote

FILE = "answers.transcripts.jsonl"


def transcript(number, answer=None):
    return {
        "id": f"t{number}",
        "question": f"How long does delivery number {number} take?",
        "chunks": [
            {"id": "c1", "text": f"Delivery number {number} takes {number + 2} days. It is insured."},
            {"id": "c2", "text": "Shared: the shop is open on weekdays."},
        ],
        "answer": answer or f"Delivery number {number} takes {number + 2} days on average [1].",
    }


def write(pytester, count):
    lines = [json.dumps(transcript(number)) + "\n" for number in range(count)]
    pytester.path.joinpath(FILE).write_text("".join(lines))


OPTIONS = ("-p", "no:cacheprovider", "-p", "no:anyio", "--grounding-scorer=cohere")


def run(pytester, *arguments):
    # Each run begins as a process of its own would.
    remote.reset()
    return pytester.runpytest(*OPTIONS, *arguments)


LENIENT = ("--grounding-set", "supported_threshold=0.5", "--grounding-set", "borderline_threshold=0.5")
LENIENT += ("--grounding-set", "alignment_threshold=0.5")


def lines_of(pytester, name="grounding.cassette.jsonl"):
    return pytester.path.joinpath(name).read_text(encoding="utf-8").splitlines()


def test_four_workers_record_into_one_cassette_and_lose_and_double_nothing(pytester, server):
    pytest.importorskip("xdist")
    write(pytester, 12)
    result = pytester.runpytest_subprocess(
        *OPTIONS, "-n4", "--grounding-record=new", "--grounding-json=new.json", *LENIENT
    )
    result.assert_outcomes(passed=12)
    lines = lines_of(pytester)
    keys = [json.loads(line)["key"] for line in lines]
    assert keys == sorted(set(keys))
    asked = {(body["query"], text) for _, body, _ in server.seen for text in body["documents"]}
    recorded = {(value["texts"]["query"], value["texts"]["document"]) for value in map(json.loads, lines)}
    assert recorded == asked
    assert not list(pytester.path.glob("*.journal"))
    result.stdout.re_match_lines(
        [r"recorded judgements: cohere.rerank rerank-v3.5, .* \(the oldest is 0 days old\)"]
    )

    before = len(server.seen)
    again = run(pytester, "--grounding-json=none.json", *LENIENT)
    again.assert_outcomes(passed=12)
    assert len(server.seen) == before
    assert lines_of(pytester) == lines
    one, two = (json.loads(pytester.path.joinpath(f"{mode}.json").read_text()) for mode in ("new", "none"))
    assert one["transcripts"] == two["transcripts"]
    assert two["run"]["judgements"] == one["run"]["judgements"]


def test_nothing_is_recorded_unless_somebody_says_so(pytester, server):
    write(pytester, 1)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*is not on the cassette*--grounding-record=new*"])
    assert server.seen == []
    assert not pytester.path.joinpath("grounding.cassette.jsonl").exists()


def test_ci_does_not_record_unless_the_command_line_says_so(pytester, server, monkeypatch):
    write(pytester, 1)
    pytester.makeini("[pytest]\ngrounding_record = new\n")
    monkeypatch.setenv("CI", "true")
    run(pytester).assert_outcomes(failed=1)
    assert server.seen == []
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    assert server.seen
    monkeypatch.setenv("CI", "false")
    pytester.path.joinpath("grounding.cassette.jsonl").unlink()
    run(pytester, *LENIENT).assert_outcomes(passed=1)


def test_the_cassette_is_that_of_the_root_wherever_pytest_is_started(pytester, server, monkeypatch):
    pytester.makeini("[pytest]\n")
    folder = pytester.mkdir("deep")
    (folder / FILE).write_text(json.dumps(transcript(0)))
    monkeypatch.chdir(folder)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    assert lines_of(pytester)
    assert not (folder / "grounding.cassette.jsonl").exists()


def test_what_no_test_uses_any_more_is_listed_and_pruned(pytester, server, monkeypatch, capsys):
    write(pytester, 3)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=3)
    whole = len(lines_of(pytester))
    write(pytester, 2)
    run(pytester, "--grounding-used=used.json", *LENIENT).assert_outcomes(passed=2)
    run(pytester, "--grounding-used=part.json", "-k", "t0", *LENIENT).assert_outcomes(passed=1, deselected=1)
    remote.reset()
    capsys.readouterr()

    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 1
    listed = capsys.readouterr().out
    assert "delivery number 2" in listed
    assert "delivery number 1" not in listed
    assert main(["show", "cassette", "stale", "--check", FILE, "--set", "scorer=cohere"]) == 1
    assert capsys.readouterr().out == listed
    assert main(["show", "cassette", "prune", "--used", "part.json"]) == 2
    assert "not a whole one (" in capsys.readouterr().err
    assert len(lines_of(pytester)) == whole

    assert main(["show", "cassette", "prune", "--used", "used.json", "--yes"]) == 0
    assert 0 < len(lines_of(pytester)) < whole
    asked = len(server.seen)
    run(pytester, *LENIENT).assert_outcomes(passed=2)
    assert len(server.seen) == asked
    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 0
    assert main(["show", "cassette", "list"]) == 0
    assert f"{len(lines_of(pytester))} records" in capsys.readouterr().out


def test_pruning_everything_is_refused(pytester, server, capsys):
    write(pytester, 1)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    before = lines_of(pytester)
    remote.reset()
    assert main(["show", "cassette", "prune", "--check", FILE]) == 2
    assert "no record is used at all" in capsys.readouterr().err
    assert lines_of(pytester) == before


def test_a_journal_of_a_killed_run_is_read_and_can_be_merged(pytester, server, capsys):
    write(pytester, 1)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    path = pytester.path.joinpath("grounding.cassette.jsonl")
    before = lines_of(pytester)
    path.rename(f"{path}.journal")
    run(pytester, *LENIENT).assert_outcomes(passed=1)
    assert main(["show", "cassette", "merge"]) == 0
    assert lines_of(pytester) == before
    assert main(["show", "cassette", "list", "--set", "cassette=other.jsonl"]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_the_command_records_and_replays_too(pytester, server, capsys):
    write(pytester, 2)
    arguments = ["check", FILE, "--set", "scorer=cohere"]
    for name in ("supported_threshold", "borderline_threshold", "alignment_threshold"):
        arguments += ["--set", f"{name}=0.5"]
    assert main([*arguments, "--set", "record=new"]) == 0
    asked = len(server.seen)
    assert asked
    assert "recorded judgements: cohere.rerank rerank-v3.5" in capsys.readouterr().out
    assert main(arguments) == 0
    assert len(server.seen) == asked
    assert lines_of(pytester)


def test_a_run_in_which_a_test_was_skipped_or_failed_is_no_proof(pytester, server, capsys):
    write(pytester, 1)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    pytester.makepyfile("import pytest\n\n\ndef test_it():\n    pytest.skip('not today')\n")
    run(pytester, "--grounding-used=used.json", *LENIENT).assert_outcomes(passed=1, skipped=1)
    capsys.readouterr()
    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 2
    assert "1 tests failed or were skipped" in capsys.readouterr().err
    assert main(["show", "cassette", "stale", "--used", "used.json", "--anyway"]) == 0
    (pytester.path / "used.json").write_text("[]")
    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 2
    assert "is not what a run used" in capsys.readouterr().err
