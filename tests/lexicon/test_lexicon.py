"""The files of words: how they are read, and that each holds what its readers may trust."""

import pytest
from every import each

from pytest_grounding import lexicon
from pytest_grounding.reading.words import tokenize

FILES = sorted(path.stem for path in lexicon.DATA.glob("*.txt"))


def test_there_are_files():
    assert "questions" in FILES


@each(*FILES)
def test_every_section_says_what_it_is_for(file):
    headings = [
        line
        for line in (lexicon.DATA / f"{file}.txt").read_text(encoding="utf-8").splitlines()
        if line.startswith("[")
    ]
    assert headings
    assert [line for line in headings if len(line.partition("] ")[2].split()) < 2] == []


@each(*FILES)
def test_no_section_is_empty_or_repeats_a_line(file):
    for name, held in lexicon._sections_of(file).items():
        assert held, name
        assert sorted(set(held)) == sorted(held), name


def test_words_tables_and_alternatives(tmp_path, monkeypatch):
    (tmp_path / "made.txt").write_text(
        "# said\n[some] words of a kind\none two\n# between\nof_course\n\n"
        "[values] of words\n1: one first\n2: two\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(lexicon, "DATA", tmp_path)
    lexicon._sections_of.cache_clear()
    assert lexicon.words("made", "some") == {"one", "two", "of course"}
    assert lexicon.ordered("made", "some") == ("one", "two", "of course")
    assert lexicon.lines("made", "some") == ("one two", "of_course")
    assert lexicon.table("made", "values") == {"one": "1", "first": "1", "two": "2"}
    assert lexicon.numbers("made", "values") == {"one": 1.0, "first": 1.0, "two": 2.0}
    assert lexicon.whole_numbers("made", "values") == {"one": 1, "first": 1, "two": 2}
    assert all(type(value) is float for value in lexicon.numbers("made", "values").values())
    assert lexicon.alternation("made", "some") == "of course|one|two"
    with pytest.raises(KeyError):
        lexicon.words("made", "other")
    lexicon._sections_of.cache_clear()


def test_two_sections_of_one_name_are_refused(tmp_path, monkeypatch):
    (tmp_path / "twice.txt").write_text("[a] one\nx\n[a] two\ny\n", encoding="utf-8")
    monkeypatch.setattr(lexicon, "DATA", tmp_path)
    lexicon._sections_of.cache_clear()
    with pytest.raises(ValueError, match=r"two sections \[a\]"):
        lexicon.words("twice", "a")


@each("en", "de", "fr", "es")
def test_a_thing_of_a_sort_is_one_word(language):
    sorts = [line.split() for line in lexicon.lines("siblings", f"sorts {language}")]
    assert all(len(sort) > 1 for sort in sorts)
    words = [word for sort in sorts for thing in sort for word in thing.split("=")]
    assert len(words) > 300
    assert [word for word in words if len(tokenize(word, language)) != 1] == []
