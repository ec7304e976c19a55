import math

import pytest
from every import each
from made_verdicts import citation, claim, evidence, verdict

import pytest_grounding as pg
from pytest_grounding.model.finding import Finding
from pytest_grounding.plugin.assertions import GroundingWarning
from pytest_grounding.plugin.assertions.answer_assertions import RULES
from pytest_grounding.testing import Example

pytestmark = pytest.mark.grounding(suite="off")

CHUNKS = [
    {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9},
    {"id": "hr-2", "text": "The cafeteria opens at noon.", "score": 0.5},
]


transcript = Example("How many vacation days do employees receive per year?", CHUNKS, id="t").answered


def failure(call, *arguments, **more):
    with pytest.raises(AssertionError) as caught:
        call(*arguments, **more)
    return str(caught.value)


CITED = transcript("Employees receive 25 vacation days per year [1].")
BARE = transcript("Employees receive 25 vacation days per year.")
HALF = transcript("Employees receive 25 vacation days per year [1]. The cafeteria opens at noon.")
WRONG = transcript("Employees receive 25 vacation days per year [7].")


def test_valid_citations_pass():
    assert pg.assert_citations_valid(CITED).citation_accuracy == 1.0


def test_no_citation_at_all_is_missing_and_never_all_valid():
    assert 'transcript "t": missing citations: the answer cites nothing' in failure(
        pg.assert_citations_valid, BARE
    )
    assert "missing citations" in failure(pg.assert_citations_valid, BARE, require_citations="error")


def test_only_an_explicit_off_lets_it_pass():
    pg.assert_citations_valid(BARE, require_citations="off")
    pg.assert_citations_valid(BARE, settings={"require_citations": "off"})
    with pytest.warns(GroundingWarning, match="missing citations"):
        pg.assert_citations_valid(BARE, require_citations="warn")


@pytest.mark.grounding(require_citations="off")
def test_a_mark_is_explicit_too():
    pg.assert_citations_valid(BARE)


def test_an_unresolved_list_entry_is_reported_before_missing_citations():
    given = {**BARE, "cited_indices": [7]}
    text = failure(pg.assert_citations_valid, given)
    assert "1 of 1 citations not valid" in text
    assert "source_exists" in text
    assert "there is no source 7" in text
    assert "cites nothing" not in text
    # Where other arguments decide, both are said.
    text = failure(pg.assert_citations_valid, given, min_accuracy=0.5)
    assert "missing citations: the answer cites nothing" in text
    assert "there is no source 7" in text


def test_zero_based_counting_is_suspected_first():
    given = transcript("Employees receive 25 vacation days per year [0]. The cafeteria opens at noon [1].")
    for more in ({}, {"min_accuracy": 1.0}, {"rules": ["source_exists"]}):
        text = failure(pg.assert_citations_valid, given, **more)
        assert text.index("the answer seems to count its sources from 0") < text.index("there is no source 0")
        assert "set index_base = 0 if it does" in text
    text = failure(pg.assert_citations_valid, given, rules=["index_base"])
    assert text.count("seems to count its sources from 0") == 1
    assert "index_base" not in failure(pg.assert_citations_valid, WRONG)


def test_a_list_entry_that_the_text_never_mentions_is_no_citation():
    assert "missing citations" in failure(pg.assert_citations_valid, {**BARE, "cited_indices": [1]})


def test_error_wants_a_citation_on_each_checked_claim():
    pg.assert_citations_valid(HALF)
    text = failure(pg.assert_citations_valid, HALF, require_citations="error")
    assert "missing citations: 1 checked claims bear none" in text
    assert '"The cafeteria opens at noon."' in text


def test_an_answer_that_declines_needs_none():
    pg.assert_citations_valid(transcript("I don't have that information.", chunks=[]))


def test_an_unresolved_citation_is_shown_with_the_known_sources():
    text = failure(pg.assert_citations_valid, WRONG)
    assert "1 of 1 citations not valid" in text
    assert 'citation 1: "[7]" (index 7), line 1, characters 44-47' in text
    assert "source_exists" in text
    assert "retrieved: [1] hr-1, [2] hr-2" in text


@pytest.mark.row(43)
def test_figures_have_limits():
    two = transcript("Employees receive 25 vacation days per year [1] [7].")
    pg.assert_citations_valid(two, min_accuracy=0.5)
    assert "citation accuracy 0.50 is below 0.60" in failure(pg.assert_citations_valid, two, min_accuracy=0.6)
    low = verdict(citation_precision=0.4, citation_recall=0.3)
    assert "citation precision 0.40 is below 0.50" in failure(
        pg.assert_citations_valid, low, min_precision=0.5
    )
    assert "citation recall 0.30 is below 0.50" in failure(pg.assert_citations_valid, low, min_recall=0.5)
    pg.assert_citations_valid(low, min_precision=0.4, min_recall=0.3)


def test_a_figure_that_is_not_a_number_never_passes():
    assert "is below" in failure(pg.assert_citations_valid, verdict(citation_recall=math.nan), min_recall=0.0)


def test_a_figure_that_could_not_be_measured_follows_the_policy():
    none = verdict(citations=[], citation_precision=None)
    with pytest.warns(GroundingWarning, match="there is no citation precision"):
        pg.assert_citations_valid(none, require_citations="off", min_precision=0.5)


@each(
    {"min_accuracy": math.nan},
    {"min_precision": 2},
    {"min_recall": -1},
    {"require_citations": "maybe"},
    {"rules": ["source_exist"]},
    {"rules": []},
)
def test_arguments_out_of_range_are_refused(arguments):
    with pytest.raises(ValueError, match=r"is not|is empty"):
        pg.assert_citations_valid(CITED, **arguments)


def test_chosen_rules_fail_whatever_their_severity_and_the_others_do_not():
    finding = Finding(
        rule="semantic_alignment",
        severity="warning",
        message="it says else",
        citation=0,
        evidence=(evidence(),),
    )
    weak = verdict(citations=[citation()], findings=(finding,))
    pg.assert_citations_valid(weak, rules=["source_exists", "line_range"])
    text = failure(pg.assert_citations_valid, weak, rules=RULES)
    assert "semantic_alignment" in text
    assert "it says else" in text


def test_every_rule_name_is_one_that_the_engine_knows():
    """The names stand in the engine as strings; a rule that nobody files could never fail."""
    import pytest_grounding.checks.citation as room

    folder = room.__path__[0]
    import pathlib

    source = "".join(path.read_text() for path in pathlib.Path(folder).glob("*.py"))
    assert [rule for rule in RULES if f'"{rule}"' not in source] == []


def test_quotes_must_be_verbatim():
    pg.assert_citations_valid(
        transcript('The handbook says "Employees receive 25 vacation days per year" [1].'),
        rules="content_match",
    )
    text = failure(
        pg.assert_citations_valid,
        transcript('The handbook says "Employees receive 30 vacation days per year" [1].'),
        rules="content_match",
    )
    assert "citations not valid" in text
    assert "content_match" in text


def test_a_bare_claim_gets_the_chunk_that_it_could_cite():
    bare = claim(suggested_chunk_ids=("hr-2",))
    text = failure(pg.assert_citations_valid, verdict(claims=[bare]), require_citations="error")
    assert "do:       cite chunk hr-2" in text
