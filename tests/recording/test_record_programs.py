"""Programs are run once, what they say is kept at once, and replayed from then on."""

import asyncio
import json
import os
import subprocess
import threading
from pathlib import Path

import pytest
import warm_starts
from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.engine.recording import Question, file_name, identifier, read_questions
from pytest_grounding.errors import InputError, RecordingError

CHUNKS = [{"id": "c1", "text": "Refunds take 30 days."}]


class Program:
    """Answers with a number that grows, and remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, question):
        self.asked.append(question)
        return {"chunks": CHUNKS, "answer": f"Answer {len(self.asked)}: 30 days [1]."}


def test_a_program_is_called_once_and_then_replayed(tmp_path):
    program = Program()
    (recorded,) = pg.record(program, "How long?", to=tmp_path)
    (replayed,) = pg.record(program, "How long?", to=tmp_path)
    (in_ci,) = pg.record(None, "How long?", to=tmp_path, mode="none")
    assert program.asked == ["How long?"]
    assert recorded == replayed == in_ci
    assert recorded.question == "How long?"
    assert recorded.id == identifier("How long?")
    assert recorded.metadata["recorded_at"].endswith("+00:00")
    (file,) = tmp_path.iterdir()
    assert file.name == f"{recorded.id}.transcript.json"
    assert pg.load_transcripts(tmp_path) == [recorded]


def test_a_program_is_not_called_when_its_answer_cannot_be_stored(tmp_path):
    program = Program()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file.folder: recordings cannot be kept there \(Not a directory\)"):
        pg.record(program, ["How long?", "How much?"], to=tmp_path / "file" / "folder")
    assert program.asked == []


def test_a_missing_recording_says_what_to_do_and_the_program_is_not_called(tmp_path):
    program = Program()
    with pytest.raises(InputError, match=r"nothing is recorded for 'How long.'.*--grounding-record=new"):
        pg.record(program, "How long?", to=tmp_path, mode="none")
    assert program.asked == []
    assert list(tmp_path.iterdir()) == []


def test_a_changed_question_is_recorded_again(tmp_path):
    program = Program()
    pg.record(program, "How long?", to=tmp_path, id="refund")
    with pytest.raises(InputError, match=r"recording of another question: 'How long.'"):
        pg.record(program, "How much?", to=tmp_path, id="refund", mode="none")
    (new,) = pg.record(program, "How much?", to=tmp_path, id="refund")
    assert (new.question, program.asked) == ("How much?", ["How long?", "How much?"])


def test_a_renamed_recording_is_not_used(tmp_path):
    program = Program()
    pg.record(program, "How long?", to=tmp_path, id="one")
    (file,) = tmp_path.iterdir()
    other = file.rename(tmp_path / "two.transcript.json")
    with pytest.raises(InputError, match="is the recording of another transcript: 'one'"):
        pg.record(None, "How long?", to=tmp_path, id="two", mode="none")
    (found,) = pg.record(program, "How long?", to=tmp_path, id="two")
    assert found.id == "two"
    assert len(program.asked) == 2
    assert json.loads(other.read_text(encoding="utf-8"))["id"] == "two"


def test_repeats_keep_as_many_answers(tmp_path):
    program = Program()
    recorded = pg.record(program, "How long?", to=tmp_path, id="refund", repeats=3)
    assert [item.id for item in recorded] == ["refund#1", "refund#2", "refund#3"]
    assert len({item.answer for item in recorded}) == 3
    assert pg.record(None, "How long?", to=tmp_path, id="refund", repeats=3, mode="none") == recorded
    more = pg.record(program, "How long?", to=tmp_path, id="refund", repeats=4)
    assert more[:3] == recorded
    assert len(program.asked) == 4


def test_coroutines_share_one_loop_even_inside_a_running_one(tmp_path):
    loops = set()

    async def answer(question):
        loops.add(id(asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return {"chunks": CHUNKS, "answer": f"{question} 30 days [1]."}

    async def inside():
        return pg.record(answer, ["a?", "b?", "c?"], to=tmp_path, concurrency=2)

    recorded = asyncio.run(inside())
    assert [item.question for item in recorded] == ["a?", "b?", "c?"]
    assert len(loops) == 1
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]


def test_what_a_program_may_return(tmp_path):
    native = {"id": "own", "question": "How long?", "chunks": CHUNKS, "answer": "30 days [1]."}
    (one,) = pg.record(lambda _: pg.Transcript.model_validate(native), "How long?", to=tmp_path, id="x")
    (two,) = pg.record(lambda _: native, "How long?", to=tmp_path, id="y")
    assert (one.id, two.id) == ("x", "y")
    assert one.answer == two.answer == "30 days [1]."

    class Foreign:
        name = "foreign"

        def recognises(self, value):
            return isinstance(value, dict) and "said" in value

        def convert(self, value):
            yield {"chunks": CHUNKS, "answer": value["said"]}

    class Extension:
        @staticmethod
        @pg.hookimpl
        def pytest_grounding_importers():
            return [Foreign()]

    extension = Extension()
    pg.register(extension)
    try:
        (three,) = pg.record(lambda _: {"said": "30 days."}, "How long?", to=tmp_path, id="z")
    finally:
        pg.unregister(extension)
    assert three.answer == "30 days."


@each(
    ("30 days", "the program returned str"),
    (None, "the program returned NoneType"),
    ({"answer": "x"}, "chunks: is missing"),
    ({"question": "Other?", "chunks": [], "answer": "x"}, "answered another question: 'Other.'"),
)
def test_a_wrong_return_value_is_refused(returned, words, tmp_path):
    with pytest.raises(InputError, match=words):
        pg.record(lambda _: returned, "How long?", to=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_question_brings_language_filters_and_metadata(tmp_path):
    question = {
        "question": "Wie lange?",
        "id": "q",
        "language": "de",
        "filters": {"year": 2},
        "metadata": {"a": 1},
    }
    (recorded,) = pg.record(Program(), question, to=tmp_path)
    assert (recorded.language, recorded.filters, recorded.metadata["a"]) == ("de", {"year": 2}, 1)
    with pytest.raises(InputError, match="quesiton"):
        pg.record(Program(), {"question": "x?", "quesiton": "y"}, to=tmp_path)


@each(1, 3)
def test_a_failure_keeps_the_other_recordings(concurrency, tmp_path):

    def answer(question):
        if question == "bad?":
            raise ConnectionError("away")
        return {"chunks": CHUNKS, "answer": "30 days [1]."}

    with pytest.raises(RecordingError, match=r"bad-\w+ could not be recorded: ConnectionError: away \(3 are"):
        pg.record(answer, ["a?", "bad?", "b?", "c?"], to=tmp_path, concurrency=concurrency)
    assert len(pg.load_transcripts(tmp_path)) == 3
    with pytest.raises(RecordingError):
        pg.record(answer, ["a?", "bad?", "b?", "c?"], to=tmp_path)


def test_concurrency_limits_simultaneous_calls(tmp_path):
    now, most, lock = 0, 0, threading.Lock()
    barrier = threading.Barrier(3, timeout=10)

    def answer(question):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        barrier.wait()  # passes only when three calls are under way at once
        with lock:
            now -= 1
        return {"chunks": CHUNKS, "answer": "30 days [1]."}

    pg.record(answer, [f"q{number}?" for number in range(9)], to=tmp_path, concurrency=3)
    assert most == 3


@given(st.text(min_size=1, max_size=150), st.text(min_size=1, max_size=150))
def test_file_names_are_plain_and_unique(one, two):
    names = [file_name(one), file_name(two)]
    for name in names:
        assert name
        assert len(name) <= 120
        assert not set(name) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
        assert not name.startswith(("-", "."))
    assert (names[0].lower() == names[1].lower()) == (one == two)


def test_two_questions_with_one_id_are_an_error(tmp_path):
    with pytest.raises(pg.DuplicateIdError):
        pg.record(Program(), ["a?", "a?"], to=tmp_path)
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "a?", "id": "x"}\n"b?"\n{"question": "c?", "id": "x"}\n')
    with pytest.raises(pg.DuplicateIdError, match=r"q.jsonl:3: 'x' is the id of the question on line 1"):
        read_questions(path)
    path.write_text('{"question": "a?"}\n"b?"\n')
    assert [item.text for item in read_questions(path)] == ["a?", "b?"]
    path.write_text('{"question": "a?"}\n{"q": 1}\n')
    with pytest.raises(InputError, match=r"q.jsonl:2: question: has no question"):
        read_questions(path)
    assert Question.of("a?") == Question.of({"question": "a?"})


APP = """
import os

def answer(question):
    with open("asked.txt", "a") as stream:
        stream.write(question + "\\n")
    if question in os.environ.get("FAIL", "").split(","):
        raise RuntimeError("no answer today")
    chunks = [{"id": "c1", "text": "It takes 3 days."}]
    return {"chunks": chunks, "answer": question + " It takes 3 days [1]."}

"""


@pytest.fixture
def app(tmp_path):
    (tmp_path / "app.py").write_text(APP)
    lines = [json.dumps({"question": f"q{number}?", "id": f"q{number}"}) + "\n" for number in range(6)]
    (tmp_path / "questions.jsonl").write_text("".join(lines))
    return tmp_path


def command(folder, *arguments, **environ):
    environment = {**os.environ, **environ}
    environment.pop("CI", None)
    words = [
        warm_starts.python(),
        "-m",
        "pytest_grounding",
        "record",
        "app:answer",
        "questions.jsonl",
        "-o",
        "out",
    ]
    return subprocess.run(
        [*words, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def asked(folder):
    return (folder / "asked.txt").read_text().split()


def test_the_command_continues_where_it_stopped(app):
    first = command(app, "--concurrency", "2", FAIL="q2?,q4?")
    assert first.returncode == 1, first.stderr
    assert "q2: RuntimeError: no answer today" in first.stderr
    assert "4 recorded, 0 were there already, 2 failed" in first.stdout
    second = command(app)
    assert second.returncode == 0, second.stderr
    assert second.stderr == ""
    assert "2 recorded, 4 were there already" in second.stdout
    assert sorted(asked(app)) == sorted([*(f"q{number}?" for number in range(6)), "q2?", "q4?"])
    assert len(pg.load_transcripts(app / "out")) == 6
    again = command(app, "--all", "--repeats", "1")
    assert "6 recorded" in again.stdout


@pytest.mark.parametrize(
    ("program", "words"),
    [("app", "names no program"), ("nothere:x", "cannot be loaded"), ("app:os", "cannot be called")],
)
def test_a_wrong_program_is_wrong_usage(app, program, words):
    done = subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "record", program, "questions.jsonl", "-o", "out"],
        cwd=app,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert not Path(app / "out").exists()


TEST = """
import json
import pytest
from pytest_grounding import assert_grounded

calls = []

def answer(question):
    with open("calls.txt", "a") as stream:
        stream.write("x")
    return {"chunks": [{"id": "c1", "text": "Refunds take 30 days."}], "answer": "Refunds take 30 days [1]."}

def test_refunds(record_transcript):
    transcript = record_transcript(answer, "How long do refunds take?", id="refunds")
    assert_grounded(transcript)

def test_several(record_transcript):
    first, second = record_transcript(answer, "How long do refunds take?", id="twice", repeats=2)
    assert first.id != second.id
"""


def test_the_fixture_replays_unless_told_to_record(pytester, monkeypatch):
    for name in ("CI", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makepyfile(test_app=TEST)
    calls = pytester.path / "calls.txt"
    missing = pytester.runpytest("-p", "no:cacheprovider")
    missing.assert_outcomes(failed=2)
    missing.stdout.fnmatch_lines(
        ["*nothing is recorded for 'How long do refunds take?'*--grounding-record=new*"]
    )
    missing.stdout.no_fnmatch_line("*pytest_grounding/engine/recording/*")
    assert not calls.exists()
    pytester.runpytest("--grounding-record=new", "-p", "no:cacheprovider").assert_outcomes(passed=2)
    assert calls.read_text() == "xxx"
    files = sorted(file.name for file in (pytester.path / "recordings").iterdir())
    assert len(files) == 3
    assert "refunds.json" in files
    replay = pytester.runpytest("-p", "no:cacheprovider")
    replay.assert_outcomes(passed=2)
    assert calls.read_text() == "xxx"
    pytester.runpytest("--grounding-record=all", "-p", "no:cacheprovider").assert_outcomes(passed=2)
    assert calls.read_text() == "xxxxxx"


def test_a_program_that_ends_the_process_has_failed(tmp_path):
    def leaves(question):
        raise SystemExit(3) if "late" in question else ValueError("no")

    with pytest.raises(RecordingError, match="SystemExit: 3"):
        pg.record(leaves, "How late?", to=tmp_path)


def test_no_question_at_all_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="has no question"):
        pg.record(Program(), None, to=tmp_path)


@each("", '{"id": ')
def test_a_recording_that_cannot_be_read_says_what_to_do(content, tmp_path):
    program = Program()
    pg.record(program, "How long?", to=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(content)
    with pytest.raises(InputError, match=r"remove it and record it anew with: pytest --grounding-record=new"):
        pg.record(program, "How long?", to=tmp_path)
    file.unlink()
    pg.record(program, "How long?", to=tmp_path)
    assert len(program.asked) == 2


def test_a_long_question_is_not_repeated_whole(tmp_path):
    with pytest.raises(InputError) as caught:
        pg.record(None, "long " * 300, to=tmp_path, mode="none")
    assert len(caught.value.problem) < 300


def test_a_file_of_plain_questions_is_refused_with_an_example(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text("How long do refunds take?\n")
    with pytest.raises(InputError, match=r"questions\.jsonl:1: is not JSON.*a text in quotation marks"):
        read_questions(file)


def test_a_module_that_fails_is_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("failing_app.py").write_text("raise RuntimeError('no model')\n")
    Path("q.jsonl").write_text('"How long?"\n')
    assert main(["record", "failing_app:answer", "q.jsonl", "-o", "out"]) == 2
    assert "cannot be loaded: RuntimeError: no model" in capsys.readouterr().err


def test_two_questions_of_a_run_do_not_share_one_recording(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(
        test_app="""
        import pytest

        def answer(question):
            return {"chunks": ["Refunds take 30 days."], "answer": "30 days [1]."}

        @pytest.mark.parametrize("question", ["How long?", "How much?"])
        def test_it(record_transcript, question):
            record_transcript(answer, question, id="refunds")
        """
    )
    result = pytester.runpytest("--grounding-record=new", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*'refunds' is the recording of 'How long?' in this run*leave out id*"])
    assert json.loads(Path("recordings/refunds.json").read_text())["question"] == "How long?"


def test_recording_again_rewrites_only_what_changed(tmp_path, capsys):
    answers = {"a?": "30 days [1].", "b?": "14 days [1]."}

    def program(question):
        return {"chunks": CHUNKS, "answer": answers[question], "metadata": {"recorded_at": next(days)}}

    days = iter(["2026-01-01", "2026-01-01", "2026-02-01", "2026-02-01"])
    before = pg.record(program, list(answers), to=tmp_path, mode="all")
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    answers["b?"] = "15 days [1]."
    after = pg.record(program, list(answers), to=tmp_path, mode="all")
    changed = [path.name for path in tmp_path.iterdir() if path.read_bytes() != files[path.name]]
    assert changed == [f"{identifier('b?')}.transcript.json"]
    assert [item.metadata["recorded_at"] for item in after] == ["2026-01-01", "2026-02-01"]
    later = after[0].model_copy(update={"metadata": {"recorded_at": "2027-01-01"}})
    hashes = [pg.validate(item).transcript_hash for item in (before[0], later, after[1])]
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_time_of_a_recording_counts_where_a_chunk_is_valid_for_a_time():
    row = {"id": "a", "question": "How long?", "answer": "30 days [1]."}
    chunk = {**CHUNKS[0], "metadata": {"valid_until": "2026-06-01"}}
    hashes = {
        pg.validate({**row, "chunks": [chunk], "metadata": {"recorded_at": day}}).transcript_hash
        for day in ("2026-05-01", "2026-07-01")
    }
    assert len(hashes) == 2
