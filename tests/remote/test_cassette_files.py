"""The file of a cassette: written, merged, and refused where it cannot be read."""

import json
import multiprocessing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import answers

from pytest_grounding.cli import main
from pytest_grounding.errors import CassetteError, ScorerError, UnreadableCassetteError
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import CassetteRecord, Request, Store, Tape, parse_line

texts = st.dictionaries(st.sampled_from(["query", "document", "text"]), st.text(max_size=30), max_size=3)
replies = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(lambda value: {"score": value}),
    st.text(max_size=20).map(lambda text: {"value": text}),
)


def request(number, **changes):
    values = {"scorer": "s", "model": "m", "parameters": {"a": 1}, "texts": {"query": f"q{number}"}}
    return Request(**{**values, **changes})


def record(number, reply=None, day="2026-01-02"):
    return CassetteRecord(request(number), {"n": number} if reply is None else reply, day)


@given(texts, replies)
def test_reads_a_line_as_written(parts, reply):
    written = CassetteRecord(Request("s", "m", {"b": [1, {"c": None}]}, parts), reply, "2026-01-02")
    line = written.line()
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert line.startswith(f'{{"key":"{written.key}"')
    read = parse_line(line)
    assert (read.key, read.reply, read.recorded) == (written.key, reply, "2026-01-02")
    assert dict(read.request.texts) == parts


def test_all_parts_of_a_request_change_its_key():
    changes = [{"scorer": "t"}, {"model": "n"}, {"parameters": {"a": 2}}]
    changes += [{"texts": texts} for texts in ({"document": "q1"}, {"query": "q1 "}, {"query": "Q1"})]
    requests = [request(1), request(2), *(request(1, **change) for change in changes)]
    assert len({item.key for item in requests}) == len(requests)
    assert request(1).key == request(1, texts={"query": "q1"}).key


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.booleans()), max_size=30))
def test_keeps_one_record_per_key_after_any_appends_and_merges(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("cassette") / "c.jsonl"
    stores = [Store(path) for _ in range(2)]
    first = {}
    for number, reply, merge in steps:
        store = stores[reply % 2]
        item = record(number, {"reply": reply})
        (kept,) = store.append([item], replace=False)
        assert kept.reply == first.setdefault(item.key, item.reply)
        if merge:
            store.compact()
    for store in stores:
        assert {item.key: item.reply for item in store.records()} == first
    stores[0].compact()
    if steps:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines == sorted(lines)
        assert len(lines) == len(first)
    assert [file.name for file in path.parent.iterdir()] == (["c.jsonl"] if steps else [])


def test_only_recording_anew_replaces_a_record(tmp_path):
    store = Store(tmp_path / "c.jsonl")
    store.append([record(1, {"n": "old"})], replace=False)
    assert store.append([record(1, {"n": "new"})], replace=False)[0].reply == {"n": "old"}
    store.compact()
    assert store.append([record(1, {"n": "new"})], replace=True)[0].reply == {"n": "new"}
    assert Store(store.path).get(record(1).key).reply == {"n": "new"}
    store.compact()
    assert Store(store.path).get(record(1).key).reply == {"n": "new"}
    assert len(store) == 1


@pytest.mark.parametrize("length", [1, 30, 120, -2])
def test_ignores_half_a_line_at_the_end_of_a_journal(tmp_path, length):
    store = Store(tmp_path / "c.jsonl")
    store.append([record(1)], replace=False)
    with open(store.journal, "ab") as stream:
        stream.write(record(2).line().encode()[:length])
    assert [item.key for item in Store(store.path).records()] == [record(1).key]
    Store(store.path).append([record(3)], replace=False)
    fresh = Store(store.path)
    assert {item.key for item in fresh.records()} == {record(1).key, record(3).key}
    fresh.append([record(2)], replace=False)
    fresh.compact()
    assert len(Store(store.path)) == 3


def test_the_younger_of_two_records_wins(tmp_path):
    path = tmp_path / "c.jsonl"
    old, new = record(1, {"n": "old"}, "2026-01-01"), record(1, {"n": "new"}, "2026-03-01")
    for lines in ([old, new], [new, old]):
        path.write_text("".join(item.line() for item in lines), encoding="utf-8")
        assert Store(path).get(old.key).reply == {"n": "new"}


def test_reads_windows_line_ends(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_bytes(record(1).line().replace("\n", "\r\n").encode())
    assert Store(path).get(record(1).key).reply == {"n": 1}


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda text: text + "<<<<<<< ours\n", "c.jsonl:2: .*merge that is not settled"),
        (lambda text: text + "{}\n", "c.jsonl:2: is not a record"),
        (lambda text: text.replace("q1", "q7"), "c.jsonl:1: its key does not fit"),
    ],
)
def test_names_the_damaged_line(tmp_path, damage, words):
    path = tmp_path / "c.jsonl"
    path.write_text(damage(record(1).line()), encoding="utf-8")
    with pytest.raises(UnreadableCassetteError, match=words):
        Store(path).get(record(1).key)


def test_a_replay_writes_nothing_and_takes_no_lock(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(record(1).line(), encoding="utf-8")
    tape = Tape(path, "none")
    assert tape.ask([request(1)], lambda _: pytest.fail("asked")) == [{"n": 1}]
    with pytest.raises(CassetteError):
        tape.ask([request(2)], lambda _: pytest.fail("asked"))
    tape.compact()
    assert [file.name for file in tmp_path.iterdir()] == ["c.jsonl"]


def test_asks_equal_requests_once(tmp_path):
    asked = []

    def call(requests):
        asked.append([item.texts["query"] for item in requests])
        return [{"n": item.texts["query"]} for item in requests]

    tape = Tape(tmp_path / "c.jsonl", "new")
    assert tape.ask([request(1), request(2), request(1)], call) == [{"n": "q1"}, {"n": "q2"}, {"n": "q1"}]
    assert tape.ask([request(2), request(3)], call) == [{"n": "q2"}, {"n": "q3"}]
    assert asked == [["q1", "q2"], ["q3"]]
    anew = Tape(tmp_path / "c.jsonl", "all")
    anew.ask([request(1)], call)
    anew.ask([request(1)], call)
    assert asked[2:] == [["q1"]]


def test_does_not_record_a_rejected_reply(tmp_path):
    def check(reply):
        raise ScorerError("no")

    tape = Tape(tmp_path / "c.jsonl", "new")
    with pytest.raises(ScorerError, match="no"):
        tape.ask([request(1)], lambda _: [{"n": 1}], check=check)
    with pytest.raises(ValueError, match="JSON"):
        tape.ask([request(1)], lambda _: [{"n": float("nan")}])
    assert list(tmp_path.iterdir()) == []


def _write(path, worker, count, shared):
    tape = Tape(path, "new")
    for number in range(count):
        tape.ask([request(f"{worker}-{number}")], lambda _, n=number: [{"worker": worker, "n": n}])
        tape.ask([request(f"shared-{number % shared}")], lambda _: [{"worker": worker}])
    tape.compact()


def test_concurrent_processes_lose_and_duplicate_nothing(tmp_path):
    path, count, shared = tmp_path / "c.jsonl", 40, 7
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(path, number, count, shared)) for number in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    keys = [json.loads(line)["key"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert keys == sorted(set(keys))
    assert len(keys) == 2 * count + shared
    assert [file.name for file in tmp_path.iterdir()] == ["c.jsonl"]


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
LINE = CassetteRecord(Request("cohere.rerank", "m", {}, {"query": "q"}), {"score": 0.5}, "2026-01-02").line()

#: Content of the damaged file, and what the message says.
DAMAGE = {
    "no JSON": (b"garbage{", ":1: is not a record"),
    "cut off": (LINE.encode() + LINE.encode()[:90], ":2: is not a record"),
    "binary": (LINE.encode() + b"\x89PNG\xff\xfe\x00", ":2: is not text"),
    "a merge": (
        f"<<<<<<< ours\n{LINE}=======\n{LINE}>>>>>>> theirs\n".encode(),
        ":1: contains a mark of a merge",
    ),
    "another file": (b'{"a": 1}\n', ":1: is not a record"),
    "a folder": (None, ": cannot be read"),
}


def damaged(folder, data):
    folder.joinpath(FILE).write_text(json.dumps(TRANSCRIPT))
    path = folder / CASSETTE
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "option", "mode"),
    list(
        zip(
            DAMAGE,
            ["scorer=cohere", "scorer=cohere-embed", "judge=cohere"] * 2,
            ["none", "new"] * 3,
            strict=True,
        )
    ),
)
def test_a_damaged_cassette_is_a_usage_error_before_the_first_test(pytester, capsys, damage, option, mode):
    data, words = DAMAGE[damage]
    damaged(pytester.path, data)
    result = pytester.runpytest_inprocess(f"--grounding-set={option}", f"--grounding-record={mode}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in result.stderr.lines if "grounding:" in line]
    assert f"{CASSETTE}{words}" in line
    result.assert_outcomes()
    capsys.readouterr()
    assert main(["check", FILE, "--set", option, "--set", f"record={mode}"]) == 2
    printed = capsys.readouterr()
    assert f"{CASSETTE}{words}" in printed.err
    assert len(printed.err.splitlines()) == 1
    assert "gate" not in printed.out


@pytest.mark.parametrize(("data", "words"), [DAMAGE["cut off"], DAMAGE["a folder"]])
def test_workers_and_assertions_report_a_damaged_cassette(pytester, data, words):
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


def test_ignores_a_damaged_cassette_that_no_service_needs(pytester):
    damaged(pytester.path, b"garbage{")
    assert pytester.runpytest_inprocess("-p", "no:cacheprovider").ret == 0


FALLBACK = ("--grounding-scorer=cohere", "--grounding-record=new", "-p", "no:cacheprovider")


def test_a_fallback_fails_the_gate_and_is_reported(pytester, server, capsys):
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


def test_a_failing_judge_fails_the_gate_too(pytester, server):
    server.fault = answers(500, {"message": "boom"})
    pytester.path.joinpath(FILE).write_text(
        json.dumps(TRANSCRIPT | {"answer": "The office is painted blue [1]."})
    )
    arguments = ["--grounding-judge=cohere", "--grounding-record=new", "-p", "no:cacheprovider"]
    arguments += [f"--grounding-set={text}" for text in ("judge_scope=doubtful", "remote_retries=0")]
    result = pytester.runpytest_inprocess(*arguments)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["  1 transcript not judged by all that was asked for: a (cohere: *"])
