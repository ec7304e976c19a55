"""The letters that gate a long pattern stand in whatever it matches, so that no match is lost."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_grounding._patterns import Parts, gated, letters_of
from pytest_grounding.text import attribution, skip_patterns
from pytest_grounding.text.refusal_patterns import EMPTY_PART, REFUSAL
from pytest_grounding.text.refusal_tongues import OTHER
from pytest_grounding.text.skip_patterns import CLOSING, FILLER, GREETING, is_closing, is_filler, is_greeting

FLAGS = re.IGNORECASE | re.VERBOSE
ALL = {
    "refusal": REFUSAL,
    "empty": EMPTY_PART,
    "other": OTHER,
    "greeting": GREETING,
    "closing": CLOSING,
    "filler": FILLER,
}
PARTS = [(name, number) for name, parts in ALL.items() for number in range(len(parts.patterns))]
SINGLE = ("_LEAD_IN", "_REPORT", "_TAIL")
#: Texts with and without what the parts look for; each is also searched with all parts as one pattern.
TEXTS = (
    "I do not know.",
    "We can't say that.",
    "The provided passages do not mention a fee.",
    "Passage 2 doesn’t say which.",
    "There is no information about it in the context.",
    "The handbook says nothing on that.",
    "Nothing in the sources points to it.",
    "It opens at nine and has 40 rooms.",
    "The İnformation is not known to me.",
    "No ınformatıon was found.",
    "n/a",
    "Die Quellen sagen dazu nicht viel.",
    "资料没有提到这一点。",
    "Я не знаю.",
)
OPENINGS = (
    "Hello there!",
    "Sure, I'd be happy to help!",
    "Sure! Here is the answer:",
    "Certainly,  hello.",
    "**Great question!**",
    "I hope this helps.",
    "Please let me know if you need more.",
    "Here are the steps:",
    "Passage 3",
    "Yes, it is mentioned in passages 1 and 2.",
    "Hello is a song by Adele.",
    "It opens at nine.",
    "ＨＥＬＬＯ",
    "谢谢！",
    "",
)


@pytest.mark.parametrize(("name", "number"), PARTS)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_part_needs_its_letters(name, number, data):
    lazy = ALL[name].patterns[number]
    text = data.draw(st.from_regex(re.compile(lazy.pattern, lazy.flags)))
    assert lazy in list(ALL[name].likely(text))
    assert ALL[name].search(text)


@pytest.mark.parametrize("name", SINGLE)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_gated_pattern_needs_its_letters(name, data):
    pattern = getattr(attribution, name)
    text = data.draw(st.from_regex(re.compile(pattern.pattern, pattern.flags)))
    found = pattern.search(text)
    assert found is not None
    if name == "_LEAD_IN":
        # The short pattern that is asked before it.
        assert attribution._OPENS.match(text, found.start()) is not None


@pytest.mark.parametrize("name", ["refusal", "other"])
def test_the_parts_are_as_one_pattern(name):
    union = "|".join(f"(?:{pattern.pattern})" for pattern in ALL[name].patterns)
    found = [re.search(union, text, FLAGS) is not None for text in TEXTS]
    assert found == [ALL[name].search(text) for text in TEXTS]
    assert 1 < sum(found) < len(found) - 1


@pytest.mark.parametrize(
    ("name", "call"), [("greeting", is_greeting), ("filler", is_filler), ("closing", is_closing)]
)
@given(
    pieces=st.lists(
        st.sampled_from(("Sure, ", "Hello", ", ", " ", "“", "!", "here is", *OPENINGS)), max_size=4
    )
)
def test_a_polite_opening_may_stand_before_a_part(name, call, pieces):
    polite = "" if name == "closing" else skip_patterns._POLITE
    union = "|".join(f"(?:{pattern.pattern})" for pattern in ALL[name].patterns)
    for text in ("".join(pieces), *OPENINGS):
        assert call(text) == (re.match(rf"\W*{polite}(?:{union})", text, FLAGS) is not None), text


def test_letters_that_are_one_without_case_are_one():
    for letter in "abcdefghijklmnopqrstuvwxyzäéãß":
        pattern = re.compile(letter, re.IGNORECASE)
        equal = [chr(code) for code in range(0x20000) if pattern.match(chr(code))]
        assert len(equal) > 1
        assert {letters_of(character) for character in equal} == {letters_of(letter)}


def test_nothing_is_compiled_for_a_text_without_the_letters(monkeypatch):
    compiled = []
    compiler = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or compiler(*given))
    parts = Parts((("do_not|cannot & say", r"I (?:do not|cannot) say"), ("", r"^n/a$")), re.IGNORECASE)
    single = gated("not_", r"not \w+", re.IGNORECASE)
    assert not parts.search("It says so, and I do.")
    assert single.search("It says so") is None
    assert [source for source, _ in compiled] == ["^n/a$"]
    assert parts.search("I CANNOT SAY")
    assert single.search("It says NOT so")[0] == "NOT so"
    assert len(compiled) == 3
