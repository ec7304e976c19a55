"""Names and files of goldens, and damaged files."""

import json
import re

import pytest
from every import each
from golden_recordings import recording
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding._io.jsonio import canonical_document, content_hash
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_file import Pending, golden_text, read_golden
from pytest_grounding.golden.golden_store import GoldenStore, find_stores, golden_name

SAFE = re.compile(r"[a-z0-9][a-z0-9._-]*")


@given(st.text(min_size=1, max_size=300), st.text(min_size=1, max_size=300))
def test_file_names_are_safe_and_unique(one, other):
    first, second = golden_name(one), golden_name(other)
    for name in (first, second):
        assert SAFE.fullmatch(name)
        assert len(name) <= 93
        assert not name.endswith(".")
    # There are no capitals, so names differ on every file system.
    assert (first == second) == (one == other)


@each(
    ("Refund", "refund"),
    ("straße", "strasse"),
    ("e\u0301", "\u00e9"),
    ("a/b", "a\\b"),
    ("a b", "a-b"),
    ("x" * 200, "x" * 201),
    ("x.", "x"),
    ("..", "."),
    ("\ud800", "\ufffd"),
)
def test_similar_ids_have_different_file_names(one, other):
    assert golden_name(one).casefold() != golden_name(other).casefold()


@each("con", "nul.x", "com1", "lpt9.json", "aux")
def test_avoids_reserved_names(name):
    assert golden_name(name).split(".")[0] != name.split(".")[0]


def test_a_plain_id_is_its_own_file_name():
    assert golden_name("refund-01_b.v2") == "refund-01_b.v2"
    taken = golden_name("Refund")
    assert golden_name(taken) != taken


def test_writes_canonical_goldens(store, judged):
    golden = judged(recording(metadata={"note": None, "ü": [1, "\u2028"]}))
    store.accept(golden)
    path = store.golden_path("vacation")
    assert store.golden("vacation").hash == golden.hash
    text = path.read_bytes()
    assert text.endswith(b"\n}\n"[1:])
    value = json.loads(text)
    assert list(value) == sorted(value)
    assert value["engine_version"] == golden.verdict.engine_version
    assert value["settings_hash"] == golden.verdict.settings_hash
    store.accept(golden)
    assert path.read_bytes() == text


def test_a_golden_does_not_depend_on_the_file_of_its_recording(judged, store):
    golden = judged(recording())
    moved = golden.verdict.model_copy(update={"source": "/home/me/a.json", "line": 3})
    assert type(golden).of(golden.transcript, moved) == golden


def test_git_ignores_candidates(store, judged):
    store.put_pending(Pending(candidate=judged(recording()), against=None))
    assert (store.folder / ".pending" / ".gitignore").read_text().splitlines()[-1] == "*"
    assert store.goldens() == []
    assert len(store.candidates()) == 1


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


DAMAGES = {
    "by hand": lambda path: edit(path, "25 vacation days", "26 vacation days"),
    "not JSON": lambda path: path.write_text(path.read_text()[:-40]),
    "merge conflict": lambda path: path.write_text(f"<<<<<<< HEAD\n{path.read_text()}"),
    "not UTF-8": lambda path: path.write_bytes(b"\xff\xfe"),
    "not a golden record": lambda path: path.write_text("[]"),
    "empty|not JSON": lambda path: path.write_text(""),
    "schema_version 7": lambda path: edit(path, '"schema_version": 1', '"schema_version": 7'),
}


@each(*DAMAGES)
def test_a_damaged_golden_gives_one_sentence_with_advice(problem, store, judged):
    store.accept(judged(recording()))
    path = store.golden_path("vacation")
    DAMAGES[problem](path)
    with pytest.raises(InputError, match=problem) as caught:
        store.golden("vacation")
    text = str(caught.value)
    assert "vacation.golden.json" in text
    assert "restore it from version control" in text
    assert "\n" not in text


def test_reports_a_golden_of_another_version(store, judged):
    store.accept(judged(recording()))
    path = store.golden_path("vacation")
    value = json.loads(path.read_text())
    del value["hash"]
    value["verdict"]["field_of_tomorrow"] = 1
    path.write_text(canonical_document({**value, "hash": content_hash(value)}))
    with pytest.raises(InputError, match="another version of pytest-grounding"):
        store.golden("vacation")


def test_rejects_a_renamed_golden(store, judged):
    store.accept(judged(recording()))
    store.golden_path("vacation").rename(store.golden_path("other"))
    with pytest.raises(InputError, match="contains the golden of 'vacation', not of 'other'"):
        store.golden("other")


def test_accepts_another_layout(store, judged):
    golden = judged(recording())
    store.accept(golden)
    path = store.golden_path("vacation")
    path.write_bytes(json.dumps(json.loads(path.read_text())).replace("}", "\r\n}").encode())
    assert read_golden(path).hash == golden.hash


def test_ignores_a_damaged_candidate(store, judged):
    store.put_pending(Pending(candidate=judged(recording()), against=None))
    path = store.pending_path("vacation")
    assert store.pending("vacation") is not None
    path.write_text("{")
    assert store.pending("vacation") is None


def test_finds_each_store_once_and_none_in_environments(tmp_path, judged):
    text = golden_text(judged(recording()))
    for folder in ("tests", "tests/unit", "env", "node_modules/x", ".hidden"):
        target = tmp_path / folder / "__golden__" / "vacation.golden.json"
        target.parent.mkdir(parents=True)
        target.write_text(text)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    found = [store.folder for store in find_stores([tmp_path, tmp_path / "tests"])]
    assert found == [tmp_path / "tests" / "__golden__", tmp_path / "tests" / "unit" / "__golden__"]
    assert [store.folder for store in find_stores([found[0]])] == found[:1]


def test_a_missing_store_is_empty(tmp_path):
    store = GoldenStore.beside(tmp_path)
    assert store.golden("a") is None
    store.drop_pending("a")
    assert store.goldens() == store.candidates() == []
    assert not store.folder.exists()
