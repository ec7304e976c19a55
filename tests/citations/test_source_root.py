import os
import sys
import threading
from pathlib import Path

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.citations import source_root as sources
from pytest_grounding.citations.source_root import NumberedText, SourceProblem, SourceRoot, numbered_lines

SECRET = "the secret outside of the root"

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links and devices of POSIX")


@pytest.fixture
def root(tmp_path):
    inside = tmp_path / "root"
    (inside / "src" / "deep").mkdir(parents=True)
    (inside / "src" / "a.py").write_text("one\ntwo\nthree\n")
    (inside / "src" / "deep" / "b.py").write_text("only\n")
    (tmp_path / "secret.py").write_text(SECRET + "\n")
    (tmp_path / "root-sibling").mkdir()
    (tmp_path / "root-sibling" / "secret.py").write_text(SECRET + "\n")
    return inside


def problem(root, path):
    read = SourceRoot(root).read(path)
    assert isinstance(read, SourceProblem), read
    assert str(root.parent) not in read.reason, "a reason names no path of this machine"
    return read


@each("src/a.py", "./src/a.py", "src//a.py", "src/./a.py", "src\\a.py", " src/a.py ")
def test_a_file_under_the_root_is_read(path, root):
    read = SourceRoot(root).read(path)
    assert read == NumberedText("src/a.py", ("one", "two", "three"))
    assert len(read.lines) == 3
    assert read.slice(2, 9) == "two\nthree"
    assert read.slice(4, 9) == ""


@each(*table(__file__, "TRAVERSALS"), "a" * 5_000, "a/" * 400, "\ud800.py")
def test_no_spelling_leaves_the_root(path, root, monkeypatch):
    opened = []
    real = os.open

    def watched(name, flags, mode=511, *, dir_fd=None):
        handle = real(name, flags, mode, dir_fd=dir_fd)
        opened.append(handle)
        place = Path(f"/proc/self/fd/{handle}")
        if place.exists():
            assert root.resolve() in (place.resolve(), *place.resolve().parents)
        return handle

    monkeypatch.setattr(sources.os, "open", watched)
    problem(root, path)
    monkeypatch.undo()
    problem(root, str(root.parent / "secret.py"))


def test_an_absolute_path_is_refused_even_inside_of_the_root(root):
    assert problem(root, str(root / "src" / "a.py")).kind == "outside"


@posix_only
def test_links_that_leave_the_root_are_refused(root):
    (root / "out.py").symlink_to(root.parent / "secret.py")
    (root / "relative.py").symlink_to("../secret.py")
    (root / "folder").symlink_to(root.parent)
    (root / "sibling").symlink_to(root.parent / "root-sibling")
    (root / "src" / "sneaky").symlink_to(f"{root}/../root-sibling")
    (root / "chain1").symlink_to("chain2")
    (root / "chain2").symlink_to("/etc")
    for path in ("out.py", "relative.py", "folder/secret.py", "sibling/secret.py", "src/sneaky/secret.py"):
        assert problem(root, path).kind == "outside"
    assert problem(root, "chain1/passwd").kind == "outside"


@posix_only
def test_links_that_stay_inside_are_followed(root):
    (root / "link.py").symlink_to("src/a.py")
    (root / "absolute").symlink_to(root / "src")
    (root / "src" / "deep" / "up").symlink_to("../../src")
    reader = SourceRoot(root)
    for path in ("link.py", "absolute/a.py", "src/deep/up/a.py", "absolute/deep/up/deep/up/a.py"):
        read = reader.read(path)
        assert isinstance(read, NumberedText)
        assert read.lines[0] == "one"


@posix_only
def test_a_root_that_is_itself_a_link_is_closed_too(root):
    alias = root.parent / "alias"
    alias.symlink_to(root)
    assert isinstance(SourceRoot(alias).read("src/a.py"), NumberedText)
    assert problem(alias, "../secret.py").kind == "outside"


@posix_only
def test_circles_of_links_end(root):
    (root / "self.py").symlink_to("self.py")
    (root / "left").symlink_to("right")
    (root / "right").symlink_to("left")
    assert problem(root, "self.py").kind == "not_a_file"
    assert problem(root, "left/a.py").kind == "not_a_file"


@posix_only
def test_what_is_no_regular_file_is_never_opened(root):
    os.mkfifo(root / "pipe.py")
    (root / "zero.py").symlink_to("/dev/zero")
    result = []
    thread = threading.Thread(target=lambda: result.append(problem(root, "pipe.py")), daemon=True)
    thread.start()
    thread.join(10)
    assert [item.kind for item in result] == ["not_a_file"], "opening a pipe would wait for a writer"
    assert problem(root, "zero.py").kind == "outside"
    assert problem(root, "src").kind == "not_a_file"


def test_missing_huge_and_binary_files_are_told_apart(root):
    (root / "huge.py").write_text("x\n" * 100)
    (root / "binary.py").write_bytes(b"a\x00b")
    (root / "latin.py").write_bytes("grün".encode("latin-1"))
    (root / "bom.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree")
    (root / "empty.py").write_bytes(b"")
    assert problem(root, "none.py").kind == "missing"
    assert problem(root, "src/a.py/none.py").kind == "missing"
    assert problem(root, "binary.py").kind == "binary"
    assert problem(root, "latin.py").kind == "not_text"
    small = SourceRoot(root, max_bytes=50).read("huge.py")
    assert isinstance(small, SourceProblem)
    assert small.kind == "too_large"
    assert SourceRoot(root).read("bom.py") == NumberedText("bom.py", ("one", "two", "three"))
    assert SourceRoot(root).read("empty.py") == NumberedText("empty.py", ())


def test_a_file_that_grows_is_never_half_read(root, monkeypatch):
    file = root / "src" / "a.py"
    real = os.read

    def growing(handle, size):
        data = real(handle, size)
        with file.open("a") as out:
            out.write("more\n")
        return data[:4]

    monkeypatch.setattr(sources.os, "read", growing)
    read = SourceRoot(root, max_bytes=200).read("src/a.py")
    assert isinstance(read, SourceProblem)
    assert read.kind in ("changed", "too_large")


def test_a_file_is_read_once_in_a_run(root):
    reader = SourceRoot(root)
    first = reader.read("src/a.py")
    (root / "src" / "a.py").unlink()
    assert reader.read("src/a.py") is first
    assert isinstance(SourceRoot(root).read("src/a.py"), SourceProblem)


def test_a_root_that_is_no_folder_is_a_reason(root):
    assert problem(root / "nowhere", "a.py").kind == "no_root"
    assert problem(root / "src" / "a.py", "a.py").kind == "no_root"


def test_lines_are_counted_as_editors_count_them():
    assert numbered_lines("a\u2028b\x0cc\nd\n") == ("a\u2028b\x0cc", "d")
    assert numbered_lines("") == ()
    assert numbered_lines("\n") == ("",)


def check(root, answer, chunks=None):
    transcript = {"id": "t", "question": "What does it do?", "chunks": chunks or [], "answer": answer}
    return pg.validate(transcript, {"source_root": str(root)})


@pytest.mark.row(14)
def test_a_code_citation_resolves_to_a_file_under_the_root(root):
    verdict = check(root, "It returns three values (src/a.py:1-3).")
    assert [(item.valid, item.path, item.chunk_id) for item in verdict.citations] == [
        (True, "src/a.py", None)
    ]
    assert verdict.citation_accuracy == 1.0


@each(
    ("src/a.py:2-4", "line_range"),
    ("src/a.py:9", "line_range"),
    ("src/a.py:3-1", "line_range"),
    ("src/a.py:0", "line_range"),
    ("src/none.py:1", "source_exists"),
    ("../secret.py:1", "source_exists"),
    ("/etc/hosts.conf:1", "source_exists"),
)
def test_a_code_citation_that_is_not_so_is_an_error(citation, rule, root):
    verdict = check(root, f"It returns three values ({citation}).")
    [item] = verdict.citations
    assert not item.valid
    assert [(finding.rule, finding.severity) for finding in item.findings] == [(rule, "error")]
    assert SECRET not in verdict.to_json()


def test_the_file_decides_where_a_chunk_holds_only_a_part(root):
    chunk = {"id": "c", "text": "one", "metadata": {"path": "src/a.py", "line_start": 1, "line_end": 1}}
    [item] = check(root, "See src/a.py:1-3.", [chunk]).citations
    assert item.valid
    assert "line_range" not in [finding.rule for finding in item.findings]
    assert not check(root, "See src/a.py:1-4.", [chunk]).citations[0].valid
    [short] = check(root, "See a.py:1-3.", [chunk]).citations
    assert (short.valid, short.path, short.chunk_id) == (True, "src/a.py", "c")
