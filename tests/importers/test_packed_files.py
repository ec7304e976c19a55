"""Packed files and Parquet are read as they are; one that is cut off is an error, not a shorter file."""

import gzip
import json

import pytest

from pytest_grounding.cli import main

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
        for words in ((), ("--jobs", "1")):
            assert statuses(name, *words) == (1, ["pass", "reject"] * 20, ""), name
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
