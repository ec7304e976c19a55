"""The letters that gate a long pattern stand in whatever it matches, so that no match is lost."""

import re

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding._io import wording as _wording
from pytest_grounding._io.lazy_patterns import Parts, gated, letters_of
from pytest_grounding.checks import selfrag
from pytest_grounding.checks.retrieval import quality
from pytest_grounding.citations import numbered as index
from pytest_grounding.citations import syntax as base
from pytest_grounding.claims import clauses
from pytest_grounding.claims.skips import is_closing, is_filler, is_greeting
from pytest_grounding.lexicon.patterns import parts, source
from pytest_grounding.reading import sentences as segment
from pytest_grounding.scorers.builtin import align

ALL = {name: parts(name) for name in ("refusals", "refusals_elsewhere", "greetings", "closings", "fillers")}
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


@each("refusals", "refusals_elsewhere")
def test_the_parts_are_as_one_pattern(name):
    union = "|".join(f"(?:{pattern.pattern})" for pattern in ALL[name].patterns)
    found = [re.search(union, text, re.IGNORECASE) is not None for text in TEXTS]
    assert found == [ALL[name].search(text) for text in TEXTS]
    assert 1 < sum(found) < len(found) - 1


@pytest.mark.parametrize(
    ("name", "call"), [("greetings", is_greeting), ("fillers", is_filler), ("closings", is_closing)]
)
@given(
    pieces=st.lists(
        st.sampled_from(("Sure, ", "Hello", ", ", " ", "“", "!", "here is", *OPENINGS)), max_size=4
    )
)
def test_a_polite_opening_may_stand_before_a_part(name, call, pieces):
    polite = r"\W*" if name == "closings" else source("sentences", "polite_start")
    union = "|".join(f"(?:{pattern.pattern})" for pattern in ALL[name].patterns)
    for text in ("".join(pieces), *OPENINGS):
        assert call(text) == (re.match(rf"{polite}(?:{union})", text, re.IGNORECASE) is not None), text


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


ODD = (
    *'[1]|[a b|【2†source】|【1:2†x】|［3］|\ue200cite\ue202turn0search1\ue201|(|“|』|"|{'.split("|"),
    *"...|…|[more]|[…] and| and so|Hi!|Thank you|What's up|whats up|ＨＩ|\u212a|.".split("|"),
    *"passage 2|(Source #3, 4)|ſource 1|<b>|</b>|1. |2) |- |• |٣. |12| |\n".split("|"),
    *("::error::", "##[x]", "##vso[x]", "a) ", "* * *", "---", "| a |", "1.5"),
)


@given(st.lists(st.sampled_from(ODD), max_size=5).map("".join))
def test_a_look_for_signs_before_a_pattern_loses_no_match(text):
    for room, name in (
        (base, "_BRACKET"),
        (index, "_DAGGER"),
        (index, "_PRIVATE"),
        (clauses, "_DEPTH"),
        (quality, "_MARKED"),
        (selfrag, "_SMALL_TALK"),
    ):
        own = getattr(room, name)
        whole = re.compile(own.pattern, own.flags)
        assert [m.span() for m in own.finditer(text)] == [m.span() for m in whole.finditer(text)], name
        assert (own.match(text) is None) == (whole.match(text) is None), name
    label = re.compile(align._LABEL.pattern, align._LABEL.flags)
    assert align.without_labels(text) == label.sub(lambda match: " " * len(match[0]), text)
    command = re.compile(_wording._COMMAND.pattern)
    assert _wording.terminal(text) == command.sub(_wording._disarmed, _wording.visible(text))
    for line in filter(str.strip, text.split("\n")):
        kind = segment._kind_of(line, "", False)
        if kind in ("prose", "list_item"):
            assert (kind == "list_item") == (re.match(segment._ITEM.pattern, line) is not None)
            assert re.match(segment._RULE.pattern, line) is None
