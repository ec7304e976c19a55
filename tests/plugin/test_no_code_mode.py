import pytest
from recorded import bad, good, section, write


def test_a_good_transcript_is_a_passing_test(pytester):
    write(pytester.path, "a.transcript.json", good("hr"))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["a.transcript.json::hr PASSED*"])
    assert result.ret == 0


def test_a_bad_one_fails_with_claim_place_evidence_and_advice(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), bad())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "[[]7]: there is no source 7: 1 chunk was retrieved",
            '  claim:  "The cafeteria serves grilled octopus *[[]7].*" (a.transcripts.jsonl:2)',
            "  do:     *",
            "FAILED a.transcripts.jsonl::bad - [[]7]: there is no source 7*",
        ]
    )
    result.stdout.no_fnmatch_line("*Captured log*")
    result = pytester.runpytest_inprocess("-v")
    result.stdout.fnmatch_lines(['REJECT: transcript "bad": *', "diagnosis: *", "confidence: 0.* (learned*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*collector.py*")


def test_a_bad_row_is_one_sentence_and_the_others_are_validated(pytester):
    write(
        pytester.path, "a.transcripts.jsonl", good("one"), '{"id": "two", ', '{"id": "three"}', good("four")
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        ["a.transcripts.jsonl:2: is not JSON: *", "a.transcripts.jsonl:3: * is missing*"]
    )
    assert "unreadable: a.transcripts.jsonl:2: is not JSON" in "\n".join(section(result))


@pytest.mark.parametrize("content", ["", "[", "7", "\ufeff", "null"])
def test_a_file_without_a_transcript_fails_and_does_not_interrupt(pytester, content):
    write(pytester.path, "a.transcript.json", content)
    write(pytester.path, "b.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["a.transcript.json*: *"])


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_of_lines_that_holds_none_fails_beside_others(pytester, content):
    write(pytester.path, "a.transcripts.jsonl", content)
    write(pytester.path, "b.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["a.transcripts.jsonl:1: is empty; write one transcript a line*"])


def test_a_file_that_is_no_utf_8_fails_with_a_sentence(pytester):
    (pytester.path / "a.transcript.json").write_bytes(b'{"id": "\xff"}')
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["a.transcript.json*: is not UTF-8*"])


def test_duplicate_ids_name_both_places_in_one_file_and_across_files(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("x"))
    write(pytester.path, "b.transcript.json", good("x"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=2)
    text = result.stdout.str()
    assert (
        "a.transcripts.jsonl:2: id: 'x' is the id of another transcript too, at a.transcripts.jsonl:1" in text
    )
    assert (
        "b.transcript.json:1: id: 'x' is the id of another transcript too, at a.transcripts.jsonl:1" in text
    )


def test_one_transcript_can_be_chosen_by_its_node_id(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), bad("y"))
    result = pytester.runpytest_inprocess("a.transcripts.jsonl::x")
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_ids_of_any_kind_are_names_of_tests(pytester):
    names = ["with space", "ü/ß", "[x]", "a::b", "line\nfeed", "\x1b[31mred"]
    write(pytester.path, "a.transcripts.jsonl", *(good(name) for name in names))
    result = pytester.runpytest_inprocess("-v")
    result.assert_outcomes(passed=len(names))
    assert "\x1b[31mred" not in result.stdout.str()
    assert "line\\x0afeed PASSED" in result.stdout.str()


def test_other_files_are_left_alone(pytester):
    write(pytester.path, "a.json", good())
    write(pytester.path, "transcript.json", good())
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_the_patterns_are_a_setting(pytester):
    pytester.makeini("[pytest]\ngrounding_files = *.rag.json *.rag.jsonl\n")
    write(pytester.path, "a.rag.json", good())
    write(pytester.path, "b.transcript.json", bad())
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize(("fail_on", "outcome"), [("review", {"failed": 1}), ("reject", {"passed": 1})])
def test_review_fails_unless_the_setting_says_otherwise(pytester, fail_on, outcome):
    write(pytester.path, "a.transcript.json", good(answer="Hello, how are you?"))
    result = pytester.runpytest_inprocess(f"--grounding-fail-on={fail_on}", "--grounding-suite=off")
    result.assert_outcomes(**outcome)


def test_an_expected_status_passes_and_counts_for_no_figure(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), bad(metadata={"expected_status": "reject"}))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    assert "transcripts: 1 (1 passed, 0 to review, 0 rejected)" in section(result)
    assert "expected to fail, and in no figure: 1" in section(result)


def test_an_expected_status_that_does_not_come_fails(pytester):
    write(pytester.path, "a.transcript.json", good(metadata={"expected_status": "reject"}))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*expected_status = reject, but it is pass:*"])


def test_collecting_only_decides_nothing(pytester):
    write(pytester.path, "a.transcript.json", bad())
    result = pytester.runpytest_inprocess("--collect-only", "-q")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["a.transcript.json::bad"])
    result.stdout.no_fnmatch_line("*gate:*")


@pytest.mark.parametrize("listing", ["--fixtures", "--fixtures-per-test", "--setup-plan", "--setup-only"])
def test_what_runs_no_test_decides_nothing(pytester, listing):
    write(pytester.path, "a.transcript.json", good())
    pytester.makepyfile("def test_it(tmp_path): pass")
    result = pytester.runpytest_inprocess(listing, "--junitxml=out.xml", "--grounding-json=out.json")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*gate:*")
    assert not (pytester.path / "out.json").exists()
    assert "grounding.gate" not in (pytester.path / "out.xml").read_text()


@pytest.mark.parametrize(
    ("option", "advice"),
    [
        ("--grounding-json", "for the terminal write --grounding-report=json:-"),
        ("--grounding-shard-report", "name one"),
        ("--grounding-baseline", "name one"),
    ],
)
def test_a_dash_is_no_file(pytester, option, advice):
    result = pytester.runpytest_inprocess(f"{option}=-")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert f"grounding: {option}=- is not a file; {advice}" in result.stderr.str()
    assert not (pytester.path / "-").exists()


def test_switched_off_is_skipped_and_said(pytester, monkeypatch):
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    write(pytester.path, "a.transcript.json", bad())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["grounding: switched off: enabled", "gate: OFF"])
