"""The lines of a glossary: what they say together, and what is wrong with one."""

import itertools

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding import Settings
from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.builtin.glossary import glossary_of, has_rules


def made(*lines):
    return glossary_of(Settings(glossary="\n".join(lines)), "en")


def sources(glossary, term):
    """What a source may say where a claim says a term."""
    (words,) = (words for words, group in glossary.groups.items() if group[words] == term)
    return set(glossary.groups[words].values()) - {term}


def test_equal_terms_stand_for_each_other():
    glossary = made("charge = fee = price", "price = tariff")
    for term in ("charge", "fee", "price", "tariff"):
        assert sources(glossary, term) == {"charge", "fee", "price", "tariff"} - {term}


def test_a_circle_of_equal_terms_is_allowed():
    assert sources(made("a1 = b1", "b1 = c1", "c1 = a1"), "a1") == {"b1", "c1"}


@each(*table(__file__, "test_terms_are_found_in_texts"))
def test_terms_are_found_in_texts(term, text, found):
    glossary = made(f"{term} = quite another thing")
    places = glossary.find(text, "en")
    assert [text[p.start : p.end] for p in places if glossary.groups[p.term][p.term] == term] == found


def test_the_longer_term_wins():
    glossary = made("leave = absence", "annual leave = PTO")
    text = "Annual leave is leave."
    assert [text[p.start : p.end] for p in glossary.find(text, "en")] == ["Annual leave", "leave"]


def test_the_order_of_the_lines_and_of_their_terms_changes_nothing():
    lines = ["charge = fee", "fee = price", "cost = price", "Fines = penalty", "fine = ticket"]
    first = made(*lines)
    for order in itertools.permutations(lines):
        other = made(*order)
        assert {words: list(group.items()) for words, group in other.groups.items()} == {
            words: list(group.items()) for words, group in first.groups.items()
        }
    assert made("fee = charge").groups == made("charge = fee").groups


def test_a_comment_ends_a_line_and_c_sharp_is_no_comment():
    glossary = made("C# = C sharp # of the team")
    assert sorted(text for group in glossary.groups.values() for text in group.values()) == [
        *("C sharp", "C sharp", "C#", "C#")
    ]


NOT_A_RULE = (
    "a1 => b1|a1 == b1|a1 <- b1 = c|a1 ≠ b1 = c|= fee|a1 = = b1|fee = charge -> price|fee != charge|"
    'fee = "charge"|% = percent'
).split("|")


@each(
    (
        "charge fee\na = b",
        "glossary, line 1: 'charge fee' is not a rule; write A = B, with words",
    ),
    *((line, f"{line!r} is not a rule") for line in NOT_A_RULE),
    ("UAE -> United Arab Emirates", "'UAE -> United Arab Emirates' is not a rule"),
    ("x = y\nfee =", "glossary, line 2: 'fee =' is not a rule"),
    ("fee = fees", "'fee = fees' is not a rule"),
    ("C++ = C#", "'C++ = C#' is not a rule"),
)
def test_a_wrong_line_is_one_sentence_with_its_number(lines, message):
    with pytest.raises(SettingsError) as caught:
        pg.validate(TRANSCRIPT, {"glossary": lines})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_terms_that_are_one_in_the_language_of_a_text_are_no_error():
    rules = Settings(glossary="Kündigung = Kündigungen = Auflösung")
    assert has_rules(rules)
    assert len(glossary_of(rules, "de").groups) == 2


TRANSCRIPT = {"id": "a", "question": "Who?", "chunks": [], "answer": "I don't have that information."}


def test_a_wrong_line_of_a_file_is_named_with_the_file(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text("# our terms\n\ncharge = fee   # said by sales\nfee =\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        pg.validate(TRANSCRIPT, {"glossary": path})
    assert str(caught.value).startswith(f"{path}:4: 'fee =' is not a rule; ")


def test_an_unreadable_file_is_one_sentence(tmp_path):
    with pytest.raises(SettingsError, match=r"glossary = 'no\.txt' cannot be read \(No such file"):
        pg.validate(TRANSCRIPT, {"glossary": "no.txt"})
    path = tmp_path / "terms.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="is not UTF-8 text; name a file of rules, or write the rules"):
        pg.validate(TRANSCRIPT, {"glossary": str(path)})


@each(3, ["a = b", 3], {"a": "b"}, b"a = b")
def test_a_value_of_another_kind_is_refused(value):
    with pytest.raises(
        SettingsError, match=r"glossary = .* is not text; write the path of a file, or a list"
    ):
        Settings.of({"glossary": value})
