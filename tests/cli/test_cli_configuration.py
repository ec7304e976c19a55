"""Where a command's settings come from, and which source wins."""

import argparse
import json
import re
from pathlib import Path

import pytest
from every import each

from pytest_grounding.cli import configuration, main
from pytest_grounding.cli.parser import add_rows
from pytest_grounding.errors import InputError, SettingsError


def parsed(*words):
    parser = argparse.ArgumentParser()
    add_rows(parser, "@settings")
    return parser.parse_args(words)


def effective(folder, *words, environ=None):
    return configuration.effective(parsed(*words), environ=environ or {}, folder=folder)


@each(
    ("pytest.ini", "[pytest]\ngrounding_accept_confidence = 0.75\n"),
    (".pytest.ini", "[pytest]\ngrounding_accept_confidence = 0.75\n"),
    ("pytest.ini", "\ufeff[pytest]\r\ngrounding_accept_confidence = 0.75\r\n"),
    ("tox.ini", "[pytest]\ngrounding_accept_confidence = 0.75\n"),
    ("setup.cfg", "[tool:pytest]\ngrounding_accept_confidence = 0.75\n"),
    ("pyproject.toml", '[tool.pytest.ini_options]\ngrounding_accept_confidence = "0.75"\n'),
    ("pyproject.toml", "[tool.pytest]\ngrounding_accept_confidence = 0.75\n"),
    ("pytest.toml", "[pytest]\ngrounding_accept_confidence = 0.75\n"),
)
def test_reads_every_file_that_pytest_reads(name, text, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "below").mkdir()
    found = effective(tmp_path / "below")
    assert found.settings.accept_confidence == 0.75
    assert found.origin["accept_confidence"] == name
    assert found.file == tmp_path / name


def test_a_file_without_a_pytest_table_does_not_end_the_search(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (inner / "tox.ini").write_text("[tox]\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_index_base = 0\n")
    assert effective(inner).settings.index_base == 0


def test_an_empty_pytest_ini_ends_the_search(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pytest.ini").write_text("")
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_index_base = 0\n")
    assert effective(inner).settings.index_base == 1


def test_the_stronger_source_wins(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_accept_confidence = 0.75\n")
    environ = {"VALIDATION_CONFIDENCE_THRESHOLD": "0.8"}
    assert effective(tmp_path, environ=environ).settings.accept_confidence == 0.8
    both = effective(tmp_path, "--set", "accept_confidence=0.85", environ=environ)
    assert both.settings.accept_confidence == 0.85
    assert both.origin["accept_confidence"] == "command line"
    assert both.origin["reject_confidence"] == "default"


def test_a_profile_is_the_weakest_source(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_accept_confidence = 0.75\n")
    found = effective(tmp_path, "--profile", "strict")
    assert found.settings.accept_confidence == 0.75
    assert found.settings.require_citations == "error"
    assert found.origin["require_citations"] == "profile strict"


@each(
    ("pytest.ini", "[pytest]\ngrounding_profiles =\n    careful: accept_confidence=0.9 index_base=0\n"),
    (
        "pyproject.toml",
        '[tool.pytest.ini_options]\ngrounding_profiles = ["careful: accept_confidence=0.9 index_base=0"]\n',
    ),
)
def test_reads_a_profile_from_a_file(name, text, tmp_path):
    (tmp_path / name).write_text(text)
    found = effective(tmp_path, "--profile", "careful")
    assert (found.settings.accept_confidence, found.settings.index_base) == (0.9, 0)
    assert found.origin["accept_confidence"] == "profile careful"
    (tmp_path / name).write_text(text.replace("careful:", "careful"))
    with pytest.raises(SettingsError, match="grounding_profiles"):
        effective(tmp_path)


def test_a_folder_is_relative_to_the_configuration_file(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_source_root = src\n")
    (tmp_path / "below").mkdir()
    assert effective(tmp_path).settings.source_root == "src"
    assert effective(tmp_path / "below").settings.source_root == str(Path("..") / "src")
    assert effective(tmp_path, "--set", "source_root=other").settings.source_root == "other"


def test_accepts_prefix_and_dashes_in_names(tmp_path):
    assert effective(tmp_path, "--set", "grounding_index_base=0").settings.index_base == 0
    assert effective(tmp_path, "--set", "index-base = 0").settings.index_base == 0


@each(
    (["--set", "index_base"], "NAME=VALUE"),
    (["--set", "indexbase=0"], "index_base"),
    (["--set", "index_base=7"], "from 0 to 1"),
    (["--set", "accept_confidence=nan"], "out of range"),
    (["--profile", "strickt"], "strict"),
)
def test_a_wrong_setting_says_what_to_write(words, message, tmp_path, capsys):
    with pytest.raises(SettingsError, match=message):
        effective(tmp_path, *words)
    assert main(["show", "settings", *words]) == 2
    assert message in capsys.readouterr().err


def test_names_a_malformed_file(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.pytest\n")
    with pytest.raises(InputError, match=r"pyproject\.toml"):
        effective(tmp_path)


def test_shows_every_setting_with_its_source(tmp_path, monkeypatch, capsys):
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_index_base = 0\n")
    monkeypatch.chdir(tmp_path)
    assert main(["show", "settings", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows["index_base"] == {"value": 0, "from": "pytest.ini"}
    assert main(["show", "settings"]) == 0
    text = capsys.readouterr().out
    assert str(tmp_path / "pytest.ini") in text
    assert all(f"\n{name} " in text for name in rows)


def test_settings_of_a_folder(tmp_path):
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ngrounding_accept_confidence = 0.6\n"
        "grounding_directories =\n  legal: accept_confidence=0.9\n"
    )
    found = effective(tmp_path, "--set", "index_base=0")
    assert found.for_path(str(tmp_path / "legal" / "a.json")).accept_confidence == 0.9
    assert found.for_path(str(tmp_path / "legal" / "a.json")).index_base == 0
    assert found.for_path(str(tmp_path / "other" / "a.json")).accept_confidence == 0.6


@each(
    ("pytest.ini", "[pytest]\ngrounding_acept_confidence = 0.8\n"),
    ("pyproject.toml", "[tool.pytest.ini_options]\ngrounding_acept_confidence = 0.8\n"),
)
def test_a_misspelt_key_is_an_error_as_in_pytest(name, text, tmp_path):
    (tmp_path / name).write_text(text)
    problem = f"setting 'acept_confidence' (from {name}) is unknown; did you mean 'accept_confidence'?"
    with pytest.raises(SettingsError, match=re.escape(problem)):
        effective(tmp_path)


def test_ignores_other_keys_of_the_plugin(tmp_path):
    keys = "grounding_files = a\ngrounding_baseline = b\ngrounding_golden = check\nother = 1\n"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{keys}grounding_index_base = 0\n")
    assert effective(tmp_path).settings.index_base == 0


def test_names_the_line_of_a_repeated_key(tmp_path):
    file = tmp_path / "tox.ini"
    file.write_text("[pytest]\ngrounding_index_base = 0\naddopts = -q\ngrounding_index_base = 1\n")
    with pytest.raises(InputError) as caught:
        effective(tmp_path)
    assert str(caught.value) == (
        f"{file}:4: grounding_index_base: occurs twice in its section; keep one of the two"
    )


def test_checks_profiles_that_are_not_in_use(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_profiles =\n  docs: acept_confidence=1\n")
    with pytest.raises(SettingsError, match="'acept_confidence' \\(from profile docs\\) is unknown"):
        effective(tmp_path)
