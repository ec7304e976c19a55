"""Which files of a folder are read, packed ones and Parquet among them."""

import gzip
import json
from pathlib import Path

import pytest
from counted_calls import calls_of
from every import each

from pytest_grounding.cli import main
from pytest_grounding.importers.searching import find_files
from pytest_grounding.testing import Example

FACT = "Refunds are paid within 14 days of the return."
NAME = "a.transcript.json"


def write(path, name=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    example = Example("How long do refunds take?", [FACT], id=name or path.name, score=0.9)
    text = json.dumps(example.answered(f"{FACT[:-1]} [1].")) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def names(folder):
    return [Path(file).relative_to(folder).as_posix() for file in find_files(folder)]


@pytest.mark.parametrize(
    "folder", ["build", "dist", "node_modules", "venv", ".tox", "some.egg", "deep/below/dist"]
)
def test_a_folder_that_pytest_skips_is_read_only_when_named(tmp_path, folder):
    write(tmp_path / NAME)
    write(tmp_path / folder / NAME)
    assert names(tmp_path) == [NAME]
    assert names(tmp_path / folder) == [NAME]


@each("pyvenv.cfg", "conda-meta/history")
def test_an_environment_of_any_name_is_skipped(sign, tmp_path):
    write(tmp_path / NAME)
    write(tmp_path / "env" / NAME)
    (tmp_path / "env" / sign).parent.mkdir(exist_ok=True)
    (tmp_path / "env" / sign).write_text("")
    assert names(tmp_path) == [NAME]


def test_links_to_folders_are_followed_once(tmp_path):
    write(tmp_path / "outside" / NAME)
    project = tmp_path / "project"
    write(project / "b" / NAME)
    for link in ("a", "c"):
        (project / link).symlink_to(tmp_path / "outside", target_is_directory=True)
    (project / "b" / "inner").symlink_to(project / "b", target_is_directory=True)
    (project / "b" / "top").symlink_to(tmp_path, target_is_directory=True)
    (project / "0").symlink_to(project / "b", target_is_directory=True)
    assert names(project) == [f"a/{NAME}", f"b/{NAME}"]
    (tmp_path / "link").symlink_to(project, target_is_directory=True)
    assert names(tmp_path / "link") == [f"a/{NAME}", f"b/{NAME}"]


def test_two_folders_that_link_to_each_other_end(tmp_path):
    for one, other in (("x", "y"), ("y", "x")):
        write(tmp_path / one / NAME)
        (tmp_path / one / "other").symlink_to(tmp_path / other, target_is_directory=True)
    assert names(tmp_path) == [f"x/{NAME}", f"y/{NAME}"]
    assert names(tmp_path / "x") == [NAME, f"other/{NAME}"]


def test_searching_is_linear_in_the_number_of_files(tmp_path):
    for number in range(40):
        write(tmp_path / f"{number:03}" / NAME)
    small = calls_of(lambda: find_files(tmp_path))
    for number in range(40, 160):
        write(tmp_path / f"{number:03}" / NAME)
    assert calls_of(lambda: find_files(tmp_path)) < 5 * small


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    write(tmp_path / "runs/a.transcripts.jsonl")
    return tmp_path


def test_a_skipped_recording_is_named(project, capsys):
    write(project / "runs/more.jsonl")
    openai = {"question": "x?", "response": {"object": "response", "output": []}}
    (project / "runs/traces.jsonl").write_text(json.dumps(openai) + "\n")
    assert main(["check", "runs"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "not read: runs/more.jsonl, runs/traces.jsonl (name it to read it)"
    ]


def test_a_recording_that_is_named_too_is_not_reported_as_skipped(project, capsys):
    write(project / "runs/more.jsonl")
    assert main(["check", "runs", "runs/m*.jsonl"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "transcripts: 2 " in captured.out


def test_files_that_are_not_recordings_are_not_reported(project, capsys):
    others = ['{"question": "How long?"}', '{"id": "a", "correct": true}', "[1]", "no JSON", "", "\xff"]
    for number, text in enumerate(others):
        (project / f"runs/{number}.jsonl").write_text(text + "\n", encoding="latin-1")
    (project / "runs/folder.jsonl").mkdir()
    (project / "runs/nowhere.jsonl").symlink_to(project / "gone")
    assert main(["check", "runs", "--set", "audit=runs/audit.jsonl"]) == 0
    assert main(["check", "runs"]) == 0
    assert capsys.readouterr().err == ""


def test_output_files_of_commands_are_not_read_as_recordings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    wrong = Example("How long do refunds take?", [FACT], id="wrong").answered(
        "Refunds are paid in 9 days [1]."
    )
    answers = write(tmp_path / "answers.jsonl", "right")
    answers.write_text(f"{answers.read_text()}{json.dumps(wrong)}\n")
    assert main(["init", "answers.jsonl"]) == 0
    checked = [
        "check",
        ".",
        "--set=audit=audit.jsonl",
        "--quiet",
        "--report=json:j.json",
        "--report=sarif:s.json",
    ]
    assert main([*checked, "--report=gitlab:g.json"]) == 0
    assert main(["waive", ".", "--id=wrong", "--number=1", "--reason=in force"]) == 0
    for command in (["mutate", ".", "--limit=1", "--json"], ["show", "schema"]):
        capsys.readouterr()
        assert main(command) == 0
        Path(f"{command[0]}.json").write_text(capsys.readouterr().out)
    # Twice in a row it is the same: none of these is read, written over, or named as left out.
    assert main(checked) == 0
    assert main(["baseline", "grounding.baseline.json", "."]) == 0
    assert capsys.readouterr().err == ""
    # The failure modes are answers too, and do not hide the others.
    assert names(tmp_path) == ["answers.jsonl", "failure-modes.jsonl"]
    assert sum(file.suffix in (".json", ".jsonl") for file in tmp_path.iterdir()) == 10


def test_a_recording_with_leading_other_fields_is_read(tmp_path):
    write(tmp_path / "kind.jsonl")
    (tmp_path / "other.json").write_text('{"$schema": "transcript.schema.json", "id": "a"}')
    (tmp_path / "labelled.jsonl").write_text('{"correct": true, "question": "Is it?", "answer": "Yes."}\n')
    assert names(tmp_path) == ["kind.jsonl", "labelled.jsonl", "other.json"]


zstandard = pytest.importorskip("zstandard")
pyarrow = pytest.importorskip("pyarrow")
CHUNKS = [{"id": "c1", "text": "Refunds are paid within 14 days of the return."}]
ASKED = {"question": "How long do refunds take?", "chunks": CHUNKS}
ROWS = [
    {
        "id": f"r{n:02}",
        **ASKED,
        "answer": f"Refunds are paid within {14 + 31 * (n % 2)} days of the return [1].",
    }
    for n in range(40)
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
PACKED = {
    "a.jsonl": LINES,
    "a.jsonl.gz": gzip.compress(LINES),
    "a.transcripts.jsonl.zst": zstandard.compress(LINES[:900]) + zstandard.compress(LINES[900:]),
}


@pytest.fixture
def statuses(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def found(*words):
        status = main(["check", *words, "--json"])
        told = capsys.readouterr()
        return status, [item["status"] for item in json.loads(told.out)["transcripts"]], told.err

    return found


def test_packed_lines_are_read_as_plain_ones_in_one_process_and_in_parts(statuses, tmp_path):
    for name, data in PACKED.items():
        (tmp_path / name).write_bytes(data)
        assert statuses(name) == (1, ["pass", "reject"] * 20, ""), name
    assert statuses("a.jsonl.gz", "--jobs", "1") == (1, ["pass", "reject"] * 20, "")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.transcripts.jsonl.gz").write_bytes(PACKED["a.jsonl.gz"])
    assert len(statuses("b")[1]) == 40


def test_parquet_holds_transcripts_or_rows_of_a_table(statuses, tmp_path):
    from pyarrow import parquet

    texts = [chunk["text"] for chunk in CHUNKS]
    shapes = [ROWS, [{**row, "chunks": json.dumps(row["chunks"])} for row in ROWS]]
    shapes += [[{**row, "chunks": None, "contexts": texts} for row in ROWS]]
    for rows in shapes:
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=7)
        assert statuses("a.parquet")[:2] == (1, ["pass", "reject"] * 20)


@pytest.mark.parametrize("words", [(), ("--jobs", "1")])
@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.transcripts.jsonl.zst"])
def test_a_packed_file_that_is_cut_off_fails_the_check(statuses, tmp_path, name, words):
    data = PACKED[name]
    (tmp_path / name).write_bytes(data[: len(data) * 2 // 3])
    status, _, said = statuses(name, *words)
    assert status == 2
    assert f"{name}: cannot be unpacked" in said
    assert "it is cut off or damaged" in said


def test_a_packed_table_is_read_and_a_damaged_file_in_a_folder_is_one_sentence(statuses, tmp_path):
    table = "question,answer,contexts\n" + f"{ASKED['question']},{CHUNKS[0]['text']},{CHUNKS[0]['text']}\n"
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(table.encode()))
    assert statuses("a.csv.gz")[:2] == (0, ["pass"])
    data = bytearray(PACKED["a.jsonl.gz"])
    data[40:90] = b"\xff" * 50
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.jsonl.gz").write_bytes(data)
    status, _, said = statuses("b")
    assert status == 2
    assert "b.jsonl.gz: cannot be unpacked" in said
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no table PAR1")
    status, found, said = statuses("bad.parquet")
    assert (status, found) == (2, [])
    assert "bad.parquet: cannot be read as Parquet" in said
