"""Where a glossary is set: argument, mark, option, environment, configuration file; what it is part of."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg
from pytest_grounding import Settings
from pytest_grounding.cli import main
from pytest_grounding.cli.configuration import configuration_file
from pytest_grounding.suite.baseline_file import deciding

TRANSCRIPT = {
    "id": "kanga",
    "question": "When must each kanga be returned to the depot?",
    "chunks": [
        {"id": "d-1", "text": "Every loan scooter must be returned to the depot by Friday.", "score": 0.9},
        {"id": "d-2", "text": "A loan scooter that is not returned to the depot is reported.", "score": 0.8},
    ],
    "answer": "Each kanga must be returned to the depot by Friday [1].",
}
RULE = "kanga = loan scooter"


def write(folder, name="a.transcript.json"):
    path = folder / name
    path.write_text(json.dumps(TRANSCRIPT))
    return path


def test_only_the_rules_decide_the_fingerprint(tmp_path):
    file = tmp_path / "terms.txt"
    file.write_text(f"# ours\nfee = charge   # too\n\n  {RULE}\n")
    by_file = Settings(glossary=str(file))
    by_lines = Settings.of({"glossary": [RULE, "fee  =  charge"]})
    assert by_file.fingerprint == by_lines.fingerprint
    assert by_file.fingerprint != Settings().fingerprint
    assert by_file.fingerprint != Settings(glossary=RULE).fingerprint
    assert deciding(by_file) == deciding(by_lines) == {"glossary": f"fee = charge\n{RULE}"}
    first = pg.validate(TRANSCRIPT, by_file).to_json()
    assert pg.validate(TRANSCRIPT, by_lines).to_json() == first
    file.write_text(RULE)
    assert Settings(glossary=str(file)).fingerprint == Settings(glossary=RULE).fingerprint


INI = [
    ("pytest.ini", f"[pytest]\ngrounding_glossary =\n    # ours\n    {RULE}\n    fee = charge\n"),
    ("pytest.ini", f"[pytest]\ngrounding_glossary = {RULE}\n"),
    ("pytest.ini", "[pytest]\ngrounding_glossary = words/terms.txt\n"),
    ("pyproject.toml", f'[tool.pytest.ini_options]\ngrounding_glossary = ["{RULE}", "fee = charge"]\n'),
    ("pyproject.toml", f'[tool.pytest.ini_options]\ngrounding_glossary = """\n{RULE}\nfee = charge\n"""\n'),
    ("pyproject.toml", '[tool.pytest.ini_options]\ngrounding_glossary = "words/terms.txt"\n'),
    ("tox.ini", f"[pytest]\ngrounding_glossary =\n    {RULE}\n"),
]


@pytest.mark.parametrize(("name", "text"), INI)
def test_pytest_and_the_command_read_the_configuration_file(pytester, capsys, name, text):
    write(pytester.path)
    pytester.runpytest_inprocess().assert_outcomes(failed=1)
    pytester.mkdir("words").joinpath("terms.txt").write_text(RULE)
    pytester.path.joinpath(name).write_text(text)
    pytester.runpytest_inprocess("--grounding-json=run.json").assert_outcomes(passed=1)
    seen = json.loads((pytester.path / "run.json").read_text())["transcripts"][0]
    capsys.readouterr()
    assert main(["check", "a.transcript.json", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["transcripts"][0]
    assert told["settings_hash"] == seen["settings_hash"]
    assert "the glossary reads" in told["claims"][0]["reason"]


def test_a_file_is_relative_to_the_configuration(pytester, monkeypatch):
    below = pytester.mkdir("below")
    write(below)
    pytester.makeini("[pytest]\ngrounding_glossary = terms.txt\n")
    pytester.path.joinpath("terms.txt").write_text(RULE)
    monkeypatch.chdir(below)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    assert main(["check", "a.transcript.json"]) == 0
    assert configuration_file([below], below)[1]["glossary"] == str(Path("..") / "terms.txt")


def test_marks_and_arguments(pytester):
    pytester.makepyfile(
        f"""
        import pytest, pytest_grounding as pg

        TRANSCRIPT = {TRANSCRIPT!r}

        @pytest.mark.grounding(glossary="{RULE}")
        def test_mark():
            pg.assert_grounded(TRANSCRIPT)

        def test_argument():
            pg.assert_grounded(TRANSCRIPT, settings={{"glossary": ["{RULE}"]}})

        def test_none():
            with pytest.raises(AssertionError, match="not grounded"):
                pg.assert_grounded(TRANSCRIPT)
        """
    )
    pytester.runpytest_inprocess("--grounding-suite=off").assert_outcomes(passed=3)


def test_without_a_glossary_its_module_is_not_imported(pytester):
    result = pytester.run(
        *pytester._getpytestargs()[:1],
        "-c",
        "import sys, pytest_grounding as pg\n"
        f"given = {TRANSCRIPT!r}\n"
        "pg.validate(given)\n"
        "assert not [name for name in sys.modules if 'scorers.builtin.glossary' in name]\n"
        f"pg.validate(given, {{'glossary': '{RULE}'}})\n"
        "assert 'pytest_grounding.scorers.builtin.glossary' in sys.modules\n",
    )
    assert result.ret == 0, result.stderr.str()
