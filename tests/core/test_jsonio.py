"""Canonical JSON, atomic files and interrupted writing."""

import errno
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import pytest
from every import each, table
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticSerializationError

from pytest_grounding._io import jsonio as _jsonio
from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.model.base import Model, Sparse
from pytest_grounding.model.verdict import ClaimVerdict

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_canonical_json_round_trips(value):
    text = _jsonio.canonical_json(value)
    assert json.loads(text) == value
    assert "\n" not in text
    assert _jsonio.canonical_json(json.loads(text)) == text


def test_the_hash_ignores_key_order():
    assert _jsonio.content_hash({"a": 1, "b": [2]}) == _jsonio.content_hash({"b": [2], "a": 1})
    assert _jsonio.content_hash({"a": 1}) != _jsonio.content_hash({"a": 2})


@each(float("nan"), float("inf"), [float("-inf")])
def test_nan_is_never_written(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        _jsonio.canonical_json(value)


def test_writes_atomically(tmp_path):
    target = tmp_path / "new" / "a.json"
    _jsonio.write_json(target, {"ü": 1})
    assert target.read_bytes() == '{\n  "ü": 1\n}\n'.encode()
    with pytest.raises(UnicodeEncodeError):
        _jsonio.write_atomic(target, "\ud83d")
    assert target.read_bytes() == '{\n  "ü": 1\n}\n'.encode()
    assert [file.name for file in target.parent.iterdir()] == ["a.json"]


def test_the_next_writer_removes_what_a_killed_one_left_and_nothing_else(tmp_path):
    names = (".a.json.x1.grounding.tmp", ".b.json.x2.grounding.tmp", ".notes.tmp")
    left, under_way, of_others = (tmp_path / name for name in names)
    for path in (left, under_way, of_others):
        path.write_text("{")
    for path in (left, of_others):
        os.utime(path, (0, 0))
    _jsonio.write_json(tmp_path / "c.json", {})
    assert sorted(path.name for path in tmp_path.iterdir()) == [under_way.name, of_others.name, "c.json"]


def test_keeps_the_mode_of_a_file(tmp_path):
    target = tmp_path / "a.json"
    target.write_text("")
    target.chmod(0o640)
    _jsonio.write_json(target, [])
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_writes_through_a_link(tmp_path):
    target = tmp_path / "kept" / "a.json"
    target.parent.mkdir()
    target.write_text("")
    link = tmp_path / "link.json"
    link.symlink_to(target)
    _jsonio.write_json(link, [1])
    assert link.is_symlink()
    assert json.loads(target.read_text()) == [1]
    assert list(target.parent.iterdir()) == [target]


def test_names_the_file_that_cannot_be_written(tmp_path, monkeypatch):
    def closed(dir, **_):
        name = str(dir / ".a.json.x1y2z3.tmp")
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)

    monkeypatch.setattr(tempfile, "mkstemp", closed)
    with pytest.raises(PermissionError) as caught:
        _jsonio.write_json(tmp_path / "a.json", [1])
    assert caught.value.filename == str(tmp_path / "a.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_writes_to_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Open for both, so that neither end waits for the other.
    handle = os.open(pipe, os.O_RDWR)
    try:
        _jsonio.write_json(pipe, [1])
        assert json.loads(os.read(handle, 100)) == [1]
    finally:
        os.close(handle)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_reads_on_after_a_bad_line(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n{"a" 2}\r\n\xff\n{"a": NaN}\n{"a": 3}')
    records = list(_jsonio.iter_records(file))
    assert [record.line for record in records] == [1, 3, 4, 5, 6]
    kinds = [type(record).__name__ for record in records]
    assert kinds == ["JsonRecord", "InputError", "InputError", "InputError", "JsonRecord"]
    assert str(records[1]).startswith(f"{file}:3: is not JSON")
    with pytest.raises(InputError, match=r"a\.jsonl:3"):
        list(_jsonio.read_records(file))


@pytest.mark.parametrize("indent", [1, 4])
def test_reads_a_document_over_several_lines_under_any_name(tmp_path, indent):
    file = tmp_path / "a.jsonl"
    file.write_text("\ufeff\n" + json.dumps([{"a": 1}, {"b": 2}], indent=indent), encoding="utf-8")
    assert [(record.line, record.value) for record in _jsonio.iter_records(file)] == [
        (2, [{"a": 1}, {"b": 2}])
    ]
    file.write_text('{\n "a": 1,\n "b" 2\n}\n')
    (error,) = _jsonio.iter_records(file)
    assert str(error).startswith(f"{file}:3: is not JSON")


def test_rejects_a_number_of_thousands_of_digits():
    with pytest.raises(InputError, match=r"^is not JSON that can be read: Exceeds the limit[^;]*$"):
        _jsonio.parse_json("9" * 5000)


def test_reads_several_documents_in_one_file(tmp_path):
    file = tmp_path / "a.json"
    file.write_text('{"a":\n1}\n {"b": 2}\n')
    assert [(record.line, record.value) for record in _jsonio.read_records(file)] == [
        (1, {"a": 1}),
        (3, {"b": 2}),
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"{", ":1: is not JSON"),
        (b'{"a": 1}\n{"b": }', ":2: is not JSON"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
    ],
)
def test_bad_documents_name_the_place(tmp_path, content, problem):
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(_jsonio.read_records(file))
    assert problem in str(caught.value)
    assert str(caught.value).startswith(str(file))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"a": 1, "a": 2}', "a"),
        ('{"a": 1,\n "b": [0, {"c": "}, \\"c\\": ",\n "d": "x", "\\u0063": 2}]}', "c"),
        ('[{"a": {}, "b": []},\n{"a": {"a": 1},\n\n"a": 2}]', "a"),
    ],
)
def test_rejects_a_repeated_name(tmp_path, text, name):
    problem = "occurs twice in one object; keep one of the two"
    file = tmp_path / "a.json"
    file.write_text(text)
    (error,) = _jsonio.iter_records(file)
    assert str(error) == f"{file}:1: {name}: {problem}"
    with pytest.raises(InputError) as caught:
        _jsonio.parse_json(text, path="x")
    assert str(caught.value) == f"x:1: {name}: {problem}"


def test_a_repeated_name_spoils_only_its_line(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"a": 1}\n{"a": 1, "a": 1}\n{"a": {"a": 1}}\n')
    first, second, third = _jsonio.iter_records(file)
    assert isinstance(second, InputError)
    assert str(second).startswith(f"{file}:2: a: occurs twice")
    assert [first.line, third.line] == [1, 3]


@given(JSON, st.data())
def test_finds_a_repeated_name_anywhere(value, data):
    text = json.dumps({"v": value, "w": [value]}, indent=data.draw(st.sampled_from([None, 1])))
    assert _jsonio.parse_json(text) == json.loads(text)
    again = text[:-1].rstrip() + ', "w": 0}'
    with pytest.raises(InputError, match="w: occurs twice in one object"):
        _jsonio.parse_json(again)


@each(*table(__file__, "malformed"))
def test_says_how_to_fix_malformed_json(text, advice):
    with pytest.raises(InputError, match="is not JSON") as caught:
        _jsonio.parse_json(text)
    assert caught.value.hint == advice


def test_rejects_a_missing_file():
    with pytest.raises(InputError, match="cannot be read"):
        list(_jsonio.read_records("no/such/file.json"))


SOURCE = """{
  "id": "a",
  "chunks": [
    {"id": "1",
     "text": "x"},
    {"id": "2",
     "text": 7}
  ],
  "answer":
    "b"
}"""


@each(*table(__file__, "places"))
def test_line_of_a_field(loc, line):
    assert _jsonio.line_of_field(SOURCE, loc) == line
    assert _jsonio.line_of_field(SOURCE, loc, first_line=11) == line + 10


@given(JSON, st.lists(st.integers(-1, 3) | st.text(max_size=2), max_size=4))
def test_line_of_never_raises(value, loc):
    text = json.dumps(value, indent=1)
    assert 1 <= _jsonio.line_of_field(text, loc) <= text.count("\n") + 1


ROOT = Path(__file__).resolve().parents[2]


class Stopping:
    """Names of fields; reading them raises, as Ctrl-C would."""

    def __init__(self, raised):
        self.raised = raised

    def __iter__(self):
        raise self.raised


class Pressed(Sparse):
    left_out: ClassVar[Any] = Stopping(KeyboardInterrupt())
    number: int = 1


class Around(Model):
    inner: Pressed = Pressed()


class Broken(Sparse):
    left_out: ClassVar[Any] = Stopping(ValueError("KeyboardInterrupt is a word here"))


@pytest.mark.parametrize("value", [Pressed(), Around()], ids=["itself", "within another"])
@pytest.mark.parametrize(
    "write",
    [Model.model_dump, lambda value: value.model_dump(mode="json"), Model.model_dump_json],
    ids=["python", "plain", "json"],
)
def test_ctrl_c_while_serializing_stays_ctrl_c(value, write):
    with pytest.raises(KeyboardInterrupt):
        write(value)


@each(Model.model_dump, Model.model_dump_json)
def test_other_errors_while_serializing_stay_as_they_are(write):
    with pytest.raises(PydanticSerializationError, match="is a word here"):
        write(Broken())


def test_check_ends_as_interrupted(monkeypatch, capsys):
    monkeypatch.setattr(ClaimVerdict, "left_out", Stopping(KeyboardInterrupt()))
    assert main(["check", str(ROOT / "examples" / "no_code"), "--json"]) == 130
    assert capsys.readouterr().err == ""
