"""Sections 3 and 12 of the specification: syntaxes, rules, cleaning, links and the edges, row by row."""

import pytest
from answers import FEE, HOURS, SAID, TEXT, rules, transcript, verdict
from counted_calls import calls_of
from every import each, table

import pytest_grounding as pg

SECTIONS = [
    {"id": "hr-1", "text": TEXT, "metadata": {"chapter_id": "3", "section_number": "2"}},
    {"id": "hr-2", "text": FEE, "metadata": {"chapter_id": "intro", "section_number": "4.1"}},
    {
        "id": "hr-3",
        "text": HOURS,
        "metadata": {
            "url": "https://Shop.example:443/hours/",
            "path": "src/a/b.py",
            "line_start": 40,
            "line_end": 130,
        },
    },
]


def cited(answer, **more):
    """Text, chunk and validity of each citation."""
    return [(item.text, item.chunk_id, item.valid) for item in verdict(answer, **more).citations]


@pytest.mark.parametrize(("marker", "chunks"), table(__file__, "test_finds_an_index_or_id_anywhere"))
@pytest.mark.parametrize("place", ["start", "middle", "end", "behind the stop"])
def test_finds_an_index_or_id_anywhere(marker, chunks, place):
    answer = {
        "start": f"{marker} {SAID}.",
        "middle": f"Customers can return any item {marker} within 30 days of the purchase.",
        "end": f"{SAID} {marker}.",
        "behind the stop": f"{SAID}. {marker}",
    }[place]
    found = verdict(answer)
    assert [item.chunk_id for item in found.citations] == chunks
    assert all(item.valid for item in found.citations)
    for item in found.citations:
        assert answer[item.start : item.end] == item.text
        assert item.claim == next(claim.index for claim in found.claims if claim.checked)


@each(*table(__file__, "test_sections_lines_addresses_and_ids_resolve"))
def test_sections_lines_addresses_and_ids_resolve(reference, chunk):
    ((_, found, valid),) = cited(f"{SAID} ({reference}).", chunks=SECTIONS)
    assert (found, valid) == (chunk, True)


@each(*table(__file__, "test_text_that_is_not_a_citation"))
def test_text_that_is_not_a_citation(text):
    assert cited(f"{text}\n\n{SAID} (Chapter 3, Section 2).", chunks=SECTIONS) == [
        ("Chapter 3, Section 2", "hr-1", True)
    ]


def test_source_exists_is_an_error():
    for marker in ("[0]", "[-1]", "[4]"):
        found = verdict(f"{SAID} {marker}.")
        assert (rules(found)["source_exists"], found.status, found.citation_accuracy) == (
            "error",
            "reject",
            0.0,
        )


@pytest.mark.parametrize("lines", ["90-80", "200-210", "0"])
def test_line_range_is_an_error(lines, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x = 1\n" * 100)
    found = verdict(f"{SAID} (src/a.py:{lines}).", settings={"source_root": str(tmp_path)})
    assert rules(found)["line_range"] == "error"
    assert verdict(f"{SAID} (src/a.py:8-9).", settings={"source_root": str(tmp_path)}).citations[0].valid


@pytest.mark.parametrize("path", ["../secret.py", "/etc/hosts", "link.py"])
def test_rejects_a_path_outside_of_the_root(path, tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "secret.py").write_text("x = 1\n")
    (tmp_path / "root" / "link.py").symlink_to(tmp_path / "secret.py")
    found = verdict(f"{SAID} ({path}:1).", settings={"source_root": str(tmp_path / "root")})
    assert [item.valid for item in found.citations] in ([False], [])
    assert "source_exists" in rules(found) or path == "/etc/hosts"


def test_content_match_is_a_warning_with_the_difference():
    found = verdict("The shop says “Customers can return any item within 30 weeks of the purchase” [1].")
    (item,) = [cause for cause in found.causes if cause.rule == "content_match"]
    assert (item.severity, found.citations[0].valid) == ("warning", True)
    assert "weeks → days" in item.message
    folded = verdict('The shop says "customers can return any item  within 30 days of the purchase" [1].')
    assert "content_match" not in rules(folded)


def test_semantic_alignment_is_a_warning():
    found = verdict(f"{SAID} [3].")
    assert rules(found)["semantic_alignment"] == "warning"
    assert (found.citations[0].valid, found.status) == (True, "review")


@each(("off", None), ("warn", "warning"), ("error", "error"))
def test_a_setting_decides_about_uncited_claims(policy, severity):
    found = verdict(f"{SAID} [1]. {FEE}", settings={"require_citations": policy})
    assert rules(found).get("cited_claim") == severity


def test_an_answer_without_citations_has_no_rate():
    found = verdict(f"{SAID}.")
    assert "missing_citations" in rules(found)
    assert found.citation_accuracy is None
    with pytest.raises(AssertionError, match="missing citations"):
        pg.assert_citations_valid(found)


@each(
    (f"{SAID} [9].", f"{SAID}."),
    (f"{SAID} [9][1].", f"{SAID} [1]."),
    (f"{SAID} [1, 9].", f"{SAID} [1]."),
    (f"[9] {SAID} [1].", f"{SAID} [1]."),
    (f"{SAID} ([9]).", f"{SAID}."),
    (f"{SAID} [a page](https://other.example/x).", f"{SAID} a page."),
    (
        f"| a | b |\n|---|---|\n| {SAID} [9] | `x[9]` |\n\n  two  blanks",
        f"| a | b |\n|---|---|\n| {SAID} | `x[9]` |\n\n  two  blanks",
    ),
    (f"{SAID} [1].", f"{SAID} [1]."),
)
def test_cleaning_removes_only_invalid_markers(answer, clean):
    assert pg.clean_answer(transcript(answer)) == clean
    assert pg.clean_answer(transcript(clean)) == clean


def test_checks_citations_with_few_calls():
    texts = [f"{SAID} number {number}. {FEE} {HOURS}" for number in range(10)]
    row = pg.Transcript.model_validate(transcript(f"{SAID} [1]. {FEE[:-1]} [2][11].", *texts))
    pg.clean_answer(row)
    # So many calls take less than 5 ms; benchmarks/citations.py measures the time.
    assert 0 < calls_of(lambda: pg.clean_answer(row)) < 10_000


@each(("https://b.example/y", "c2"), ("https://other.example/x", None), ("", "c1"))
def test_a_definition_gives_a_number_its_meaning(address, chunk):
    chunks = [
        {"id": "c1", "text": TEXT, "metadata": {"url": "https://a.example/x"}},
        {"id": "c2", "text": FEE, "metadata": {"url": "https://b.example/y"}},
    ]
    answer = f"{SAID} [1]." + (f"\n\n[1]: {address}" if address else "")
    assert cited(answer, chunks=chunks) == [("[1]", chunk, chunk is not None)]


@each(("10-60", "warning"), ("60-70", None), ("200-210", "error"))
def test_a_line_range_without_a_root(lines, severity):
    found = verdict(f"{SAID} (src/a/b.py:{lines}).", chunks=SECTIONS)
    assert rules(found).get("line_range") == severity
