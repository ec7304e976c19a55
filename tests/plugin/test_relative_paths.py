"""A relative path means the same in marks, assertions, fixtures and ini keys, wherever pytest was started."""

import json

import pytest
from recorded import good, write

BY_EACH_WAY = """
import pytest
import pytest_grounding as pg


def test_assertion():
    assert pg.assert_grounded("data/a.json").id == "{expected}"


def test_fixture(grounding):
    assert grounding.validate("data/a.json").id == "{expected}"


@pytest.mark.transcripts("data/a.json")
def test_mark(transcript):
    assert transcript.id == "{expected}"
    pg.assert_grounded(transcript)
"""


def started_in(pytester, folder, *arguments):
    """A run that is started in a folder of the project, and not at its root."""
    (pytester.path / folder).mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(pytester.path / folder)
        root = f"--rootdir={pytester.path}"
        config = f"-c={pytester.path / 'tox.ini'}"
        return pytester.runpytest_subprocess(root, config, "-p", "no:cacheprovider", *arguments)


@pytest.fixture(autouse=True)
def _root(pytester):
    pytester.makeini("[pytest]\ngrounding_suite = off\n")


@pytest.mark.parametrize("start", [".", "elsewhere"])
@pytest.mark.parametrize("there", ["root", "beside", "both"])
def test_assertion_fixture_and_mark_find_the_same_file(pytester, start, there):
    """The root of the project first, then the folder of the test, from wherever pytest was started."""
    expected = "beside" if there == "beside" else "root"
    tests = pytester.mkdir("tests")
    (tests / "test_it.py").write_text(BY_EACH_WAY.format(expected=expected))
    if there != "beside":
        write(pytester.path, "data/a.json", good("root"))
    if there != "root":
        write(tests, "data/a.json", good("beside"))
    # The folder in which pytest was started does not count.
    write(pytester.path, "elsewhere/data/a.json", good("elsewhere"))
    started_in(pytester, start, str(tests)).assert_outcomes(passed=3)


def test_a_missing_file_names_both_places(pytester):
    tests = pytester.mkdir("tests")
    (tests / "test_it.py").write_text(BY_EACH_WAY.format(expected="a"))
    result = started_in(pytester, "elsewhere", str(tests))
    result.assert_outcomes(failed=2, errors=1)
    places = f"neither in the root of the project ({pytester.path.as_posix()}) nor in tests"
    message = f"data/a.json: does not exist: it is {places}"
    assert sum(message in line and line[:1] == "E" for line in result.outlines) == 2
    result.stdout.fnmatch_lines(["*neither from the root of the project nor from tests/*"])


CODE = {
    "id": "code",
    "question": "What does the function return?",
    "chunks": [{"id": "c", "text": "The function returns seven.", "metadata": {"path": "a.py"}}],
    "answer": "The function returns seven (`src/a.py:1-2`).",
}


def citing(mark="", argument="", keyword=""):
    """A test of a code citation, with a source root in one of the places that can name it."""
    return f"""
import pytest
import pytest_grounding as pg

T = {CODE!r}

{mark}
def test_it(grounding):
    verdict = grounding.validate(T{argument})
    assert [item.valid for item in verdict.citations] == [True]
    assert pg.assert_citations_valid(T{keyword}).citations[0].valid
"""


BY_MARK = citing(mark="@pytest.mark.grounding(source_root='repo')")
BY_CALL = citing(argument=", {'source_root': 'repo'}", keyword=", settings={'source_root': 'repo'}")
BY_FOLDER = citing()


@pytest.mark.parametrize("where", ["repo", "tests/repo"])
@pytest.mark.parametrize("test", [BY_MARK, BY_CALL, BY_FOLDER], ids=["mark", "call", "folder"])
def test_a_setting_names_a_folder(pytester, test, where):
    (pytester.mkdir("tests") / "test_it.py").write_text(test)
    if test == BY_FOLDER:
        pytester.makeini("[pytest]\ngrounding_suite = off\ngrounding_directories = tests: source_root=repo\n")
    source = pytester.path / where / "src"
    source.mkdir(parents=True)
    (source / "a.py").write_text("def f():\n    return 7\n")
    started_in(pytester, "elsewhere", str(pytester.path / "tests")).assert_outcomes(passed=1)


@pytest.mark.parametrize("test", [BY_MARK, BY_FOLDER], ids=["mark", "folder"])
def test_a_missing_folder_is_a_usage_error(pytester, test):
    (pytester.mkdir("tests") / "test_it.py").write_text(test)
    if test == BY_FOLDER:
        pytester.makeini("[pytest]\ngrounding_directories = tests: source_root=repo\n")
    result = pytester.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = "\n".join([*result.outlines, *result.errlines])
    assert f"is neither in the root of the project ({pytester.path.as_posix()}) nor in tests" in text
    assert text.count("source_root = 'repo'") == 1


def test_a_missing_folder_in_a_call_fails_its_test(pytester):
    (pytester.mkdir("tests") / "test_it.py").write_text(BY_CALL)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E *source_root = 'repo' (from argument) is neither in the root*nor in tests*"]
    )


def test_a_test_may_change_its_folder(pytester):
    pytester.makepyfile(
        """
        import json
        import pytest_grounding as pg

        def test_it(tmp_path, monkeypatch):
            monkeypatch.chdir(tmp_path)
            (tmp_path / "mine.json").write_text(json.dumps({value!r}))
            assert pg.assert_grounded("mine.json").id == "mine"
        """.format(value=good("mine"))
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize("option", ["--grounding-json", "--grounding-shard-report", "--grounding-audit"])
@pytest.mark.parametrize("named", ["", "b.transcript.json", "more"])
@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_value_of_an_option_is_no_path_of_the_run(pytester, monkeypatch, option, named, workers):
    """Without a file of its own pytest takes it for one: the root, and so each source, would change."""
    (pytester.path / "tox.ini").unlink()
    project, reports = pytester.mkdir("project"), pytester.mkdir("reports")
    write(project, "b.transcript.json", good("b"))
    write(project, "more/c.transcript.json", good("c"))
    (reports / "old").touch()
    monkeypatch.chdir(project)
    more = [option, "../reports/old", *([named] if named else [])]
    pytester.runpytest_subprocess("--grounding", "-n", workers, "--grounding-report=json:x.json", *more)
    found = json.loads((project / "x.json").read_text(encoding="utf-8"))["transcripts"]
    places = {"": ["b.transcript.json", "more/c.transcript.json"], "more": ["more/c.transcript.json"]}
    assert [item["source"] for item in found] == places.get(named, [named])
