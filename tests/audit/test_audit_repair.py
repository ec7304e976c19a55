"""What was torn, cut off or in the way is repaired or noted, and nothing that was acknowledged is lost."""

from pathlib import Path

import pytest
from every import each
from made_verdicts import claim, verdict

import pytest_grounding as pg
from pytest_grounding._io.locks import locked
from pytest_grounding.audit.writing import DEADLINE_S, read_tail


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
    log.append(verdict("c"))
    line = log.path.read_bytes()[len(whole) :]
    for length in [*range(1, len(line), 7), len(line) - 1]:
        log.path.write_bytes(whole + line[:length])
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


def cut_lines(log: pg.AuditLog) -> None:
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join(lines[:1]))


def cut_into_a_line(log: pg.AuditLog) -> None:
    log.path.write_bytes(log.path.read_bytes()[:-5])


def empty(log: pg.AuditLog) -> None:
    log.path.write_bytes(b"")


def remove(log: pg.AuditLog) -> None:
    log.path.unlink()


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system counts no bytes that are read")
def test_an_append_reads_the_end_of_the_file_alone(tmp_path: Path) -> None:
    log = made(tmp_path / "audit.jsonl", "a" * 600)
    assert log.path.stat().st_size > 200_000
    before = _bytes_read()
    log.append(verdict("b"))
    assert _bytes_read() - before < 100_000


def _bytes_read() -> int:
    return int(Path("/proc/self/io").read_text().split()[1])


@each(1, 8_190, 8_191, 8_192, 8_193, 33_000, 200_000)
def test_the_last_line_is_found_however_long_it_is(length: int, tmp_path: Path) -> None:
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
    with (
        locked(log.path, append=False, deadline_s=1.0),
        pytest.raises(pg.AuditError, match="is held by another process"),
    ):
        log.append(verdict("b"))
    log.append(verdict("c"))
    assert names_in(log) == ["a", "c"]
