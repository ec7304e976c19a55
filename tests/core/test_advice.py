"""Advice on a claim that a source contradicts: new words are offered only where they cannot harm."""

from dataclasses import replace

from every import each, table

import pytest_grounding as pg
from pytest_grounding.checks.edits import READ, READ_ONLY, Edit, offered_edit
from pytest_grounding.checks.hallucination import check
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import extract_and_score
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.mutation.faults import FAULTS
from pytest_grounding.mutation.mutate_files import dice
from pytest_grounding.mutation.site import sites_of
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.scorers import SupportScore
from pytest_grounding.settings import Settings
from pytest_grounding.testing import Example

VALUES = ("new_number", "swapped_number", "unit", "date", "new_entity", "swapped_entity")
PLANT = {fault.name: fault.plant for fault in FAULTS}
SUITE = (
    *(
        (text, text)
        for text in (
            "Refunds are paid within 14 days of the return. The fee for a late return is 25 euros.",
            "Hold the probe at 45 degrees for 20 minutes. The tank holds 300 litres of water.",
            "Harbour Line trains leave Bremen at 7 o'clock. Lena Ortiz has managed the depot since 2011.",
            "Employees get 25 days of leave a year. Up to 5 of these days may be carried over to March.",
        )
    ),
    (
        "The Pro plan includes 40 seats and costs 90 dollars a month. Support answers within 6 hours.",
        "The Pro plan includes 40 seats and costs 90 dollars a month. By mail support replies in 6 hours.",
    ),
    (
        "The museum was opened on 3 May 1998 by Clara Weiss. It holds 1,200 paintings.",
        "The museum was opened on 3 May 1998 by Clara Weiss [1]. The collection holds 1,200 paintings [1].",
    ),
)


def row(source, answer, *more):
    return Example("What is said?", [source, *more], id="t").answered(answer)


def edits(verdict):
    return [(cause, cause.details["edit"]) for cause in verdict.causes if "edit" in cause.details]


def followed(answer, edit):
    return answer[: edit["start"]] + edit["text"] + answer[edit["end"] :]


def values(text):
    """The values in a text, in their normal form."""
    return [fact.key for fact in extract_facts(text)]


def test_an_offered_edit_undoes_a_planted_fault():
    offered = planted = 0
    for source, answer in SUITE:
        given = pg.Transcript.model_validate(row(source, answer))
        for place in sites_of(given, pg.validate(given)):
            for name in VALUES:
                for seed in range(4):
                    mutant = PLANT[name](place, dice(seed, name, answer, place.claim.index))
                    if mutant is None:
                        continue
                    planted += 1
                    for cause, edit in edits(pg.validate(mutant.transcript)):
                        offered += 1
                        mended = followed(mutant.transcript.answer, edit)
                        assert values(mended) == values(answer), (mutant.change, cause.suggestion)
                        assert cause.suggestion == f"use the source's value: {edit['text']!r}"
                        assert (
                            pg.validate({**row(source, mended)}).claims[place.claim.index].status
                            == "supported"
                        )
    # Never offering an edit must not pass.
    assert offered >= planted / 5
    assert offered >= 30


@each(*table(__file__, "test_offers_nothing_when_more_than_one_value_differs"))
def test_offers_nothing_when_more_than_one_value_differs(source, claim):
    verdict = pg.validate(row(source, claim))
    assert not edits(verdict)
    assert not [cause for cause in verdict.causes if "write what" in cause.suggestion]


def test_offers_nothing_when_sources_disagree():
    one, other = (
        "Refunds are paid within 14 days of the return.",
        "Refunds are paid within 30 days of the return.",
    )
    claim = "Refunds are paid within 45 days of the return."
    assert [edit["text"] for _, edit in edits(pg.validate(row(one, claim)))] == ["14 days"]
    for sources in ([one, other], [other, one], [f"{one} Since May, {other}"], [f"Since May, {other} {one}"]):
        first, *more = sources
        verdict = pg.validate(row(first, claim, *more))
        assert verdict.claims[0].status == "contradicted"
        assert not edits(verdict), sources


def conflict(claim, source, text, **more):
    quote = Evidence(chunk_id="c1", sentence_index=0, text=text, start=0, end=len(text))
    return Conflict(
        **{"kind": "number", "claim_text": claim, "evidence_text": source, "evidence": quote, **more}
    )


def advised(source, claim, found, support=0.1):
    """The offered edit and the suggestions for a given conflict."""
    transcript = pg.Transcript.model_validate(row(source, claim))
    context, _ = extract_and_score(transcript, Settings(), registry.scorers(Settings()))
    context = replace(context, supports=(SupportScore(support, method="lexical", conflicts=(found,)),))
    outcome = check(context)
    offer = offered_edit(context, context.claims[0], outcome.claims[0])
    rules = {"contradicted", "possible_conflict"}
    suggestions = [item.suggestion for item in outcome.findings if item.rule in rules]
    return (None if offer is None else offer[0]), suggestions


def test_offers_an_edit_only_if_the_edited_claim_is_supported():
    source, claim = "Refunds are paid within 14 days.", "Refunds are paid within 45 days."
    edit, suggestions = advised(source, claim, conflict("45 days", "14 days", source))
    assert edit == Edit(24, 31, "14 days")
    assert suggestions == ["use the source's value: '14 days'"]
    denied = "Refunds are not paid within 14 days."
    edit, suggestions = advised(denied, claim, conflict("45 days", "14 days", denied))
    assert edit is None
    assert suggestions == [READ]


def test_offers_no_edit_of_a_supported_claim():
    source, claim = "Refunds are paid within 14 days.", "Refunds are paid within 45 days."
    possible = conflict("45 days", "14 days", source, severity="warning")
    both = f"{source} Refunds from abroad are paid within 45 days."
    assert advised(both, claim, possible, support=0.95) == (None, [READ_ONLY])
    edit, _ = advised(source, claim, possible, support=0.1)
    assert edit is not None


@each(
    # The value occurs twice in the claim, or in another form.
    ("Pay in 14 days.", "Pay in 45 days or 45 days.", ("45 days", "14 days")),
    ("Pay in 14 days.", "Pay in **45** days.", ("45 days", "14 days")),
    # Another bound, another kind of value, another place.
    ("Pay in at most 14 days.", "Pay in at least 45 days.", ("at least 45 days", "at most 14 days")),
    ("Pay in 14 days.", "Pay in 45 euros.", ("45 euros", "14 days")),
    ("Of 14 days pay in 3.", "Pay in 45 days.", ("45 days", "14 days")),
    # The source gives no value.
    ("Pay in 14 days.", "Pay in 45 days.", ("45 days", "")),
)
def test_replaces_a_value_only_by_one_of_its_kind_and_place(source, claim, found):
    assert advised(source, claim, conflict(*found, source))[0] is None


@each("negation", "antonym", "quantifier", "comparison", "role", "order")
def test_offers_only_values(kind):
    source, claim = "The lift goes up.", "The lift goes down."
    assert advised(source, claim, conflict("down", "up", source, kind=kind)) == (None, [READ])


def test_replaces_a_name_only_by_one_in_the_same_place():
    source = "The star will play Mrs Potts, whom Angela Lansbury voiced in 1991."
    found = conflict("Emma Thompson", "Angela Lansbury", source, kind="entity")
    assert advised(source, "Emma Thompson will play Mrs Potts.", found)[0] is None
    source = "Clara Weiss opened the museum."
    found = conflict("Lena Ortiz", "Clara Weiss", source, kind="entity")
    assert advised(source, "Lena Ortiz opened the museum.", found)[0] == Edit(0, 10, "Clara Weiss")
