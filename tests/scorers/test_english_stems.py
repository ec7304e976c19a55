"""The English stemmer against the package that it stands for."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import pytest
import snowballstemmer
from every import examples
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.words import stem_of_english as stem

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = snowballstemmer.stemmer("english").stemWord
# Release 3 changed some rules ("biologist"); the stems here are those of the newest.
VERSION = tuple(int(part) for part in importlib.metadata.version("snowballstemmer").split(".")[:2])
needs_reference = pytest.mark.skipif(VERSION < (3, 1), reason="an older algorithm is installed")

BEGINNINGS = (
    "",
    "un",
    "re",
    "gener",
    "univers",
    "commun",
    "succ",
    "past",
    "y",
    "sky",
    "hop",
    "fl",
    "ab",
    "'",
)
ENDINGS = (
    *(
        "",
        "s",
        "'s",
        "s'",
        "ies",
        "ied",
        "sses",
        "ed",
        "eed",
        "eedly",
        "edly",
        "ing",
        "ingly",
        "y",
        "ly",
        "li",
    ),
    *("ational", "tional", "ization", "iveness", "fulness", "ousness", "biliti", "lessli", "alism", "ogist"),
    *(
        "ogi",
        "icate",
        "ative",
        "alize",
        "iciti",
        "ical",
        "ful",
        "ness",
        "ement",
        "ment",
        "ent",
        "ion",
        "tion",
    ),
    *("able", "ible", "ate", "ize", "ous", "al", "er", "ic", "e", "ll", "l", "at", "bl", "iz", "tt", "bb"),
)


@examples(
    ("word", "expected"),
    [
        ("running", "run"),
        ("dying", "die"),
        ("evening", "evening"),
        ("hoped", "hope"),
        ("biologists", "biolog"),
        ("generously", "generous"),
        ("skies", "sky"),
        ("toy's", "toy"),
        ("ay", "ay"),
        ("", ""),
    ],
)
def test_known_words(word: str, expected: str) -> None:
    assert stem(word) == expected


@needs_reference
def test_every_word_of_the_docs_has_the_stem_of_the_package() -> None:
    pages = [*ROOT.glob("docs/*.md"), *ROOT.glob("pytest_grounding/scorers/builtin/*.json")]
    words = {
        word for page in pages for word in re.findall(r"[a-z']+", page.read_text(encoding="utf-8").lower())
    }
    assert len(words) > 2000
    assert {word: stem(word) for word in words} == {word: REFERENCE(word) for word in words}


@needs_reference
@given(
    st.sampled_from(BEGINNINGS),
    st.text("aeiouybcdlnrstwx'", max_size=6),
    st.lists(st.sampled_from(ENDINGS), max_size=3),
)
def test_made_words_have_the_stem_of_the_package(beginning: str, middle: str, endings: list[str]) -> None:
    word = "".join([beginning, middle, *endings])
    assert stem(word) == REFERENCE(word)
