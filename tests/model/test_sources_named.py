"""What a source is called and where a reader finds it, in contexts, citations and reports; contracts."""

import json

import pytest
from every import each, table
from pydantic import TypeAdapter, ValidationError

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.write import render_report

CMS = "https://cms.example.com"


def context(settings=None, **metadata):
    return pg.format_context([{"id": "c1", "text": "Text.", "metadata": metadata}], settings=settings)


@each(*table(__file__, "test_the_context_names_title_place_and_address"))
def test_the_context_names_title_place_and_address(metadata, named):
    assert context(**metadata) == f"[1] Text. (Source: {named})"


def test_bases_make_addresses_in_the_context():
    assert context({"link_base": "https://d.example/"}, title="T", slug="a/b").endswith(
        "(Source: T, https://d.example/a/b)"
    )
    assert context({"cms_base": CMS}, payload_id=7).endswith(f"(Source: {CMS}/7)")


@each(2, -1, True, "1", 1.5)
def test_the_first_number_is_0_or_1(number):
    with pytest.raises(pg.SettingsError, match="write 0 or 1"):
        pg.format_context([{"id": "a", "text": "x"}], index_base=number)


def test_the_first_number_follows_the_setting():
    assert pg.format_context([{"id": "a", "text": "x"}], settings={"index_base": 0}).startswith("[0]")


@pytest.mark.row(30)
def test_printed_citations_name_place_and_address():
    metadata = {"doc_title": "Handbook", "page": 4, "payload_id": "7"}
    chunk = {"id": "c1", "text": "Refunds take 14 days.", "metadata": metadata}
    given = {"id": "t", "question": "How long?", "chunks": [chunk], "answer": "Refunds take 14 days [1]."}
    verdict = pg.validate(given)
    assert "chunk c1, Handbook, page 4:" in pg.format_citations(verdict)
    assert f"chunk c1, Handbook, page 4, {CMS}/7:" in pg.format_citations(verdict, {"cms_base": CMS})


def page(settings, **metadata):
    chunk = {"id": "c1", "text": "Refunds take 14 days.", "metadata": metadata}
    given = {"id": "t", "question": "How long?", "chunks": [chunk], "answer": "Refunds take 14 days [1]."}
    transcript = pg.Transcript.model_validate(given)
    report = RunReport.of([pg.validate(transcript, settings)])
    return render_report(report, "html", LinkContext.of([transcript], settings=settings))


@pytest.mark.row(23)
@each(
    ({"link_base": "https://d.example"}, {"slug": "refunds"}, "https://d.example/refunds"),
    ({"cms_base": CMS}, {"payload_id": "7"}, f"{CMS}/7"),
    ({"cms_base": f"{CMS}/articles/{{id}}"}, {"payload_id": "7"}, f"{CMS}/articles/7"),
    ({"link_base": "https://d.example/articles/{slug}/"}, {"slug": "ltc"}, "https://d.example/articles/ltc"),
    ({}, {"url": "https://a.example/x"}, "https://a.example/x"),
    ({"link_base": "javascript:alert(1)//"}, {"slug": "refunds"}, ""),
    ({"link_base": "https://d.example"}, {"slug": "../../evil"}, ""),
    ({}, {"url": "javascript:alert(1)"}, ""),
)
def test_the_page_links_to_the_source(settings, metadata, address):
    text = page(pg.Settings(**settings), title="Handbook", page="12", **metadata)
    assert f'"url":{json.dumps(address)}' in text.replace('": ', '":')
    assert "page 12" in text


@pytest.mark.row(23)
@each("https://d.example", "https://d.example/")
def test_the_variable_of_the_cms_names_its_server(server):
    settings = pg.Settings.from_environment({"PAYLOAD_PUBLIC_SERVER_URL": server})
    assert context(settings, payload_id=7).endswith("(Source: https://d.example/articles/7)")


@each("https://d.example/{id}/view", "https://d.example/view?id={id}")
def test_a_pattern_inside_of_a_base_is_refused(base):
    with pytest.raises(pg.SettingsError, match="write the pattern at the end"):
        pg.Settings(cms_base=base)


def test_an_address_cannot_end_its_script_element():
    text = page(pg.Settings(), url="https://a.example/</script><script>alert(1)</script>")
    assert "<script>alert(1)" not in text


def test_the_command_line_reports_with_the_base(tmp_path, monkeypatch, capsys):
    chunk = {"id": "c1", "text": "Refunds take 14 days.", "metadata": {"payload_id": "7"}}
    given = {"id": "t", "question": "How long?", "chunks": [chunk], "answer": "Refunds take 14 days [1]."}
    (tmp_path / "a.transcript.json").write_text(json.dumps(given), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(["check", ".", "--report", "html:page.html", "--quiet", "--set", "cms_base=https://own.example"])
    assert "https://own.example/7" in (tmp_path / "page.html").read_text(encoding="utf-8")
    capsys.readouterr()


def test_an_invalid_request_is_explained():
    for question, kind in (
        ("", "string_too_short"),
        (" ", "string_too_short"),
        ("x" * 2001, "string_too_long"),
    ):
        with pytest.raises(ValidationError) as caught:
            pg.ChatRequest(question=question)
        [fault] = caught.value.errors()
        assert fault["type"] == kind
    assert fault["ctx"] == {"length": 2001, "limit": 2000}


@pytest.mark.row(1)
@each("?", "x" * 2000, " x ", "何時?", "ü" * 2000)
def test_a_request_with_1_to_2000_characters_is_taken(question):
    assert pg.ChatRequest(question=question).question == question


def test_the_limit_of_a_request_is_that_of_the_context():
    adapter = TypeAdapter(pg.ChatRequest)
    assert adapter.validate_python({"question": "x" * 2001}, context={"question_max_length": 3000})
    with pytest.raises(ValidationError, match="at most 10"):
        adapter.validate_python({"question": "x" * 11}, context={"question_max_length": 10})


def test_the_schema_of_a_request_says_its_limits():
    schema = pg.ChatRequest.model_json_schema()["properties"]["question"]
    assert {name: schema[name] for name in ("type", "minLength", "maxLength", "pattern")} == {
        "type": "string",
        "minLength": 1,
        "maxLength": 2000,
        "pattern": r"\S",
    }


def test_a_reference_need_not_say_the_claim():
    assert pg.CitationReference(index=2).claim_text is None
    assert "claim_text" not in pg.CitationReference.model_json_schema().get("required", [])
