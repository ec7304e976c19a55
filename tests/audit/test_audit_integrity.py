"""Damage of the log is named, and what can be repaired is repaired."""

import json
import os
import tempfile
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from made_verdicts import citation, claim, verdict

import pytest_grounding as pg
from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding._io.locks import locked
from pytest_grounding.audit import writing
from pytest_grounding.audit.records import AuditNote, AuditRecord
from pytest_grounding.audit.verifying import iter_entries, moment, verify
from pytest_grounding.audit.writing import DEADLINE_S, read_tail
from pytest_grounding.errors import InputError

NUMBER = 6


def _lines():
    """The lines of an intact log."""
    with tempfile.TemporaryDirectory() as folder:
        log = pg.AuditLog(Path(folder) / "audit.jsonl", required=True)
        for index in range(NUMBER):
            log.append(verdict(f"t{index}", claims=[claim(text="Größe 5")], citations=[citation(claim=0)]))
        return log.path.read_bytes().splitlines(keepends=True)


LINES = _lines()


@contextmanager
def log_of(lines):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "audit.jsonl"
        path.write_bytes(b"".join(lines))
        yield path


def named(path):
    """The lines that are damaged."""
    found = verify(path)
    assert found.is_intact == (not found.damage)
    assert all(item.path == str(path) for item in found.damage)
    return [item.line for item in found.damage]


@given(st.integers(0, NUMBER - 1), st.data())
def test_finds_a_changed_byte(index, data):
    line = LINES[index]
    position = data.draw(st.integers(0, len(line) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != line[position]))
    changed = line[:position] + bytes([byte]) + line[position + 1 :]
    with log_of([*LINES[:index], changed, *LINES[index + 1 :]]) as path:
        lines = named(path)
        assert lines[0] == index + 1
        # A line feed makes two lines of one; nothing else is blamed on a neighbour.
        assert lines == [index + 1] or byte == 10


@given(st.integers(0, NUMBER - 1), st.data())
def test_finds_missing_and_added_bytes(index, data):
    line = LINES[index]
    position = data.draw(st.integers(0, len(line) - 2))
    added = data.draw(st.binary(max_size=3).filter(lambda value: b"\n" not in value))
    removed = data.draw(st.integers(0 if added else 1, 5))
    end = min(position + removed, len(line) - 1)
    changed = line[:position] + added + line[end:]
    if changed == line:
        return
    with log_of([*LINES[:index], changed, *LINES[index + 1 :]]) as path:
        assert named(path) == [index + 1]


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda line: json.dumps(json.loads(line)).encode(),
        lambda line: line + b"\r",
        lambda line: b" " + line,
        lambda line: b'{"kind":"pruned",' + line[1:],
        lambda line: line.replace("ö".encode(), b"\\u00f6"),
    ],
    ids=["blanks", "line-end", "indented", "key-twice", "escape"],
)
def test_finds_an_equal_line_in_other_bytes(rewrite):
    changed = rewrite(LINES[2][:-1]) + b"\n"
    assert changed != LINES[2]
    with log_of([*LINES[:2], changed, *LINES[3:]]) as path:
        assert named(path) == [3]


@each(*range(NUMBER))
def test_finds_an_edited_record_with_a_new_hash(index):
    value = json.loads(LINES[index])
    value["validation_result"]["status"] = "REJECT"
    del value["hash"]
    value["hash"] = content_hash(value)
    changed = canonical_json(value).encode() + b"\n"
    with log_of([*LINES[:index], changed, *LINES[index + 1 :]]) as path:
        # The next line contains the hash of the old one; nothing follows the last line.
        assert named(path) == ([index + 2] if index < NUMBER - 1 else [])


@each(*range(NUMBER))
def test_finds_a_removed_line(index):
    with log_of([*LINES[:index], *LINES[index + 1 :]]) as path:
        assert named(path) == ([index + 1] if index < NUMBER - 1 else [])


@given(st.integers(0, NUMBER - 1), st.integers(0, NUMBER - 1))
def test_finds_a_copied_line(source, target):
    with log_of([*LINES[:target], LINES[source], *LINES[target:]]) as path:
        lines = named(path)
        assert target + 1 in lines or target + 2 in lines


@given(st.permutations(range(NUMBER)).filter(lambda order: order != sorted(order)))
def test_finds_another_order(order):
    with log_of([LINES[index] for index in order]) as path:
        assert named(path)


@given(st.sets(st.integers(0, NUMBER - 1), max_size=NUMBER - 1))
def test_finds_missing_lines(kept):
    with log_of([LINES[index] for index in sorted(kept)]) as path:
        if kept:
            assert bool(named(path)) == (kept != set(range(len(kept))))


def test_finds_a_foreign_line():
    with tempfile.TemporaryDirectory() as folder:
        other = pg.AuditLog(Path(folder) / "other.jsonl", required=True)
        for index in range(4):
            other.append(verdict(f"x{index}"))
        foreign = other.path.read_bytes().splitlines(keepends=True)
    with log_of([*LINES[:3], foreign[3], *LINES[3:]]) as path:
        assert set(named(path)) <= {3, 4, 5}
        assert named(path)
    with log_of([*LINES[:3], b"hello\n", *LINES[3:]]) as path:
        assert named(path) == [4]
    with log_of([*LINES[:3], b"\n", *LINES[3:]]) as path:
        assert named(path) == [4]


def test_finds_a_line_of_another_form():
    value = {"kind": "validation", "sequence": 3, "x": 1}
    value["hash"] = content_hash(value)
    with log_of([*LINES[:2], canonical_json(value).encode() + b"\n", *LINES[3:]]) as path:
        assert named(path)[0] == 3
    first = json.loads(LINES[0])
    del first["hash"]
    first["previous"] = "1" * 64
    first["hash"] = content_hash(first)
    with log_of([canonical_json(first).encode() + b"\n"]) as path:
        (damage,) = verify(path).damage
        assert damage.message == "lines before it are missing, and no pruning accounts for them"


@given(st.binary(max_size=300), st.booleans())
def test_reads_any_bytes(content, is_after):
    with log_of([*LINES[:2], content] if is_after else [content, *LINES[:2]]) as path:
        found = verify(path)
        assert bool(found.damage) or not content
        for entry in iter_entries(path):
            assert isinstance(entry, (AuditRecord, AuditNote, InputError))
        whole = [entry for entry in iter_entries(path) if isinstance(entry, AuditRecord)]
        if is_after:
            assert [record.sequence for record in whole] == [1, 2]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["kind", "sequence", "hash", "timestamp", "x"]), inner)
        ),
    )
)
def test_reads_any_json(value):
    with log_of([json.dumps(value).encode() + b"\n"]) as path:
        assert verify(path).damage
        (entry,) = iter_entries(path)
        assert isinstance(entry, InputError)
        assert (entry.path, entry.line) == (str(path), 1)


def test_a_damaged_record_ends_the_stream_with_its_place():
    with log_of([*LINES[:2], b"{}\n", *LINES[3:]]) as path:
        records = pg.AuditLog(path).records()
        assert [next(records).sequence, next(records).sequence] == [1, 2]
        with pytest.raises(InputError, match=r"audit\.jsonl:3: is not an audit record"):
            next(records)


def aged(path, ages, **more):
    """A log whose records are so many days old, sealed at those times."""
    log = pg.AuditLog(path, required=True, **more)
    original = writing.now
    try:
        for index, age in enumerate(ages):
            then = datetime.now(UTC) - timedelta(days=age)
            writing.now = lambda then=then: then.isoformat().replace("+00:00", "Z")
            log.append(verdict(f"t{index}"))
    finally:
        writing.now = original
    return log


def names_in(log):
    return [record.transcript_id for record in log.records()]


def test_prunes_old_records_and_notes_it(tmp_path):
    log = aged(tmp_path / "audit.jsonl", [100, 95, 50, 1])
    found = log.prune()
    assert found.validations == 2
    assert names_in(log) == ["t2", "t3"]
    note = list(log.entries())[-1]
    assert note.kind == "pruned"
    assert note.details["validations"] == 2
    assert note.message.startswith("2 validations written before ")
    checked = log.verify()
    assert checked.damage == []
    assert checked.remarks == [f"{log.path}:3: {note.message}"]
    log.append(verdict("t4"))
    assert log.verify().is_intact
    assert log.prune().through is None
    assert names_in(log) == ["t2", "t3", "t4"]
    assert log.prune(days=40).validations == 1
    assert log.verify().is_intact
    assert names_in(log) == ["t3", "t4"]


def test_prunes_everything_but_the_note(tmp_path):
    log = aged(tmp_path / "audit.jsonl", [100] * 7)
    assert log.prune().validations == 7
    assert [entry.kind for entry in log.entries()] == ["pruned"]
    assert log.verify().is_intact
    record = log.append(verdict("new"))
    assert record.sequence == 9
    assert log.verify().is_intact


def test_keeps_old_records_after_a_young_one(tmp_path):
    log = aged(tmp_path / "audit.jsonl", [100, 1, 100, 1])
    assert log.prune().validations == 1
    assert names_in(log) == ["t1", "t2", "t3"]


def test_finds_lines_removed_after_pruning(tmp_path):
    log = aged(tmp_path / "audit.jsonl", [100, 100, 1, 1, 1])
    log.prune()
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join(lines[1:]))
    (damage,) = log.verify().damage
    assert damage.message == "lines before it are missing, and no pruning accounts for them"


def test_finds_an_edited_first_line_after_pruning(tmp_path):
    log = aged(tmp_path / "audit.jsonl", [100, 100, 1, 1])
    log.prune()
    content = log.path.read_bytes()
    log.path.write_bytes(content.replace(b'"transcript_id":"t2"', b'"transcript_id":"xx"'))
    (damage,) = log.verify().damage
    assert (damage.line, damage.message) == (1, "was edited: it does not match its own hash")


def test_does_not_prune_a_damaged_log(tmp_path):
    log = aged(tmp_path / "audit.jsonl", [100, 100, 100, 1])
    content = log.path.read_bytes()
    log.path.write_bytes(content.replace(b'"transcript_id":"t1"', b'"transcript_id":"xx"'))
    damaged = log.path.read_bytes()
    with pytest.raises(InputError, match=r"the log is damaged: .*audit\.jsonl:2: was edited"):
        log.prune()
    assert log.path.read_bytes() == damaged


def test_parses_points_in_time():
    for text, age in (("7d", timedelta(days=7)), (" 90 m", timedelta(minutes=90))):
        assert abs(datetime.now(UTC) - age - moment(text)) < timedelta(minutes=1)
    assert moment("2026-01-31") == datetime(2026, 1, 31, tzinfo=UTC)
    assert moment("2026-01-31T12:00:00+02:00") == datetime(2026, 1, 31, 10, tzinfo=UTC)
    assert moment("2026-01-31T12:00:00Z") == datetime(2026, 1, 31, 12, tzinfo=UTC)


def test_pruning_while_writing_loses_nothing(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl", required=True)
    log.append(verdict("first"))
    pruned = 0

    def append(name):
        for number in range(60):
            log.append(verdict(f"{name}-{number}"))

    threads = [threading.Thread(target=append, args=[name]) for name in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        pruned += log.prune(days=0).validations
    for thread in threads:
        thread.join()
    found = log.verify()
    assert found.is_intact
    assert pruned > 0
    assert pruned + found.records == 181


def test_pruning_without_space_changes_nothing(tmp_path, monkeypatch):
    log = aged(tmp_path / "audit.jsonl", [100, 1])

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(InputError, match=r"cannot be pruned .No space left on device."):
        log.prune()
    monkeypatch.undo()
    assert names_in(log) == ["t0", "t1"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.jsonl"]
    assert log.verify().is_intact
    assert log.prune().validations == 1
    assert names_in(log) == ["t1"]


def made(path, names):
    log = pg.AuditLog(path, required=True)
    for name in names:
        log.append(verdict(name))
    return log


def kinds_in(log):
    return [entry.kind for entry in log.entries()]


def test_repairs_an_unfinished_line(tmp_path):
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


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system counts no bytes that are read")
def test_an_append_reads_only_the_end_of_the_file(tmp_path):
    log = made(tmp_path / "audit.jsonl", "a" * 600)
    assert log.path.stat().st_size > 200_000
    before = _bytes_read()
    log.append(verdict("b"))
    assert _bytes_read() - before < 100_000


def _bytes_read():
    return int(Path("/proc/self/io").read_text().split()[1])


@each(1, 8_190, 8_191, 8_192, 8_193, 33_000, 200_000)
def test_finds_a_last_line_of_any_length(length, tmp_path):
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


def test_appends_after_a_long_record(tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl", required=True)
    endless = claim(text="An endless claim. " * 40_000)
    log.append(verdict("a", claims=[endless], citations=[citation(claim=0)]))
    assert log.path.stat().st_size > 700_000
    log.append(verdict("b"))
    assert names_in(log) == ["a", "b"]
    assert log.verify().is_intact


def test_a_hanging_writer_does_not_block_others_forever(tmp_path, monkeypatch):
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
