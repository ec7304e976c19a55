"""Thresholds by type of question and by domain in a run of pytest, and in the commands."""

import json

import pytest
import warm_starts
from recorded import write

TEXT = "Refunds are paid within 14 days of the return."


def recorded(identifier, domain=None, question="How long do refunds take?"):
    metadata = {"domain": domain} if domain else {}
    chunk = {"id": "c", "text": TEXT, "score": 0.9, "metadata": metadata}
    return {"id": identifier, "question": question, "chunks": [chunk], "answer": TEXT}


FILES = {
    "pytest.ini": "[pytest]\n# ours\ngrounding_by =\n    domain medical: require_citations=error\n"
    "    query_type factual: relevance_threshold=0.2\n",
    "pyproject.toml": "[tool.pytest.ini_options]\ngrounding_by = [\n"
    '  "domain medical: require_citations=error",\n'
    '  "query_type factual: relevance_threshold=0.2",\n]\n',
    "tox.ini": "[pytest]\ngrounding_by = table.toml\n",
}
TABLE = '[domain.medical]\nrequire_citations = "error"\n[query_type.factual]\nrelevance_threshold = 0.2\n'


def command(pytester, *arguments):
    return pytester.run(warm_starts.python(), "-m", "pytest_grounding", *arguments)


@pytest.mark.parametrize("name", list(FILES))
def test_pytest_and_check_read_one_table(pytester, name):
    (pytester.path / name).write_text(FILES[name])
    (pytester.path / "table.toml").write_text(TABLE)
    write(pytester.path, "kept/a.transcripts.jsonl", recorded("plain"), recorded("strict", "medical"))
    result = pytester.runpytest_inprocess("--grounding-json=run.json")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["REJECT: transcript *strict*"])
    mine = {
        v["id"]: v["settings_hash"]
        for v in json.loads((pytester.path / "run.json").read_text())["transcripts"]
    }
    result = command(pytester, "check", "kept", "--json")
    assert result.ret == 1
    theirs = {v["id"]: v["settings_hash"] for v in json.loads(result.stdout.str())["transcripts"]}
    assert mine == theirs
    assert mine["plain"] != mine["strict"]
    result = command(pytester, "settings")
    result.stdout.fnmatch_lines(
        [
            f'by * = "domain medical, query_type factual"*# {name}',
            f'require_citations * = "error" * # domain medical ({name})',
            f"relevance_threshold * = 0.2 * # query_type factual ({name})",
        ]
    )
    shown = json.loads(command(pytester, "settings", "--json").stdout.str())
    assert shown["by"]["from"] == name
    assert "domain medical: require_citations=error" in shown["by"]["value"]


def test_a_run_from_another_folder_finds_the_file_of_the_root(pytester, monkeypatch):
    (pytester.path / "pytest.ini").write_text("[pytest]\ngrounding_by = conf/table.toml\n")
    (pytester.path / "conf").mkdir()
    (pytester.path / "conf" / "table.toml").write_text(TABLE)
    write(pytester.path, "tests/a.transcript.json", recorded("strict", "medical"))
    monkeypatch.chdir(pytester.path / "tests")
    pytester.runpytest_inprocess().assert_outcomes(failed=1)
    assert command(pytester, "check", "a.transcript.json").ret == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("domain medical: require=error", "setting 'require' is unknown"),
        ("query_type odd: require_citations=error", "query_type 'odd' is not known"),
        ("domain medical: require_citations=perhaps", "require_citations = 'perhaps' is not known"),
    ],
)
def test_a_mistake_names_file_and_line_and_ends_the_run(pytester, line, words):
    (pytester.path / "pytest.ini").write_text(
        f"[pytest]\ngrounding_by =\n    domain a: abstained=warn\n    {line}\n"
    )
    write(pytester.path, "a.transcript.json", recorded("plain"))
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"grounding: pytest.ini:4: {words}" in result.stderr.str().replace("domain medical: ", "")
    result = command(pytester, "check", "a.transcript.json")
    assert result.ret == 2
    assert "pytest.ini:4: " in result.stderr.str()
    assert words in result.stderr.str()


@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ({}, "failed"),
        ({"arguments": ["--grounding-require-citations=off"]}, "passed"),
        ({"arguments": ["--grounding-set=require_citations=off"]}, "passed"),
        ({"folder": "kept: require_citations=off"}, "passed"),
        ({"folder": "other: require_citations=off"}, "failed"),
        ({"ini": "grounding_require_citations = off"}, "failed"),
        ({"ini": "grounding_profile = lenient"}, "failed"),
    ],
)
def test_what_wins_over_the_table(pytester, how, outcome):
    folder = f"grounding_directories =\n    {how['folder']}\n" if "folder" in how else ""
    (pytester.path / "pytest.ini").write_text(
        f"[pytest]\ngrounding_by =\n    domain medical: require_citations=error\n"
        f"{how.get('ini', '')}\n{folder}"
    )
    (pytester.path / "other").mkdir()
    write(pytester.path, "kept/a.transcript.json", recorded("strict", "medical"))
    pytester.runpytest_inprocess(*how.get("arguments", [])).assert_outcomes(**{outcome: 1})


def test_a_mark_and_a_call_win_over_the_table_and_bring_one(pytester):
    (pytester.path / "pytest.ini").write_text(
        "[pytest]\ngrounding_by =\n    domain medical: nothing_checked=fail\n"
    )
    write(
        pytester.path,
        "kept/a.json",
        {**recorded("hello", "medical", "Hello!"), "answer": "Hello! How are you?"},
    )
    pytester.makepyfile(
        "import pytest\nimport pytest_grounding as pg\n\n"
        "def test_table():\n    pg.assert_grounded('kept/a.json')\n\n"
        "@pytest.mark.grounding(nothing_checked='pass')\n"
        "def test_mark():\n    pg.assert_grounded('kept/a.json')\n\n"
        "def test_call():\n    pg.assert_grounded('kept/a.json', settings={'nothing_checked': 'pass'})\n\n"
        "@pytest.mark.grounding(by='query_type conversational: nothing_checked=pass')\n"
        "def test_mark_with_a_table():\n    pg.assert_grounded('kept/a.json')\n"
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["FAILED *::test_table*"])


def test_a_baseline_tells_whose_settings_changed(pytester):
    write(pytester.path, "kept/a.transcripts.jsonl", recorded("plain"), recorded("medical", "medical"))
    base = "--grounding-baseline=base.json"
    assert pytester.runpytest_subprocess(base, "--grounding-baseline-update").ret == 0
    result = pytester.runpytest_subprocess(base, "--grounding-set=by=domain medical: accept_confidence=0.9")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*the settings changed: by *domain medical: accept_confidence=0.9*"])
