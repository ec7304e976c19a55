"""The shipped table of opposites matches the words it was made from."""

from pytest_grounding.evidence.conflict_words import (
    HOMONYMS,
    alike,
    opposites_of,
    sided,
    stem_of,
    twin_stems,
)
from training.opposites import TARGET, document, shortest, table


def test_the_table_is_generated_from_the_words():
    assert TARGET.read_text(encoding="utf-8") == document(), "run: python -m training.opposites"


def test_a_line_contained_in_another_is_left_out():
    assert shortest({"a b|c d", "a|c", "d|b", "a|e", "c d|a b"}) == ["a|e", "c d|a b"]


def test_opposition_goes_both_ways_and_nothing_opposes_itself():
    known = {stem: opposites_of(stem) for stem in sided()}
    assert len(known) > 1000
    for stem, rivals in known.items():
        assert stem not in rivals
        assert all(known[other][stem] == kind for other, kind in rivals.items())


def test_the_two_sides_of_a_line_share_no_stem():
    known = {stem: opposites_of(stem) for stem in sided()}
    lines = [line for kind in ("antonym", "comparison", "order") for line in table()[kind]]
    for line in lines:
        left, right = (set(side.split(" ")) for side in str(line).split("|"))
        assert not left & right, line
    assert "safe" in alike("secur")
    assert known["open"]["close"] == "antonym"


def test_every_homonym_is_in_the_table():
    known = {stem: opposites_of(stem) for stem in sided()}
    assert [word for word in sorted(HOMONYMS) if stem_of(word) not in known] == []


def test_words_with_opposite_prefixes_are_twins():
    assert stem_of("underestimate") in twin_stems("overestimate")
    assert stem_of("preoperative") in twin_stems("postoperative")
    assert stem_of("outcome") not in twin_stems("income")
    assert twin_stems("ovens") == ()
