"""Thousands of transcripts in one run: what is held of each, and what is printed."""

import json
import re

import pytest


def row(number, *, wrong=False):
    """A transcript about a made thing; a wrong one gives another year."""
    year = 1900 + number % 90
    text = f"The Arden library number {number} opened in {year}. It lends maps for {7 + number % 5} days."
    answer = f"The Arden library number {number} opened in {year - 100 * wrong} [1]."
    chunk = {"id": "c1", "text": text, "score": 0.9}
    return {"id": f"r{number}", "question": "When did it open?", "chunks": [chunk], "answer": answer}


def write(pytester, rows):
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    (pytester.path / "a.transcripts.jsonl").write_text(lines, encoding="utf-8")


def summary_of(output):
    """Our part of the output, without the names of written files."""
    own = output.partition("= grounding =")[2]
    return re.sub(r"(?m)^written: .*\n|^.* in \d.*$", "", own)


MIXED = {
    "passing": [row(number) for number in range(6)],
    "one-wrong": [row(1), row(2, wrong=True), row(3)],
    "greeting": [row(1), {**row(2), "answer": "Hello! How can I help you?"}],
    "uncited": [row(1), {**row(2), "answer": "The Arden library number 2 opened in 1902."}],
    "declines": [row(1), {**row(2), "answer": "I could not find that in the documents."}],
    "reporting": [{**row(number), "confidence": 0.9} for number in range(3)],
    "parts": [{**row(1), "question": "When did it open, and for how long does it lend maps?"}],
}


@pytest.mark.parametrize("name", MIXED)
def test_the_summary_is_the_same_with_and_without_a_report(pytester, name):
    """Without a report, passing verdicts are kept without their texts."""
    write(pytester, MIXED[name])
    short = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    whole = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "--grounding-json=out.json")
    assert summary_of(str(short.stdout)) == summary_of(str(whole.stdout)) != ""
    assert short.ret == whole.ret
    verdicts = json.loads((pytester.path / "out.json").read_text(encoding="utf-8"))["transcripts"]
    assert all(claim["text"] for verdict in verdicts for claim in verdict["claims"])


def test_two_verdicts_on_one_transcript_give_the_same_summary(pytester):
    write(pytester, [row(1)])
    pytester.makepyfile(
        """
        import pytest
        from pytest_grounding import assert_grounded

        @pytest.mark.transcripts("a.transcripts.jsonl")
        @pytest.mark.parametrize("least", [0.1, 0.2])
        def test_it(transcript, least):
            assert_grounded(transcript, alignment_threshold=least)
        """
    )
    short = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    whole = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "--grounding-json=out.json")
    assert summary_of(str(short.stdout)) == summary_of(str(whole.stdout)) != ""


def test_shortens_failures_beyond_the_first_hundred(pytester):
    write(pytester, [row(number, wrong=True) for number in range(105)])
    short = str(pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider").stdout)
    assert short.count("  do:     ") == 100
    assert short.count("the first 100 are told whole; all with -v") == 5
    full = str(pytester.runpytest_inprocess("-v", "-p", "no:cacheprovider").stdout)
    assert "are told whole" not in full
    assert full.count("diagnosis: Generation") == 105
    assert len(short) < 105 * 1500
