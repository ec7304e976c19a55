"""Reports written by pytest and the command line: hostile transcripts in logs, lines of annotations."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
from made_runs import CHUNKS, HOSTILE, QUESTION, hostile, plain

from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT

INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture(autouse=True)
def no_build_server(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


def write(folder, name, *transcripts):
    rows = [item if isinstance(item, str) else item.model_dump_json() for item in transcripts]
    (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")


def workers():
    return [pytest.param([], id="alone"), pytest.param(["-n2"], id="xdist")]


def pytest_run(pytester, *arguments):
    if "-n2" in arguments:
        pytest.importorskip("xdist")
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


@pytest.mark.parametrize("more", workers())
def test_every_report_is_written_with_workers_and_without(pytester, monkeypatch, more):
    write(pytester.path, "a.transcripts.jsonl", *plain())
    (pytester.path / ".git").mkdir()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(pytester.path / "step.md"))
    (pytester.path / "step.md").write_text("before\n")
    kinds = {"html": "out/r.html", "junit": "r.xml", "sarif": "r.sarif", "gitlab": "gl.json"}
    options = [f"--grounding-report={kind}:{path}" for kind, path in kinds.items()]
    result = pytest_run(
        pytester,
        *options,
        "--grounding-report=github-summary",
        "--grounding-report=github-annotations",
        "--junitxml=pytest.xml",
        *more,
    )
    assert result.ret == 1
    assert all((pytester.path / path).stat().st_size for path in kinds.values())
    # The answers and chunks travelled from the workers to the page.
    assert "Unused days expire in March." in (pytester.path / "out/r.html").read_text(encoding="utf-8")
    assert (pytester.path / "step.md").read_text(encoding="utf-8").startswith("before\n## ❌ Grounding: fail")
    result.stdout.fnmatch_lines(["::error file=a.transcripts.jsonl,line=3,title=grounding source_exists::*"])
    (suite,) = ET.parse(pytester.path / "pytest.xml").getroot()
    case = suite.find("testcase[@name='wrong']")
    own = {item.get("name"): item.get("value") for item in case.find("properties")}
    assert own["grounding.status"] == "reject"
    assert float(own["grounding.hallucination_rate"]) == 1.0


@pytest.mark.parametrize("more", workers())
def test_a_hostile_transcript_changes_nothing_in_the_log(pytester, more):
    lines = HOSTILE.replace("\n", " \n ")
    write(
        pytester.path,
        "a.transcripts.jsonl",
        hostile(),
        hostile("second"),
        json.dumps({"id": HOSTILE, "question": QUESTION, "chunks": [], "answer": lines, HOSTILE: 1}),
        json.dumps({"id": "gone", "question": QUESTION, "chunks": HOSTILE, "answer": HOSTILE}),
    )
    chunk = {**CHUNKS[0], "id": HOSTILE}
    given = {
        "id": HOSTILE,
        "question": QUESTION,
        "chunks": [chunk],
        "answer": f"It costs 12 dollars. {lines}",
    }
    (pytester.path / "t.json").write_text(json.dumps(given))
    pytester.makepyfile(
        """
        import json, pytest_grounding as pg
        def test_it():
            given = json.load(open("t.json"))
            try:
                pg.assert_grounded(given)
            except AssertionError as error:
                message = str(error)
            raise AssertionError(message) from None
        """
    )
    result = pytest_run(pytester, "-v", "--grounding-report=github-annotations", "--tb=short", *more)
    assert result.ret == 1
    text = result.outlines + result.errlines
    assert not [line for line in text if INVISIBLE.search(line)]
    ours = re.compile(r"::(error|warning|notice) ((?:file|line|title)=[^:]*)+::")
    commands = [line for line in text if line.lstrip().startswith("::")]
    assert commands
    assert [line for line in commands if not ours.match(line)] == []
    assert not [line for line in text if re.search(r"##(\[|vso\[)", line)]


def test_check_writes_reports_and_merge_makes_the_same_from_its_json(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a.transcripts.jsonl", *plain())
    status = main(
        ["check", "a.transcripts.jsonl", "--json", "--report=html:a.html", "--report", "sarif:a.sarif"]
    )
    assert status == 1
    (tmp_path / "run.json").write_text(capsys.readouterr().out, encoding="utf-8")
    reports = ["--report=html:b.html", "--report=sarif:b.sarif", "--report=prometheus:-"]
    assert main(["merge", "run.json", *reports]) == 0
    assert "# TYPE citation_validation_total counter" in capsys.readouterr().out
    for first, second in (("a.html", "b.html"), ("a.sarif", "b.sarif")):
        assert (tmp_path / first).read_bytes() == (tmp_path / second).read_bytes()
    (tmp_path / "a.transcripts.jsonl").unlink()
    assert main(["merge", "run.json", "--report", "html:c.html"]) == 0
    assert '"answer":null' in (tmp_path / "c.html").read_text(encoding="utf-8")


def test_merge_refuses_a_bad_file_or_kind(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text("[]")
    for arguments in (["none.json", "html:a"], ["x.json", "html:a"], ["x.json", "nothing:a"]):
        assert main(["merge", arguments[0], "--report", arguments[1]]) == 2
        assert "error" in capsys.readouterr().err


def test_annotations_do_not_spoil_json_on_standard_output(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a.transcripts.jsonl", *plain())
    main(["check", "a.transcripts.jsonl", "--json", "--report=github-annotations"])
    captured = capsys.readouterr()
    assert json.loads(captured.out)["gate"]["status"] == "fail"
    assert captured.err.startswith("::error file=")


def test_a_comment_links_to_the_run_and_to_the_page_among_its_artifacts(pytester, monkeypatch):
    write(pytester.path, "a.transcripts.jsonl", *plain())
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID", "CI_JOB_URL", "BUILD_URL"):
        monkeypatch.delenv(name, raising=False)
    reports = ("--grounding-report=pr-comment:c.md", "--grounding-report=html:out/my report.html")

    def last_line_and_first_fault(*more):
        assert pytester.runpytest("-p", "no:cacheprovider", *reports, *more).ret == 1
        text = (pytester.path / "c.md").read_text(encoding="utf-8")
        seen = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL).split("\n")
        lines = [line for line in seen if line.strip()]
        return lines[-1], next(line for line in lines if line.startswith("1. "))

    last, fault = last_line_and_first_fault()
    assert "](" not in last + fault
    job = "https://gitlab.example/team/shop/-/jobs/9"
    monkeypatch.setenv("CI_JOB_URL", job)
    monkeypatch.setenv("CI_PROJECT_DIR", str(pytester.path))
    last, fault = last_line_and_first_fault()
    page = f"{job}/artifacts/file/out/my%20report.html"
    assert last == f"[This run]({job}) · [the page]({page})"
    assert f"]({page}#t-" in fault
    monkeypatch.setenv("CI_PROJECT_DIR", str(pytester.path / "elsewhere"))
    last, fault = last_line_and_first_fault()
    assert last == f"[This run]({job}) · [the page]({job}/artifacts/browse)"
    assert "](" not in fault


PLANS = [{"id": "c1", "text": 'The "gold" plan costs 12 euros a month.', "score": 0.9}]


@pytest.fixture(autouse=True)
def in_a_folder(monkeypatch, tmp_path):
    for name in (*ENVIRONMENT, "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def plan_transcript(identifier, price):
    return {
        "id": identifier,
        # The answer's words stand in the chunks and in the question, too.
        "question": f'The "gold" plan costs {price} euros a month?',
        "chunks": PLANS,
        "answer": f'The "gold" plan costs {price} euros a month [1].',
        "metadata": {"answer": "elsewhere"},
    }


def lines_of(path, capsys, kind):
    """Id -> lines on which a report sees something wrong."""
    assert main(["check", str(path), f"--report={kind}:report.out"]) == 1
    capsys.readouterr()
    with open("report.out", encoding="utf-8") as file:
        text = file.read()
    found = {}
    if kind == "sarif":
        for result in json.loads(text)["runs"][0]["results"]:
            (place,) = result["locations"]
            region = place["physicalLocation"]["region"]
            found.setdefault(place["logicalLocations"][0]["name"], set()).add(region["startLine"])
    elif kind == "gitlab":
        for entry in json.loads(text):
            name = entry["description"].partition(":")[0]
            found.setdefault(name, set()).add(entry["location"]["lines"]["begin"])
    else:
        for line, name in re.findall(r"^::\w+ file=[^,]*,line=(\d+),[^:]*::([^:]+):", text, re.MULTILINE):
            found.setdefault(name, set()).add(int(line))
    return found


def line_with(text, words):
    (found,) = (number for number, line in enumerate(text.split("\n"), start=1) if words in line)
    return found


@pytest.mark.parametrize("kind", ["sarif", "gitlab", "github-annotations"])
def test_a_report_points_at_the_line_of_the_answer(tmp_path, capsys, kind):
    one, right, two = plan_transcript("one", 45), plan_transcript("right", 12), plan_transcript("two", 46)
    price = '"answer": "The \\"gold\\" plan costs {}'.format
    pretty = json.dumps(one, indent=2)
    (tmp_path / "a.transcript.json").write_text(pretty, encoding="utf-8")
    assert line_with(pretty, price(45)) > 5
    assert lines_of("a.transcript.json", capsys, kind) == {"one": {line_with(pretty, price(45))}}
    several = json.dumps([one, right, two], indent=4)
    (tmp_path / "a.transcript.json").write_text(several, encoding="utf-8")
    found = lines_of("a.transcript.json", capsys, kind)
    found.pop("right", None)
    assert found == {"one": {line_with(several, price(45))}, "two": {line_with(several, price(46))}}
    rows = "\n\n".join(json.dumps(row) for row in (right, one))
    (tmp_path / "a.transcripts.jsonl").write_text(rows, encoding="utf-8")
    assert lines_of("a.transcripts.jsonl", capsys, kind)["one"] == {3}


def test_a_pytest_run_with_workers_points_at_the_answer(pytester):
    pytest.importorskip("xdist")
    text = json.dumps(plan_transcript("wrong", 45), indent=2)
    (pytester.path / "a.transcript.json").write_text(text, encoding="utf-8")
    line = line_with(text, '"answer": "The')
    result = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "--grounding-report=github-annotations", "-n1"
    )
    result.stdout.fnmatch_lines([f"::error file=a.transcript.json,line={line},*"])
