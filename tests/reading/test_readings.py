"""A text is read once, whoever asks for what is in it."""

import gc
import weakref

from every import each

import pytest_grounding as pg
from pytest_grounding.reading import Reading, forget, reading_of
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.token_index import index_of

TEXT = "The library opened in 1950. It lends maps for 7 days."


class Marked(list[str]):
    """A part that can be watched."""


def _split(one):
    return Marked(one.text.split())


def test_a_part_is_made_once():
    made = []

    def words(one):
        made.append(one.text)
        return one.text.split()

    read = Reading("two words")
    assert made == []
    assert read.part(words) is read.part(words)
    assert made == ["two words"]


def test_a_part_that_is_none_is_also_made_once():
    made = []

    def nothing(one):
        made.append(one.text)

    read = Reading("two words")
    assert read.part(nothing) is None
    assert read.part(nothing) is None
    assert made == ["two words"]


@each("short", "long " * 400)
def test_equal_texts_share_their_reading_in_one_language(text):
    again = "".join(list(text))
    assert again is not text
    assert reading_of(text, "en-GB") is reading_of(again, "EN") is reading_of(text)
    assert reading_of(text, "de") is not reading_of(text, "en")
    assert reading_of(text, "de_AT").language == "de"


def test_a_reading_is_freed_with_its_text():
    forget()
    part = weakref.ref(reading_of("some text").part(_split))
    gc.collect()
    assert part() == ["some", "text"]
    forget()
    gc.collect()
    assert part() is None


def test_short_texts_do_not_evict_chunks():
    chunk = "A chunk is longer than a claim. " * 40
    kept = reading_of(chunk)
    for number in range(5000):
        reading_of(f"claim {number}")
    assert reading_of(chunk) is kept
    forget()


def test_words_facts_and_index_are_parts_of_one_reading():
    forget()
    tokenize(TEXT)
    extract_facts(TEXT)
    index = index_of(TEXT)
    assert index_of(TEXT) is index
    names = repr(reading_of(TEXT))
    assert names.startswith("Reading('The library opened")
    assert all(name in names for name in ("words_of", "_facts", "_index"))


def test_returned_words_are_copies():
    tokenize(TEXT).clear()
    assert [token.text for token in tokenize(TEXT)][:2] == ["The", "library"]


def test_a_verdict_does_not_depend_on_what_was_read_before():
    given = {
        "id": "a",
        "question": "When did it open?",
        "answer": "It opened in 1960. It lends maps for 7 days.",
        "chunks": [{"id": "c1", "text": TEXT}],
    }
    forget()
    first = pg.validate(given).to_json()
    assert pg.validate(given).to_json() == first
    forget()
    assert pg.validate(given).to_json() == first
