"""What is required and what is optional, denials that hold behind "or", and a "no" that answers."""

from __future__ import annotations

import pytest

import pytest_grounding as pg
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duties import duties_of, duty_conflicts
from pytest_grounding.scorers.lexical.conflicts.find import candidates_of
from pytest_grounding.scorers.lexical.conflicts.predications import predications_of
from pytest_grounding.scorers.lexical.conflicts.sources import sources_of
from pytest_grounding.scorers.lexical.conflicts.view import View, view_of_claim
from pytest_grounding.scorers.lexical.tokens import tokenize
from training.opposites import degrees


def view(text: str) -> View:
    return view_of_claim(text, tokenize(text))


def contest(claim: str, source: str) -> Contest:
    return Contest(view(claim), sources_of(source))


def told(text: str) -> list[tuple[str, set[str]]]:
    """The duties and choices of a text, each with the words that it is said of."""
    read = view(text)
    return [
        (duty.modality, {read.norms[n] for n in duty.heads}) for duty in duties_of(read, 0, len(read.tokens))
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A deposit is mandatory.", [("duty", {"deposit"})]),
        ("No deposit is required.", [("choice", {"deposit"})]),
        ("The second name is not required.", [("choice", {"second", "name"})]),
        ("The second name is not optional.", [("duty", {"second", "name"})]),
        ("Every van needs a licence.", [("duty", {"licence"})]),
        ("Bicycles need no licence.", [("choice", {"licence"})]),
        ("You do not need a licence.", [("choice", {"licence"})]),
        ("The last step may be skipped.", [("choice", {"last", "step"})]),
        ("Gloves must be worn.", [("duty", {"worn", "gloves"})]),
        ("Guests must not smoke.", []),
        ("The gate is green.", []),
        (
            "Gloves must be worn; the mask is optional.",
            [("duty", {"worn", "gloves"}), ("choice", {"mask"})],
        ),
    ],
)
def test_duties_and_choices_are_read_with_what_they_are_said_of(
    text: str, said: list[tuple[str, set[str]]]
) -> None:
    assert told(text) == said


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Wearing gloves is optional.", "Gloves must be worn at the saw."),
        ("Gloves must be worn.", "Gloves are voluntary in the workshop."),
        ("The mask is required.", "Gloves must be worn; the mask may be left out."),
        ("A licence is needed.", "You need no licence for a bicycle."),
    ],
)
def test_a_duty_beside_a_choice_is_proposed(claim: str, source: str) -> None:
    assert [found.kind for found in duty_conflicts(contest(claim, source))] == ["duty"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Gloves are required.", "Gloves must be worn at the saw."),
        ("Gloves are required.", "Gloves must be worn; the mask is optional."),
        ("The mask is not needed.", "The mask is optional."),
        ("A licence is optional.", "You need no licence for a bicycle."),
        ("Gloves must be worn.", "Guests must not smoke."),
    ],
)
def test_what_says_the_same_in_other_words_is_not(claim: str, source: str) -> None:
    assert not list(duty_conflicts(contest(claim, source)))


@pytest.mark.parametrize(
    ("claim", "source", "kind"),
    [
        ("The lower path is drier.", "The lower path is wetter.", "comparison"),
        ("The west room is the quietest.", "The west room is the noisiest.", "comparison"),
        ("The blue line is more expensive.", "The blue line is cheaper.", "comparison"),
    ],
)
def test_degrees_of_adjectives_are_opposed(claim: str, source: str, kind: str) -> None:
    assert kind in {found.kind for found in candidates_of(contest(claim, source))}


def test_degrees_are_spelled_as_english_spells_them() -> None:
    forms = "wetter wettest drier driest larger largest colder coldest expensive"
    assert degrees("wet dry large cold *expensive") == forms


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("No, guests have to pay for parking.", "Guests have to pay for parking."),
        ("No, all rooms are taken.", "All rooms are taken."),
        ("No - the museum is closed on Mondays.", "The museum is closed on Mondays."),
    ],
)
def test_a_no_that_answers_denies_nothing_behind_it(claim: str, source: str) -> None:
    answered = pg.support(claim, [source])
    assert not answered.conflicts
    assert answered.probability > 0.9


def test_what_a_no_denies_is_found_behind_it() -> None:
    found = pg.support("No, the museum is not open on Mondays.", ["The museum is open on Mondays."])
    assert [item.kind for item in found.conflicts if item.severity == "error"] == ["negation"]


def test_behind_or_a_denial_holds() -> None:
    read = view("Vouchers cannot be returned or exchanged, but they can be given away.")
    found = predications_of(read, 0, len(read.tokens))
    assert [part.is_denied for part in found] == [True, True, False]


def test_without_on_both_sides_tells_nothing() -> None:
    candidates = candidates_of(
        contest("The lamp does not burn without oil.", "The lamp burns without oil for an hour.")
    )
    assert "polarity" in {found.kind for found in candidates}
