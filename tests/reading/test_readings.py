"""A text is read once, whoever asks for what is in it."""

import gc
import weakref

from every import each

import pytest_grounding as pg
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.reading import forget, read_once
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.words import tokenize

TEXT = "The library opened in 1950. It lends maps for 7 days."


class Marked(list[str]):
    """A result that can be watched."""


@each("short", "long " * 400)
def test_a_text_is_read_once_in_each_language(text):
    made = []

    @read_once
    def words(given, language="en"):
        made.append(language)
        return given.split()

    again = "".join(list(text))
    assert again is not text
    assert words(text, "en-GB") is words(again, "EN") is words(text) == text.split()
    assert words(text, "de") == words(text, "de_AT")
    assert made == ["en", "de"]


def test_a_result_of_none_is_also_computed_once():
    made = []

    @read_once
    def nothing(text):
        made.append(text)

    assert nothing("two words") is None
    assert nothing("two words", "de") is None
    assert nothing("two words", "de") is None
    assert made == ["two words", "two words"]


def test_what_was_read_is_freed():
    @read_once
    def split(text):
        return Marked(text.split())

    forget()
    words = weakref.ref(split("some text"))
    gc.collect()
    assert words() == ["some", "text"]
    forget()
    gc.collect()
    assert words() is None


def test_short_texts_do_not_evict_chunks():
    chunk = "A chunk is longer than a claim. " * 40
    kept = extract_facts(chunk)
    for number in range(5000):
        extract_facts(f"claim {number}")
    assert extract_facts(chunk) is kept
    forget()


def test_functions_keep_their_results_apart():
    forget()
    facts, index = extract_facts(TEXT), index_of(TEXT)
    assert facts is not index
    assert extract_facts(TEXT) is facts
    assert index_of(TEXT) is index


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
