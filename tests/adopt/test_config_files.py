"""Keys are inserted into pytest's configuration file, and every other byte stays."""

import configparser
import tomllib

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.cli.configuration import table_in, with_keys
from pytest_grounding.errors import InputError

KEYS = {"grounding_baseline": "b.json", "grounding_baseline_gate": "new", "grounding_accept_confidence": 0.6}

PYPROJECT = """\
# the project
[project]
name = "shop"   # a name

[tool.pytest.ini_options]  # tests
testpaths = ["tests"]
addopts = [
    "-ra",
    "--strict-markers",
]

[tool.ruff]
line-length = 100
text = '''
[tool.pytest.ini_options]
'''
"""


def written(tmp_path, name, text, keys=KEYS):
    """The file's text with the keys."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    return with_keys(table_in(path, tmp_path), keys)


def without(after, added):
    """The text without one piece that was added."""
    assert after.count(added) == 1
    return after.replace(added, "")


LINES = 'grounding_baseline = "b.json"\ngrounding_baseline_gate = "new"\ngrounding_accept_confidence = 0.6\n'
INI_LINES = LINES.replace('"', "")


def test_keys_follow_the_table_header_and_nothing_else_changes(tmp_path):
    after = written(tmp_path, "pyproject.toml", PYPROJECT)
    assert without(after, LINES) == PYPROJECT
    options = tomllib.loads(after)["tool"]["pytest"]["ini_options"]
    assert options.items() >= KEYS.items()
    assert options["testpaths"] == ["tests"]


def test_windows_line_ends_and_a_byte_order_mark_stay(tmp_path):
    text = PYPROJECT.replace("\n", "\r\n")
    assert without(written(tmp_path, "pyproject.toml", text), LINES.replace("\n", "\r\n")) == text
    ini = "\ufeff[pytest]\r\naddopts = -ra\r\n"
    assert without(written(tmp_path, "pytest.ini", ini), INI_LINES.replace("\n", "\r\n")) == ini


@each(
    ("pytest.ini", "[pytest]\naddopts = -ra\n", "[pytest]"),
    ("pytest.ini", "; of ours\n[pytest]", "[pytest]"),
    (
        "tox.ini",
        "[tox]\nenvlist = py\n\n[pytest]\naddopts =\n  -ra\n  -q\n\n[testenv]\ndeps = x\n",
        "[pytest]",
    ),
    ("setup.cfg", "[metadata]\nname = shop\n[tool:pytest]\naddopts = -ra\n", "[tool:pytest]"),
)
def test_ini_files_of_every_name(name, text, header, tmp_path):
    after = written(tmp_path, name, text)
    assert f"{header}\n{INI_LINES}" in after
    parser = configparser.ConfigParser()
    parser.read_string(after)
    assert parser[header[1:-1]]["grounding_accept_confidence"] == "0.6"
    assert without(after, INI_LINES).rstrip("\n") == text.rstrip("\n")


@each("", "[project]\nname = 'shop'", "[project]\nname = 'shop'\n")
def test_a_project_file_without_the_table_gets_it_at_its_end(text, tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    after = with_keys(table_in(None, tmp_path), KEYS)
    assert after.startswith(text)
    assert after.endswith(f"[tool.pytest.ini_options]\n{LINES}")
    assert tomllib.loads(after)["tool"]["pytest"]["ini_options"] == KEYS


def test_a_project_without_any_file_gets_a_pytest_ini(tmp_path):
    table = table_in(None, tmp_path)
    assert (table.path, with_keys(table, KEYS)) == (tmp_path / "pytest.ini", f"[pytest]\n{INI_LINES}")


def test_existing_keys_are_replaced_in_place(tmp_path):
    text = PYPROJECT.replace(
        "addopts", 'grounding_baseline = "old.json"\ngrounding_profile = "strict"\naddopts'
    )
    after = written(tmp_path, "pyproject.toml", text)
    assert 'grounding_baseline = "b.json"\ngrounding_profile = "strict"\n' in after
    assert "old.json" not in after


@each(
    "[tool]\npytest.ini_options = {addopts = '-ra'}\n",
    "[tool.pytest]\nini_options.addopts = '-ra'\n",
    "[tool.'pytest' . ini_options]\n",
    "tool.pytest.ini_options.addopts = '-ra'\n",
    '[tool.pytest.ini_options]\ngrounding_baseline = """\nb"""\n',
    "a = '''\n[tool.pytest.ini_options]\n'''\n[tool.pytest.ini_options]\n",
)
def test_an_ambiguous_form_is_refused_with_the_lines_to_write(text, tmp_path):
    with pytest.raises(InputError, match="write them by hand: ") as refused:
        written(tmp_path, "pyproject.toml", text)
    assert all(f"{key} = " in str(refused.value) for key in KEYS)
    assert str(tmp_path / "pyproject.toml") in str(refused.value)


def test_invalid_toml_is_an_error_with_the_file_name(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project\n")
    with pytest.raises(InputError, match=r"pyproject\.toml: cannot be read as a configuration file"):
        table_in(None, tmp_path)


_WORD = st.text("abc[]=#'\" \n", max_size=12)


@given(
    st.lists(st.tuples(st.sampled_from(["project", "tool.x", "tool.pytest.ini_options"]), _WORD), max_size=4)
)
def test_any_file_is_extended_correctly_or_refused(tmp_path_factory, pieces):
    folder = tmp_path_factory.mktemp("any")
    text = "".join(f"[{name}]\n{body}\n" for name, body in pieces)
    (folder / "pyproject.toml").write_text(text)
    try:
        table = table_in(None, folder)
        after = with_keys(table, KEYS)
    except InputError:
        return
    before, found = tomllib.loads(text), tomllib.loads(after)
    options = found["tool"]["pytest"]["ini_options"]
    assert {key: options.pop(key) for key in KEYS} == KEYS
    expected = before.get("tool", {}).get("pytest", {}).get("ini_options", {})
    assert options == expected
    assert without(after, LINES).startswith(text)
