"""Words of which mostly one is true of a thing: what they propose, and what they leave alone."""

from __future__ import annotations

import pytest

from pytest_grounding.lexicon import lines, sections
from pytest_grounding.scorers.lexical.conflicts.classes import MEASURES, class_conflicts, has_class_words
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate
from pytest_grounding.scorers.lexical.conflicts.names import name_conflicts
from pytest_grounding.scorers.lexical.conflicts.sources import sources_of
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.tokens import tokenize


def contest(claim: str, source: str) -> Contest:
    return Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))


def proposed(claim: str, source: str) -> list[tuple[str, str]]:
    return [
        (claim[item.start : item.end], source[item.rival_start : item.rival_end])
        for item in class_conflicts(contest(claim, source))
    ]


def measured(claim: str, source: str) -> dict[str, float]:
    found: list[Candidate] = list(class_conflicts(contest(claim, source)))
    assert len(found) == 1
    return {name: float(value) for name, value in found[0].measures}


@pytest.mark.parametrize(
    ("claim", "source", "ours", "theirs"),
    [
        (
            "The lid of the urn is made of copper.",
            "The lid of the urn is made of tin-free brass.",
            "copper",
            "brass",
        ),
        ("A yellow lamp warns of frost.", "A purple lamp warns of frost.", "yellow", "purple"),
        ("The hedge flowers in autumn.", "The hedge flowers in spring.", "autumn", "spring"),
        ("The script was written in Perl.", "The script was written in Haskell.", "Perl", "Haskell"),
        ("The letters are in Danish.", "The letters are in Finnish.", "Danish", "Finnish"),
        (
            "The switch is on the left of the stove.",
            "The switch is on the right of the stove.",
            "on the left",
            "on the right",
        ),
        ("The gate on the north side is shut.", "The gate on the east side is shut.", "north", "east"),
        ("Her aunt plays the trombone.", "Her aunt plays the oboe.", "trombone", "oboe"),
        (
            "The pie is filled with goat's cheese.",
            "The pie is filled with blue cheese.",
            "goat's cheese",
            "blue cheese",
        ),
        ("The stew holds pork and barley.", "The stew holds veal and barley.", "pork", "veal"),
        ("The prize went to her niece.", "The prize went to her cousin.", "niece", "cousin"),
        ("The report is sent as a PDF.", "The report is sent as a spreadsheet in CSV.", "PDF", "CSV"),
        ("Rent is paid by direct debit.", "Rent is paid by bank transfer.", "direct debit", "bank transfer"),
        ("The room above is a kitchen.", "The room above is a pantry.", "kitchen", "pantry"),
        (
            "Berries ripen on the bushes beside plum trees.",
            "Berries ripen on the bushes beside pear trees.",
            "plum trees",
            "pear trees",
        ),
    ],
)
def test_another_word_of_the_class_in_its_place_is_proposed(claim, source, ours, theirs):
    assert proposed(claim, source) == [(ours, theirs)]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        # The same, said by another word or a more general one.
        ("The hall is painted gray.", "The hall is painted grey."),
        ("The chest is made of wood.", "The chest is made of oak."),
        ("The chest is made of oak.", "The chest is made of wood."),
        ("The festival is in autumn.", "The festival is in the fall."),
        ("The dip is made of eggplant.", "The dip is made of aubergine."),
        # The source has it too.
        ("The flag is red.", "The flag is white and red."),
        ("The door is green.", "The gate is blue and the door is green."),
        # It is denied on one side.
        ("The bell is not made of bronze.", "The bell is made of iron."),
        ("The bell is made of bronze.", "The bell is not made of iron."),
        # A name is no colour, and no animal.
        ("Mr Brown leads the choir.", "Mr Green leads the choir."),
        ("The Red Lion opens at six.", "The Black Bear opens at six."),
        # The claim speaks of both.
        ("The cellar is of stone and the barn is of brick.", "The barn is of brick."),
        # Two that are related one way and the other.
        ("Ask lies east of Brenn.", "Brenn lies west of Ask."),
        ("Parking is to the left of the gate.", "The gate is to the right of parking."),
        ("Her father is Lars Holm.", "She is the daughter of Lars Holm."),
        # Nothing around them is alike.
        ("The boat is blue.", "A green bench stands beside the old chapel."),
    ],
)
def test_what_both_may_say_is_left_alone(claim, source):
    assert proposed(claim, source) == []


def test_only_a_claim_with_a_word_of_a_class_is_looked_at():
    assert has_class_words(view_of_claim("The wall is blue.", tokenize("The wall is blue.")))
    assert not has_class_words(view_of_claim("He left early.", tokenize("He left early.")))


def test_the_measures_tell_what_stands_beside_both():
    told = measured("A blue light means that it is on.", "A green light means that it is on.")
    assert (told["class_behind"], told["class_joint"], told["class_known"]) == (1.0, 0.0, 0.0)
    assert told.keys() == MEASURES.keys()
    told = measured(
        "It was carved from marble.", "It was carved from limestone, slate and basalt. Marble is dear."
    )
    assert (told["class_joint"], told["class_ahead"], told["class_known"]) == (1.0, 1.0, 1.0)
    assert told["class_many"] == pytest.approx(2 / 3)
    told = measured("Menus are in Dutch, Polish and Czech.", "Menus are in Dutch, Polish and Greek.")
    assert (told["class_names"], told["class_own"]) == (1.0, pytest.approx(2 / 3))


def test_words_of_classes_are_read_longest_first():
    text = "Blue cheese and red wine, strawberries, halves of pears"
    view = view_of_claim(text, tokenize(text))
    found = [text[view.tokens[w.first].start : view.tokens[w.last].end] for w in view.class_words]
    assert found == ["Blue cheese", "red wine", "strawberries", "pears"]
    # The beginning of an entry at the very end.
    text = "It is green and red"
    assert [w.last - w.first for w in view_of_claim(text, tokenize(text)).class_words] == [0, 0]


def test_each_entry_stands_once_in_its_class():
    for name in sections("classes"):
        said = [
            word
            for line in lines("classes", name)
            for entry in line.rpartition(": ")[2].split()
            for word in entry.split("=")
        ]
        assert sorted(set(said)) == sorted(said), name


@pytest.mark.parametrize(
    ("claim", "source", "count"),
    [
        ("The orders are handled by Team Badger.", "The orders are handled by Team Heron.", 1),
        ("The camp is beside Lake Orm.", "The camp is beside Lake Vidd.", 1),
        (
            "She studied at Brenn University for a year.",
            "She studied at the University of Brenn for a year.",
            0,
        ),
        ("The orders are handled by Team Heron.", "The orders are handled by Heron.", 0),
    ],
)
def test_names_that_share_the_sort_of_thing_are_two(claim, source, count):
    assert len(list(name_conflicts(contest(claim, source)))) == count
