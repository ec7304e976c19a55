"""Recorded judgements that cannot be read end the run; nobody else judges in their place without a word."""

import json

import pytest
from loopback import answers

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.errors import UnreadableCassetteError
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import Record, Request

FILE = "a.transcript.json"
CASSETTE = "grounding.cassette.jsonl"
TRANSCRIPT = {
    "id": "a",
    "question": "How long does delivery take?",
    "chunks": [
        {"id": "c1", "text": "Delivery takes 3 days. It is insured."},
        {"id": "c2", "text": "Every delivery takes 3 days."},
    ],
    "answer": "Delivery takes 3 days [1].",
}
LINE = Record(Request("cohere.rerank", "m", {}, {"query": "q"}), {"score": 0.5}, "2026-01-02").line()

#: What is wrong with the file, and the place and words that the message has.
DAMAGE = {
    "no JSON": (b"garbage{", ":1: is not a record"),
    "cut off": (LINE.encode() + LINE.encode()[:90], ":2: is not a record"),
    "binary": (LINE.encode() + b"\x89PNG\xff\xfe\x00", ":2: is not text"),
    "a merge": (
        f"<<<<<<< ours\n{LINE}=======\n{LINE}>>>>>>> theirs\n".encode(),
        ":1: holds a mark of a merge",
    ),
    "another file": (b'{"a": 1}\n', ":1: is not a record"),
    "a folder": (None, ": cannot be read"),
}
WHO = ["scorer=cohere", "scorer=cohere-embed", "judge=cohere"]
#: Each damage once, met by one of those who read the file, in one of the modes.
CASES = pytest.mark.parametrize(
    ("data", "words", "who", "mode"),
    [
        (*found, who, mode)
        for found, who, mode in zip(DAMAGE.values(), WHO * 2, ["none", "new"] * 3, strict=True)
    ],
    ids=DAMAGE,
)


def damaged(folder, data):
    folder.joinpath(FILE).write_text(json.dumps(TRANSCRIPT))
    path = folder / CASSETTE
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)


@CASES
def test_a_run_of_pytest_is_wrong_use_before_its_first_test(pytester, data, words, who, mode):
    damaged(pytester.path, data)
    result = pytester.runpytest_inprocess(f"--grounding-set={who}", f"--grounding-record={mode}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in result.stderr.lines if "grounding:" in line]
    assert f"{CASSETTE}{words}" in line
    result.assert_outcomes()


@CASES
def test_the_command_is_wrong_use_too(pytester, capsys, data, words, who, mode):
    damaged(pytester.path, data)
    assert main(["check", FILE, "--set", who, "--set", f"record={mode}"]) == 2
    said = capsys.readouterr()
    assert f"{CASSETTE}{words}" in said.err
    assert len(said.err.splitlines()) == 1
    assert "gate" not in said.out


@pytest.mark.parametrize(("data", "words"), [DAMAGE["cut off"], DAMAGE["a folder"]])
def test_workers_and_assertions_fail_with_the_sentence(pytester, data, words):
    pytest.importorskip("xdist")
    damaged(pytester.path, data)
    pytester.makepyfile(
        "import pytest_grounding as pg\n"
        f"def test_it(): pg.assert_citations_valid({TRANSCRIPT!r}, settings={{'scorer': 'cohere'}})\n"
    )
    result = pytester.runpytest_subprocess("-n1", "--grounding-scorer=cohere", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert sum(f"{CASSETTE}{words}" in line for line in result.stdout.lines) >= 2


def test_a_file_that_nobody_was_asked_to_judge_by_does_not_matter(pytester):
    damaged(pytester.path, b"garbage{")
    assert pytester.runpytest_inprocess("-p", "no:cacheprovider").ret == 0


def test_a_record_that_is_damaged_inside_fails_what_needs_it(pytester, server):
    damaged(pytester.path, b"")
    settings = {"scorer": "cohere", "cassette": CASSETTE}
    pg.validate(TRANSCRIPT, {**settings, "record": "new"})
    remote.reset()
    path = pytester.path / CASSETTE
    whole = path.read_bytes()
    assert whole.count(b'"score":')
    path.write_bytes(whole.replace(b'"score":', b'"score"::'))
    with pytest.raises(UnreadableCassetteError, match=rf"{CASSETTE}:\d+: is not a record"):
        pg.validate(TRANSCRIPT, settings)
    assert main(["check", FILE, "--set", "scorer=cohere"]) == 2


FALLBACK = ("--grounding-scorer=cohere", "--grounding-record=new", "-p", "no:cacheprovider")


def test_a_fallback_fails_the_gate_and_is_said(pytester, server, capsys):
    server.fault = answers(500, {"message": "boom"})
    pytester.path.joinpath(FILE).write_text(json.dumps(TRANSCRIPT))
    failed = pytester.runpytest_inprocess(*FALLBACK, "--grounding-set=remote_retries=0")
    failed.assert_outcomes(passed=1)
    assert failed.ret == pytest.ExitCode.TESTS_FAILED
    failed.stdout.fnmatch_lines(
        ["gate: FAIL*", "  1 transcript not judged by all that was asked for: a (cohere: *status 500*"]
    )
    remote.reset()
    narrowed = pytester.runpytest_inprocess(*FALLBACK, "--grounding-set=remote_retries=0", "-k", "a")
    assert narrowed.ret == pytest.ExitCode.TESTS_FAILED

    check = ["check", FILE, "--set=scorer=cohere", "--set=record=new", "--set=remote_retries=0"]
    remote.reset()
    capsys.readouterr()
    assert main(check) == 1
    assert "not judged by all that was asked for: a (cohere" in capsys.readouterr().out


def test_a_judge_that_fails_is_a_fallback_too(pytester, server):
    server.fault = answers(500, {"message": "boom"})
    pytester.path.joinpath(FILE).write_text(
        json.dumps(TRANSCRIPT | {"answer": "The office is painted blue [1]."})
    )
    arguments = ["--grounding-judge=cohere", "--grounding-record=new", "-p", "no:cacheprovider"]
    arguments += [f"--grounding-set={text}" for text in ("judge_scope=doubtful", "remote_retries=0")]
    result = pytester.runpytest_inprocess(*arguments)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["  1 transcript not judged by all that was asked for: a (cohere: *"])
