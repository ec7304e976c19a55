"""Twins that differ in one fact: the right one passes, and the wrong one names the fact that is not there."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

TWINS = json.loads(Path(__file__).with_name("twins.json").read_text(encoding="utf-8"))


def verdict_on(twin, answer, **fields):
    transcript = {
        "id": "t1",
        "question": twin["question"],
        "chunks": [{"id": "c1", "text": twin["chunk"]}],
        "answer": answer,
    }
    return pg.validate(transcript | fields)


def unsettled(verdict):
    return [fact for claim in verdict.claims for fact in claim.facts if fact.is_unsettled]


@pytest.mark.parametrize("twin", TWINS, ids=[twin["id"] for twin in TWINS])
def test_the_right_twin_passes(twin):
    verdict = verdict_on(twin, twin["right"])
    assert unsettled(verdict) == []
    assert verdict.status == "pass", verdict.reason


@pytest.mark.parametrize("twin", TWINS, ids=[twin["id"] for twin in TWINS])
def test_the_wrong_twin_is_stopped_by_its_fact(twin):
    verdict = verdict_on(twin, twin["wrong"])
    assert verdict.status != "pass"
    assert twin["fact"] in {fact.type for fact in unsettled(verdict)}


def test_no_claim_with_an_unsettled_fact_is_supported():
    for twin in TWINS:
        for claim in verdict_on(twin, twin["wrong"]).claims:
            if any(fact.is_unsettled for fact in claim.facts):
                assert claim.status in ("unsupported", "contradicted")


def test_a_fact_says_where_it_stands_and_what_the_sources_have_instead():
    twin = {"question": "Who founded Acme?", "chunk": "Acme Corp was founded in 1987 by Jane Miller."}
    answer = "Acme Corp was founded in 1987 by John Miller."
    verdict = verdict_on(twin, answer)
    (name,) = unsettled(verdict)
    assert (name.type, name.text, name.status, name.nearest) == (
        "name",
        "John Miller",
        "missing",
        "Jane Miller",
    )
    assert answer[name.start : name.end] == "John Miller"
    (year,) = [fact for fact in verdict.claims[0].facts if fact.type == "point_in_time"]
    assert (year.status, year.chunk_id, year.source_text) == ("found", "c1", "1987")
    assert "John Miller: the sources name Jane Miller, c1" in {item.message for item in verdict.findings}


def test_what_the_user_declares_is_known_and_needs_no_chunk():
    twin = {"question": "How long do refunds take?", "chunk": "Refunds are paid within 14 days."}
    answer = "Refunds are paid within 14 days [1]. Contact Acme Support at help@acme.example."
    assert verdict_on(twin, answer).status != "pass"
    verdict = verdict_on(twin, answer, known=["Contact Acme Support at help@acme.example."])
    assert verdict.status == "pass"
    assert {fact.status for fact in verdict.claims[1].facts} == {"known"}
    assert verdict.claims[1].suggested_chunk_ids == ()


def test_the_setting_known_is_texts_or_a_file(tmp_path, monkeypatch):
    file = tmp_path / "known.txt"
    file.write_text("Our company is Acme.\n\nWrite to help@acme.example.\n", encoding="utf-8")
    lines = ("Our company is Acme.", "Write to help@acme.example.")
    assert pg.Settings(known=str(file)).known_lines == lines
    assert pg.Settings(known="\n".join(lines)).known_lines == lines
    with pytest.raises(pg.SettingsError, match=r"known = .*gone\.txt"):
        _ = pg.Settings(known=str(tmp_path / "gone.txt")).known_lines
    # The content decides what a fingerprint is made of, not the place of the file.
    assert pg.Settings(known=str(file)).fingerprint == pg.Settings(known="\n".join(lines)).fingerprint


def test_the_severity_of_facts_is_set_by_type_and_language():
    twin = {"question": "Who founded Acme?", "chunk": "Acme Corp was founded in 1987 by Jane Miller."}
    transcript = {
        "id": "t1",
        "question": twin["question"],
        "chunks": [{"id": "c1", "text": twin["chunk"]}],
        "answer": "Acme Corp was founded in 1987 by John Miller [1].",
    }
    stopped = pg.validate(transcript)
    noted = pg.validate(transcript, {"rules": "fact.name:info"})
    refused = pg.validate(transcript, {"rules": "fact.name:error"})
    elsewhere = pg.validate(transcript, {"rules": "fact.name.de:info"})
    assert stopped.claims[0].status == elsewhere.claims[0].status == "unsupported"
    assert noted.claims[0].status == "supported"
    assert any(item.severity == "error" for item in refused.findings)


@pytest.mark.parametrize("rules", ["fact.colour:info", "fact.name:loud", "name:info", "fact.name", 5])
def test_an_unknown_rule_of_facts_is_one_sentence(rules):
    said = r"rules = .* is not known; write RULE:SEVERITY or fact\.TYPE:SEVERITY"
    with pytest.raises(pg.SettingsError, match=said):
        pg.Settings(rules=rules)
