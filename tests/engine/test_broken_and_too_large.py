"""Defects and inputs that are too large are error findings."""

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import BOUNDS, excess
from pytest_grounding.errors import TooLargeError, UncheckedError
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.testing import Example

FEE = "The fee of the plan is 12 euros a month."


class Fussy:
    """A scorer with a defect: a word of the claims or of the chunks breaks it."""

    name = "fussy"

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(0.9) for _ in chunks]

    def support(self, claims, chunks, *, question="", language="en"):
        for text in [*(claim.text for claim in claims), *(chunk.text for chunk in chunks)]:
            if "Zanzibar" in text:
                raise IndexError("string index out of range")
        return [SupportScore(0.99) for _ in claims]


def transcript(answer, *texts):
    return Example("What is the fee?", texts or (FEE,), id="t").answered(answer)


@pytest.fixture
def as_users_see_it(monkeypatch):
    monkeypatch.delenv("GROUNDING_INTERNAL_ERRORS")


@pytest.fixture
def broken(monkeypatch):
    """The built-in engine with a defect."""
    from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer

    monkeypatch.setattr(LexicalScorer, "support", Fussy.support)


@pytest.mark.usefixtures("as_users_see_it", "broken")
def test_a_defect_is_an_error_finding():
    answer = "The fee is 12 euros. It is paid in Zanzibar. It is monthly."
    verdict = pg.validate(transcript(answer))
    assert verdict.status == "reject"
    assert not verdict.scored
    assert verdict.confidence is None
    assert verdict.hallucination_rate is None
    (finding,) = verdict.findings
    assert (finding.rule, finding.severity) == ("internal_error", "error")
    assert finding.details["where"].startswith("pytest_grounding.")
    assert "IndexError: string index out of range" in finding.message
    assert finding.details["error"] == "IndexError"
    assert verdict.to_json() == pg.validate(transcript(answer)).to_json()
    assert pg.Verdict.model_validate_json(verdict.to_json()) == verdict


@pytest.mark.usefixtures("broken")
def test_a_variable_raises_defects():
    with pytest.raises(IndexError):
        pg.validate(transcript("It is paid in Zanzibar."))
    with pytest.raises(IndexError):
        pg.support("It is paid in Zanzibar.", [FEE])


@pytest.mark.usefixtures("as_users_see_it", "broken")
def test_other_functions_report_a_defect_too():
    score = pg.support("It is paid in Zanzibar.", [FEE])
    assert score.probability is None
    assert "internal error: IndexError" in score.reason
    with pytest.raises(UncheckedError, match="could not be checked"):
        pg.clean_answer(transcript("It is paid in Zanzibar."))
    with pytest.raises(UncheckedError, match="could not be checked"):
        pg.inline_citations(transcript("It is paid in Zanzibar."))


@pytest.mark.usefixtures("as_users_see_it")
def test_input_and_settings_errors_stay_errors():
    with pytest.raises(pg.SettingsError):
        pg.validate(transcript("It is so."), {"scorer": "nobody"})
    with pytest.raises(pg.InputError):
        pg.validate({"id": "t"})


@each(
    ("It costs 10³ euros.", "It costs 12 euros."),
    ("It costs ② euros", "② euros"),
    ("The ABC report is red.", "a \u0301 b. \u0301"),
    ("NATO met \u0301 in Rome.", "North \u0301 Atlantic Treaty Organisation met"),
)
def test_judges_texts_that_once_crashed(answer, chunk):
    verdict = pg.validate(transcript(answer, chunk))
    assert "internal_error" not in {finding.rule for finding in verdict.causes}


LARGE = {
    "answer": transcript("a " * 80_000, "a"),
    "chunks": transcript("The fee is 12 euros.", *["a"] * 5_001),
    "chunk_characters": transcript("The fee is 12 euros.", *["b " * 500_000] * 4),
    "history": transcript("The fee is 12 euros.")
    | {"history": [{"role": "user", "content": "a" * 1_000_001}]},
    "citations": transcript("The fee is 12 euros.") | {"cited_indices": [1] * 20_001},
    "pairs": transcript("The fee is 12 euros. " * 4_000, "b " * 100_000, "c " * 900_000),
}


@each(*BOUNDS)
def test_too_large_an_input_is_an_error(name):
    verdict = pg.validate(LARGE[name])
    (finding,) = verdict.findings
    assert (finding.rule, finding.severity, verdict.status) == ("too_large", "error", "reject")
    assert verdict.confidence is None
    assert BOUNDS[name].counts in finding.message
    assert f"{BOUNDS[name].most:,}" in finding.message


def test_refuses_to_clean_too_large_an_answer():
    with pytest.raises(UncheckedError, match="too large to finish: 160,000 characters of the answer"):
        pg.clean_answer(LARGE["answer"])
    assert issubclass(TooLargeError, UncheckedError)


def test_too_large_a_retrieval_is_poor():
    found = pg.validate_retrieval("What is the fee?", ["a"] * 5_001)
    assert (found.rating, found.answer_present) == ("poor", "abstain")
    assert "too large to finish: 5,001 chunks" in found.reason


def test_too_large_a_claim_abstains():
    for score in (pg.support("a " * 3_000, [FEE]), pg.support("It is so.", ["b " * 2_000_000])):
        assert score.probability is None
        assert "too large to finish" in score.reason


def test_large_but_ordinary_inputs_are_within_the_limits():
    # Twenty chunks and a thousand statements, and the same the other way round.
    statement = "The fee of plan number {} is {} euros a month for each of the members."
    thousand = " ".join(statement.format(number, 7 * number % 97) for number in range(1_000))
    assert not excess(pg.Transcript.model_validate(transcript(thousand, *[thousand[:2_000]] * 20)))
    assert not excess(pg.Transcript.model_validate(transcript(thousand[:2_000], *[thousand] * 20)))
