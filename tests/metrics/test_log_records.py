"""What validation logs: events, levels and fields that formatters can rely on."""

import json
import logging
import subprocess
import sys

import pytest

import pytest_grounding as pg

CHUNKS = [{"id": "c1", "text": "Parental leave lasts 16 weeks."}, {"id": "c2", "text": "It is paid in full."}]
TRANSCRIPT = {
    "id": "leave",
    "question": "How long is parental leave?",
    "chunks": CHUNKS,
    "answer": "Parental leave lasts 18 weeks [1][7].",
}


@pytest.fixture
def records(caplog):
    """Run a validation with everything logged: event -> records."""

    def run(transcript, settings=None, level="DEBUG"):
        caplog.clear()
        with caplog.at_level(level, logger="pytest_grounding"):
            pg.validate(transcript, settings)
        found = {}
        for record in caplog.records:
            found.setdefault(record.grounding_event, []).append(record)
        return found

    return run


def fields(record):
    return {
        name.removeprefix("grounding_"): value
        for name, value in vars(record).items()
        if name.startswith("grounding_") and name != "grounding_event"
    }


@pytest.mark.row(3)
def test_a_hallucinated_citation_is_a_warning_with_its_index_and_the_number_of_chunks(records):
    (record,) = records(TRANSCRIPT, level="WARNING")["hallucinated_citation"]
    assert (record.levelname, record.name) == ("WARNING", "pytest_grounding.citations")
    assert record.getMessage() == "transcript leave: hallucinated citation 7; 2 chunks were retrieved"
    assert fields(record) == {
        "transcript_id": "leave",
        "citation": 1,
        "syntax": "index",
        "target": "7",
        "index": 7,
        "start": 33,
        "end": 36,
        "rules": ["source_exists"],
        "chunks": 2,
    }
    assert record.filename == "citation_check.py"


def test_the_summary_is_logged_as_info_with_the_figures(records):
    verdict = pg.validate(TRANSCRIPT)
    found = records(TRANSCRIPT, level="INFO")
    assert set(found) == {"hallucinated_citation", "retrieval", "summary"}
    (record,) = found["summary"]
    assert (record.levelname, record.name) == ("INFO", "pytest_grounding.validation")
    told = fields(record)
    assert told["status"] == verdict.status == "reject"
    assert told["confidence"] == verdict.confidence
    assert told["hallucinations"] == len(verdict.hallucinated) == 1
    assert (told["citations_valid"], told["citations_invalid"]) == (1, 1)
    assert told["settings_hash"] == verdict.settings_hash
    assert "source_exists" in told["rules"]


def test_missing_citations_are_one_warning_an_answer(records):
    answers = ("Parental leave lasts 16 weeks.", "Parental leave lasts 16 weeks. It is paid in full.")
    for answer in answers:
        (record,) = records({**TRANSCRIPT, "answer": answer}, level="WARNING")["missing_citations"]
        assert (record.levelname, record.name) == ("WARNING", "pytest_grounding.citations")
        claims = answer.count(".")
        assert fields(record) == {"transcript_id": "leave", "claims": claims, "chunks": 2}
        assert "16 weeks" not in record.getMessage()
    for silent in ("Parental leave lasts 16 weeks [1].", "I do not know that.", "Hello there!", ""):
        assert "missing_citations" not in records({**TRANSCRIPT, "answer": silent}, level="WARNING")
    assert "missing_citations" not in records({**TRANSCRIPT, "answer": answers[0]}, {"enabled": False})


def test_the_decision_on_a_retrieval_is_logged_with_each_chunk(records):
    verdict = pg.validate(TRANSCRIPT)
    (record,) = records(TRANSCRIPT, level="INFO")["retrieval"]
    assert (record.levelname, record.name) == ("INFO", "pytest_grounding.retrieval")
    told = fields(record)
    assert told["rating"] == verdict.retrieval.rating
    assert told["answer_present"] == verdict.retrieval.answer_present
    assert told["decisions"] == [
        [item.chunk_id, item.score, item.relevant] for item in verdict.retrieval.relevance
    ]
    assert (told["chunks"], told["scorer"]) == (2, "builtin")
    assert TRANSCRIPT["question"] not in record.getMessage()


def test_a_retrieval_without_an_answer_is_logged_too(caplog):
    with caplog.at_level("INFO", logger="pytest_grounding"):
        pg.validate_retrieval(TRANSCRIPT["question"], CHUNKS)
    (record,) = caplog.records
    assert record.grounding_event == "retrieval"
    assert record.grounding_transcript_id is None


@pytest.mark.parametrize(
    ("settings", "scorer"), [({"scorer": "cohere"}, "cohere"), ({"scorer": "cohere-embed"}, "cohere-embed")]
)
def test_a_scorer_that_did_not_serve_is_a_warning_with_its_error(records, tmp_path, settings, scorer):
    in_force = {**settings, "cassette": str(tmp_path / "none.jsonl"), "record": "none"}
    found = records(TRANSCRIPT, in_force, level="WARNING")["scorer_fallback"]
    assert {record.levelname for record in found} == {"WARNING"}
    assert {record.name for record in found} == {"pytest_grounding.scorers"}
    assert [(record.grounding_scorer, record.grounding_error) for record in found] == [
        (scorer, "CassetteError")
    ]
    # What a cassette lacks is named by its texts, and those stay out of the log.
    assert not any("Parental" in record.getMessage() for record in found)


def test_all_fields_are_plain_data(records):
    for found in records(TRANSCRIPT).values():
        for record in found:
            json.dumps(fields(record), allow_nan=False)


def test_an_index_of_many_digits_and_a_hostile_id_stay_harmless(records):
    answer = f"Parental leave lasts 16 weeks [-1]. See [c{'9' * 6000}] and https://example.org/\x1b[31m."
    found = records({**TRANSCRIPT, "id": "a\n::error::b\x1b[0m", "answer": answer})
    (summary,) = found["summary"]
    assert "\x1b" not in summary.getMessage()
    assert "\n" not in summary.getMessage()
    assert summary.grounding_transcript_id == "a\n::error::b\x1b[0m"
    assert found["hallucinated_citation"][0].grounding_index == -1


def test_after_twenty_hallucinated_citations_the_rest_is_counted(records):
    answer = " ".join(f"Parental leave lasts 16 weeks [{number}]." for number in range(10, 40))
    found = records({**TRANSCRIPT, "answer": answer})
    assert len(found["hallucinated_citation"]) == 20
    (more,) = found["hallucinated_citations_more"]
    assert more.grounding_more == 10


class Broken(logging.Handler):
    def emit(self, record):
        raise RuntimeError("the collector is down")


def test_a_failing_handler_or_filter_changes_no_verdict(capfd):
    logger = logging.getLogger("pytest_grounding")
    expected = pg.validate(TRANSCRIPT).to_json()
    handler, level = Broken(), logger.level

    def refuse(record):
        raise RuntimeError("the filter is down")

    for add, remove, thing in (
        (logger.addHandler, logger.removeHandler, handler),
        (
            logging.getLogger("pytest_grounding.citations").addFilter,
            logging.getLogger("pytest_grounding.citations").removeFilter,
            refuse,
        ),
    ):
        add(thing)
        logger.setLevel(logging.DEBUG)
        try:
            assert pg.validate(TRANSCRIPT).to_json() == expected
        finally:
            remove(thing)
            logger.setLevel(level)
        # As logging does with what it catches itself: told, and passed over.
        assert "is down" in capfd.readouterr().err


def test_nothing_is_printed_without_a_handler():
    code = (
        "import logging, pytest_grounding as pg\n"
        f"pg.validate({TRANSCRIPT!r})\n"
        "found = logging.getLogger('pytest_grounding').handlers\n"
        "print([type(item).__name__ for item in found], logging.getLogger().handlers)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout == "['NullHandler'] []\n"


def test_a_level_that_is_off_costs_no_record(monkeypatch):
    made = []
    for name in ("citations", "validation"):
        logger = logging.getLogger(f"pytest_grounding.{name}")
        monkeypatch.setattr(logger, "makeRecord", lambda *args, **more: made.append(args))
        monkeypatch.setattr(logger, "level", logging.ERROR)
        logger.manager._clear_cache()
    try:
        pg.validate(TRANSCRIPT)
    finally:
        logger.manager._clear_cache()
    assert made == []
