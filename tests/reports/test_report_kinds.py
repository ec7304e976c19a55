"""Each kind of report, for ordinary runs and for one whose every field is hostile."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from every import each
from made_runs import HOSTILE, hostile, hostile_run, plain, run, transcript
from made_verdicts import verdict
from prometheus_client.parser import text_string_to_metric_families

import pytest_grounding
from pytest_grounding import Settings, rules
from pytest_grounding.cli.schema import schema
from pytest_grounding.engine import registry
from pytest_grounding.errors import GroundingError, SettingsError
from pytest_grounding.hookspecs import hookimpl
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.issues import issues
from pytest_grounding.reports.report_links import LinkContext, prefix_of
from pytest_grounding.reports.write import (
    KINDS,
    ReportTarget,
    formats,
    parse_target,
    render_report,
    write_run,
)

#: The parts of the schema of SARIF 2.1.0 that the report uses.
SARIF = json.loads(Path(__file__).with_name("sarif_schema.json").read_text(encoding="utf-8"))
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture(scope="module")
def planned():
    return run(plain())


@pytest.fixture(scope="module")
def attacked():
    return hostile_run()


@each(*sorted(formats()))
def test_every_kind_renders_a_hostile_run_and_an_empty_one_reproducibly(kind, attacked):
    text = render_report(attacked[0], kind, attacked[1])
    assert text == render_report(attacked[0], kind, attacked[1])
    assert text.endswith("\n")
    if kind != "json":  # JSON holds every text as it is; its own escapes keep it in place
        assert not INVISIBLE.search(text)
    render_report(RunReport(), kind)
    render_report(run([])[0], kind)
    # A report on disk has only the verdict, without its transcript.
    render_report(attacked[0], kind)


def test_annotations_name_file_and_line_worst_first(planned):
    lines = render_report(planned[0], "github-annotations", LinkContext(prefix="tests/rag")).splitlines()
    assert lines[0].startswith("::error file=tests/rag/suite.transcripts.jsonl,line=")
    levels = [line.split()[0].removeprefix("::") for line in lines]
    assert levels[:-1] == sorted(levels[:-1])
    assert any("line=3,title=grounding source_exists::broken:" in line for line in lines)
    assert lines[-1].startswith("::error title=grounding gate::")


def test_annotations_of_a_hostile_run_are_only_our_commands(attacked):
    text = render_report(attacked[0], "github-annotations", attacked[1])
    for line in text.splitlines():
        command = re.fullmatch(
            r"::(error|warning|notice) ((?:(?:file|line|title)=[^:,]*,?)+)::[^\r\n]*", line
        )
        assert command, line
    assert "##[" not in text
    assert "%0A" not in text


def test_at_most_ten_annotations_of_a_level():
    report, context = run(
        [transcript(f"t{n:02}", f"The moon costs {n + 100} dollars [9].") for n in range(14)]
    )
    lines = render_report(report, "github-annotations", context).splitlines()
    errors = [line for line in lines if line.startswith("::error file=")]
    assert len(errors) == 10
    assert "::notice title=grounding::4 more errors" in lines


def test_the_summary_has_a_table_and_lists_what_is_wrong(planned):
    text = render_report(planned[0], "github-summary", planned[1])
    assert text.startswith("## ❌ Grounding: fail\n")
    assert "| citation accuracy | " in text
    assert "<code>broken</code>" in text
    comment = render_report(planned[0], "pr-comment", planned[1])
    assert comment == f"<!-- pytest-grounding -->\n{text}"


def test_a_comment_stays_under_the_limit_of_github():
    report, context = run([transcript(f"t{n}", "The moon costs 12 dollars [9]. " * 40) for n in range(30)])
    assert len(render_report(report, "pr-comment", context)) < 65_536
    assert "more." in render_report(report, "pr-comment", context)


@pytest.mark.parametrize("which", ["planned", "attacked"])
def test_sarif_fits_its_schema(which, request):
    report, context = request.getfixturevalue(which)
    document = json.loads(render_report(report, "sarif", context))
    jsonschema.Draft7Validator.check_schema(SARIF)
    jsonschema.validate(document, SARIF, format_checker=jsonschema.FormatChecker())
    (found,) = document["runs"]
    assert len(found["results"]) == len(issues(report, context, lowest="info")) > 2
    named = {rule["id"] for rule in found["tool"]["driver"]["rules"]}
    every = {cause.rule for verdict in report.transcripts for cause in verdict.causes}
    assert every <= named
    for result in found["results"]:
        assert found["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    prints = [result["partialFingerprints"]["pytestGrounding/v1"] for result in found["results"]]
    assert len(set(prints)) == len(prints)


def test_equal_issues_have_fingerprints_of_their_own_and_the_same_in_every_run():
    found = Finding(rule="unsupported_claim", severity="warning", message="no source backs this")
    report = RunReport.of([verdict("a", findings=[found, found, found]), verdict("b", findings=[found])])
    prints = [item.fingerprint for item in issues(report, LinkContext(), lowest="info")]
    assert len(set(prints)) == 4
    assert prints == [item.fingerprint for item in issues(report, LinkContext(), lowest="info")]


def test_sarif_describes_each_rule_as_the_catalogue_does(planned):
    document = json.loads(render_report(planned[0], "sarif", planned[1]))
    known = {rule["id"]: rule for rule in document["runs"][0]["tool"]["driver"]["rules"]}
    told = known["contradicted"]
    assert told["shortDescription"]["text"] == "A source contradicts the claim"
    assert told["fullDescription"]["text"].endswith(rules.RULES["contradicted"].advice)
    assert told["help"]["text"] == rules.describe("contradicted")
    assert "answer: Refunds are paid within 14 days" in told["help"]["markdown"]
    assert told["defaultConfiguration"] == {"level": "error"}
    assert told["helpUri"] == "https://pypi.org/project/pytest-rag-grounding/"
    style = Finding(rule="house_style", severity="warning", message="not ours")
    own = planned[0].transcripts[0].model_copy(update={"findings": (style,)})
    report = planned[0].model_copy(update={"transcripts": (own,)})
    (rule,) = json.loads(render_report(report, "sarif", planned[1]))["runs"][0]["tool"]["driver"]["rules"]
    assert rule == {"id": "house_style", "shortDescription": {"text": "house style"}}


def test_sarif_names_the_tool_with_its_version_and_home(planned, monkeypatch):
    driver = json.loads(render_report(planned[0], "sarif", planned[1]))["runs"][0]["tool"]["driver"]
    assert driver["name"] == "pytest-grounding"
    assert driver["version"] == pytest_grounding.__version__
    assert driver["informationUri"] == "https://pypi.org/project/pytest-rag-grounding/"
    assert driver["semanticVersion"] == driver["version"]
    development = {"Version": "0.2.0.dev3", "Name": "pytest-rag-grounding"}
    monkeypatch.setattr("pytest_grounding.reports.issues.metadata", lambda name: development)
    document = json.loads(render_report(planned[0], "sarif", planned[1]))
    jsonschema.validate(document, SARIF)
    assert "semanticVersion" not in document["runs"][0]["tool"]["driver"]
    document["runs"][0]["tool"]["driver"]["informationUri"] = "see the docs"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SARIF)


def test_gitlab_entries_have_the_required_fields(planned, attacked):
    for report, context in (planned, attacked):
        entries = json.loads(render_report(report, "gitlab", context))
        assert entries
        for entry in entries:
            assert set(entry) == {"check_name", "description", "fingerprint", "location", "severity"}
            assert entry["severity"] in {"info", "minor", "major", "critical", "blocker"}
            assert entry["location"]["path"]
            assert entry["location"]["lines"]["begin"] >= 1
        assert len({entry["fingerprint"] for entry in entries}) == len(entries)


def test_prometheus_text_can_be_parsed_and_contains_the_figures(planned, attacked):
    for report, context in (planned, attacked):
        families = {
            item.name: item
            for item in text_string_to_metric_families(render_report(report, "prometheus", context))
        }
        valid = {s.labels["status"]: s.value for s in families["citation_validation"].samples}
        assert valid["valid"] == sum(c.valid for v in report.transcripts for c in v.citations)
        assert (
            valid["invalid_removed"] == sum(not c.valid for v in report.transcripts for c in v.citations) > 0
        )
        (rate,) = families["grounding_hallucination_rate"].samples
        assert rate.value == report.summary.hallucination_rate
        assert sum(sample.value for sample in families["grounding_gate"].samples) == 1
    empty = render_report(run([])[0], "prometheus")
    assert not re.search(r"(?m)^grounding_hallucination_rate ", empty)


def test_junit_has_a_case_a_transcript_and_one_for_the_gate(planned, attacked):
    root = ET.fromstring(render_report(planned[0], "junit", planned[1]))
    (suite,) = root
    assert [case.get("name") for case in suite.iter("testcase")] == [
        "broken",
        "good",
        "invented",
        "wrong",
        "gate",
    ]
    failures = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failures == ["broken", "invented", "wrong", "gate"]
    assert suite.get("failures") == str(len(failures))
    figures = {item.get("name"): item.get("value") for item in suite.find("properties")}
    assert figures["grounding.transcripts"] == "4"
    assert figures["grounding.gate"] == "fail"
    own = {item.get("name"): item.get("value") for item in suite.find("testcase[@name='good']/properties")}
    assert own["grounding.status"] == "pass"
    (suite,) = ET.fromstring(render_report(attacked[0], "junit", attacked[1]))
    assert suite.get("errors") == suite.get("skipped") == "1"
    assert "\\u202e" in suite.find("testcase/failure").text


def test_json_fits_the_published_schema(attacked):
    jsonschema.validate(json.loads(render_report(attacked[0], "json")), schema("report"))


def test_html_without_a_transcript_and_with_one(planned):
    with_it, without = render_report(planned[0], "html", planned[1]), render_report(planned[0], "html")
    assert "Unused days expire in March." in with_it
    assert '"answer":null' in without
    assert "Content-Security-Policy" in with_it
    assert not re.search(r"""(?:src|href)=["']?https?:""", with_it)


def test_html_of_a_hostile_run_contains_no_foreign_markup(attacked):
    text = render_report(attacked[0], "html", attacked[1])
    assert text.count("<script") == 3 + len(attacked[0].transcripts)
    assert "<img" not in text
    assert "<!--" not in text.removeprefix("<!doctype")
    assert "javascript:" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL).replace(
        "[x](javascript:alert(1))", ""
    )


def test_the_terminal_shows_a_hostile_run_without_a_command(attacked):
    text = render_report(attacked[0], "terminal")
    # What is hostile is shown, only not where a build would take it for a command.
    assert "[error]taken" in text
    for line in text.splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


def test_a_target_is_read_and_a_wrong_one_is_refused(monkeypatch):
    assert parse_target("html:a:b.html") == ReportTarget("html", "a:b.html")
    assert parse_target("github-annotations") == ReportTarget("github-annotations", "-")
    assert parse_target("github-summary", {}) == ReportTarget("github-summary", "")
    assert parse_target("github-summary", {"GITHUB_STEP_SUMMARY": "s.md"}).path == "s.md"
    with pytest.raises(SettingsError, match=r"not known; write KIND:PATH with one of: .*html"):
        parse_target("htm:x")
    with pytest.raises(SettingsError, match="names no file"):
        parse_target("sarif")


def test_an_extension_adds_a_kind_and_can_use_the_transcripts(planned, tmp_path):
    class Extension:
        @hookimpl
        def pytest_grounding_reports(self):
            return {
                "ids": lambda report: " ".join(item.id for item in report.transcripts),
                "answers": lambda report, context: context.transcript(report.transcripts[0]).answer,
                "html": lambda report: "never",
            }

    extension = Extension()
    registry.register(extension)
    try:
        assert parse_target("ids:x") == ReportTarget("ids", "x")
        write_run(planned[0], tmp_path / "x", format="ids")
        assert (tmp_path / "x").read_text() == "broken good invented wrong"
        assert "[7]" in render_report(planned[0], "answers", planned[1])
        assert render_report(planned[0], "html") != "never"
    finally:
        registry.unregister(extension)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda report: 1 // 0, "the report 'own' failed (ZeroDivisionError"),
        (lambda report: None, "the report 'own' gave NoneType, not text"),
    ],
)
def test_an_extension_that_fails_is_named_and_leaves_no_file(planned, tmp_path, call, words):
    class Extension:
        @hookimpl
        def pytest_grounding_reports(self):
            return {"own": call}

    extension = Extension()
    registry.register(extension)
    try:
        with pytest.raises(GroundingError, match=re.escape(words)):
            write_run(planned[0], tmp_path / "x", format="own")
    finally:
        registry.unregister(extension)
    assert list(tmp_path.iterdir()) == []


def test_missing_folders_are_made_for_every_kind(planned, tmp_path):
    for kind in ("github-summary", "sarif"):
        write_run(planned[0], tmp_path / kind / "new" / "file", format=kind, context=planned[1])
        assert (tmp_path / kind / "new" / "file").stat().st_size


def test_the_step_summary_is_appended_to_and_other_files_replaced(planned, tmp_path):
    for kind, times in (("github-summary", 2), ("pr-comment", 1)):
        path = tmp_path / kind
        write_run(planned[0], path, format=kind, context=planned[1])
        write_run(planned[0], path, format=kind, context=planned[1])
        assert path.read_text(encoding="utf-8").count("## ❌") == times


def test_paths_start_at_the_root_of_the_repository(tmp_path):
    inner = tmp_path / "repo" / "services" / "rag"
    inner.mkdir(parents=True)
    assert prefix_of(inner, {"GITHUB_WORKSPACE": str(tmp_path / "repo")}) == "services/rag"
    (tmp_path / "repo" / ".git").mkdir()
    assert prefix_of(inner, {}) == "services/rag"
    assert prefix_of(tmp_path / "repo", {}) == ""
    assert LinkContext(prefix="a/b").path("../x.json") == "a/x.json"
    assert LinkContext(prefix="a").path("/abs.json") == "abs.json"


def test_which_kinds_show_transcripts():
    assert {kind.name for kind in KINDS.values() if kind.shows_transcripts} == {
        "html",
        "junit",
        "pr-comment",
        "github-summary",
    }
    assert HOSTILE in hostile().answer


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        ("new", "Only new findings are compared, not the figures of the suite."),
        ("any", "No figure of the suite fell."),
    ],
)
def test_the_page_says_only_of_compared_figures_that_none_fell(mode, sentence):
    found = run(plain(), before=plain(), settings=Settings(baseline_gate="new") if mode == "new" else None)
    assert f'<p class="quiet">{sentence}</p>' in render_report(found[0], "html", found[1])


@pytest.mark.parametrize("kind", ["github-summary", "html", "terminal"])
def test_accuracy_mentions_citations_that_are_valid_and_yet_doubted(kind):
    texts = {"hours": "The pool is open from eight to six.", "price": "A day ticket costs 9 euros."}
    chunks = [{"id": name, "text": text} for name, text in texts.items()]
    for marker, is_doubted in (("[2]", True), ("[1]", False)):
        answer = f"The pool is open from eight to six {marker}. A day ticket costs 9 euros [2]."
        row = {"id": "pool", "question": "When is the pool open?", "chunks": chunks, "answer": answer}
        report, context = run([pytest_grounding.Transcript.model_validate(row)])
        assert (
            "ok (1 counted as valid with a warning)" in render_report(report, kind, context)
        ) == is_doubted
