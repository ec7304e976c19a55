"""Short cuts of the readers of text find what their patterns find."""

import re

from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.checks.hallucination import strange_names
from pytest_grounding.citations import codelines, section
from pytest_grounding.claims import clauses
from pytest_grounding.questions import question_words as language
from pytest_grounding.reading import grammar

_WORDS = st.sampled_from(
    """
    I we it that this therefore thus from seems likely my opinion, means that suggests based on great
    beautiful idea don't it's I'd love recommend Rome 12 ; , and but if because says said in case only
    """.split()
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=14).map(" ".join)
_ASCII = st.text(st.characters(max_codepoint=127), max_size=80) | _TEXTS


@given(_ASCII)
def test_words_of_ascii_are_those_of_the_pattern(text: str) -> None:
    assert grammar.words_of(text) == re.findall(r"\w+(?:'\w+)?", text.lower())


def test_a_curly_apostrophe_is_a_straight_one() -> None:
    assert grammar.words_of("Don’t “it’s” naïve") == ["don't", "it's", "naïve"]


@given(_ASCII)
def test_question_words_of_ascii_are_those_of_the_pattern(text: str) -> None:
    assert language._words(text) == re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.lower())


@given(_TEXTS)
def test_no_scope_stands_without_its_words(text: str) -> None:
    if clauses._SCOPE.search(text):
        assert not clauses._SCOPE_WORDS.isdisjoint(grammar.words_of(text))


@each(
    ("In my view the second plan is better.", "opinion"),
    ("This is such a beautiful story.", "opinion"),
    ("That’s a great idea!", "opinion"),
    ("It can be safely assumed that costs rise.", "inference"),
    ("From this the price rises.", "inference"),
    ("As a result, costs rise.", "inference"),
    ("We believe that costs rise.", "inference"),
    ("Costs rise from 2020 on.", "fact"),
)
def test_the_kind_of_a_claim_is_still_seen(text: str, kind: str) -> None:
    assert clauses.kind_of(text).kind == kind


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
def test_every_spelling_of_code_lines_is_looked_for(text: str) -> None:
    tried = codelines._patterns_for(text)
    matching = [p for p in (codelines._CITATION, codelines._LINES_FIRST) if p.search(text)]
    assert matching
    assert all(any(pattern is one for one in tried) for pattern in matching)


@each("Section", "sect.", "Sec.", "ABSCHNITT", "abschn.", "sección", "Sezione", "paragraaf", "§", "\u017fec.")
def test_every_word_for_a_section_is_hinted_at(word: str) -> None:
    assert section._SECTION.search(f"{word} 4")
    assert any(hint in word.casefold() for hint in section._HINTS)


def test_the_question_is_read_for_each_claim_alike() -> None:
    for _ in range(2):
        assert strange_names("We met Zorro Vega there.", ["Zorro", "Vega"], "Who is Zorro?") == ()
        assert strange_names("We met Zorro Vega there.", ["Zorro", "Vega"], "Who is there?") == (
            "Zorro Vega",
        )
