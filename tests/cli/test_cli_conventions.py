"""What holds for every command: streams, JSON, colours, misspelt names, interruption."""

import io
import json
import os
import signal
import subprocess
import sys

import pytest
import warm_starts

from pytest_grounding import __version__
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.cli import check, init, main, mcp_tools, parser
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.mutation.mutate_files import DEFAULT_LIMIT
from pytest_grounding.testing import Example

REFUNDS = Example("How long do refunds take?", ["Refunds are paid within 14 days of the return."])
GOOD = REFUNDS.answered("Refunds are paid within 14 days of the return [1].", id="good")
BAD = REFUNDS.answered("Refunds are paid within 45 days of the return [1].", id="bad")
KURZ = Example("Wann öffnet das Museum?", ["Das Museum öffnet um 9 Uhr."], id="kürzer").answered(
    "Das Museum öffnet um 9 Uhr [1]."
)


def command(*words, given="", cwd=None):
    return subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", *words],
        input=given,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def stdin(monkeypatch):
    """Lets the process at hand read a text from standard input."""

    def give(text):
        stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding="ascii")
        monkeypatch.setattr(sys, "stdin", stream)

    return give


def lines(*values):
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def test_check_reads_an_array_from_standard_input(stdin, capsys):
    stdin(json.dumps([GOOD, KURZ]))
    assert main(["check", "--json", "-"]) == 0
    assert [item["id"] for item in json.loads(capsys.readouterr().out)["transcripts"]] == ["good", "kürzer"]


def test_commands_work_in_a_pipe(tmp_path):
    converted = command("show", "transcripts", "-o", "-", "-", given=lines(GOOD, BAD), cwd=tmp_path)
    assert (converted.returncode, converted.stderr) == (0, "2 transcripts were written to -, with 0 notes\n")
    checked = command("check", "--json", "-", given=converted.stdout, cwd=tmp_path)
    assert checked.returncode == 1
    why = command("explain", "--id", "bad", "-", given=converted.stdout, cwd=tmp_path)
    assert "45 days" in why.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_version_names_the_engine(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"pytest-grounding {__version__} (engine {ENGINE_VERSION})\n"


FACT = "Rückgaben werden binnen 14 Tagen bezahlt – 日本語 \U0001f600."
SEEN = "日本"


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("suite")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    example = Example(f"Wie lange – {SEEN}?", [FACT], id=f"ü{SEEN}\U0001f600", score=0.9)
    value = example.answered(
        f"Rückgaben werden binnen 14 Tagen bezahlt [1]. Straßen – {SEEN} \U0001f600 sind blau."
    )
    (tmp_path / "a.transcripts.jsonl").write_text(json.dumps(value) + "\n")
    (tmp_path / "run.json").write_bytes(shell(tmp_path, "check . --json").stdout)
    return tmp_path


def shell(folder, words, **environment):
    # A warm start would inherit the streams of its parent.
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; "$0" -m pytest_grounding {words}', sys.executable],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    "words",
    [
        "check . --json",
        "show transcripts a.transcripts.jsonl -o -",
        "merge run.json --report sarif:-",
    ],
)
def test_output_for_programs_is_utf8_in_every_locale(suite, words):
    told = shell(suite, words, PYTHONIOENCODING="cp1252")
    text = json.dumps(json.loads(told.stdout), ensure_ascii=False)
    assert SEEN in text
    assert told.returncode in (0, 1)


def test_escapes_letters_that_the_locale_lacks(suite):
    told = shell(suite, "show clean . --text", PYTHONIOENCODING="cp1252").stdout.decode("cp1252")
    assert told.startswith("Rückgaben werden binnen 14 Tagen bezahlt [1]. Straßen – \\u65e5\\u672c")


@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("check .", ">&-"),
        ("check . --json", "| head -c1"),
        ("show clean .", "<&- >&- 2>&-"),
        ("show transcripts - -o -", "<&-"),
        ("--help", ">&-"),
    ],
)
def test_a_closed_stream_ends_without_a_traceback(suite, words, closed):
    told = shell(suite, f"{words} {closed}")
    assert b"Traceback" not in told.stderr
    assert b"Exception ignored" not in told.stderr
    assert told.returncode in (0, 1, 2, 141)


def test_closed_streams_do_not_change_the_verdict(suite):
    open_, closed = (
        shell(suite, f"check . --report json:{name}.json {sign}")
        for name, sign in [("a", ""), ("b", ">&- 2>&-")]
    )
    assert open_.returncode == closed.returncode == 1
    assert (suite / "b.json").read_bytes() == (suite / "a.json").read_bytes()


#: Stops halfway through writing a file and waits.
HALFWAY = """
import sys, threading
from pytest_grounding._io import jsonio
from pytest_grounding.cli import main, schema

def run(args):
    with jsonio.atomic_writer("out.json") as file:
        file.write("half")
        print("halfway", flush=True)
        threading.Event().wait(60)

schema.run = run
sys.exit(main(["show", "schema"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without a word to it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_command_leaves_no_half_written_file(tmp_path, number):
    (tmp_path / "out.json").write_text("as it was")
    with subprocess.Popen(
        [sys.executable, "-c", HALFWAY],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell starts background processes with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout.readline() == b"halfway\n"
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
    assert (process.returncode, errors) == (128 + number, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert (tmp_path / "out.json").read_text() == "as it was"


def test_the_table_of_arguments_repeats_the_constants_of_the_commands():
    rows = rows_beside(parser.__file__, "arguments.tsv")
    said = {f"{command} {names}": f"{more} {text}" for command, names, _, _, more, text in rows}
    for name, constant in (("mcp_tools --max-total", mcp_tools.MOST), ("mutate --limit", DEFAULT_LIMIT)):
        assert said[name].startswith(f"default={constant} ")
        assert said[name].endswith(f"(default: {constant})")
    assert f"choices=auto,{','.join(init._BUILDS)},none " in said["init --ci"]
    assert said["check --jobs -j"].endswith(f"(variable: {check.VARIABLE})")
