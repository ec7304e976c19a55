"""Whether two recordings of one question agree, and how often a pipeline answers the same."""

import json
import subprocess
import sys

import pytest

CHUNK = "Refunds are paid within 14 days. Shipping costs €5."
RIGHT, OTHER = "Refunds are paid within 14 days.", "Refunds are paid within 30 days."


def row(identifier, answer, **more):
    chunks = [{"id": "c1", "text": CHUNK}]
    question = "How long do refunds take?"
    return {"id": identifier, "question": question, "chunks": chunks, "answer": answer, **more}


def write(path, *rows):
    path.write_text("".join(json.dumps(item) + "\n" for item in rows), encoding="utf-8")


def run(folder, *command):
    line = [sys.executable, "-m", *command]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)


def compare(folder, *options):
    return run(folder, "pytest_grounding", "compare", "a.jsonl", "b.jsonl", *options)


def test_equal_verdicts_and_values_agree(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", RIGHT))
    write(tmp_path / "b.jsonl", row("q1", "Within two weeks refunds are paid."))
    done = compare(tmp_path)
    assert (done.returncode, done.stdout) == (0, "1 pair: 1 agree\n")


def test_different_values_and_verdicts_are_reported(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", RIGHT), row("q2", RIGHT), row("q3", RIGHT))
    write(tmp_path / "b.jsonl", row("q1", OTHER), row("q2", RIGHT), row("q4", "Shipping costs €5."))
    done = compare(tmp_path)
    assert done.returncode == 1
    first, *rest = done.stdout.splitlines()
    assert first.startswith("differs: q1: pass, then reject")
    assert "14 days" in first
    assert "30 days" in first
    assert rest == [
        '  question: "How long do refunds take?"',
        '  old:      "Refunds are paid within 14 days."',
        '  new:      "Refunds are paid within 30 days."',
        '  source:   "Refunds are paid within 14 days."',
        "2 pairs: 1 agree",
        "on one side alone: q3, q4",
    ]


def test_a_lost_citation_shows_the_sentence_without_it(tmp_path):
    answer = "Refunds are paid within 14 days [1]. Shipping costs €5 [1]."
    write(tmp_path / "a.jsonl", row("q1", answer))
    write(tmp_path / "b.jsonl", row("q1", answer.replace(" [1].", ".")))
    lines = compare(tmp_path).stdout.splitlines()
    assert lines[0] == "differs: q1: pass; no longer cites c1"
    assert lines[2:4] == [
        '  old:      "Refunds are paid within 14 days [1]."',
        '  new:      "Refunds are paid within 14 days."',
    ]


def settings_compared(folder, *options):
    done = run(folder, "pytest_grounding", "compare", "a.jsonl", *options)
    return done.returncode, done.stdout, done.stderr


def test_says_which_verdicts_other_settings_change(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", f"{RIGHT[:-1]} [1]."), row("q2", RIGHT), row("q3", OTHER))
    code, shown, _ = settings_compared(tmp_path, "--set", "require_citations=warn")
    first, last = shown.splitlines()
    assert code == 1
    assert first.startswith("changes: q2: pass, then review: ")
    assert last == "3 verdicts: 1 changed by the settings"
    code, shown, _ = settings_compared(tmp_path, "--set", "require_citations=warn", "--json")
    assert json.loads(shown) == {"changed": [{"id": "q2", "statuses": ["pass", "review"]}], "verdicts": 3}
    code, shown, _ = settings_compared(tmp_path, "--set", "require_citations=off")
    assert (code, shown) == (0, "3 verdicts: 0 changed by the settings\n")
    # What the project's own file sets is the side that is compared with.
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_require_citations = warn\n")
    code, shown, _ = settings_compared(tmp_path, "--set", "require_citations=off")
    assert shown.startswith("changes: q2: review, then pass: ")
    code, _, problem = settings_compared(tmp_path)
    assert code == 2
    assert "nothing to compare with; name other recordings, or settings" in problem


def test_a_variant_names_its_original_and_json_holds_all(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", RIGHT))
    write(tmp_path / "b.jsonl", row("q1-reordered", OTHER, metadata={"variant_of": "q1"}))
    found = json.loads(compare(tmp_path, "--json").stdout)
    assert [(item["id"], item["holds"]) for item in found["pairs"]] == [("q1", False)]
    assert found["pairs"][0]["statuses"] == ["pass", "reject"]
    assert found["alone"] == []


def test_repeats_that_differ_are_counted_with_an_interval(tmp_path):
    rows = [row(f"q{number}#{again}", RIGHT) for number in range(4) for again in (1, 2)]
    write(tmp_path / "a.jsonl", *rows)
    write(tmp_path / "b.jsonl", *rows[:-1], row("q3#2", OTHER))
    lines = compare(tmp_path).stdout.splitlines()
    assert "not answered alike each time, a.jsonl: 0 of 4 questions (0.000, 0.000 to 0.490)" in lines
    assert "not answered alike each time, b.jsonl: 1 of 4 questions (0.250, 0.046 to 0.699): q3" in lines


def test_nothing_in_common_is_one_sentence(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", RIGHT))
    write(tmp_path / "b.jsonl", row("q2", RIGHT))
    done = compare(tmp_path)
    assert done.returncode == 2
    assert "no recording in common; give variants the id of the original" in done.stderr


DAYS = {"id": "days", "text": "Refunds are paid within 14 days."}
COSTS = {"id": "costs", "text": "Shipping costs €5."}
TAX = {"id": "tax", "text": "The tax is 7 %."}


def cited(identifier, answer, *chunks):
    return {"id": identifier, "question": "How long do refunds take?", "chunks": chunks, "answer": answer}


@pytest.mark.row(78)
def test_a_cited_answer_agrees_with_itself_over_reordered_chunks_and_a_distractor(tmp_path):
    answer = "Refunds are paid within 14 days [{}]. Shipping costs €5 [{}]."
    write(
        tmp_path / "a.jsonl",
        cited("reordered", answer.format(1, 2), DAYS, COSTS),
        cited("distracted", answer.format(1, 2), DAYS, COSTS),
        cited("positions", answer.format(1, 2), DAYS["text"], COSTS["text"]),
    )
    write(
        tmp_path / "b.jsonl",
        cited("reordered", answer.format(2, 1), COSTS, DAYS),
        cited("distracted", answer.format(2, 3), TAX, DAYS, COSTS),
        cited("positions", answer.format(2, 1), COSTS["text"], DAYS["text"]),
    )
    done = compare(tmp_path)
    assert (done.returncode, done.stdout) == (0, "3 pairs: 3 agree\n")


def test_a_chunk_that_is_no_longer_cited_is_reported(tmp_path):
    both = "Refunds are paid within 14 days [1]. Shipping costs €5 [2]."
    uncited = "Refunds are paid within 14 days [1]. Shipping costs €5."
    write(tmp_path / "a.jsonl", cited("q", both, DAYS, COSTS), cited("r", both, DAYS, COSTS))
    # In the second recording of r the chunk was not retrieved, so that it could not be cited.
    write(tmp_path / "b.jsonl", cited("q", uncited, DAYS, COSTS), cited("r", uncited, DAYS, "Shipping: €5."))
    lines = compare(tmp_path).stdout.splitlines()
    assert lines[0].startswith("differs: q: pass; no longer cites costs")
    assert not any("costs" in line and line.startswith("differs: r") for line in lines)


def test_a_number_of_the_text_is_no_marker(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", "Refunds are paid within 14 days. Shipping costs €5 [1]."))
    write(tmp_path / "b.jsonl", row("q1", "Refunds are paid within 14 days [1]."))
    done = compare(tmp_path)
    assert done.returncode == 1
    assert "'€5' is gone" in done.stdout
    assert "'1'" not in done.stdout


def test_a_bound_is_named_with_its_number(tmp_path):
    write(tmp_path / "a.jsonl", row("q1", "Study rooms seat up to six people [1]."))
    write(tmp_path / "b.jsonl", row("q1", "Study rooms seat at least six people [1]."))
    assert "'up to six' is gone; 'at least six' is new" in compare(tmp_path).stdout


TEST = """
A, B, C = {first!r}, {second!r}, {third!r}

def test_alike(grounding_relation):
    assert grounding_relation(A, B).statuses == ("pass", "pass")

def test_other(grounding_relation):
    grounding_relation(A, C)
"""


def test_the_fixture_asserts_a_relation_outside_of_the_figures(tmp_path):
    alike = row("q1b", "Refunds are paid within two weeks.")
    given = {"first": row("q1", RIGHT), "second": alike, "third": row("q1c", OTHER)}
    (tmp_path / "test_it.py").write_text(TEST.format(**given), encoding="utf-8")
    done = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider")
    assert "1 failed, 1 passed" in done.stdout
    assert "the recordings do not agree: pass, then reject" in done.stdout
    assert "transcripts:" not in done.stdout
