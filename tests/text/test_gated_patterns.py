"""Fast paths and gates find what the plain patterns find."""

import re

import pytest
from every import each, table
from hypothesis import example, given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding._io.lazy_patterns import Parts, gated, letters_of
from pytest_grounding.claims.sentence_type import is_closing, is_filler, is_greeting
from pytest_grounding.lexicon.patterns import parts, source
from pytest_grounding.reading import grammar
from pytest_grounding.reading.facts.numerals import as_spelled, cut, with_plain_dates

ALL = {name: parts(name) for name in ("refusals", "refusals_elsewhere", "greetings", "closings", "fillers")}
#: Texts with and without what the parts look for; each is also searched with all parts as one pattern.
TEXTS = table(__file__, "TEXTS")
OPENINGS = table(__file__, "OPENINGS")


@each("refusals", "refusals_elsewhere")
def test_the_parts_match_like_one_pattern(name):
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


def test_letters_that_match_without_case_are_folded_alike():
    for letter in "abcdefghijklmnopqrstuvwxyzäéãß":
        pattern = re.compile(letter, re.IGNORECASE)
        equal = [chr(code) for code in range(0x20000) if pattern.match(chr(code))]
        assert len(equal) > 1
        assert {letters_of(character) for character in equal} == {letters_of(letter)}


def test_patterns_are_compiled_only_for_texts_with_their_letters(monkeypatch):
    compiled = []
    compiler = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or compiler(*given))
    several = (((("do not", "cannot"), ("say",)), r"I (?:do not|cannot) say"), ((), r"^n/a$"))
    parts = Parts(lambda: several, re.IGNORECASE)
    single = gated("not |never ", r"(?:not|never) \w+", re.IGNORECASE)
    assert not parts.search("It says so, and I do.")
    assert single.search("It says so") is None
    assert [source for source, _ in compiled] == ["^n/a$"]
    assert parts.search("I CANNOT SAY")
    assert single.search("It says NOT so")[0] == "NOT so"
    assert len(compiled) == 3


PIECES = "a|It|'|.| |  |1|1,056|234| , |\n|_|-|$5|U.S.|don't|\t|\x1c".split("|")
ASCII = st.one_of(st.text(st.characters(max_codepoint=127)), st.lists(st.sampled_from(PIECES)).map("".join))
ANY = st.one_of(
    ASCII, st.text(), st.lists(st.sampled_from([*PIECES, "é", "’", "½", "١٢", "İ", "Σ", "一"])).map("".join)
)


@given(ASCII)
@example("1 , 056 people in the U.S. don't pay 'em $5.")
def test_ascii_is_tokenised_like_any_text(text):
    tokens = cut(text).raw
    assert cut(f"{text}\n\né").raw[: len(tokens)] == tokens


@given(ANY)
def test_tokens_are_slices_of_the_text(text):
    tokens = cut(text)
    # Numbers are read in plain form, at equal length.
    plain = with_plain_dates(as_spelled(text))
    assert [plain[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)] == tokens.raw
    low, outside = tokens.low[: len(tokens.raw)], tokens.low[len(tokens.raw) :]
    assert all(low)
    assert not any(outside)
    if text.isascii():
        assert low == [token.lower() for token in tokens.raw]


WORDS = st.sampled_from(
    """
    I we it that this therefore thus from seems likely my opinion, means that suggests based on great
    beautiful idea don't it's I'd love recommend Rome 12 ; , and but if because says said in case only
    """.split()
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
ASCII_TEXT = st.text(st.characters(max_codepoint=127), max_size=80) | SENTENCES


@given(ASCII_TEXT)
def test_words_of_ascii_match_the_pattern(text):
    assert grammar.words_of(text) == re.findall(r"\w+(?:'\w+)?", text.lower())


def test_a_curly_apostrophe_is_a_straight_one():
    assert grammar.words_of("Don’t “it’s” naïve") == ["don't", "it's", "naïve"]


@each(
    "as in src/a.py:3-9 and",
    "see src/a.py#L4",
    "SRC/A.PY (Lines 4 to 5)",
    "src/a.py (L4)",
    "src/a.py, zeile 4",
    "src/a.py (ll. 4-5)",
    "LİNE 3 of src/a.py and l\u0131nes 3 in src/b.py",
    "Lines 3 to 4 of src/a.py",
)
def test_every_spelling_of_code_lines_is_a_citation(text):
    assert pg.check_citations(f"It is red: {text}.", ["It is red."]).citations


@each("Section", "sect.", "Sec.", "ABSCHNITT", "abschn.", "sección", "Sezione", "paragraaf", "§", "\u017fec.")
def test_every_word_for_a_section_makes_a_citation(word):
    (found,) = pg.check_citations(f"It is red (Chapter 2, {word} 4).", ["It is red."]).citations
    assert (found.text, found.syntax) == (f"Chapter 2, {word} 4", "section")
