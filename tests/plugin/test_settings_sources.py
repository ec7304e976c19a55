"""Call argument > marker > command line > environment variable > ini > profile."""

from argparse import Namespace

import pytest
from every import table
from recorded import good, write

from pytest_grounding.cli.configuration import effective

SHOW = """
import pytest

def test_run(grounding): print("run:", grounding.settings.accept_confidence)

@pytest.mark.grounding(accept_confidence=0.65)
class TestMarked:
    def test_class(self, grounding): print("class:", grounding.settings.accept_confidence)

    @pytest.mark.grounding(accept_confidence=0.66)
    def test_function(self, grounding):
        print("function:", grounding.settings.accept_confidence)
"""


def shown(pytester, *arguments):
    pytester.makepyfile(SHOW)
    text = pytester.runpytest_inprocess("-s", *arguments).stdout.str()
    return {key: text.split(f"{key}: ")[1].split()[0] for key in ("run", "class", "function")}


def test_stronger_sources_override_weaker_ones(pytester, monkeypatch):
    assert shown(pytester)["run"] == "0.7"
    pytester.makeini("[pytest]\ngrounding_profile = strict\n")
    assert shown(pytester)["run"] == "0.8"
    pytester.makeini("[pytest]\ngrounding_profile = strict\ngrounding_accept_confidence = 0.61\n")
    assert shown(pytester)["run"] == "0.61"
    monkeypatch.setenv("VALIDATION_CONFIDENCE_THRESHOLD", "0.62")
    assert shown(pytester)["run"] == "0.62"
    assert shown(pytester, "--grounding-accept-confidence=0.63")["run"] == "0.63"
    assert shown(pytester, "--grounding-set", "accept-confidence=0.64") == {
        "run": "0.64",
        "class": "0.65",
        "function": "0.66",
    }


def test_arguments_of_an_assertion_override_the_mark(pytester):
    pytester.makepyfile(
        """
        import pytest, pytest_grounding as pg

        @pytest.mark.grounding(nothing_checked="fail")
        def test_marked():
            with pytest.raises(AssertionError, match="nothing was checked"):
                pg.assert_grounded("hello.json")
            with pytest.warns(pg.GroundingWarning if hasattr(pg, "GroundingWarning") else UserWarning):
                pg.assert_grounded("hello.json", settings={"nothing_checked": "warn"})
            pg.assert_grounded("hello.json", settings={"nothing_checked": "pass"})
        """
    )
    write(pytester.path, "hello.json", good(answer="Hello!"))
    pytester.runpytest_inprocess("--grounding-suite=off").assert_outcomes(passed=1)


INI = "grounding_accept_confidence = 0.9\ngrounding_enabled = false\n"
TOML = (
    "grounding_index_base = 0\ngrounding_files = ['*.rag.json']\ngrounding_profiles = ['docs: suite=off']\n"
)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("pytest.ini", f"[pytest]\n{INI}"),
        ("tox.ini", f"[pytest]\n{INI}"),
        ("pyproject.toml", f"[tool.pytest.ini_options]\n{INI}"),
        ("pyproject.toml", f"[tool.pytest]\n{INI}"),
        ("pyproject.toml", f"[tool.pytest]\n{INI.replace('0.9', '1')}{TOML}"),
    ],
)
def test_reads_each_kind_of_configuration_file(pytester, file, content):
    if "[tool.pytest]\n" in content and pytest.version_tuple < (9, 0):
        pytest.skip("pytest 8 does not read [tool.pytest]")
    (pytester.path / file).write_text(content)
    pytester.makepyfile(
        "def test_it(grounding):\n"
        "    assert grounding.settings.accept_confidence in (0.9, 1.0)\n"
        "    assert grounding.settings.enabled is False\n"
    )
    pytester.runpytest_inprocess("--strict-config").assert_outcomes(passed=1)


def test_strips_quotes_that_only_toml_needs(pytester):
    lines = """grounding_profile = "strict"\ngrounding_fail_on = 'reject'\ngrounding_enabled = "no"\n"""
    pytester.makeini(f"[pytest]\n{lines}")
    pytester.makepyfile(
        "def test_it(grounding):\n"
        "    assert grounding.settings.nothing_checked == 'fail'\n"
        "    assert grounding.settings.fail_on == 'reject'\n"
        "    assert grounding.settings.enabled is False\n"
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    found = effective(Namespace(assignments=[], profile=None, source_root=None, glossary=None), environ={})
    assert (found.settings.fail_on, found.settings.nothing_checked) == ("reject", "fail")


@pytest.mark.parametrize(("line", "message"), table(__file__, "wrong"))
def test_a_wrong_setting_is_a_usage_error_before_any_test_runs(pytester, line, message):
    pytester.makeini(f"[pytest]\n{line}\n")
    pytester.makepyfile("def test_it(): open('ran', 'w')")
    write(pytester.path, "a.transcript.json", good())
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in result.stderr.lines if line]
    assert line.startswith("ERROR: grounding: ")
    assert message in line
    assert not (pytester.path / "ran").exists()


def test_a_profile_of_the_project(pytester):
    pytester.makeini("[pytest]\ngrounding_profiles =\n    docs: accept_confidence=0.55 suite=off\n")
    assert shown(pytester, "--grounding-profile=docs")["run"] == "0.55"


def test_a_source_root_is_relative_to_the_project(pytester, monkeypatch):
    pytester.makeini("[pytest]\ngrounding_source_root = code\n")
    folder = pytester.mkdir("below")
    (folder / "test_it.py").write_text(
        "from pathlib import Path\n"
        "def test_it(grounding): assert Path(grounding.settings.source_root).resolve().name == 'code'\n"
    )
    pytester.mkdir("code")
    monkeypatch.chdir(folder)
    pytester.runpytest_subprocess("test_it.py").assert_outcomes(passed=1)


FOLDERS = """
[pytest]
grounding_accept_confidence = 0.61
grounding_directories =
    legal: accept_confidence=0.9 require_citations=warn
    legal/drafts: accept_confidence=0.5
"""


def shown_in(pytester, folder, *arguments):
    pytester.makeini(FOLDERS)
    name = f"test_{folder.replace('/', '_')}.py"
    place = pytester.path / folder
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_text(SHOW)
    text = pytester.runpytest_inprocess("-s", f"{folder}/{name}", *arguments).stdout.str()
    return {key: text.split(f"{key}: ")[1].split()[0] for key in ("run", "class")}


def test_an_inner_folder_overrides_an_outer_one(pytester):
    assert shown_in(pytester, "other")["run"] == "0.61"
    assert shown_in(pytester, "legal")["run"] == "0.9"
    assert shown_in(pytester, "legal/drafts")["run"] == "0.5"
    assert shown_in(pytester, "legally")["run"] == "0.61"


def test_environment_command_line_and_marks_override_the_folder(pytester, monkeypatch):
    assert shown_in(pytester, "legal", "--grounding-accept-confidence=0.63")["run"] == "0.63"
    monkeypatch.setenv("VALIDATION_CONFIDENCE_THRESHOLD", "0.62")
    assert shown_in(pytester, "legal") == {"run": "0.62", "class": "0.65"}
