"""What was torn, cut off or in the way is repaired or noted, and nothing that was acknowledged is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from made_verdicts import claim, verdict

import pytest_grounding as pg
from pytest_grounding.audit.files import Files, head_of, read_tail, tail_of
from pytest_grounding.audit.writing import DEADLINE_S


def made(path: Path, names: str = "abc", **more: int) -> pg.AuditLog:
    log = pg.AuditLog(path, required=True, **more)
    for name in names:
        log.append(verdict(name))
    return log


def names_in(log: pg.AuditLog) -> list[str]:
    return [record.transcript_id for record in log.records()]


def kinds_in(log: pg.AuditLog) -> list[str]:
    return [entry.kind for entry in log.entries()]


def test_a_line_that_was_never_finished_is_repaired_wherever_it_stopped(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl", "ab")
    whole = log.path.read_bytes()
    head = log.path.with_name("audit.jsonl.head")
    before = head.read_bytes()
    log.append(verdict("c"))
    line = log.path.read_bytes()[len(whole) :]
    # The head is written after the line: a writer that is killed in the line leaves the head as it was.
    for length in [*range(1, len(line), 7), len(line) - 1]:
        log.path.write_bytes(whole + line[:length])
        head.write_bytes(before)
        assert names_in(log) == ["a", "b"]
        torn = log.verify()
        assert [(item.line, item.message.split(":")[0]) for item in torn.damage] == [(3, "is torn")]
        record = log.append(verdict("d"))
        assert record is not None
        assert log.path.read_bytes().startswith(whole)
        assert kinds_in(log) == ["validation", "validation", "repaired", "validation"]
        note = list(log.entries())[2]
        assert note.kind == "repaired"
        assert note.details["bytes"] == length
        assert note.details["text"].encode() == line[:length]
        assert names_in(log) == ["a", "b", "d"]
        assert log.verify().is_intact


def test_a_writer_that_was_killed_before_it_wrote_the_head_has_lost_nothing(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl", "ab")
    head = log.path.with_name("audit.jsonl.head")
    before = head.read_bytes()
    log.append(verdict("c"))
    head.write_bytes(before)
    assert log.verify().is_intact
    log.append(verdict("d"))
    assert names_in(log) == ["a", "b", "c", "d"]
    assert log.verify().is_intact
    assert head.read_bytes() != before


@pytest.mark.parametrize("content", [b"", b"12 abc\n", b"\xff" * 86, b"0" * 500])
def test_a_head_that_cannot_be_read_stops_nobody(tmp_path: Path, content: bytes) -> None:
    log = made(tmp_path / "audit.jsonl", "ab")
    head = log.path.with_name("audit.jsonl.head")
    head.write_bytes(content)
    (remark,) = log.verify().remarks
    assert "cannot be told" in remark
    record = log.append(verdict("c"))
    assert record is not None
    assert head_of(head) == (3, record.hash)
    assert names_in(log) == ["a", "b", "c"]
    assert log.verify().remarks == []


def cut_lines(log: pg.AuditLog) -> None:
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join(lines[:1]))


def cut_into_a_line(log: pg.AuditLog) -> None:
    log.path.write_bytes(log.path.read_bytes()[:-5])


def empty(log: pg.AuditLog) -> None:
    log.path.write_bytes(b"")


def remove(log: pg.AuditLog) -> None:
    log.path.unlink()


@pytest.mark.parametrize(
    ("damage", "missing"), [(cut_lines, 2), (cut_into_a_line, 1), (empty, 3), (remove, 3)]
)
def test_an_end_that_was_cut_off_is_found_at_once_and_for_ever(
    tmp_path: Path, damage: Callable[[pg.AuditLog], None], missing: int
) -> None:
    log = made(tmp_path / "audit.jsonl")
    damage(log)
    assert (
        log.verify().damage[-1].message
        == f"the log ends with line {3 - missing}, but line 3 had been written"
    )
    record = log.append(verdict("d"))
    assert record is not None
    note = next(entry for entry in log.entries() if entry.kind == "cut")
    lines = (
        "1 line that had been written is" if missing == 1 else f"{missing} lines that had been written are"
    )
    assert note.message == f"{lines} missing before this one"
    assert note.sequence >= 4
    assert names_in(log)[-1] == "d"
    (found,) = log.verify().damage
    assert found.message == f"says: {note.message}"
    log.append(verdict("e"))
    assert log.verify().damage == [found]


def test_a_last_line_that_was_replaced_is_noted_by_the_next_writer(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl")
    other = made(tmp_path / "other.jsonl", "abx")
    shutil.copy(other.path, log.path)
    assert "is not the one that had been written" in log.verify().damage[0].message
    log.append(verdict("d"))
    assert "cut" in kinds_in(log)
    assert not log.verify().is_intact


def test_rotated_files_sort_as_their_lines_do_and_the_chain_goes_on(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl", "abcdefghij" * 3, max_bytes=2_500)
    files = Files(log.path)
    rotated = files.rotated()
    assert len(rotated) > 5
    assert [path.name for path in rotated] == sorted(path.name for path in rotated)
    for path in rotated:
        assert path.stat().st_size <= 2_500
        (last,) = [line for line in [tail_of(path).last] if line]
        assert f'"sequence":{int(path.suffixes[0][1:])},' in last.decode()
    assert [record.sequence for record in log.records()] == list(range(1, 31))
    found = log.verify()
    assert (found.is_intact, found.files, found.records) == (True, len(rotated) + 1, 30)


def test_a_record_that_is_larger_than_a_file_may_be_is_written_all_the_same(tmp_path: Path) -> None:
    log = pg.AuditLog(tmp_path / "audit.jsonl", required=True, max_bytes=10)
    for name in "abc":
        log.append(verdict(name))
    assert len(Files(log.path).rotated()) == 2
    assert names_in(log) == ["a", "b", "c"]
    assert log.verify().is_intact


def test_a_writer_that_was_killed_between_rotation_and_line_has_lost_nothing(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl", "abc", max_bytes=10**6)
    log.path.rename(Files(log.path).rotated_name(3))
    assert log.verify().is_intact
    log.append(verdict("d"))
    assert names_in(log) == ["a", "b", "c", "d"]
    assert log.verify().is_intact


def test_a_file_that_cannot_be_renamed_grows_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = made(tmp_path / "audit.jsonl", "a", max_bytes=10)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "somebody reads it")

    monkeypatch.setattr(Path, "rename", refuse)
    log.append(verdict("b"))
    assert Files(log.path).rotated() == []
    monkeypatch.undo()
    log.append(verdict("c"))
    assert len(Files(log.path).rotated()) == 1
    assert names_in(log) == ["a", "b", "c"]
    assert log.verify().is_intact


def test_a_torn_line_in_a_full_file_is_repaired_before_the_file_is_rotated(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl", "ab", max_bytes=10**6)
    with log.path.open("ab") as stream:
        stream.write(b'{"kind":')
    small = pg.AuditLog(log.path, required=True, max_bytes=10)
    small.append(verdict("c"))
    assert Files(log.path).rotated() == []
    small.append(verdict("d"))
    assert len(Files(log.path).rotated()) == 1
    assert names_in(log) == ["a", "b", "c", "d"]
    assert log.verify().is_intact


def test_an_append_reads_the_end_of_the_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    log = made(tmp_path / "audit.jsonl", "a" * 300)
    size = log.path.stat().st_size
    assert size > 100_000
    read: list[int] = []
    original = os.read

    def counted(handle: int, count: int) -> bytes:
        data = original(handle, count)
        read.append(len(data))
        return data

    monkeypatch.setattr(os, "read", counted)
    log.append(verdict("b"))
    assert 0 < sum(read) < 20_000


@pytest.mark.parametrize("length", [1, 8_190, 8_191, 8_192, 8_193, 33_000, 200_000])
def test_the_last_line_is_found_however_long_it_is(tmp_path: Path, length: int) -> None:
    import os

    path = tmp_path / "file"
    for rest in (b"", b"torn", b"t" * 9_000):
        for before in (b"", b"first\n"):
            path.write_bytes(before + b"x" * length + b"\n" + rest)
            handle = os.open(path, os.O_RDONLY)
            try:
                tail = read_tail(handle)
            finally:
                os.close(handle)
            whole = len(before) + length + 1
            assert (tail.size, tail.whole, tail.last) == (whole + len(rest), whole, b"x" * length)


def test_a_long_record_is_continued(tmp_path: Path) -> None:
    log = pg.AuditLog(tmp_path / "audit.jsonl", required=True)
    endless = claim(text="An endless claim. " * 40_000)
    from made_verdicts import citation

    log.append(verdict("a", claims=[endless], citations=[citation(claim=0)]))
    assert log.path.stat().st_size > 700_000
    log.append(verdict("b"))
    assert names_in(log) == ["a", "b"]
    assert log.verify().is_intact


def test_a_writer_that_hangs_does_not_hang_the_others_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 1 <= DEADLINE_S <= 60
    monkeypatch.setattr("pytest_grounding.audit.writing.DEADLINE_S", 0.05)
    log = made(tmp_path / "audit.jsonl", "a")
    with log._writer.held(), pytest.raises(pg.AuditError, match="is held by another process"):
        log.append(verdict("b"))
    log.append(verdict("c"))
    assert names_in(log) == ["a", "c"]


def test_records_are_synced_where_that_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    synced: list[int] = []
    original = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.fstat(handle).st_mode)
        original(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    made(tmp_path / "plain.jsonl", "ab")
    assert synced == []
    log = pg.AuditLog(tmp_path / "synced.jsonl", sync=True, required=True)
    log.append(verdict("a"))
    log.append(verdict("b"))
    # The file each time, and the folder once, which holds its name.
    assert len(synced) == 3
