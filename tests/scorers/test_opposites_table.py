"""The table of opposites that ships: in step with the words that it was made from, and of some width."""

from __future__ import annotations

from every import examples

from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_words import (
    HOMONYMS,
    alike,
    opposites_of,
    sided,
    stem_of,
    twin_stems,
)
from training.opposites import TARGET, document, shortest, table


def test_the_stems_are_those_of_the_words() -> None:
    assert TARGET.read_text(encoding="utf-8") == document(), "run: python -m training.opposites"


def test_a_line_that_another_one_holds_is_left_out_whichever_way_round() -> None:
    assert shortest({"a b|c d", "a|c", "d|b", "a|e", "c d|a b"}) == ["a|e", "c d|a b"]


def test_opposition_goes_both_ways_and_nothing_opposes_itself() -> None:
    known = {stem: opposites_of(stem) for stem in sided()}
    assert len(known) > 1000
    for stem, rivals in known.items():
        assert stem not in rivals
        assert all(known[other][stem] == kind for other, kind in rivals.items())


def test_no_side_of_a_line_holds_what_it_is_opposed_to() -> None:
    known = {stem: opposites_of(stem) for stem in sided()}
    lines = [line for kind in ("antonym", "comparison", "order") for line in table()[kind]]
    for line in lines:
        left, right = (set(side.split(" ")) for side in str(line).split("|"))
        assert not left & right, line
    assert "safe" in alike("secur")
    assert known["open"]["close"] == "antonym"


@examples(
    ("claim", "source"),
    [
        ("The nurses are overpaid.", "The nurses are underpaid."),
        ("The inflow of water is measured daily.", "The outflow of water is measured daily."),
        ("Admission is expensive for children.", "Admission is free for children."),
        ("The old clients of the firm stayed.", "The new clients of the firm stayed."),
        ("The trail runs uphill to the hut.", "The trail runs downhill to the hut."),
        ("The inspection of the plant was cursory.", "The inspection of the plant was thorough."),
        ("The council repealed the ban on fires.", "The council introduced the ban on fires."),
    ],
)
def test_words_with_opposite_beginnings_and_new_pairs_are_opposed(claim: str, source: str) -> None:
    assert [item.kind for item in conflicts_between(claim, source)] == ["antonym"]


@examples(
    ("claim", "source"),
    [
        ("The income of the farm grew.", "The outcome for the farm was that its earnings grew."),
        ("He took several mild cheeses.", "He took several cheeses that were mild."),
        ("The firm undertakes repairs.", "The firm overtakes others and does repairs."),
        (
            "The position of the mill is good.",
            "The negative side of the mill is its noise; its place is good.",
        ),
        ("Admission costs nothing for children.", "Admission is free for children."),
        ("The final was closely contested.", "In the opening minutes the final was contested."),
    ],
)
def test_words_that_only_look_opposed_are_not(claim: str, source: str) -> None:
    assert [item for item in conflicts_between(claim, source) if item.kind == "antonym"] == []


def test_a_homonym_has_the_stem_of_a_word_of_the_table() -> None:
    known = {stem: opposites_of(stem) for stem in sided()}
    assert [word for word in sorted(HOMONYMS) if stem_of(word) not in known] == []


def test_twins_are_told_from_words_that_only_begin_alike() -> None:
    assert stem_of("underestimate") in twin_stems("overestimate")
    assert stem_of("preoperative") in twin_stems("postoperative")
    assert stem_of("outcome") not in twin_stems("income")
    assert twin_stems("ovens") == ()
