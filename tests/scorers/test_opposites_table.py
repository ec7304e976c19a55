"""The table of opposites that ships: in step with the words that it was made from, and of some width."""

from __future__ import annotations

import json

from pytest_grounding.scorers.lexical.conflicts.lexicon import alike, is_marked, opposites, positive_of
from training.opposites import TARGET, table


def test_the_stems_are_those_of_the_words() -> None:
    assert json.loads(TARGET.read_text(encoding="utf-8")) == table(), "run: python -m training.opposites"


def test_opposition_goes_both_ways_and_nothing_opposes_itself() -> None:
    known = opposites()
    assert len(known) > 1000
    for stem, rivals in known.items():
        assert stem not in rivals
        assert all(known[other][stem] == kind for other, kind in rivals.items())


def test_no_side_of_a_line_holds_what_it_is_opposed_to() -> None:
    known = opposites()
    lines = [line for kind in ("antonym", "comparison", "order") for line in table()[kind]]
    for line in lines:
        left, right = (set(side.split(" ")) for side in str(line).split("|"))
        assert not left & right, line
    assert "safe" in alike()["secur"]
    assert known["open"]["close"] == "antonym"


def test_marked_words_count_in_all_forms_or_in_one() -> None:
    assert is_marked("forbids", "forbid")
    assert is_marked("optional", "option")
    assert not is_marked("option", "option")


def test_a_comparative_is_led_back_to_what_it_compares() -> None:
    assert [positive_of(word) for word in ("slower", "bigger", "easiest", "over")] == [
        "slow",
        "big",
        "easi",
        "",
    ]
