"""Thresholds by type of question and by domain: what applies, what wins, and what is refused."""

from __future__ import annotations

import pytest

import pytest_grounding as pg
from pytest_grounding.errors import SettingsError
from pytest_grounding.settings import resolve

TEXT = "Refunds are paid within 14 days of the return."


def transcript(question="How long do refunds take?", *, domain=None, chunk_domains=(None,), **metadata):
    chunks = [
        {"id": f"c{number}", "text": TEXT, "score": 0.9, "metadata": {"domain": name} if name else {}}
        for number, name in enumerate(chunk_domains)
    ]
    if domain is not None:
        metadata["domain"] = domain
    return {"id": "t", "question": question, "chunks": chunks, "answer": TEXT, "metadata": metadata}


def strictness(recorded, by, **more):
    """Which lines held: each asks for a confidence that nothing has, and says so by its own number."""
    return pg.validate(recorded, {"by": by, **more}).reason


UNREACHED = {
    "query_type": {"factual": {"reject_confidence": 0.1}, "conversational": {"reject_confidence": 0.2}},
    "domain": {"medical": {"require_citations": "error"}, "Human Resources": {"require_citations": "warn"}},
}


@pytest.mark.parametrize(
    ("recorded", "status"),
    [
        (transcript(), "pass"),
        (transcript(domain="medical"), "reject"),
        (transcript(domain="MEDICAL"), "reject"),
        (transcript(domain="human resources"), "review"),
        (transcript(chunk_domains=["medical"]), "reject"),
        (transcript(chunk_domains=[None, "medical", None]), "reject"),
        (transcript(chunk_domains=["medical"], domain="legal"), "pass"),
        (transcript(chunk_domains=["legal", None]), "pass"),
        # Of several lines that apply the later one holds.
        (transcript(chunk_domains=["Human Resources", "medical"]), "review"),
    ],
)
def test_a_domain_of_the_transcript_or_of_its_chunks(recorded, status):
    assert pg.validate(recorded, {"by": UNREACHED}).status == status


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        (transcript("When are refunds paid?"), "factual"),
        (transcript("Who pays refunds?"), "factual"),
        (transcript("Hello!"), "conversational"),
        (transcript("Why are refunds slow?"), "default"),
        (transcript("Why are refunds slow?", query_type="factual"), "factual"),
        (transcript("Who pays refunds?", query_type="conversational"), "conversational"),
    ],
)
def test_the_type_of_the_question_is_the_one_of_the_confidence(recorded, expected):
    by = {"query_type": {name: {"require_citations": "error"} for name in ("factual", "conversational")}}
    verdict = pg.validate(recorded, {"by": {"query_type": {expected: {"require_citations": "error"}}}})
    assert verdict.self_rag.query_type == expected
    assert verdict.status == "reject"
    others = {name: values for name, values in by["query_type"].items() if name != expected}
    assert pg.validate(recorded, {"by": {"query_type": others}}).status != "reject"


def test_every_form_of_the_table_says_the_same(tmp_path):
    lines = [
        "query_type factual: accept_confidence=0.8 supported_threshold=0.9",
        "domain Human Resources: abstained=warn",
    ]
    rules = tmp_path / "by.txt"
    rules.write_text("# ours\n" + "\n\n".join(lines))
    toml = tmp_path / "grounding.toml"
    toml.write_text(
        "[query_type.factual]\naccept_confidence = 0.8\nsupported_threshold = 0.9\n"
        '[domain."Human Resources"]\nabstained = "warn"\n'
    )
    project = tmp_path / "pyproject.toml"
    project.write_text(
        "[project]\nname = 'x'\n[tool.pytest-grounding.by.query_type.factual]\naccept_confidence = 0.8\n"
        "supported_threshold = 0.9\n[tool.pytest-grounding.by.domain.'Human Resources']\nabstained = 'warn'\n"
    )
    mapping = {
        "query_type": {"factual": {"supported_threshold": "0.9", "accept_confidence": 0.8}},
        "domain": {"Human Resources": {"abstained": "warn"}},
    }
    given = [lines, "\n".join(lines), mapping, rules, str(rules), toml, str(project)]
    assert {pg.Settings(by=value).by for value in given} == {pg.Settings(by=lines).by}
    assert len({pg.Settings(by=value).fingerprint for value in given}) == 1
    assert pg.Settings(by=pg.Settings(by=lines).by).by == pg.Settings(by=lines).by


@pytest.mark.parametrize("nothing", ["", [], {}])
def test_no_table_changes_nothing(nothing):
    assert pg.Settings(by=nothing) == pg.Settings()
    assert pg.Settings(by=nothing).fingerprint == pg.Settings().fingerprint


def test_the_hash_of_a_verdict_is_that_of_the_settings_it_was_judged_by():
    by = {"domain": {"medical": {"accept_confidence": 0.9}}}
    medical = pg.validate(transcript(domain="medical"), {"by": by})
    other = pg.validate(transcript(), {"by": by})
    assert medical.settings_hash == pg.Settings(accept_confidence=0.9).fingerprint
    assert other.settings_hash == pg.Settings().fingerprint
    assert pg.Settings(by=by).fingerprint not in (medical.settings_hash, other.settings_hash)


def test_what_is_stronger_than_the_table_wins_over_it():
    table = {"by": "domain medical: require_citations=error accept_confidence=0.9"}
    for source in ("directory x", "environment", "command line", "marker", "argument"):
        settings, _ = resolve([("ini", table), (source, {"accept_confidence": 0.7})])
        assert settings.by == "domain medical: require_citations=error"
    settings, _ = resolve([("ini", {**table, "accept_confidence": 0.5})])
    assert "accept_confidence=0.9" in settings.by
    settings, _ = resolve([("ini", {**table, "profile": "strict"})])
    assert "accept_confidence=0.9" in settings.by
    settings, _ = resolve([("ini", {"accept_confidence": 0.5}), ("marker", table)])
    assert "accept_confidence=0.9" in settings.by
    assert pg.Settings(by=table["by"]).with_values({"require_citations": "off"}).by == (
        "domain medical: accept_confidence=0.9"
    )


def test_a_variable_moves_what_goes_with_it_out_of_the_table():
    layers = [
        ("ini", {"by": "query_type factual: supported_threshold=0.75 accept_confidence=0.9"}),
        ("environment", {"borderline_threshold": "0.85"}),
    ]
    settings, _ = resolve(layers)
    assert settings.by == "query_type factual: accept_confidence=0.9"


def test_a_retrieval_is_judged_by_its_table_too():
    by = {"domain": {"medical": {"relevance_threshold": 1.0}}}
    chunks = [{"id": "c", "text": TEXT, "metadata": {"domain": "medical"}}]
    asked = "How long do refunds take?"
    assert not any(item.relevant for item in pg.validate_retrieval(asked, chunks, {"by": by}).relevance)
    assert any(item.relevant for item in pg.validate_retrieval(asked, chunks).relevance)


def test_an_assertion_follows_the_policies_of_its_transcript():
    by = {"domain": {"chat": {"nothing_checked": "fail"}}}
    greeting = {**transcript("Hello!", domain="chat"), "answer": "Hello! How can I help you?"}
    with pytest.raises(AssertionError, match="nothing was checked"):
        pg.assert_grounded(greeting, settings={"by": by, "nothing_checked": "pass"} | {"by": by})


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("query_type factual: acept_confidence=0.8", "setting 'acept_confidence' is unknown; did you mean"),
        (
            "query_type factual: accept_confidence=8",
            "by, line 1: query_type factual: accept_confidence = '8'",
        ),
        ("query_type factual: accept_confidence=high", "is not a number"),
        ("query_type fact: accept_confidence=0.8", "query_type 'fact' is not known; write one of: factual"),
        ("topic x: accept_confidence=0.8", "'topic' is not known"),
        ("domian x: accept_confidence=0.8", "did you mean 'domain'?"),
        ("domain x: scorer=cohere", "holds for a whole run"),
        ("domain x: suite_confidence=0.5", "holds for a whole run"),
        ("domain x: enabled=false", "holds for a whole run"),
        ("domain x: by=y", "holds for a whole run"),
        ("domain x", "is not of the form; write query_type NAME"),
        ("domain x accept_confidence=0.8", "is not of the form"),
        ("domain x: accept_confidence=0.8 accept_confidence=0.9", "names a setting twice"),
        ("domain x: accept_confidence=0.8\ndomain X: accept_confidence=0.9", "'domain X' stands there twice"),
        ("domain x: accept_confidence='0.8", "No closing quotation"),
        ("nowhere.txt", "'nowhere.txt' cannot be read (No such file or directory)"),
        (7, "by = 7 is no table"),
        ([7], "7 is not of the form"),
        ({"query_type": {"factual": 0.8}}, "'query_type' is no table of tables"),
        ({"query_type": 0.8}, "'query_type' is no table of tables"),
        ({"query_type": {"factual": {"accept_confidence": None}}}, "is not a number"),
        ("domain x: borderline_threshold=0.9", "by: domain x: borderline_threshold (0.9) is above"),
        (
            "query_type factual: supported_threshold=0.75\ndomain x: borderline_threshold=0.78",
            "by: query_type factual and domain x: borderline_threshold (0.78) is above",
        ),
    ],
)
def test_a_mistake_is_one_sentence(by, words):
    with pytest.raises(SettingsError) as raised:
        pg.Settings.of({"by": by})
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("by.txt", "# ours\ndomain a: accept_confidence=0.8\n\ndomain b: accept=0.8\n", "by.txt:4: domain b"),
        (
            "by.toml",
            "[domain.a]\naccept_confidence = 0.8\n\n[domain.b]\nabstained = 'no'\n",
            "by.toml:5: domain b",
        ),
        ("by.toml", "[domain.a]\naccept_confidence = 0.8\n[kind.b]\nabstained = 'no'\n", "by.toml:3: 'kind'"),
        ("by.toml", "[domain.a]\naccept_confidence = \n", "by.toml: is not TOML"),
        ("pyproject.toml", "[project]\nname = 'x'\n", "pyproject.toml: holds no table"),
        (
            "pyproject.toml",
            "[tool.pytest-grounding.by.query_type.factual]\naccept_confidence = 2\n",
            "pyproject.toml:2: query_type factual",
        ),
    ],
)
def test_a_mistake_in_a_file_names_file_and_line(tmp_path, name, content, place):
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(SettingsError) as raised:
        pg.Settings(by=file)
    assert place in str(raised.value)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    file = tmp_path / "by.txt"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="no text in UTF-8"):
        pg.Settings(by=file)
